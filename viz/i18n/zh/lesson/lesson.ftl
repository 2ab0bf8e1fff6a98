### Words of the lesson: its scenes, each with a question, a guess, an answer, a view and one change.

scene = 环节
of = 第 { $n }/{ $total } 环节 · { $minutes } 分钟
guess = 你的猜测
first_guess = 先猜一猜，然后才能做实验。
first_vote = 先投票，投票之后才能做实验。
carried = 课程第 { $n } 环节“{ $title }”的改动仍在生效。
act_before = 改动前
act_after = 改动后
undo = 撤销改动
before = 之前：{ $text }
after = 之后：{ $text }
open = 在单独页面打开
previous = 上一环节
next = 下一环节
teacher = 教师用
teacher_files = 这些是给你的文件，不会出现在投影上：请在自己的屏幕上打开讲义。
notes = 本环节讲义与答案
large = 大字
outline = 教师提纲
worksheet = 练习单（可打印）
worksheet_all = 全部练习单
minutes = { $n } 分钟
sheet_heading = 走进 Transformer
sheet_name = 姓名
sheet_sentence = 我们的句子
sheet_translation = 模型的译文
sheet_intervened = 做了以下改动后的译文：{ $changes }
sheet_guess = 我的猜测：……，因为……
sheet_saw = 我看到的
sheet_changed = 改动带来的变化
sharpest = 交叉注意力中集中度最高的头：第 { $layer } 层第 { $head } 头。集中度是每行最大权重的平均，这里为 { NUMBER($share, style: "percent", maximumFractionDigits: 0) }。
sure = 每个词元的平均概率：{ $before } → { $after }。
sure_whole = 整句译文的概率：{ $before } → { $after }。
need_own = 本环节需要能作为 Regard 自带的 Transformer 载入的模型。当前模型用它原来的代码运行。

## Box

box_title = 会翻译的黑箱
box_question = 模型写出了句子下面的译文。写最后一个词时，它看了句子里的哪些词？
box_options = 所有词，权重各不相同|只看句子里的最后一个词|只看意思相同的那个词
box_answer = 模型分两半：编码器读要翻译的句子（源句），解码器一个词元一个词元地写译文；词元是词或词的一部分。每写一个词元，注意力就给源句的每个词一个权重，句末的标点也有。模型同时用许多种方式看源句，每一种叫作一个头，有自己的权重。图上是所有头的平均；单独一个头往往只看一个词。权重说明模型看哪里，它需要什么则要靠实验：不让解码器看“{ $word }”，“{ $last }”的概率就从 { $before } 变成 { $after }；换成遮住别的任何一个词，概率都不低于 { $other }。
box_choose = 少了哪个词，解码器就写不出最后一个词？先表决，再遮住它。
box_measured = “{ $last }”的概率：{ $before } → { $after }
average = 框内是“{ $row }”那一行：最大的权重 { NUMBER($most, style: "percent", maximumFractionDigits: 0) }，在“{ $word }”上；最小的 { NUMBER($least, style: "percent", maximumFractionDigits: 0) }。
box_look = 每一行对应译文的一个词。格子颜色越深，模型写这个词时，看该列的词就越多。
box_map = 整个模型。突出显示的是预测最后一个词的路径。单击一个部分可打开它。“总览”页可以对任何词元显示这张图。
box_try = 不让解码器看这个词
box_done = 解码器再也看不到“{ $word }”，编码器照旧读过它。原译文最后一个词的概率现在是多少？
box_teacher = 展示之前先让学生指出词，把两种猜测写在黑板上。再让全班表决遮住哪个词，然后另遮一个作比较。目标：看到模型在看哪里，并明白看到不等于需要。“总览”页把整个模型放在一屏上，课程结束时可以再回来看。
box_sheet = 从译文的每个词画一条线，连到你认为该看的源词。

## Pieces

pieces_title = 模型读到什么
pieces_question = 训练文本里没有的词，模型怎样读？
pieces_options = 跳过它，接着往下读|拆成几个认识的部分|一个字母一个字母地读
pieces_answer = 常用词通常是一个词元，罕见词拆成几个，一个单独的词元（写作“结束”）表示结尾。每个词元在词表里有一个编号：模型读的是这些编号，不是字母。每个编号对应一个向量，也就是一串学得的数，叫作这个词元的词嵌入；后面的一切都由它算出。
pieces_look = 句子的词元及其在词表中的编号。▁ 是词前的空格：带空格的“ball”和不带空格的是两个词元。
pieces_try = 把最长的词写两遍
pieces_done = 这个词并不存在。它被拆成了哪些词元？模型怎样翻译它？
pieces_teacher = 请学生说一个词典里没有的词，输入它。目标：词元不等于词。注意：词前的空格属于它的第一个词元。
pieces_sheet = 造一个词，每格写一个词元：上面写你认为的拆法，下面写实际的拆法。
pieces_guessed = 我的拆法
pieces_split = 实际拆法

## Positions

