"""Words of the Explore page."""

STRINGS: dict[str, tuple[str, ...]] = {
    "explore.kind": ("Kind of attention", "注意力类型", "Type d'attention"),
    "explore.gradient_of": ("For the word “{token}”.", "针对词“{token}”。", "Pour le mot « {token} »."),
    "explore.agreement": (
        "Ranks the {n} heads as switching them off does with a rank correlation of {correlation}.",
        "与逐个关闭 {n} 个头的效果相比，排序的等级相关为 {correlation}。",
        "Classe les {n} têtes comme le fait leur désactivation, avec une corrélation de rang de {correlation}.",
    ),
    "explore.aligns_fed": (
        "To align words, read this head at the row that is fed the word: alignment error rate {fed} against {predicted} at the row that predicts it ({n} pairs aligned by people).",
        "要用这个头对齐词语，请看输入该词的行：对齐错误率 {fed}，而预测该词的行是 {predicted}（{n} 对人工对齐的句子）。",
        "Pour aligner des mots avec cette tête, lisez la ligne qui reçoit le mot : taux d'erreur d'alignement {fed}, contre {predicted} à la ligne qui le prédit ({n} paires alignées à la main).",
    ),
    "explore.aligns_predicted": (
        "To align words, read this head at the row that predicts the word: alignment error rate {predicted} against {fed} at the row that is fed it ({n} pairs aligned by people).",
        "要用这个头对齐词语，请看预测该词的行：对齐错误率 {predicted}，而输入该词的行是 {fed}（{n} 对人工对齐的句子）。",
        "Pour aligner des mots avec cette tête, lisez la ligne qui prédit le mot : taux d'erreur d'alignement {predicted}, contre {fed} à la ligne qui le reçoit ({n} paires alignées à la main).",
    ),
    "explore.aligns_no_better": (
        "That is no better than linking words only by their position: {diagonal}.",
        "这并不比只按位置对应更好：{diagonal}。",
        "Ce n'est pas mieux que de relier les mots selon leur seule place : {diagonal}.",
    ),
    "explore.compare": ("Compare", "比较", "Comparer"),
    "explore.other_text": ("Second sentence", "第二个句子", "Deuxième phrase"),
    "explore.other_model": ("Second model", "第二个模型", "Deuxième modèle"),
    "explore.same_model": ("the same model", "同一模型", "le même modèle"),
    "explore.compare_help": (
        "Two sentences that differ in one word, or one sentence in two models: side by side, or subtracted.",
        "只差一个词的两个句子，或同一句在两个模型中：并排显示或相减。",
        "Deux phrases qui diffèrent d'un mot, ou une phrase dans deux modèles : côte à côte, ou soustraites.",
    ),
    "explore.compare_end": ("Stop comparing", "停止比较", "Ne plus comparer"),
    "explore.measure": ("Measure", "测量", "Mesurer"),
    "explore.effects": ("What each head contributes", "每个头的贡献", "Ce qu'apporte chaque tête"),
    "explore.effects_help": (
        "Switches every head off in turn and measures how the translation's log-probability changes.",
        "逐个关闭每个头，测量译文对数概率的变化。",
        "Désactive chaque tête tour à tour et mesure le changement de log-probabilité de la traduction.",
    ),
    "explore.effects_running": (
        "{done} of {total} heads tried",
        "已测试 {total} 个头中的 {done} 个",
        "{done} têtes essayées sur {total}",
    ),
    "explore.corpus_help": (
        "How heads behave on a set of sentences: forty of ours, or a file with one sentence per line.",
        "注意力头在一组句子上的表现：我们的四十句，或每行一句的文件。",
        "Le comportement des têtes sur un ensemble de phrases : quarante des nôtres, ou un fichier d'une phrase par ligne.",
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
    "explore.data": ("Data", "数据", "Données"),
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
    "explore.opened": ("Looking at {name}", "正在查看 {name}", "On regarde {name}"),
    "explore.close_file": ("Back to the sentence", "返回句子", "Revenir à la phrase"),
}
