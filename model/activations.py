"""The names and shapes of all activations, shared by recording and patching.

``encoder.2.self.query`` is stack, layer, sublayer, part. The names are the same for every family that loads as our own
Transformer, whatever the original code calls them. The position is always the second-to-last axis, and heads are the
second axis.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any

Shape = tuple[str, ...]
"""Letters of ``model``'s legend, batch first."""


@dataclass(frozen=True, slots=True)
class Part:
    """One activation of a sublayer, a layer or a stack."""

    name: str
    shape: Shape
    """Q stands for query positions, X for key positions."""
    meaning: str


ATTENTION: tuple[Part, ...] = (
    Part("query", ("B", "H", "Q", "K"), "each head's queries"),
    Part("key", ("B", "H", "X", "K"), "each head's keys"),
    Part("value", ("B", "H", "X", "M"), "each head's values"),
    Part("scores", ("B", "H", "Q", "X"), "scaled scores, relative positions included, before the mask and the softmax"),
    Part("weights", ("B", "H", "Q", "X"), "attention weights: after the softmax, rows sum to 1"),
    Part("mixed", ("B", "H", "Q", "M"), "what each head mixed from the values, before W_O"),
    Part("head_output", ("B", "H", "Q", "D"), "what each head writes, after its part of W_O, without the bias"),
    Part("output", ("B", "Q", "D"), "the sublayer's output: all heads and the bias of W_O"),
)
FEED_FORWARD: tuple[Part, ...] = (
    Part("hidden", ("B", "Q", "F"), "after the activation (and the gate, where there is one)"),
    Part("output", ("B", "Q", "D"), "the sublayer's output"),
)
BEFORE = Part("before", ("B", "Q", "D"), "the residual stream that enters the layer")
MIDDLE = Part("middle", ("B", "Q", "D"), "after self-attention was added (and normalised, in a post-norm layer)")
AFTER_CROSS = Part("after_cross", ("B", "Q", "D"), "after cross-attention was added (and normalised, likewise)")
AFTER = Part("after", ("B", "Q", "D"), "the residual stream that leaves the layer")
EMBEDDING = Part("embedding", ("B", "Q", "D"), "token embeddings with positions: what the first layer receives")
FINAL_NORM = Part("final_norm", ("B", "Q", "D"), "what the stack hands on, normalised where it has a last norm")
LOGITS = Part("logits", ("B", "Q", "V"), "the scores of all tokens; recorded, never patched")

Sublayer = tuple[str, str, tuple[Part, ...]]
LAYERS: dict[str, tuple[Sublayer, ...]] = {
    "encoder": (("self", "S", ATTENTION), ("feed_forward", "S", FEED_FORWARD),
                ("residual", "S", (BEFORE, MIDDLE, AFTER))),
    "decoder": (("self", "T", ATTENTION), ("cross", "S", ATTENTION), ("feed_forward", "T", FEED_FORWARD),
                ("residual", "T", (BEFORE, MIDDLE, AFTER_CROSS, AFTER))),
}  # fmt: skip
"""For each stack: (sublayer, letter of its key positions, parts)."""


def activation_shapes(config: Any) -> dict[str, Shape]:
    """Every activation of a model with this configuration and its shape, in the order of computation."""
    shapes: dict[str, Shape] = {}
    for stack, n_layers in (("encoder", config.n_encoder_layers), ("decoder", config.n_decoder_layers)):
        if not n_layers:
            continue
        queries = "S" if stack == "encoder" else "T"
        shapes[f"{stack}.embedding"] = _shape_by_token(EMBEDDING, queries, queries)
        for layer in range(n_layers):
            for sublayer, keys, parts in _sublayers(stack, is_single_stack=config.is_single_stack):
                shapes |= {
                    f"{stack}.{layer}.{sublayer}.{part.name}": _shape_by_token(part, queries, keys) for part in parts
                }
        shapes[f"{stack}.final_norm"] = _shape_by_token(FINAL_NORM, queries, queries)
    if not config.predicts:
        return shapes
    queries = "T" if config.n_decoder_layers else "S"
    return shapes | {"logits": _shape_by_token(LOGITS, queries, queries)}


def _sublayers(stack: str, *, is_single_stack: bool) -> list[Sublayer]:
    """The sublayers of a stack's layers with their parts; a decoder-only model has no cross-attention."""
    if not is_single_stack:
        return list(LAYERS[stack])
    return [
        (name, keys, tuple(part for part in parts if part is not AFTER_CROSS))
        for name, keys, parts in LAYERS[stack]
        if name != "cross"
    ]


def matching(patterns: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    """The known names that match the patterns: a star matches one part of a name, and at the beginning of a pattern any
    number of parts, so that a star alone matches all names.

    Raises:
        KeyError: when a pattern matches none; the message names the most similar name.
    """
    names, matches = tuple(known), dict[str, None]()
    for pattern in patterns:
        chosen = [name for name in names if _fits(name, pattern)]
        if not chosen:
            raise KeyError(unknown(pattern, names))
        matches |= dict.fromkeys(chosen)
    return tuple(matches)


def unknown(name: str, known: Iterable[str]) -> str:
    """The message for an unknown name."""
    near = get_close_matches(name, list(known), 3, 0.5)
    hint = f"near it are {', '.join(near)}" if near else "model.activation_names(bundle) lists those there are"
    return f"there is no activation {name!r:.80}: {hint}"


def n_heads(config: Any, name: str) -> int:
    """Number of heads in the stack of an activation."""
    return config.n_encoder_heads if name.startswith("encoder") else config.n_decoder_heads


def width(config: Any, name: str, shape: Shape) -> int | None:
    """Size of the last axis; None if it depends on the sentence."""
    known = {"D": config.d_model, "V": config.target_vocab_size}
    if shape[-1] in ("K", "M", "F"):
        stack, layer, sublayer, _ = name.split(".")
        spec = config.layers(encoder=stack == "encoder")[int(layer)]
        attention = spec.cross if sublayer == "cross" else spec.attention
        known |= {"K": attention.d_key, "M": attention.d_value, "F": spec.d_feed_forward}
    return known.get(shape[-1])


def _shape_by_token(part: Part, queries: str, keys: str) -> Shape:
    return tuple({"Q": queries, "X": keys}.get(letter, letter) for letter in part.shape)


def _fits(name: str, pattern: str) -> bool:
    parts, wanted = name.split("."), pattern.split(".")
    if wanted[0] == "*" and len(wanted) <= len(parts):
        parts, wanted = parts[len(parts) - len(wanted) + 1 :], wanted[1:]
    return len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))
