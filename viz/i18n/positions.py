"""Words of the page about positions."""

STRINGS: dict[str, tuple[str, str, str]] = {
    "positions.part": ("Part", "部分", "Partie"),
    "positions.part_table": ("The table", "位置表", "La table"),
    "positions.part_waves": ("Waves", "波", "Ondes"),
    "positions.part_vector": ("One place", "一个位置", "Une place"),
    "positions.part_dot": ("Near and far", "远近", "Près et loin"),
    "positions.part_rotation": ("A step is a turn", "一步即一转", "Un pas, une rotation"),
    "positions.part_layout": ("Two layouts", "两种排法", "Deux ordres"),
    "positions.part_learned": ("Learned", "学得的", "Apprises"),
    "positions.part_beyond": ("Further along", "更远处", "Plus loin"),
    "positions.part_sentence": ("Your sentence", "你的句子", "Votre phrase"),
    "positions.part_shuffle": ("Shuffle", "打乱", "Mélanger"),
    "positions.read_table": (
        "Each row is what is added to the word at that place. Left: dimensions that change fast; right: slowly.",
        "每行是加到该处之词上的向量。左边各维变得快，右边变得慢。",
        "Chaque ligne s'ajoute au mot de cette place. À gauche, les dimensions rapides ; à droite, les lentes.",
    ),
    "positions.read_waves": (
        "Dimensions come in pairs, a sine and a cosine of one wavelength. The fast ones tell neighbours apart, the slow "
        "ones tell beginning from end.",
        "各维成对：同一波长的正弦与余弦。快的分清相邻，慢的分清首尾。",
        "Les dimensions vont par paires, sinus et cosinus d'une même longueur d'onde. Les rapides distinguent les "
        "voisins, les lentes le début de la fin.",
    ),
    "positions.read_vector": (
        "The address of one place, like the hands of many clocks read at once.",
        "一个位置的地址，好比同时读许多只钟的指针。",
        "L'adresse d'une place, comme les aiguilles de nombreuses horloges lues ensemble.",
    ),
    "positions.read_dot": (
        "The dot product of two addresses depends only on how far apart they are, and is largest at distance 0.",
        "两个地址的点积只取决于相距多远，距离为 0 时最大。",
        "Le produit scalaire de deux adresses ne dépend que de leur écart ; il est maximal à 0.",
    ),
    "positions.read_rotation": (
        "To go k places further, turn each pair by a fixed angle. The same turn works from every place.",
        "向前走 k 步，就是把每对转一个固定角度；从任何位置出发都是同一转法。",
        "Pour avancer de k places, tournez chaque paire d'un angle fixe. La même rotation vaut partout.",
    ),
    "positions.read_layout": (
        "The same numbers in another order. Every dot product is equal, so nothing is lost; but weights trained with "
        "one layout do not work with the other.",
        "同样的数，换个次序。所有点积相等，什么也没丢；但用一种排法训练的权重，换另一种就不能用。",
        "Les mêmes nombres dans un autre ordre. Tous les produits scalaires sont égaux : rien n'est perdu ; mais des "
        "poids appris avec un ordre ne marchent pas avec l'autre.",
    ),
    "positions.read_learned": (
        "Some models learn the table instead. Compare how similar places are: the pattern of sines was given, the "
        "other was found.",
        "有些模型改为学习这张表。比较各位置的相似度：正弦的图案是给定的，另一个是学出来的。",
        "Certains modèles apprennent la table. Comparez les ressemblances : le motif des sinus est donné, l'autre "
        "trouvé.",
    ),
    "positions.read_beyond": (
        "The table has no end, but training did. The same sentence, moved along: how sure does the model stay of its "
        "own translation?",
        "表没有尽头，训练却有。把同一句子往后移：模型对自己的译文还有多大把握？",
        "La table n'a pas de fin, l'entraînement si. La même phrase, décalée : le modèle reste-t-il sûr de sa propre "
        "traduction ?",
    ),
    "positions.read_sentence": (
        "What a word means and where it stands are added into one vector.",
        "词义与位置相加，成为一个向量。",
        "Ce que veut dire un mot et où il se trouve s'additionnent en un seul vecteur.",
    ),
    "positions.read_shuffle": (
        "Shuffle the words, then put the answers back in order. Without positions nothing has changed.",
        "打乱词序，再把结果排回原序。没有位置，则毫无变化。",
        "Mélangez les mots puis remettez les réponses en ordre. Sans positions, rien n'a changé.",
    ),
    "positions.why": ("Why?", "为什么？", "Pourquoi ?"),
    "positions.why_table": (
        "Attention treats its input as a set. To know that “dog bites man” is not “man bites dog”, each word must "
        "carry its place. Counting 0, 1, 2… would grow without bound and drown the word; bits 0110 would jump. Sines "
        "are bounded and smooth.",
        "注意力把输入当作集合。要知道“狗咬人”不是“人咬狗”，每个词必须带上位置。数 0、1、2……会无限增大，淹没词义；用二进制 0110 会跳变。正弦有界且平滑。",
        "L'attention traite son entrée comme un ensemble. Pour que « le chien mord l'homme » ne soit pas l'inverse, "
        "chaque mot porte sa place. Compter 0, 1, 2… grandirait sans borne ; des bits sauteraient. Les sinus sont "
        "bornés et lisses.",
    ),
    "positions.why_waves": (
        "Wavelengths grow by a constant factor from 2π to nearly 10,000 · 2π, like the hands of a clock that each run "
        "a little slower. A slow pair alone cannot tell 5 from 6; a fast pair alone cannot tell 5 from 11.",
        "波长按固定比例从 2π 增至近 10000·2π，像一只只走得更慢的表针。单靠慢的分不清 5 与 6；单靠快的分不清 5 与 11。",
        "Les longueurs d'onde croissent d'un facteur constant de 2π à près de 10 000 · 2π, comme des aiguilles de plus "
        "en plus lentes. Une paire lente seule confond 5 et 6 ; une rapide seule confond 5 et 11.",
    ),
    "positions.why_vector": (
        "Move the slider by one: the left of the picture changes, the right hardly. That is how a place can be near "
        "its neighbours and still be itself.",
        "滑块移动一格：左边变了，右边几乎不变。这样一个位置既靠近邻居，又仍是它自己。",
        "Déplacez le curseur d'un cran : la gauche change, la droite à peine. Ainsi une place ressemble à ses voisines "
        "tout en restant elle-même.",
    ),
    "positions.why_dot": (
        "At distance 0 all cosines are 1 and add up to D/2. One step away the fast pairs have already turned, further "
        "on they point everywhere and cancel; only the slow ones still agree. So the sum falls, first steeply, then "
        "slowly, with ripples from the fast pairs.",
        "距离为 0 时所有余弦为 1，和为 D/2。走一步，快的几对已经转开；再远，它们指向各方、互相抵消，只有慢的仍一致。所以和先陡后缓地下降，并带着快对的波纹。",
        "À distance 0 tous les cosinus valent 1 et font D/2. Un pas plus loin les paires rapides ont tourné ; ensuite "
        "elles se dispersent et s'annulent, seules les lentes s'accordent. La somme chute donc vite, puis lentement, "
        "avec des ondulations.",
    ),
    "positions.why_rotation": (
        "A turn is a linear map, and W_Q and W_K are linear maps: so a head can learn “three places to the left” once, "
        "for all places. This is why the paper took sines, and the idea from which rotary positions (RoPE) came.",
        "旋转是线性映射，W_Q、W_K 也是：所以一个头能一次学会“左边第三个”，处处适用。这正是论文选正弦的理由，后来的旋转位置编码（RoPE）也由此而来。",
        "Une rotation est linéaire, W_Q et W_K aussi : une tête peut donc apprendre une fois « trois places à gauche ». "
        "C'est la raison des sinus dans l'article, et l'origine des positions rotatives (RoPE).",
    ),
    "positions.why_layout": (
        "The paper alternates sine and cosine; fairseq and Marian put all sines first. A checkpoint opened with the "
        "wrong layout translates nonsense, and nothing else looks wrong.",
        "论文让正弦余弦交替；fairseq 与 Marian 把正弦全放前面。用错排法打开检查点，译文一团糟，而其他看不出毛病。",
        "L'article alterne sinus et cosinus ; fairseq et Marian mettent d'abord les sinus. Un checkpoint ouvert avec "
        "le mauvais ordre traduit n'importe quoi, sans autre signe.",
    ),
    "positions.why_learned": (
        "A learned table can fit the data, but it ends: place 513 has no row. The paper found both equally good.",
        "学得的表能贴合数据，但有尽头：第 513 个位置没有行。论文发现两者一样好。",
        "Une table apprise s'ajuste aux données, mais elle finit : la place 513 n'a pas de ligne. L'article les trouve "
        "équivalentes.",
    ),
    "positions.why_beyond": (
        "The rotation holds at any place, but the model has only met places up to its training sentences' length. Slow "
        "pairs that never turned far in training now point where no word has been.",
        "旋转在任何位置都成立，但模型只见过训练句长以内的位置。训练中从未转远的慢对，如今指向从未有词的方向。",
        "La rotation vaut partout, mais le modèle n'a connu que les places de ses phrases d'entraînement. Les paires "
        "lentes pointent maintenant où aucun mot n'a été.",
    ),
    "positions.why_sentence": (
        "Adding mixes meaning and place in the same numbers, yet they can be told apart: in many dimensions two random "
        "vectors are nearly at right angles. The embedding is scaled by √D first so that place does not drown it.",
        "相加把词义与位置混进同一组数，却仍分得开：维数很高时，两个随机向量几乎垂直。嵌入先乘 √D，免得被位置淹没。",
        "L'addition mêle sens et place dans les mêmes nombres, mais on les distingue : en grande dimension deux vecteurs "
        "quelconques sont presque perpendiculaires. Le plongement est d'abord multiplié par √D.",
    ),
    "positions.why_shuffle": (
        "A score compares two vectors and never asks where they stand. Without the position vectors, the same words "
        "give the same scores in any order: “dog bites man” and “man bites dog” would be translated alike.",
        "分数只比较两个向量，从不问它们在哪里。没有位置向量，同样的词不论次序都得同样的分数：“狗咬人”与“人咬狗”会被译成一样。",
        "Un score compare deux vecteurs sans demander où ils sont. Sans positions, les mêmes mots donnent les mêmes "
        "scores dans tout ordre : les deux phrases seraient traduites pareil.",
    ),
    "positions.dimension": ("dimension", "维度", "dimension"),
    "positions.place": ("position", "位置", "position"),
    "positions.value": ("value", "值", "valeur"),
    "positions.offset": ("distance k", "距离 k", "écart k"),
    "positions.dot": ("PE(pos) · PE(pos + k)", "PE(pos) · PE(pos + k)", "PE(pos) · PE(pos + k)"),
    "positions.pair_cosine": ("pair {pair}", "第 {pair} 对", "paire {pair}"),
    "positions.wave_title": (
        "dimensions {pair}: wavelength {wavelength} places",
        "第 {pair} 维：波长 {wavelength} 个位置",
        "dimensions {pair} : longueur d'onde {wavelength} places",
    ),
    "positions.n_positions": ("Positions", "位置数", "Positions"),
    "positions.choose_position": ("Position", "位置", "Position"),
    "positions.choose_offset": ("Step k", "步长 k", "Pas k"),
    "positions.choose_pair": ("Pair", "第几对", "Paire"),
    "positions.rotation_checked": (
        "Checked for all {n} positions and all {d} dimensions: largest difference {error:.1e}",
        "已对全部 {n} 个位置、{d} 维核对：最大差 {error:.1e}",
        "Vérifié pour {n} positions et {d} dimensions : plus grand écart {error:.1e}",
    ),
    "positions.interleaved": (
        "interleaved: sin cos sin cos …",
        "交替：sin cos sin cos …",
        "alternés : sin cos sin cos …",
    ),
    "positions.halves": ("halves: sin sin … cos cos …", "两半：sin sin … cos cos …", "moitiés : sin sin … cos cos …"),
    "positions.this_model": (
        "The model in use has the layout “{kind}”.",
        "当前模型的排法是“{kind}”。",
        "Le modèle utilisé a l'ordre « {kind} ».",
    ),
    "positions.kind_interleaved": ("interleaved", "交替", "alternés"),
    "positions.kind_halves": ("halves", "两半", "moitiés"),
    "positions.kind_learned": ("learned", "学得的", "apprises"),
    "positions.kind_none": ("no positions", "无位置", "sans positions"),
    "positions.layout_equal": (
        "Largest difference between any two dot products of the layouts: {error:.1e}",
        "两种排法的点积最大差：{error:.1e}",
        "Plus grand écart entre les produits scalaires des deux ordres : {error:.1e}",
    ),
    "positions.sinusoidal": ("sinusoidal", "正弦", "sinusoïdales"),
    "positions.learned_of": ("learned, {name}", "学得的，{name}", "apprises, {name}"),
    "positions.no_learned": (
        "No model with learned positions is open. Open one on the page Checkpoints (BART and its kin learn theirs), "
        "or choose it above; its table appears here beside the sines.",
        "没有打开带学得位置的模型。请在“检查点”页打开一个（BART 一族即是），或在上方选择；它的表会与正弦并列于此。",
        "Aucun modèle à positions apprises n'est ouvert. Ouvrez-en un à la page Checkpoints (BART et ses parents), ou "
        "choisissez-le ci-dessus ; sa table apparaîtra ici à côté des sinus.",
    ),
    "positions.no_positions": (
        "This model adds no positions.",
        "此模型不加位置。",
        "Ce modèle n'ajoute pas de positions.",
    ),
    "positions.shift": ("places that the source is moved along", "源句后移的位置数", "décalage de la source en places"),
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
        "Mean length of a vector: embedding {token:.1f}, position {position:.1f}.",
        "向量平均长度：嵌入 {token:.1f}，位置 {position:.1f}。",
        "Longueur moyenne : plongement {token:.1f}, position {position:.1f}.",
    ),
    "positions.with_in_order": ("with positions", "有位置", "avec positions"),
    "positions.with_shuffled": ("the same, words shuffled", "同上，词序打乱", "idem, mots mélangés"),
    "positions.without_in_order": ("without positions", "无位置", "sans positions"),
    "positions.without_shuffled": ("the same, words shuffled", "同上，词序打乱", "idem, mots mélangés"),
    "positions.shuffled_to": ("The encoder reads: {text}", "编码器读到：{text}", "L'encodeur lit : {text}"),
    "positions.change": (
        "Largest change of any weight in any head: {with_positions:.2f} with positions, {without:.0e} without.",
        "任一头任一权重的最大变化：有位置 {with_positions:.2f}，无位置 {without:.0e}。",
        "Plus grand changement d'un poids, toutes têtes : {with_positions:.2f} avec positions, {without:.0e} sans.",
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
    "positions.no_encoder": (
        "This model has no encoder, so it has no source sentence to shuffle. Choose a translation model above.",
        "此模型没有编码器，因此没有可打乱的源句。请在上方选择翻译模型。",
        "Ce modèle n'a pas d'encodeur, donc pas de phrase source à mélanger. Choisissez un modèle de traduction "
        "ci-dessus.",
    ),
}
