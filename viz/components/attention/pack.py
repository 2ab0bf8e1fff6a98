"""One packet for the browser: what a view shows, then its weights.

A kind is float32 throughout while the whole view stays under ``EXACT_BYTES``. Beyond,
each head is uint8: the square root of its weights, scaled to the head's maximum, which keeps the relative error of
small weights low where plain uint8 would round a row of 1/512 to nothing. A browser that can ask for more is sent
means over blocks of tokens instead, where all heads take more than ``WHOLE_BYTES``. Exact weights of the chosen heads
then travel beside it (:func:`mount`).
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.analysis import HeadMetrics, earned_labels
from model.analysis.measures import METRICS
from model.inference.long_text import block_of
from model.interventions import AttentionKind
from model.trace import Floats
from viz.components.attention.axis import Axis
from viz.components.attention.view import AttentionView, LongView
from viz.components.packet import Arrays
from viz.state.view_state import SORTS, WINDOW, ViewState
from viz.theme import DARK, LIGHT

EXACT_BYTES = 1 << 15
"""A sentence of twelve words in the shipped model has 86 KB of float32 weights, which every visitor waits for."""
WHOLE_BYTES = 4 << 20
"""BERT-base's 144 heads reach it at 170 tokens; at 512 they would take 37 MB, and their blocks take 0.3 MB."""
MAX_EXACT_HEADS = 8
"""The largest number of heads that readers can distinguish by colour."""


def pack(
    view: AttentionView,
    *,
    strings: Mapping[str, str],
    other: AttentionView | None = None,
    first_index: int = 0,
    show_sentence: bool = True,
    exact: bool | None = None,
    can_ask: bool = False,
    options: Mapping[str, Any] | None = None,
) -> bytes:
    """Pack one view, or two to compare.

    Args:
        view: what to show.
        strings: the interface's words, ``viz.i18n.group("attention")``.
        other: a second sentence or model, shown beside the first with the signed difference.
        first_index: 0 or 1, what the first layer and head are called.
        show_sentence: whether the explorer draws both sentences above its toolbar.
        exact: send float32 for every head; None decides by size.
        can_ask: the browser is sent the exact weights of the heads that it opens, so of many it needs blocks alone.
        options: further header fields.
    """
    views = [view] if other is None else [view, other]
    if exact is None:
        exact = is_exact(*views)
    in_blocks = can_ask and not exact and sum(map(_n_weights, views)) > WHOLE_BYTES
    arrays = Arrays()
    header = {
        "version": 1,
        "views": [_view(shown, arrays, exact, in_blocks) for shown in views],
        "strings": dict(strings),
        "palettes": palettes(),
        "defaults": ViewState().to_mapping(),
        "metrics": metric_table(),
        "firstIndex": first_index,
        "showSentence": show_sentence,
        **(options or {}),
    }
    return arrays.join(header)


def is_exact(view: AttentionView, other: AttentionView | None = None) -> bool:
    """Whether :func:`pack` sends float32 for every head."""
    return (
        not isinstance(view, LongView)
        and sum(4 * _n_weights(shown) for shown in (view, other) if shown is not None) <= EXACT_BYTES
    )


def mount(
    packet: bytes,
    *,
    fields: Mapping[str, Any],
    exact: Iterable[tuple[int, AttentionView, tuple[int, int]]] = (),
    kind: AttentionKind = "cross",
    window: tuple[int, int] = (0, 0),
) -> bytes:
    """The message to one explorer: its own fields, exact weights, and a packet shared by all explorers.

    Args:
        packet: from :func:`pack`; empty where the browser holds it already.
        fields: values for this explorer only, such as its state.
        exact: heads (number of the view, view, (layer, head)) whose float32 weights the packet lacks.
        kind: their kind.
        window: the first row and column of a long text, of which only a part is sent.
    """
    arrays, entries = Arrays(), []
    for place, view, (layer, head) in exact:
        weights = _exact_of(view, kind, layer, head, window)
        if weights is not None:
            entry = {"view": place, "kind": kind, "layer": layer, "head": head, "size": weights.size, "window": window}
            entries.append(entry | {"offset": arrays.add(weights)})
    offset = arrays.add(np.frombuffer(packet, np.uint8))
    return arrays.join({**fields, "exact": entries, "packet": [offset, len(packet)]})


def _exact_of(
    view: AttentionView, kind: AttentionKind, layer: int, head: int, window: tuple[int, int]
) -> Floats | None:
    weights = view.attention.of(kind)
    if weights is None or layer >= weights.shape[0] or head >= weights.shape[1]:
        return None
    if isinstance(view, LongView):
        return view.part(kind, layer, head, window)
    return weights[layer, head].astype(np.float32)


def quantise(weights: Floats) -> tuple[NDArray[np.uint8], Floats]:
    """(L, H, Q, K) to uint8 square roots of the same shape, and each head's maximum (L, H).

    ``maximum * (root / 255) ** 2`` gives a weight back, to within half a step of the root.
    """
    clean = np.nan_to_num(weights, nan=0.0, posinf=0.0, neginf=0.0)
    maxima = clean.max((-2, -1)).astype(np.float32)  # (L, H)
    safe = np.where(maxima > 0, maxima, 1)[..., None, None]
    roots = np.sqrt(np.clip(clean / safe, 0, 1, dtype=np.float32), dtype=np.float32)
    return np.rint(roots * 255).astype(np.uint8), maxima


