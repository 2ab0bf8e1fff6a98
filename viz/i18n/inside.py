"""Words of the page that takes one head apart."""

STRINGS: dict[str, tuple[str, ...]] = {
    "inside.error": (
        "The steps inside this head cannot be shown",
        "无法显示这个头的内部步骤",
        "Les étapes de cette tête ne peuvent pas être montrées",
    ),
    "inside.kind": ("Kind of attention", "注意力类型", "Type d'attention"),
    "inside.layer": ("Layer", "层", "Couche"),
    "inside.head": ("Head", "头", "Tête"),
    "inside.token": ("Query token", "查询词元", "Token de la requête"),
    "inside.shown": ("Shown as", "显示方式", "Affichage"),
    "inside.shown_vector": ("one token", "单个词元", "un token"),
    "inside.shown_matrix": ("all tokens", "全部词元", "tous les tokens"),
    "inside.leave_out": ("Leave out", "去掉一步", "Retirer une étape"),
    "inside.leave_out_help": (
        "Change one part of this head and see what it does. The steps before it stay the same.",
        "改动这个头的一处，看看它原本的作用。之前的步骤不变。",
        "Changez une partie de cette tête et voyez ce que cela change. Les étapes précédentes restent les mêmes.",
    ),
    "inside.without_scaling": ("no division by √d_k", "不除以 √d_k", "sans division par √d_k"),
    "inside.one_matrix": ("one matrix for query and key", "查询与键共用一个矩阵", "une matrice pour requête et clé"),
    "inside.without_values": ("no values", "去掉值", "sans valeurs"),
    "inside.said_without_scaling": (
        "Without √d_k the scores are {factor:.1f} times as large, so the largest weight of this row goes from "
        "{before:.2f} to {after:.2f}.",
        "不除以 √d_k 时，分数变为 {factor:.1f} 倍，因此本行最大权重由 {before:.2f} 变为 {after:.2f}。",
        "Sans √d_k, les scores sont {factor:.1f} fois plus grands : le plus grand poids de cette ligne passe donc de "
        "{before:.2f} à {after:.2f}.",
    ),
    "inside.said_one_matrix_self": (
        "With one matrix for both, the score of a → b equals the score of b → a (largest difference "
        "{difference}). The weights still differ, because each row has a softmax of its own.",
        "查询与键共用一个矩阵时，a → b 的分数等于 b → a 的分数（最大差 {difference}）。权重仍不相同，因为每一行各做一次 softmax。",
        "Avec une seule matrice, le score de a → b est égal à celui de b → a (plus grand écart {difference}). "
        "Les poids restent différents, car chaque ligne a son propre softmax.",
    ),
    "inside.said_one_matrix_cross": (
        "With one matrix for both, the scores change but are not symmetric, because in cross-attention queries and "
        "keys belong to different sentences. Choose a self-attention head to see symmetric scores.",
        "查询与键共用一个矩阵时分数会变，但不对称，因为交叉注意力的查询和键来自不同的句子。请选择一个自注意力头来看对称的分数。",
        "Avec une seule matrice, les scores changent mais ne sont pas symétriques, car en attention croisée requêtes "
        "et clés viennent de phrases différentes. Choisissez une tête d'auto-attention pour voir des scores "
        "symétriques.",
    ),
    "inside.said_without_values": (
        "Without values the weighted sum is zero: this head passes on nothing, and W_O receives the other heads only.",
        "没有值，加权求和的结果就是零：这个头什么也不传递，W_O 只收到其他头的结果。",
        "Sans valeurs, la somme pondérée est nulle : cette tête ne transmet rien et W_O ne reçoit que les autres "
        "têtes.",
    ),
    "inside.changed": (
        "Changes are in force: these are the numbers of the model as changed.",
        "有改动生效：这里显示的是改动后的模型的数值。",
        "Des modifications sont en vigueur : ces nombres sont ceux du modèle modifié.",
    ),
    "inside.why": ("Why?", "为什么？", "Pourquoi ?"),
    "inside.play": ("▶ Play", "▶ 播放", "▶ Jouer"),
    "inside.pause": ("❚❚ Pause", "❚❚ 暂停", "❚❚ Pause"),
    "inside.next": ("Next: {step} →", "下一步：{step} →", "Suite : {step} →"),
    "inside.step": ("Step", "步骤", "Étape"),
    "inside.vector": ("Vector", "向量", "Vecteur"),
    "inside.step_entrance": ("Input", "输入", "Entrée"),
    "inside.step_project": ("q, k, v", "q、k、v", "q, k, v"),
    "inside.step_split": ("Split", "切分", "Découper"),
    "inside.step_turn": ("Rotation", "旋转", "Rotation"),
    "inside.step_scores": ("q·k", "q·k", "q·k"),
    "inside.step_scale": ("÷ √d", "÷ √d", "÷ √d"),
    "inside.step_mask": ("Mask", "掩码", "Masque"),
    "inside.step_softmax": ("Softmax", "Softmax", "Softmax"),
    "inside.step_mix": ("Sum of values", "对值加权求和", "Somme des valeurs"),
    "inside.step_concat": ("All heads", "多头拼接", "Concaténer"),
    "inside.step_output": ("W_O", "W_O", "W_O"),
    "inside.step_residual": ("Add", "相加", "Ajout"),
    "inside.step_feed": ("Feed-forward", "前馈", "Réseau feed-forward"),
    "inside.step_top": ("Next token", "下一词元", "Token suivant"),
    "inside.read_entrance": (
        "A token becomes a vector (its embedding, multiplied by the model's factor), the vector of its position is "
        "added, and the norm brings the sum to a common scale.",
        "词元变成一个向量（词嵌入），加上位置向量，再经归一化。",
        "Un token devient un vecteur (son plongement), on y ajoute le vecteur de sa position, et la normalisation "
        "ramène la somme à une échelle commune.",
    ),
    "inside.read_entrance_plain": (
        "A token becomes a vector: its embedding. No position is added to it; positions act inside attention. The norm "
        "brings it to a common scale.",
        "词元变成一个向量，即它的词嵌入。这里不加位置向量：位置在注意力内部起作用。然后归一化。",
        "Un token devient un vecteur : son plongement. Aucune position ne s'y ajoute ; les positions agissent dans "
        "l'attention. La normalisation le ramène à une échelle commune.",
    ),
    "inside.read_turn": (
        "Each pair of numbers is an arrow in a plane. It is turned by an angle that grows with the token's position, fast "
        "for the first pairs and slowly for the last.",
        "每一对数是平面上的一个箭头。它按词元的位置旋转一个角度：前面的数对转得快，后面的转得慢。",
        "Chaque paire de nombres est une flèche dans un plan. Elle tourne d'un angle qui croît avec la position du token, "
        "vite pour les premières paires, lentement pour les dernières.",
    ),
    "inside.turned": ("turned", "旋转后", "après rotation"),
    "inside.angles": ("angle of each pair, degrees", "每一对的角度（度）", "angle de chaque paire, en degrés"),
    "inside.turning": (
        "turns a vector at position {m}",
        "旋转位置 {m} 上的向量",
        "fait tourner un vecteur à la position {m}",
    ),
    "inside.heads_shared": ("Heads {first}–{last}", "头 {first}–{last}", "Têtes {first}–{last}"),
    "inside.read_project": (
        "Three learned matrices make three vectors from each token: the query (what it looks for), the key (how it "
        "is found) and the value (what it passes on).",
        "三个学得的矩阵由每个词元得到三个向量：查询（它要找什么）、键（它怎样被找到）、值（它传递什么）。",
        "Trois matrices apprises tirent de chaque token trois vecteurs : la requête (ce qu'il cherche), la clé "
        "(comment on le trouve) et la valeur (ce qu'il transmet).",
    ),
    "inside.read_split": (
        "One product with the matrix of all heads gives one long vector. It is cut into equal parts, one for each head; "
        "the outlined part belongs to this head.",
        "与所有头的矩阵做一次乘法，得到一个长向量。把它切成相等的几段，每个头一段；框出的一段属于这个头。",
        "Un seul produit avec la matrice de toutes les têtes donne un long vecteur. On le coupe en parts égales, une par "
        "tête ; la partie encadrée est celle de cette tête.",
    ),
    "inside.split_whole": ("of “{token}”, all heads", "属于“{token}”，所有头", "de « {token} », toutes les têtes"),
    "inside.split_cut": ("one row per head", "每个头一行", "une ligne par tête"),
    "inside.split_own": ("the part of head {head}", "第 {head} 头的部分", "la partie de la tête {head}"),
    "inside.split_shapes": (
        "The shapes, step by step: {n} tokens of {d} numbers, ({n}, {d}) → times W, ({n}, {whole}) → each row cut into {h} "
        "parts, ({n}, {h}, {k}) → heads first, ({h}, {n}, {k}). Each head has d_k = {whole} / {h} = {k} dimensions.",
        "形状逐步变化：{n} 个词元，每个 {d} 个数，({n}, {d}) → 乘以 W，({n}, {whole}) → 每行切成 {h} 段，({n}, {h}, {k}) → 把头放到最前，({h}, {n}, "
        "{k})。每个头有 d_k = {whole} / {h} = {k} 维。",
        "Les formes, pas à pas : {n} tokens de {d} nombres, ({n}, {d}) → fois W, ({n}, {whole}) → chaque ligne coupée en {h} "
        "parts, ({n}, {h}, {k}) → les têtes d'abord, ({h}, {n}, {k}). Chaque tête a d_k = {whole} / {h} = {k} dimensions.",
    ),
    "inside.read_scores": (
        "Multiply query and key number by number and add up. A large sum means that this key fits this query.",
        "把查询与键逐维相乘再求和。和越大，这个键与这个查询越匹配。",
        "Multipliez requête et clé nombre à nombre et additionnez. Une grande somme veut dire que cette clé convient "
        "à cette requête.",
    ),
    "inside.read_scale": (
        "Divide every score by √d_k, the square root of the number of dimensions of a query.",
        "把每个分数除以 √d_k，即维数 d_k 的平方根。",
        "Divisez chaque score par √d_k, la racine carrée du nombre de dimensions d'une requête.",
    ),
    "inside.read_scale_relative": (
        "This model does not divide by √d_k. Each head adds a number of its own, b, that depends on how far apart "
        "the two tokens are. This is how the model takes positions into account.",
        "这个模型不除以 √d_k。每个头再加上自己的一个数 b，它取决于两个词元相距多远。模型就这样考虑位置。",
        "Ce modèle ne divise pas par √d_k. Chaque tête ajoute un nombre à elle, b, qui dépend de la distance entre "
        "les deux tokens. C'est ainsi que le modèle tient compte des positions.",
    ),
    "inside.read_scale_none": (
        "This model does not divide by √d_k: it was trained on the scores as they are.",
        "这个模型不除以 √d_k：训练时用的就是原来的分数。",
        "Ce modèle ne divise pas par √d_k : il a été entraîné sur les scores tels quels.",
    ),
    "inside.read_mask": (
        "A token that may not be seen gets the score minus infinity, which the softmax turns into a weight of "
        "exactly 0.",
        "不允许看的词元，分数记为负无穷，softmax 会把它变成恰好为 0 的权重。",
        "Un token qui ne doit pas être vu reçoit le score moins l'infini, que le softmax transforme en un poids "
        "exactement nul.",
    ),
    "inside.read_softmax": (
        "Raise e to each score and divide by the total. The weights are positive and add up to 1.",
        "对每个分数取以 e 为底的指数，再除以总和。权重都为正，和为 1。",
        "Prenez l'exponentielle de chaque score et divisez par le total. Les poids sont positifs et leur somme vaut 1.",
    ),
    "inside.read_mix": (
        "Multiply each value by its weight and add up. The result is one new vector for this token.",
        "每个值乘以自己的权重，再相加，得到这个词元的一个新向量。",
        "Multipliez chaque valeur par son poids et additionnez. Le résultat est un nouveau vecteur pour ce token.",
    ),
    "inside.read_concat": (
        "Every head has computed a vector of its own. They are placed side by side; the outlined part belongs to "
        "this head.",
        "每个头都算出了自己的向量，把它们拼接起来；框出的部分属于这个头。",
        "Chaque tête a calculé son propre vecteur. On les place côte à côte ; la partie encadrée est celle de cette "
        "tête.",
    ),
    "inside.read_output": (
        "One more learned matrix, W_O, combines the vectors of all heads into the result of the attention layer.",
        "再用一个学得的矩阵 W_O，把各头的向量合成这一注意力层的输出。",
        "Une dernière matrice apprise, W_O, combine les vecteurs de toutes les têtes : c'est la sortie de la couche "
        "d'attention.",
    ),
    "inside.read_residual": (
        "The result is added to the vector that the token had before the layer.",
        "把结果加到词元进入这一层之前的向量上。",
        "Le résultat est ajouté au vecteur que le token avait avant la couche.",
    ),
    "inside.read_feed": (
        "Each token by itself: multiply to a wider hidden layer, apply the activation function, and multiply back to "
        "the width of the model.",
        "每个词元单独处理：乘到更宽的隐藏层，经过激活函数，再乘回模型的宽度。",
        "Chaque token séparément : on passe à une couche cachée plus large, on applique la fonction d'activation, "
        "puis on revient à la largeur du modèle.",
    ),
    "inside.read_top": (
        "The output layer applied after each layer: the most probable next tokens at that point, and the model's "
        "uncertainty in bits.",
        "在每一层之后都用输出层读一次：此时最可能的下一个词元，以及模型的不确定程度（比特）。",
        "La couche de sortie appliquée après chaque couche : les tokens suivants les plus probables à ce point, et "
        "l'incertitude du modèle en bits.",
    ),
    "inside.read_top_encoder": (
        "The encoder predicts no tokens: its result goes to the decoder. Shown here is what the decoder predicts for "
        "the first token, layer by layer.",
        "编码器不预测词元，它的结果交给解码器。这里显示解码器逐层对第一个词元的预测。",
        "L'encodeur ne prédit aucun token : son résultat va au décodeur. On voit ici ce que le décodeur prédit pour "
        "le premier token, couche par couche.",
    ),
    "inside.why_entrance": (
        "Self-attention compares vectors and takes no account of order: shuffle the tokens and the results are the "
        "same, shuffled. In the encoder the position vectors are the only information about order. In the decoder "
        "the causal mask gives a second hint, because a later token may see more tokens than an earlier one. The "
        "norm keeps the vectors of all layers at a similar size, so that the scores do not grow from layer to layer.",
        "自注意力只比较向量，不考虑顺序：打乱词元，结果相同，只是也被打乱。在编码器里，位置向量是关于顺序的唯一信息。在解码器里，因果掩码也透露一点顺序，因为靠后的词元能看到更多词元。归一化使各层向量大小相近，分数就不会逐层变大。",
        "L'auto-attention compare des vecteurs sans tenir compte de l'ordre : mélangez les tokens, les résultats "
        "sont les mêmes, mélangés. Dans l'encodeur, les vecteurs de position sont la seule information sur l'ordre. "
        "Dans le décodeur, le masque causal en donne une seconde, car un token voit d'autant plus de tokens qu'il "
        "vient tard. La normalisation garde des vecteurs de taille comparable, pour que les scores ne grandissent "
        "pas de couche en couche.",
    ),
    "inside.why_project": (
        "Think of a library. The query is what you ask for, the key is the label on a book's spine, and the value is "
        "what the book says. One vector could not do all three jobs, because a token looks for something other "
        "than itself: an adjective looks for its noun.",
        "想象一座图书馆。查询是你想找的内容，键是书脊上的标签，值是书里的内容。一个向量做不了这三件事，因为词元要找的往往不是自己：形容词要找的是它修饰的名词。",
        "Pensez à une bibliothèque. La requête est ce que vous demandez, la clé est l'étiquette au dos du livre, la "
        "valeur est le contenu du livre. Un seul vecteur ne pourrait jouer les trois rôles, car un token cherche "
        "autre chose que lui-même : un adjectif cherche son nom.",
    ),
    "inside.why_turn": (
        "Without positions, attention could not tell “dog bites man” from “man bites dog”. Rotary positions (Su et al. "
        "2021) turn the query at position m by m times each pair's frequency, and the key at n by n times. The product of "
        "two turned arrows depends on the angle between them, so a score depends on the distance m − n alone. Position 0 "
        "is not turned. Values are not turned either: what is mixed does not depend on where it stood.",
        "没有位置，注意力分不清“狗咬人”和“人咬狗”。旋转位置编码（Su 等，2021）把位置 m 上的查询转过 m 乘以每对的频率，把位置 n 上的键转过 n 乘以该频率。"
        "两个旋转后的箭头的积只取决于它们之间的夹角，所以分数只取决于距离 m − n。位置 0 不旋转。值也不旋转：被混合的内容与它所在的位置无关。",
        "Sans positions, l'attention ne distinguerait pas « chien mord homme » de « homme mord chien ». Les positions "
        "rotatives (Su et al. 2021) tournent la requête à la position m de m fois la fréquence de chaque paire, et la clé à "
        "la position n de n fois. Le produit de deux flèches tournées dépend de l'angle entre elles : un score ne dépend "
        "donc que de la distance m − n. À la position 0 rien ne tourne. Les valeurs ne tournent pas non plus : ce qui est "
        "mélangé ne dépend pas de sa place.",
    ),
    "inside.why_split": (
        "One large product is faster than many small ones, and cutting costs nothing: the numbers stay where they are and "
        "only the shape is read differently. Usually d_k = d_model / h, so that all heads together are as wide as the "
        "model. The cut is the reason why this page can show W_Q of one head: it is a block of columns of the large "
        "matrix. Keys and values are cut in the same way; after the weighted sum the parts are put side by side again.",
        "一次大的乘法比许多次小的快，而切分不花时间：数留在原处，只是换一种形状来读。通常 d_k = d_model / h，这样所有头合起来与模型一样宽。正因为这样切分，本页才能单独显示一个头的 "
        "W_Q：它是大矩阵中相邻的若干列。键和值也这样切分；加权求和之后，各段再拼接起来。",
        "Un grand produit est plus rapide que beaucoup de petits, et couper ne coûte rien : les nombres restent à leur "
        "place, on lit seulement une autre forme. En général d_k = d_model / h : toutes les têtes ensemble ont la largeur "
        "du modèle. C'est pourquoi cette page peut montrer le W_Q d'une seule tête : c'est un bloc de colonnes de la grande "
        "matrice. Clés et valeurs sont coupées de même ; après la somme pondérée, on remet les parts côte à côte.",
    ),
    "inside.why_scores": (
        "The strip below shows each product. Often a few dimensions decide the sum: there both numbers are large. If "
        "they have the same sign the score rises, otherwise it falls. A dot product depends on the length of the "
        "vectors too, not on their direction alone.",
        "下方的条带显示每一维的乘积。和往往由少数几维决定：那里两个数都大。同号使分数升高，异号使分数降低。点积不仅取决于方向，也取决于向量的长度。",
        "La bande ci-dessous montre chaque produit. Souvent quelques dimensions décident de la somme : les deux "
        "nombres y sont grands. De même signe, ils augmentent le score ; de signes contraires, ils le diminuent. Un "
        "produit scalaire dépend aussi de la longueur des vecteurs, pas seulement de leur direction.",
    ),
    "inside.why_scale": (
        "Multiply two independent numbers of mean 0 and variance 1: the product has variance 1. A sum of d such "
        "products has variance d. With large scores the softmax gives nearly all weight to one token, and its "
        "gradient is close to 0. Dividing by √d brings the variance back to 1. Leave the division out and look at "
        "the softmax.",
        "两个均值为 0、方差为 1 的独立数相乘，乘积的方差为 1；d 个这样的乘积之和，方差为 d。分数很大时，softmax 几乎把全部权重给一个词元，梯度接近 0。除以 √d，方差回到 1。去掉这一步，再看 "
        "softmax。",
        "Le produit de deux nombres indépendants de moyenne 0 et de variance 1 a pour variance 1 ; la somme de d "
        "tels produits a pour variance d. Avec de grands scores, le softmax donne presque tout le poids à un seul "
        "token et son gradient est presque nul. Diviser par √d ramène la variance à 1. Retirez la division et "
        "regardez le softmax.",
    ),
    "inside.why_mask": (
        "There are two reasons to hide a token. A padding token stands for no word. And in training the decoder is "
        "given the whole translation: if it saw the later tokens, it would learn to copy them, and would fail when "
        "translating, because then they do not exist yet. The score is minus infinity because e to that power is 0, "
        "so the remaining weights still add up to 1.",
        "隐藏词元有两个原因。第一，填充词元不代表任何词。第二，训练时解码器拿到整句译文：如果看得到后面的词元，它只会学会照抄，而翻译时后面的词元还不存在，它就会失败。分数取负无穷，是因为 e 的负无穷次幂为 "
        "0，其余权重之和仍为 1。",
        "Il y a deux raisons de cacher un token. Un token de remplissage ne correspond à aucun mot. Et à "
        "l'entraînement le décodeur reçoit toute la traduction : s'il voyait la suite, il apprendrait à la copier et "
        "échouerait en traduisant, quand elle n'existe pas encore. Le score est moins l'infini, car son "
        "exponentielle vaut 0 : la somme des autres poids reste 1.",
    ),
    "inside.why_softmax": (
        "The weights must be positive and add up to 1, and they must change smoothly with the scores, or the model "
        "could not be trained by gradients. Only differences between scores count: add 5 to all scores and the "
        "weights stay the same.",
        "权重必须为正且和为 1，还要随分数平滑变化，否则模型无法用梯度训练。只有分数之差起作用：所有分数都加 5，权重不变。",
        "Les poids doivent être positifs, de somme 1, et varier en douceur avec les scores, sinon le modèle ne "
        "pourrait pas apprendre par gradient. Seules les différences entre scores comptent : ajoutez 5 à tous, les "
        "poids ne changent pas.",
    ),
    "inside.why_mix": (
        "The weight says how much, the value says what. A head that puts a large weight on a token with a very short "
        "value vector passes on almost nothing. So the weights alone do not show what matters.",
        "权重说明取多少，值说明取什么。如果某个词元的值向量很短，即使权重很大，传递的也几乎为零。所以只看权重，看不出什么重要。",
        "Le poids dit combien, la valeur dit quoi. Une tête qui donne un grand poids à un token dont le vecteur "
        "valeur est très court ne transmet presque rien. Les poids seuls ne disent donc pas ce qui importe.",
    ),
    "inside.why_concat": (
        "One softmax gives one distribution over the tokens, and so one weighted sum. With several heads a token "
        "gets several distributions and several sums: one may follow the verb while another follows the previous "
        "word. Each head works in d_model / h dimensions, so all heads together cost about as much as a single head "
        "of full width.",
        "一个 softmax 只给出词元上的一个分布，因此只有一个加权和。有多个头，一个词元就有多个分布、多个加权和：一个头可以跟着动词，另一个跟着前一个词。每个头只用 d_model / h "
        "维，所以全部头的计算量与一个全宽的头相当。",
        "Un softmax donne une distribution sur les tokens, donc une seule somme pondérée. Avec plusieurs têtes, un "
        "token reçoit plusieurs distributions et plusieurs sommes : l'une peut suivre le verbe, l'autre le mot "
        "précédent. Chaque tête travaille en d_model / h dimensions ; ensemble, elles coûtent à peu près autant "
        "qu'une seule tête de pleine largeur.",
    ),
    "inside.why_output": (
        "W_O decides in which directions of the residual stream each head can write. The rows of W_O that belong to "
        "this head are the only way by which its result reaches the rest of the model.",
        "W_O 决定每个头能向残差流的哪些方向写入。W_O 中属于这个头的那些行，是它的结果通往模型其余部分的唯一途径。",
        "W_O décide dans quelles directions du flux résiduel chaque tête peut écrire. Les lignes de W_O qui "
        "appartiennent à cette tête sont le seul chemin par lequel son résultat atteint le reste du modèle.",
    ),
    "inside.why_residual": (
        "Each layer adds its result to a running sum, the residual stream. In a pre-norm model the gradient passes "
        "through every plus sign unchanged, back to the embedding. In a post-norm model each sum is normalised "
        "afterwards, so the gradient also passes through every norm. Because layers only add, a head can be switched "
        "off while the rest still works.",
        "每一层把自己的结果加到一个累计和上，即残差流。在前归一化的模型里，梯度原样通过每个加号，一直回到词嵌入。在后归一化的模型里，每次相加之后还要归一化，梯度也要通过每个归一化。因为各层只是相加，关掉一个头，其余部分仍能工作。",
        "Chaque couche ajoute son résultat à une somme courante, le flux résiduel. Dans un modèle à "
        "pré-normalisation (pre-norm), le gradient traverse chaque addition sans changement, jusqu'au plongement. "
        "Dans un modèle à post-normalisation (post-norm), chaque somme est ensuite normalisée et le gradient "
        "traverse aussi chaque normalisation. Comme les couches ne font qu'ajouter, on peut désactiver une tête et "
        "le reste fonctionne encore.",
    ),
    "inside.read_feed_gated": (
        "Each token by itself: multiply to a wider hidden layer, apply the activation function, multiply each number "
        "by its gate, a second product of the same vector, and go back to the width of the model.",
        "每个词元单独处理：乘到更宽的隐藏层，经过激活函数，每个数再乘以自己的门（同一向量的另一个乘积），最后乘回模型的宽度。",
        "Chaque token séparément : on passe à une couche cachée plus large, on applique la fonction d'activation, on "
        "multiplie chaque nombre par sa porte, un second produit du même vecteur, puis on revient à la largeur du modèle.",
    ),
    "inside.why_feed": (
        "Attention moves information between tokens. This network works on each token alone, with the same weights "
        "at every position; in a framework for images it would be called a 1×1 convolution. It holds about two "
        "thirds of the parameters of an encoder layer, and about half of a decoder layer, which has two attentions. "
        "With ReLU, many hidden units are exactly 0 for a given token; with GELU or SiLU they are small but rarely "
        "0.",
        "注意力在词元之间传递信息。这个网络对每个词元单独计算，各个位置使用相同的权重；在图像领域，它叫作 1×1 卷积。它约占编码器一层参数的三分之二；解码器一层有两个注意力，它约占一半。用 ReLU "
        "时，对某个词元，许多隐藏单元恰好为 0；用 GELU 或 SiLU 时它们很小，但很少为 0。",
        "L'attention fait circuler l'information entre les tokens. Ce réseau traite chaque token seul, avec les "
        "mêmes poids à toutes les positions ; en traitement d'images on l'appellerait une convolution 1×1. Il "
        "contient environ deux tiers des paramètres d'une couche de l'encodeur, et environ la moitié d'une "
        "couche du décodeur, qui a deux attentions. Avec ReLU, beaucoup d'unités cachées valent exactement 0 "
        "pour un token donné ; avec GELU ou SiLU elles sont petites, rarement nulles.",
    ),
    "inside.why_top": (
        "This is called the logit lens: the residual stream after each layer is read with the model's own last norm "
        "and output matrix. The last row is the model's real prediction. The rows above are a reading for which the "
        "model was not trained, so treat them as hints.",
        "这叫 logit 透镜（logit lens）：用模型自己的最后一个归一化和输出矩阵，去读每一层之后的残差流。最后一行是模型真正的预测。上面各行不是模型训练的目标，只能作参考。",
        "C'est la « logit lens » : le flux résiduel après chaque couche est lu avec la dernière normalisation et "
        "la matrice de sortie du modèle. La dernière ligne est la vraie prédiction du modèle. Il n'a pas été "
        "entraîné pour les autres : prenez-les comme des indices.",
    ),
    "inside.embedding": ("embedding", "词嵌入", "plongement"),
    "inside.position": ("position", "位置", "position"),
    "inside.sum": ("sum", "和", "somme"),
    "inside.stream": ("residual stream", "残差流", "flux résiduel"),
    "inside.stream_before": (
        "residual stream, layer {layer}",
        "残差流，第 {layer} 层",
        "flux résiduel, couche {layer}",
    ),
    "inside.stream_cross": (
        "stream after self-attention",
        "自注意力之后的残差流",
        "flux après l'auto-attention",
    ),
    "inside.normalised": ("normalised", "归一化后", "normalisé"),
    "inside.learned": ("learned", "学得", "apprise"),
    "inside.query": ("query", "查询", "requête"),
    "inside.key": ("key", "键", "clé"),
    "inside.value": ("value", "值", "valeur"),
    "inside.queries": ("queries", "查询", "requêtes"),
    "inside.keys": ("keys", "键", "clés"),
    "inside.values": ("values", "值", "valeurs"),
    "inside.of_token": ("of “{token}”", "属于“{token}”", "de « {token} »"),
    "inside.all_tokens": ("of all tokens", "全部词元", "de tous les tokens"),
    "inside.scores": ("scores", "分数", "scores"),
    "inside.distance": ("by distance", "按距离", "selon la distance"),
    "inside.placed": ("with positions", "加上位置后", "avec les positions"),
    "inside.scaled": ("scaled", "缩放后", "mis à l'échelle"),
    "inside.allowed": ("may see", "可见", "peut voir"),
    "inside.masked": ("masked", "掩码后", "masqués"),
    "inside.weights": ("weights", "权重", "poids"),
    "inside.mixed": ("weighted sum", "加权和", "somme pondérée"),
    "inside.concatenated": ("all heads", "多头拼接", "toutes les têtes"),
    "inside.output": ("result", "输出", "résultat"),
    "inside.feed_received": ("normalised stream", "归一化的残差流", "flux normalisé"),
    "inside.feed_hidden": (
        "hidden units, {share:.0%} at 0",
        "隐藏单元，{share:.0%} 为 0",
        "unités cachées, {share:.0%} à 0",
    ),
    "inside.more_terms": ("{n} more", "其余 {n} 项", "{n} autres"),
    "inside.bias": ("bias", "偏置", "biais"),
    "inside.may_see": ("may be seen", "可见", "visible"),
    "inside.may_not_see": ("may not be seen", "不可见", "invisible"),
    "inside.score": ("score", "分数", "score"),
    "inside.product_caption": (
        "dimension by dimension; they add up to",
        "逐维乘积，其和为",
        "dimension par dimension ; leur somme est",
    ),
    "inside.lens_layer": ("after layer {layer}", "第 {layer} 层后", "après la couche {layer}"),
    "inside.lens_entropy": ("{bits:.1f} bits", "{bits:.1f} 比特", "{bits:.1f} bits"),
    "inside.lens_token": ("token", "词元", "token"),
    "inside.lens_probability": ("probability", "概率", "probabilité"),
    "inside.lens_logit": ("logit", "logit", "logit"),
    "inside.lens_arithmetic": (
        "p = e^(logit − log Σ e^logit) = e^({logit:.2f} − {total:.2f}) = {probability:.3f}, for “{token}” after the last "
        "layer",
        "p = e^(logit − log Σ e^logit) = e^({logit:.2f} − {total:.2f}) = {probability:.3f}（末层后的“{token}”）",
        "p = e^(logit − log Σ e^logit) = e^({logit:.2f} − {total:.2f}) = {probability:.3f}, pour « {token} » après la "
        "dernière couche",
    ),
    "inside.hint": (
        "Point at a number to see how it is computed. A click keeps it; the arrow keys move.",
        "指向任一数字可看它怎样算出。单击可固定；方向键移动。",
        "Pointez un nombre pour voir son calcul. Un clic le garde ; les flèches du clavier passent au suivant.",
    ),
    "inside.to_explore": ("See it in Explore", "在“探索”中查看", "Voir dans Explorer"),
}
