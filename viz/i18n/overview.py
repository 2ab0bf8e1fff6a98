"""Words of the map of the whole model."""

STRINGS: dict[str, tuple[str, str, str]] = {
    "overview.label": ("Map of the model", "模型结构图", "Carte du modèle"),
    "overview.lead": (
        "Follow the token that is being predicted:",
        "跟踪正在预测的词元：",
        "Suivez le token en cours de prédiction :",
    ),
    "overview.step": ("Token being predicted", "正在预测的词元", "Token en cours de prédiction"),
    "overview.read": (
        "Read it from bottom to top. The encoder turns the source tokens into vectors; its result gives the keys and "
        "values of the cross-attention in every decoder layer (dashed). The decoder reads the translation so far and "
        "predicts “{predicted}”. Each small square is a head: the darker, the larger its largest weight. The layers "
        "are built alike but have parameters of their own.",
        "从下往上读。编码器把源词元变成向量；它的结果为每个解码器层的交叉注意力提供键和值（虚线）。解码器读入已有的译文，预测“{predicted}”。每个小方块是一个头：颜色越深，它的最大权重越大。各层结构相同，但参数各不相同。",
        "Lisez de bas en haut. L'encodeur transforme les tokens source en vecteurs ; son résultat fournit les clés "
        "et les valeurs de l'attention croisée de chaque couche du décodeur (tirets). Le décodeur lit le début de la "
        "traduction et prédit « {predicted} ». Chaque petit carré est une tête : plus il est foncé, plus son plus "
        "grand poids est grand. Les couches sont bâties de la même façon, mais chacune a ses propres paramètres.",
    ),
    "overview.hint": (
        "Point at a part to read what it does; click to open it.",
        "指向一个部分可看它的作用；单击可打开。",
        "Pointez une partie pour lire ce qu'elle fait ; cliquez pour l'ouvrir.",
    ),
    "overview.alone": (
        "This map shows models that translate. The model in use has only one stack; choose a translation model above.",
        "此图显示能翻译的模型。当前模型只有一个堆栈，请在上方选择翻译模型。",
        "Cette carte montre les modèles qui traduisent. Le modèle utilisé n'a qu'une pile ; choisissez un modèle de "
        "traduction ci-dessus.",
    ),
    "overview.encoder": ("Encoder: reads the source", "编码器：读源句", "Encodeur : lit la source"),
    "overview.decoder": ("Decoder: writes the translation", "解码器：写译文", "Décodeur : écrit la traduction"),
    "overview.reads": ("source tokens", "源词元", "tokens source"),
    "overview.written": (
        "translation so far, fed to the decoder",
        "已有译文，输入解码器",
        "début de la traduction, lu par le décodeur",
    ),
    "overview.self_attention": ("Self-attention", "自注意力", "Auto-attention"),
    "overview.masked_attention": ("Masked self-attention", "带掩码的自注意力", "Auto-attention masquée"),
    "overview.cross_attention": ("Cross-attention", "交叉注意力", "Attention croisée"),
    "overview.feed_forward": ("Feed-forward", "前馈网络", "Feed-forward"),
    "overview.embedding": ("Embedding + position", "词嵌入 + 位置", "Plongement + position"),
    "overview.memory": (
        "Result of the encoder → keys K and values V",
        "编码器的结果 → 键 K 和值 V",
        "Résultat de l'encodeur → clés K et valeurs V",
    ),
    "overview.output": (
        "Output matrix, softmax → next token",
        "输出矩阵，softmax → 下一个词元",
        "Matrice de sortie, softmax → token suivant",
    ),
    "overview.about_self_attention": (
        "Self-attention: each source token collects information from all source tokens. Click to see its heads in "
        "Explore.",
        "自注意力：每个源词元从所有源词元收集信息。单击可在“探索”中看各个头。",
        "Auto-attention : chaque token source recueille de l'information de tous les tokens source. Cliquez pour "
        "voir ses têtes dans Explorer.",
    ),
    "overview.about_masked_attention": (
        "Masked self-attention: each token of the translation collects information from itself and the tokens before "
        "it.",
        "带掩码的自注意力：译文的每个词元从自己和前面的词元收集信息。",
        "Auto-attention masquée : chaque token de la traduction recueille de l'information de lui-même et des tokens "
        "précédents.",
    ),
    "overview.about_cross_attention": (
        "Cross-attention: queries come from the decoder, keys and values from the encoder's result. Here the decoder "
        "looks at the source.",
        "交叉注意力：查询来自解码器，键和值来自编码器的结果。解码器在这里看源句。",
        "Attention croisée : les requêtes viennent du décodeur, les clés et les valeurs du résultat de l'encodeur. "
        "C'est ici que le décodeur regarde la source.",
    ),
    "overview.about_feed_forward": (
        "Feed-forward: a small network applied to each token by itself, with the same parameters at every position.",
        "前馈网络：对每个词元单独使用的小网络，各个位置参数相同。",
        "Feed-forward : un petit réseau appliqué à chaque token seul, avec les mêmes paramètres à toutes les "
        "positions.",
    ),
    "overview.about_embedding": (
        "Each token's number selects a row of the embedding table; the vector of its position is added. The table "
        "may come from another model (pretrained embeddings); here it was learned together with the rest.",
        "每个词元的编号选出词嵌入表的一行，再加上位置向量。这张表可以来自别的模型（预训练词嵌入）；这里是和其他部分一起学的。",
        "Le numéro de chaque token désigne une ligne de la table des plongements ; on y ajoute le vecteur de sa "
        "position. Cette table peut venir d'un autre modèle (plongements préentraînés) ; ici elle a été apprise avec "
        "le reste.",
    ),
    "overview.about_memory": (
        "One vector for each source token. Every decoder layer makes its own keys and values from them.",
        "每个源词元一个向量。每个解码器层由它们得出自己的键和值。",
        "Un vecteur par token source. Chaque couche du décodeur en tire ses propres clés et valeurs.",
    ),
    "overview.about_output": (
        "A score for every token of the vocabulary, turned into probabilities by a softmax: one classification per "
        "step. Many models use the embedding table again as output matrix (weight tying).",
        "为词表里的每个词元打分，用 softmax 变成概率：每一步是一次分类。许多模型把词嵌入表再用作输出矩阵（权重共享）。",
        "Un score pour chaque token du vocabulaire, changé en probabilités par un softmax : une classification par "
        "étape. Beaucoup de modèles réutilisent la table des plongements comme matrice de sortie (partage des poids).",
    ),
    "overview.head": (
        "Head {head}: the largest weight of a row is {share} on average. Click to look inside.",
        "第 {head} 头：每行最大权重平均为 {share}。单击可看内部。",
        "Tête {head} : le plus grand poids d'une ligne vaut {share} en moyenne. Cliquez pour voir l'intérieur.",
    ),
    "overview.head_at": (
        "Head {head}: largest weight {share}, on “{token}”. Click to look inside.",
        "第 {head} 头：最大权重 {share}，在“{token}”上。单击可看内部。",
        "Tête {head} : plus grand poids {share}, sur « {token} ». Cliquez pour voir l'intérieur.",
    ),
    "overview.kinds_title": ("Other kinds of attention", "其他种类的注意力", "D'autres sortes d'attention"),
    "overview.kinds": (
        "A Transformer uses soft, global attention, usually with several heads. Other kinds exist:\n\n- **Hard** attention takes one "
        "value only: Laboratory → Scoring → Soft and hard.\n- **Local** attention looks at a window around a "
        "position; a convolution does the same with fixed weights. There is no example here.\n- **Multi-dimensional** "
        "attention gives each dimension of a value its own weight. There is no example here.\n- **Hierarchical** "
        "attention first weighs words in a sentence, then sentences in a text. There is no example here.\n- **Memory "
        "networks** attend to stored facts several times in a row. There is no example here.\n- **Pointer networks** "
        "use the weights themselves as output: the answer is the position they point to. There is no example here.",
        "Transformer 使用软性的、全局的注意力，通常有多个头。还有其他种类：\n\n- **硬**注意力只取一个值：见“实验室 → 打分函数 → 软注意力与硬注意力”。\n- "
        "**局部**注意力只看某个位置周围的窗口；卷积做的是同样的事，只是权重固定。这里没有例子。\n- **多维**注意力给值的每一维各自的权重。这里没有例子。\n- "
        "**层级**注意力先给句中的词加权，再给文中的句子加权。这里没有例子。\n- **记忆网络**多次关注存储的事实。这里没有例子。\n- **指针网络**把权重本身作为输出：答案就是它所指的位置。这里没有例子。",
        "Un Transformer utilise une attention douce et globale, le plus souvent à plusieurs têtes. Il en existe d'autres :\n\n- L'attention "
        "**dure** ne prend qu'une valeur : Laboratoire → Fonctions de score → Douce et dure.\n- L'attention "
        "**locale** regarde une fenêtre autour d'une position ; une convolution fait de même avec des poids fixes. "
        "Pas d'exemple ici.\n- L'attention **multidimensionnelle** donne à chaque dimension d'une valeur son propre "
        "poids. Pas d'exemple ici.\n- L'attention **hiérarchique** pondère d'abord les mots d'une phrase, puis les "
        "phrases d'un texte. Pas d'exemple ici.\n- Les **réseaux à mémoire** consultent plusieurs fois des faits "
        "stockés. Pas d'exemple ici.\n- Les **réseaux à pointeur** ont les poids eux-mêmes pour sortie : la réponse "
        "est la position qu'ils désignent. Pas d'exemple ici.",
    ),
}