positions_title = 每个词在哪里
positions_question = 不知道每个词的位置，模型还能把“这个人看见狗”和“狗看见这个人”译得不同吗？
positions_options = 能，它从左到右一个个读|不能，它分不清词的先后|能，语法会说明谁看见谁
positions_answer = 注意力只两两比较词，不问它们在哪里。所以必须把位置告诉模型。最早的 Transformer 给每个词加上一个表示位置的向量；T5 在每次比较里加上一个取决于距离的数；2021 年以后的多数模型把要比较的两方各转过一个随位置增大的角度。把位置置零，两个句子给编码器的是同一组向量，译文就完全相同。
positions_look = 两个用词相同的句子。先比较译文，再看一个头看哪里。
positions_try = 把所有位置置零
positions_done = 词没有变，但模型不再得到它们的位置。比较这时的两个译文。
no_twin = 这个句子排不出第二种词序。请输入三个以上不同的词（用空格隔开），或使用本环节的例句。
positions_teacher = 把词写在卡片上分给学生，打乱顺序。目标：顺序是必须告诉模型的信息。打个比方：图书馆的书没有索书号，同一批书的两种摆法就看不出区别。
positions_sheet = 把模型的译文填进表里。再另写两句用词相同、意思不同的话。

## Head

head_title = 手算一个头
head_question = 一个头由每个词的向量算出两串数：查询 q（这个词要找什么）和键 k（它怎样被找到）。怎样比较一个 q 和一个 k？
head_options = 逐对相乘，再把积相加|数一数有几个位置相等|只比较各自最大的那个数
head_answer = q、k、v 都这样由词的向量算出：向量里的每个数乘以一个学得的系数，再相加，得到 q（或 k、v）的一个分量。这些系数排成三个矩阵，q、k、v 各一个。想象图书馆：q 是你要找的，k 是书上的标签，v 是书的内容。q 和 k 同号且都大的地方，乘积就大，所以乘积之和说明标签与请求有多匹配。这个和除以 √d_k（d_k 是 q 里有几个数），再由 softmax 变成总和为 1 的正份额：2、1、0 变成 0.67、0.24、0.09（e²、e、1 各除以三者之和）。这些份额就是权重。头的结果是各个内容 v 乘以自己的权重再相加。为什么除以 √d_k？d_k 个随机的积相加，散布的范围是单个积的 √d_k 倍：除一下，无论 q 有多长，分数的大小都差不多。如果不除，就可能有一个份额接近 1，训练就很难再改变它。
head_look = 上：一个词的权重。下：它的查询 q、每个源词的键 k 以及点积 q·k。上面的权重由这些点积算出。
head_try = 不除以 √d_k
head_done = 比较柱条：不除时哪个词的权重变大了？其他词还剩多少？
head_teacher = 让两名学生用计算器核对一个和。目标：注意力就是算术。在这里引入图书馆的比喻，之后一直用：请求、标签、书。
head_sheet = q 是一个词的查询，k 和 k' 是两个词的键。逐个相乘，再相加（Σ），然后除以 √4。哪个键的权重更大？
head_picture = “{ $word }”这一行：它与每个源词元的乘积 q·k，除以 √d_k 之后的值，下面是 softmax 由此得到的权重。

## Heads

heads_title = 多个头
heads_question = 解码器由一层一层叠成，每层都有好几个头看源句（交叉注意力），每个头有自己的 q、k、v。它们各看哪些词？
heads_options = 每个头看的词不一样|看的都一样，再投票|同一层的头看的一样
heads_answer = 在训练好的模型里，有的头按词序逐个看过去，有的把不少权重放在句末标点或“结束”上，有的分散到好几个词上。这些都不是人为规定的。关掉一层的交叉注意力，译文往往不变，或只改变个别词，因为其他层也在读源句。
heads_look = 交叉注意力的所有头：从上到下是层，从左到右是头。每张图里最大的权重颜色最深，所以要比图案，不要比颜色。
heads_try = 关掉一层
heads_done = 第 { $layer } 层的交叉注意力已关闭。译文中哪些词变了，哪些没变？
heads_teacher = 每两名学生用五个词描述一个头，再到“探索”页按“对角性”排序。目标：头各不相同。
heads_sheet = 选一个头，用五个词描述它。哪个头与它相像？

## Layer

layer_title = 完整的一层
layer_question = 注意力为每个词给出一个结果：一个和这个词自己的向量一样长的向量。这一层怎样处理这两个向量？
layer_options = 用结果取代旧向量|把结果接在向量后|结果加到向量上
layer_reply = 那样，后面的层就得不到向量里原有的内容了。|那样每过一层，向量里的数就会变多。其实它的长度始终不变。|对，逐个数相加。
layer_answer = 一层依次做这几件事。注意力从别的词为每个词带来一个结果，加到这个词的向量上。得到的和再经归一化，也就是调整到统一的尺度。前馈网络（两个学得的矩阵，中间一个简单的函数）只读这一个向量，不看别的词。它的结果同样加上去，下一层收到的就是这个和。从第一层到最后一层的这些和，叫作残差流。如果用注意力的结果取代向量，原有的内容在后面各层就没有了，译文往往不成句子。
layer_look = 一个词怎样经过一层。把前两行加起来看看。
layer_followed = 编码器第 { $layer } 层里的“{ $token }”：{ $width } 个数中的前 { $n } 个。
step_starts = 这个词的向量
step_attended = + 注意力的结果
step_summed = = 和
step_normalised = （归一化后的和）
step_fed = + 前馈网络的结果
step_ends = = 交给下一层的和
step_normalised_post = 归一化后的和
step_ends_post = = 再次归一化，交给下一层
layer_try = 不相加，直接取代
layer_done = 在编码器第 { $layer } 层，注意力的结果取代了每个词的向量。句子的意思还在吗？
layer_teacher = 让学生用计算器把前两行相加，再看第三行，正是这个和。目标：一层是往向量上加东西；只有注意力看别的词。
layer_sheet = 把前两行的数逐个相加，和写在第三行。用同样的办法填最后一行。
layer_expect = 相加。第三行是前两行之和，最后一行是第三行与第五行之和（有舍入误差）。用结果取代向量时，译文不知所云。
layer_mistake = “前馈网络再把各个词混合一遍。”它每次只处理一个词的向量。只有注意力把信息从一个词带到另一个词。

