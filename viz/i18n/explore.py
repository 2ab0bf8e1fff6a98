"""Words of the Explore page."""

STRINGS: dict[str, tuple[str, str, str]] = {
    "explore.kind": ("Kind of attention", "注意力类型", "Type d'attention"),
}
