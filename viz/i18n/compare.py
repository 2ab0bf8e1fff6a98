"""Words of what a comparison comes to."""

STRINGS: dict[str, tuple[str, ...]] = {
    "compare.log_prob": ("log p of its translation {value}", "译文的 log p {value}", "log p de sa traduction {value}"),
    "compare.moved_title": ("Moved most", "变动最大的头", "Têtes qui ont le plus changé"),
    "compare.moved_help": (
        "The share of a head's weight that went to another token, mean over the rows that both have. Click to look.",
        "这个头的权重中转移到其他词元的比例，取双方共有各行的平均。单击查看。",
        "La part du poids d'une tête passée à un autre token, en moyenne sur les lignes communes. Cliquez pour voir.",
    ),
    "compare.moved": ("{head}: {share}%", "{head}：{share}%", "{head} : {share} %"),
    "compare.other_shape": (
        "The two models differ in layers or heads: they can be shown side by side but not subtracted.",
        "两个模型的层数或头数不同：只能并排显示，不能相减。",
        "Les deux modèles n'ont pas les mêmes couches ou têtes : on peut les montrer côte à côte, mais pas les "
        "soustraire.",
    ),
}
