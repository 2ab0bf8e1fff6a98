### 从文件读取图片或声音的模型所用的文字。

choose_picture = 选择图片…
choose_sound = 选择 WAV…
drop_picture = 或把 PNG、JPEG 拖到这里，最大 12 MB。模型自带的处理器会把它调成模型读取的尺寸。
drop_sound = 或把 WAV 拖到这里，最大 24 MB。模型自带的处理器会把它变成频谱图。
large_picture = 图片超过 12 MB：请选小一些的。
large_sound = 声音超过 24 MB：请选短一些的。
no_file = 这个文件既不是图片也不是声音：请选 PNG、JPEG 或 WAV。
empty_picture = 拖入一张图片：每个词所看的图块会在上面着色。
empty_sound = 拖入一个 WAV：每个词所听的时刻会在频谱图上着色。
lost = 链接里没有这个文件，本次访问也没有：请再次拖到这里。
no_link = 链接不包含文件：请连同文件一起发送。颜色以被看得最多的图块为基准。
windows = 编码器的自注意力没有显示：它的各层只在逐渐缩小的网格窗口内看，没有涵盖全部图块的图。
token_picture = 图块 { $place }（行 · 列）
token_sound = { $place } 处的帧
written_word = 读取自
read_word = 写出
another = 换一个文件
translate = 读取
nothing = 请先选择文件。
examples = 可试的文件
recent = 最近
source_row = 图片的图块，或声音的帧
target_row = 写出的内容
only_words = 此页处理句子中的词。对于文件，“探索”“解码”和“内部”会显示模型看向哪里。
what_picture = Transformer 读取你的图片，你会看到它的每个注意力头在看哪些图块。
what_sound = Transformer 聆听你的录音，你会看到它的每个注意力头在听哪些时刻。
