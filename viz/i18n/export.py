"""Words of the export panel, of exported pages and of figures."""

STRINGS: dict[str, tuple[str, str, str]] = {
    "export.page_title": ("Attention", "注意力", "Attention"),
    "export.page_made_by": (
        "Made with Regard. This page holds everything it shows and loads nothing.",
        "由 Regard 生成。本页自带全部内容，不加载任何外部资源。",
        "Fait avec Regard. Cette page contient tout ce qu'elle montre et ne charge rien.",
    ),
    "export.head": ("layer {layer}, head {head}", "第 {layer} 层，第 {head} 头", "couche {layer}, tête {head}"),
    "export.reading_value_weighted": (
        "weighted by the norm of the values",
        "按值向量范数加权",
        "pondérée par la norme des valeurs",
    ),
    "export.reading_rollout": ("rollout", "注意力展开（rollout）", "déroulée (rollout)"),
    "export.reading_gradient": ("gradient × attention", "梯度 × 注意力", "gradient × attention"),
    "export.head_pdf": ("This head, for print (PDF)", "当前头，供打印（PDF）", "Cette tête, pour l'impression (PDF)"),
    "export.grid_pdf": (
        "All heads, for print (PDF)",
        "所有头，供打印（PDF）",
        "Toutes les têtes, pour l'impression (PDF)",
    ),
}
