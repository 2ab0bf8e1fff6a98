"""Words of the laboratory."""

STRINGS: dict[str, tuple[str, str, str]] = {
    "laboratory.part": ("Bench", "实验台", "Paillasse"),
    "laboratory.screen": ("Screen", "页面", "Écran"),
    "laboratory.why": ("Why?", "为什么？", "Pourquoi ?"),
    "laboratory.part_scoring": ("Scoring", "打分函数", "Scores"),
    "laboratory.part_kernel": ("Kernel regression", "核回归", "Régression à noyau"),
    "laboratory.part_masks": ("Masks", "掩码", "Masques"),
    "laboratory.part_recurrent": ("Before the Transformer", "Transformer 之前", "Avant le Transformer"),
    "laboratory.part_optimisation": ("Optimisation", "优化", "Optimisation"),
    "laboratory.part_metrics": ("BLEU by hand", "手算 BLEU", "BLEU à la main"),
    "laboratory.part_data": ("Data", "数据", "Données"),
    "laboratory.tab_scoring_compare": ("Four scores", "四种打分", "Quatre scores"),
    "laboratory.tab_scoring_width": ("Why scale", "为何缩放", "Pourquoi réduire"),
    "laboratory.tab_scoring_hard": ("Soft and hard", "软与硬", "Douce et dure"),
    "laboratory.tab_scoring_keyvalue": ("Key and value", "键与值", "Clé et valeur"),
    "laboratory.tab_masks_padding": ("Padding", "填充", "Remplissage"),
    "laboratory.tab_masks_causal": ("The future", "未来", "Le futur"),
    "laboratory.tab_recurrent_translate": ("Same sentence", "同一句子", "Même phrase"),
    "laboratory.tab_recurrent_lengths": ("Longer sentences", "句子变长", "Phrases plus longues"),
    "laboratory.tab_optimisation_schedule": ("Learning rate", "学习率", "Taux d'apprentissage"),
    "laboratory.tab_optimisation_smoothing": ("Label smoothing", "标签平滑", "Lissage des cibles"),
    "laboratory.tab_optimisation_first": ("First weights", "初始权重", "Poids initiaux"),
    "laboratory.tab_optimisation_dropout": ("Dropout", "Dropout", "Dropout"),
    "laboratory.tab_optimisation_norms": ("Where to norm", "归一化放哪", "Où normaliser"),
    "laboratory.tab_data_pipeline": ("Line to tensor", "从行到张量", "De la ligne au tenseur"),
    "laboratory.tab_data_vocabulary": ("Words or pieces", "词还是片段", "Mots ou morceaux"),
    "laboratory.tab_data_partition": ("Cutting a text", "切分长文", "Découper un texte"),
    "laboratory.read_scoring_compare": (
        "The same queries and keys, of the head chosen in Explore, scored four ways. Additive and bilinear have "
        "untrained parameters here.",
        "同一组查询与键（取自“探索”中所选的头），四种打分。加性与双线性的参数在此未经训练。",
        "Les mêmes requêtes et clés, de la tête choisie dans Explorer, notées de quatre façons. L'additive et la "
        "bilinéaire ont ici des paramètres non appris.",
    ),
    "laboratory.why_scoring_compare": (
        "Additive scoring came first: a small network that may compare vectors of any two widths. The dot product needs "
        "no parameters and is one matrix product, which hardware does best; so it won. The bilinear score puts a learned "
        "matrix between; a Transformer's head is one, with W = W_Q·W_Kᵀ, written as two thin matrices.",
        "加性打分最早：一个小网络，可比较任意两种宽度的向量。点积无需参数，是一次矩阵乘法，硬件最擅长，于是胜出。双线性在中间放一个学得的矩阵；Transformer 的头正是如此，W = W_Q·W_Kᵀ，写成两个细矩阵。",
        "Le score additif vint d'abord : un petit réseau qui compare des vecteurs de largeurs quelconques. Le produit "
        "scalaire n'a pas de paramètre et n'est qu'un produit de matrices ; il l'a emporté. La bilinéaire met une "
        "matrice apprise entre les deux ; une tête de Transformer en est une, avec W = W_Q·W_Kᵀ.",
    ),
    "laboratory.read_scoring_width": (
        "Random queries and keys, measured. The wider the vectors, the larger their dot products, and the nearer the "
        "softmax comes to choosing one key alone.",
        "随机查询与键的实测。向量越宽，点积越大，softmax 越趋于只选一个键。",
        "Requêtes et clés au hasard, mesurées. Plus les vecteurs sont larges, plus leurs produits sont grands, et plus "
        "le softmax tend à ne choisir qu'une clé.",
    ),
    "laboratory.why_scoring_width": (
        "A sum of d products of independent numbers with variance 1 has variance d. The gradient of a softmax weight is "
        "w(1−w): at w near 1 it is nearly 0, and nothing is learned. Dividing by √d keeps the variance at 1 for every d.",
        "d 个方差为 1 的独立数之积的和，方差为 d。softmax 权重的梯度是 w(1−w)：w 近 1 时几乎为 0，学不到东西。除以 √d，任何 d 下方差都是 1。",
        "La somme de d produits de nombres indépendants de variance 1 a pour variance d. Le gradient d'un poids est "
        "w(1−w) : près de 1 il est presque nul et rien ne s'apprend. Diviser par √d garde la variance à 1.",
    ),
    "laboratory.read_scoring_hard": (
        "Soft attention takes a share of every value. Hard attention takes one value: the best, or one drawn by weight.",
        "软注意力各取一份；硬注意力只取一个：最大的，或按权重抽取的。",
        "L'attention douce prend une part de chaque valeur. La dure n'en prend qu'une : la meilleure, ou une tirée au "
        "sort selon les poids.",
    ),
    "laboratory.why_scoring_hard": (
        "Nudge a score a little. Soft weights move a little: there is a slope to follow. The largest stays the largest: "
        "the slope is 0, until it jumps. A drawn key can only be trained by trial (REINFORCE), which is noisy.",
        "把一个分数稍稍推一下。软权重随之微动：有坡可循。最大的仍是最大的：坡度为 0，直到突变。抽取的键只能靠试错训练（REINFORCE），噪声很大。",
        "Poussez un peu un score. Les poids doux bougent un peu : il y a une pente à suivre. Le plus grand reste le plus "
        "grand : la pente est 0, jusqu'au saut. Une clé tirée au sort ne s'apprend que par essais (REINFORCE), bruités.",
    ),
    "laboratory.read_scoring_keyvalue": (
        "What this token receives when the head hands on values, and what it would receive if keys were also the values.",
        "头传递“值”时该词元收到什么；若键兼作值，又会收到什么。",
        "Ce que ce token reçoit quand la tête transmet des valeurs, et ce qu'il recevrait si les clés servaient de valeurs.",
    ),
    "laboratory.why_scoring_keyvalue": (
        "Early attention used one vector for both: how a word is found was also what it said. Two vectors let a word be "
        "found by its role and speak of its meaning.",
        "早期注意力一向量两用：词怎样被找到，也就说什么。分成两个，词可凭角色被找到，而说出其义。",
        "Les premières attentions n'avaient qu'un vecteur : la façon d'être trouvé était aussi ce qu'on disait. Avec deux, "
        "un mot se trouve par son rôle et parle de son sens.",
    ),
    "laboratory.score_additive": ("additive", "加性", "additif"),
    "laboratory.score_dot": ("dot", "点积", "produit scalaire"),
    "laboratory.score_scaled": ("scaled dot", "缩放点积", "produit réduit"),
    "laboratory.score_bilinear": ("bilinear", "双线性", "bilinéaire"),
    "laboratory.score_facts": (
        "{parameters} parameters · entropy {bits} of {most} bits · {cost} multiplications",
        "{parameters} 个参数 · 熵 {bits}/{most} 比特 · {cost} 次乘法",
        "{parameters} paramètres · entropie {bits} sur {most} bits · {cost} multiplications",
    ),
    "laboratory.other_seed": ("Other random parameters", "换一组随机参数", "Autres paramètres"),
    "laboratory.width_variance": ("variance of the scores", "分数的方差", "variance des scores"),
    "laboratory.width_largest": ("largest weight, mean", "最大权重（均值）", "plus grand poids, moyenne"),
    "laboratory.width_slope": ("steepest slope of the softmax", "softmax 的最大坡度", "plus forte pente du softmax"),
    "laboratory.width_dot": ("q·k", "q·k", "q·k"),
    "laboratory.width_scaled": ("q·k ÷ √d", "q·k ÷ √d", "q·k ÷ √d"),
    "laboratory.width_said": (
        "At d = 64: variance {variance}; the largest weight is {without} without the scale and {with_scale} with it; the "
        "slope is {slope} without and {scaled_slope} with.",
        "d = 64 时：方差 {variance}；最大权重不缩放为 {without}，缩放为 {with_scale}；坡度不缩放 {slope}，缩放 {scaled_slope}。",
        "Pour d = 64 : variance {variance} ; le plus grand poids vaut {without} sans réduction et {with_scale} avec ; la "
        "pente {slope} sans et {scaled_slope} avec.",
    ),
    "laboratory.query": ("Token", "词元", "Token"),
    "laboratory.weight": ("weight", "权重", "poids"),
    "laboratory.hard_soft": ("soft", "软", "douce"),
    "laboratory.hard_argmax": ("hard: the best", "硬：最大者", "dure : la meilleure"),
    "laboratory.hard_sampled": ("hard: drawn by weight", "硬：按权重抽取", "dure : tirée au sort"),
    "laboratory.draw_again": ("Draw again", "再抽一次", "Tirer encore"),
    "laboratory.hard_said": (
        "Raise one score by 0.01: the soft weights move by {soft} in all, the hard ones by {hard}. Steepest slope of this "
        "row's softmax: {slope}.",
        "把一个分数提高 0.01：软权重共移动 {soft}，硬权重移动 {hard}。本行 softmax 最大坡度：{slope}。",
        "Augmentez un score de 0,01 : les poids doux bougent de {soft} en tout, les durs de {hard}. Plus forte pente du "
        "softmax de cette ligne : {slope}.",
    ),
    "laboratory.mixed": ("mixed vector", "混合向量", "vecteur mélangé"),
    "laboratory.own_value": ("Σ α v, key ≠ value", "Σ α v，键 ≠ 值", "Σ α v, clé ≠ valeur"),
    "laboratory.key_as_value": ("Σ α k, key = value", "Σ α k，键 = 值", "Σ α k, clé = valeur"),
    "laboratory.keyvalue_said": (
        "Most comes from “{token}”. Cosine of the two mixtures: {cosine}; 0 would be no likeness.",
        "主要来自“{token}”。两种混合的余弦：{cosine}；0 表示毫不相像。",
        "L'essentiel vient de « {token} ». Cosinus des deux mélanges : {cosine} ; 0 serait sans ressemblance.",
    ),
    "laboratory.read_kernel": (
        "Drag the dashed line: the answer at that place is an average of all points, those nearby counting more.",
        "拖动虚线：该处的答案是所有点的平均，近者权重大。",
        "Faites glisser la ligne : la réponse y est une moyenne de tous les points, les proches comptant plus.",
    ),
    "laboratory.why_kernel": (
        "This is attention: the place asked for is the query, the places of the points are keys, what was measured there "
        "are values. Make the kernel very wide and everybody counts alike: plain averaging. Make it narrow and only the "
        "nearest point speaks. The width can be learned: predict each point from the others and go downhill.",
        "这就是注意力：所问之处是查询，各点的位置是键，那里的测量值是值。核极宽，人人等同：就是求平均。核极窄，只有最近的点说话。宽度可以学：用其余的点预测每一点，沿误差下降。",
        "C'est de l'attention : le lieu demandé est la requête, les lieux des points les clés, les mesures les valeurs. "
        "Un noyau très large et tous comptent autant : une simple moyenne. Très étroit, seul le plus proche parle. La "
        "largeur s'apprend : prédire chaque point par les autres et descendre l'erreur.",
    ),
    "laboratory.kernel_plot": (
        "points, their curve (thin), the regression (bold), weights (below)",
        "数据点、真实曲线（细）、回归（粗）、权重（下方）",
        "points, leur courbe (fine), la régression (épaisse), les poids (en bas)",
    ),
    "laboratory.kernel_map": (
        "weights: each row a query from 0 to 5, each column a point",
        "权重：每行一个查询（0 到 5），每列一个点",
        "poids : une ligne par requête de 0 à 5, une colonne par point",
    ),
    "laboratory.kernel_width": ("Width of the kernel", "核宽度", "Largeur du noyau"),
    "laboratory.kernel_learn": ("Learn the width", "学习宽度", "Apprendre la largeur"),
    "laboratory.kernel_query": ("Query", "查询", "Requête"),
    "laboratory.kernel_said": (
        "At {query} the answer is {answer}: an average of about {points} points.",
        "在 {query} 处，答案为 {answer}：约 {points} 个点的平均。",
        "En {query} la réponse est {answer} : une moyenne d'environ {points} points.",
    ),
    "laboratory.kernel_learning": (
        "Step {step}: width {width}, error of points left out {loss}.",
        "第 {step} 步：宽度 {width}，留一误差 {loss}。",
        "Étape {step} : largeur {width}, erreur sur les points laissés de côté {loss}.",
    ),
    "laboratory.kernel_fit": (
        "Gradient descent takes the width from {start} to {end}, and the error of points left out from {before} to {after}.",
        "梯度下降使宽度从 {start} 变为 {end}，留一误差从 {before} 降到 {after}。",
        "La descente de gradient mène la largeur de {start} à {end}, et l'erreur de {before} à {after}.",
    ),
    "laboratory.n_points": ("Points", "点数", "Points"),
    "laboratory.start_width": ("Width at first", "初始宽度", "Largeur de départ"),
    "laboratory.read_masks_padding": (
        "Sentences of different lengths share one rectangle. Pale cells hold no word: no query may look there.",
        "长短不一的句子放进一个矩形。浅格没有词：任何查询都不得看。",
        "Des phrases de longueurs différentes partagent un rectangle. Les cases pâles n'ont pas de mot : nul ne doit y "
        "regarder.",
    ),
    "laboratory.why_masks_padding": (
        "A padding token has an embedding and a key like any other; nothing but the mask keeps attention away. Without it "
        "a translation would depend on which sentences happen to share its batch.",
        "填充词元和别的一样有嵌入、有键；只有掩码能挡住注意力。没有掩码，译文就会取决于同批恰好有哪些句子。",
        "Le remplissage a un plongement et une clé comme les autres ; seul le masque en écarte l'attention. Sans lui, une "
        "traduction dépendrait des phrases qui partagent son lot.",
    ),
    "laboratory.read_masks_causal": (
        "While it writes, the decoder cannot see what it has not written. In training it could: the mask forbids it.",
        "写作时，解码器看不到尚未写出的。训练时却看得到：掩码不许它看。",
        "Quand il écrit, le décodeur ne voit pas ce qu'il n'a pas écrit. À l'entraînement il le pourrait : le masque "
        "l'interdit.",
    ),
    "laboratory.why_masks_causal": (
        "All positions are trained at once, each to predict the next. Position 3 seeing token 4 would simply copy it, "
        "learn nothing, and be helpless alone. The model here was trained with the mask, so what it does without is new "
        "to it: see how its certainty changes.",
        "所有位置同时训练，各自预测下一个。若第 3 位能看到第 4 个词元，就会照抄，什么也学不到，独自时束手无策。这里的模型是带掩码训练的，去掉掩码对它是新情况：看它的把握如何变化。",
        "Toutes les positions s'entraînent à la fois, chacune prédisant la suivante. Si la 3 voyait le token 4, elle le "
        "copierait sans rien apprendre. Ce modèle a appris avec le masque ; sans lui, tout lui est nouveau : voyez sa "
        "certitude changer.",
    ),
    "laboratory.second_sentence": ("Second sentence", "第二句", "Deuxième phrase"),
    "laboratory.third_sentence": ("Third sentence", "第三句", "Troisième phrase"),
    "laboratory.valid": ("{n} valid", "有效 {n}", "{n} valides"),
    "laboratory.valid_length": ("valid length", "有效长度", "longueur valide"),
    "laboratory.on_padding": (
        "weight on padding without mask",
        "无掩码时落在填充上的权重",
        "poids sur le remplissage sans masque",
    ),
    "laboratory.with_mask": ("translation with mask", "有掩码的译文", "traduction avec masque"),
    "laboratory.without_mask": ("translation without mask", "无掩码的译文", "traduction sans masque"),
    "laboratory.padding_said": (
        "Without the mask the encoder's output for the sentence of {n} tokens moves by {drift} of its length.",
        "没有掩码，{n} 个词元那句的编码输出移动了其长度的 {drift}。",
        "Sans masque, la sortie de l'encodeur pour la phrase de {n} tokens se déplace de {drift} de sa longueur.",
    ),
    "laboratory.causal_masked": (
        "with the mask, layer {layer} head {head}",
        "有掩码，第 {layer} 层第 {head} 头",
        "avec le masque, couche {layer} tête {head}",
    ),
    "laboratory.causal_lifted": ("without the mask", "无掩码", "sans le masque"),
    "laboratory.causal_said": (
        "Without the mask {share} of all weight falls on words not yet written. Mean log p of the same translation: {masked} "
        "with, {lifted} without.",
        "没有掩码，{share} 的权重落在尚未写出的词上。同一译文的平均 log p：有 {masked}，无 {lifted}。",
        "Sans masque, {share} du poids tombe sur des mots pas encore écrits. log p moyen de la même traduction : {masked} "
        "avec, {lifted} sans.",
    ),
    "laboratory.read_recurrent_translate": (
        "The same sentence by three models: the Transformer in use, a GRU that looks back at the source, and a GRU that "
        "must remember it in one vector.",
        "同一句由三个模型翻译：当前 Transformer、会回看源句的 GRU、只能用一个向量记住源句的 GRU。",
        "La même phrase par trois modèles : le Transformer utilisé, un GRU qui relit la source, et un GRU qui doit la "
        "retenir en un seul vecteur.",
    ),
    "laboratory.why_recurrent_translate": (
        "In 2014 attention was added to a recurrent network so that it could look back. It gave one map, much like an "
        "alignment. The Transformer kept the looking and left out the recurrence: all positions at once, many maps.",
        "2014 年，给循环网络加上注意力，使它能回看，只有一张图，颇像词对齐。Transformer 留下“看”，去掉循环：所有位置同时进行，多张图。",
        "En 2014 on ajouta l'attention à un réseau récurrent pour qu'il puisse relire. Il donnait une seule carte, proche "
        "d'un alignement. Le Transformer garda le regard et ôta la récurrence : toutes les positions à la fois, plusieurs cartes.",
    ),
    "laboratory.read_recurrent_lengths": (
        "Translation quality by sentence length, on sentences that none of the models has seen.",
        "译文质量随句长的变化，所用句子三个模型都没见过。",
        "Qualité par longueur de phrase, sur des phrases qu'aucun modèle n'a vues.",
    ),
    "laboratory.why_recurrent_lengths": (
        "One vector of fixed size must hold five words or thirty. As sentences grow it forgets, and the curve falls. Both "
        "GRUs have the same size and training: the difference is attention.",
        "一个定长向量，要装下五个词，也要装下三十个。句子越长它越健忘，曲线下降。两个 GRU 大小与训练相同：差别就在注意力。",
        "Un vecteur de taille fixe doit contenir cinq mots ou trente. Quand la phrase s'allonge il oublie et la courbe "
        "tombe. Les deux GRU ont même taille et même entraînement : la différence est l'attention.",
    ),
    "laboratory.recurrent_absent": (
        "The recurrent models are not in this installation: they live in pretrained/gru-en-fr.",
        "此安装没有循环模型：它们应在 pretrained/gru-en-fr。",
        "Les modèles récurrents ne sont pas installés : leur place est pretrained/gru-en-fr.",
    ),
    "laboratory.model_transformer": ("Transformer", "Transformer", "Transformer"),
    "laboratory.model_attention": ("GRU with attention", "有注意力的 GRU", "GRU avec attention"),
    "laboratory.model_without": ("GRU without attention", "无注意力的 GRU", "GRU sans attention"),
    "laboratory.took": ("{ms} ms on this machine", "本机用时 {ms} 毫秒", "{ms} ms sur cette machine"),
    "laboratory.map_gru": ("the GRU's one map", "GRU 唯一的图", "la seule carte du GRU"),
    "laboratory.map_head": (
        "the Transformer's sharpest head, layer {layer} head {head}",
        "Transformer 最尖锐的头，第 {layer} 层第 {head} 头",
        "la tête la plus nette du Transformer, couche {layer} tête {head}",
    ),
    "laboratory.words": ("words in the source", "源句词数", "mots de la source"),
    "laboratory.speed": ("Speed", "速度", "Vitesse"),
    "laboratory.ms_per_sentence": ("ms a sentence, in batches", "每句毫秒（成批）", "ms par phrase, par lots"),
    "laboratory.lengths_said": (
        "{n} test sentences, greedy decoding, BLEU with all references. Both GRUs are smaller than the Transformer: compare them with each other.",
        "{n} 个测试句，贪心解码，BLEU 用全部参考译文。两个 GRU 都比 Transformer 小：请互相比较。",
        "{n} phrases de test, décodage glouton, BLEU avec toutes les références. Les deux GRU sont plus petits que le Transformer : comparez-les entre eux.",
    ),
    "laboratory.read_optimisation_schedule": (
        "The learning rate climbs while the first estimates are wild, then falls.",
        "起初估计狂乱，学习率缓升；随后下降。",
        "Le taux monte tant que les premières estimations sont folles, puis descend.",
    ),
    "laboratory.why_optimisation_schedule": (
        "Adam divides by a running estimate of the gradient's size, which is poor in the first steps: large steps then "
        "can ruin a model for good. A wider model takes smaller steps: hence d to the power −1/2.",
        "Adam 要除以梯度大小的滑动估计，头几步估得很差：步子太大会把模型毁掉。模型越宽步子越小，故有 d 的 −1/2 次方。",
        "Adam divise par une estimation de la taille du gradient, mauvaise aux premiers pas : de grands pas peuvent alors "
        "ruiner le modèle. Un modèle plus large fait des pas plus petits, d'où d puissance −1/2.",
    ),
    "laboratory.read_optimisation_smoothing": (
        "Training does not aim at all or nothing: a little of the target is spread over every word.",
        "训练的目标不是非此即彼：留一点摊给每个词。",
        "L'entraînement ne vise pas tout ou rien : un peu de la cible est répartie sur tous les mots.",
    ),
    "laboratory.why_optimisation_smoothing": (
        "To reach probability 1 a score must go to infinity, and the model learns to be too sure. With smoothing there is "
        "a best finite score. Perplexity gets a little worse, BLEU better: translations have more than one right answer.",
        "要达到概率 1，分数须趋于无穷，模型便学会过分自信。平滑后，最佳分数有限。困惑度略差，BLEU 更好：译文本就不止一个正确答案。",
        "Pour atteindre la probabilité 1, un score devrait être infini et le modèle apprend à être trop sûr. Avec lissage "
        "il y a un meilleur score fini. La perplexité empire un peu, BLEU s'améliore : plusieurs traductions sont justes.",
    ),
    "laboratory.read_optimisation_first": (
        "First weights of the right size let a signal pass many layers. Right: this model's weights after training, with "
        "the bounds within which they began.",
        "初始权重大小合适，信号才能穿过多层。右：此模型训练后的权重与其初始范围。",
        "Des poids initiaux de bonne taille laissent passer le signal. À droite : les poids après apprentissage et les "
        "bornes de départ.",
    ),
    "laboratory.why_optimisation_first": (
        "Each layer multiplies the variance by (inputs × variance of a weight). Below 1 the signal dies out, above 1 it "
        "explodes, layer after layer. Xavier's bound makes it 1 on average, forward and backward.",
        "每层把方差乘以（输入数 × 权重方差）。小于 1 信号逐层消失，大于 1 则爆炸。Xavier 的范围使前向与反向平均都为 1。",
        "Chaque couche multiplie la variance par (entrées × variance d'un poids). Sous 1 le signal s'éteint, au-dessus il "
        "explose. La borne de Xavier donne 1 en moyenne, à l'aller et au retour.",
    ),
    "laboratory.read_optimisation_dropout": (
        "In training some weights are set to 0 at random and the rest enlarged, so that no head relies on one word.",
        "训练时随机把一些权重置 0，其余放大，免得一个头只依赖一个词。",
        "À l'entraînement, des poids sont mis à 0 au hasard et les autres agrandis, pour qu'une tête ne dépende pas d'un "
        "seul mot.",
    ),
    "laboratory.why_optimisation_dropout": (
        "Dividing by 1 − p keeps the expected sum at 1, though each draw sums to something else. When the model is used, "
        "nothing is dropped: what this program shows is always without dropout.",
        "除以 1 − p 使期望之和仍为 1，尽管每次抽取的和不同。使用时不丢弃：本程序显示的都是没有 dropout 的。",
        "Diviser par 1 − p garde une somme de 1 en moyenne, bien que chaque tirage donne autre chose. À l'usage rien n'est "
        "supprimé : ce programme montre toujours sans dropout.",
    ),
    "laboratory.read_optimisation_norms": (
        "The first gradient of a fresh model of this shape, layer by layer: with the norm after each sum, and before each "
        "sublayer.",
        "同样形状的新模型的第一个梯度，逐层看：归一化放在相加之后，或放在每个子层之前。",
        "Le premier gradient d'un modèle neuf de cette forme, couche par couche : norme après chaque somme, ou avant chaque "
        "sous-couche.",
    ),
    "laboratory.why_optimisation_norms": (
        "After the sum, the norm stands in the way of the straight path and the last layers get the largest gradients: "
        "training needs a slow start. Before the sublayer, the path from loss to embedding is free.",
        "归一化放在相加之后，挡在直通路上，末几层梯度最大：训练需要缓慢起步。放在子层之前，从损失到嵌入的路畅通无阻。",
        "Après la somme, la norme barre le chemin direct et les dernières couches reçoivent les plus grands gradients : il "
        "faut démarrer lentement. Avant la sous-couche, le chemin de la perte au plongement est libre.",
    ),
    "laboratory.warmup": ("Warm-up steps", "预热步数", "Pas d'échauffement"),
    "laboratory.d_model": ("d_model", "d_model", "d_model"),
    "laboratory.step": ("step", "步", "pas"),
    "laboratory.learning_rate": ("learning rate", "学习率", "taux d'apprentissage"),
    "laboratory.schedule_noam": ("the paper's", "论文的", "celui de l'article"),
    "laboratory.schedule_trapezoid": ("trapezoid", "梯形", "trapèze"),
    "laboratory.schedule_cosine": ("cosine", "余弦", "cosinus"),
    "laboratory.schedule_said": (
        "The paper's peak is at step {warmup}: {peak}.",
        "论文的峰值在第 {warmup} 步：{peak}。",
        "Le sommet de l'article est au pas {warmup} : {peak}.",
    ),
    "laboratory.smoothing": ("Smoothing", "平滑", "Lissage"),
    "laboratory.probability": ("probability", "概率", "probabilité"),
    "laboratory.smoothing_target": ("what training aims at", "训练目标", "ce que vise l'entraînement"),
    "laboratory.smoothing_model": ("what the model says", "模型所说", "ce que dit le modèle"),
    "laboratory.smoothing_said": (
        "The right word gets {own}; each of the {n} entries gets at least {each}.",
        "正确的词得 {own}；{n} 个条目每个至少得 {each}。",
        "Le bon mot reçoit {own} ; chacune des {n} entrées reçoit au moins {each}.",
    ),
    "laboratory.first_xavier": ("Xavier's bound", "Xavier 范围", "borne de Xavier"),
    "laboratory.first_small": ("a fifth of it", "其五分之一", "un cinquième"),
    "laboratory.first_large": ("twice as large", "其两倍", "le double"),
    "laboratory.first_layer": ("layers passed", "经过的层数", "couches traversées"),
    "laboratory.first_size": ("size of the signal", "信号大小", "taille du signal"),
    "laboratory.first_weight": ("weight", "权重", "poids"),
    "laboratory.first_count": ("how many", "个数", "combien"),
    "laboratory.first_said": (
        "{inside} of this matrix still lie within the bounds after training (encoder layer 0, feed-forward).",
        "训练后此矩阵仍有 {inside} 在范围内（编码器第 0 层前馈）。",
        "{inside} de cette matrice restent dans les bornes après apprentissage (encodeur, couche 0, feed-forward).",
    ),
    "laboratory.drop": ("Probability of dropping", "丢弃概率", "Probabilité de suppression"),
    "laboratory.dropout_before": ("weights", "权重", "poids"),
    "laboratory.dropout_after": ("after dropout", "dropout 之后", "après dropout"),
    "laboratory.dropout_said": ("They now sum to {total}.", "现在和为 {total}。", "Leur somme est maintenant {total}."),
    "laboratory.post_norm": ("norm after the sum (2017)", "相加后归一化（2017）", "norme après la somme (2017)"),
    "laboratory.pre_norm": ("norm before the sublayer", "子层前归一化", "norme avant la sous-couche"),
    "laboratory.gradient_norm": ("norm of the gradient", "梯度范数", "norme du gradient"),
    "laboratory.norms_said": (
        "Last decoder layer over first: {post} with the norm after, {pre} with the norm before.",
        "解码器末层与首层之比：后归一化 {post}，前归一化 {pre}。",
        "Dernière couche du décodeur sur la première : {post} norme après, {pre} norme avant.",
    ),
    "laboratory.read_metrics": (
        "How much of the translation stands in the reference: single words, then runs of two, three and four. Bold: found.",
        "译文中有多少出现在参考译文里：单词，再到二、三、四连词。粗体：找到。",
        "Quelle part de la traduction figure dans la référence : mots, puis suites de deux, trois, quatre. En gras : trouvé.",
    ),
    "laboratory.why_metrics": (
        "Each match counts at most as often as the reference has it, or “the the the” would score well. The four precisions "
        "are multiplied (their geometric mean), and a translation shorter than the reference pays, or one safe word would "
        "win. BLEU is meant for many sentences; on one it is coarse.",
        "每个匹配最多计参考译文中出现的次数，否则“the the the”也得高分。四个精度相乘取几何平均；比参考短的要受罚，否则一个稳妥的词就赢了。BLEU 是给许多句子用的，单句很粗。",
        "Une correspondance compte au plus autant que dans la référence, sinon « le le le » gagnerait. Les quatre "
        "précisions sont multipliées (moyenne géométrique) et une traduction plus courte paie. BLEU vaut pour beaucoup de "
        "phrases ; sur une seule, il est grossier.",
    ),
    "laboratory.candidate": ("Translation", "译文", "Traduction"),
    "laboratory.reference": ("Reference", "参考译文", "Référence"),
    "laboratory.reference_hint": (
        "Write how you would translate it",
        "写下你的译法",
        "Écrivez votre traduction",
    ),
    "laboratory.bleu_itself": (
        "No reference yet: the translation is compared with itself, so everything is found.",
        "还没有参考译文：译文与自己比较，因此全部找到。",
        "Pas encore de référence : la traduction est comparée à elle-même, donc tout est trouvé.",
    ),
    "laboratory.bleu_marked": ("what was found", "找到的部分", "ce qui a été trouvé"),
    "laboratory.bleu_matches": ("matches", "匹配", "correspondances"),
    "laboratory.bleu_precision": ("precision", "精度", "précision"),
    "laboratory.bleu_smoothed": (
        "* Nothing matched: sacrebleu counts a half, then a quarter… of one match, so that the product is not 0.",
        "* 无匹配：sacrebleu 按半个、四分之一个……匹配计，免得乘积为 0。",
        "* Aucune correspondance : sacrebleu compte une demie, puis un quart… pour que le produit ne soit pas 0.",
    ),
    "laboratory.read_data_pipeline": (
        "What happens to a line of text before a model sees it, step by step.",
        "一行文字在模型看到之前，逐步经历了什么。",
        "Ce qui arrive à une ligne de texte avant que le modèle la voie, pas à pas.",
    ),
    "laboratory.why_data_pipeline": (
        "Text from the web has invisible characters and four kinds of space; the same word written two ways would be two "
        "words. Padding makes sentences of different lengths one rectangle, and the mask remembers what is real.",
        "网络文本里有隐形字符和多种空格；一词两写就成了两个词。填充把长短不一的句子变成矩形，掩码记住哪些是真的。",
        "Les textes du web contiennent des caractères invisibles et plusieurs espaces ; un mot écrit de deux façons ferait "
        "deux mots. Le remplissage fait un rectangle et le masque se souvient du vrai.",
    ),
    "laboratory.read_data_vocabulary": (
        "Count words, and a few are common while most come once. Count pieces, and rare words share their parts.",
        "数词：少数常见，多数只出现一次。数片段：罕见词共用零件。",
        "Comptez les mots : peu sont fréquents, la plupart uniques. Comptez les morceaux : les mots rares partagent leurs "
        "parties.",
    ),
    "laboratory.why_data_vocabulary": (
        "A word vocabulary never ends and meets unknown words for ever. Letters alone make sentences long. Pieces are the "
        "middle way: common words whole, rare ones in parts, nothing unknown.",
        "词表没有尽头，总会遇到生词；只用字母，句子太长。片段取中：常用词整个，罕见词拆开，没有生词。",
        "Un vocabulaire de mots n'a pas de fin et rencontre toujours des inconnus. Les lettres seules allongent les "
        "phrases. Les morceaux sont le juste milieu.",
    ),
    "laboratory.read_data_partition": (
        "Two ways to cut one long text into batches. The number is where a row begins in the text.",
        "把长文切成批的两种办法。数字是该行在文中的起点。",
        "Deux façons de découper un long texte en lots. Le nombre dit où la ligne commence.",
    ),
    "laboratory.why_data_partition": (
        "At random, each row is a stranger to the one before: every start is equally likely. In sequence, row 1 of the next "
        "batch goes on where row 1 ended, so that a recurrent network can keep its memory.",
        "随机：每行与前一批无关，任何起点机会均等。顺序：下一批的第 1 行接着上一批第 1 行，循环网络便可保留记忆。",
        "Au hasard, chaque ligne est étrangère à la précédente. En suite, la ligne 1 du lot suivant continue la ligne 1 : "
        "un réseau récurrent garde sa mémoire.",
    ),
    "laboratory.data_raw": ("Raw", "原始", "Brut"),
    "laboratory.data_normalised": ("Normalised", "规范化", "Normalisé"),
    "laboratory.data_bare": ("As people type", "随手输入的样子", "Comme on tape"),
    "laboratory.data_pieces": ("Pieces", "片段", "Morceaux"),
    "laboratory.data_ids": ("Ids", "编号", "Identifiants"),
    "laboratory.data_padded": ("Padded to the batch", "补齐到批", "Complété au lot"),
    "laboratory.data_mask": ("Mask: 1 is real", "掩码：1 为真", "Masque : 1 est réel"),
    "laboratory.data_replaced": (
        "Replaced or removed: {characters}",
        "已替换或删除：{characters}",
        "Remplacés ou retirés : {characters}",
    ),
    "laboratory.data_no_words": (
        "There is nothing to count: write some words, with a model that has a vocabulary.",
        "没有可数的：请写几个词，并用带词表的模型。",
        "Rien à compter : écrivez des mots, avec un modèle qui a un vocabulaire.",
    ),
    "laboratory.data_words_said": (
        "{n} words, {once} of them once",
        "{n} 个词，{once} 只出现一次",
        "{n} mots, dont {once} une fois",
    ),
    "laboratory.data_pieces_said": (
        "{n} pieces, {once} of them once; the model knows {total}",
        "{n} 个片段，{once} 只出现一次；模型共有 {total} 个",
        "{n} morceaux, dont {once} une fois ; le modèle en a {total}",
    ),
    "laboratory.count": ("count", "次数", "nombre"),
    "laboratory.long_text": ("A longer text", "较长的文字", "Un texte plus long"),
    "laboratory.rows": ("Rows of a batch", "每批行数", "Lignes par lot"),
    "laboratory.length": ("Tokens a row", "每行词元", "Tokens par ligne"),
    "laboratory.partition_random": ("at random", "随机", "au hasard"),
    "laboratory.partition_sequential": ("in sequence", "顺序", "en suite"),
    "laboratory.batch": ("batch {n}", "第 {n} 批", "lot {n}"),
    "laboratory.head_in_use": (
        "Head of cross-attention in use:",
        "所用的交叉注意力头：",
        "Tête d'attention croisée utilisée :",
    ),
}