## Encoder

encoder_title = 词吸收上下文
encoder_question = “My watch is broken.”（手表）和“I watch television every day.”（看）里，watch 都是第二个词，所以最初的向量相同。经过编码器后，watch 的向量取决于什么？
encoder_options = 句子里所有的词|只是这个词本身|这个词和它的位置
encoder_answer = 每一层都给向量加上一些信息，这些信息来自各个头所看的词。所以同一个词在不同句子里有不同的向量。最初的信息还留着一部分，因为每一层是往向量上加，而不是取代它。被隐藏的词不能再把信息传给别的源词，但解码器仍可以直接看它。
encoder_look = 每层之后，各词与其初始向量的相似程度：1 为方向相同，0 为毫不相似。
encoder_mean = 最后一层之后：平均 { NUMBER($mean, minimumFractionDigits: 2, maximumFractionDigits: 2) }。
encoder_start = 最初
encoder_layer = 第 { $layer } 层后
encoder_try = 让别的词看不到某个词
encoder_done = 在编码器里，别的词再也看不到“{ $token }”；解码器仍能看到。译文中哪些词变了？
encoder_teacher = 请学生比较两个句子，其中同一个词的意思不同。目标：一个向量代表的是句子里的这个词。注意：余弦比较的是方向，不是长度。
encoder_sheet = 从第一层到最后一层，哪个词变得最多？说出理由。

## Mask

mask_title = 遮住后面的词
mask_question = 训练时解码器拿到整句正确译文。为什么不许它看后面的词？
mask_options = 后面的词对它没用|计算会花更多时间|那样它只会照抄
mask_answer = 解码器如果看得到下一个词，学会的就是照抄，翻译时就会失败，因为那时下一个词还不存在。掩码把对角线右边的分数设为负无穷，权重就是 0。这样，一句译文的所有词可以一遍学完，而预测每个词时都像后面还没有写出来一样。
mask_look = 解码器一个头的自注意力：译文看自己。有掩码时，对角线右边全为空。
mask_try = 不用掩码训练一个微型模型
mask_done = 两个各有 { $n } 个数的微型模型，学了像“ich sehe hunde”、“i see dogs”这样的句子：一个带掩码，一个不带。训练时两个都能给出每一个正确的下一个词。哪一个会翻译？
mask_teacher = 念一句话，中途停下，让全班说下一个词；再亮出全句重问：太容易了。目标：有了掩码，模型训练时的任务就与翻译时一样。
mask_sheet = 涂出解码器预测第三个词时可以看的格子，再完成所有各行。
mask_measured = 自己写译文时，带掩码训练的模型 { $n } 句里写对 { $masked } 句，不带掩码的写对 { $unmasked } 句。换一个源句给它，后者仍然“预测”出所看到的词的 { $copied }：它在照抄。
mask_with = 带掩码训练
mask_without = 不带掩码训练
mask_forced = 正确的下一个词（同训练时）
mask_exchanged = 同上，但换了源句
mask_written = 自己写对的译文

## Loss

