### Words of what stands below the sentence when its translation cannot be trusted.

far = 这个句子与该模型见过的句子相差很大，它的注意力可能说明不了什么。
unread_in = 这个模型读{ $language }：这段文字的大部分它都不认识。
unread = 这段文字的大部分，这个模型都不认识。
unread_other = 模型 { $name } 能读它。
unread_none = 这里打开的模型都读不了它；可以在“模型”下打开自己的模型。
use_model = 改用 { $name }
split = 请试着拆成几个短句。
plain = 请试试更常用的词。
plain_in = 请试试更常用的{ $language }词。
whole = 请试试完整的句子。
whole_in = 请试试完整的{ $language }句子。
language_en = 英语
language_fr = 法语
language_de = 德语
language_zh = 中文
loop = 译文一直重复“{ $text }”，因此被停止了。
loop_cut = 译文一直重复“{ $text }”，达到 { $n } 个词元的长度上限后被截断。
loop_ended = 译文一直重复“{ $text }”。
loop_alone = 续写一直重复“{ $text }”，因此被停止了。
loop_cut_alone = 续写一直重复“{ $text }”，达到 { $n } 个词元的长度上限后被截断。
loop_ended_alone = 续写一直重复“{ $text }”。
capitals = 该模型认识的全大写单词很少。
lower = 改用小写
