"""Words of the export panel, of exported pages and of figures."""

STRINGS: dict[str, tuple[str, str, str]] = {
    "export.page_title": ("Attention", "注意力", "Attention"),
    "export.page_made_by": (
        "Made with Regard. This page holds everything it shows and loads nothing.",
        "由 Regard 生成。本页自带全部内容，不加载任何外部资源。",
        "Fait avec Regard. Cette page contient tout ce qu'elle montre et ne charge rien.",
    ),
}
