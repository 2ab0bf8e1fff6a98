### The quiz before the lesson, and the one after it: the same ten ideas, asked in another way.

unknown = 我不知道
tokens = 词元
tokens_before = 模型的词表里没有“unfoldable”，但有 un、fold 和 able。模型读到什么？
tokens_before_options = 三个部分|一个未知词|十个字母
tokens_after = 模型的词表里没有“unopened”，但有 un、open 和 ed。模型读到几个词元？
tokens_after_options = 3|1|8
tokens_why = 词表里没有的词，按词表里有的部分来读。这些部分就是词元。
dot = 分数 q·k
dot_before = 查询 q = (1, 2)，键 k = (3, 1)。它们的分数 q·k 是多少？
dot_before_options = 5|7|6
dot_after = 查询 q = (2, 1)，键 k = (1, 4)。它们的分数 q·k 是多少？
dot_after_options = 6|8|9
dot_why = 第一个数相乘，第二个数相乘，再相加：1·3 + 2·1 = 5，2·1 + 1·4 = 6。
softmax = softmax
softmax_before = 三个词的分数相同。softmax 给它们什么权重？
softmax_before_options = 各得三分之一|每个都得到 1|每个都得到 0
softmax_after = 三个词中，一个的分数比另外两个高得多。softmax 给它们什么权重？
softmax_after_options = 接近 1、0、0|接近 3、0、0|每个三分之一
softmax_why = softmax 把分数变成总和为 1 的正份额：分数相同，份额相同；分数高得多的，几乎得到全部。
rest = 一行之和
rest_before = 图中的一行给一个词 0.6，给另一个词 0.3。其余的词一共还剩多少？
rest_before_options = 0.1|0.9|1.0
rest_after = 图中的一行给三个词各 0.25。其余的词一共还剩多少？
rest_after_options = 0.25|0.75|1.00
rest_why = 一行的权重之和是 1。
mask = 掩码
mask_before = 训练时，如果解码器看得见正确译文的下一个词，它会学到什么？
mask_before_options = 照抄那个词|译得更快些|少犯些错误
mask_after = 解码器正要写译文的第三个词。它可以看译文里的哪些词？
mask_after_options = 它前面的词|它后面的词|除它以外的词
mask_why = 掩码把后面的词遮住：训练时下一个词就是答案，使用时它还没写出来。
cross = 交叉注意力
cross_before = 交叉注意力连接编码器（读源句）和解码器（写译文）。谁看谁？
cross_before_options = 译文的词看源句的词|源句的词看译文的词|源句的词看源句的词
cross_after = 模型把“The dog sleeps”译出了“chien”。哪一种图能看出它是否看了“dog”？
cross_after_options = 交叉注意力图|编码器自注意力图|解码器自注意力图
cross_why = 在交叉注意力里，查询来自已写出的译文，键和值来自源句。
order = 词序
order_before = 没有位置信息，编码器收到的不是“man sees dog”，而是“dog sees man”。它给“dog”算出什么？
order_before_options = 与原来相同的向量|原来“man”的向量|一个全为零的向量
order_after = 编码器得不到位置信息。对它来说，哪两个句子是一样的？
order_after_options = Tom sees Ann / Ann sees Tom|Tom sees Ann / Tom hears Ann|Tom sees Ann / Tom sees Tom
order_why = 注意力本身不知道词在哪里。没有位置信息，同样的词换个顺序仍是同样的输入。
beam = 束搜索
beam_before = 第一个词：A 是 0.6，B 是 0.4。A 之后最好的第二个词是 0.3，B 之后是 0.9。哪一对词的概率更大？
beam_before_options = 以 B 开头的|以 A 开头的|两对一样大
beam_after = 第一个词：A 是 0.5，B 是 0.3。A 之后最好的第二个词是 0.4，B 之后是 0.8。贪心解码从 A 开始。它错过了什么？
beam_after_options = 概率更大的一对词|概率更大的第一个词|什么也没错过
beam_why = 一对词的概率相乘：0.6·0.3 = 0.18 小于 0.4·0.9 = 0.36，0.5·0.4 = 0.20 小于 0.3·0.8 = 0.24。因此束搜索会保留几个开头。
training = 训练
training_before = 训练一步一步地改变模型的什么？
training_before_options = 学得的那些数|层的数目|词元的列表
training_after = 训练中，模型给正确的下一个词 0.1 的概率。从这个例子学了一步之后，这个概率会怎样？
training_after_options = 变大一些|变小一些|完全不变
training_why = 每一步都把参数改动一点，使正确的下一个词概率更大。层数和词表不变。
off = 权重能证明什么
off_before = 一个头把 90% 的权重放在一个词上。你能确定什么？
off_before_options = 这个头在读那个词|那个词导致了输出|别的词都不重要
off_after = 你关掉一个头，译文没有变。你能确定什么？
off_after_options = 这里不需要它|它从来没有用|它没有看任何词
off_why = 权重说明头在读哪里。那是否重要，要由实验来回答，而且只对试过的句子成立。
