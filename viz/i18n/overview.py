"""Words of the map of the whole model."""

STRINGS: dict[str, tuple[str, ...]] = {
    "overview.label": ("Map of the model", "模型结构图", "Carte du modèle"),
    "overview.lead": (
        "Follow the token that is being predicted:",
        "跟踪正在预测的词元：",
        "Suivez le token en cours de prédiction :",
    ),
    "overview.step": ("Token being predicted", "正在预测的词元", "Token en cours de prédiction"),
    "overview.read": (
        "From bottom to top: the encoder turns the source into vectors; the decoder reads them (dashed) and the "
        "translation so far, and predicts “{predicted}”. Each small square is a head; the stronger its colour, the "
        "larger its largest weight. Click a word to follow it.",
        "从下往上读：编码器把源句变成向量；解码器读这些向量（虚线）和已有的译文，预测“{predicted}”。每个小方块是一个头：颜色越浓，它的最大权重越大。单击一个词即可跟踪它。",
        "De bas en haut : l'encodeur transforme la source en vecteurs ; le décodeur les lit (tirets) avec le début de la "
        "traduction, et prédit « {predicted} ». Chaque petit carré est une tête : plus il est coloré, plus son plus "
        "grand poids est grand. Cliquez sur un mot pour le suivre.",
    ),
    "overview.follow": ("Follow “{token}”", "跟踪“{token}”", "Suivre « {token} »"),
    "overview.hint": (
        "Point at a part to read what it does; click to open it.",
        "指向一个部分可看它的作用；单击可打开。",
        "Pointez une partie pour lire ce qu'elle fait ; cliquez pour l'ouvrir.",
    ),
    "overview.lead_encoder": ("Follow a token:", "跟踪一个词元：", "Suivez un token :"),
    "overview.read_encoder": (
        "From bottom to top: each layer lets every token collect information from all the others, then works on each by "
        "itself. The small squares are the heads; the stronger the colour, the larger the largest weight of “{token}”. "
        "Click a word to follow it.",
        "从下往上读：每一层先让每个词元从其他所有词元收集信息，再单独加工每个词元。小方块是头：颜色越浓，“{token}”的最大权重越大。单击一个词即可跟踪它。",
        "De bas en haut : chaque couche laisse chaque token recueillir de l'information de tous les autres, puis le "
        "travaille seul. Les petits carrés sont les têtes : plus la couleur est forte, plus le plus grand poids de "
        "« {token} » est grand. Cliquez sur un mot pour le suivre.",
    ),
    "overview.read_decoder": (
        "From bottom to top: at “{token}” each layer collects information from this token and those before it; the last "
        "layer's vector predicts “{predicted}”. The small squares are the heads; the stronger the colour, the larger "
        "their largest weight. Click a word to follow it.",
        "从下往上读：在“{token}”处，每一层从它和它前面的词元收集信息；最后一层的向量预测出“{predicted}”。小方块是头：颜色越浓，最大权重越大。单击一个词即可跟踪它。",
        "De bas en haut : à « {token} », chaque couche recueille de l'information de ce token et des précédents ; le vecteur "
        "de la dernière prédit « {predicted} ». Les petits carrés sont les têtes : plus la couleur est forte, plus leur "
        "plus grand poids est grand. Cliquez sur un mot pour le suivre.",
    ),
    "overview.read_prompt": (
        "From bottom to top: at “{token}” each layer collects information from this token and those before it. Your text "
        "goes on with “{predicted}”; above the stack is what the model expected. The small squares are the heads; the "
        "stronger the colour, the larger their largest weight. Click a word to follow it.",
        "从下往上读：在“{token}”处，每一层从它和它前面的词元收集信息。你的文本接下来是“{predicted}”；最上面是模型预期的词元。小方块是头：颜色越浓，最大权重越大。单击一个词即可跟踪它。",
        "De bas en haut : à « {token} », chaque couche recueille de l'information de ce token et des précédents. Votre texte "
        "continue par « {predicted} » ; en haut, ce que le modèle attendait. Les petits carrés sont les têtes : plus la "
        "couleur est forte, plus leur plus grand poids est grand. Cliquez sur un mot pour le suivre.",
    ),
    "overview.encoder_alone": ("Encoder: reads the text", "编码器：读文本", "Encodeur : lit le texte"),
    "overview.decoder_alone": (
        "Decoder: reads the text and continues it",
        "解码器：读文本并续写",
        "Décodeur : lit le texte et le continue",
    ),
    "overview.text_alone": ("text so far", "已有文本", "texte jusqu'ici"),
    "overview.tokens_alone": ("tokens of the text", "文本的词元", "tokens du texte"),
    "overview.attention_alone": ("Self-attention", "自注意力", "Auto-attention"),
    "overview.masked_alone": ("Masked self-attention", "带掩码的自注意力", "Auto-attention masquée"),
    "overview.embedding_alone": ("Embedding", "词嵌入", "Plongement"),
    "overview.vectors": ("One vector for each token", "每个词元一个向量", "Un vecteur par token"),
    "overview.masked_output": (
        "Masked-LM head, softmax → hidden tokens",
        "掩码语言模型头，softmax → 被遮词元",
        "Tête masquée, softmax → tokens cachés",
    ),
    "overview.about_attention_alone": (
        "Self-attention: each token collects information from all tokens of the text. Click to see its heads in Explore.",
        "自注意力：每个词元从文本的所有词元收集信息。单击可在“探索”中看各个头。",
        "Auto-attention : chaque token recueille de l'information de tous les tokens du texte. Cliquez pour voir ses têtes "
        "dans Explorer.",
    ),
    "overview.about_masked_alone": (
        "Masked self-attention: each token collects information from itself and the tokens before it. Click to see its "
        "heads in Explore.",
        "带掩码的自注意力：每个词元从自己和前面的词元收集信息。单击可在“探索”中看各个头。",
        "Auto-attention masquée : chaque token recueille de l'information de lui-même et des tokens précédents. Cliquez "
        "pour voir ses têtes dans Explorer.",
    ),
    "overview.about_embedding_alone": (
        "Each token's number selects a row of the embedding table. No vector of positions is added: this model uses "
        "positions inside attention. Click to see how.",
        "每个词元的编号选出词嵌入表的一行。这里不加位置向量：该模型在注意力内部使用位置。单击可看如何使用。",
        "Le numéro de chaque token désigne une ligne de la table des plongements. Aucun vecteur de position n'est ajouté : "
        "ce modèle emploie les positions dans l'attention. Cliquez pour voir comment.",
    ),
    "overview.about_vectors": (
        "What the encoder returns: one vector for each token, which further programs use. Click to see all heads.",
        "编码器的输出：每个词元一个向量，供其他程序使用。单击可看所有的头。",
        "Ce que rend l'encodeur : un vecteur par token, dont se servent d'autres programmes. Cliquez pour voir toutes les "
        "têtes.",
    ),
    "overview.about_masked_output": (
        "A score for every token of the vocabulary in each place. The model was trained to predict tokens that were "
        "hidden; click to hide one.",
        "在每个位置为词表里的每个词元打分。训练时它要预测被遮住的词元；单击可遮住一个。",
        "Un score pour chaque token du vocabulaire, à chaque place. Le modèle a été entraîné à prédire des tokens cachés ; "
        "cliquez pour en cacher un.",
    ),
    "overview.says_next": (
        "The layers run once over the text so far, and predict “{word}”.",
        "各层把已有文本运行一遍，预测出“{word}”。",
        "Les couches parcourent une fois le texte et prédisent « {word} ».",
    ),
    "overview.run": ("Run the model", "运行模型", "Faire tourner le modèle"),
    "overview.pause": ("Pause", "暂停", "Pause"),
    "overview.says_encoder": (
        "The encoder reads all words at once, layer by layer.",
        "编码器一层一层地同时读入所有的词。",
        "L'encodeur lit tous les mots à la fois, couche après couche.",
    ),
    "overview.says_bridge": (
        "Its result crosses the bridge to the cross-attention of every decoder layer.",
        "它的结果经过桥，送到每个解码器层的交叉注意力。",
        "Son résultat passe le pont vers l'attention croisée de chaque couche du décodeur.",
    ),
    "overview.says_word": (
        "The decoder runs once, from what is written so far, and predicts “{word}”.",
        "解码器从已写出的部分出发运行一次，预测出“{word}”。",
        "Le décodeur tourne une fois, à partir de ce qui est déjà écrit, et prédit « {word} ».",
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
    "overview.feed_forward": ("Feed-forward", "前馈网络", "Réseau feed-forward"),
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
        "may come from another model (pretrained embeddings). In en-fr it was trained together with the rest. In "
        "en-de and en-zh many tokens began with the embedding that they had in an earlier en-fr.",
        "每个词元的编号选出词嵌入表的一行，再加上位置向量。这张表可以来自别的模型（预训练词嵌入）。en-fr 的表和其他部分一起训练；在 en-de 和 en-zh 里，许多词元以它们在较早的 en-fr 里的词嵌入为起点。",
        "Le numéro de chaque token désigne une ligne de la table des plongements ; on y ajoute le vecteur de sa "
        "position. Cette table peut venir d'un autre modèle (plongements préentraînés). Dans en-fr, elle a été "
        "entraînée avec le reste ; dans en-de et en-zh, beaucoup de tokens sont partis du plongement qu'ils "
        "avaient dans un en-fr antérieur.",
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
        "Un score pour chaque token du vocabulaire, transformé en probabilités par un softmax : une classification par "
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
    "overview.sharing_title": ("Which weights are shared", "哪些权重是共享的", "Quels poids sont partagés"),
    "overview.sharing_elsewhere": (
        "The weights of this model are held by another library, so they are not compared here.",
        "此模型的权重由另一个库管理，这里不作比较。",
        "Les poids de ce modèle sont gérés par une autre bibliothèque ; ils ne sont pas comparés ici.",
    ),
    "overview.sharing_three": (
        "**Weight tying.** One table of {n} numbers is used three times: for the tokens of the source, for the "
        "tokens of the translation, and as the output matrix. In the input, a token's row is its embedding. In the "
        "output, the dot product of the decoder's vector with this row is the token's score.",
        "**权重共享（weight tying）**：一张 {n} 个数的表用了三次：查源句的词元，查译文的词元，还兼作输出矩阵。一个词元的那一行，输入时是它的词嵌入；输出时，解码器的向量与这一行的点积就是这个词元的分数。",
        "**Partage des poids (weight tying).** Une table de {n} nombres sert trois fois : pour les tokens de la source, pour "
        "ceux de la traduction, et comme matrice de sortie. La ligne d'un token est son plongement à l'entrée ; à la sortie, "
        "le produit scalaire du vecteur du décodeur avec cette ligne est le score du token.",
    ),
    "overview.sharing_two": (
        "**Weight tying.** One table of {n} numbers is used twice: for the tokens of the translation and as the "
        "output matrix. The source has a table of its own. In the output, the dot product of the decoder's vector "
        "with a token's row is the token's score.",
        "**权重共享（weight tying）**：一张 {n} 个数的表用了两次：查译文的词元，并兼作输出矩阵。源句另有一张表。输出时，解码器的向量与某个词元那一行的点积就是它的分数。",
        "**Partage des poids (weight tying).** Une table de {n} nombres sert deux fois : pour les tokens de la traduction et "
        "comme matrice de sortie. La source a sa propre table. À la sortie, le produit scalaire du vecteur du décodeur avec "
        "la ligne d'un token est son score.",
    ),
    "overview.sharing_one": (
        "**No weight tying.** In this model the output matrix is a table of its own, beside the {n} numbers of the "
        "embeddings. Many other models use one table for both.",
        "**不共享权重**：此模型的输出矩阵是单独的一张表，与词嵌入的 {n} 个数无关。许多别的模型两处共用一张表。",
        "**Pas de partage.** Dans ce modèle, la matrice de sortie est une table à part, à côté des {n} nombres des "
        "plongements. Beaucoup d'autres modèles n'ont qu'une table pour les deux.",
    ),
    "overview.sharing_scale": (
        "The two uses need different scales. The entries of the table begin with a standard deviation of 1/√d_model "
        "= {unit} (after training: {now}). In the input they are multiplied by {input_scale}; otherwise they would "
        "be small beside the position vectors. In the output a score is a sum of d_model products; because the "
        "entries are of size 1/√d_model, the scores stay of size 1 (standard deviation {logits} for the first token "
        "here). With entries of size 1 it would be about {without}, and the softmax would put nearly everything on "
        "one token. A model whose entries begin with size 1 therefore multiplies its output by 1/√d_model. The "
        "factor here is {output_scale}.",
        "两种用途需要不同的大小。表中的数一开始的标准差是 1/√d_model = {unit}（训练后为 {now}）。输入时要乘以 {input_scale}，否则与位置向量相比太小。输出时，一个分数是 "
        "d_model 个乘积的和；因为表中的数约为 1/√d_model，分数的大小保持在 1 左右（这里第一个词元的标准差为 {logits}）。如果表中的数约为 1，标准差就会是 {without} "
        "左右，softmax 会把几乎全部概率给一个词元。所以，初始值大小为 1 的模型会把输出乘以 1/√d_model。这里的系数是 {output_scale}。",
        "Les deux usages demandent des échelles différentes. Les nombres de la table ont au départ un écart type de "
        "1/√d_model = {unit} (après l'entraînement : {now}). À l'entrée, on les multiplie par {input_scale}, sinon "
        "ils seraient petits à côté des vecteurs de position. À la sortie, un score est une somme de d_model "
        "produits ; comme les nombres sont de l'ordre de 1/√d_model, les scores restent de l'ordre de 1 (écart type "
        "{logits} pour le premier token ici). Avec des nombres de l'ordre de 1, cet écart type serait d'environ "
        "{without}, et le softmax mettrait presque tout sur un seul token. Un modèle dont les nombres sont au "
        "départ de l'ordre de 1 multiplie donc sa sortie par 1/√d_model. Le facteur est ici {output_scale}.",
    ),
    "overview.sharing_pretrained": (
        "The table may also be taken from another model (**pretrained embeddings**, such as word2vec or GloVe) and then "
        "kept or trained further. This helps when there is little training text.",
        "这张表也可以取自别的模型（**预训练词嵌入**，如 word2vec 或 GloVe），然后固定不变或继续训练。训练文本很少时，这样做有帮助。",
        "La table peut aussi venir d'un autre modèle (**plongements préentraînés**, comme word2vec ou GloVe), puis rester "
        "fixe ou continuer à apprendre. Cela aide quand il y a peu de texte d'entraînement.",
    ),
    "overview.sharing_layers": (
        "**Layers share no weights.** They have the same structure, but each has its own weights. The table compares "
        "W_Q of the encoder's layers: 1 would be the same matrix, 0 means no similarity.",
        "**各层不共享权重**：它们结构相同，但各有自己的权重。下表比较编码器各层的 W_Q：1 表示同一个矩阵，0 表示毫不相似。",
        "**Les couches ne partagent aucun poids.** Elles ont la même structure, mais chacune a ses propres poids. Le "
        "tableau compare W_Q dans les couches de l'encodeur : 1 serait la même matrice, 0 veut dire aucune "
        "ressemblance.",
    ),
    "overview.sharing_layer": ("layer {layer}", "第 {layer} 层", "couche {layer}"),
    "overview.kinds_title": ("Other kinds of attention", "其他种类的注意力", "D'autres sortes d'attention"),
    "overview.kinds": (
        "A Transformer uses soft, global attention, usually with several heads. Other kinds exist:\n\n- **Hard** attention takes one "
        "value only: Laboratory → Scoring → Soft and hard.\n- **Local** attention looks at a window around a "
        "position; a convolution does the same with fixed weights: Laboratory → Scoring → Convolution.\n- "
        "**Multi-dimensional** attention gives each dimension of a value its own weight. There is no example here.\n- **Hierarchical** "
        "attention first weighs words in a sentence, then sentences in a text. There is no example here.\n- **Memory "
        "networks** attend to stored facts several times in a row. There is no example here.\n- **Pointer networks** "
        "use the weights themselves as output: the answer is the position they point to. There is no example here.",
        "Transformer 用的是软注意力，也是全局注意力，通常有多个头。还有其他种类：\n\n- **硬**注意力只取一个值：见“实验室 → 打分函数 → 软注意力与硬注意力”。\n- **局部**注意力只看某个位置周围的窗口；卷积做的是同样的事，只是权重固定：见“实验室 → 打分函数 → 卷积”。\n- **多维**注意力给值的每一维各自的权重。这里没有例子。\n- **层级**注意力先给句中的词加权，再给文中的句子加权。这里没有例子。\n- **记忆网络**多次查看存储的事实。这里没有例子。\n- **指针网络**把权重本身作为输出：答案就是它所指的位置。这里没有例子。",
        "Un Transformer utilise une attention douce et globale, le plus souvent à plusieurs têtes. Il en existe d'autres :\n\n- L'attention "
        "**dure** ne prend qu'une valeur : Laboratoire → Fonctions de score → Douce et dure.\n- L'attention "
        "**locale** regarde une fenêtre autour d'une position ; une convolution fait de même avec des poids fixes : "
        "Laboratoire → Fonctions de score → Convolution.\n- L'attention **multidimensionnelle** donne à chaque dimension d'une valeur son propre "
        "poids. Pas d'exemple ici.\n- L'attention **hiérarchique** pondère d'abord les mots d'une phrase, puis les "
        "phrases d'un texte. Pas d'exemple ici.\n- Les **réseaux à mémoire** consultent plusieurs fois des faits "
        "stockés. Pas d'exemple ici.\n- Les **réseaux à pointeur** ont les poids eux-mêmes pour sortie : la réponse "
        "est la position qu'ils désignent. Pas d'exemple ici.",
    ),
}
