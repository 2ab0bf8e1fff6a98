"""Words of the Explore page."""

STRINGS: dict[str, tuple[str, str, str]] = {
    "explore.kind": ("Kind of attention", "注意力类型", "Type d'attention"),
    "explore.gradient_of": ("For the word “{token}”.", "针对词 “{token}”。", "Pour le mot « {token} »."),
    "explore.agreement": (
        "Ranks the {n} heads as switching them off does with a rank correlation of {correlation}.",
        "与逐个关闭 {n} 个头的效果相比，排序的等级相关为 {correlation}。",
        "Classe les {n} têtes comme le fait leur extinction, avec une corrélation de rang de {correlation}.",
    ),
}
