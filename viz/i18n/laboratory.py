"""Words of the laboratory."""

STRINGS: dict[str, tuple[str, ...]] = {
    "laboratory.part": ("Bench", "实验台", "Paillasse"),
    "laboratory.screen": ("Screen", "页面", "Écran"),
    "laboratory.why": ("Why?", "为什么？", "Pourquoi ?"),
    "laboratory.part_scoring": ("Scoring", "打分函数", "Fonctions de score"),
    "laboratory.part_kernel": ("Kernel regression", "核回归", "Régression à noyau"),
    "laboratory.part_masks": ("Masks", "掩码", "Masques"),
    "laboratory.part_recurrent": ("Before the Transformer", "Transformer 之前", "Avant le Transformer"),
    "laboratory.part_optimisation": ("Optimisation", "优化", "Optimisation"),
    "laboratory.part_metrics": ("BLEU by hand", "手算 BLEU", "BLEU à la main"),
    "laboratory.part_data": ("Data", "数据", "Données"),
    "laboratory.part_toy": ("A toy model to read", "能逐个数读懂的小模型", "Un modèle jouet"),
    "laboratory.tab_scoring_compare": ("Four scores", "四种打分", "Quatre scores"),
    "laboratory.tab_scoring_width": ("Why scale", "为何缩放", "Pourquoi mettre à l'échelle"),
    "laboratory.tab_scoring_hard": ("Soft and hard", "软注意力与硬注意力", "Douce et dure"),
    "laboratory.tab_scoring_keyvalue": ("Key and value", "键与值", "Clé et valeur"),
    "laboratory.tab_scoring_window": ("Convolution", "卷积", "Convolution"),
    "laboratory.tab_masks_padding": ("Padding", "填充", "Remplissage"),
    "laboratory.tab_masks_causal": ("Later tokens", "后面的词元", "Les tokens suivants"),
    "laboratory.tab_masks_both": ("Both at once", "两者合一", "Les deux à la fois"),
    "laboratory.tab_masks_cache": ("Cache", "键值缓存", "Cache"),
    "laboratory.tab_recurrent_translate": ("Same sentence", "同一句子", "Même phrase"),
    "laboratory.tab_recurrent_context": ("Context vector", "上下文向量", "Vecteur de contexte"),
    "laboratory.tab_recurrent_lengths": ("Longer sentences", "句子变长", "Phrases plus longues"),
    "laboratory.tab_optimisation_curves": ("Loss curves", "损失曲线", "Courbes de perte"),
    "laboratory.tab_optimisation_schedule": ("Learning rate", "学习率", "Taux d'apprentissage"),
    "laboratory.tab_optimisation_smoothing": ("Label smoothing", "标签平滑", "Lissage des étiquettes"),
    "laboratory.tab_optimisation_first": ("First weights", "初始权重", "Poids initiaux"),
    "laboratory.tab_optimisation_dropout": ("Dropout", "随机失活", "Dropout"),
    "laboratory.tab_optimisation_norms": ("Place of the norm", "归一化的位置", "Place de la normalisation"),
    "laboratory.tab_data_pipeline": ("Line to tensor", "从一行文字到张量", "De la ligne au tenseur"),
    "laboratory.tab_data_vocabulary": ("Words or tokens", "词还是词元", "Mots ou tokens"),
    "laboratory.tab_data_labels": ("Labels and loss", "标签与损失", "Étiquettes et perte"),
    "laboratory.tab_data_partition": ("Cutting a text", "切分长文", "Découper un texte"),
    "laboratory.read_scoring_compare": (
        "The queries and keys of one head, scored in four ways. The additive and the bilinear score have parameters, "
        "which are random here.",
        "同一个头的查询与键，用四种函数打分。加性与双线性函数有参数，这里的参数是随机的。",
        "Les requêtes et les clés d'une tête, évaluées par quatre fonctions. Les scores additif et bilinéaire ont des "
        "paramètres, ici tirés au hasard.",
    ),
    "laboratory.why_scoring_compare": (
        "Additive scoring came first (2014): a small network that can compare vectors of different widths. The dot "
        "product needs no parameters and is one matrix product, which hardware computes fastest; that is why "
        "Transformers use it. The bilinear score puts a learned matrix W between query and key. A Transformer's head "
        "is of this kind, with W = W_Q·W_Kᵀ written as two thin matrices. Such a score is not symmetric: with W, a "
        "may look at b without b looking at a.",
        "加性打分最早（2014 年）：一个小网络，可以比较宽度不同的向量。点积不需要参数，是一次矩阵乘法，硬件算得最快，所以 Transformer 用它。双线性打分在查询与键之间放一个学得的矩阵 "
        "W。Transformer 的头就属于这一类，W = W_Q·W_Kᵀ，写成两个细长的矩阵。这种分数不对称：有了 W，a 可以看 b，而 b 不看 a。",
        "Le score additif est venu le premier (2014) : un petit réseau qui peut comparer des vecteurs de largeurs "
        "différentes. Le produit scalaire n'a pas de paramètre et n'est qu'un produit de matrices, ce que le "
        "matériel calcule le plus vite ; c'est pourquoi les Transformers l'utilisent. Le score bilinéaire place une "
        "matrice apprise W entre requête et clé. Une tête de Transformer est de cette sorte, avec W = W_Q·W_Kᵀ "
        "écrite comme deux matrices étroites. Un tel score n'est pas symétrique : avec W, a peut regarder b sans que b "
        "regarde a.",
    ),
    "laboratory.read_scoring_width": (
        "Measured on random queries and keys: the wider the vectors, the larger their dot products, and the more the "
        "softmax gives all weight to one key.",
        "用随机查询与键实测：向量越宽，点积越大，softmax 就越倾向于把全部权重给一个键。",
        "Mesuré sur des requêtes et des clés au hasard : plus les vecteurs sont larges, plus leurs produits "
        "scalaires sont grands, et plus le softmax donne tout le poids à une seule clé.",
    ),
    "laboratory.why_scoring_width": (
        "A sum of d products of independent numbers with variance 1 has variance d. The derivative of a softmax "
        "weight with respect to its own score is w(1 − w): near w = 1 it is almost 0, so training can hardly change "
        "the weight. Dividing by √d keeps the variance at 1 for every d.",
        "d 个方差为 1 的独立数的乘积之和，方差为 d。softmax 权重对自己分数的导数是 w(1 − w)：w 接近 1 时几乎为 0，训练很难再改变这个权重。除以 √d，任何 d 下方差都是 1。",
        "La somme de d produits de nombres indépendants de variance 1 a pour variance d. La dérivée d'un poids du "
        "softmax par rapport à son propre score est w(1 − w) : près de w = 1 elle est presque nulle, et "
        "l'entraînement ne peut guère changer ce poids. Diviser par √d garde la variance à 1 quel que soit d.",
    ),
    "laboratory.read_scoring_hard": (
        "Soft attention takes a share of every value. Hard attention takes a single value: the one of largest "
        "weight, or one drawn at random with the weights as probabilities.",
        "软注意力从每个值各取一份。硬注意力只取一个值：权重最大的，或以权重为概率随机抽取的。",
        "L'attention douce prend une part de chaque valeur. L'attention dure n'en prend qu'une : celle de plus grand "
        "poids, ou une tirée au hasard avec les poids pour probabilités.",
    ),
    "laboratory.why_scoring_hard": (
        "Soft attention is the expected value of hard attention: with p(z = n) = wₙ, the mean of the drawn value is "
        "Σ wₙ vₙ. Change a score a little and the soft weights change a little, so there is a gradient to follow. "
        "The largest weight stays the largest, so hard attention has gradient 0 until it jumps. A drawn key can be "
        "trained only by trial and error (REINFORCE), which is noisy.",
        "软注意力是硬注意力的期望：设 p(z = n) = wₙ，抽到的值的均值就是 Σ wₙ vₙ。分数稍变，软权重也稍变，因此有梯度。最大的仍是最大的，所以硬注意力的梯度为 "
        "0，直到突然跳变。随机抽取的键只能靠试错训练（REINFORCE），噪声很大。",
        "L'attention douce est l'espérance de l'attention dure : avec p(z = n) = wₙ, la moyenne de la valeur tirée "
        "est Σ wₙ vₙ. Changez un peu un score, les poids doux changent un peu : il y a un gradient à suivre. Le plus "
        "grand poids reste le plus grand : l'attention dure a un gradient nul, jusqu'à ce qu'elle saute. Une clé "
        "tirée au hasard ne s'apprend que par essais et erreurs (REINFORCE), avec beaucoup de bruit.",
    ),
    "laboratory.read_scoring_keyvalue": (
        "What this token receives when the head passes on values, and what it would receive if the keys were also "
        "the values.",
        "头传递“值”时，这个词元收到什么；如果键也兼作值，又会收到什么。",
        "Ce que ce token reçoit quand la tête transmet des valeurs, et ce qu'il recevrait si les clés servaient "
        "aussi de valeurs.",
    ),
    "laboratory.why_scoring_keyvalue": (
        "Early attention used one vector for both: the vector that is compared is also the one that is passed on. "
        "With two vectors a token can be found by one property (it is the subject) and pass on another (what it "
        "means).",
        "早期的注意力用同一个向量：用来比较的向量，也就是传递出去的向量。用两个向量，词元可以凭一种性质被找到（它是主语），而传递另一种信息（它的意思）。",
        "Les premières attentions n'avaient qu'un vecteur : celui que l'on compare est aussi celui que l'on "
        "transmet. Avec deux vecteurs, un token peut être trouvé par une propriété (il est sujet) et en transmettre "
        "une autre (son sens).",
    ),
    "laboratory.score_additive": ("additive", "加性", "additif"),
    "laboratory.score_dot": ("dot product", "点积", "produit scalaire"),
    "laboratory.score_scaled": ("scaled dot product", "缩放点积", "produit scalaire mis à l'échelle"),
    "laboratory.score_bilinear": ("bilinear", "双线性", "bilinéaire"),
    "laboratory.score_facts": (
        "{parameters} parameters · entropy {bits} of {most} bits · {cost} multiplications",
        "{parameters} 个参数 · 熵 {bits}/{most} 比特 · {cost} 次乘法",
        "{parameters} paramètres · entropie {bits} sur {most} bits · {cost} multiplications",
    ),
    "laboratory.other_seed": ("Other random parameters", "换一组随机参数", "Autres paramètres"),
    "laboratory.width_variance": ("variance of the scores", "分数的方差", "variance des scores"),
    "laboratory.width_largest": ("largest weight, mean", "最大权重（均值）", "plus grand poids, moyenne"),
    "laboratory.width_slope": ("steepest slope of the softmax", "softmax 的最大斜率", "plus forte pente du softmax"),
    "laboratory.width_dot": ("q·k", "q·k", "q·k"),
    "laboratory.width_scaled": ("q·k ÷ √d", "q·k ÷ √d", "q·k ÷ √d"),
    "laboratory.width_said": (
        "At d = 64 the variance is {variance}. The largest weight is {without} without scaling and {with_scale} with "
        "it; the slope is {slope} without and {scaled_slope} with.",
        "d = 64 时方差为 {variance}。最大权重不缩放为 {without}，缩放为 {with_scale}；斜率不缩放为 {slope}，缩放为 {scaled_slope}。",
        "Pour d = 64, la variance vaut {variance}. Le plus grand poids vaut {without} sans mise à l'échelle et "
        "{with_scale} avec ; la pente {slope} sans et {scaled_slope} avec.",
    ),
    "laboratory.query": ("Token", "词元", "Token"),
    "laboratory.weight": ("weight", "权重", "poids"),
    "laboratory.hard_soft": ("soft", "软", "douce"),
    "laboratory.hard_argmax": ("hard: largest weight", "硬：权重最大者", "dure : plus grand poids"),
    "laboratory.hard_sampled": ("hard: drawn at random", "硬：随机抽取", "dure : tirée au hasard"),
    "laboratory.draw_again": ("Draw again", "再抽一次", "Tirer encore"),
    "laboratory.hard_said": (
        "Raise one score by 0.01: the soft weights change by {soft} in total, the hard ones by {hard}. Steepest "
        "slope of this row's softmax: {slope}.",
        "把一个分数提高 0.01：软权重一共变化 {soft}，硬权重变化 {hard}。本行 softmax 的最大斜率：{slope}。",
        "Augmentez un score de 0,01 : les poids doux changent de {soft} en tout, les durs de {hard}. Plus forte "
        "pente du softmax de cette ligne : {slope}.",
    ),
    "laboratory.mixed": ("weighted sum", "加权和", "somme pondérée"),
    "laboratory.own_value": ("Σ α v, key ≠ value", "Σ α v，键 ≠ 值", "Σ α v, clé ≠ valeur"),
    "laboratory.key_as_value": ("Σ α k, key = value", "Σ α k，键 = 值", "Σ α k, clé = valeur"),
    "laboratory.keyvalue_said": (
        "The largest weight is on “{token}”. Cosine of the two sums: {cosine}; 0 would mean no similarity.",
        "权重最大的是“{token}”。两个加权和的余弦：{cosine}；0 表示毫不相似。",
        "Le plus grand poids est sur « {token} ». Cosinus des deux sommes : {cosine} ; 0 voudrait dire aucune "
        "ressemblance.",
    ),
    "laboratory.read_scoring_window": (
        "Both maps say which tokens a token is computed from. A convolution uses the same few weights everywhere; a head "
        "computes its weights from the sentence.",
        "两张图都表示一个词元由哪些词元算出。卷积处处使用相同的几个权重；注意力头的权重由句子算出。",
        "Les deux cartes disent à partir de quels tokens un token est calculé. Une convolution emploie partout les mêmes "
        "quelques poids ; une tête calcule les siens d'après la phrase.",
    ),
    "laboratory.why_scoring_window": (
        "A convolution sees a window: the tokens next to it, with weights that are learned once and do not depend on the "
        "words. To connect two distant words, many layers are needed. Attention connects all tokens in one layer, and its "
        "weights change with the words: type another sentence and only the right map changes its pattern. The price is "
        "one weight per pair of tokens, so twice as long a sentence costs four times as many. A head can learn to behave "
        "like a convolution: look for heads with a clear diagonal.",
        "卷积只看一个窗口：相邻的词元，权重学好以后就固定，与具体的词无关。要把两个相距很远的词联系起来，需要很多层。注意力在一层内联系所有词元，权重随词而变：换一个句子，只有右图的图案会变。代价是每对词元一个权重，句子长一倍，权重就是四倍。注意力头也可以学成卷积的样子：找一找有清晰对角线的头。",
        "Une convolution voit une fenêtre : les tokens voisins, avec des poids appris une fois pour toutes, qui ne dépendent "
        "pas des mots. Pour relier deux mots éloignés, il faut beaucoup de couches. L'attention relie tous les tokens en une "
        "couche, et ses poids changent avec les mots : écrivez une autre phrase, seul le motif de droite change. Le prix est "
        "un poids par paire de tokens : une phrase deux fois plus longue en coûte quatre fois plus. Une tête peut apprendre "
        "à se comporter comme une convolution : cherchez celles qui ont une diagonale nette.",
    ),
    "laboratory.window_width": ("Width of the window", "窗口宽度", "Largeur de la fenêtre"),
    "laboratory.window_fixed": (
        "convolution over {width} tokens",
        "{width} 个词元的卷积",
        "convolution sur {width} tokens",
    ),
    "laboratory.window_head": (
        "encoder self-attention, layer {layer} head {head}",
        "编码器自注意力，第 {layer} 层第 {head} 头",
        "auto-attention de l'encodeur, couche {layer} tête {head}",
    ),
    "laboratory.window_said": (
        "With {n} tokens and a window of {width}, the last token can depend on the first only after {layers} layers. With "
        "attention, one layer is enough.",
        "共 {n} 个词元，窗口宽 {width}：要经过 {layers} 层，最后一个词元才可能依赖第一个。用注意力，一层就够。",
        "Avec {n} tokens et une fenêtre de {width}, le dernier token ne peut dépendre du premier qu'après {layers} couches. "
        "Avec l'attention, une couche suffit.",
    ),
    "laboratory.window_no_encoder": (
        "This model has no encoder, so there is no map to compare with. Choose a model that translates.",
        "此模型没有编码器，因此没有可比较的图。请选择翻译模型。",
        "Ce modèle n'a pas d'encodeur : il n'y a pas de carte à comparer. Choisissez un modèle de traduction.",
    ),
    "laboratory.read_kernel": (
        "Drag the dashed line. The prediction at that place is an average of all points, in which near points count "
        "more.",
        "拖动虚线。该处的预测是所有点的平均，离得近的点权重大。",
        "Faites glisser la ligne pointillée. La prédiction à cet endroit est une moyenne de tous les points, où les "
        "points proches comptent plus.",
    ),
    "laboratory.why_kernel": (
        "This is attention: the place you ask about is the query, the places of the points are the keys, and what "
        "was measured there are the values. With a very wide kernel all points count alike, which is plain "
        "averaging. With a narrow one only the nearest point counts. The width can be learned: predict each point "
        "from the others and reduce the error by gradient descent.",
        "这就是注意力：你询问的位置是查询，各点的位置是键，那里的测量值是值。核很宽时，所有点权重相同，就是普通平均。核很窄时，只有最近的点起作用。宽度可以学习：用其余的点预测每个点，用梯度下降减小误差。",
        "C'est de l'attention : l'endroit demandé est la requête, les endroits des points sont les clés, les mesures "
        "sont les valeurs. Avec un noyau très large, tous les points comptent autant : c'est une simple moyenne. "
        "Avec un noyau étroit, seul le point le plus proche compte. La largeur s'apprend : on prédit chaque point "
        "par les autres et on réduit l'erreur par descente de gradient.",
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
        "在 {query} 处，答案为 {answer}：约相当于 {points} 个点的平均。",
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
        "La descente de gradient fait passer la largeur de {start} à {end}, et l'erreur sur les points laissés de côté de "
        "{before} à {after}.",
    ),
    "laboratory.n_points": ("Points", "点数", "Points"),
    "laboratory.start_width": ("Initial width", "初始宽度", "Largeur de départ"),
    "laboratory.read_masks_padding": (
        "Sentences of different lengths are put into one rectangle. Cells without colour are padding: no query may look there.",
        "长短不一的句子放进一个矩形。没有颜色的格子是填充：任何查询都不能看那里。",
        "Des phrases de longueurs différentes sont mises dans un rectangle. Les cases sans couleur sont du remplissage : "
        "aucune requête ne doit y regarder.",
    ),
    "laboratory.why_masks_padding": (
        "A padding token has an embedding and a key like any other token, so only the mask keeps attention away from "
        "it. Without the mask, a translation would depend on the other sentences in its batch. The mask adds a very "
        "large negative number to the score. In theory it is −∞; many programs add −1e9, which gives the same weight "
        "of 0. They differ where every key is hidden: −∞ gives NaN, −1e9 gives equal weights on padding.",
        "填充词元和其他词元一样有词嵌入和键，只有掩码能使注意力不落在它上面。没有掩码，译文就会取决于同批的其他句子。掩码给分数加上一个很大的负数：理论上是 −∞，许多程序用 −1e9，得到的权重同样是 "
        "0。区别在于所有键都被隐藏的情况：−∞ 得到 NaN，−1e9 则在填充上得到均匀的权重。",
        "Un token de remplissage a un plongement et une clé comme les autres ; seul le masque en écarte l'attention. "
        "Sans masque, une traduction dépendrait des autres phrases de son lot. Le masque ajoute au score un très "
        "grand nombre négatif. En théorie c'est −∞ ; beaucoup de programmes ajoutent −1e9, ce qui donne le même "
        "poids nul. Ils diffèrent quand toutes les clés sont cachées : −∞ donne NaN, −1e9 donne des poids égaux sur "
        "le remplissage.",
    ),
    "laboratory.read_masks_causal": (
        "When the decoder translates, the later tokens do not exist yet. In training they are there, and the causal "
        "mask hides them.",
        "解码器翻译时，后面的词元还不存在。训练时它们已经在那里，因果掩码把它们隐藏起来。",
        "Quand le décodeur traduit, les tokens suivants n'existent pas encore. À l'entraînement ils sont là, et le "
        "masque causal les cache.",
    ),
    "laboratory.why_masks_causal": (
        "In training all positions are computed at once, and each predicts the next token: the decoder is fed the "
        "translation shifted by one, with the begin token in front, and the label of each position is the token "
        "after it. If position 3 saw token 4, it would learn to copy it, and the model would fail when translating. "
        "A model that was trained with the mask has never met such a situation. Remove the mask and see how its "
        "log-probability changes.",
        "训练时所有位置同时计算，每个位置预测下一个词元：输入解码器的是整体后移一位、前面加上句首词元的译文，每个位置的标签是它后面的词元。如果第 3 个位置看得到第 4 "
        "个词元，它只会学会照抄，翻译时模型就会失败。带掩码训练的模型从未遇到过没有掩码的情况：去掉掩码，看它的对数概率怎样变化。",
        "À l'entraînement, toutes les positions sont calculées à la fois et chacune prédit le token suivant : le "
        "décodeur reçoit la traduction décalée d'une place, précédée du token de début, et l'étiquette de chaque "
        "position est le token qui la suit. Si la position 3 voyait le token 4, elle apprendrait à le copier et le "
        "modèle échouerait en traduisant. Un modèle entraîné avec le masque n'a jamais rencontré cette situation. "
        "Retirez le masque et voyez comment sa log-probabilité change.",
    ),
    "laboratory.read_masks_both": (
        "The decoder's mask in training: a cell is open (coloured) only if its key is not later and not padding. "
        "Move the slider to fill the mask cell by cell.",
        "训练时解码器的掩码：键既不在查询之后、也不是填充，格子才开放（有色）。移动滑块，逐格填写掩码。",
        "Le masque du décodeur à l'entraînement : une case n'est ouverte (colorée) que si sa clé n'est ni plus "
        "loin ni du remplissage. Déplacez le curseur pour remplir le masque case par case.",
    ),
    "laboratory.why_masks_both": (
        "In a training batch the shorter translations are padded, so the decoder has two things to hide. The causal "
        "mask is the same for every sentence: row t sees columns 0 to t. The padding mask is the same for every row: "
        "whole columns are closed. A program combines them with a logical “and”, once, before the first layer. The "
        "padding stands at the end, so for the rows of real tokens the causal mask alone would be enough; the rows of "
        "padding are computed too, but the loss leaves them out.",
        "训练批次里，较短的译文后面有填充，所以解码器要隐藏两样东西。因果掩码对每个句子都相同：第 t 行能看第 0 到 t 列。填充掩码对每一行都相同：整列关闭。程序在第一层之前用逻辑“与”把两者合并一次。填充在句尾，所以对真实词元的行来说，只有因果掩码也够了；填充的行也会计算，但计算损失时不计它们。",
        "Dans un lot d'entraînement, les traductions courtes sont complétées : le décodeur a deux choses à cacher. Le "
        "masque causal est le même pour toutes les phrases : la ligne t voit les colonnes 0 à t. Le masque de "
        "remplissage est le même pour toutes les lignes : des colonnes entières sont fermées. Un programme les combine "
        "par un « et » logique, une fois, avant la première couche. Le remplissage est à la fin : pour les lignes des "
        "vrais tokens, le masque causal suffirait ; les lignes du remplissage sont calculées aussi, mais la perte ne "
        "les compte pas.",
    ),
    "laboratory.cell": ("Cells filled", "已填格数", "Cases remplies"),
    "laboratory.cell_open": (
        "May {row} attend to {column}? It is not later and not padding: **open**.",
        "{row} 可以看 {column} 吗？它不在后面，也不是填充：**开放**。",
        "{row} peut-il regarder {column} ? Il n'est ni après lui ni du remplissage : **ouvert**.",
    ),
    "laboratory.cell_later": (
        "May {row} attend to {column}? It is later: **hidden**.",
        "{row} 可以看 {column} 吗？它在后面：**隐藏**。",
        "{row} peut-il regarder {column} ? Il est après lui : **caché**.",
    ),
    "laboratory.cell_padding": (
        "May {row} attend to {column}? It is padding: **hidden**.",
        "{row} 可以看 {column} 吗？它是填充：**隐藏**。",
        "{row} peut-il regarder {column} ? C'est du remplissage : **caché**.",
    ),
    "laboratory.cell_laterpadding": (
        "May {row} attend to {column}? It is later, and it is padding: **hidden** for both reasons.",
        "{row} 可以看 {column} 吗？它在后面，又是填充：因两个原因而**隐藏**。",
        "{row} peut-il regarder {column} ? Il est plus loin, et c'est du remplissage : **caché** pour les deux raisons.",
    ),
    "laboratory.mask_not_later": ("not later", "不在后面", "pas après"),
    "laboratory.mask_not_padding": ("not padding", "不是填充", "pas du remplissage"),
    "laboratory.mask_both": ("both: may attend", "两者都满足：可以看", "les deux : peut regarder"),
    "laboratory.hidden_numbers": (
        "Which number hides a key: −∞ or −1e9?",
        "用哪个数隐藏键：−∞ 还是 −1e9？",
        "Quel nombre cache une clé : −∞ ou −1e9 ?",
    ),
    "laboratory.hidden_precision": ("precision", "精度", "précision"),
    "laboratory.hidden_added": ("added to the score", "加到分数上的数", "ajouté au score"),
    "laboratory.hidden_stored": ("as it is stored", "实际存储的数", "tel qu'il est stocké"),
    "laboratory.hidden_one": (
        "weights, third key hidden",
        "权重（隐藏第三个键）",
        "poids, troisième clé cachée",
    ),
    "laboratory.hidden_all": ("weights, all keys hidden", "权重（隐藏所有键）", "poids, toutes les clés cachées"),
    "laboratory.hidden_said": (
        "Three keys with the scores 2, 1 and 3. Both numbers hide one key completely. They differ where every key is "
        "hidden: −∞ gives NaN, −1e9 gives equal weights on keys that should have none. In float16 −1e9 does not fit and "
        "becomes −∞.",
        "三个键，分数为 2、1、3。两个数都能完全隐藏一个键。区别在于所有键都被隐藏的情况：−∞ 得到 NaN，−1e9 给本不该有权重的键均匀的权重。float16 装不下 −1e9，它会变成 −∞。",
        "Trois clés de scores 2, 1 et 3. Les deux nombres cachent complètement une clé. Ils diffèrent quand toutes les clés "
        "sont cachées : −∞ donne NaN, −1e9 donne des poids égaux à des clés qui ne devraient rien recevoir. En float16, "
        "−1e9 ne tient pas et devient −∞.",
    ),
    "laboratory.read_masks_cache": (
        "While translating, the decoder adds one token per step. With a key/value cache it computes only the new "
        "position.",
        "翻译时，解码器每步增加一个词元。有键值缓存时，它只计算新的位置。",
        "En traduisant, le décodeur ajoute un token par étape. Avec un cache clés/valeurs, il ne calcule que la "
        "nouvelle position.",
    ),
    "laboratory.why_masks_cache": (
        "The causal mask keeps earlier positions from seeing later ones. So when a token is added, the keys and values "
        "of the earlier tokens stay exactly what they were, and can be kept. Without a cache they are computed again at "
        "each step: for a translation of {n} tokens that is 1 + 2 + … + {n} = {uncached} positions instead of {cached}. "
        "The keys and values of cross-attention never change during a translation: they come from the encoder and are "
        "computed once. The price is memory: two vectors per token, layer and head.",
        "因果掩码使前面的位置看不到后面的位置。所以增加一个词元时，前面词元的键和值完全不变，可以保留。没有缓存，每一步都要重算：译文有 {n} 个词元时，要算 1 + 2 + … + {n} = {uncached} 个位置，而不是 {cached} 个。交叉注意力的键和值在翻译过程中从不改变：它们来自编码器，只算一次。代价是内存：每个词元、每层、每个头存两个向量。",
        "Le masque causal empêche les positions précédentes de voir les suivantes. Quand un token s'ajoute, les "
        "clés et les valeurs des tokens précédents restent donc exactement les mêmes, et on peut les garder. Sans "
        "cache, on les recalcule à chaque étape : pour une traduction de {n} tokens, cela fait 1 + 2 + … + {n} = "
        "{uncached} positions au lieu de {cached}. Les clés et les valeurs de l'attention croisée ne changent "
        "jamais pendant une traduction : elles viennent de l'encodeur et sont calculées une fois. Le prix est la "
        "mémoire : deux vecteurs par token, couche et tête.",
    ),
    "laboratory.cache_with": ("with the cache", "有缓存", "avec le cache"),
    "laboratory.cache_without": ("without a cache", "无缓存", "sans cache"),
    "laboratory.cache_step": ("tokens of the translation so far", "已译出的词元数", "tokens déjà traduits"),
    "laboratory.cache_positions": (
        "positions computed in all",
        "累计计算的位置数",
        "positions calculées en tout",
    ),
    "laboratory.cache_said": (
        "This translation of {n} tokens: {cached} positions with the cache, {uncached} without. On this machine it "
        "takes {fast} ms with the cache and {slow} ms without. Each step also has work that no cache saves.",
        "这个 {n} 个词元的译文：有缓存时计算 {cached} 个位置，无缓存时 {uncached} 个。在本机上，有缓存用时 {fast} 毫秒，无缓存 {slow} 毫秒。每一步还有缓存省不掉的计算。",
        "Cette traduction de {n} tokens : {cached} positions avec le cache, {uncached} sans. Sur cette machine, "
        "elle prend {fast} ms avec le cache et {slow} ms sans. Chaque étape comporte aussi un travail qu'aucun "
        "cache n'évite.",
    ),
    "laboratory.second_sentence": ("Second sentence", "第二句", "Deuxième phrase"),
    "laboratory.third_sentence": ("Third sentence", "第三句", "Troisième phrase"),
    "laboratory.valid": ("{n} tokens", "{n} 个词元", "{n} tokens"),
    "laboratory.valid_length": ("valid length", "有效长度", "longueur valide"),
    "laboratory.on_padding": (
        "weight on padding without mask",
        "无掩码时落在填充上的权重",
        "poids sur le remplissage sans masque",
    ),
    "laboratory.with_mask": ("translation with mask", "有掩码的译文", "traduction avec masque"),
    "laboratory.without_mask": ("translation without mask", "无掩码的译文", "traduction sans masque"),
    "laboratory.padding_said": (
        "Without the mask the encoder's output for the sentence of {n} tokens changes by {drift} of its length.",
        "没有掩码时，{n} 个词元那句的编码器输出变了，变化量是向量长度的 {drift}。",
        "Sans masque, la sortie de l'encodeur pour la phrase de {n} tokens change de {drift} de sa longueur.",
    ),
    "laboratory.causal_masked": (
        "with the mask, layer {layer} head {head}",
        "有掩码，第 {layer} 层第 {head} 头",
        "avec le masque, couche {layer} tête {head}",
    ),
    "laboratory.causal_lifted": ("without the mask", "无掩码", "sans le masque"),
    "laboratory.causal_said": (
        "Without the mask {share} of all weight falls on later tokens. Mean log p of the same translation: {masked} "
        "with the mask, {lifted} without.",
        "没有掩码时，{share} 的权重落在后面的词元上。同一译文的平均 log p：有掩码 {masked}，无掩码 {lifted}。",
        "Sans masque, {share} du poids tombe sur des tokens suivants. log p moyen de la même traduction : {masked} "
        "avec le masque, {lifted} sans.",
    ),
    "laboratory.read_recurrent_translate": (
        "The same sentence translated by three models: the Transformer in use, a GRU (recurrent network) with "
        "attention to the source, and a GRU that has to keep the whole source in one vector.",
        "同一句由三个模型翻译：当前的 Transformer、对源句有注意力的 GRU（一种循环网络），以及只能把整个源句存进一个向量的 GRU。",
        "La même phrase traduite par trois modèles : le Transformer utilisé, un GRU (réseau récurrent) avec "
        "attention sur la source, et un GRU qui doit garder toute la source dans un seul vecteur.",
    ),
    "laboratory.why_recurrent_translate": (
        "In 2014 Bahdanau and others added attention to a recurrent network. At each step the decoder's state is "
        "compared with the encoder's state at every source word, a softmax gives weights, and the weighted sum is "
        "the context vector for the next word. There is one such map, and it looks like a word alignment. The "
        "Transformer kept attention and dropped the recurrence. So in training all positions are computed at once, "
        "and there are many maps. While translating, both write one token after the other.",
        "2014 年，Bahdanau 等人给循环网络加上注意力。每一步，把解码器的状态与编码器在每个源词处的状态比较，softmax "
        "给出权重，加权和就是下一个词的上下文向量。这样的图只有一张，看起来像词对齐。Transformer 保留注意力，去掉循环，因此训练时所有位置同时计算，并且有很多张图。翻译时，两者都是一个词元接一个词元地写。",
        "En 2014, Bahdanau et ses collègues ont ajouté l'attention à un réseau récurrent. À chaque étape, l'état du "
        "décodeur est comparé à l'état de l'encodeur pour chaque mot source, un softmax donne des poids, et la "
        "somme pondérée est le vecteur de contexte du mot suivant. Il y a une seule carte, qui ressemble à un "
        "alignement de mots. Le Transformer a gardé l'attention et supprimé la récurrence. À l'entraînement toutes "
        "les positions sont donc calculées à la fois, avec beaucoup de cartes. En traduisant, les deux écrivent un "
        "token après l'autre.",
    ),
    "laboratory.read_recurrent_context": (
        "Attention as it was invented, in a GRU: before each step the decoder's state is compared with every source token, "
        "and the weighted sum of their states is what the decoder reads.",
        "注意力最初的样子，在 GRU 中：每一步之前，把解码器的状态与每个源词元比较，再把它们的状态加权求和，就是解码器读到的内容。",
        "L'attention telle qu'elle fut inventée, dans un GRU : avant chaque étape, l'état du décodeur est comparé à "
        "chaque token de la source, et la somme pondérée de leurs états est ce que lit le décodeur.",
    ),
    "laboratory.why_recurrent_context": (
        "s is the decoder's state before the step: it plays the part of the query. The encoder has a state h for each source "
        "token, made from what stands before it and after it: h is key and value at once. A small network with one hidden "
        "layer gives a score e for each pair (additive attention), the softmax turns the scores into weights α, and the "
        "context vector c is the weighted sum. The GRU without attention has to use the same vector at every step. The "
        "Transformer keeps this idea, with three changes: a dot product in place of the small network, separate vectors "
        "for key and value, and several heads.",
        "s 是这一步之前解码器的状态，相当于查询。编码器在每个源词元处有一个状态 h，由它前后的内容得到：h 既是键又是值。一个只有一层隐藏层的小网络给每一对一个分数 e（加性注意力），softmax 把分数变成权重 α，上下文向量 c 就是加权和。没有注意力的 GRU 每一步只能用同一个向量。Transformer 保留了这个想法，有三处改变：用点积代替小网络，键和值用不同的向量，并且有多个头。",
        "s est l'état du décodeur avant l'étape : il joue le rôle de la requête. L'encodeur a un état h pour chaque "
        "token de la source, fait de ce qui précède et de ce qui suit : h est à la fois clé et valeur. Un petit "
        "réseau à une couche cachée donne un score e à chaque paire (attention additive), le softmax en fait des "
        "poids α, et le vecteur de contexte c est la somme pondérée. Le GRU sans attention doit employer le même "
        "vecteur à chaque étape. Le Transformer garde cette idée avec trois changements : un produit scalaire à la "
        "place du petit réseau, des vecteurs distincts pour la clé et la valeur, et plusieurs têtes.",
    ),
    "laboratory.context_step": ("Token that is predicted", "要预测的词元", "Token à prédire"),
    "laboratory.context_weight": ("weight α", "权重 α", "poids α"),
    "laboratory.context_token": ("source token", "源词元", "token source"),
    "laboratory.context_score": ("score e", "分数 e", "score e"),
    "laboratory.context_alpha": ("weight α", "权重 α", "poids α"),
    "laboratory.context_first": ("h, first entry", "h 的第一个分量", "h, première composante"),
    "laboratory.context_said": (
        "The first of the {d} entries of the context vector: {terms} = **{total}**.",
        "上下文向量共 {d} 个分量，第一个是：{terms} = **{total}**。",
        "La première des {d} composantes du vecteur de contexte : {terms} = **{total}**.",
    ),
    "laboratory.context_rest": (
        "The largest three weights are written out; the last term is the sum of all others.",
        "写出的是最大的三个权重，最后一项是其余各项之和。",
        "Les trois plus grands poids sont écrits ; le dernier terme est la somme de tous les autres.",
    ),
    "laboratory.read_recurrent_lengths": (
        "BLEU by sentence length, on sentences that none of the models has seen.",
        "译文质量随句长的变化，所用句子三个模型都没见过。",
        "BLEU par longueur de phrase, sur des phrases qu'aucun modèle n'a vues.",
    ),
    "laboratory.why_recurrent_lengths": (
        "Without attention, one vector of fixed size must hold five words or thirty. From six words on, the quality "
        "of every model falls as sentences grow, the Transformer's too. The evidence for attention is that the gap "
        "between the two GRUs, which have nearly the same size (1.28 and 1.22 million parameters) and the same "
        "training, widens up to twelve words. The last bin holds few sentences ({n_last}), so do not read much into "
        "it.",
        "没有注意力，一个固定大小的向量要装下五个词，也要装下三十个。从六个词起，句子越长，所有模型的质量都下降，Transformer 也不例外。支持注意力的证据是：两个大小相近（128 万和 122 "
        "万参数）、训练相同的 GRU，差距在十二个词以内随句长扩大。最后一组只有 {n_last} 句，不要过多解读。",
        "Sans attention, un vecteur de taille fixe doit contenir cinq mots ou trente. À partir de six mots, la "
        "qualité de tous les modèles baisse quand les phrases s'allongent, celle du Transformer aussi. Ce qui parle "
        "pour l'attention, c'est que l'écart entre les deux GRU, de taille voisine (1,28 et 1,22 million de "
        "paramètres) et entraînés de la même façon, s'élargit jusqu'à douze mots. Le dernier groupe n'a que "
        "{n_last} phrases : n'en tirez pas trop.",
    ),
    "laboratory.recurrent_reads": (
        "The two GRUs were trained from English to French and know few of these words. Type an English sentence.",
        "两个 GRU 只学过英译法，这些词大多不认识。请输入英语句子。",
        "Les deux GRU ont appris à traduire de l'anglais en français et connaissent peu de ces mots. Écrivez une phrase "
        "en anglais.",
    ),
    "laboratory.recurrent_absent": (
        "The recurrent models are not in this installation. They belong in pretrained/gru-en-fr.",
        "此安装没有循环模型：它们应在 pretrained/gru-en-fr。",
        "Les modèles récurrents ne sont pas installés : leur place est pretrained/gru-en-fr.",
    ),
    "laboratory.model_transformer": ("Transformer", "Transformer", "Transformer"),
    "laboratory.model_attention": ("GRU with attention", "有注意力的 GRU", "GRU avec attention"),
    "laboratory.model_without": ("GRU without attention", "无注意力的 GRU", "GRU sans attention"),
    "laboratory.took": ("{ms} ms on this machine", "本机用时 {ms} 毫秒", "{ms} ms sur cette machine"),
    "laboratory.map_gru": ("the GRU's one map", "GRU 唯一的图", "la seule carte du GRU"),
    "laboratory.map_head": (
        "the Transformer's most focused head, layer {layer} head {head}",
        "Transformer 注意力最集中的头，第 {layer} 层第 {head} 头",
        "la tête la plus concentrée du Transformer, couche {layer} tête {head}",
    ),
    "laboratory.words": ("words in the source", "源句词数", "mots de la source"),
    "laboratory.speed": ("Speed", "速度", "Vitesse"),
    "laboratory.ms_per_sentence": ("ms per sentence, in batches", "每句毫秒（成批）", "ms par phrase, par lots"),
    "laboratory.lengths_said": (
        "{n} test sentences, greedy decoding, BLEU with all references. Both GRUs are smaller than the Transformer "
        "and were trained on Tatoeba only, so compare them with each other.",
        "{n} 个测试句，贪心解码，BLEU 使用全部参考译文。两个 GRU 都比 Transformer 小，而且只用 Tatoeba 训练，请在它们之间比较。",
        "{n} phrases de test, décodage glouton, BLEU avec toutes les références. Les deux GRU sont plus petits que "
        "le Transformer et n'ont été entraînés que sur Tatoeba : comparez-les entre eux.",
    ),
    "laboratory.read_optimisation_curves": (
        "Four real trainings of a small Transformer. Compare the loss on the sentences it is trained on with the loss on "
        "sentences it has never seen (validation).",
        "一个小 Transformer 的四次真实训练。比较训练句上的损失与从未见过的句子上的损失（验证）。",
        "Quatre vrais entraînements d'un petit Transformer. Comparez la perte sur les phrases d'entraînement à la perte sur "
        "des phrases jamais vues (validation).",
    ),
    "laboratory.why_optimisation_curves": (
        "The training loss alone says little: a model with enough parameters can learn its sentences by heart. So a few "
        "sentences are kept aside, and the loss on them is measured now and then. If both losses stay high, the model is "
        "too small or was trained too briefly (underfitting). If the training loss falls while the validation loss rises, it "
        "learns by heart (overfitting). If the loss jumps about and stays high, the learning rate is too high. "
        "Gradient clipping limits the damage of one bad batch: a gradient that is longer than a bound is scaled down to "
        "it; its direction stays the same.",
        "只看训练损失说明不了什么：参数足够多的模型可以把句子背下来。所以留出一些句子，不时测量模型在它们上面的损失。如果两种损失都居高不下，模型太小或训练太短（欠拟合）。如果训练损失下降而验证损失上升，模型是在死记硬背（过拟合）。如果损失跳动并且居高不下，学习率太高。梯度裁剪限制一个坏批次的影响：超过上限的梯度按比例缩短到上限，方向不变。",
        "La perte d'entraînement seule dit peu : un modèle qui a assez de paramètres peut apprendre ses phrases par "
        "cœur. On met donc quelques phrases de côté et l'on y mesure la perte de temps en temps. Si les deux pertes "
        "restent élevées, le modèle est trop petit ou entraîné trop peu de temps (sous-apprentissage). Si la perte "
        "d'entraînement baisse tandis que celle de validation monte, il apprend par cœur (surapprentissage). Si la "
        "perte fait des bonds et reste haute, le taux d'apprentissage est trop grand. L'écrêtage du gradient limite "
        "les dégâts d'un mauvais lot : un gradient plus long qu'une borne est ramené à cette borne, sans changer de "
        "direction.",
    ),
    "laboratory.curve": ("Training", "训练", "Entraînement"),
    "laboratory.curve_fits": ("Learns", "正常学习", "Apprentissage"),
    "laboratory.curve_overfits": ("Overfits", "过拟合", "Surapprentissage"),
    "laboratory.curve_underfits": ("Underfits", "欠拟合", "Sous-apprentissage"),
    "laboratory.curve_diverges": ("Rate too high", "学习率过高", "Taux trop grand"),
    "laboratory.curve_training": ("training", "训练", "entraînement"),
    "laboratory.curve_validation": ("validation", "验证", "validation"),
    "laboratory.curve_loss": ("loss (nats per token)", "损失（奈特/词元）", "perte (nats par token)"),
    "laboratory.curve_said_fits": (
        "**It learns.** Both curves fall, quickly at first and then slowly, and stay close: {training} in training, "
        "{validation} in validation at the end. They are still falling, so training longer would help.",
        "**正常学习**：两条曲线都下降，先快后慢，并且彼此接近：结束时训练 {training}，验证 {validation}。它们还在下降，继续训练会更好。",
        "**Il apprend.** Les deux courbes descendent, vite puis lentement, et restent proches : {training} à l'entraînement, "
        "{validation} en validation à la fin. Elles descendent encore : entraîner plus longtemps aiderait.",
    ),
    "laboratory.curve_said_overfits": (
        "**It learns by heart.** This run has 400 sentences and no dropout. The training loss falls to {training}, but the "
        "validation loss is lowest at step {best_step} ({best}) and then rises to {validation}. What helps: more sentences, "
        "dropout, or keeping the weights of step {best_step}.",
        "**死记硬背**：这次训练只有 400 个句子，没有随机失活。训练损失降到 {training}，验证损失却在第 {best_step} 步最低（{best}），之后升到 {validation}。对策：更多句子、随机失活，或保留第 {best_step} 步的权重。",
        "**Il apprend par cœur.** Ici, 400 phrases et pas de dropout. La perte d'entraînement tombe à {training}, "
        "mais celle de validation est la plus basse à l'étape {best_step} ({best}), puis remonte à {validation}. "
        "Remèdes : plus de phrases, du dropout, ou garder les poids de l'étape {best_step}.",
    ),
    "laboratory.curve_said_underfits": (
        "**It is too small.** This model has one layer and only 4 numbers per token. Both curves fall a little and "
        "then stay high: {training} in training, {validation} in validation. The first training has the same "
        "sentences and a larger model, and ends much lower.",
        "**太小**：这个模型只有一层，每个词元只有 4 个数。两条曲线稍降之后停在高处：训练 {training}，验证 {validation}。第一次训练用同样的句子和更大的模型，最后的损失低得多。",
        "**Il est trop petit.** Ce modèle a une couche et 4 nombres seulement par token. Les deux courbes baissent "
        "un peu puis restent hautes : {training} à l'entraînement, {validation} en validation. Le premier "
        "entraînement, avec les mêmes phrases et un modèle plus grand, finit bien plus bas.",
    ),
    "laboratory.curve_said_diverges": (
        "**The learning rate is too high** (0.3, with no warm-up and no clipping). In its first ten steps the loss is {first} "
        "on average; guessing at random would give ln 800 = 6.7. It then moves up and down around 5: {validation} in "
        "validation at the end, where the first training reaches {reference}. What helps: a smaller rate and a warm-up.",
        "**学习率太高**（0.3，没有预热，也没有裁剪）。前十步的平均损失是 {first}，随机猜测也只有 ln 800 = 6.7。之后它在 5 附近上下跳动：结束时验证损失 {validation}，而第一次训练达到 {reference}。对策：更小的学习率和预热。",
        "**Le taux d'apprentissage est trop grand** (0,3, sans échauffement ni écrêtage). La perte vaut {first} "
        "en moyenne sur les dix premières étapes ; deviner au hasard donnerait ln 800 = 6,7. Elle oscille "
        "ensuite autour de 5 : {validation} en validation à la fin, là où le premier entraînement atteint "
        "{reference}. Remèdes : un taux plus petit et un échauffement.",
    ),
    "laboratory.curve_clipped": (
        "Norm of the gradient before clipping: at most {largest}. It was longer than {clip} in {share} of the plotted points.",
        "裁剪前梯度的范数最大为 {largest}。在 {share} 的绘图点上它超过 {clip}。",
        "Norme du gradient avant écrêtage : au plus {largest}. Elle dépasse {clip} pour {share} des points tracés.",
    ),
    "laboratory.read_optimisation_schedule": (
        "The learning rate rises during warm-up, while Adam's first estimates are unreliable, and then falls.",
        "Adam 最初的估计不可靠，所以学习率在预热阶段逐渐上升，然后下降。",
        "Le taux d'apprentissage monte pendant l'échauffement, tant que les premières estimations d'Adam sont peu "
        "fiables, puis il descend.",
    ),
    "laboratory.why_optimisation_schedule": (
        "Adam divides each step by an estimate of the gradient's size. In the first steps this estimate comes from "
        "few examples and is unreliable, so large steps can damage the model. Wider models take smaller steps: the "
        "paper's rate is proportional to d_model^(−1/2).",
        "Adam 把每一步除以梯度大小的估计。最初几步，这个估计只来自少量例子，不可靠，步子太大会损坏模型。模型越宽，步子越小：论文的学习率与 d_model 的 −1/2 次方成正比。",
        "Adam divise chaque mise à jour par une estimation de la taille du gradient. Aux premières étapes, elle "
        "vient de peu d'exemples et n'est pas fiable : de grandes mises à jour peuvent abîmer le modèle. Les "
        "modèles plus larges en font de plus petites : le taux de l'article est proportionnel à d_model^(−1/2).",
    ),
    "laboratory.read_optimisation_smoothing": (
        "The training target is not all or nothing: a small part of the probability is spread over the whole "
        "vocabulary.",
        "训练目标不是非 0 即 1：把一小部分概率分给整个词表。",
        "La cible de l'entraînement n'est pas tout ou rien : une petite part de la probabilité est répartie sur tout "
        "le vocabulaire.",
    ),
    "laboratory.why_optimisation_smoothing": (
        "To reach probability 1 a score would have to be infinite, so the model keeps growing its scores and "
        "becomes too certain. With smoothing there is a best finite score. The paper found perplexity a little "
        "worse and BLEU better. A likely reason: a sentence has more than one good translation.",
        "要达到概率 1，分数须为无穷大，于是模型不断增大分数，变得过分自信。平滑之后，最佳分数是有限的。论文发现困惑度略差而 BLEU 更好，可能的原因是：一个句子不止一种好译文。",
        "Pour atteindre la probabilité 1, un score devrait être infini : le modèle augmente donc sans cesse ses "
        "scores et devient trop sûr de lui. Avec le lissage, il existe un meilleur score fini. L'article trouve une "
        "perplexité un peu moins bonne et un meilleur BLEU. Une raison probable : une phrase a plus d'une bonne "
        "traduction.",
    ),
    "laboratory.read_optimisation_first": (
        "With starting weights of the right size a signal keeps its size through many layers. Right: this model's "
        "weights after training, and the bounds within which they started.",
        "初始权重大小合适，信号穿过许多层后仍保持大小。右：此模型训练后的权重，以及它们开始时的范围。",
        "Avec des poids initiaux de bonne taille, un signal garde sa taille à travers beaucoup de couches. À droite "
        ": les poids de ce modèle après l'entraînement, et les bornes entre lesquelles ils étaient au départ.",
    ),
    "laboratory.why_optimisation_first": (
        "Each layer multiplies the variance of its input by (number of inputs × variance of a weight). Below 1 the "
        "signal fades, above 1 it grows, layer after layer. For a square layer Xavier's bound makes this factor 1 "
        "forward and backward. For other layers it is a compromise, because forward needs the number of inputs and "
        "backward the number of outputs.",
        "每一层把输入的方差乘以（输入个数 × 权重方差）。小于 1，信号逐层减弱；大于 1，逐层增大。对方形的层，Xavier 的范围使这个因子在前向和反向都是 "
        "1。对其他的层它是折中，因为前向取决于输入个数，反向取决于输出个数。",
        "Chaque couche multiplie la variance de son entrée par (nombre d'entrées × variance d'un poids). Sous 1 le "
        "signal s'affaiblit, au-dessus il grandit, couche après couche. Pour une couche carrée, la borne de Xavier "
        "donne un facteur 1 à l'aller et au retour. Pour les autres c'est un compromis, car l'aller dépend du nombre "
        "d'entrées et le retour du nombre de sorties.",
    ),
    "laboratory.read_optimisation_dropout": (
        "Dropout on attention weights: in training some weights are set to 0 at random and the others are enlarged, "
        "so that a head does not rely on one token. (en-fr was trained with dropout on the results of its "
        "sublayers, not on weights.)",
        "注意力权重上的随机失活：训练时随机把一些权重置 0，并放大其余的权重，使一个头不至于只依赖一个词元。（en-fr 训练时，随机失活用在子层的结果上，而不是权重上。）",
        "Dropout sur les poids d'attention : à l'entraînement, des poids sont mis à 0 au hasard et les autres "
        "agrandis, pour qu'une tête ne dépende pas d'un seul token. (en-fr a été entraîné avec un dropout sur les "
        "résultats des sous-couches, pas sur les poids.)",
    ),
    "laboratory.why_optimisation_dropout": (
        "Dividing the rest by 1 − p keeps the sum at 1 on average, although the sum differs from draw to draw. When "
        "the model is used, nothing is dropped: everything else on these pages is shown without dropout.",
        "其余权重除以 1 − p，和的平均值仍为 1，尽管每次抽取的和不同。使用模型时不做随机失活：其他页面显示的都是没有随机失活的结果。",
        "Diviser le reste par 1 − p garde une somme de 1 en moyenne, bien que la somme varie d'un tirage à l'autre. "
        "Quand le modèle est utilisé, rien n'est supprimé : tout le reste de ces pages est montré sans dropout.",
    ),
    "laboratory.read_optimisation_norms": (
        "The first gradient of an untrained model of this shape, layer by layer: with the norm after each sum "
        "(post-norm), and before each sublayer (pre-norm).",
        "同样形状、未经训练的模型的第一个梯度，逐层比较：归一化放在相加之后（后归一化），或放在每个子层之前（前归一化）。",
        "Le premier gradient d'un modèle non entraîné de cette forme, couche par couche : normalisation après "
        "chaque somme (post-norm), ou avant chaque sous-couche (pre-norm).",
    ),
    "laboratory.why_optimisation_norms": (
        "In post-norm the gradient must pass through a norm after every sum, and the last layers get the largest "
        "gradients: training needs a slow start. In pre-norm the sums connect the loss directly with the embedding, "
        "so all layers get gradients of similar size. Very large gradients are also clipped: if the norm of the "
        "whole gradient exceeds a limit, it is scaled down to that limit.",
        "后归一化时，梯度在每次相加之后都要通过归一化，最后几层的梯度最大：训练需要缓慢开始。前归一化时，相加把损失与词嵌入直接连通，各层梯度大小相近。此外还要裁剪过大的梯度：整个梯度的范数超过上限时，按比例缩小到上限。",
        "En post-norm, le gradient doit traverser une normalisation après chaque somme, et les dernières couches "
        "reçoivent les plus grands gradients : il faut démarrer lentement. En pre-norm, les sommes relient "
        "directement la perte au plongement et toutes les couches reçoivent des gradients comparables. Les très "
        "grands gradients sont aussi écrêtés : si la norme du gradient entier dépasse une limite, il est ramené "
        "à cette limite.",
    ),
    "laboratory.warmup": ("Warm-up steps", "预热步数", "Pas d'échauffement"),
    "laboratory.d_model": ("d_model", "d_model", "d_model"),
    "laboratory.step": ("step", "步", "pas"),
    "laboratory.learning_rate": ("learning rate", "学习率", "taux d'apprentissage"),
    "laboratory.schedule_noam": ("as in the paper", "与论文相同", "comme dans l'article"),
    "laboratory.schedule_trapezoid": ("trapezoid", "梯形", "trapèze"),
    "laboratory.schedule_cosine": ("cosine", "余弦", "cosinus"),
    "laboratory.schedule_said": (
        "The paper's peak is at step {warmup}: {peak}.",
        "论文的峰值在第 {warmup} 步：{peak}。",
        "Le sommet de l'article est à l'étape {warmup} : {peak}.",
    ),
    "laboratory.smoothing": ("Smoothing", "平滑", "Lissage"),
    "laboratory.probability": ("probability", "概率", "probabilité"),
    "laboratory.smoothing_target": ("training target", "训练目标", "cible de l'entraînement"),
    "laboratory.smoothing_model": ("the model's prediction", "模型的预测", "prédiction du modèle"),
    "laboratory.smoothing_said": (
        "The right token gets {own}; each of the {n} entries of the vocabulary gets at least {each}.",
        "正确的词元得到 {own}；词表的 {n} 个条目每个至少得到 {each}。",
        "Le bon token reçoit {own} ; chacune des {n} entrées du vocabulaire reçoit au moins {each}.",
    ),
    "laboratory.first_xavier": ("Xavier's bound", "Xavier 范围", "borne de Xavier"),
    "laboratory.first_small": ("a fifth of it", "其五分之一", "un cinquième"),
    "laboratory.first_large": ("twice as large", "其两倍", "le double"),
    "laboratory.first_layer": ("layers passed", "经过的层数", "couches traversées"),
    "laboratory.first_size": ("size of the signal", "信号大小", "taille du signal"),
    "laboratory.first_weight": ("weight", "权重", "poids"),
    "laboratory.first_count": ("count", "个数", "nombre"),
    "laboratory.first_said": (
        "{inside} of this matrix is still within the bounds after training (the first encoder layer, feed-forward).",
        "训练后，这个矩阵仍有 {inside} 在范围内（编码器最前一层的前馈）。",
        "{inside} de cette matrice reste dans les bornes après l'entraînement (première couche de l'encodeur, "
        "feed-forward).",
    ),
    "laboratory.drop": ("Probability of dropping", "丢弃概率", "Probabilité de suppression"),
    "laboratory.dropout_before": ("weights", "权重", "poids"),
    "laboratory.dropout_after": ("after dropout", "随机失活之后", "après dropout"),
    "laboratory.dropout_said": (
        "Their sum is now {total}.",
        "它们的和现在是 {total}。",
        "Leur somme est maintenant {total}.",
    ),
    "laboratory.post_norm": (
        "norm after the sum (2017)",
        "相加后归一化（2017）",
        "normalisation après la somme (2017)",
    ),
    "laboratory.pre_norm": ("norm before the sublayer", "子层前归一化", "normalisation avant la sous-couche"),
    "laboratory.gradient_norm": ("norm of the gradient", "梯度范数", "norme du gradient"),
    "laboratory.norms_said": (
        "Gradient of the last decoder layer divided by that of the first: {post} with the norm after, {pre} with the "
        "norm before.",
        "解码器末层的梯度除以首层的梯度：后归一化为 {post}，前归一化为 {pre}。",
        "Gradient de la dernière couche du décodeur divisé par celui de la première : {post} avec la "
        "normalisation après, {pre} avec la normalisation avant.",
    ),
    "laboratory.read_metrics": (
        "How much of the translation is also in the reference: single words, then sequences of two words and more. "
        "Bold means found.",
        "译文中有多少也出现在参考译文里：先看单词，再看两个词以上的连续片断。粗体是找到的部分。",
        "Quelle part de la traduction se trouve aussi dans la référence : mots seuls, puis suites de deux mots et "
        "plus. En gras : les parties trouvées.",
    ),
    "laboratory.why_metrics": (
        "Each match counts at most as often as the reference contains it; otherwise “the the the” would score well. "
        "BLEU is the geometric mean of the precisions, usually of sequences of one to four words; some textbooks stop at two. A translation shorter than the reference is penalised, "
        "because otherwise one safe word would win. With several references a match in any of them counts, and the "
        "nearest length is used. BLEU is meant for many sentences; on one sentence it is coarse.",
        "每个匹配最多按参考译文中出现的次数计算，否则“the the the”也能得高分。BLEU "
        "是各精度的几何平均，通常取一到四个词的片断；有的教材只取到两个词。比参考译文短的译文要受罚，否则一个稳妥的词就能取胜。有多个参考译文时，在任何一个中匹配都算，并取最接近的长度。BLEU 适用于大量句子，对单个句子很粗略。",
        "Chaque correspondance compte au plus autant de fois que la référence la contient ; sinon « le le le » "
        "aurait un bon score. BLEU est la moyenne géométrique des précisions, d'ordinaire pour des suites d'un à quatre mots ; certains manuels s'arrêtent à deux. Une traduction plus courte que "
        "la référence est pénalisée, sinon un seul mot sûr gagnerait. Avec plusieurs références, une correspondance "
        "dans l'une d'elles suffit et l'on prend la longueur la plus proche. BLEU est fait pour beaucoup de phrases "
        "; sur une seule, il est grossier.",
    ),
    "laboratory.candidate": ("Translation", "译文", "Traduction"),
    "laboratory.reference": (
        "References, one per line",
        "参考译文，每行一个",
        "Références, une par ligne",
    ),
    "laboratory.reference_hint": ("Write your own translation", "写下你的译文", "Écrivez votre traduction"),
    "laboratory.bleu_itself": (
        "No reference yet: the translation is compared with itself, so everything is found.",
        "还没有参考译文：译文与自己比较，因此全部找到。",
        "Pas encore de référence : la traduction est comparée à elle-même, donc tout est trouvé.",
    ),
    "laboratory.max_order": ("Longest sequence k", "最长片断 k", "Plus longue suite k"),
    "laboratory.bleu_nearest": (
        "Of {n} references, this one has the length nearest to the translation's; the penalty is computed with it: {text}",
        "在 {n} 个参考译文中，这一个的长度最接近译文，惩罚按它计算：{text}",
        "Des {n} références, celle-ci a la longueur la plus proche de la traduction ; la pénalité est calculée avec elle : "
        "{text}",
    ),
    "laboratory.bleu_marked": ("what was found", "找到的部分", "ce qui a été trouvé"),
    "laboratory.bleu_matches": ("matches", "匹配", "correspondances"),
    "laboratory.bleu_precision": ("precision", "精度", "précision"),
    "laboratory.bleu_smoothed": (
        "* Nothing matched: sacrebleu counts a half, then a quarter… of one match, so that the product is not 0.",
        "* 无匹配：sacrebleu 按半个、四分之一个……匹配计，免得乘积为 0。",
        "* Aucune correspondance : sacrebleu compte une demi-correspondance, puis un quart… pour que le produit ne soit pas 0.",
    ),
    "laboratory.read_data_pipeline": (
        "What happens to a line of text before the model reads it, step by step.",
        "一行文字在模型读入之前，一步步经历了什么。",
        "Ce qui arrive à une ligne de texte avant que le modèle la lise, étape par étape.",
    ),
    "laboratory.why_data_pipeline": (
        "Text from the web contains invisible characters and several kinds of space; without normalising, the same "
        "word written in two ways would be two words. Special tokens mark the end of the sentence and, in the "
        "translation, the beginning. All rows of a batch have one length: longer texts are cut (truncated), shorter "
        "ones are padded, and the mask records which tokens are real. Move the slider. The loss leaves the padding "
        "out.",
        "网络文本含有不可见字符和多种空格；不做规范化，同一个词的两种写法就成了两个词。特殊词元标记句子的结尾，在译文中还标记开头。一批中各行长度相同：过长的文本截断，过短的填充，掩码记录哪些词元是真的。移动滑块看看。计算损失时不计填充。",
        "Les textes du web contiennent des caractères invisibles et plusieurs sortes d'espaces ; sans normalisation, "
        "un mot écrit de deux façons serait deux mots. Des tokens spéciaux marquent la fin de la phrase et, dans la "
        "traduction, le début. Toutes les lignes d'un lot ont la même longueur : les textes plus longs sont tronqués, "
        "les plus courts complétés, et le masque retient quels tokens sont réels. Déplacez le curseur. La perte ne "
        "compte pas le remplissage.",
    ),
    "laboratory.read_data_vocabulary": (
        "Count words: a few are frequent and most occur once. Count tokens: rare words share their parts.",
        "数词：少数很常见，多数只出现一次。数词元：罕见词共用一些部分。",
        "Comptez les mots : quelques-uns sont fréquents, la plupart n'apparaissent qu'une fois. Comptez les tokens : "
        "les mots rares partagent des parties.",
    ),
    "laboratory.why_data_vocabulary": (
        "A list of words is never complete: new words keep appearing, and every word outside the list becomes "
        "“unknown”. A minimum frequency keeps the list short: move the slider and see how much of the text becomes “unknown”. Single "
        "letters would cover nearly everything but make sentences very long. Subword tokens lie between: frequent "
        "words are one token, rare words are split into parts. A character that is missing from the training text stays "
        "unknown, unless the vocabulary has tokens for single bytes, like the English-French model's: it reads 猫 as three "
        "bytes.",
        "词表永远不完整：新词不断出现，表外的词都成为“未知”。最低频次使词表变短：移动滑块，看文本中有多少变成“未知”。只用字母几乎能覆盖一切，但句子会变得很长。子词词元介于两者之间：常用词是一个词元，罕见词拆成几个部分。训练文本里没有的字符仍是未知的，除非词表里有单个字节的词元。英法模型就有：它把“猫”读作三个字节。",
        "Une liste de mots n'est jamais complète : de nouveaux mots apparaissent toujours, et tout mot hors de la "
        "liste devient « inconnu ». Une fréquence minimale raccourcit la liste : déplacez le curseur et voyez quelle part "
        "du texte devient « inconnue ». Des lettres seules couvriraient presque tout, mais rendraient les phrases très "
        "longues. Les tokens de sous-mots sont entre les deux : les mots fréquents sont un token, les mots rares "
        "sont divisés. Un caractère absent du texte d'entraînement reste inconnu, sauf si le vocabulaire a des tokens pour "
        "les octets seuls. Celui du modèle anglais-français en a : il lit 猫 en trois octets.",
    ),
    "laboratory.min_count": ("Minimum frequency of a word", "词的最低频次", "Fréquence minimale d'un mot"),
    "laboratory.vocabulary_said": (
        "A vocabulary of words with their ids: special tokens first, then words in order of frequency. It keeps {kept} of "
        "{n} words; {share} of this text becomes <unk>.",
        "以词为单位的词表及编号：先是特殊词元，再按频次排列词。它保留 {n} 个词中的 {kept} 个；这段文字有 {share} 变成 <unk>。",
        "Un vocabulaire de mots avec leurs identifiants : d'abord les tokens spéciaux, puis les mots par fréquence. Il garde "
        "{kept} mots sur {n} ; {share} de ce texte devient <unk>.",
    ),
    "laboratory.read_data_labels": (
        "In training the decoder is fed the translation shifted by one. At each position it has to predict the token "
        "that comes next: its label.",
        "训练时，输入解码器的是后移一位的译文。在每个位置，它要预测下一个词元，也就是标签。",
        "À l'entraînement, le décodeur reçoit la traduction décalée d'une place. À chaque position, il doit prédire le token "
        "qui suit : son étiquette.",
    ),
    "laboratory.why_data_labels": (
        "Translating is one classification per position, with {vocabulary} classes: the tokens of the vocabulary. The loss "
        "of a position is −ln p of its label, so it is 0 only for p = 1. A model that knows nothing and gives every token "
        "the same probability has a loss of ln {vocabulary} = {by_chance}. Padding has no label to learn, so its positions "
        "are left out and the mean is taken over real tokens. The exponential of the mean loss is the perplexity: among "
        "how many equally likely tokens the model hesitates.",
        "翻译就是在每个位置做一次分类，类别有 {vocabulary} 个：词表中的词元。一个位置的损失是标签的 −ln p，只有 p = 1 时才是 0。一个什么都不知道、给每个词元相同概率的模型，损失是 ln {vocabulary} = {by_chance}。填充没有要学的标签，所以不计它的位置，只对真实词元取平均。平均损失的指数是困惑度：模型在多少个同样可能的词元之间犹豫。",
        "Traduire, c'est une classification par position, avec {vocabulary} classes : les tokens du vocabulaire. La perte "
        "d'une position est −ln p de son étiquette ; elle n'est nulle que pour p = 1. Un modèle qui ne sait rien et donne à "
        "chaque token la même probabilité a une perte de ln {vocabulary} = {by_chance}. Le remplissage n'a pas d'étiquette "
        "à apprendre : ses positions ne comptent pas et la moyenne porte sur les vrais tokens. L'exponentielle de la perte "
        "moyenne est la perplexité : entre combien de tokens également probables le modèle hésite.",
    ),
    "laboratory.labels_position": ("position", "位置", "position"),
    "laboratory.labels_fed": ("the decoder is fed", "输入解码器", "le décodeur lit"),
    "laboratory.labels_label": ("label: the next token", "标签：下一个词元", "étiquette : le suivant"),
    "laboratory.labels_probability": ("probability p of the label", "标签的概率 p", "probabilité p de l'étiquette"),
    "laboratory.labels_loss": ("loss −ln p", "损失 −ln p", "perte −ln p"),
    "laboratory.labels_said": (
        "Mean loss over the {n} real tokens: {mean}, a perplexity of {perplexity}. The padding is not counted: the sum is "
        "divided by {n}, not by {with_padding}. Here the labels are the model's own translation; in training they are a person's.",
        "{n} 个真实词元的平均损失：{mean}，困惑度 {perplexity}。填充不计：总和除以 {n}，而不是 {with_padding}。这里的标签是模型自己的译文；训练时，标签是人写的译文。",
        "Perte moyenne sur les {n} vrais tokens : {mean}, soit une perplexité de {perplexity}. Le remplissage ne "
        "compte pas : on divise la somme par {n}, non par {with_padding}. Les étiquettes sont ici la traduction du "
        "modèle lui-même ; à l'entraînement, c'est la traduction d'une personne.",
    ),
    "laboratory.read_data_partition": (
        "Two ways to cut a long text into batches. The number says where a row begins in the text.",
        "把一篇长文切成批的两种办法。数字表示该行在文中的起点。",
        "Deux façons de découper un long texte en lots. Le nombre dit où la ligne commence dans le texte.",
    ),
    "laboratory.why_data_partition": (
        "With random cutting a row has nothing to do with the row before it, and every starting point is equally "
        "likely. With sequential cutting, row 1 of the next batch continues row 1 of this batch, so a recurrent "
        "network can keep its state from batch to batch.",
        "随机切分：每一行与前一批无关，任何起点机会均等。顺序切分：下一批的第 1 行接着这一批的第 1 行，循环网络可以把状态保留到下一批。",
        "Au hasard, une ligne n'a rien à voir avec la précédente et tous les points de départ sont également "
        "probables. À la suite, la ligne 1 du lot suivant continue la ligne 1 de ce lot : un réseau récurrent peut "
        "garder son état d'un lot à l'autre.",
    ),
    "laboratory.data_raw": ("Raw", "原始", "Brut"),
    "laboratory.data_normalised": ("Normalised", "规范化", "Normalisé"),
    "laboratory.data_bare": ("As it is often typed", "平常输入的样子", "Comme on l'écrit souvent"),
    "laboratory.data_pieces": ("Tokens", "词元", "Tokens"),
    "laboratory.data_ids": ("Ids", "编号", "Identifiants"),
    "laboratory.data_padded": ("Padded to the batch", "填充到批的长度", "Complété à la longueur du lot"),
    "laboratory.data_mask": ("Mask: 1 is a real token", "掩码：1 为真实词元", "Masque : 1 = token réel"),
    "laboratory.data_replaced": (
        "Replaced or removed: {characters}",
        "已替换或删除：{characters}",
        "Remplacés ou retirés : {characters}",
    ),
    "laboratory.steps": ("Length of a row in the batch", "批中一行的长度", "Longueur d'une ligne du lot"),
    "laboratory.data_cut": (
        "Truncated: the last {n} {n|token is|tokens are} cut off.",
        "已截断：去掉了最后 {n} 个词元。",
        "Tronqué : {n} {n|token est coupé|tokens sont coupés} à la fin.",
    ),
    "laboratory.data_no_words": (
        "There is nothing to count: write some words, with a model that has a vocabulary.",
        "没有可数的：请写几个词，并用带词表的模型。",
        "Rien à compter : écrivez des mots, avec un modèle qui a un vocabulaire.",
    ),
    "laboratory.data_words_said": (
        "{n} words, {once} of them once",
        "{n} 个词，其中 {once} 个只出现一次",
        "{n} mots, dont {once} une seule fois",
    ),
    "laboratory.data_pieces_said": (
        "{n} tokens, {once} of them once; the model's vocabulary has {total}",
        "{n} 个词元，其中 {once} 个只出现一次；模型词表有 {total} 个",
        "{n} tokens, dont {once} une seule fois ; le vocabulaire du modèle en a {total}",
    ),
    "laboratory.count": ("count", "次数", "nombre"),
    "laboratory.long_text": ("A longer text", "较长的文字", "Un texte plus long"),
    "laboratory.rows": ("Rows of a batch", "每批行数", "Lignes par lot"),
    "laboratory.length": ("Tokens per row", "每行词元", "Tokens par ligne"),
    "laboratory.partition_random": ("at random", "随机", "au hasard"),
    "laboratory.partition_sequential": ("in sequence", "顺序", "à la suite"),
    "laboratory.batch": ("batch {n}", "第 {n} 批", "lot {n}"),
    "laboratory.head_in_use": (
        "Head of cross-attention in use:",
        "所用的交叉注意力头：",
        "Tête d'attention croisée utilisée :",
    ),
    "laboratory.read_toy": (
        "A Transformer with one layer and one head, trained here on German sentences of three words. It is small enough to "
        "read every number. Sentences in bold were never trained on.",
        "一个只有一层、一个头的 Transformer，在这里用三个词的德语句子训练。它很小，每个数都读得过来。粗体的句子从未用于训练。",
        "Un Transformer à une couche et une tête, entraîné ici sur des phrases allemandes de trois mots. Il est assez petit "
        "pour qu'on en lise chaque nombre. Les phrases en gras n'ont jamais servi à l'entraînement.",
    ),
    "laboratory.why_toy": (
        "German may put the object first: “hunde sehe ich” means “i see dogs”. So the model cannot copy word by "
        "word; it has to find the subject, wherever it stands. Look at the cross-attention of a sentence in both "
        "orders: do the rows move with the words? Train it from another start (other random weights) and compare: "
        "are the maps alike, and are the sentences in bold still right? Open it to follow every number on the page “Inside a head”.",
        "德语可以把宾语放在前面：“hunde sehe ich”的意思是“i see dogs”。所以模型不能逐词照抄，而要找到主语，无论它在哪里。看同一句两种语序的交叉注意力：各行是否随词移动？换一组初始权重再训练，比较一下：两次的图相似吗？粗体的句子还译得对吗？打开它，就可以在“注意力头内部”页追踪每一个数。",
        "L'allemand peut mettre l'objet en tête : « hunde sehe ich » veut dire « i see dogs ». Le modèle ne peut "
        "donc pas copier mot à mot ; il doit trouver le sujet, où qu'il soit. Regardez l'attention croisée d'une "
        "phrase dans les deux ordres : les lignes suivent-elles les mots ? Réentraînez-le d'un autre départ "
        "(d'autres poids initiaux) et comparez : les cartes se ressemblent-elles, les phrases en gras sont-elles "
        "encore justes ? Ouvrez-le pour suivre chaque nombre dans « Intérieur d'une tête ».",
    ),
    "laboratory.toy_training": ("Training the toy…", "正在训练……", "Entraînement…"),
    "laboratory.toy_again": ("Train from another start", "换初始权重再训练", "Réentraîner d'un autre départ"),
    "laboratory.toy_open": ("Open this model", "打开此模型", "Ouvrir ce modèle"),
    "laboratory.toy_source": ("German sentence", "德语句子", "Phrase allemande"),
    "laboratory.toy_translation": ("the model's translation", "模型的译文", "traduction du modèle"),
    "laboratory.toy_right": ("right?", "对吗？", "juste ?"),
    "laboratory.toy_said": ("{right} of {n} right.", "{n} 句中 {right} 句正确。", "{right} justes sur {n}."),
    "laboratory.toy_numbers": ("All {n} numbers of the model", "模型的全部 {n} 个数", "Les {n} nombres du modèle"),
    "laboratory.toy_tensor": ("Tensor", "张量", "Tenseur"),
    "laboratory.toy_shape": (
        "{rows} rows, {columns} columns",
        "{rows} 行，{columns} 列",
        "{rows} lignes, {columns} colonnes",
    ),
}