loss_title = 训练要减小什么
loss_question = 训练时，模型拿到正确译文的前几个词，它给正确的下一个词 0.2 的概率。训练要减小的是哪个量？
loss_options = 译错的句子所占的比例|译错的词的个数|对这个词的意外程度
loss_reply = 并不把整句算作对或错：看的是其中每一个词元。|学得的数稍稍改变时，错误的个数不变，所以它指不出方向。|对。意外程度是 −ln p：概率 0.2 时为 1.6，概率 1 时为 0。
loss_answer = 解码器最后的向量乘以一个学得的矩阵，给词表里每个词元一个分数，softmax 再把分数变成概率。对正确词元的意外程度是 −ln p，也就是它的概率取自然对数再变号：概率 1 时为 0，二分之一时为 0.7，十分之一时为 2.3，单位是奈特。它在所有词元上的平均叫作损失，训练就是让损失变小。每一行拿到的都是到此为止的正确词元，即使模型自己会选别的（教师强制）；它的正确答案是下一个词元，这一行看不到它。对 { NUMBER($n, useGrouping: "always") } 个学得的数，梯度逐个指出往哪个方向改会让损失变小。这里走一小步，损失从 { NUMBER($before, minimumFractionDigits: 2, maximumFractionDigits: 2) } 降到 { NUMBER($after, minimumFractionDigits: 2, maximumFractionDigits: 2) }。
loss_look = 每一行：解码器刚拿到的词元，正确的下一个词元；模型自己的首选若不同，也写在旁边。
loss_head = 拿到的词元|正确的下一个|模型自己的首选|p|−ln p
loss_head_after = 之后的 p|之后的 −ln p
loss_said = 损失（−ln p 的平均，每词元的奈特数）：{ $before } → { $after }
loss_own = 这个句子没有存好的人工译文：这里把模型自己的译文当作正确译文。
loss_try = 训练一步
loss_done = 模型的一个副本从这一对句子学了一步，所用的模型没有变。哪个正确词元的概率升得最多？
loss_teacher = 念出正确译文的开头，问下一个词。好几个词都说得通，但只有数据里的那个算数。目标：训练一步步提高正确的下一个词元的概率。
loss_sheet = 表中是每个正确词元的 p 和 −ln p。算出 −ln p 的平均值，它就是这一步之前的损失。哪个词元的贡献最大？
loss_expect = 对正确词的意外程度。练习单上，最后一列的平均值就是这一步之前的损失（有舍入误差）；p 最小的词元贡献最大。
loss_found = 这个句子里，正确词元“{ $right }”升得最多：从 { NUMBER($before, minimumFractionDigits: 2, maximumFractionDigits: 2) } 到 { NUMBER($after, minimumFractionDigits: 2, maximumFractionDigits: 2) }。这一步之前，模型自己的首选是“{ $own }”。
loss_mistake = “训练时模型接着自己写的词往下写。”给它的是正确的词，即使前一个词它本来会选别的。只有翻译时，它才读自己写的词，连同自己的错误，而这种情形它从没练习过（曝光偏差）。
loss_smoothing = 为什么模型对的时候，p 也到不了 1？训练时，正确词元只占 0.9，其余 0.1 平均分给所有词元（标签平滑），所以 p 太接近 1 也算损失。
loss_pair = 拿到的 → 正确的下一个
loss_mean = 平均
before_step = 这一步之前
after_step = 这一步之后

## Cross

cross_title = 从译文回看源句
cross_question = 在交叉注意力图里，每一行是解码器的一步：读入一个词，预测下一个词。一行该用读入的词标注，还是用预测的词标注？
cross_options = 只能用读入的词标注|两种都行，是同一步|只能用预测的词标注
cross_answer = 这里查询 q 来自解码器，键 k 和值 v 来自编码器：解码器提问，源词回答。用图书馆打比方：请求用译文的语言写，标签和书用的是源句的语言。一步读入刚写的词，预测下一个词，所以两种标注都对。这种图很容易读错一行，所以一定要先看清标注。
cross_look = 行：译文（q 来自解码器）。列：源句（k 和 v 来自编码器）。“结束”或句号上的大权重，往往表示这个头没有多少要传递（注意力汇点）；在最后几行，它可能决定句子结束。
cross_picture = 行：译文（q 来自解码器）。列：源句（k 和 v 来自编码器）。
cross_try = 换一种行标
cross_done = 格子没有变，标签移了一行。用哪种标注时，每个词看的是意思相同的源词？
cross_teacher = 一名学生念行，另一名念列。目标：先弄清一行的含义，再下结论。
cross_sheet = 为译文的两个词，各写出权重最大的两个源词。

## Beam

beam_title = 怎样选词
beam_question = 每一步，模型给每个词元一个概率。是否总该选概率最大的？
beam_options = 应该，这样整句概率最大|不，开头好，结尾未必好|怎么选，句子都是一样的
beam_answer = 解码器最后的向量乘以一个学得的矩阵，给词表里每个词元一个分数（logit），softmax 再把分数变成概率。贪心解码每次都选概率最大的。束搜索同时保留几个未完成的译文，每一步比较它们的所有续写，留下最好的几个。因此它可能找到整体概率更高的句子。Regard 用概率的对数除以长度，使长译文不吃亏；这样选出的译文，整体概率有时会略低。
beam_look = 两个译文第一次不同的那一步，概率最大的几个词元。
beam_same = 两种方法对这个句子给出同样的译文。这里是模型最没有把握的一步。
beam_try = 保留四个未完成的译文
beam_seen = 束搜索同时保留四个未完成的译文。它选出的译文不同吗？
beam_done = 这是束宽为四的束搜索。它选出的译文不同吗？“解码”页显示整棵树。
beam_teacher = 一起找到最没有把握的一步，问：人会选哪个词元？目标：搜索方法是独立于模型的选择。
beam_sheet = A 和 B 是两个译文从分开处起的词元。把各自的概率相乘。贪心解码写出哪一个？哪一个概率更大？
beam_product = 乘积

## Explain

