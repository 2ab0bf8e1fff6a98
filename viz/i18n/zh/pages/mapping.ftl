### Words of the table that maps a checkpoint's names to ours, and of what helps where nothing opens.

title = 张量名称对照表
lead = 用于这里不认识的代码：说明每个张量是什么。表格已根据形状和顺序填好，请核对。{ "{i}" } 代表层的编号。
theirs = 文件中的名称
shape = 形状
count = 层数
wrong = 需核对
wrong_help = 上次尝试指出的行：没有位置，或张量不符。
ours = 含义
ours_help = 用 + 连接的多个名称在同一张量中按此顺序从上到下拼接。
ignored = （忽略）
turned = 转置
turned_help = 以（输入，输出）存储：行为输入。PyTorch 存储为（输出，输入）。
open = 按此表打开
save = 保存对照表
save_help = 供使用相同代码的人共享。模型打开后，文件中也包含你的答案。
file = 已保存的对照表（.toml）
suspect = 它的名称像是来自 { $toolkit }。
advice_add_config = 请拖入整个文件夹，包括 config.json 和分词器文件。
advice_folder_or_attention = Hugging Face 的文件夹连同 config.json 一起即可打开。否则请更正下表，或以文件形式提供它的注意力。
advice_gather = 其中每一部分的权重都排成一行数字，没有名称和形状。请用完整的状态字典（StateDictType.FULL_STATE_DICT）重新保存模型。
advice_one_stack = 这类模型读取图像，无法在此打开：请以文件形式提供它的注意力。
advice_recurrent = 循环网络没有注意力头：如果它带有注意力，请以文件形式提供。
advice_map = 如果它的层是常见结构，可用下表打开。
other_way = 或者，用你自己的代码把注意力写入文件，然后在“探索”页面打开：
other_way_then = cross_attentions：每层 softmax 之后的权重，批大小为一句；source 和 target：该句的词元。
