"""Words of the page about positions."""

STRINGS: dict[str, tuple[str, ...]] = {
    "positions.part": ("Part", "部分", "Partie"),
    "positions.part_table": ("The table", "位置表", "La table"),
    "positions.part_waves": ("Waves", "波", "Ondes"),
    "positions.part_vector": ("One position", "一个位置", "Une position"),
    "positions.part_dot": ("Near and far", "远近", "Près et loin"),
    "positions.part_rotation": ("A step is a rotation", "一步就是一次旋转", "Une position de plus, une rotation"),
    "positions.part_layout": ("Two layouts", "两种排列", "Deux dispositions"),
    "positions.part_learned": ("Learned", "学得的", "Apprises"),
    "positions.part_beyond": ("Beyond training length", "超出训练长度", "Au-delà des longueurs apprises"),
    "positions.part_sentence": ("Your sentence", "你的句子", "Votre phrase"),
    "positions.part_shuffle": ("Shuffle", "打乱词序", "Mélanger"),
    "positions.read_table": (
        "Each row is the vector that is added to the token at that position. In this layout the dimensions on the "
        "left change fast from row to row, those on the right slowly.",
        "每一行是加到该位置词元上的向量。在这种排列里，左边的维度逐行变化快，右边的变化慢。",
        "Chaque ligne est le vecteur ajouté au token de cette position. Dans cette disposition, les dimensions de "
        "gauche changent vite d'une ligne à l'autre, celles de droite lentement.",
    ),
    "positions.read_waves": (
        "Dimensions come in pairs: a sine and a cosine of the same wavelength. Fast pairs tell neighbours apart, "
        "slow pairs tell the beginning from the end.",
        "维度成对出现：同一波长的正弦和余弦。变化快的一对区分相邻位置，变化慢的一对区分开头和结尾。",
        "Les dimensions vont par paires : un sinus et un cosinus de même longueur d'onde. Les paires rapides "
        "distinguent les voisins, les lentes distinguent le début de la fin.",
    ),
    "positions.read_vector": (
        "The vector of one position. Read it like the hands of many clocks: each pair of dimensions is one hand.",
        "一个位置的向量。可以把它看作许多只钟的指针：每一对维度是一根指针。",
        "Le vecteur d'une position. Lisez-le comme les aiguilles de nombreuses horloges : chaque paire de dimensions "
        "est une aiguille.",
    ),
    "positions.read_dot": (
        "The dot product of two position vectors depends only on their distance. It is largest at distance 0.",
        "两个位置向量的点积只取决于它们相距多远，距离为 0 时最大。",
        "Le produit scalaire de deux vecteurs de position ne dépend que de leur distance. Il est maximal à la "
        "distance 0.",
    ),
    "positions.read_rotation": (
        "To go k positions further, rotate each pair by a fixed angle. The same rotation works from every position.",
        "向后移动 k 个位置，就是把每一对旋转一个固定角度；从任何位置出发，旋转都相同。",
        "Pour avancer de k positions, tournez chaque paire d'un angle fixe. La même rotation convient à toutes les "
        "positions.",
    ),
    "positions.read_layout": (
        "The same numbers in another order. All dot products are equal, so no information is lost, but weights "
        "trained with one layout do not work with the other.",
        "同样的数，排列次序不同。所有点积都相等，信息没有丢失；但用一种排列训练的权重，换成另一种就不能用。",
        "Les mêmes nombres dans un autre ordre. Tous les produits scalaires sont égaux, donc rien n'est perdu ; mais "
        "des poids appris avec une disposition ne marchent pas avec l'autre.",
    ),
    "positions.read_learned": (
        "Some models learn the table. The map shows how similar every two positions are: the pattern of the sines is "
        "given by the formula, the other was learned.",
        "有些模型学习这张表。图中显示每两个位置有多相似：正弦的图案由公式决定，另一个是学出来的。",
        "Certains modèles apprennent cette table. La carte montre la ressemblance de chaque paire de positions : le "
        "motif des sinus est donné par la formule, l'autre a été appris.",
    ),
    "positions.read_beyond": (
        "The formula works for any position, but training stopped at a certain length. Here the same sentence is "
        "moved to later positions: how probable does the model still find its own translation?",
        "公式适用于任何位置，但训练只到一定长度。这里把同一句话移到更靠后的位置：模型还认为自己的译文有多大概率？",
        "La formule vaut pour toute position, mais l'entraînement s'est arrêté à une certaine longueur. Ici la même "
        "phrase est placée plus loin : quelle probabilité le modèle donne-t-il encore à sa propre traduction ?",
    ),
    "positions.read_sentence": (
        "The embedding (what the token is) and the position vector (where it stands) are added into one vector.",
        "词嵌入（是什么词元）与位置向量（在什么位置）相加，成为一个向量。",
        "Le plongement (quel token) et le vecteur de position (à quelle place) sont additionnés en un seul vecteur.",
    ),
    "positions.read_shuffle": (
        "The words are shuffled, then the results are put back in order to compare. Without positions nothing has "
        "changed.",
        "先打乱词序，再把结果排回原序以便比较。没有位置时，结果毫无变化。",
        "Les mots sont mélangés, puis les résultats remis en ordre pour comparer. Sans positions, rien n'a changé.",
    ),
    "positions.why": ("Why?", "为什么？", "Pourquoi ?"),
    "positions.why_table": (
        "Attention treats its input as a set. To tell “dog bites man” from “man bites dog”, each token must carry "
        "its position. The numbers 0, 1, 2… would grow without bound and become larger than the embedding; binary "
        "digits would jump. Sines stay between −1 and 1 and change smoothly. In dimensions 2i and 2i + 1 the value "
        "is sin and cos of pos / 10000^(2i/d). In this layout position 0 is always 0, 1, 0, 1, …",
        "注意力把输入当作集合。要区分“狗咬人”和“人咬狗”，每个词元必须带上位置。用 0、1、2……会无限增大，超过词嵌入；用二进制数字会跳变。正弦始终在 −1 与 1 之间，变化平滑。第 2i 维和第 2i + 1 "
        "维分别是 pos / 10000^(2i/d) 的正弦和余弦，在这种排列里，位置 0 总是 0, 1, 0, 1, …。",
        "L'attention traite son entrée comme un ensemble. Pour distinguer « le chien mord l'homme » de « l'homme "
        "mord le chien », chaque token doit porter sa position. Les nombres 0, 1, 2… grandiraient sans limite et "
        "dépasseraient le plongement ; des chiffres binaires feraient des sauts. Les sinus restent entre −1 et 1 et "
        "varient en douceur. Dans les dimensions 2i et 2i + 1 se trouvent le sinus et le cosinus de pos / "
        "10000^(2i/d). Dans cette disposition, la position 0 est toujours 0, 1, 0, 1, …",
    ),
    "positions.why_waves": (
        "Wavelengths grow by a constant factor from 2π to nearly 10,000 · 2π. A slow pair alone hardly distinguishes "
        "position 5 from 6. The fastest pair alone hardly distinguishes 5 from 49, because 44 radians are almost "
        "exactly seven full turns. Together the pairs give every position a vector of its own.",
        "波长按固定比例从 2π 增大到接近 10000·2π。只用一对变化慢的维度，几乎分不清位置 5 和 6。只用变化最快的一对，几乎分不清 5 和 49，因为 44 "
        "弧度几乎正好是七整圈。所有维度合在一起，每个位置的向量都不同。",
        "Les longueurs d'onde croissent d'un facteur constant, de 2π à près de 10 000 · 2π. Une paire lente seule "
        "distingue à peine la position 5 de la 6. La paire la plus rapide seule distingue à peine 5 de 49, car 44 "
        "radians font presque exactement sept tours. Ensemble, les paires donnent à chaque position son propre "
        "vecteur.",
    ),
    "positions.why_vector": (
        "Move the slider by one: the left of the picture changes, the right hardly does. So neighbouring positions "
        "have similar vectors, and yet no two are equal.",
        "把滑块移动一格：左边变了，右边几乎不变。所以相邻位置的向量相似，但没有两个相同。",
        "Déplacez le curseur d'un cran : la gauche change, la droite à peine. Des positions voisines ont donc des "
        "vecteurs semblables, mais jamais égaux.",
    ),
    "positions.why_dot": (
        "At distance 0 all cosines are 1 and add up to d/2. One step away the fast pairs have already rotated; "
        "further on they point in all directions and cancel, and only the slow pairs still agree. So the sum falls "
        "steeply at first, then slowly, with small waves from the fast pairs.",
        "距离为 0 时，所有余弦都是 1，和为 d/2。走一步，变化快的几对已经转开；再远，它们指向各个方向，互相抵消，只有变化慢的仍然一致。所以和先陡后缓地下降，带有变化快的几对造成的小波纹。",
        "À la distance 0, tous les cosinus valent 1 et leur somme est d/2. Un pas plus loin, les paires rapides ont "
        "déjà tourné ; plus loin encore, elles pointent partout et s'annulent, et seules les lentes s'accordent. La "
        "somme chute donc vite, puis lentement, avec de petites ondulations dues aux paires rapides.",
    ),
    "positions.why_rotation": (
        "A rotation is a linear map, and W_Q and W_K are linear maps too. So a head can learn “three positions to "
        "the left” once for all positions. The paper gives this as its reason for sines, and rotary positions (RoPE) "
        "grew out of the same idea.",
        "旋转是线性映射，W_Q 和 W_K 也是线性映射。所以一个头只需学会一次“左边第三个位置”，就能用于所有位置。论文选用正弦的理由正在于此，后来的旋转位置编码（RoPE）也来自同一想法。",
        "Une rotation est une application linéaire, W_Q et W_K aussi. Une tête peut donc apprendre « trois positions "
        "à gauche » une fois pour toutes les positions. C'est la raison que l'article donne pour les sinus, et les positions "
        "rotatives (RoPE) viennent de la même idée.",
    ),
    "positions.why_layout": (
        "The paper alternates sine and cosine; fairseq and Marian put all sines first. If a checkpoint is opened "
        "with the wrong layout, no other check fails, but the model becomes less certain and many translations are "
        "wrong.",
        "论文让正弦和余弦交替排列；fairseq 和 Marian 把正弦全放在前面。用错误的排列打开检查点，其他检查都看不出问题，但模型的把握变小，许多译文是错的。",
        "L'article alterne sinus et cosinus ; fairseq et Marian mettent tous les sinus d'abord. Si l'on ouvre un "
        "checkpoint avec la mauvaise disposition, aucun autre contrôle n'échoue, mais le modèle devient moins sûr "
        "et bien des traductions sont fausses.",
    ),
    "positions.why_learned": (
        "A learned table can adapt to the data, but it has an end: a table of 512 rows has none for the next "
        "position. The paper tried both and found nearly the same quality.",
        "学得的表能适应数据，但有尽头：512 行的表没有下一个位置的行。论文试了两种做法，质量几乎相同。",
        "Une table apprise peut s'adapter aux données, mais elle a une fin : une table de 512 lignes n'en a pas pour "
        "la position suivante. L'article a essayé les deux et trouve une qualité presque égale.",
    ),
    "positions.why_beyond": (
        "The rotation property holds everywhere. But in training every sentence began at position 0 and was short. "
        "Moved further along, its tokens carry position vectors that the model has never met at the beginning of a "
        "sentence, so it is less certain of its translation.",
        "旋转的性质处处成立。但训练时每个句子都从位置 0 开始，而且不长。移到后面，词元带着模型在句首从未见过的位置向量，所以它对译文的把握变小。",
        "La propriété de rotation vaut partout. Mais à l'entraînement, chaque phrase commençait à la position 0 et "
        "restait courte. Déplacés plus loin, les tokens portent des vecteurs de position que le modèle n'a jamais "
        "rencontrés en début de phrase : il est moins sûr de sa traduction.",
    ),
    "positions.why_sentence": (
        "Adding puts meaning and position into the same numbers. They can still be told apart, because in many "
        "dimensions two unrelated vectors are nearly at right angles. The alternative is to concatenate: position "
        "would have its own dimensions, but every matrix would have to be wider. The embedding is multiplied by √d "
        "first, because its numbers are small and the position vector would otherwise be much longer.",
        "相加使词义和位置落在同一组数里。它们仍然可以区分，因为在高维空间里，两个无关的向量几乎互相垂直。另一种做法是拼接：位置有自己的维度，但所有矩阵都要变宽。词嵌入先乘以 √d，因为它的数值小，否则位置向量会比它长得多。",
        "L'addition met le sens et la position dans les mêmes nombres. On peut encore les distinguer, car en grande "
        "dimension deux vecteurs sans rapport sont presque perpendiculaires. L'autre solution est de concaténer : la "
        "position aurait ses propres dimensions, mais chaque matrice devrait être plus large. Le plongement est "
        "d'abord multiplié par √d, car ses nombres sont petits et le vecteur de position serait sinon bien plus long.",
    ),
    "positions.why_shuffle": (
        "A score compares two vectors and does not know where they stand. Without position vectors the same words "
        "give the same scores in any order, so the encoder gives “dog bites man” and “man bites dog” the same vectors, "
        "only in another order.",
        "分数只比较两个向量，不知道它们在什么位置。没有位置向量，同样的词不论次序都得到同样的分数，所以编码器对“狗咬人”和“人咬狗”给出同样的向量，只是次序不同。",
        "Un score compare deux vecteurs sans savoir où ils se trouvent. Sans vecteurs de position, les mêmes mots "
        "donnent les mêmes scores dans n'importe quel ordre : l'encodeur donne donc, dans un autre ordre, les mêmes vecteurs "
        "pour « le chien mord l'homme » et « l'homme mord le chien ».",
    ),
    "positions.dimension": ("dimension", "维度", "dimension"),
    "positions.place": ("position", "位置", "position"),
    "positions.value": ("value", "值", "valeur"),
    "positions.offset": ("distance k", "距离 k", "écart k"),
    "positions.dot": ("PE(pos) · PE(pos + k)", "PE(pos) · PE(pos + k)", "PE(pos) · PE(pos + k)"),
    "positions.pair_cosine": ("pair {pair}", "第 {pair} 对", "paire {pair}"),
    "positions.wave_title": (
        "dimensions {pair}: wavelength {wavelength} positions",
        "第 {pair} 维：波长 {wavelength} 个位置",
        "dimensions {pair} : longueur d'onde {wavelength} positions",
    ),
    "positions.n_positions": ("Positions", "位置数", "Positions"),
    "positions.choose_position": ("Position", "位置", "Position"),
    "positions.choose_offset": ("Step k", "步长 k", "Pas k"),
    "positions.choose_pair": ("Pair", "第几对", "Paire"),
    "positions.rotation_checked": (
        "Checked for all {n} positions and all {d} dimensions: largest difference {error}",
        "已对全部 {n} 个位置、{d} 维核对：最大差 {error}",
        "Vérifié pour {n} positions et {d} dimensions : plus grand écart {error}",
    ),
    "positions.interleaved": (
        "interleaved: sin cos sin cos …",
        "交替：sin cos sin cos …",
        "alternée : sin cos sin cos …",
    ),
    "positions.halves": (
        "halves: sin sin … cos cos …",
        "前后两半：sin sin … cos cos …",
        "par moitiés : sin sin … cos cos …",
    ),
    "positions.this_model": (
        "The model in use has the layout “{kind}”.",
        "当前模型的排列是“{kind}”。",
        "Le modèle utilisé a la disposition « {kind} ».",
    ),
    "positions.kind_interleaved": ("interleaved", "交替", "alternée"),
    "positions.kind_halves": ("halves", "前后两半", "par moitiés"),
    "positions.kind_tensor2tensor": (
        "halves, in tensor2tensor's spacing",
        "前后两半（tensor2tensor 的频率间隔）",
        "par moitiés, avec l'espacement de tensor2tensor",
    ),
    "positions.kind_doubled": (
        "interleaved, exponents doubled",
        "交替（指数加倍）",
        "alternée, exposants doublés",
    ),
    "positions.kind_learned": ("learned", "学得的", "apprise"),
    "positions.kind_relative": ("by distance", "按距离", "selon la distance"),
    "positions.only_distances": (
        "This model adds no vectors of positions. Each head adds to a score a number that depends on how far apart the "
        "two tokens are, so only distances count: see “Inside a head”, step “÷ √d”.",
        "这个模型不加位置向量。每个头在分数上加一个数，它只取决于两个词元相距多远；见“注意力头内部”页的“÷ √d”一步。",
        "Ce modèle n'ajoute pas de vecteurs de position. Chaque tête ajoute au score un nombre qui dépend de la distance "
        "entre les deux tokens ; seules les distances comptent : voir « Intérieur d'une tête », étape « ÷ √d ».",
    ),
    "positions.kind_none": ("no positions", "无位置", "sans positions"),
    "positions.layout_equal": (
        "Largest difference between the dot products of the two layouts: {error}",
        "两种排列的点积最大差：{error}",
        "Plus grand écart entre les produits scalaires des deux dispositions : {error}",
    ),
    "positions.sinusoidal": ("sinusoidal", "正弦", "sinusoïdales"),
    "positions.learned_of": ("learned, {name}", "学得的，{name}", "apprises, {name}"),
    "positions.no_learned": (
        "No model with learned positions is open. Open one on the page Checkpoints (BART and models like it learn "
        "theirs), or choose it above; its table appears here beside the sines.",
        "打开的模型里没有一个是自己学习位置的。请在“检查点”页打开一个这样的模型（例如 BART），或在上方选择；它的表会显示在正弦表旁边。",
        "Aucun modèle à positions apprises n'est ouvert. Ouvrez-en un à la page Checkpoints (BART et les modèles "
        "semblables), ou choisissez-le ci-dessus ; sa table apparaîtra ici à côté des sinus.",
    ),
    "positions.no_positions": (
        "This model adds no positions.",
        "此模型不加位置。",
        "Ce modèle n'ajoute pas de positions.",
    ),
    "positions.shift": (
        "positions by which the source is moved",
        "源句后移的位置数",
        "décalage de la phrase source (en positions)",
    ),
    "positions.log_prob": (
        "mean log p of the translation",
        "译文的平均 log p",
        "log p moyen de la traduction",
    ),
    "positions.table_end": ("end of the stored table", "存储的表到此为止", "fin de la table stockée"),
    "positions.embedding": ("embedding", "词嵌入", "plongement"),
    "positions.added": ("position", "位置", "position"),
    "positions.sum": ("sum", "和", "somme"),
    "positions.norms": (
        "Mean length of a vector: embedding {embedding:.1f}, position {position:.1f}.",
        "向量平均长度：词嵌入 {embedding:.1f}，位置 {position:.1f}。",
        "Longueur moyenne d'un vecteur : plongement {embedding:.1f}, position {position:.1f}.",
    ),
    "positions.concatenated": (
        "Added, each token keeps {d} numbers, and W_Q, W_K and W_V of a layer hold {added}. Concatenated, it would have "
        "{wide} numbers, and they would hold {concatenated}.",
        "相加时，每个词元仍是 {d} 个数，一层的 W_Q、W_K、W_V 共 {added} 个数。拼接时，每个词元有 {wide} 个数，它们共 {concatenated} 个数。",
        "Additionnés, chaque token garde {d} nombres, et les W_Q, W_K et W_V d'une couche en ont {added}. Concaténés, il en "
        "aurait {wide}, et elles en auraient {concatenated}.",
    ),
    "positions.with_in_order": ("with positions", "有位置", "avec positions"),
    "positions.with_shuffled": ("with positions, words shuffled", "有位置，词序打乱", "avec positions, mots mélangés"),
    "positions.without_in_order": ("without positions", "无位置", "sans positions"),
    "positions.without_shuffled": (
        "without positions, words shuffled",
        "无位置，词序打乱",
        "sans positions, mots mélangés",
    ),
    "positions.shuffled_to": ("The encoder reads: {text}", "编码器读到：{text}", "L'encodeur lit : {text}"),
    "positions.change": (
        "Largest change of any weight in any head: {with_positions:.2f} with positions, {without} without (rounding).",
        "所有头中权重的最大变化：有位置 {with_positions:.2f}，无位置 {without}（舍入误差）。",
        "Plus grand changement d'un poids, toutes têtes confondues : {with_positions:.2f} avec positions, "
        "{without} sans (arrondi).",
    ),
    "positions.again": ("Shuffle again", "再打乱", "Mélanger encore"),
    "positions.layer": ("Layer {n}", "第 {n} 层", "Couche {n}"),
    "positions.head": ("Head {n}", "第 {n} 头", "Tête {n}"),
    "positions.try": (
        "Try it on the translation: shuffle the model's positions",
        "在译文上试试：打乱模型的位置",
        "Essayez sur la traduction : mélanger les positions du modèle",
    ),
    "positions.only_own": (
        "This model's encoder does not give its attention in a form that can be compared here.",
        "此模型的编码器无法以可比较的形式给出注意力。",
        "L'encodeur de ce modèle ne donne pas son attention sous une forme comparable ici.",
    ),
    "positions.part_rotary": ("Rotary positions", "旋转位置", "Positions rotatives"),
    "positions.part_alibi": ("ALiBi", "ALiBi", "ALiBi"),
    "positions.read_rotary": (
        "This model adds no vectors: each pair of numbers of a query and of a key is turned by position × speed. After "
        "that, a score depends on how far apart the two tokens are, and not on where they stand.",
        "这个模型不加位置向量：查询和键的每一对数都按“位置 × 速度”旋转。旋转之后，分数只取决于两个词元相距多远，而不取决于它们在哪里。",
        "Ce modèle n'ajoute pas de vecteurs : chaque paire de nombres d'une requête et d'une clé tourne de position × vitesse. "
        "Un score dépend alors de la distance entre les deux tokens, et non de leur place.",
    ),
    "positions.why_rotary": (
        "The dot product of two arrows depends on the angle between them. If the query is turned by m·ω and the key by n·ω, "
        "the angle between them changes by (m − n)·ω: only the distance is left. Fast pairs tell neighbours apart; slow "
        "pairs hardly turn and can carry what should not depend on position. The right curve shows a query and an equal "
        "key whose pairs have all the same length; real queries and keys weigh the pairs as they have learned to "
        "(Su et al. 2021).",
        "两个箭头的点积取决于它们的夹角。查询转 m·ω，键转 n·ω，夹角就改变 (m − n)·ω：只剩下距离。快的一对区分相邻位置；慢的一对几乎不转，可以携带与位置无关的内容。右边的曲线是一个查询和一个相同的键，各对长度相等；真实的查询和键按学到的方式给各对不同的分量（Su 等，2021）。",
        "Le produit scalaire de deux flèches dépend de l'angle entre elles. Si la requête tourne de m·ω et la clé de n·ω, "
        "l'angle change de (m − n)·ω : il ne reste que la distance. Les paires rapides distinguent les voisins ; les lentes "
        "tournent à peine et peuvent porter ce qui ne dépend pas de la position. La courbe de droite montre une requête et "
        "une clé égale dont toutes les paires ont la même longueur ; les vraies pondèrent les paires comme elles l'ont "
        "appris (Su et al. 2021).",
    ),
    "positions.read_alibi": (
        "This model adds no vectors: every head takes its slope × distance away from each score. A weight shrinks with "
        "distance, in one head fast, in another slowly.",
        "这个模型不加位置向量：每个头从分数里减去“斜率 × 距离”。距离越远权重越小，有的头减得快，有的头减得慢。",
        "Ce modèle n'ajoute pas de vecteurs : chaque tête retire du score sa pente × la distance. Un poids diminue avec la "
        "distance, vite dans une tête, lentement dans une autre.",
    ),
    "positions.why_alibi": (
        "The slopes are fixed and not trained; in the paper they are powers of one number, so that some heads see only "
        "neighbours and others the whole text. Because nothing is stored for single positions, such a model can read texts "
        "longer than those it was trained on (Press et al. 2022). The factor holds before the row is brought to a sum of 1.",
        "斜率是固定的，不参与训练；论文里它们是同一个数的幂，因此有的头只看邻近词元，有的头看整段文本。由于没有为单个位置存储任何东西，这样的模型可以读比训练时更长的文本（Press 等，2022）。图中的倍数是在把一行归一为 1 之前。",
        "Les pentes sont fixes et non apprises ; dans l'article, ce sont les puissances d'un même nombre, si bien que des "
        "têtes ne voient que les voisins et d'autres tout le texte. Rien n'étant stocké pour une position, un tel modèle peut "
        "lire des textes plus longs que ceux de son entraînement (Press et al. 2022). Le facteur vaut avant que la ligne soit "
        "ramenée à une somme de 1.",
    ),
    "positions.angle": ("angle", "角度", "angle"),
    "positions.pair": ("pair {pair}", "第 {pair} 对", "paire {pair}"),
    "positions.pair_of": ("Pair", "对", "Paire"),
    "positions.step_angle": ("Turn per position", "每个位置转", "Rotation par position"),
    "positions.wavelength": ("Positions for a full turn", "转一整圈的位置数", "Positions par tour complet"),
    "positions.angle_at": ("Angle at position {n}", "位置 {n} 的角度", "Angle à la position {n}"),
    "positions.distance": ("distance between query and key", "查询与键的距离", "distance entre requête et clé"),
    "positions.agreement": (
        "score, as a share of that at distance 0",
        "分数（距离 0 为 1）",
        "score (1 à la distance 0)",
    ),
    "positions.shrinks": ("factor on the weight", "权重的倍数", "facteur sur le poids"),
    "positions.slope": ("Slope", "斜率", "Pente"),
    "positions.halves_after": (
        "The weight is halved every … tokens",
        "每隔多少个词元权重减半",
        "Le poids est divisé par deux tous les … tokens",
    ),
    "positions.partly": (
        "Only the first {n} of a head's {d} numbers are turned; the others do not depend on position.",
        "每个头的 {d} 个数里只有前 {n} 个旋转；其余的与位置无关。",
        "Seuls les {n} premiers des {d} nombres d'une tête tournent ; les autres ne dépendent pas de la position.",
    ),
    "positions.layers": ("Layers", "层", "Couches"),
    "positions.from_layer": (
        "as in layer {n}, base {base}",
        "如第 {n} 层，底数 {base}",
        "comme à la couche {n}, base {base}",
    ),
    "positions.on_a_head": (
        "See it on a query of this text",
        "在这段文本的查询上看",
        "Le voir sur une requête de ce texte",
    ),
}
