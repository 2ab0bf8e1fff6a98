### Why a training or a survey cannot start or go on: the cases of RunError.

queue = 现在无法开始
off = 本服务器已关闭训练和测量。请在自己的电脑上运行 Regard。
mine_full = 这个浏览器已有 { $n } 项训练或测量在运行或排队，最多 { $most } 项。请等其中一项结束，或停止一项。
full = 已有 { $n } 项在排队。请过几分钟再试。
no_space = 这次运行最多会写入 { $mb } MB。其他运行已占用 { $taken } MB，全部合计不得超过 { $most } MB。请等其中一项结束后再试。
unwritable = 服务器无法写入文件夹（{ $reason }）。请先腾出磁盘空间，再重新开始。
running = 它还在结束最后几步。请等几秒再试。
command_line = 这次训练是在命令行里开始的。请在命令行用 --resume 继续。
trains = 训练的部分不能中途更改。请为此开始新的训练。
nothing = 训练在记录任何内容之前就结束了。请重新开始。
no_vocabulary = { $model } 没有可用于训练的词表。请先添加它的分词器。
spelling_source = 源句的词元有 { $share } 是未知词元或单个字节：模型的词表里没有这些句子所用的文字。请换一个能读这种语言的模型，或用 python -m model train 训练一个新模型。
spelling_target = 译文的词元有 { $share } 是未知词元或单个字节：模型的词表里没有译文所用的文字。请换一个能写这种语言的模型，或用 python -m model train 训练一个新模型。
family = { $family } 类型的模型不能在这里训练。请选择能作为我们自己的 Transformer 打开的模型。
few = { $n } 个句对太少，不够学习。请至少提供 { $least } 个。
many = { $n } 个句对太多。最多 { $most } 个。
probe = 所观察的句子有 { $n } 个词元，最多 { $most } 个。请换一个短些的句子。
parameters = 模型有 { $n } 个参数，这里最多训练 { $most } 个。请选择更小的模型，或提高 { $variable } 中的 max_parameters。
disk = 训练可能写入 { $mb } MB，而磁盘只剩 { $free } MB。请先腾出空间。
steps = { $n } 步超过了这里允许的 { $most } 步。请减少步数。
bytes = { $file } 有 { $n } 字节，最多 { $most } 字节。
not_utf8 = { $file } 不是 UTF-8 编码。请另存为 UTF-8。
characters = 句对共 { $n } 个字符，最多 { $most } 个。
lines = 句对共 { $n } 行，最多 { $most } 行。
csv = 第 { $line } 行不是有效的 CSV。请补全引号。
