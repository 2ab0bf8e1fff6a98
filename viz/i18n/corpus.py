"""Words of the Corpus page."""

STRINGS: dict[str, tuple[str, ...]] = {
    "corpus.views": ("View", "视图", "Vue"),
    "corpus.view_heads": ("Heads", "注意力头", "Têtes"),
    "corpus.view_find": ("Find", "查找", "Chercher"),
    "corpus.view_fires": ("What a head looks at", "一个头在看什么", "Ce que regarde une tête"),
    "corpus.view_neighbours": ("Neighbours", "近邻", "Voisins"),
    "corpus.view_align": ("Alignment", "词对齐", "Alignement"),
    "corpus.view_pruning": ("Pruning", "剪枝", "Élagage"),
    "corpus.view_explains": (
        "Is attention an explanation?",
        "注意力是解释吗？",
        "L'attention est-elle une explication ?",
    ),
    "corpus.comma": (", ", "，", ", "),
    "corpus.with_value": ("{name} ({value})", "{name}（{value}）", "{name} ({value})"),
    "corpus.opened": (
        "{n} held-out sentence pairs, surveyed with {model}",
        "{n} 对模型未训练过的句子，用 {model} 测得",
        "{n} paires de phrases jamais vues à l'entraînement, mesurées avec {model}",
    ),
    "corpus.opened_given": (
        "{n} sentence {n|pair|pairs}, surveyed with {model}",
        "{n} 个句对，用 {model} 测得",
        "{n} {n|paire de phrases, mesurée|paires de phrases, mesurées} avec {model}",
    ),
    "corpus.opened_part": (
        "This survey is not whole: {n} of {total} pairs are there. To measure the rest, run the same command with --resume.",
        "测量尚未完成：{total} 对中只有 {n} 对。要测完其余部分，请用 --resume 再次运行同一命令。",
        "Ces mesures sont incomplètes : {n} paires sur {total}. Pour mesurer le reste, relancez la même commande avec --resume.",
    ),
    "corpus.none_measured": (
        "No pair of this survey could be measured. The line above says why the first was left out.",
        "这些句对没有一对可以测量，第一对的原因见上一行。",
        "Aucune de ces paires n'a pu être mesurée. La ligne ci-dessus dit pourquoi la première a été écartée.",
    ),
    "corpus.opened_own": (
        "Your {n} sentence {n|pair|pairs}, surveyed with {model}",
        "你的 {n} 个句对，用 {model} 测得",
        "Vos phrases : {n} {n|paire mesurée|paires mesurées} avec {model}",
    ),
    "corpus.survey": ("Survey", "测量结果", "Mesures"),
    "corpus.survey_shared": ("Shipped: {n} pairs, {model}", "自带：{n} 对，{model}", "Fournies : {n} paires, {model}"),
    "corpus.survey_given": (
        "Given here: {n} {n|pair|pairs}, {model}",
        "此处提供：{n} 对，{model}",
        "Données ici : {n} {n|paire|paires}, {model}",
    ),
    "corpus.survey_own": (
        "{title}: {n} {n|pair|pairs}, {model}",
        "{title}：{n} 对，{model}",
        "{title} : {n} {n|paire|paires}, {model}",
    ),
    "corpus.survey_gone": (
        "This survey no longer exists. You see the shipped one.",
        "这里已没有这个名称的测量结果。现在显示的是自带的。",
        "Il n'y a plus de mesures de ce nom ici. Voici celles qui sont fournies.",
    ),
    "corpus.same_help": (
        "Or measure the sentences on screen with {model}, to compare the two models.",
        "也可以用 {model} 测量当前显示的句子，以便把两个模型并排比较。",
        "Ou mesurez avec {model} les phrases affichées, pour mettre les deux modèles côte à côte.",
    ),
    "corpus.same_start": ("Measure {n} {n|pair|pairs}", "测量这 {n} 个句对", "Mesurer {n} {n|paire|paires}"),
    "corpus.same_title": ("the same sentences", "同样的句子", "les mêmes phrases"),
    "corpus.own_targets": (
        "Measure the model on its own translations",
        "用它自己的译文来测量",
        "Mesurer le modèle sur ses propres traductions",
    ),
    "corpus.own_targets_help": (
        "Use this if the model writes another language than these translations. Otherwise it would have to score "
        "words that it does not know. If this is off, every model is fed the same translations, so that two models "
        "of one language can be compared.",
        "若模型的目标语言与这些译文不同，请勾选，否则模型要为它不会的词打分。不勾选时，各模型读入同样的译文，同一语言的两个模型才好比较。",
        "À cocher si le modèle écrit une autre langue que ces traductions. Sinon il devrait noter des mots qu'il ne "
        "connaît pas. Sans cela, tous les modèles reçoivent les mêmes traductions, et deux modèles d'une même langue "
        "se comparent.",
    ),
    "corpus.own_targets_here": (
        "This model writes another language than these translations, so its own translations are measured.",
        "这个模型的目标语言与这些译文不同，因此用它自己的译文来测量。",
        "Ce modèle écrit une autre langue que ces traductions ; ce sont donc ses propres traductions qui sont mesurées.",
    ),
    "corpus.figures_own_targets": (
        "Measured with {model} on sentences of this survey and its own translations of them.",
        "用 {model} 在当前这些句子和它自己的译文上测得。",
        "Mesuré avec {model} sur des phrases de cet ensemble et ses propres traductions.",
    ),
    "corpus.rate": ("{n} {n|pair|pairs}/s", "每秒 {n} 对", "{n} {n|paire|paires}/s"),
    "corpus.stopping": ("Stopping after this batch", "测完这一批就停止", "Arrêt après ce lot"),
    "corpus.stop": ("Stop", "停止", "Arrêter"),
    "corpus.meanwhile": (
        "The survey opens here when it is done. Until then the page shows the results so far. You can leave and come "
        "back with this link.",
        "测量完成后会在这里打开。在此之前页面显示已有的结果。你可以离开，再用这个链接回来。",
        "Les mesures s'ouvriront ici une fois terminées. En attendant, la page montre les résultats déjà obtenus. "
        "Vous pouvez partir et revenir par ce lien.",
    ),
    "corpus.meanwhile_nothing": (
        "The survey opens here when it is done. Until then you see another survey; you may leave and come back with "
        "this link.",
        "完成后会在这里打开。在此之前显示的是另一次测量；你可以离开，再用这个链接回来。",
        "Elles s'ouvriront ici une fois terminées. En attendant, d'autres mesures sont affichées ; vous pouvez partir et revenir par ce lien.",
    ),
    "corpus.ended_early": (
        "This survey ended early: {n} of {total} pairs were measured. {reason}",
        "测量提前结束：已测 {n} / {total} 对。{reason}",
        "Ces mesures se sont arrêtées avant la fin : {n} paires sur {total}. {reason}",
    ),
    "corpus.go_on_help": (
        "The pairs that were measured are kept. The others wait in the same queue as the training runs.",
        "已测的句对会保留。其余的与训练一起排队。",
        "Les paires déjà mesurées sont gardées. Les autres attendent dans la même file que les entraînements.",
    ),
    "corpus.go_on_damaged": (
        "“Continue” measures the pairs of the damaged file again and keeps the others.",
        "点“继续”会重新测量损坏文件中的句对，其余结果保留。",
        "« Reprendre » mesure à nouveau les paires du fichier abîmé et garde les autres.",
    ),
    "corpus.fault_killed": (
        "The process was ended from outside, often because memory ran out: try fewer pairs.",
        "进程被外部终止，常因内存不足：请减少句对。",
        "Le processus a été tué, souvent faute de mémoire : essayez moins de paires.",
    ),
    "corpus.fault_memory": (
        "The machine's memory is full: try again later or with shorter sentences.",
        "内存已满：请稍后再试，或使用较短的句子。",
        "La mémoire de la machine est pleine : réessayez plus tard ou avec des phrases plus courtes.",
    ),
    "corpus.fault_disk_full": (
        "The server's disk is full: delete runs that are no longer needed.",
        "服务器磁盘已满：请删除不再需要的训练和测量。",
        "Le disque du serveur est plein : supprimez ce qui ne sert plus.",
    ),
    "corpus.fault_server_ended": (
        "The server was restarted. Start the survey again for the rest.",
        "服务器中途重启。请再次开始测量其余部分。",
        "Le serveur a redémarré entre-temps : relancez pour le reste.",
    ),
    "corpus.fault_time_limit": (
        "The time that one survey may take here is over: give fewer pairs.",
        "单次测量的时限已到：请减少句对。",
        "Le temps permis ici est écoulé : donnez moins de paires.",
    ),
    "corpus.fault_other": ("The message below says why.", "原因见下面的信息。", "Le message ci-dessous dit pourquoi."),
    "corpus.other_pairs": ("Survey other pairs", "测量其他句对", "Mesurer d'autres paires"),
    "corpus.upload_help": (
        "A file with one source, a tab and one translation on each line, in UTF-8. The first {most} pairs are "
        "measured with the model in use. They wait in the same queue as the training runs. Only people who have the "
        "link see the result.",
        "UTF-8 文件，每行一句源句、一个制表符和一句译文。用当前模型测量前 {most} 对，与训练一起排队。只有拿到链接的人能看到结果。",
        "Un fichier UTF-8 : sur chaque ligne une phrase, une tabulation, sa traduction. Les {most} premières paires sont mesurées avec le modèle en cours, dans la même file que les entraînements. Seules les personnes qui ont le lien voient le résultat.",
    ),
    "corpus.keep_states": ("States to keep for Neighbours", "为“近邻”保存的状态", "États à garder pour Voisins"),
    "corpus.keep_states_help": (
        "Neighbours searches the states of these layers over all pairs. If none are kept, it computes those of the "
        "first thousand pairs when it is opened. Each layer takes space on the server's disk.",
        "“近邻”会在所有句对中查找这些层的状态。若不保存，打开时只计算前一千对的状态。每一层都会占用服务器磁盘空间。",
        "Voisins cherche dans les états de ces couches, sur toutes les paires. Sans eux, il calcule à l'ouverture ceux des mille premières paires. Chaque couche prend de la place sur le disque du serveur.",
    ),
    "corpus.keep_states_none": ("none", "不保存", "aucun"),
    "corpus.upload": ("Sentence pairs (.tsv)", "句对文件（.tsv）", "Paires de phrases (.tsv)"),
    "corpus.start": ("Measure these pairs", "测量这些句对", "Mesurer ces paires"),
    "corpus.running": ("{done} of {total} pairs", "已完成 {done} / {total} 对", "{done} paires sur {total}"),
    "corpus.left_out": (
        "{n} {n|pair was|pairs were} left out. The first is pair {number}: {reason}",
        "略去 {n} 对。第一个是第 {number} 对：{reason}",
        "{n} {n|paire laissée|paires laissées} de côté. La première est la paire {number} : {reason}",
    ),
    "corpus.reason_target": ("the translation is empty", "译文为空", "la traduction est vide"),
    "corpus.reason_source": ("the source is empty", "源句为空", "la phrase source est vide"),
    "corpus.reason_characters": (
        "it has {n} characters, and the limit is {most}. Write one sentence on each line",
        "共 {n} 个字符，上限为 {most} 个。请每行只写一句",
        "elle compte {n} caractères, et la limite est de {most}. Écrivez une phrase par ligne",
    ),
    "corpus.reason_long": (
        "it has {n} tokens, and the limit is {most}",
        "共 {n} 个词元，上限为 {most} 个",
        "elle compte {n} tokens, et la limite est de {most}",
    ),
    "corpus.surveyed_other": (
        "These numbers were measured with {model}. Choose that model at the top to see its maps here, or survey "
        "pairs with the model in use.",
        "这些数字属于 {model}。在顶部选择该模型即可在此看到它的注意力图，或用当前模型测量句对。",
        "Ces nombres sont ceux de {model}. Choisissez ce modèle en haut pour voir ses cartes ici, ou mesurez des paires avec le modèle en cours.",
    ),
    "corpus.attribution": (
        "Sentences: Tatoeba, by way of manythings.org/anki, CC BY 2.0.",
        "句子来自 Tatoeba（经由 manythings.org/anki），CC BY 2.0。",
        "Phrases : Tatoeba, par manythings.org/anki, CC BY 2.0.",
    ),
    "corpus.kind": ("Attention", "注意力", "Attention"),
    "corpus.layer": ("Layer", "层", "Couche"),
    "corpus.head": ("Head", "头", "Tête"),
    "corpus.measure": ("Measure", "指标", "Mesure"),
    "corpus.split": ("Split by", "分组方式", "Séparer par"),
    "corpus.split_none": ("all sentences together", "所有句子一起", "toutes les phrases ensemble"),
    "corpus.split_length": ("length of the sentence", "句子长度", "longueur de la phrase"),
    "corpus.split_quality": ("quality of the translation", "译文质量", "qualité de la traduction"),
    "corpus.split_token": ("kind of token", "词元类型", "sorte de token"),
    "corpus.length_1": ("up to 6 tokens ({n})", "不超过 6 个词元（{n}）", "jusqu'à 6 tokens ({n})"),
    "corpus.length_2": ("7 to 9 tokens ({n})", "7 到 9 个词元（{n}）", "7 à 9 tokens ({n})"),
    "corpus.length_3": ("10 to 13 tokens ({n})", "10 到 13 个词元（{n}）", "10 à 13 tokens ({n})"),
    "corpus.length_4": ("14 tokens and more ({n})", "14 个词元以上（{n}）", "14 tokens et plus ({n})"),
    "corpus.quality_1": (
        "close to the reference: chrF 60 and more ({n})",
        "接近参考译文：chrF 不低于 60（{n}）",
        "proches de la référence : chrF 60 et plus ({n})",
    ),
    "corpus.quality_2": (
        "far from the reference: chrF under 60 ({n})",
        "与参考译文相差较大：chrF 低于 60（{n}）",
        "loin de la référence : chrF sous 60 ({n})",
    ),
    "corpus.token_first": ("first token", "第一个词元", "premier token"),
    "corpus.token_last": ("last token before the full stop", "句号前的最后一个词元", "dernier token avant le point"),
    "corpus.token_punctuation": ("punctuation", "标点", "ponctuation"),
    "corpus.token_subword": ("inside a word", "词的内部", "intérieur d'un mot"),
    "corpus.token_word": ("other words", "其他词", "autres mots"),
    "corpus.token_end": ("end of the sentence", "句末符号", "fin de la phrase"),
    "corpus.measure_entropy": ("Entropy (bits)", "熵（比特）", "Entropie (bits)"),
    "corpus.measure_sink_share": ("Share on sinks", "汇点所占份额", "Part sur les puits"),
    "corpus.measure_maximum": ("Largest weight", "最大权重", "Plus grand poids"),
    "corpus.measure_confidence": (
        "Focus: mean of each row's largest weight",
        "集中度（每行最大权重的平均）",
        "Concentration : moyenne du plus grand poids par ligne",
    ),
    "corpus.measure_offset": ("Offset (tokens)", "偏移（词元）", "Décalage (tokens)"),
    "corpus.measure_previous": ("Weight on the token before", "前一个词元的权重", "Poids sur le token d'avant"),
    "corpus.measure_same": ("Weight on the same position", "同一位置的权重", "Poids sur la même position"),
    "corpus.measure_next": ("Weight on the next token", "后一个词元的权重", "Poids sur le token suivant"),
    "corpus.measure_diagonality": ("Diagonality", "对角程度", "Diagonalité"),
    "corpus.measure_value_weighted_share": (
        "Share of its layer's output",
        "在本层输出中的份额",
        "Part dans la sortie de sa couche",
    ),
    "corpus.measure_value_weighted_sink_share": (
        "Value-weighted share on sinks",
        "按值加权的汇点份额",
        "Part des puits, pondérée par les valeurs",
    ),
    "corpus.explain_entropy": (
        "0 bits: the head looks at one token. More bits: it spreads. Each cell is the median over sentences; point at it for the 5–95% range.",
        "0 比特：只看一个词元；比特越多越分散。每格是各句的中位数；指向它可看 5–95% 的范围。",
        "0 bit : la tête regarde un seul token ; plus de bits, plus elle se disperse. Chaque case est la médiane sur les phrases ; pointez-la pour l'étendue 5–95 %.",
    ),
    "corpus.explain_sink_share": (
        "How much of a head's weight rests on punctuation and special tokens. Median over sentences.",
        "头的权重落在标点和特殊词元上的份额。各句的中位数。",
        "Part du poids qui tombe sur la ponctuation et les tokens spéciaux. Médiane sur les phrases.",
    ),
    "corpus.explain_maximum": (
        "The largest weight in each sentence's map. Median over sentences.",
        "每句注意力图中的最大权重。各句的中位数。",
        "Le plus grand poids de la carte de chaque phrase. Médiane sur les phrases.",
    ),
    "corpus.explain_confidence": (
        "How focused a head is: the largest weight of each row, averaged (Voita et al. 2019).",
        "头有多集中：每行最大权重的平均（Voita 等，2019）。",
        "À quel point une tête est concentrée : le plus grand poids de chaque ligne, en moyenne (Voita et al. 2019).",
    ),
    "corpus.explain_offset": (
        "Where the weight lies on average: negative looks back, positive ahead.",
        "权重平均落在哪里：负值向前文看，正值向后文看。",
        "Où se trouve le poids en moyenne : négatif vers l'arrière, positif vers l'avant.",
    ),
    "corpus.explain_previous": (
        "Weight on the token just before the query.",
        "落在查询前一个词元上的权重。",
        "Poids sur le token juste avant la requête.",
    ),
    "corpus.explain_same": (
        "Weight on the query's own position.",
        "落在查询自身位置上的权重。",
        "Poids sur la position de la requête elle-même.",
    ),
    "corpus.explain_next": (
        "Weight on the token just after the query.",
        "落在查询后一个词元上的权重。",
        "Poids sur le token juste après la requête.",
    ),
    "corpus.explain_diagonality": (
        "1: the weight follows the diagonal of the map. About one half: it does not.",
        "1：权重沿对角线分布。约一半：不沿对角线。",
        "1 : le poids suit la diagonale de la carte. Environ un demi : il ne la suit pas.",
    ),
    "corpus.explain_value_weighted_share": (
        "This head's share of what the heads of its layer write, measured by the norms of their weighted values "
        "(Kobayashi et al. 2020).",
        "这个头在本层各头写入的内容中占多少，按加权值向量的范数计算（Kobayashi 等，2020）。",
        "Part de cette tête dans ce qu'écrivent les têtes de sa couche, d'après les normes des valeurs pondérées "
        "(Kobayashi et al. 2020).",
    ),
    "corpus.explain_value_weighted_sink_share": (
        "The share of sinks when each weight is multiplied by the length of its value vector. Sinks often have short "
        "value vectors.",
        "把每个权重乘以值向量长度后，汇点所占的份额。汇点的值向量往往很短。",
        "La part des puits quand chaque poids est multiplié par la longueur de son vecteur valeur. Les vecteurs "
        "valeur des puits sont souvent courts.",
    ),
    "corpus.explain_weight": (
        "The strongest weight of each token's row, by the kind of token. Median over tokens.",
        "按词元类型：每个词元所在行的最大权重。各词元的中位数。",
        "Le poids le plus fort de la ligne de chaque token, par sorte de token. Médiane sur les tokens.",
    ),
    "corpus.cross_only": (
        "Diagonality is measured for cross-attention: choose it, or another measure.",
        "对角程度只对交叉注意力测量：请选择交叉注意力或其他指标。",
        "La diagonalité se mesure pour l'attention croisée : choisissez-la, ou une autre mesure.",
    ),
    "corpus.spread": ("5–95%", "5–95%", "5–95 %"),
    "corpus.median": ("median", "中位数", "médiane"),
    "corpus.sorted": ("As a sorted table", "排序后的表格", "En tableau trié"),
    "corpus.one_head": (
        "Layer {layer}, head {head}: {part}",
        "第 {layer} 层第 {head} 头：{part}",
        "Couche {layer}, tête {head} : {part}",
    ),
    "corpus.all_sentences": ("all sentences", "全部句子", "toutes les phrases"),
    "corpus.tokens": ("tokens", "词元数", "tokens"),
    "corpus.strongest_weight": ("Strongest weight of a row", "一行中的最大权重", "Plus grand poids d'une ligne"),
    "corpus.n_pairs": ("{n} {n|pair|pairs}", "{n} 对", "{n} {n|paire|paires}"),
    "corpus.beside": ("Compare with", "并排比较", "À côté"),
    "corpus.beside_none": ("nothing else", "无", "rien d'autre"),
    "corpus.sentences": ("sentences", "句子数", "phrases"),
    "corpus.bar_sentences": (
        "Sentences from {low} to {high}",
        "{low} 到 {high} 之间的句子",
        "Phrases de {low} à {high}",
    ),
    "corpus.top_sentences": (
        "Values from {low} to {high}. The five highest sentences; click a bar for its own.",
        "取值从 {low} 到 {high}。这里是最高的五句；单击柱条查看其句子。",
        "Valeurs de {low} à {high}. Voici les cinq phrases les plus hautes ; cliquez sur une barre pour voir les siennes.",
    ),
    "corpus.reference": ("Reference: {text}", "参考译文：{text}", "Référence : {text}"),
    "corpus.translation": ("Model: {text}", "模型译文：{text}", "Modèle : {text}"),
    "corpus.nothing": ("No sentence fits.", "没有符合的句子。", "Aucune phrase ne convient."),
    "corpus.no_scores": (
        "There are no scores here, because nothing was translated to compare with a reference. Survey these pairs with a model of their language, with translations.",
        "这里没有分数，因为没有可与参考译文比较的译文。请用目标语言相同的模型测量这些句对，并生成译文。",
        "Il n'y a pas de scores ici : aucune traduction n'a été comparée à une référence. Mesurez ces paires, traductions comprises, avec un modèle de leur langue.",
    ),
    "corpus.save": ("Save", "保存", "Enregistrer"),
    "corpus.question": ("Question", "问题", "Question"),
    "corpus.question_sinks": (
        "In which sentences does this head give more than half of its weight to sinks?",
        "在哪些句子里这个头把一半以上的权重给了汇点？",
        "Dans quelles phrases cette tête donne-t-elle plus de la moitié de son poids aux puits ?",
    ),
    "corpus.question_word": (
        "Which sentences contain a word?",
        "哪些句子里有某个词？",
        "Dans quelles phrases se trouve un mot ?",
    ),
    "corpus.question_distance": (
        "Where does this head look farthest?",
        "这个头在哪里看得最远？",
        "Où cette tête regarde-t-elle le plus loin ?",
    ),
    "corpus.question_faithless": (
        "Which translations depend least on their source?",
        "哪些译文最不依赖源句？",
        "Quelles traductions dépendent le moins de leur source ?",
    ),
    "corpus.question_worst": (
        "Which translations are farthest from the reference?",
        "哪些译文与参考译文相差最大？",
        "Quelles traductions sont les plus loin de la référence ?",
    ),
    "corpus.word": ("Word", "词", "Mot"),
    "corpus.about_sinks": (
        "{n} {n|sentence|sentences}. Sinks are punctuation and special tokens.",
        "{n} 句。汇点指标点和特殊词元。",
        "{n} {n|phrase|phrases}. Les puits sont la ponctuation et les tokens spéciaux.",
    ),
    "corpus.about_word": ("{n} {n|sentence|sentences}.", "{n} 句。", "{n} {n|phrase|phrases}."),
    "corpus.about_distance": (
        "By the distance between a token and the key it looks at most, sinks left out.",
        "按词元与其看得最多的键之间的距离排序，不计汇点。",
        "Selon la distance entre un token et la clé qu'il regarde le plus, puits exclus.",
    ),
    "corpus.about_faithless": (
        "Measured by removal: how much the source adds to each target token's log-probability. Attention weights alone do not show this.",
        "通过移除来测量：源句使每个译文词元的对数概率增加多少。仅凭注意力权重看不出来。",
        "Mesuré par retrait : ce que la source ajoute à la log-probabilité de chaque token cible. Les poids d'attention seuls ne le disent pas.",
    ),
    "corpus.about_worst": (
        "By chrF against the reference. A good free translation can score low.",
        "按与参考译文的 chrF 排序。好的意译也可能分数低。",
        "Selon chrF face à la référence. Une bonne traduction libre peut avoir un score bas.",
    ),
    "corpus.value_sinks": ("on sinks: {value}", "汇点份额：{value}", "sur les puits : {value}"),
    "corpus.value_word": ("chrF {value}", "chrF {value}", "chrF {value}"),
    "corpus.value_distance": ("distance {value} tokens", "距离 {value} 个词元", "distance {value} tokens"),
    "corpus.value_faithless": (
        "the source adds {value} nats per token",
        "源句每词元增加 {value} 奈特",
        "la source ajoute {value} {value|nat|nats} par token",
    ),
    "corpus.value_worst": ("chrF {value}", "chrF {value}", "chrF {value}"),
    "corpus.sql": ("Ask in SQL", "用 SQL 提问", "Demander en SQL"),
    "corpus.sql_about": (
        "One SELECT of DuckDB over these tables and their columns, read-only, at most 20 seconds.",
        "对以下各表及其列写一条 DuckDB 的 SELECT，只读，最多 20 秒。",
        "Un seul SELECT de DuckDB sur ces tables et leurs colonnes, en lecture seule, 20 secondes au plus.",
    ),
    "corpus.sql_run": ("Run", "运行", "Exécuter"),
    "corpus.sql_cancel": ("Cancel", "取消", "Annuler"),
    "corpus.sql_seconds": ("{n} s", "{n} 秒", "{n} s"),
    "corpus.sql_waits": (
        "Waiting. Queries before this one: {n}",
        "排队中，前面的查询数：{n}",
        "En attente. Requêtes avant celle-ci : {n}",
    ),
    "corpus.sql_cut": (
        "The answer is longer. These are its first {n} rows.",
        "结果较长，这里只显示前 {n} 行。",
        "La réponse est plus longue : en voici les {n} premières lignes.",
    ),
    "corpus.sql_wrong": (
        "This query could not be answered",
        "无法回答这个查询",
        "Cette requête n'a pas pu aboutir",
    ),
    "corpus.with_sinks": (
        "Count punctuation and special tokens too",
        "也计入标点和特殊词元",
        "Compter aussi la ponctuation et les tokens spéciaux",
    ),
    "corpus.strongest": ("Strongest, one per sentence", "最强的，每句一个", "Les plus forts, un par phrase"),
    "corpus.chance": ("Drawn at random", "随机抽取", "Tirés au hasard"),
    "corpus.fires_about": (
        "The strongest cases often look like a rule. Compare them with those drawn at random before you believe it.",
        "最强的例子看起来常像规律。相信之前，请与随机抽取的例子比较。",
        "Les cas les plus forts ressemblent souvent à une règle. Comparez-les au tirage au hasard avant d'y croire.",
    ),
    "corpus.query": ("token", "词元", "token"),
    "corpus.query_predicted": ("predicted token", "预测的词元", "token prédit"),
    "corpus.key": ("looks at", "看向", "regarde"),
    "corpus.weight": ("weight", "权重", "poids"),
    "corpus.sentence": ("sentence", "句子", "phrase"),
    "corpus.neighbours_other": (
        "Neighbours are found in the states of {model}: choose that model at the top and give it a sentence, or survey these pairs with the model in use.",
        "近邻是在 {model} 的状态中查找的：请在顶部选择该模型并输入句子，或用当前模型测量这些句对。",
        "Les voisins se cherchent dans les états de {model} : choisissez ce modèle en haut et donnez-lui une phrase, ou mesurez ces paires avec le modèle en cours.",
    ),
    "corpus.neighbours_working": (
        "Computing the states of the first thousand sentences. This is done only once.",
        "正在计算前一千句的状态，只需一次。",
        "Calcul des états des mille premières phrases, une seule fois.",
    ),
    "corpus.state": ("State after", "状态位于", "État après"),
    "corpus.state_encoder": ("encoder layer {layer}", "编码器第 {layer} 层之后", "couche {layer} de l'encodeur"),
    "corpus.state_decoder": ("decoder layer {layer}", "解码器第 {layer} 层之后", "couche {layer} du décodeur"),
    "corpus.state_encoder_0": ("source embeddings", "源句的词嵌入", "plongements de la source"),
    "corpus.state_decoder_0": ("target embeddings", "译文嵌入之后", "plongements de la cible"),
    "corpus.state_source": ("Source token", "源词元", "Token source"),
    "corpus.state_step": ("Step that predicts", "预测该词元的步骤", "Étape qui prédit"),
    "corpus.state_token": ("read", "读入", "lu"),
    "corpus.state_next": ("next", "下一个", "suivant"),
    "corpus.state_here": ("here", "当前", "ici"),
    "corpus.nearness": ("near", "接近度", "proche"),
    "corpus.neighbours_source": (
        "Tokens of the corpus where the encoder was in the most similar state. The words after them: {words}.",
        "语料中编码器状态最相似的词元。它们后面是 {words}。",
        "Les tokens du corpus où l'encodeur était dans l'état le plus semblable. Ensuite vient {words}.",
    ),
    "corpus.neighbours_target": (
        "Steps of the corpus where the decoder was in the most similar state, the token to be predicted in brackets: {words}.",
        "语料中解码器状态最相似的步骤，方括号里是要预测的词元：{words}。",
        "Les étapes du corpus où le décodeur était dans l'état le plus semblable ; entre crochets le token à prédire : {words}.",
    ),
    "corpus.neighbours_exact": (
        "All {n} states were compared (cosine, after the mean state is subtracted).",
        "比较了全部 {n} 个状态（减去平均状态后的余弦）。",
        "Les {n} états ont tous été comparés (cosinus, l'état moyen retiré).",
    ),
    "corpus.neighbours_gathered": (
        "This survey kept no states, so those of the first {n} pairs were computed here. To search all pairs, "
        "measure them again and choose states to keep.",
        "这份测量没有保存状态：这里计算了前 {n} 对的状态。若要在所有句对中查找，请重新测量并选择要保存的状态。",
        "Ces mesures n'ont gardé aucun état : ceux des {n} premières paires ont été calculés ici. Pour chercher dans toutes les paires, mesurez-les de nouveau en choisissant des états à garder.",
    ),
    "corpus.neighbours_index": (
        "{n} states, searched by an approximate index (cosine, after the mean state is subtracted): a near one may "
        "be missed.",
        "{n} 个状态，用近似索引查找（减去平均状态后的余弦）：可能漏掉个别近邻。",
        "{n} états, cherchés par un index approché (cosinus, l'état moyen retiré) : un voisin peut manquer.",
    ),
    "corpus.neighbours_most": (
        "The first {most} of the survey are used.",
        "只用测量中的前 {most} 个。",
        "Seuls les {most} premiers des mesures servent.",
    ),
    "corpus.colour": ("Coloured by", "着色依据", "Couleur selon"),
    "corpus.colour_token": ("kind of token", "词元类型", "sorte de token"),
    "corpus.colour_layer": ("layer", "层", "couche"),
    "corpus.colour_head": ("a head's strongest weight", "某个头的最大权重", "plus grand poids d'une tête"),
    "corpus.colour_other_side": (
        "This head's rows belong to the other side: the colours are those of the tokens at the same place there.",
        "这个头的行属于另一侧：颜色取自那一侧同一位置的词元。",
        "Les lignes de cette tête sont de l'autre côté : les couleurs sont celles des tokens à la même place là-bas.",
    ),
    "corpus.plane_about": (
        "{n} states in the plane in which they differ most; it shows {share}% of their variance, so points that are close here may be far apart in other dimensions.",
        "{n} 个状态投影到差异最大的平面；它只显示 {share}% 的方差，所以这里相近的点在别的方向上可能相距很远。",
        "{n} états dans le plan où ils diffèrent le plus ; il montre {share} % de leur variance : ce qui est proche ici peut être loin ailleurs.",
    ),
    "corpus.no_cross": (
        "This model has no cross-attention: choose a model that translates.",
        "该模型没有交叉注意力：请选择翻译模型。",
        "Ce modèle n'a pas d'attention croisée : choisissez un modèle qui traduit.",
    ),
    "corpus.align_not_measured": (
        "Alignment has not been measured for the model in use.",
        "尚未测量当前模型的对齐。",
        "L'alignement n'a pas été mesuré pour le modèle en cours.",
    ),
    "corpus.align_measure": ("Measure alignment", "测量对齐", "Mesurer l'alignement"),
    "corpus.align_best": (
        "**Layer {layer}, head {head} aligns best (rows: {row})**: alignment error rate {aer} (0 is perfect).",
        "**第 {layer} 层第 {head} 头（每行：{row}）对齐最好**：对齐错误率 {aer}（0 为完美）。",
        "**La tête {head} de la couche {layer} aligne le mieux (lignes : {row})** : taux d'erreur d'alignement {aer} "
        "(0 est parfait).",
    ),
    "corpus.row_fed": ("token fed in", "输入的词元", "token lu"),
    "corpus.row_predicted": (
        "token predicted",
        "预测的词元",
        "token prédit",
    ),
    "corpus.rows": ("Rows are", "每行是", "Lignes :"),
    "corpus.aer": ("alignment error rate", "对齐错误率", "taux d'erreur d'alignement"),
    "corpus.aer_about": (
        "How it is counted: each target word is linked to the source word with the largest weight. Let A be these links, S the links that people were sure of, and P the possible ones, S included. The rate is 1 − (|A∩S| + |A∩P|) / (|A| + |S|). Without a model, linking each word to the one at the same place in its sentence gives {diagonal}.",
        "算法：每个译文词与权重最大的源词相连。设 A 为这些链接，S 为标注者确定的链接，P 为可能的链接（包含 S），错误率 = 1 − (|A∩S| + |A∩P|) / (|A| + "
        "|S|)。不用模型、只把每个词连到句中同一位置的词，错误率是 {diagonal}。",
        "Le calcul : chaque mot cible est lié au mot source de plus grand poids. Soit A ces liens, S ceux dont les annotateurs étaient sûrs et P les liens possibles, S compris. Le taux vaut 1 − (|A∩S| + |A∩P|) / (|A| + |S|). Sans modèle, lier chaque mot à celui qui est à la même place dans sa phrase donne {diagonal}.",
    ),
    "corpus.align_ways": (
        "The same model, read in other ways, errs less:",
        "同一个模型，换一种读法，错误更少：",
        "Le même modèle, lu autrement, se trompe moins :",
    ),
    "corpus.align_ways_about": (
        "Value-weighted: each weight is multiplied by the length of its value vector. Both ways: each weight is "
        "replaced by its share of its row times its share of its column, so a source word that every target word "
        "looks at gets no links. Over a threshold: weaker links are dropped. Sets of heads and their threshold are "
        "chosen on half of the pairs and evaluated on the other half.",
        "按值加权：每个权重乘以其值向量的长度。双向：每个权重换成它在本行的份额乘以在本列的份额，这样，每个译文词都看的那个源词就不与任何词相连。大于某值：更弱的链接舍去。头的组合及其阈值在一半句对上选出，在另一半上评估。",
        "Pondérée par les valeurs : chaque poids est multiplié par la longueur de son vecteur valeur. Dans les deux "
        "sens : chaque poids devient sa part de sa ligne multipliée par sa part de sa colonne ; un mot source que "
        "tous les mots cibles regardent n'est alors lié à aucun. Au-dessus d'un seuil : les liens plus faibles sont "
        "écartés. Les ensembles de têtes et leur seuil sont choisis sur une moitié des paires et évalués sur l'autre.",
    ),
    "corpus.value_weighted": ("value-weighted", "按值加权", "pondérée par les valeurs"),
    "corpus.both_ways": ("both ways", "双向", "dans les deux sens"),
    "corpus.over": ("over {threshold}", "大于 {threshold}", "au-dessus de {threshold}"),
    "corpus.with_end": ("end of sentence allowed", "允许句末符号", "fin de phrase permise"),
    "corpus.align_copy": (
        "Settings for OpenNMT-py and CTranslate2, which count from 0. These tools average the first heads of one "
        "layer and read the row that predicts the word. The best error rate that they reach here is {aer}:",
        "OpenNMT-py 和 CTranslate2 的设置（从 0 编号）。这些工具对一层的前几个头取平均，读取预测该词的行。在这里能达到的最好错误率为 {aer}：",
        "Réglages pour OpenNMT-py et CTranslate2, qui comptent à partir de 0. Ces outils font la moyenne des "
        "premières têtes d'une couche et lisent la ligne qui prédit le mot. Le meilleur taux d'erreur qu'ils "
        "atteignent ici est de {aer} :",
    ),
    "corpus.align_copy_pairs": (
        "Tools that take pairs of layer and head (Whisper in CTranslate2 and Hugging Face) can name the best head itself:",
        "接受“层、头”数对的工具（CTranslate2 和 Hugging Face 中的 Whisper）可以直接指定最好的头：",
        "Les outils qui acceptent des paires couche-tête (Whisper dans CTranslate2 et Hugging Face) peuvent nommer la meilleure tête elle-même :",
    ),
    "corpus.align_lines": (
        "For comparison, en-fr Hansards, both directions combined: FastAlign 0.164, GIZA++ 0.080. Kobayashi et al. "
        "2020, De-En: with weights 0.477 (token predicted) and 0.298 (token fed in), with norms 0.414 and 0.250.",
        "对照：英法 Hansards，双向合并：FastAlign 0.164，GIZA++ 0.080。Kobayashi 等 2020，德英：权重 0.477（预测行）和 0.298（输入行），范数 0.414 和 0.250。",
        "Pour comparer, Hansards en-fr, deux sens combinés : FastAlign 0,164, GIZA++ 0,080. Kobayashi et al. 2020, De-En : poids 0,477 (prédit) et 0,298 (reçu), normes 0,414 et 0,250.",
    ),
    "corpus.gold_own": ("Measure on your own alignments", "用你自己的对齐测量", "Mesurer sur vos propres alignements"),
    "corpus.gold_help": (
        "One pair per line: source, tab, target, tab, links such as 0-0 1p2 (i-j sure, ipj possible, words between spaces counted from 0).",
        "每行一对：源句、制表符、译文、制表符、链接，如 0-0 1p2（i-j 确定，ipj 可能，空格分词，从 0 计数）。",
        "Une paire par ligne : source, tabulation, cible, tabulation, liens comme 0-0 1p2 (i-j sûr, ipj possible, mots entre espaces comptés depuis 0).",
    ),
    "corpus.gold_file": ("Aligned pairs (.tsv)", "对齐句对（.tsv）", "Paires alignées (.tsv)"),
    "corpus.pair": ("Pair (0 to {n})", "句对（0 到 {n}）", "Paire (0 à {n})"),
    "corpus.gold_read": (
        "Each row is a target word, each column a source word. Filled squares: people were sure. Hollow squares: possible.",
        "每行是一个译文词，每列是一个源词。实心方块：标注者确定。空心方块：可能。",
        "Chaque ligne est un mot cible, chaque colonne un mot source. Carrés pleins : lien sûr. Carrés vides : lien possible.",
    ),
    "corpus.gold_from": (
        "Gold links: Alibi, Xu & Yvon 2016, CC BY-SA 4.0; texts from Wikisource.",
        "人工对齐：Alibi，Xu & Yvon 2016，CC BY-SA 4.0；文本来自 Wikisource。",
        "Liens de référence : Alibi, Xu & Yvon 2016, CC BY-SA 4.0 ; textes de Wikisource.",
    ),
    "corpus.gold_mine": (
        "Gold links: {file}, {n} {n|pair|pairs}.",
        "人工对齐：{file}，{n} 对。",
        "Liens de référence : {file}, {n} {n|paire|paires}.",
    ),
    "corpus.gold_first": (
        "Gold links: {file}, the first {n} of {total} lines.",
        "人工对齐：{file}，共 {total} 行，取前 {n} 行。",
        "Liens de référence : {file}, les {n} premières lignes sur {total}.",
    ),
    "corpus.gold_other_language": (
        "The alignments shipped here are English–French, and {model} writes another language. Give pairs of its own language, aligned by hand, to see which of its heads align.",
        "这里自带的是英语–法语的对齐，而 {model} 的目标语言不同。请提供该语言的人工对齐句对，看它的哪些头在做对齐。",
        "Les alignements fournis ici sont anglais-français, et {model} écrit une autre langue. Donnez des paires de cette langue, alignées à la main, pour voir lesquelles de ses têtes alignent.",
    ),
    "corpus.gold_back": (
        "Back to the shipped alignments",
        "回到自带的对齐",
        "Revenir aux alignements fournis",
    ),
    "corpus.align_skipped": (
        "{n} {n|pair was|pairs were} left out, because the model cannot read {n|it|them}.",
        "略去 {n} 对：模型无法读入。",
        "{n} {n|paire laissée|paires laissées} de côté : le modèle ne peut pas {n|la|les} lire.",
    ),
    "corpus.figures_measure": (
        "Measure {n} {n|pair|pairs} of this survey with {model}",
        "用 {model} 测量其中 {n} 个句对",
        "Mesurer {n} {n|paire|paires} de cet ensemble avec {model}",
    ),
    "corpus.figures_shipped": (
        "Shown below: what was measured with {model} on the shipped sentences.",
        "下面显示的是用 {model} 在自带句子上测得的结果。",
        "Ci-dessous : ce qui a été mesuré avec {model} sur les phrases fournies.",
    ),
    "corpus.figures_own": (
        "Measured with {model} on sentences of this survey.",
        "用 {model} 在当前这些句子上测得。",
        "Mesuré avec {model} sur des phrases de cet ensemble.",
    ),
    "corpus.working_pruning": (
        "Removing heads, one after another",
        "正在逐个移除头",
        "Retrait des têtes, l'une après l'autre",
    ),
    "corpus.working_erasure": (
        "Removing words, one after another",
        "正在逐个移除词",
        "Retrait des mots, l'un après l'autre",
    ),
    "corpus.no_figures": (
        "These figures are not here: make them with “python -m model.corpus.shipped”.",
        "缺少这些数据：请运行“python -m model.corpus.shipped”生成。",
        "Ces mesures manquent : produisez-les avec « python -m model.corpus.shipped ».",
    ),
    "corpus.curve_title": ("Removing more and more heads", "移除越来越多的头", "Retirer de plus en plus de têtes"),
    "corpus.curve_about": (
        "Log-probability that the model still gives the references of {n} pairs. Importance: how strongly the loss "
        "depends on each head (Michel et al. 2019), least important first.",
        "模型对 {n} 个句对的参考译文仍给出的对数概率。重要性：损失对每个头的敏感程度（Michel 等，2019），从最不重要的开始移除。",
        "Log-probabilité que le modèle donne encore aux références de {n} paires. Importance : à quel point la perte "
        "dépend de chaque tête (Michel et al. 2019), les moins importantes d'abord.",
    ),
    "corpus.curve": ("Order", "顺序", "Ordre"),
    "corpus.curve_importance": ("least important first", "先移除最不重要的", "les moins importantes d'abord"),
    "corpus.curve_random_0": ("random order", "随机顺序", "ordre au hasard"),
    "corpus.curve_random_1": ("another random order", "另一随机顺序", "autre ordre au hasard"),
    "corpus.curve_encoder_self": ("encoder only", "仅编码器", "encodeur seul"),
    "corpus.curve_decoder_self": ("decoder self only", "仅解码器自注意力", "décodeur seul"),
    "corpus.curve_cross": ("cross-attention only", "仅交叉注意力", "attention croisée seule"),
    "corpus.removed": ("heads removed", "移除的头数", "têtes retirées"),
    "corpus.log_prob": (
        "log-probability of a token (nats)",
        "每词元的对数概率（奈特）",
        "log-probabilité d'un token (nats)",
    ),
    "corpus.open_pruned": ("Open this pruned model", "打开剪枝后的模型", "Ouvrir ce modèle élagué"),
    "corpus.other_model": (
        "These heads belong to the model {model}: choose it at the top.",
        "这些头属于模型 {model}：请在顶部选择它。",
        "Ces têtes sont celles du modèle {model} : choisissez-le en haut.",
    ),
    "corpus.quality": (
        "Translations at this point: BLEU {bleu} (from {bleu_before}), chrF {chrf} (from {chrf_before}).",
        "此处的译文：BLEU {bleu}（原为 {bleu_before}），chrF {chrf}（原为 {chrf_before}）。",
        "Traductions à ce point : BLEU {bleu} ({bleu_before} au départ), chrF {chrf} ({chrf_before} au départ).",
    ),
    "corpus.pruning_others": (
        "For comparison, Michel et al. on WMT en-fr: of 96 encoder heads, only 8 mattered when removed alone. With "
        "one head left in the last cross-attention layer, BLEU fell by 13.56. About 20% of the heads could be "
        "removed. Cross-attention collapsed when more than 60% of its heads were removed.",
        "对照，Michel 等在 WMT 英法上：96 个编码器头中，单独移除只有 8 个有影响。最后一层交叉注意力只留一个头，BLEU 下降 13.56。约 20% 的头可以移除。交叉注意力的头移除超过 60% 后，质量崩溃。",
        "Pour comparer, Michel et al. sur WMT en-fr : sur 96 têtes d'encodeur, 8 seulement comptaient quand on les "
        "retirait seules. Avec une seule tête dans la dernière couche croisée, BLEU baissait de 13,56. Environ 20 % "
        "des têtes pouvaient être retirées. L'attention croisée s'effondrait quand on retirait plus de 60 % de ses "
        "têtes.",
    ),
    "corpus.single_title": ("One head at a time", "每次一个头", "Une tête à la fois"),
    "corpus.removal": ("Removal", "移除方式", "Retrait"),
    "corpus.removal_zero": ("output zeroed", "输出置零", "sortie mise à zéro"),
    "corpus.removal_mean": ("output replaced by its mean", "输出换成平均值", "remplacée par sa moyenne"),
    "corpus.removal_keep_one": (
        "the only head kept in its layer",
        "本层只留这个头",
        "seule tête gardée dans sa couche",
    ),
    "corpus.single_about": (
        "{n} {n|head has|heads have} a measurable cost when removed alone (95% interval below 0). For the other "
        "{rest}, no cost shows in these sentences. The most costly:",
        "逐个移除时，{n} 个头有可测的损失（95% 区间低于 0）。另外 {rest} 个在这些句子上看不出损失。损失最大的：",
        "{n} {n|tête a|têtes ont} un coût mesurable {n|quand on la retire seule|quand on les retire une à une} "
        "(intervalle à 95 % sous 0). Pour les {rest} autres, aucun coût ne se voit sur ces phrases. Les plus "
        "coûteuses :",
    ),
    "corpus.curve_compare": (
        "Removing the least important heads first is better than two random orders up to {n} of {total} heads, but "
        "not beyond.",
        "先移除最不重要的头，在移除不超过 {n} / {total} 个时优于两种随机顺序；再多就不再优于它们。",
        "Retirer d'abord les moins importantes vaut mieux que deux ordres au hasard jusqu'à {n} têtes sur {total}, "
        "mais pas au-delà.",
    ),
    "corpus.curve_no_better": (
        "On these sentences, removing the least important heads first is no better than two random orders.",
        "在这些句子上，先移除最不重要的头并不优于两种随机顺序。",
        "Sur ces phrases, retirer d'abord les moins importantes ne vaut pas mieux que deux ordres au hasard.",
    ),
    "corpus.single_keep": (
        "The loss when a layer keeps only this head. The heads with the smallest loss:",
        "一层只保留这个头时的损失。损失最小的头：",
        "La perte quand une couche ne garde que cette tête. Les têtes dont la perte est la plus faible :",
    ),
    "corpus.change_log_prob": (
        "change of log-probability a token (nats)",
        "每词元对数概率的变化（奈特）",
        "changement de log-probabilité par token (nats)",
    ),
    "corpus.change_bleu": ("change of BLEU", "BLEU 的变化", "changement de BLEU"),
    "corpus.change_chrf": ("change of chrF", "chrF 的变化", "changement de chrF"),
    "corpus.measured_by": ("Measured by", "衡量方式", "Mesuré par"),
    "corpus.measured_log_prob": ("log-probability", "对数概率", "log-probabilité"),
    "corpus.measured_bleu": ("BLEU", "BLEU", "BLEU"),
    "corpus.measured_chrf": ("chrF", "chrF", "chrF"),
    "corpus.pruning_ours": (
        "Measured here, on {n} short sentences: of {total} encoder heads, {encoder} change BLEU when removed alone "
        "(95% interval without 0). With one head left in the last cross-attention layer, BLEU changes by {one} at "
        "best. Without the least important 20% of all heads it is {part} (from {before}), and without 60% of the "
        "cross-attention heads {cross}.",
        "这里在 {n} 个短句上测得：{total} 个编码器头中，单独移除会使 BLEU 改变的有 {encoder} 个（95% 区间不含 0）。最后一层交叉注意力只留一个头，最好时 BLEU 变化 {one}。移除最不重要的 20% 的头后 BLEU 为 {part}（原为 {before}），移除 60% 的交叉注意力头后为 {cross}。",
        "Mesuré ici, sur {n} phrases courtes : sur {total} têtes d'encodeur, {encoder} changent BLEU quand on les "
        "retire seules (intervalle à 95 % sans 0). Avec une seule tête dans la dernière couche croisée, BLEU change "
        "de {one} au mieux. Sans les 20 % de têtes les moins importantes, il vaut {part} (contre {before}), et sans "
        "60 % des têtes d'attention croisée {cross}.",
    ),
    "corpus.explains_cross": (
        "For every predicted token of {n} sentences, the source tokens are ranked twice: by a weighting of "
        "cross-attention, and by the effect of removing each token. Dots: mean rank correlation of the two; lines: "
        "95% interval.",
        "对 {n} 句中每个预测的词元，按交叉注意力的某种权重与按移除后的影响分别给源词元排序。点：平均等级相关；线：95% 区间。",
        "Pour chaque token prédit de {n} phrases, les tokens source sont classés deux fois : selon une pondération "
        "de l'attention croisée, et selon l'effet du retrait de chaque token. Points : corrélation de rang moyenne "
        "des deux ; traits : intervalle à 95 %.",
    ),
    "corpus.explains_encoder_self": (
        "The source tokens of {n} sentences are ranked twice: by the weight that they receive inside the encoder, "
        "and by the effect of removing each token on the whole translation. Dots: mean rank correlation of the two; "
        "lines: 95% interval.",
        "{n} 句中的源词元，按其在编码器内得到的权重与按移除后对整个译文的影响分别排序。点：平均等级相关；线：95% 区间。",
        "Les tokens source de {n} phrases sont classés deux fois : selon le poids qu'ils reçoivent dans l'encodeur, "
        "et selon l'effet du retrait de chaque token sur toute la traduction. Points : corrélation de rang moyenne "
        "des deux ; traits : intervalle à 95 %.",
    ),
    "corpus.explains_decoder_self": (
        "For every predicted token of {n} sentences, the tokens written before it are ranked twice: by the decoder's "
        "self-attention, and by the effect of hiding each token. Dots: mean rank correlation of the two; lines: 95% "
        "interval.",
        "对 {n} 句中每个预测的词元，按解码器自注意力与按移除后的影响分别给此前写出的词元排序。点：平均等级相关；线：95% 区间。",
        "Pour chaque token prédit de {n} phrases, les tokens déjà écrits sont classés deux fois : selon "
        "l'auto-attention du décodeur, et selon l'effet du masquage de chaque token. Points : corrélation de rang "
        "moyenne des deux ; traits : intervalle à 95 %.",
    ),
    "corpus.correlation": (
        "rank correlation with removal",
        "与移除效果的等级相关",
        "corrélation de rang",
    ),
    "corpus.explains_none": (
        "On these sentences no order could be compared: the model reads all their words as the same token, or removing them changes nothing.",
        "在这些句子上无法比较顺序：模型把其中的词都读成同一个词元，或移除它们不引起任何变化。",
        "Sur ces phrases, aucun ordre ne peut être comparé : le modèle lit tous leurs mots comme le même token, ou leur retrait ne change rien.",
    ),
    "corpus.explains_raw": (
        "Averaged over layers and heads, raw weights have a rank correlation of **{raw}** with the effect of removal.",
        "对各层各头取平均，原始权重与移除效果的等级相关为 **{raw}**。",
        "En moyenne sur les couches et les têtes, les poids bruts ont une corrélation de rang de **{raw}** avec "
        "l'effet du retrait.",
    ),
    "corpus.explains_better": (
        "{best} does better: **{value}**.",
        "{best}更好：**{value}**。",
        "Mieux : {best}, **{value}**.",
    ),
    "corpus.explains_alike": (
        "These weightings are about as good, since their intervals overlap: {names}.",
        "以下加权方式与之不相上下，因为区间重叠：{names}。",
        "Ces pondérations font à peu près aussi bien, car leurs intervalles se recouvrent : {names}.",
    ),
    "corpus.explains_meaning": (
        "1 would be the same order. A strong colour suggests where to look; it does not prove that the word "
        "mattered. To find out, remove the word or switch the head off.",
        "1 表示顺序完全相同。颜色浓只提示该看哪里，并不证明那个词重要。要弄清楚，就去掉那个词，或关闭那个头。",
        "1 serait le même ordre. Une case très colorée suggère où regarder, elle ne prouve pas que le mot comptait. "
        "Pour le savoir, retirez le mot ou désactivez la tête.",
    ),
    "corpus.explains_note": (
        "Removal takes the token out of the sentence and scores the same translation again (Jain & Wallace 2019; Serrano & Smith 2019).",
        "移除是指把该词元从句中去掉，再给同一译文打分（Jain & Wallace 2019；Serrano & Smith 2019）。",
        "Le retrait ôte le token de la phrase et évalue de nouveau la même traduction (Jain & Wallace 2019 ; Serrano & Smith 2019).",
    ),
    "corpus.weighting_at": ("{weighting}, {layer}", "{weighting}，{layer}", "{weighting}, {layer}"),
    "corpus.weighting_raw": ("weights", "权重", "poids"),
    "corpus.weighting_value_weighted": ("value-weighted", "按值加权", "pondérés par les valeurs"),
    "corpus.weighting_rollout": ("rollout", "注意力展开（rollout）", "rollout"),
    "corpus.weighting_gradient": ("gradient × attention", "梯度 × 注意力", "gradient × attention"),
    "corpus.weighting_alti": ("ALTI+", "ALTI+", "ALTI+"),
    "corpus.weighting_gradient_input": ("gradient × input", "梯度 × 输入", "gradient × entrée"),
    "corpus.all_layers": ("all layers", "所有层", "toutes les couches"),
    "corpus.layer_n": ("layer {n}", "第 {n} 层", "couche {n}"),
}
