### Words of the map of the whole model.

label = 模型结构图
lead = 跟踪正在预测的词元：
step = 正在预测的词元
read = 从下往上读：编码器把源句变成向量；解码器读这些向量（虚线）和已有的译文，预测“{ $predicted }”。每个小方块是一个头：颜色越浓，它的最大权重越大。单击一个词即可跟踪它。
follow = 跟踪“{ $token }”
hint = 指向一个部分可看它的作用；单击可打开。
lead_encoder = 跟踪一个词元：
read_encoder = 从下往上读：每一层先让每个词元从其他所有词元收集信息，再单独加工每个词元。小方块是头：颜色越浓，“{ $token }”的最大权重越大。单击一个词即可跟踪它。
read_decoder = 从下往上读：在“{ $token }”处，每一层从它和它前面的词元收集信息；最后一层的向量预测出“{ $predicted }”。小方块是头：颜色越浓，最大权重越大。单击一个词即可跟踪它。
read_prompt = 从下往上读：在“{ $token }”处，每一层从它和它前面的词元收集信息。你的文本接下来是“{ $predicted }”；最上面是模型预期的词元。小方块是头：颜色越浓，最大权重越大。单击一个词即可跟踪它。
encoder_alone = 编码器：读文本
decoder_alone = 解码器：读文本并续写
text_alone = 已有文本
tokens_alone = 文本的词元
attention_alone = 自注意力
masked_alone = 带掩码的自注意力
embedding_alone = 词嵌入
vectors = 每个词元一个向量
masked_output = 掩码语言模型头，softmax → 被遮词元
about_attention_alone = 自注意力：每个词元从文本的所有词元收集信息。单击可在“探索”中看各个头。
about_masked_alone = 带掩码的自注意力：每个词元从自己和前面的词元收集信息。单击可在“探索”中看各个头。
about_embedding_alone = 每个词元的编号选出词嵌入表的一行。这里不加位置向量：该模型在注意力内部使用位置。单击可看如何使用。
about_vectors = 编码器的输出：每个词元一个向量，供其他程序使用。单击可看所有的头。
about_masked_output = 在每个位置为词表里的每个词元打分。训练时它要预测被遮住的词元；单击可遮住一个。
says_next = 各层把已有文本运行一遍，预测出“{ $word }”。
run = 运行模型
pause = 暂停
says_encoder = 编码器一层一层地同时读入所有的词。
says_bridge = 它的结果经过桥，送到每个解码器层的交叉注意力。
says_word = 解码器从已写出的部分出发运行一次，预测出“{ $word }”。
encoder = 编码器：读源句
decoder = 解码器：写译文
reads = 源词元
written = 已有译文，输入解码器
self_attention = 自注意力
masked_attention = 带掩码的自注意力
cross_attention = 交叉注意力
feed_forward = 前馈网络
embedding = 词嵌入 + 位置
memory = 编码器的结果 → 键 K 和值 V
output = 输出矩阵，softmax → 下一个词元
about_self_attention = 自注意力：每个源词元从所有源词元收集信息。单击可在“探索”中看各个头。
about_masked_attention = 带掩码的自注意力：译文的每个词元从自己和前面的词元收集信息。
about_cross_attention = 交叉注意力：查询来自解码器，键和值来自编码器的结果。解码器在这里看源句。
about_feed_forward = 前馈网络：对每个词元单独使用的小网络，各个位置参数相同。
about_embedding = 每个词元的编号选出词嵌入表的一行，再加上位置向量。这张表可以来自别的模型（预训练词嵌入）。随附的三个模型里，许多词元以它们在较早的 en-fr 里的词嵌入为起点，再和其他部分一起训练。
about_memory = 每个源词元一个向量。每个解码器层由它们得出自己的键和值。
about_output = 为词表里的每个词元打分，用 softmax 变成概率：每一步是一次分类。许多模型把词嵌入表再用作输出矩阵（权重共享）。
head = 第 { $head } 头：每行最大权重平均为 { $share }。单击可看内部。
head_at = 第 { $head } 头：最大权重 { $share }，在“{ $token }”上。单击可看内部。
experts_title = 专家：网络的哪一部分处理哪个词元
experts_about = 下面这些层里的前馈网络不止一个，而有 { $n } 个，称为专家。对每个词元，路由器（一个小的线性层）给每个专家打分，选出最好的 { $k } 个；只有选中的专家参与计算，输出乘以所示的权重后相加。
experts_not_followed = 这里显示的是此模型路由器的选择。运行模型的 transformers 5.23 代码并不照此执行：它把每个词元都交给前两个专家。
experts_layer = 有专家的层
experts_encoder = 编码器第 { $layer } 层
experts_decoder = 解码器第 { $layer } 层
experts_one = 专家 { $expert }（权重 { $weight }）
experts_and = 和
experts_said = 在这一层，“{ $token }”由{ $experts }处理。
experts_full = 在这一层，没有专家处理“{ $token }”：路由器选中的专家名额已满。
experts_cell = { $row }，专家 { $column }：权重 { $value }
experts_tokens = 词元
experts_layers = 层
experts_columns = 专家
experts_path = “{ $token }”在每一层
experts_read = 每一行：处理该词元的专家及其权重。这里没有词元选用的专家不列出。
sharing_title = 哪些权重是共享的
sharing_elsewhere = 此模型的权重由另一个库管理，这里不作比较。
sharing_three = **权重共享（weight tying）**：一张 { $n } 个数的表用了三次：查源句的词元，查译文的词元，还兼作输出矩阵。一个词元的那一行，输入时是它的词嵌入；输出时，解码器的向量与这一行的点积就是这个词元的分数。
sharing_two = **权重共享（weight tying）**：一张 { $n } 个数的表用了两次：查译文的词元，并兼作输出矩阵。源句另有一张表。输出时，解码器的向量与某个词元那一行的点积就是它的分数。
sharing_one = **不共享权重**：此模型的输出矩阵是单独的一张表，与词嵌入的 { $n } 个数无关。许多别的模型两处共用一张表。
sharing_scale = 两种用途需要不同的大小。表中的数一开始的标准差是 1/√d_model = { $unit }（训练后为 { $now }）。输入时要乘以 { $input_scale }，否则与位置向量相比太小。输出时，一个分数是 d_model 个乘积的和；因为表中的数约为 1/√d_model，分数的大小保持在 1 左右（这里第一个词元的标准差为 { $logits }）。如果表中的数约为 1，标准差就会是 { $without } 左右，softmax 会把几乎全部概率给一个词元。所以，初始值大小为 1 的模型会把输出乘以 1/√d_model。这里的系数是 { $output_scale }。
sharing_pretrained = 这张表也可以取自别的模型（**预训练词嵌入**，如 word2vec 或 GloVe），然后固定不变或继续训练。训练文本很少时，这样做有帮助。
sharing_layers = **各层不共享权重**：它们结构相同，但各有自己的权重。下表比较编码器各层的 W_Q：1 表示同一个矩阵，0 表示毫不相似。
sharing_layer = 第 { $layer } 层
kinds_title = 其他种类的注意力
kinds =
    Transformer 用的是软注意力，也是全局注意力，通常有多个头。还有其他种类：
    
    - **硬**注意力只取一个值：见“实验室 → 打分函数 → 软注意力与硬注意力”。
    - **局部**注意力只看某个位置周围的窗口；卷积做的是同样的事，只是权重固定：见“实验室 → 打分函数 → 卷积”。
    - **多维**注意力给值的每一维各自的权重。这里没有例子。
    - **层级**注意力先给句中的词加权，再给文中的句子加权。这里没有例子。
    - **记忆网络**多次查看存储的事实。这里没有例子。
    - **指针网络**把权重本身作为输出：答案就是它所指的位置。这里没有例子。
