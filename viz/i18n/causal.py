"""Words of the Causal page."""

STRINGS: dict[str, tuple[str, ...]] = {
    "causal.part": ("What to look at", "查看内容", "Ce qu'on regarde"),
    "causal.part_map": ("Two sentences", "两个句子", "Deux phrases"),
    "causal.part_direct": ("Where a token's score comes from", "词元的分数从何而来", "D'où vient le score d'un token"),
    "causal.part_group": ("Groups of pairs", "成组的句对", "Groupes de paires"),
    "causal.first": (
        "Take activations from this sentence",
        "从这个句子取激活值",
        "Prendre les activations dans cette phrase",
    ),
    "causal.first_help": (
        "It should differ from the sentence above in one thing only. The model reads the sentence above; one "
        "activation at a time is replaced by its value for this sentence.",
        "它应与上面的句子只差一处。模型读上面的句子，每次把一个激活值换成它在这个句子中的值。",
        "Elle ne diffère de la phrase ci-dessus que sur un point. Le modèle lit la phrase ci-dessus ; une activation "
        "à la fois est remplacée par sa valeur pour cette phrase.",
    ),
    "causal.pairs": ("Choose a pair", "选择句对", "Choisir une paire"),
    "causal.empty": (
        "Write a second sentence that differs from the one above in one thing only, or choose a pair.",
        "请写一个与上面句子只差一处的句子，或选择一个句对。",
        "Écrivez une phrase qui ne diffère de celle du dessus que sur un point, ou choisissez une paire.",
    ),
    "causal.same": (
        "The model gives both sentences the same translation, so there is no difference to trace. Change a word, or "
        "choose another pair.",
        "模型对这两个句子给出同样的译文，没有差别可以追踪。请改动一个词，或换一个句对。",
        "Le modèle donne la même traduction aux deux phrases : il n'y a aucune différence à suivre. Changez un mot, ou choisissez une autre paire.",
    ),
    "causal.pair": (
        "That sentence gives “{first}”, the one above “{second}”. The first difference is **{word}** against "
        "**{rival}**: the margin log p({word}) − log p({rival}) is {there} for that sentence and {here} for the one "
        "above.",
        "那个句子译为“{first}”，上面的句子译为“{second}”。两者第一处不同是 **{word}** 与 **{rival}**：log p({word}) − log p({rival}) 对那个句子是 {there}，对上面的句子是 {here}。",
        "Cette phrase donne « {first} », celle du dessus « {second} ». La première différence est **{word}** contre "
        "**{rival}** : la marge log p({word}) − log p({rival}) vaut {there} pour cette phrase et {here} pour celle "
        "du dessus.",
    ),
    "causal.same_alone": (
        "The model continues both prompts alike, so there is no difference to trace. Change a word, or choose another "
        "pair.",
        "模型对这两个开头续写相同，没有差别可以追踪。请改动一个词，或换一对。",
        "Le modèle continue les deux débuts de la même façon : il n'y a aucune différence à suivre. Changez un mot, ou "
        "choisissez une autre paire.",
    ),
    "causal.pair_alone": (
        "That prompt becomes “{first}”, the one above “{second}”. The first token that differs is **{word}** against "
        "**{rival}**: the margin log p({word}) − log p({rival}) is {there} after that prompt and {here} after the one "
        "above.",
        "那个开头续写为“{first}”，上面的续写为“{second}”。第一个不同的词元是 **{word}** 与 **{rival}**：log p({word}) − log p({rival}) 在那个开头之后是 {there}，在上面的开头之后是 {here}。",
        "Ce début devient « {first} », celui du dessus « {second} ». Le premier token qui diffère est **{word}** contre "
        "**{rival}** : la marge log p({word}) − log p({rival}) vaut {there} après ce début et {here} après celui du dessus.",
    ),
    "causal.alone_parts": (
        "Circuits, groups of pairs and steering are measured on translations, so they are only there for models that "
        "translate.",
        "电路、成组的句对和引导要在译文上测量，因此只对翻译模型提供。",
        "Le circuit, les groupes de paires et « Orienter » se mesurent sur des traductions ; ils n'existent donc que pour "
        "les modèles qui traduisent.",
    ),
    "causal.block_decoder_residual_alone": ("After each layer", "每层之后", "Après chaque couche"),
    "causal.unchanged": (
        "On this page the model translates both sentences with greedy decoding. Of your changes, only patches apply "
        "here.",
        "本页用贪心解码翻译两个句子。你的改动中，只有修补在这里生效。",
        "Sur cette page, le modèle traduit les deux phrases en décodage glouton. Parmi vos changements, seuls "
        "les remplacements d'activations (patchs) s'appliquent ici.",
    ),
    "causal.what": ("Replace", "替换", "Remplacer"),
    "causal.what_residual": ("Residual stream", "残差流", "Flux résiduel"),
    "causal.what_attention": ("Attention output", "注意力输出", "Sortie de l'attention"),
    "causal.what_feed_forward": ("Feed-forward output", "前馈输出", "Sortie du feed-forward"),
    "causal.what_heads": ("Single heads", "单个头", "Têtes une à une"),
    "causal.values": ("Values", "数值", "Valeurs"),
    "causal.values_exact": ("Exact", "精确", "Exactes"),
    "causal.values_estimated": ("Estimated", "估计", "Estimées"),
    "causal.values_help": (
        "Exact: the model runs once for each cell. Estimated: one gradient for all cells (attribution patching), "
        "which is faster but less accurate where the change is large.",
        "精确：每个格子运行一次模型。估计：用一次梯度得到所有格子（归因修补），更快，但变化较大时不够准确。",
        "Exactes : le modèle tourne une fois par case. Estimées : un seul gradient pour toutes les cases "
        "(attribution patching), plus rapide mais moins exact quand le changement est grand.",
    ),
    "causal.progress": (
        "{done} of {total} activations",
        "已完成 {done}/{total} 个激活值",
        "{done} activations sur {total}",
    ),
    "causal.entrance": ("input", "输入", "entrée"),
    "causal.layer": ("layer", "层", "couche"),
    "causal.head": ("head", "头", "tête"),
    "causal.token": ("token", "词元", "token"),
    "causal.block_encoder_residual": ("Encoder, after each layer", "编码器，每层之后", "Encodeur, après chaque couche"),
    "causal.block_decoder_residual": ("Decoder, after each layer", "解码器，每层之后", "Décodeur, après chaque couche"),
    "causal.block_encoder_self": ("Encoder self-attention", "编码器自注意力", "Auto-attention de l'encodeur"),
    "causal.block_decoder_self": ("Decoder self-attention", "解码器自注意力", "Auto-attention du décodeur"),
    "causal.block_decoder_cross": ("Cross-attention", "交叉注意力", "Attention croisée"),
    "causal.block_encoder_feed_forward": ("Encoder feed-forward", "编码器前馈", "Feed-forward de l'encodeur"),
    "causal.block_decoder_feed_forward": ("Decoder feed-forward", "解码器前馈", "Feed-forward du décodeur"),
    "causal.cell": (
        "{row}, {column}: {value}% of the difference",
        "{row}，{column}：达到两句差值的 {value}%",
        "{row}, {column} : {value} % de la différence",
    ),
    "causal.unknown": (
        "not computed, or the other sentence has no token here",
        "尚未计算，或另一句在此没有词元",
        "pas calculé, ou l'autre phrase n'a pas de token ici",
    ),
    "causal.click": (
        "100: the margin becomes that of the other sentence. 0: it stays. Click a cell to apply its patch on all "
        "pages; click again to undo it.",
        "100：差值变为另一句的差值。0：差值不变。单击格子使该修补在所有页面生效，再次单击则撤回。",
        "100 : la marge devient celle de l'autre phrase. 0 : elle ne change pas. Cliquez sur une case pour "
        "appliquer ce remplacement (patch) sur toutes les pages, encore une fois pour le retirer.",
    ),
    "causal.agreement": (
        "{n} activations patched one at a time. Correlation with the estimate from one gradient: {r}.",
        "逐一修补了 {n} 个激活值。与单次梯度估计的相关系数：{r}。",
        "{n} activations remplacées une à une. Corrélation avec l'estimation par un gradient : {r}.",
    ),
    "causal.estimate_note": (
        "Estimated from one gradient: (other − this) · gradient of the margin.",
        "由一次梯度估计：（另一句 − 本句）· 差值的梯度。",
        "Estimé par un gradient : (autre − celle-ci) · gradient de la marge.",
    ),
    "causal.after": (
        "With the patch the translation is “{text}”. The earlier translation's log-probability changes by {change}. {kind}, head {place}, over the earlier translation:",
        "修补后的译文为“{text}”。原译文的对数概率变化 {change}。{kind}，头 {place}，在原译文上：",
        "Avec ce remplacement, la traduction devient « {text} ». La log-probabilité de la traduction d'avant "
        "change de {change}. {kind}, tête {place}, sur la traduction d'avant :",
    ),
    "causal.before_title": ("before", "之前", "avant"),
    "causal.after_title": ("after", "之后", "après"),
    "causal.rival": ("Rather than", "而不是", "Plutôt que"),
    "causal.no_rival": ("no other token", "不与其他词元比较", "aucun autre token"),
    "causal.direct_read": (
        "The score of **{word}** before the softmax is {total}, the sum of these bars.",
        "**{word}** 在 softmax 之前的分数为 {total}，即下列各条之和。",
        "Le score de **{word}** avant le softmax vaut {total}, la somme de ces barres.",
    ),
    "causal.direct_contrast": (
        "**{word}** scores {total} more than **{rival}**, the sum of these bars.",
        "**{word}** 比 **{rival}** 的分数高 {total}，即下列各条之和。",
        "**{word}** a un score supérieur de {total} à celui de **{rival}**, la somme de ces barres.",
    ),
    "causal.direct_axis": ("contribution to the score", "对分数的贡献", "contribution au score"),
    "causal.direct_how": (
        "Each bar is what one part of the decoder adds at this position, passed through the last norm and the output "
        "matrix. Its effect through later layers is not included.",
        "每一条是解码器的一个部分在此位置加入的内容，经过最后的归一化和输出矩阵。不含它经由后面各层的作用。",
        "Chaque barre est ce qu'une partie du décodeur ajoute à cette position, passé par la dernière "
        "normalisation et la matrice de sortie. Son effet à travers les couches suivantes n'est pas compris.",
    ),
    "causal.direct_rest": ("the {n} smaller ones", "其余 {n} 个较小的", "les {n} plus petites"),
    "causal.writer_embedding": ("embedding of the token fed", "输入词元的嵌入", "plongement du token lu"),
    "causal.writer_biases": ("biases", "偏置", "biais"),
    "causal.writer_feed_forward": ("Feed-forward {layer}", "前馈 {layer}", "Feed-forward {layer}"),
    "causal.part_tokens": ("What each token brings", "各词元的贡献", "Ce qu'apporte chaque token"),
    "causal.method": ("Method", "方法", "Méthode"),
    "causal.whole_words": ("Whole words", "按词合并", "Mots entiers"),
    "causal.whole_words_help": (
        "Adds up the numbers of a word's tokens. Where a row shares out 100, the rows of a word are averaged.",
        "把一个词的各词元的数值相加。若每行合计 100，则对该词的各行取平均。",
        "Additionne les nombres des tokens d'un mot. Là où une ligne répartit 100, on prend la moyenne des lignes d'un mot.",
    ),
    "causal.method_alti": ("ALTI+", "ALTI+", "ALTI+"),
    "causal.method_raw": ("Weights", "权重", "Poids"),
    "causal.method_rollout": ("Rollout", "注意力展开（rollout）", "Rollout"),
    "causal.method_value_weighted": ("Weighted values", "加权的值", "Valeurs pondérées"),
    "causal.method_gradient_input": ("Gradient × input", "梯度 × 输入", "Gradient × entrée"),
    "causal.method_integrated_gradients": ("Integrated gradients", "积分梯度", "Gradients intégrés"),
    "causal.method_erasure": ("Removal", "移除", "Suppression"),
    "causal.method_alti_is": (
        "What each token brings to a layer's output, residual included, measured by how close it comes to that output, and multiplied through all layers. A row sums to 100.",
        "各词元给每层输出（含残差）带来的部分，按它与该输出的接近程度衡量，并逐层相乘。每行之和为 100。",
        "Ce que chaque token apporte à la sortie d'une couche, résidu compris, mesuré par sa proximité avec cette sortie, puis multiplié à travers les couches. Une ligne fait 100.",
    ),
    "causal.method_raw_is": (
        "The attention weights of the last layer, mean over its heads; half of each row for the source, half for the "
        "translation so far.",
        "最后一层的注意力权重，对各头取平均；每行一半给源句，一半给已有译文。",
        "Les poids d'attention de la dernière couche, en moyenne sur ses têtes ; une moitié de chaque ligne pour la "
        "source, l'autre pour le début de la traduction.",
    ),
    "causal.method_rollout_is": (
        "Weights multiplied through all layers, each read as half attention and half residual. A row sums to 100.",
        "把各层权重相乘，每层看作一半注意力、一半残差。每行之和为 100。",
        "Les poids multipliés à travers les couches, chacune lue pour moitié comme attention et pour moitié comme résidu. Une ligne fait 100.",
    ),
    "causal.method_value_weighted_is": (
        "The length of each weighted value vector in the last layer, mean over its heads, as a share of the row.",
        "最后一层中每个加权值向量的长度，对各头取平均，按行折算成比例。",
        "La longueur de chaque vecteur valeur pondéré dans la dernière couche, en moyenne sur ses têtes, en part de la ligne.",
    ),
    "causal.method_gradient_input_is": (
        "How the log-probability changes along each token's embedding, to first order, in nats.",
        "对数概率沿各词元嵌入方向的一阶变化，单位为奈特。",
        "Comment la log-probabilité varie le long du plongement de chaque token, au premier ordre, en nats.",
    ),
    "causal.method_integrated_gradients_is": (
        "The mean gradient on the straight path from an embedding of zeros to the token's own, times the difference "
        "between the two, in nats, at 50 points. A row should add up to the change along the whole path.",
        "在从零向量到词元自身嵌入的直线路径上取 50 个点的平均梯度，乘以两者之差，单位为奈特。每行之和应等于整条路径带来的变化。",
        "Le gradient moyen sur le chemin droit d'un plongement nul à celui du token, en 50 points, multiplié par leur "
        "différence, en nats. La somme d'une ligne devrait être le changement sur tout le chemin.",
    ),
    "causal.gap": (
        "Here the rows' sums differ from that change by at most {gap} nats.",
        "这里各行之和与该变化最多相差 {gap} 奈特。",
        "Ici, les sommes des lignes s'écartent de ce changement de {gap} nats au plus.",
    ),
    "causal.gap_large": (
        "Here the rows' sums differ from that change by up to {gap} nats. Do not rely on these numbers; choose "
        "another method, such as removal.",
        "这里各行之和与该变化最多相差 {gap} 奈特。这些数字不可靠，请改用其他方法，例如移除。",
        "Ici, les sommes des lignes s'écartent de ce changement de {gap} nats au plus. Ne vous fiez pas à ces "
        "nombres ; choisissez une autre méthode, par exemple la suppression.",
    ),
    "causal.method_erasure_is": (
        "How far the log-probability falls when no attention sees the token, in nats. Measured, token by token.",
        "当所有注意力都看不到该词元时对数概率下降多少，单位为奈特，逐个词元实测。",
        "De combien baisse la log-probabilité quand aucune attention ne voit le token, en nats. Mesuré, token par "
        "token.",
    ),
    "causal.attributing": (
        "Measuring, prediction by prediction …",
        "正在逐个预测测量……",
        "Mesure, prédiction par prédiction…",
    ),
    "causal.on_source": ("From the source", "来自源句", "Depuis la source"),
    "causal.on_text": ("Tokens read so far", "已读的词元", "Tokens déjà lus"),
    "causal.alone": (
        "This page explains what a model predicts. The model in use is only an encoder; choose one with a decoder.",
        "本页解释模型的预测。当前模型只有编码器，请选择带解码器的模型。",
        "Cette page explique ce qu'un modèle prédit. Le modèle utilisé n'est qu'un encodeur ; choisissez-en un avec "
        "décodeur.",
    ),
    "causal.on_prefix": ("From the translation so far", "来自已有译文", "Depuis le début de la traduction"),
    "causal.token_share": (
        "{row} from {column}: {value}%",
        "{row} 来自 {column}：{value}%",
        "{row} depuis {column} : {value} %",
    ),
    "causal.token_nats": (
        "{row} from {column}: {value} nats",
        "{row} 来自 {column}：{value} 奈特",
        "{row} depuis {column} : {value} nats",
    ),
    "causal.unseen": ("not seen at this step", "这一步看不到", "non visible à cette étape"),
    "causal.with_erasure": (
        "Rank correlation with removal on this sentence: **{r}**.",
        "在这个句子上与移除的等级相关系数：**{r}**。",
        "Corrélation de rang avec la suppression sur cette phrase : **{r}**.",
    ),
    "causal.not_the_best": (
        "Attention weights are one of these methods, and not the best: compare how well each agrees with removal.",
        "注意力权重只是其中一种方法，而且不是最好的：请比较各方法与移除的一致程度。",
        "Les poids d'attention sont l'une de ces méthodes, et pas la meilleure : comparez leur accord avec la "
        "suppression.",
    ),
    "causal.on_corpus": (
        "Agreement with removal over many sentences",
        "在许多句子上与移除的一致程度",
        "L'accord avec la suppression sur de nombreuses phrases",
    ),
    "causal.group": ("What differs", "差别", "Ce qui diffère"),
    "causal.group_number": ("one or many", "单数与复数", "un ou plusieurs"),
    "causal.group_gender": ("she or he", "她与他", "elle ou lui"),
    "causal.group_polarity": ("opposites", "反义", "contraires"),
    "causal.group_start": ("Measure {n} {n|pair|pairs}", "测量 {n} 个句对", "Mesurer {n} {n|paire|paires}"),
    "causal.cancel_help": (
        "Stops, and keeps the pairs that are done.",
        "停止，并保留已完成的句对。",
        "Arrête, et garde les paires déjà faites.",
    ),
    "causal.cancel_map": (
        "Stops, and shows the estimate from one gradient.",
        "停止，改为显示由一次梯度得到的估计。",
        "Arrête, et montre l'estimation par un gradient.",
    ),
    "causal.cancel_tokens": ("Stops, and goes back to ALTI+.", "停止，回到 ALTI+。", "Arrête, et revient à ALTI+."),
    "causal.group_empty": (
        "Each pair has its own map. Here the maps are averaged by the role of a token: before the difference, part "
        "of it, after it, or the end.",
        "每个句对都有自己的图。这里按词元的角色取平均：差别之前、差别本身、差别之后、句末。",
        "Chaque paire a sa carte. Ici on en fait la moyenne selon le rôle du token : avant la différence, dedans, "
        "après, ou la fin.",
    ),
    "causal.group_progress": ("Pair {done} of {total}", "第 {done}/{total} 个句对", "Paire {done} sur {total}"),
    "causal.group_cancelled": (
        "Stopped after {done} of {total} pairs.",
        "在 {total} 个句对中的第 {done} 个后停止。",
        "Arrêté après {done} paires sur {total}.",
    ),
    "causal.group_none": (
        "This model translates both sentences of every pair alike, or cannot read them: the pairs are in English.",
        "该模型把每个句对的两句译得相同，或无法读取：句对为英文。",
        "Ce modèle traduit les deux phrases de chaque paire de la même façon, ou ne peut les lire : elles sont en anglais.",
    ),
    "causal.group_read": (
        "Mean over {n} {n|pair|pairs}; 100% is the other sentence's margin; tokens with the same role are added up. "
        "{skipped} {skipped|pair has|pairs have} the same translation for both sentences and {skipped|was|were} "
        "left out.",
        "{n} 个句对的平均；{skipped} 个因两句译文相同而略去。单位为到另一句差值的百分比，按同一角色的词元求和。",
        "Moyenne sur {n} {n|paire|paires} ; {skipped} {skipped|laissée|laissées} de côté car le modèle traduit les deux phrases de la même façon. En % du chemin vers la marge de l'autre phrase, additionné sur les tokens d'un même rôle.",
    ),
    "causal.mean": ("mean", "平均", "moyenne"),
    "causal.spread": ("spread (standard deviation)", "离散度（标准差）", "dispersion (écart-type)"),
    "causal.no_role": ("no pair has such a token", "没有句对含有这种词元", "aucune paire n'a de tel token"),
    "causal.role_before": ("before", "之前", "avant"),
    "causal.role_changed": ("changed", "不同处", "changé"),
    "causal.role_after": ("after", "之后", "après"),
    "causal.role_end": ("end", "句末", "fin"),
    "causal.role_earlier": ("earlier steps", "较早的步", "étapes précédentes"),
    "causal.role_last": ("this step", "这一步", "cette étape"),
    "causal.part_circuit": ("The circuit", "电路", "Le circuit"),
    "causal.circuit_is": (
        "Which connections between heads and feed-forward networks make the model write **{word}** here, and **{rival}** "
        "for the other sentence?",
        "哪些头与前馈网络之间的连接使模型在这里写出 **{word}**，而对另一个句子写出 **{rival}**？",
        "Quelles connexions entre têtes et réseaux feed-forward font écrire **{word}** ici, et **{rival}** pour l'autre "
        "phrase ?",
    ),
    "causal.circuit_other": ("Compare with this sentence", "与这个句子比较", "Comparer avec cette phrase"),
    "causal.circuit_other_help": (
        "It should differ from the sentence above in one thing only, and have as many tokens.",
        "它应与上面的句子只差一处，词元数也相同。",
        "Elle ne diffère de la phrase ci-dessus que sur un point et compte autant de tokens.",
    ),
    "causal.circuit_start": ("Find the circuit", "找出电路", "Trouver le circuit"),
    "causal.circuit_empty": (
        "Each connection gets a score from gradients. Then the strongest are kept, all others carry what they would for the "
        "other sentence, and the model is run again.",
        "先用梯度给每个连接打分；再只保留最强的连接，其余连接传递它们在另一个句子中的内容，并重新运行模型。",
        "Chaque connexion reçoit un score calculé par gradients. Puis on garde les plus fortes, les autres transmettent ce "
        "qu'elles transmettraient pour l'autre phrase, et le modèle tourne à nouveau.",
    ),
    "causal.circuit_progress": ("Pass {done} of {total}", "第 {done}/{total} 次运行", "Passage {done} sur {total}"),
    "causal.circuit_cancel": ("Stops. Nothing is kept.", "停止，不保留结果。", "Arrête. Rien n'est gardé."),
    "causal.circuit_lengths": (
        "This sentence has {first} tokens and the other one {second}. A circuit needs two sentences of equal length: change "
        "a word, or choose a pair.",
        "本句有 {first} 个词元，另一句有 {second} 个。电路需要两个词元数相同的句子：请改动一个词，或选择句对。",
        "Cette phrase a {first} tokens et l'autre {second}. Un circuit demande deux phrases de même longueur : changez un "
        "mot, ou choisissez une paire.",
    ),
    "causal.circuit_unsuited": (
        "In this model no connection carries one part alone: it normalises after each addition, scales its residual stream, "
        "or runs in its original code. Choose another model, such as the shipped one.",
        "在这个模型中，没有哪个连接只传递单个部分：它在每次相加之后归一化、缩放残差流，或以其原有代码运行。请选择其他模型，例如自带的模型。",
        "Dans ce modèle, aucune connexion ne transmet une partie seule : il normalise après chaque addition, met son flux "
        "résiduel à l'échelle ou s'exécute dans son propre code. Choisissez un autre modèle, par exemple celui qui est fourni.",
    ),
    "causal.circuit_size": ("Connections kept", "保留的连接数", "Connexions gardées"),
    "causal.circuit_read": (
        "The {n} strongest of {total} connections keep **{kept}%** of the difference between the two sentences "
        "(faithfulness). Without these {n}, **{left}%** is left (completeness).",
        "在 {total} 个连接中，最强的 {n} 个保留了两句差值的 **{kept}%**（忠实度）。去掉这 {n} 个，还剩 **{left}%**（完整性）。",
        "Les {n} plus fortes des {total} connexions gardent **{kept} %** de la différence entre les deux phrases (fidélité). "
        "Sans ces {n}, il en reste **{left} %** (complétude).",
    ),
    "causal.circuit_how": (
        "A square is a head, with its number, or a feed-forward network. The thicker a line, the larger its score; the colour "
        "says whether it speaks for this sentence's word or against it.",
        "方块是带编号的头，或前馈网络。线越粗，分数越大；颜色表示它支持还是反对本句的词。",
        "Un carré est une tête, avec son numéro, ou un réseau feed-forward. Plus le trait est épais, plus son score est grand ; "
        "la couleur dit s'il parle pour le mot de cette phrase ou contre lui.",
    ),
    "causal.circuit_each": ("At each size", "各种大小", "À chaque taille"),
    "causal.circuit_table": (
        "| connections | kept, % | left without them, % |",
        "| 连接数 | 保留，% | 去掉后剩余，% |",
        "| connexions | gardé, % | reste sans elles, % |",
    ),
    "causal.circuit_save": ("All connections as CSV", "全部连接（CSV）", "Toutes les connexions en CSV"),
    "causal.circuit_self": ("self", "自注意", "auto"),
    "causal.circuit_cross": ("cross", "交叉", "croisée"),
    "causal.circuit_feed": ("FF", "前馈", "FF"),
    "causal.circuit_embedding": ("input", "嵌入", "entrée"),
    "causal.circuit_output": ("output", "输出", "sortie"),
    "causal.circuit_encoder": ("Encoder", "编码器", "Encodeur"),
    "causal.circuit_decoder": ("Decoder", "解码器", "Décodeur"),
    "causal.circuit_query": ("query", "查询", "requête"),
    "causal.circuit_key": ("key", "键", "clé"),
    "causal.circuit_value": ("value", "值", "valeur"),
    "causal.circuit_score": ("score, nats", "分数，奈特", "score, nats"),
    "causal.part_steer": ("Steer", "引导", "Orienter"),
    "causal.steer_example": ("Lists to begin with", "起始列表", "Listes de départ"),
    "causal.steer_past": ("past, present", "过去与现在", "passé, présent"),
    "causal.steer_formal": ("vous, tu", "vous 与 tu", "vous, tu"),
    "causal.steer_tries": ("Try it on:", "试用句子：", "À essayer sur :"),
    "causal.steer_positives": ("Towards these", "朝向这些句子", "Vers ces phrases"),
    "causal.steer_negatives": ("Away from these", "远离这些句子", "Loin de ces phrases"),
    "causal.steer_lists_help": (
        "One sentence per line. After a bar you may give its translation: “Are you ready? | Es-tu prêt ?”. Otherwise "
        "the model's own is taken.",
        "每行一个句子。竖线之后可以给出译文：“Are you ready? | Es-tu prêt ?”。不给时使用模型自己的译文。",
        "Une phrase par ligne. Après une barre, vous pouvez donner sa traduction : « Are you ready? | Es-tu prêt ? ». "
        "Sinon, on prend celle du modèle.",
    ),
    "causal.steer_at": ("Where the direction is added", "在哪里加入这个方向", "Où la direction est ajoutée"),
    "causal.steer_encoder": (
        "Encoder, after layer {layer}",
        "编码器，第 {layer} 层之后",
        "Encodeur, après la couche {layer}",
    ),
    "causal.steer_decoder": (
        "Decoder, after layer {layer}",
        "解码器，第 {layer} 层之后",
        "Décodeur, après la couche {layer}",
    ),
    "causal.steer_strength": ("Strength", "强度", "Force"),
    "causal.steer_strength_help": (
        "The direction is the mean activation over the first list minus the mean over the second. It is added this many "
        "times at every position; below 0 it leads the other way.",
        "这个方向是第一个列表的平均激活值减去第二个列表的平均激活值。它在每个位置按此倍数加入；小于 0 时方向相反。",
        "La direction est l'activation moyenne de la première liste moins celle de la seconde. Elle est ajoutée autant "
        "de fois à chaque position ; en dessous de 0, elle mène dans l'autre sens.",
    ),
    "causal.steer_empty": (
        "Write at least one sentence in each list.",
        "请在每个列表中至少写一个句子。",
        "Écrivez au moins une phrase dans chaque liste.",
    ),
    "causal.steer_own_code": (
        "This model runs in its original code, which lets no direction be added. Choose another model, such as the "
        "shipped one.",
        "该模型以其原有代码运行，无法加入方向。请选择其他模型，例如自带的模型。",
        "Ce modèle s'exécute dans son propre code, qui ne permet pas d'ajouter une direction. Choisissez un autre "
        "modèle, par exemple celui qui est fourni.",
    ),
    "causal.steer_moved": (
        "**“{after}”** instead of “{before}”: {kept} of 100 of the sequences of characters are the same (chrF).",
        "译文由“{before}”变为 **“{after}”**：字符序列有 {kept}/100 相同（chrF）。",
        "**« {after} »** au lieu de « {before} » : {kept} sur 100 des suites de caractères sont les mêmes (chrF).",
    ),
    "causal.steer_same": (
        "“{before}” stays as it is at this strength.",
        "在这一强度下，“{before}”保持不变。",
        "À cette force, « {before} » ne change pas.",
    ),
    "causal.steer_apply": ("Use it on all pages", "在所有页面使用", "L'utiliser sur toutes les pages"),
    "causal.steer_apply_help": (
        "Adds the direction to the changes in force, where you can take it back.",
        "把这个方向加入当前改动，可在那里撤回。",
        "Ajoute la direction aux changements en cours, où vous pouvez la retirer.",
    ),
    "causal.steer_curve": (
        "How much of the translation stays the same (chrF against the unsteered): of this sentence, and of {n} sentences that have nothing to do "
        "with the lists. A direction that changes the second as much as the first is not about your lists alone.",
        "译文有多少保持不变（与未引导译文的 chrF）：本句，以及与列表无关的 {n} 个句子。如果后者的变化与前者一样大，这个方向就不只关乎你的列表。",
        "Ce qui reste de la traduction (chrF par rapport à celle sans orientation) : pour cette phrase, et pour {n} phrases sans rapport avec les listes. Une "
        "direction qui change autant les secondes que la première ne concerne pas vos seules listes.",
    ),
    "causal.steer_own": ("this sentence", "本句", "cette phrase"),
    "causal.steer_others": ("other sentences, mean", "其他句子，平均", "autres phrases, moyenne"),
    "causal.steer_axis": ("strength", "强度", "force"),
    "causal.steer_chrf": ("chrF", "chrF", "chrF"),
}