explain_title = 这算解释吗？
explain_question = 交叉注意力中有一个头，权重最集中，看上去很重要。把它关掉，译文会怎样？
explain_options = 译文的词都不变|译文里换一个词|译文变得不知所云
explain_answer = 图只显示一个头看哪里；关掉它，才知道译文失去什么。看不出效果也不等于没有作用：译文的词不变，概率也可能下降，它可能在别的句子里重要，也可能有别的头传递同样的信息。{ $counted }
explain_count = 就这一句而言，交叉注意力的 { $n_heads } 个头里，逐个关掉时会改变译文的有 { $n_change } 个。
explain_open = 交叉注意力的 { $n_heads } 个头里，有多少个会改变译文？先在格子里试 { $n } 个，答案就会出现在这里。
explain_many = 这里有很多。模型最没有把握的那一步，前两个词元的概率几乎相同：{ NUMBER($first, minimumFractionDigits: 2, maximumFractionDigits: 2) } 和 { NUMBER($second, minimumFractionDigits: 2, maximumFractionDigits: 2) }，所以很小的改动就会改变选择。换一个它更有把握的句子试试。
heads_which = 下面三个头：一个跟着词走，一个比其他头都更多地看句尾，一个的权重最分散。哪个是哪个？
heads_follows = { $head }：跟着词走
heads_ends = { $head }：看句尾
heads_spreads = { $head }：权重分散
meanings = { $word } 在这两句里词嵌入相同，位置也相同。经过编码器以后，两个向量的余弦是 { NUMBER($apart, minimumFractionDigits: 2, maximumFractionDigits: 2) }。在 { $one } 和 { $same } 里意思相同，余弦是 { NUMBER($alike, minimumFractionDigits: 2, maximumFractionDigits: 2) }。
heads_found = 逐个关掉时会改变这一句译文的交叉注意力头（层·头）：{ $heads }。
heads_none = 对这一句，单独关掉任何一个交叉注意力头，译文都不变。
explain_look = 注意力最集中的头。按钮会把它关掉。
explain_try = 关掉这个头
explain_done = 比较两个译文。然后去找这样一个头：关掉它，译文里就有词改变。
explain_teacher = 最重要的一个环节。按下按钮之前先让学生投票，然后让他们分组去找关掉后译文会变的头。目标：看到头在看哪里，并不等于得到了解释。
explain_sheet = 写一件注意力图能告诉你的事，和一件不能的。你试了哪些头？

## Train

train_title = 观察注意力头的形成
train_question = 训练之前，所有参数都是随机数。那时注意力图是什么样？
train_options = 已经是淡淡的对角线|分散在所有的词上|全都在第一个词上
train_answer = 随机参数给出随机分数，所以权重是分散的：在未训练的副本里，每行最大权重平均为 { NUMBER($fresh, minimumFractionDigits: 2, maximumFractionDigits: 2) }，完全均匀则为 { NUMBER($even, minimumFractionDigits: 2, maximumFractionDigits: 2) }；训练好的模型里，同一个头（集中度最高的头）是 { NUMBER($trained, minimumFractionDigits: 2, maximumFractionDigits: 2) }。这些图案不是人为规定的。每看过一小批句子，参数就稍稍改变，使正确的下一个词元概率变大。
train_look = 训练后的模型里注意力最集中的头。按下按钮，可以看着一个微型模型学习，并看到这个头在训练之前、参数随机时的样子。
train_try = 训练一个抄写字母的微型模型
train_seen = 同一个头，训练前与训练后。每一行的权重怎样分布？
train_done = 这个微型模型在学习抄写字母。看对角线在第几步出现。
train_teacher = 先开始训练，边训练边讲；在双核机器上不到一分钟。目标：图案是学出来的，不是人为规定的。“微调”页还有别的训练任务。
train_sheet = 按你的想法给一个头的图涂色：左边是训练前，右边是训练后。

## Share

