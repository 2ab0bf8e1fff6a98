"""One head as the explorer draws it: the matrix after every reading aid, by the arithmetic of transform.js."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.analysis.sinks import remove_sinks
from model.analysis.words import Words, merge_attention, words_from
from model.interventions import AttentionKind
from model.trace import Floats
from viz.components.attention import AttentionView, Axis
from viz.figures.shading import Shading
from viz.i18n import number, tr
from viz.state.view_state import ViewState

_DIMMED = 0.35
"""Factor of a greyed sink's ink in a thumbnail, the same as in thumbnail.js."""


@dataclass(frozen=True, slots=True)
class AsRead:
    """A matrix with reading aids applied, its tokens and its caption."""

    kind: AttentionKind
    weights: Floats
    """(Q, K); NaN below the threshold and at later tokens."""
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    caption: str
    shading: Shading
    """The ink of each cell under the chosen scale, curve and palette; greyed sinks are grey."""


def as_read(view: AttentionView, state: ViewState, *, first_index: int = 0) -> AsRead:
    """The chosen heads of a view as one matrix, in tokens or words, with sinks and threshold as chosen.

    Args:
        first_index: 0 or 1, what the first layer and head are called.
    """
    state = view.nearest(state)
    matrix = _matrix(view, state)
    shading = Shading(_ink(matrix, state), state.palette, matrix.greyed)
    caption = _caption(view, state, first_index)
    return AsRead(state.kind, matrix.visible, matrix.queries.labels, matrix.keys.labels, caption, shading)


def small_pictures(view: AttentionView, state: ViewState) -> Floats:
    """(L, H, Q, K) ink of every head of the chosen kind, as in the explorer's thumbnails: greyed sinks are dimmed."""
    state = view.nearest(state)
    weights = view.attention.of(state.kind)
    assert weights is not None
    pictures = []
    for layer, head in np.ndindex(*weights.shape[:2]):
        matrix = _matrix(view, dataclasses.replace(state, layer=layer, head=head, heads=()))
        pictures.append(np.where(np.isfinite(matrix.visible), _ink(matrix, state, sinks=_DIMMED), 0.0))
    return np.array(pictures, np.float32).reshape(*weights.shape[:2], *pictures[0].shape)


@dataclass(frozen=True, slots=True)
class _Matrix:
    """Weights after combining heads, merging words and removing sinks; those to draw; and which keys are greyed."""

    weights: Floats
    visible: Floats
    queries: Words
    keys: Words
    greyed: tuple[bool, ...]


def _matrix(view: AttentionView, state: ViewState) -> _Matrix:
    query_axis, key_axis = view.axes(state.kind)
    if state.kind != "encoder_self" and state.rows == "fed":
        query_axis = view.fed
    queries, keys = (_units(axis, state.unit) for axis in (query_axis, key_axis))
    weights = merge_attention(_combine(view, state), queries, keys)
    is_sink = _sinks(key_axis, keys, state.sink_kinds)
    if state.sinks == "removed":
        weights = remove_sinks(weights, is_sink).weights
    visible = np.where(weights < state.threshold, np.nan, weights).astype(np.float32)
    if state.kind == "decoder_self" and view.is_causal:
        visible[_later(queries, keys)] = np.nan
    return _Matrix(weights, visible, queries, keys, tuple(is_sink) if state.sinks == "greyed" else ())


def _ink(matrix: _Matrix, state: ViewState, *, sinks: float = 1.0) -> Floats:
    """(Q, K) from 0 to 1 on the chosen scale; greyed sinks do not set the scale, and ``sinks`` multiplies their ink."""
    greyed = np.array(matrix.greyed or [False] * len(matrix.keys))
    counted = np.where(greyed, 0.0, matrix.weights)
    peaks = {"row": counted.max(-1, initial=0, keepdims=True), "head": counted.max(initial=0), "common": 1.0}
    full = np.broadcast_to(peaks[state.scale], matrix.weights.shape)
    share = np.divide(matrix.weights, full, out=np.zeros_like(matrix.weights), where=full > 0)
    share = (share * np.where(greyed, sinks, 1.0)).clip(0, 1)
    return np.sqrt(share) if state.curve == "sqrt" else share


def _combine(view: AttentionView, state: ViewState) -> Floats:
    weights = view.attention.of(state.kind)
    assert weights is not None
    chosen = np.stack([weights[layer, head] for layer, head in state.all_heads])  # (heads, Q, K)
    return chosen.max(0) if state.combine == "max" else chosen.mean(0)


def _units(axis: Axis, unit: str) -> Words:
    """The axis in pieces or in words; each special token is a unit."""
    if unit != "words":
        return Words(axis.texts, np.arange(len(axis)), tuple(word < 0 for word in axis.words))
    return words_from(axis.words, lambda start, stop: "".join(axis.texts[start:stop]))


def _sinks(axis: Axis, units: Words, kinds: Sequence[str]) -> list[bool]:
    pieces = [units.pieces_of(unit) for unit in range(len(units))]
    return [all(axis.sinks[i] for i in unit) and axis.sinks[unit[0]] in kinds for unit in pieces]


def _later(queries: Words, keys: Words) -> NDArray[np.bool_]:
    """(Q, K) keys whose first piece comes after the query's last."""
    last = np.array([queries.pieces_of(unit)[-1] for unit in range(len(queries))])
    first = np.array([keys.pieces_of(unit)[0] for unit in range(len(keys))])
    return first[None, :] > last[:, None]


def _caption(view: AttentionView, state: ViewState, first_index: int) -> str:
    heads = [tr("export.head", layer=layer + first_index, head=head + first_index) for layer, head in state.all_heads]
    combined = tr(f"attention.{state.combine}") if len(heads) > 1 else ""
    return _join(
        view.caption,
        tr(f"frame.kind_long_{state.kind}"),
        tr("checkpoints.semicolon").join(heads),
        combined,
        aids(view, state),
    )


def aids(view: AttentionView, state: ViewState) -> str:
    """The active reading aids, in words."""
    is_fed = state.rows == "fed" and state.kind != "encoder_self"
    return _join(
        f"{tr('attention.rows_are')} {tr('attention.fed')}" if is_fed else "",
        tr("attention.words") if state.unit == "words" else "",
        tr("attention.caption_removed") if state.sinks == "removed" else "",
        tr(f"attention.weighting_{view.weighting}") if view.weighting != "raw" else "",
        tr("attention.caption_threshold", threshold=number(state.threshold, ".2f")) if state.threshold else "",
    )


def _join(*parts: str) -> str:
    return " · ".join(filter(None, parts))
