### 手写板的文字：应用、网页和手机上都用。

pad = 手写板：用手指、笔或鼠标写一个单词
pad_hint = 在这里写一个单词，笔迹不限；也可以拖入一张图片
pad_undo = 撤销
pad_rub = 橡皮
pad_clear = 清空
pad_choose = 图片……
pad_no_picture = 这个文件里看不到字迹。请选一张浅底深字或深底浅字的图片。
strip = 第 { $text } 条
written_word = 手写
read_word = 读出
another = 写另一个单词
translate = 识读
nothing = 请先写一个单词，或从下面选一个。
examples = 可以试的单词
recent = 最近的单词
source_row = 手写单词的各条
target_row = 读出的字母
only_words = 这一页处理句子里的词。对于手写的单词，“探索”和它旁边的几页显示模型在看哪里。
reads_handwriting = 识读手写文字
what = 一个 Transformer 识读你写的字，你能看到它的每个注意力头在看哪些笔画。
nothing_read = 没有读出字母。
take = 在此打开
hide = 隐藏
send_away = 请这部手机离开
use = 用这个词