share_title = 检验一个论断
share_question = 有人拿来一张注意力图说：“这个头找到了名词，所以译文离不开它。”你怎样检验？
share_options = 看格子的颜色有多浓|把这个头的图放大看|关掉这个头再译一遍
share_answer = 关于一个头的论断需要三样东西：是哪一层哪个头；图的一行是什么意思；关掉这个头会怎样，而且不止一句。链接里有句子、头、标注和你的论断，别人可以重做你的实验。
share_look = 选一个头，写下你认为它的作用，用几个句子检验。
share_try = 检验：关掉这个头
share_done = 哪些译文变了？结果支持这个论断吗？
share_teacher = 请每个学生交一个链接，附上一个论断和对它的检验。目标：论断要附上检验的方法。最后再看一遍“总览”页。
share_sheet = 我的论断、哪个头、哪些句子、什么变了，以及链接。
vote = 就猜这个
explain_now = 解释
same = 译文没有变化。
route = 路线
route_short = 45 分钟
route_full = 90 分钟
timer_start = 开始计时
timer = { $spent }/{ $total } 分钟 · 本环节到第 { $until } 分钟
own_sentence = 使用本环节的例句
kept = 地址栏的链接会保存所在环节和你的猜测。
teacher_do = 怎样进行
teacher_expect = 参考答案
teacher_mistake = 常见误解
teacher_line = { $heading }：{ $text }
slides = 幻灯片
worksheet_this = 本环节练习单
is_off = 这个头已关闭。它的权重画得很淡，因为它们对译文不再起作用。
need_translation = 本环节需要能翻译的模型。当前模型只能阅读文本。
need_reader = 这一环节需要识读手写的模型，本机没有安装。
need_sentence = 这一环节处理句子，而当前模型读的是单词的图像；“它读你的笔迹”这一环节讲的就是它。
need_decoder = 本环节需要 tiny-decoder，这里没有安装。它应放在 pretrained/tiny-decoder。
need_scale = 当前模型的分数不除以 √d_k，本环节没有可去掉的步骤。
need_words = 本环节要改动词。当前模型没有词表，只读编号。
tried_elsewhere = 本课是用模型 en-fr 设计的。用现在的模型，实验的结果可能不同，也可能看不出变化。
tried_here = 实验也在这个模型上试过；预期答案是在 en-fr 上测得的。
decoder_title = 同样的结构，去掉编码器
decoder_about = 去掉编码器和交叉注意力，剩下的部分读一段文本并预测下一个词元，如此反复。GPT 和 Llama 就是这样构成的。模型 tiny-decoder 有四个这样的层：看它续写句子，关闭它的头，与本课所见作比较。
decoder_open = 打开 tiny-decoder
use_shipped = 使用翻译模型
off = 关闭
with_scale = 权重，除以 √d_k
without_scale = 权重，不除
twin = 句子
with_positions = 有位置
without_positions = 无位置
hunt = 寻找注意力头：单击一个头把它关掉。已试 { $tried } 个头，其中 { $changed } 个会改变译文。格中的数是原译文概率的自然对数（log p）的变化：−0.7 即概率减半。
hunt_cell = 第 { $row } 层第 { $column } 头：译文的对数概率变化 { $value } 奈特（自然对数：−0.7 即概率减半）
hunt_unknown = 还没试
aligning = 第 { $layer } 层第 { $head } 头：交叉注意力的所有头中，它在每个译词所依赖的源词上权重最大（隐藏这个源词，译词的概率下降最多）。
train_start = 训练一个抄写字母的微型模型
train_again = 再训练一次
train_left = 训练后
train_right = 未训练
claim = 你对这个头的论断
claim_hint = 这个头负责找名词，所以没有它……
claim_on = 头开启
claim_off = 头关闭
claim_sure = 第一栏译文的概率（每词元平均）
claim_said = { $total } 个译文中有 { $changed } 个变了。
link = 这个论断的链接
link_note = 这个链接包含句子、头和所有改动。“探索”页可导出图片、表格和可离线打开的网页。
box_reply = 对。每个词都得到一个权重，有大有小。|不只是最后一个词：两种语言的词序往往不同。|那个词的权重常常最大，但别的词也都有权重。
box_expect = 所有的词，权重不同。遮住其中大多数，最后一个词的概率几乎不变；只有一个词遮不得。
box_mistake = “它逐词翻译。”给出一个词序改变的句子，问：译文的最后一个词在源句的什么位置？
pieces_reply = 不会跳过：词表里就有这个词的各部分。|对。这些部分叫作词元。|只有没有更长的部分可用时才这样。
pieces_expect = 分成几部分。写了两遍的词变成两个或更多词元。它的译文可能生造一个词、重复一个词，也可能与原来一样。
pieces_mistake = “词表里没有的就读不了。”输入“猫”：没有自己词元的字符按字节读入：▁（表示空格）之后是三个词元。词表若没有字节词元，就读作未知。读得进去不等于懂：看看译文。
positions_reply = 编码器不是从左到右读的：它同时收到所有的词。|对。没有位置，两个句子就是同一组词。|两个句子里的词形式都一样：谁看见谁，只由词序决定。
positions_expect = 不能。没有位置，两个句子得到相同的译文。词序打乱时，权重的最大变化在舍入误差内为 0。
positions_mistake = “它一个词接一个词地读。”编码器同时收到所有的词，只有解码器才一个接一个地写。
head_reply = 对。这个和叫作点积。|这些数是小数，几乎不会有相等的。|那样只有一个数起作用，其余都被忽略。
head_expect = 相乘再相加。练习单上：q·k = 3，除以 √4 = 2 得 1.5；q·k' = 8，得 4。所以第二个键的权重更大。
head_mistake = “q 里有大数，分数就大。”只有一串里的数大，贡献很小；两串都大才行。
heads_reply = 对。比较这些小图：几乎没有两个相同。|没有投票：各头的结果拼接在一起，再由一个学得的矩阵 W_O 合在一起。|看网格的各行：每一层的头都不同。
heads_expect = 每个头看的词不一样。少了一层，时态或代词可能会变，但句意通常还在。
heads_mistake = “图案清楚的头一定重要。”图案显示头看哪里，不显示译文是否需要它。“这算解释吗？”那个环节会检验。
encoder_reply = 对。每一层里，它的头都从句子的其他词那里带来一些信息。|词嵌入确实相同，但每一层都会加上来自其他词的信息。|位置确实相同，但其他词不同，每一层都会加上来自它们的信息。
encoder_expect = 句子里所有的词。watch 意思不同时，两个向量的相似度比意思相同时低。与最初向量的相似度逐层下降，但没有降到 0。按字节读入的字符的变化比词大。
encoder_found = 这个句子里，从最初到最后一层，“{ $most }”变化最大，“{ $least }”变化最小。
encoder_mistake = “一个词在模型里有固定的意思。”固定的只有词嵌入；第一层之后就取决于句子。
mask_reply = 它们的用处大极了：下一个词就是答案本身。|训练时掩码并不省时间：分数全都算出来，再把其中一些设为负无穷。真正省时间的是写译文的时候：前面各词的向量不会再变，可以存着用。|对。下一个词正是它要预测的答案。
mask_expect = 它只学会照抄。不带掩码训练的微型模型看后面的词，一句也译不出来。练习单上第三行涂三个格子（句首词元和两个词）。
mask_mistake = “信息越多越好。”只有训练时有、使用时也有的信息才有帮助。
cross_reply = 这是该步读入的词，是两种合理标注之一。|对。一步读入一个词，并预测下一个。|这是该步预测的词，是两种合理标注之一。
cross_expect = 两种都行，指的是同一步。在这个头上，标注“预测的词元”时，多数词对着意思相同的源词；另一些头更适合标注“读入的词元”。
cross_mistake = “句号上颜色浓，说明句号重要。”那往往是汇点：头没有多少要传递时，就把权重放在那里。检验一下：隐藏这个词元，再翻译一次。
beam_reply = 不一定：最可能的第一个词，后面可能只接得上不太可能的词。|对。最好的句子不一定以最好的词开头。|许多句子确实没有区别，但有些句子束搜索会找到概率更大的译文。
beam_expect = 不应该。贪心解码写出 A，因为它的第一个词元概率更大。在本环节自己的句子上，A 的乘积是 0.08，B 是 0.12。
beam_mistake = “概率最大的译文就是最好的。”那只是模型认为最可能的；人也许更喜欢另一个。
explain_reply = 对，在多数句子里，对多数头都是这样。找一找例外。|有些句子里，有的头是这样。到下面的“寻找注意力头”里找一个。|许多头中的一个，很少能造成这样的后果。
explain_expect = 往往什么也不变。图能告诉你头看哪里，不能告诉你译文是否取决于它。
explain_mistake = “没有变化，所以这个头没用。”一句话、一个头证明不了什么：换别的句子，或同时关掉两个头试试。
train_reply = 随机数极少产生对角线，它是学出来的。|对，只是不完全均匀。|随机数没有理由偏爱第一个词；哪个词得到的多一些，只是碰巧。
train_expect = 分散在所有词上。学会抄写之后，交叉注意力有一个头呈现对角线。
train_mistake = “每个头做什么是程序员决定的。”他们只决定头的数目，其余来自训练。
share_reply = 颜色显示头看哪里，不显示没有它译文会怎样。|放大的图还是同样的权重。|对。这是一个实验，谁都可以重做。
share_expect = 关掉这个头，再翻译一次。好的论断会写明层、头、句子和变化。
share_mistake = “模型懂了。”问：如果它不懂，哪个实验的结果会不同？
shows = 经测量，你们的句子看得出本环节要讲的内容。
shows_not = 经测量，你们的句子看不出本环节要讲的内容。实验仍可以做，也可以换用本环节的例句。
quiz_sheets = 测验（可打印）
in_code = 代码
in_code_checked = 用同样几行代码计算这个头的查询、键和值：权重与网络的最多相差 { $furthest }，只是舍入误差。网络同时计算所有的头和一批句子。
pattern = 前馈网络像一个模式的记忆库：第一个矩阵把向量与 { $n } 个模式比较，每个认出的模式（它的数大于 0）通过第二个矩阵加上自己的向量。在“{ $token }”里认出了 { $n } 个中的 { $above } 个，最强的是第 { $strongest } 号，值为 { $value }。
pattern_words = 在随附语料的 { NUMBER($n, useGrouping: "always") } 个句子里，让它最大的词是 { $words }。
costs = 这要花多少计算，循环网络又怎样做
costs_attention = 自注意力
costs_recurrent = 循环网络（GRU）
costs_formula = 一层的乘法次数：n 个词元，每个 d 个数
costs_of = 以百万计，n = { NUMBER($n, useGrouping: "always") }，d = { $d }
costs_steps = 必须依次进行的步数，n = { $n }
costs_path = 从第一个词元到最后一个的步数，n = { $n }
costs_said = 2017 年以前，网络一个词元接一个词元地读，往后只传一个向量。注意力同时比较所有的词对：训练时所有词元一起计算，任何一个词元一步就能到达另一个。代价是 n²：文本很长时，词对的计算占得最多。

