"""Words of the export panel, of exported pages and of figures."""

STRINGS: dict[str, tuple[str, ...]] = {
    "export.page_title": ("Attention", "注意力", "Attention"),
    "export.page_made_by": (
        "Made with Regard. This page contains everything it shows and loads nothing.",
        "由 Regard 生成。本页自带全部内容，不加载任何外部资源。",
        "Fait avec Regard. Cette page contient tout ce qu'elle montre et ne charge rien.",
    ),
    "export.head": ("layer {layer}, head {head}", "第 {layer} 层，第 {head} 头", "couche {layer}, tête {head}"),
    "export.weighting_value_weighted": (
        "weighted by the norm of the values",
        "按值向量范数加权",
        "pondérée par la norme des valeurs",
    ),
    "export.weighting_rollout": ("rollout", "注意力展开（rollout）", "rollout"),
    "export.weighting_gradient": ("gradient × attention", "梯度 × 注意力", "gradient × attention"),
    "export.head_pdf": ("This head, for print (PDF)", "当前头，供打印（PDF）", "Cette tête, pour l'impression (PDF)"),
    "export.grid_pdf": (
        "All heads, for print (PDF)",
        "所有头，供打印（PDF）",
        "Toutes les têtes, pour l'impression (PDF)",
    ),
    "export.which": ("Files of", "导出哪一个", "Fichiers de"),
    "export.paper": ("A figure for a paper", "论文插图", "Une figure pour un article"),
    "export.paper_width": ("Width in mm", "宽度（毫米）", "Largeur en mm"),
    "export.paper_columns": ("Space on the page", "版面", "Place sur la page"),
    "export.paper_one": ("One column ({n} mm)", "单栏（{n} 毫米）", "Une colonne ({n} mm)"),
    "export.paper_two": ("Two columns ({n} mm)", "双栏（{n} 毫米）", "Deux colonnes ({n} mm)"),
    "export.paper_narrow": (
        "{n} columns do not fit into {width} mm beside labels of {font} pt. Choose a wider figure or a smaller font.",
        "{n} 列加上 {font} 磅的标签放不进 {width} 毫米。请选更宽的插图或更小的字号。",
        "{n} colonnes ne tiennent pas dans {width} mm à côté d'étiquettes de {font} points. Choisissez une figure plus large ou un corps plus petit.",
    ),
    "export.paper_font": ("Font size in points", "字号（磅）", "Corps en points"),
    "export.paper_values": ("Print the weights", "标出权重数值", "Imprimer les poids"),
    "export.paper_format": ("Format", "格式", "Format"),
    "export.paper_save": ("Save the figure of this head", "保存当前头的插图", "Enregistrer la figure de cette tête"),
    "export.paper_caption": ("Its caption, for LaTeX:", "图注（LaTeX）：", "Sa légende, pour LaTeX :"),
    "export.gallery_title": ("Sentences and their attention", "例句与注意力", "Des phrases et leur attention"),
    "export.gallery_about": (
        "Each page shows one sentence, its translation and every attention head. It works without a network.",
        "每一页展示一个句子、它的译文和所有注意力头，不联网也能用。",
        "Chaque page montre une phrase, sa traduction et toutes les têtes d'attention. Elle marche sans réseau.",
    ),
    "export.gallery_index": ("All sentences", "全部例句", "Toutes les phrases"),
    "export.gallery_before": ("Previous", "上一句", "Précédente"),
    "export.gallery_after": ("Next", "下一句", "Suivante"),
}
