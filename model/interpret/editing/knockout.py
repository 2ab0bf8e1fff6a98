"""Attention knockout (Geva et al. 2023, section 4): hides a group of tokens from another group.

A token hidden in some layers may still have an effect through others: this shows in which layers information moves.
"""

import dataclasses
from collections.abc import Iterable
from itertools import product
from numbers import Integral
from typing import Any, get_args

from model.analysis.aggregation import positions_of
from model.interventions import NONE, AttentionKind, BlockedKey, InterventionError, Interventions
from model.trace import ShapeError, TokenSequence, Trace

Group = int | str | Iterable[int | str] | None
"""A position, a phrase of the text, or several of either; None: all positions."""


def knock_out(
    trace: Trace,
    kind: AttentionKind,
    *,
    keys: Group,
    queries: Group = None,
    layers: int | Iterable[int] | None = None,
    heads: int | Iterable[int] | None = None,
    interventions: Interventions | None = None,
) -> Interventions:
    """Interventions that mask tokens from others, before the softmax, in all layers or in some.

    ``knock_out(trace, "cross", keys="cat", layers=(2, 3))`` hides a word of the source from the last two of four
    decoder layers. Rows without any key left get weights of 0.

    Args:
        trace: the sentence pair that phrases and positions refer to.
        kind: the kind of attention.
        keys: the tokens to hide: positions, or phrases of the source; of the translation for decoder self-attention.
        queries: the tokens that they are hidden from. In the decoder a phrase means the steps that predict it.
        layers: None: all.
        heads: None: all.
        interventions: further interventions; None means those of the trace.

    Raises:
        InterventionError: when a phrase is not in the text, or a position, layer, head or kind does not exist.
    """
    if kind not in get_args(AttentionKind):
        raise InterventionError(f"there is no {kind!r:.40} attention: choose {', '.join(get_args(AttentionKind))}")
    source, fed, predicted = ((getattr(trace, side), text) for side, text in (
        ("source", trace.source_text), ("prefix", trace.text), ("target", trace.text),
    ))  # fmt: skip
    query_side = source if kind == "encoder_self" else predicted
    hidden = fed if kind == "decoder_self" else source
    _check(trace, kind, "layer", layers)
    _check(trace, kind, "head", heads)
    places = (
        _positions("keys", keys, *hidden) or tuple(range(len(hidden[0]))),
        _several(layers), _several(heads), _positions("queries", queries, *query_side) or (None,),
    )  # fmt: skip
    blocked = tuple(BlockedKey(kind, *place) for place in product(*places))
    base = (trace.interventions or NONE) if interventions is None else interventions
    return dataclasses.replace(base, blocked_keys=(*base.blocked_keys, *blocked))


def _check(trace: Trace, kind: AttentionKind, name: str, numbers: int | Iterable[int] | None) -> None:
    """Raise InterventionError for layers and heads that the trace's model does not have."""
    maps = trace.attention.of(kind)
    if maps is None:
        raise InterventionError(f"the trace has no {kind} attention: its model has {', '.join(trace.attention.kinds)}")
    most = maps.shape[0 if name == "layer" else 1]
    for number in _several(numbers):
        if number is not None and (not isinstance(number, Integral) or not 0 <= int(number) < most):
            raise InterventionError(f"{kind} has no {name} {number!r:.40}: choose 0 to {most - 1}")


def _several(items: Any) -> tuple[Any, ...]:
    return tuple(items) if isinstance(items, Iterable) and not isinstance(items, str) else (items,)


def _positions(name: str, group: Group, tokens: TokenSequence, text: str) -> tuple[int, ...]:
    positions: dict[int, None] = {}
    for item in () if group is None else _several(group):
        if isinstance(item, str):
            try:
                positions |= dict.fromkeys(positions_of(tokens, text, item))
            except ShapeError as error:
                raise InterventionError(str(error)) from error
        elif not isinstance(item, Integral) or not 0 <= int(item) < len(tokens):
            raise InterventionError(f"{name} names the token {item!r:.40}: choose 0 to {len(tokens) - 1}")
        else:
            positions[int(item)] = None
    return tuple(positions)