## Handwriting

reader_title = 它读你的笔迹
reader_question = 模型得到一个词的图像，图像切成一条条窄条，它逐个字母写出这个词。写第二个字母时，它在看哪些笔画？
reader_options = 整个词，平均地看|第二个字母的一部分|它刚刚写出的那个字母
reader_reply = 不是：有一个头沿着词往前走。写一个字母时，它的权重几乎都在一两条上。|对。有一个头像手指那样，沿着词一个字母一个字母地走。|那个字母解码器已经写出来了，不必再看；这个头已经移到它右边。
reader_answer = 头 { $head } 沿着词往前走：写“{ $second }”时，{ $strips } 条中有一条得到它 { $share } 的权重。这里一条图像代替一个词：一个线性层把它的像素变成向量，后面的计算与词完全一样。字母是不是真的依赖这些笔画，要盖住它们才知道：“{ $letter }”从 { $before } 变成 { $after }。{ $outcome }模型也学到了语言：完全不看图像时，在“{ $begun }”之后，它认为最可能的是“{ $expected }”（{ $chance }）。
reader_gap = 它没有猜出这个字母，而是把空白的纸读成空格。
reader_read = 它仍然写出这个字母：纸上剩下的笔画和前面的字母已经足够。
reader_other = 它从剩下的笔画里读出了别的东西。
reader_look = 选一个字母。有颜色的是写这个字母时一个头所看的窄条。
reader_picture = 着色处：写第二个字母时，一个头所看的窄条。
reader_try = 盖住一个字母
reader_done = “{ $letter }”被白纸盖住了。模型会在那里写什么：这个字母、别的字母，还是空格？
reader_measured = “{ $letter }”的概率：{ $before } → { $after }。现在读出：“{ $text }”。只凭语言，在“{ $begun }”之后：“{ $expected }”，{ $chance }。
reader_short = 请写一个至少两个字母的词。
reader_letter = 要盖住的字母
reader_whole = 原样
reader_painted = 盖住之后
reader_class = 全班写的词
reader_teacher = 请一位同学在手写板或手机上写一个词（“课堂”页面的“用手指写一个词”）。实验之前，让全班说说缺了字母的地方模型会写什么。目标：同样的注意力也能用在图像上，而“它在看哪里”仍然是需要检验的说法。
reader_sheet = 从词的每个字母画一条线，连到你读它时会看的笔画。
reader_expect = 第二个字母的一部分。“beauty”去掉 u 之后，模型写的是空格，虽然在“bea”之后它预期的是 u。
reader_mistake = “它会猜出缺的字母。”它学到了哪些字母常常相连，但空白的纸也是它看到的东西：两个词之间的空格。