def block_means(weights: Floats, block: int) -> Floats:
    """(L, H, Q, K) to (L, H, blocks, blocks): the mean over a block's queries of the sum over its keys."""
    n_queries, n_keys = weights.shape[2:]
    rows = np.arange(0, n_queries, block)
    by_key = np.add.reduceat(weights, np.arange(0, n_keys, block), axis=3, dtype=np.float32)
    sums = np.add.reduceat(by_key, rows, axis=2)
    return (sums / np.diff(rows, append=n_queries)[:, None]).astype(np.float32)


def _n_weights(view: AttentionView) -> int:
    weights = (view.attention.of(kind) for kind in view.attention.kinds)
    return sum(array.size for array in weights if array is not None)


def _view(view: AttentionView, arrays: Arrays, exact: bool, in_blocks: bool) -> dict[str, Any]:
    sides = (view.source, view.fed, view.predicted)
    axes = {id(axis): axis for axis in sides}  # one object may be two sides
    return {
        "axes": [_axis(axis) for axis in axes.values()],
        "places": [[*axes].index(id(axis)) for axis in sides],
        "kinds": [_kind(view, kind, arrays, exact, in_blocks) for kind in view.attention.kinds],
        "metrics": {kind: _metrics(metrics) for kind, metrics in view.metrics.items()}
        | {kind: {**_metrics(view.metrics[kind]), "effect": _numbers(effects, digits=4)}
           for kind, effects in view.effects.items() if kind in view.metrics},
        # A head is named by its raw weights; another weighting measures something else.
        "labels": {kind: _labels(metrics) for kind, metrics in view.metrics.items() if view.weighting == "raw"},
        "corpus": {kind: _metrics(metrics) for kind, metrics in view.corpus_metrics.items()},
        "off": [list(head) for head in sorted(view.heads_off)],
        "sourceName": view.source_name,
        "targetName": view.target_name,
        "caption": view.caption,
        "weighting": view.weighting,
        "weightings": list(view.weightings),
        "note": view.note,
    }  # fmt: skip


def _axis(axis: Axis) -> dict[str, Any]:
    return {
        "texts": axis.texts,
        "words": axis.words,
        "sinks": axis.sinks,
        "direction": axis.direction,
        "ideographic": axis.is_ideographic,
    } | ({"picture": axis.picture, "strip": axis.strip} if axis.picture else {})


def _kind(view: AttentionView, kind: AttentionKind, arrays: Arrays, exact: bool, in_blocks: bool) -> dict[str, Any]:
    weights = view.attention.of(kind)
    assert weights is not None
    n_layers, n_heads, n_queries, n_keys = weights.shape
    broken = np.asarray(~np.isfinite(weights).all((-2, -1)))  # (L, H)
    long: dict[str, Any] = {}
    if in_blocks and not isinstance(view, LongView):
        block = block_of(n_queries, n_keys)
        weights = block_means(np.nan_to_num(weights), block)
        long = {"sketch": {"block": block, "blocks": weights.shape[2:]}}
    if exact:
        offset = arrays.add(weights.astype(np.float32))
    else:
        roots, maxima = quantise(weights)
        offset = arrays.add(maxima, roots)
    if isinstance(view, LongView):
        missing = view.missing(kind)
        broken[list(missing)] = False
        n_rows, n_columns = (len(axis) for axis in view.axes(kind))
        long = {"block": view.block, "blocks": [n_queries, n_keys], "window": WINDOW, "missing": missing}
        n_queries, n_keys = n_rows, n_columns
    return long | {
        "name": kind,
        "layers": n_layers,
        "heads": n_heads,
        "rows": n_queries,
        "columns": n_keys,
        "causal": kind == "decoder_self" and view.is_causal,
        **({"reach": list(view.reach[kind])} if kind in view.reach else {}),
        "encoding": "float32" if exact else "uint8",
        "offset": offset,
        "invalid": np.flatnonzero(broken).tolist(),
    }


def metric_table() -> list[dict[str, Any]]:
    """How the browser shows the numbers that sort the heads; the strings have their words by name."""
    metrics = [
        {
            "name": metric.name,
            "unit": metric.unit,
            "scale": None if metric.low is None or metric.high is None else [metric.low, metric.high],
            "ascending": metric.is_ascending,
            "cards": list(metric.cards),
        }
        for metric in METRICS
        if metric.name in SORTS
    ]
    return [
        *metrics, {"name": "effect", "unit": "log_prob", "scale": None, "ascending": True, "cards": ["self", "cross"]}
    ]  # fmt: skip


def _metrics(metrics: HeadMetrics) -> dict[str, Any]:
    names = (metric["name"] for metric in metric_table() if metric["name"] != "effect")
    measured = {name: values for name in names if (values := metrics.of(name)) is not None}
    return {name: _numbers(values) for name, values in measured.items()}


def _numbers(values: Floats, *, digits: int = 3) -> list[list[float | None]]:
    """(L, H) to JSON, which has no NaN; as many significant digits as are shown."""
    rows = np.asarray(values).tolist()  # Python's own numbers are written three times as fast as NumPy's
    return [[float(f"{x:.{digits}g}") if math.isfinite(x) else None for x in row] for row in rows]


def _labels(metrics: HeadMetrics) -> list[list[list[Any] | None]]:
    return [
        [None if label is None else [label.name, round(label.value, 4)] for label in row]
        for row in earned_labels(metrics)
    ]


def palettes() -> dict[str, dict[str, Any]]:
    """The colours of both modes, for the browser."""
    names = ("panel", "page", "ink", "ink_soft", "line", "kinds", "less", "more")
    return {
        palette.mode: {name: dict(palette.kinds) if name == "kinds" else getattr(palette, name) for name in names}
        for palette in (LIGHT, DARK)
    }
