"""The first and the last pages of the teacher's outline."""

STRINGS: dict[str, tuple[str, ...]] = {
    "handout.goals": ("After the lesson students can", "课后学生能够", "Après la leçon, les élèves savent"),
    "handout.goals_list": (
        "say what a token is, and why a model needs positions|compute an attention weight from q and k by hand, "
        "and say where q, k and v come from|say which words look at which in the three kinds of attention|say "
        "what a layer does besides attention, and how a vector becomes a word|explain why the decoder may not "
        "see later words, and what training makes smaller|test a claim about a head by an experiment",
        "说出什么是词元，以及模型为什么需要位置|由 q 和 k 手算一个注意力权重，说出 q、k、v 从哪里来|说出三种注意力里谁看谁|说出一层除了注意力还做什么，一个向量怎样变成一个词|解释解码器为什么不许看后面的词，训练让什么变小|用实验检验关于一个头的论断",
        "dire ce qu'est un token et pourquoi un modèle a besoin de positions|calculer à la main un poids "
        "d'attention à partir de q et k, et dire d'où viennent q, k et v|dire quels mots regardent lesquels dans "
        "les trois sortes d'attention|dire ce que fait une couche en plus de l'attention, et comment un vecteur "
        "devient un mot|expliquer pourquoi le décodeur ne doit pas voir les mots suivants et ce que "
        "l'entraînement diminue|vérifier par une expérience une affirmation sur une tête",
    ),
    "handout.prior": ("What they need to know", "需要的基础", "Ce qu'il faut savoir avant"),
    "handout.prior_text": (
        "Adding and multiplying decimal and negative numbers, percentages, powers, and what a logarithm is. No "
        "programming, no matrices, and no knowledge of neural networks.",
        "小数和负数的加法与乘法、百分数、幂，知道什么是对数。不需要会编程，不需要学过矩阵，也不需要懂神经网络。",
        "Additionner et multiplier des nombres décimaux et négatifs, les pourcentages, les puissances, et savoir "
        "ce qu'est un logarithme. Ni programmation, ni matrices, ni réseaux de neurones.",
    ),
    "handout.plan": ("Plan", "安排", "Déroulement"),
    "handout.plan_head": (
        "minutes of 90|minutes of 45|scene|new words|what most of the class should find",
        "90 分钟路线|45 分钟路线|场景|新词语|多数学生应得出的结论",
        "minutes sur 90|minutes sur 45|scène|mots nouveaux|ce que la classe doit trouver",
    ),
    "handout.words": (
        "New words.",
        "新词语：",
        "Mots nouveaux.",
    ),
    "handout.board": ("For the blackboard", "板书", "Au tableau"),
    "handout.board_lines": (
        "score = q·k / √dₖ|weights = softmax(scores): positive, and each row adds up to 1|result of a head = sum of "
        "weight × v|a layer: vector + result of attention, then + result of the feed-forward network|loss = mean of −ln p "
        "of the right tokens|encoder: all words see all words; decoder: a word sees only earlier ones; cross-attention: the "
        "translation sees the sentence|a weight says where a head looks; an experiment says whether it matters",
        "分数 = q·k / √dₖ|权重 = softmax(分数)：都是正数，每行之和为 1|一个头的结果 = 各“权重 × v”之和|一层：向量 + 注意力的结果，再 + 前馈网络的结果|损失 = 正确词元的 −ln p 的平均|编码器：每个词看得到所有词；解码器：只看得到前面的词；交叉注意力：译文看源句|权重说明一个头看哪里；是否重要，要由实验来回答",
        "score = q·k / √dₖ|poids = softmax(scores) : positifs, et de somme 1 sur chaque ligne|résultat d'une tête = "
        "somme des poids × v|une couche : vecteur + résultat de l'attention, puis + résultat du réseau feed-forward|perte = "
        "moyenne de −ln p des bons tokens|encodeur : tous les mots voient tous les mots ; décodeur : un mot ne voit que les "
        "précédents ; attention croisée : la traduction voit la phrase|un poids dit où une tête regarde ; une "
        "expérience dit si cela compte",
    ),
    "handout.quiz": (
        "The ten questions before the lesson, and the ten after it; right answers in bold",
        "课前的十个问题和课后的十个问题；正确答案用粗体",
        "Les dix questions d'avant la leçon et les dix d'après ; bonnes réponses en gras",
    ),
}