## Since 2017

since_title = 2017 年以来
since_about = **没有编码器。**只有一叠层，读文本并往下写；不再有交叉注意力。|**旋转位置。**不再加位置向量，而是把 q 和 k 转过一个随位置增大的角度。|**RMSNorm。**向量除以自己的均方根，不减平均值。|**带门的前馈网络。**一半的数决定另一半通过多少。|**分组的键。**几个头共用一个 k 和一个 v。|**专家。**最大的模型每层有许多前馈网络，每个词元只用其中几个。
since_question = 语言模型读过十个词元，又写出一个。它的各层要为哪些词元计算新的向量？
since_options = 一个也不用，它都记得|十一个全部重算|只为新加的词元
since_reply = 每一层都要为新词元算一个向量：下一个词元就是由它预测的。|没有缓存时就是这样，而前十个词元算出来的向量和原来一样。|对。另外十个的 k 和 v 在前面的步骤里算好，保存着。
since_answer = 掩码不让词元看到后面的词元，所以前面词元的 k 和 v 不会再变，可以保存下来：这就是缓存。每个词元，tiny-decoder 需要保存 { $layers } 层 × { $keys } 个头 × k 和 v 的 { $width } 个数 = { NUMBER($kept, useGrouping: "always") } 个数。如果 { $heads } 个头各有自己的 k 和 v，就要 { NUMBER($whole, useGrouping: "always") } 个。文本很长时，占满内存的就是它，所以几个头共用一个 k 和一个 v（分组的键）。表里是 2017 年以来的其他变化。
since_look = 当前模型与 tiny-decoder 对照；tiny-decoder 的结构与今天的语言模型相同。
since_try = 不用缓存
since_done = tiny-decoder 接着“{ $begun }”往下写，一次用缓存，一次不用。写出的词会不同吗？要多算多少？
since_measured = 每层计算的词元向量：用缓存 { $cached } 个，不用 { $uncached } 个。写出的是：“{ $text }”
since_axis = 词元向量
since_teacher = 实验之前，让全班把 1 到 10 加起来。目标：2017 年的 Transformer 还在，后来的变化大多是让它更省，或让训练更稳。
since_sheet = 对每个模型，把层数 × 有 k 和 v 的头数 × 两者的数的个数乘起来。1000 个词元的文本，它要保存多少个数？
since_expect = 只为刚刚加上的那一个。不用缓存，写出的词不变，而每个词元都比前一个更费计算。
since_found = 练习单上的乘积：{ $own }；tiny-decoder 是 { $decoder }。1000 个词元就是它的一千倍。
since_mistake = “缓存里存的是答案。”存的是读过的每个词元的 k 和 v，接下来写什么每次都要算。
since_layers = 层数
since_layers_both = 编码器 { $encoder } 层，解码器 { $decoder } 层
since_layers_alone = { $decoder } 层，只有解码器
since_order = 词序
since_order_added = 给每个词的向量加一个向量
since_order_turned = 转动 q 和 k（旋转位置）
since_order_scores = 给每个分数加一个数
since_order_none = 没有给出
since_norm = 归一化
since_norm_mean = 平均值和大小（LayerNorm）
since_norm_size = 只按大小（RMSNorm）
since_fed = 前馈网络
since_fed_plain = { $n } 个数
since_fed_gated = { $n } 个数，带门
since_keys = 有 k 和 v 的头
since_keys_of = { $heads } 个头共 { $keys } 组
since_width = 一个 k 和一个 v 的数
since_kept = 每个词元要保存
