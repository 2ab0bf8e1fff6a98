"""The JSON form of a configuration's fields: which may be omitted, and their types."""

LATER = frozenset(
    {
        "d_decoder_feed_forward",
        "gated_feed_forward",
        "score_scale",
        "relative_buckets",
        "relative_distance",
        "zero_padding",
        "encoder_window",
        "target_prefix",
        "more_eos_ids",
        "layer_specs",
        "layer_pattern",
        "shares_layers",
        "adds_relative",
        "token_types",
        "separator_id",
        "d_embedding",
        "masked_head",
        "plain_head",
        "output_cap",
        "picture",
    }
)
JSON_NAMES = {
    "bool": "true or false",
    "int": "a whole number",
    "int | None": "a whole number or null",
    "float": "a finite number",
    "float | None": "a finite number or null",
    "tuple[int, ...]": "a list of whole numbers",
    "tuple[int, ...] | None": "a list of whole numbers or null",
    "tuple[LayerSpec, ...]": "a list of layers",
    "PictureSource | None": "an object or null",
    "PositionKind": "a string",
    "NormKind": "a string",
    "Activation": "a string",
}


def is_json(value: object, annotation: str) -> bool:
    """Whether parsed JSON fits a field's annotation; JSON's true is not the number 1."""
    kind, _, optional = annotation.partition(" | ")
    if value is None:
        return bool(optional)
    if kind.startswith("tuple["):
        of_items = kind.removeprefix("tuple[").removesuffix(", ...]")
        is_right = isinstance(value, list | tuple)
        return is_right and (of_items == "LayerSpec" or all(is_json(item, of_items) for item in value))
    if kind == "PictureSource":
        return isinstance(value, dict)
    if kind == "bool" or isinstance(value, bool):
        return kind == "bool" and isinstance(value, bool)
    if kind == "int":
        return isinstance(value, int)
    if kind == "float":
        return isinstance(value, int | float) and -1e300 < value < 1e300
    return isinstance(value, str)
