"""Words of the Explore page."""

STRINGS: dict[str, tuple[str, ...]] = {
    "explore.long_expect": (
        "This text has {n} tokens. What the model needs for it here was estimated from two short runs of one layer.",
        "这段文本有 {n} 个词元。模型在此处理它所需的时间，是用一层在短文本上试算两次估计的。",
        "Ce texte a {n} tokens. Ce qu'il demande au modèle ici a été estimé d'après deux essais courts d'une couche.",
    ),
    "explore.long_one": (
        "Look at layer {layer}: about {seconds} s, {mib} MiB",
        "查看第 {layer} 层：约 {seconds} 秒，{mib} MiB",
        "Regarder la couche {layer} : environ {seconds} s, {mib} Mio",
    ),
    "explore.long_all": (
        "All layers: about {seconds} s, {mib} MiB",
        "所有层：约 {seconds} 秒，{mib} MiB",
        "Toutes les couches : environ {seconds} s, {mib} Mio",
    ),
    "explore.long_reading": (
        "Reading the text: layer {done} of {total}",
        "正在读取文本：第 {done} 层，共 {total} 层",
        "Lecture du texte : couche {done} sur {total}",
    ),
    "explore.long_writing": (
        "Translating first: {done} tokens, {total} at most",
        "先翻译：已写 {done} 个词元，最多 {total} 个",
        "Traduction d'abord : {done} tokens, {total} au plus",
    ),
    "explore.long_cancel": (
        "Ends the reading. You can begin it again, or look at one layer.",
        "停止读取。之后可以重新开始，或只看一层。",
        "Arrête la lecture. Vous pourrez la reprendre, ou regarder une seule couche.",
    ),
    "explore.long_stopped": ("The reading was cancelled.", "读取已取消。", "La lecture a été annulée."),
    "explore.kind": ("Kind of attention", "注意力类型", "Type d'attention"),
    "explore.gradient_of": ("For the word “{token}”.", "针对词“{token}”。", "Pour le mot « {token} »."),
    "explore.agreement": (
        "Measured over {n} heads: the rank correlation with the effect of switching each head off is {correlation}.",
        "在 {n} 个头上测得：与逐个关闭头的影响相比，等级相关系数为 {correlation}。",
        "Mesuré sur {n} têtes : la corrélation de rang avec l'effet de la désactivation de chaque tête est de "
        "{correlation}.",
    ),
    "explore.aligns_title": (
        "How well this head aligns words, as measured",
        "实测：这个头对齐词语的效果",
        "Comment cette tête aligne les mots, d'après les mesures",
    ),
    "explore.aligned_fed": (
        "The rows on screen, “token fed in”, align words better with this head: the alignment error rate is {fed}, "
        "against {predicted} with “token predicted” ({n} sentence pairs aligned by hand).",
        "用这个头对齐词语，屏幕上的行（“输入的词元”）更好：对齐错误率为 {fed}，“预测的词元”为 {predicted}（{n} 对人工对齐的句子）。",
        "Avec cette tête, les lignes à l'écran (« token lu ») alignent mieux les mots : le taux d'erreur d'alignement "
        "est de {fed}, contre {predicted} avec « token prédit » ({n} paires alignées à la main).",
    ),
    "explore.aligned_predicted": (
        "The rows on screen, “token predicted”, align words better with this head: the alignment error rate is "
        "{predicted}, against {fed} with “token fed in” ({n} sentence pairs aligned by hand).",
        "用这个头对齐词语，屏幕上的行（“预测的词元”）更好：对齐错误率为 {predicted}，“输入的词元”为 {fed}（{n} 对人工对齐的句子）。",
        "Avec cette tête, les lignes à l'écran (« token prédit ») alignent mieux les mots : le taux d'erreur "
        "d'alignement est de {predicted}, contre {fed} avec « token lu » ({n} paires alignées à la main).",
    ),
    "explore.aligns_fed": (
        "To align words with this head, set the rows to “token fed in”: the alignment error rate is then {fed}, "
        "against {predicted} with “token predicted” ({n} sentence pairs aligned by hand).",
        "要用这个头对齐词语，请把每行设为“输入的词元”：对齐错误率为 {fed}，设为“预测的词元”时为 {predicted}（{n} 对人工对齐的句子）。",
        "Pour aligner des mots avec cette tête, réglez les lignes sur « token lu » : le taux d'erreur d'alignement "
        "est alors de {fed}, contre {predicted} avec « token prédit » ({n} paires alignées à la main).",
    ),
    "explore.aligns_predicted": (
        "To align words with this head, set the rows to “token predicted”: the alignment error rate is then "
        "{predicted}, against {fed} with “token fed in” ({n} sentence pairs aligned by hand).",
        "要用这个头对齐词语，请把每行设为“预测的词元”：对齐错误率为 {predicted}，设为“输入的词元”时为 {fed}（{n} 对人工对齐的句子）。",
        "Pour aligner des mots avec cette tête, choisissez des lignes « token prédit » : le taux d'erreur "
        "d'alignement est alors de {predicted}, contre {fed} avec « token lu » ({n} paires alignées à la main).",
    ),
    "explore.aligns_no_better": (
        "That is no better than linking words by their position alone, which gives {diagonal}.",
        "这并不比只按位置对应更好，后者为 {diagonal}。",
        "Ce n'est pas mieux que de relier les mots selon leur seule place, ce qui donne {diagonal}.",
    ),
    "explore.compare": ("Compare", "比较", "Comparer"),
    "explore.other_text": ("Second sentence", "第二个句子", "Deuxième phrase"),
    "explore.other_model": ("Second model", "第二个模型", "Deuxième modèle"),
    "explore.same_model": ("the same model", "同一模型", "le même modèle"),
    "explore.compare_help": (
        "Compare two sentences that differ in one word, or one sentence in two models, side by side or as a difference.",
        "比较只差一个词的两个句子，或同一句在两个模型中的结果，可并排显示或显示差值。",
        "Comparez deux phrases qui diffèrent d'un mot, ou une phrase dans deux modèles, côte à côte ou par leur "
        "différence.",
    ),
    "explore.compare_end": ("Stop comparing", "停止比较", "Ne plus comparer"),
    "explore.measure": ("Measure", "测量", "Mesurer"),
    "explore.effects": ("What each head contributes", "每个头的贡献", "Ce qu'apporte chaque tête"),
    "explore.effects_help": (
        "Switches every head off in turn and measures how the translation's log-probability changes.",
        "逐个关闭每个头，测量译文对数概率的变化。",
        "Désactive chaque tête tour à tour et mesure le changement de log-probabilité de la traduction.",
    ),
    "explore.cancel_effects": (
        "Stops, and leaves the effects out.",
        "停止，不再显示影响。",
        "Arrête, et n'affiche pas les effets.",
    ),
    "explore.effects_running": (
        "{done} of {total} heads tried",
        "已测试 {total} 个头中的 {done} 个",
        "{done} têtes essayées sur {total}",
    ),
    "explore.corpus_help": (
        "Measures every head on a set of sentences: forty that we provide, or your own file with one sentence per line.",
        "在一组句子上测量每个头：我们提供的四十句，或每行一句的文件。",
        "Mesure chaque tête sur un ensemble de phrases : quarante phrases fournies, ou votre fichier avec une phrase "
        "par ligne.",
    ),
    "explore.corpus_file": ("Sentences (.txt)", "句子文件（.txt）", "Phrases (.txt)"),
    "explore.corpus_start": ("Measure on the set", "在句子集上测量", "Mesurer sur l'ensemble"),
    "explore.corpus_running": (
        "{done} of {total} sentences",
        "{total} 句中的第 {done} 句",
        "{done} phrases sur {total}",
    ),
    "explore.corpus_done": (
        "Measured on {n} {n|sentence|sentences}, {skipped} left out.",
        "已在 {n} 个句子上测量，略去 {skipped} 个。",
        "Mesuré sur {n} {n|phrase|phrases}, {skipped} {skipped|laissée|laissées} de côté.",
    ),
    "explore.data": ("Data and files", "数据与文件", "Données et fichiers"),
    "explore.tools": ("Tools", "工具", "Outils"),
    "explore.save_html": ("Interactive page (HTML)", "交互网页（HTML）", "Page interactive (HTML)"),
    "explore.save_csv": ("Table (CSV)", "表格（CSV）", "Tableau (CSV)"),
    "explore.save_npz": ("Arrays (NPZ)", "数组（NPZ）", "Tableaux numériques (NPZ)"),
    "explore.save_json": ("Everything (JSON)", "全部内容（JSON）", "Tout (JSON)"),
    "explore.open_file": ("Attention from a file", "从文件打开注意力", "Attention depuis un fichier"),
    "explore.open_help": (
        "Weights and tokens of any model, as .npz or .json.",
        "任意模型的权重与词元，.npz 或 .json 格式。",
        "Poids et tokens de n'importe quel modèle, en .npz ou .json.",
    ),
    "explore.opened": ("Showing {name}", "正在查看 {name}", "Fichier affiché : {name}"),
    "explore.close_file": ("Back to the sentence", "返回句子", "Revenir à la phrase"),
}
