"""Words of the page that takes one head apart."""

STRINGS: dict[str, tuple[str, str, str]] = {
    "inside.error": (
        "This head cannot be taken apart",
        "无法拆解这个头",
        "Cette tête ne peut pas être démontée",
    ),
    "inside.kind": ("Kind of attention", "注意力类型", "Type d'attention"),
    "inside.layer": ("Layer", "层", "Couche"),
    "inside.head": ("Head", "头", "Tête"),
    "inside.token": ("Token that asks", "提问的词元", "Token qui interroge"),
    "inside.shown": ("Shown as", "显示方式", "Affichage"),
    "inside.shown_vector": ("one token", "单个词元", "un token"),
    "inside.shown_matrix": ("all tokens", "全部词元", "tous les tokens"),
    "inside.leave_out": ("Leave out", "去掉一步", "Retirer"),
    "inside.leave_out_help": (
        "Change one part of this head and see what it was for. Nothing before it changes.",
        "改动这个头的一处，看看它原本的作用。之前的步骤不变。",
        "Changez une partie de cette tête et voyez à quoi elle servait. Rien ne change avant elle.",
    ),
    "inside.without_scaling": ("no division by √d_k", "不除以 √d_k", "sans division par √d_k"),
    "inside.one_matrix": ("one matrix for query and key", "查询与键共用一个矩阵", "une matrice pour requête et clé"),
    "inside.without_values": ("no values", "去掉值", "sans valeurs"),
    "inside.said_without_scaling": (
        "Without √d_k the scores are {factor:.1f} times as large: the largest weight of this row goes from {before:.2f} "
        "to {after:.2f}.",
        "不除以 √d_k 时，分数放大 {factor:.1f} 倍：本行最大权重由 {before:.2f} 变为 {after:.2f}。",
        "Sans √d_k les scores sont {factor:.1f} fois plus grands : le plus grand poids de cette ligne passe de "
        "{before:.2f} à {after:.2f}.",
    ),
    "inside.said_one_matrix_self": (
        "One matrix for both: the score of a → b equals that of b → a (largest difference {difference:.1e}). A word "
        "can no longer look without being looked at.",
        "两者共用矩阵：a → b 的分数等于 b → a（最大差 {difference:.1e}）。一个词看别人，也必被同样地看。",
        "Une matrice pour les deux : le score a → b égale celui de b → a (plus grand écart {difference:.1e}). Un mot "
        "ne peut plus regarder sans être regardé.",
    ),
    "inside.said_one_matrix_cross": (
        "One matrix for both. In cross-attention the two sides are different words, so the scores change but are not "
        "symmetric; look at a self-attention head to see that.",
        "两者共用矩阵。交叉注意力两侧的词不同，分数会变但不对称；请看自注意力头。",
        "Une matrice pour les deux. En attention croisée les deux côtés sont des mots différents : les scores changent "
        "sans devenir symétriques ; voyez une tête d'auto-attention.",
    ),
    "inside.said_without_values": (
        "Without values the weights have nothing to mix: this head hands on zeros, and W_O reads the other heads only.",
        "没有值，权重便无物可混：此头输出全为零，W_O 只读其余各头。",
        "Sans valeurs, les poids n'ont rien à mélanger : cette tête transmet des zéros et W_O ne lit que les autres.",
    ),
    "inside.changed": (
        "Interventions are in force: what is shown here is the model as changed.",
        "有更改生效：此处显示的是更改后的模型。",
        "Des interventions sont en vigueur : ce qui est montré est le modèle modifié.",
    ),
    "inside.why": ("Why?", "为什么？", "Pourquoi ?"),
    "inside.step": ("Step", "步骤", "Étape"),
    "inside.vector": ("Vector", "向量", "Vecteur"),
    "inside.step_entrance": ("Input", "输入", "Entrée"),
    "inside.step_project": ("q, k, v", "q、k、v", "q, k, v"),
    "inside.step_scores": ("q·k", "q·k", "q·k"),
    "inside.step_scale": ("÷ √d", "÷ √d", "÷ √d"),
    "inside.step_mask": ("Mask", "掩码", "Masque"),
    "inside.step_softmax": ("Softmax", "Softmax", "Softmax"),
    "inside.step_mix": ("Mix values", "混合值", "Mélange"),
    "inside.step_concat": ("All heads", "各头并列", "Têtes"),
    "inside.step_output": ("W_O", "W_O", "W_O"),
    "inside.step_residual": ("Add", "相加", "Ajout"),
    "inside.step_feed": ("Feed-forward", "前馈", "Feed-forward"),
    "inside.step_top": ("Words", "词", "Mots"),
    "inside.read_entrance": (
        "A token becomes a vector, its place is added, and the vector is brought to a common size.",
        "词元变成向量，加上位置，再归一到相同大小。",
        "Un token devient un vecteur, sa place s'y ajoute, puis le vecteur est ramené à une taille commune.",
    ),
    "inside.read_project": (
        "Three learned matrices make three vectors of it: what it asks, what it answers to, what it hands over.",
        "三个学到的矩阵给出三个向量：它问什么、它应答什么、它交出什么。",
        "Trois matrices apprises en font trois vecteurs : ce qu'il demande, ce à quoi il répond, ce qu'il transmet.",
    ),
    "inside.read_scores": (
        "Multiply query and key number by number and add up. A large sum means: this answers that.",
        "查询与键逐数相乘再求和。和越大，越“对得上”。",
        "Multipliez requête et clé nombre à nombre et additionnez. Une grande somme veut dire : ceci répond à cela.",
    ),
    "inside.read_scale": (
        "Divide every score by the square root of the vector's length.",
        "每个分数除以向量长度的平方根。",
        "Divisez chaque score par la racine carrée de la longueur du vecteur.",
    ),
    "inside.read_mask": (
        "What may not be seen gets minus infinity, which the next step turns into exactly 0.",
        "不许看的记为负无穷，下一步会变成恰好 0。",
        "Ce qui ne doit pas être vu reçoit moins l'infini, que l'étape suivante change en 0 exactement.",
    ),
    "inside.read_softmax": (
        "Raise e to each score and divide by the total: positive shares that add up to 1.",
        "以 e 为底取幂，再除以总和：得到相加为 1 的正份额。",
        "Élevez e à chaque score et divisez par le total : des parts positives dont la somme est 1.",
    ),
    "inside.read_mix": (
        "Take that share of each value and add up: one new vector, mixed from the words looked at.",
        "按份额取各个值并相加：由所看之词混成的新向量。",
        "Prenez cette part de chaque valeur et additionnez : un nouveau vecteur, mélange des mots regardés.",
    ),
    "inside.read_concat": (
        "Every head has mixed its own vector; they are laid side by side. The outlined part is this head's.",
        "每个头都混出自己的向量，并排放好。框出的是这个头。",
        "Chaque tête a mélangé son vecteur ; ils sont mis côte à côte. La partie encadrée est celle de cette tête.",
    ),
    "inside.read_output": (
        "One more learned matrix turns the heads' vectors into a single message.",
        "再用一个学到的矩阵，把各头的向量合成一条消息。",
        "Une dernière matrice apprise fait des vecteurs des têtes un seul message.",
    ),
    "inside.read_residual": (
        "The message is added to what the token was: nothing is overwritten.",
        "消息加到词元原有的向量上：什么也没有被覆盖。",
        "Le message s'ajoute à ce qu'était le token : rien n'est écrasé.",
    ),
    "inside.read_feed": (
        "Each token by itself: a wide layer whose cells fire or stay at 0, and back to the model's width.",
        "每个词元各自处理：先进入很宽的一层，单元或激活或为 0，再回到原宽度。",
        "Chaque token pour lui-même : une couche large dont les cellules s'activent ou restent à 0, puis retour.",
    ),
    "inside.read_top": (
        "If the model stopped after a layer and spoke: its best next words there, and how sure it would be.",
        "如果模型在某层后就开口：它最可能说的词，以及有多大把握。",
        "Si le modèle s'arrêtait après une couche pour parler : ses meilleurs mots, et sa certitude.",
    ),
    "inside.read_top_encoder": (
        "The encoder says no words: its result goes to the decoder. Here is what the decoder makes of it, layer by "
        "layer, for the first word.",
        "编码器不输出词，其结果交给解码器。下面是解码器逐层对第一个词的判断。",
        "L'encodeur ne dit aucun mot : son résultat va au décodeur. Voici ce que celui-ci en fait, couche par couche, "
        "pour le premier mot.",
    ),
    "inside.why_entrance": (
        "Attention has no order of its own: shuffle the words and it gives the same answers, shuffled. The position "
        "vector is the only trace of where a word stands. The norm keeps sizes alike from layer to layer, so that "
        "scores stay in a range where the softmax can choose.",
        "注意力本身没有顺序：打乱词序，它给出同样的答案，只是也被打乱。位置向量是词在何处的唯一线索。归一化让各层的大小相近，分数才落在 softmax 能挑选的范围。",
        "L'attention n'a pas d'ordre : mélangez les mots, elle donne les mêmes réponses, mélangées. Le vecteur de "
        "position est la seule trace de la place. La norme garde des tailles comparables d'une couche à l'autre, pour "
        "que le softmax puisse choisir.",
    ),
    "inside.why_project": (
        "Think of a library. The query is what you want, a key is what is written on a spine, a value is what stands "
        "in the book. One vector could not be all three: what you look for is seldom what you are.",
        "想象图书馆：查询是你想找的，键是书脊上写的，值是书里的内容。一个向量兼不了三职：你要找的，往往不是你自己。",
        "Pensez à une bibliothèque. La requête est ce que vous cherchez, la clé ce qui est écrit au dos, la valeur ce "
        "que dit le livre. Un seul vecteur ne peut être les trois : on cherche rarement ce que l'on est.",
    ),
    "inside.why_scores": (
        "The strip below shows each product. Often a handful of dimensions decide: there query and key agree in sign "
        "and are large. A dot product also grows with length, not with direction alone.",
        "下方的条带显示每个乘积。往往少数几维起决定作用：那里查询与键同号且较大。点积既随方向，也随长度增大。",
        "La bande ci-dessous montre chaque produit. Souvent quelques dimensions décident : requête et clé y ont le "
        "même signe et sont grandes. Le produit scalaire croît aussi avec la longueur.",
    ),
    "inside.why_scale": (
        "Add up d products of independent numbers of variance 1 and the sum has variance d. With large scores the "
        "softmax gives nearly everything to one word and its gradient vanishes. Dividing by √d brings the variance "
        "back to 1. Leave it out and look at the softmax.",
        "把 d 个方差为 1 的独立数之积相加，方差为 d。分数过大，softmax 几乎全给一个词，梯度消失。除以 √d 使方差回到 1。去掉它，再看 softmax。",
        "La somme de d produits de nombres indépendants de variance 1 a pour variance d. Avec de grands scores, le "
        "softmax donne presque tout à un mot et son gradient s'annule. Diviser par √d ramène la variance à 1. "
        "Retirez-le et regardez le softmax.",
    ),
    "inside.why_mask": (
        "Two reasons not to see: a padded place is no word; and a decoder that could see later words would copy "
        "them in training and be lost when it writes alone. Minus infinity, because e to that power is 0 and the "
        "remaining shares still add up to 1.",
        "不让看有两个理由：填充处不是词；解码器若能看到后面的词，训练时就会照抄，独自写作时便无所适从。用负无穷，是因为它的 e 次幂为 0，其余份额之和仍为 1。",
        "Deux raisons de ne pas voir : une place de remplissage n'est pas un mot ; et un décodeur qui verrait la suite "
        "la copierait à l'entraînement, puis serait perdu seul. Moins l'infini, car son exponentielle vaut 0 et les "
        "autres parts font encore 1.",
    ),
    "inside.why_softmax": (
        "Shares must be positive and sum to 1, and a small change of a score must change them smoothly, or nothing "
        "could be learned. Only differences count: add 5 to all scores and the shares stay.",
        "份额须为正、和为 1，且分数微变时平滑变化，否则无从学习。只看差值：所有分数都加 5，份额不变。",
        "Les parts doivent être positives, de somme 1, et changer en douceur avec les scores, sinon rien ne "
        "s'apprendrait. Seules les différences comptent : ajoutez 5 partout, les parts restent.",
    ),
    "inside.why_mix": (
        "A share says how much, the value says what. A head that looks hard at a word whose value is near zero moves "
        "nothing: so weights alone do not say what matters.",
        "份额说“多少”，值说“什么”。若被紧盯之词的值近于零，便什么也没传递：所以单看权重不足以说明重要性。",
        "La part dit combien, la valeur dit quoi. Une tête qui fixe un mot de valeur presque nulle ne transmet rien : "
        "les poids seuls ne disent donc pas ce qui importe.",
    ),
    "inside.why_concat": (
        "One softmax can point at one place. Several heads can look at several places at once, each in its own small "
        "space, at the price of a single large one.",
        "一个 softmax 只能指向一处。多个头可同时看多处，各在自己的小空间里，总代价与一个大头相当。",
        "Un softmax ne désigne qu'un endroit. Plusieurs têtes en regardent plusieurs à la fois, chacune dans son petit "
        "espace, au prix d'une seule grande.",
    ),
    "inside.why_output": (
        "W_O decides in which directions of the stream each head may write. Its block of rows for this head is all "
        "through which the head can be heard.",
        "W_O 决定每个头能往残差流的哪些方向写。属于本头的那几行，是它唯一的出口。",
        "W_O décide dans quelles directions du flux chaque tête peut écrire. Ses lignes pour cette tête sont sa seule "
        "voix.",
    ),
    "inside.why_residual": (
        "Think of a shared notebook in which each layer writes a line. Because layers add, a gradient runs straight "
        "back through every plus sign, and a head can be switched off without breaking the rest.",
        "想象一本共用的笔记，每层添一行。因为是相加，梯度可沿每个加号直接回传；关掉一个头，其余照常运转。",
        "Pensez à un cahier commun où chaque couche ajoute une ligne. Grâce aux additions, le gradient remonte tout "
        "droit, et l'on peut éteindre une tête sans casser le reste.",
    ),
    "inside.why_feed": (
        "Attention moves information between words; this network works on each word alone, the same for all places. "
        "Two thirds of a layer's parameters are here. Most cells are at 0 for any one word.",
        "注意力在词间搬运信息；这个网络对每个词单独工作，各处相同。一层三分之二的参数在此。对任一词，多数单元为 0。",
        "L'attention déplace l'information entre les mots ; ce réseau travaille chaque mot seul, le même partout. Deux "
        "tiers des paramètres d'une couche sont ici. Pour un mot donné, la plupart des cellules sont à 0.",
    ),
    "inside.why_top": (
        "This is the logit lens: the stream after each layer is read with the model's own last norm and output "
        "matrix. The last row is the model's real answer; the earlier ones are a reading that it was never trained "
        "to give, so take them as hints.",
        "这叫 logit lens：用模型自己的末层归一化与输出矩阵去读每层后的残差流。最后一行是真正的答案；前面各行并非训练目标，只作参考。",
        "C'est la « logit lens » : le flux après chaque couche est lu avec la dernière norme et la matrice de sortie "
        "du modèle. La dernière ligne est sa vraie réponse ; les autres n'ont jamais été apprises : des indices.",
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
    "inside.of_token": ("of “{token}”", "“{token}” 的", "de « {token} »"),
    "inside.all_tokens": ("of all tokens", "全部词元", "de tous les tokens"),
    "inside.scores": ("scores", "分数", "scores"),
    "inside.scaled": ("scaled", "缩放后", "réduits"),
    "inside.allowed": ("may see", "可见", "peut voir"),
    "inside.masked": ("masked", "掩码后", "masqués"),
    "inside.weights": ("weights", "权重", "poids"),
    "inside.mixed": ("mixed", "混合", "mélange"),
    "inside.concatenated": ("all heads", "各头", "toutes les têtes"),
    "inside.output": ("message", "消息", "message"),
    "inside.feed_received": ("normalised stream", "归一化的残差流", "flux normalisé"),
    "inside.feed_hidden": ("hidden cells, {share:.0%} at 0", "隐藏单元，{share:.0%} 为 0", "cellules, {share:.0%} à 0"),
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
        "Point at any number for its arithmetic; click keeps it; arrow keys move.",
        "指向任一数字可看其算式；单击保留；方向键移动。",
        "Pointez un nombre pour voir son calcul ; un clic le garde ; les flèches déplacent.",
    ),
}
