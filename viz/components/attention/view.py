"""What the explorer shows: the weights of one sentence pair, their tokens, and what is known of each head.

Of a long text it shows every head as means over blocks, and a part of the chosen one exactly.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from model.analysis import HeadMetrics, WeightKind, head_metrics
from model.analysis.metrics import going_on
from model.interventions import KINDS, AttentionKind
from model.picture.runs import is_runs
from model.trace import AttentionMaps, Floats, Trace
from viz.components.attention.axis import Axis
from viz.state.view_state import VIEWS_OF_LONG_TEXTS, WINDOW, ViewState

NO_TOKENS = Axis((), (), ())


class ViewError(ValueError):
    """Weights and tokens that do not belong together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionView:
    """Everything the attention explorer needs of one sentence pair.

    Build it with :meth:`of` from a trace, or with :meth:`from_arrays` from any weights and tokens.
    Kinds may be missing, and may differ in their numbers of layers and heads.

    Raises:
        ViewError: when weights and tokens differ in length, or there is nothing to show.
    """

    attention: AttentionMaps
    source: Axis = NO_TOKENS
    """S tokens that the encoder reads."""
    fed: Axis = NO_TOKENS
    """T tokens as fed to the decoder."""
    predicted: Axis = NO_TOKENS
    """T tokens as predicted; the same object as ``fed`` where that distinction is not known."""
    metrics: Mapping[AttentionKind, HeadMetrics] = field(default_factory=dict)
    """Metrics of each kind's heads on this sentence."""
    corpus_metrics: Mapping[AttentionKind, HeadMetrics] = field(default_factory=dict)
    """The same on a set of sentences, where they were measured."""
    effects: Mapping[AttentionKind, Floats] = field(default_factory=dict)
    """(L, H) change in log-probability when a head is switched off, where it was measured; NaN is unknown."""
    heads_off: frozenset[tuple[AttentionKind, int, int]] = frozenset()
    """Heads (kind, layer, head) that are switched off."""
    is_causal: bool = True
    """Whether the decoder's causal mask was applied."""
    reach: Mapping[AttentionKind, tuple[int | None, ...]] = field(default_factory=dict)
    """For each layer, the distance from which on pairs of tokens are never computed; None: all are."""
    source_name: str = ""
    """Name of the source language, for the sentence strip; empty for a neutral one."""
    target_name: str = ""
    caption: str = ""
    """Sentence and model, printed under exported pictures."""
    weighting: WeightKind = "raw"
    """How the weights were obtained."""
    weightings: tuple[WeightKind, ...] = ("raw",)
    """Those that can be asked for."""
    note: str = ""
    """One line of the caller's, shown beside the weights (a rank agreement, say)."""

    def __post_init__(self) -> None:
        if not self.attention.kinds:
            raise ViewError("there is no attention to show: give encoder_self, decoder_self or cross")
        for kind in self.attention.kinds:
            self._check(kind)
        for kind, metrics in (*self.metrics.items(), *self.corpus_metrics.items()):
            self._check_heads(kind, metrics.entropy.shape)
        for kind, effects in self.effects.items():
            self._check_heads(kind, np.shape(effects))

    def _check(self, kind: AttentionKind) -> None:
        weights = self.attention.of(kind)
        assert weights is not None
        queries, keys = self.axes(kind)
        if weights.shape[2:] != (len(queries), len(keys)):
            raise ViewError(
                f"{kind} has maps of {weights.shape[2]} × {weights.shape[3]} for {len(queries)} query and "
                f"{len(keys)} key tokens: give as many tokens as the map has rows and columns"
            )
        if 0 in weights.shape:
            raise ViewError(f"{kind} is empty {weights.shape}: leave it out instead")

    def _check_heads(self, kind: AttentionKind, shape: tuple[int, ...]) -> None:
        weights = self.attention.of(kind)
        if weights is None or weights.shape[:2] != shape:
            expected = "no such attention" if weights is None else f"{weights.shape[:2]} (layers, heads)"
            raise ViewError(f"there are numbers for {shape} heads of {kind}, but the view has {expected}")

    def axes(self, kind: AttentionKind) -> tuple[Axis, Axis]:
        """Query and key tokens of a kind, rows read as the tokens predicted."""
        queries = self.source if kind == "encoder_self" else self.predicted
        keys = self.fed if kind == "decoder_self" else self.source
        return queries, keys

    def size(self, kind: AttentionKind) -> tuple[int, int]:
        """Rows and columns of a map on screen."""
        queries, keys = self.axes(kind)
        return len(queries), len(keys)

    def shape(self, kind: AttentionKind) -> tuple[int, int]:
        """Layers and heads of a kind; (0, 0) where it is missing."""
        weights = self.attention.of(kind)
        return (0, 0) if weights is None else (weights.shape[0], weights.shape[1])

    def missing(self, kind: AttentionKind) -> tuple[int, ...]:
        """Layers that were not computed, which only a long text has."""
        return ()

    def most_diagonal(self) -> tuple[int, int]:
        """Layer and head of the most diagonal cross-attention, which a first look should find; (0, 0) without any. Of a
        picture, most of which is empty, the one that goes along it most clearly."""
        if self.source.picture and self.attention.cross is not None:
            clarity = going_on(self.attention.cross)  # (L, H)
            layer, head = np.unravel_index(int(clarity.argmax()), clarity.shape)
            return int(layer), int(head)
        metrics = self.metrics.get("cross")
        if metrics is None or metrics.diagonality is None:
            return 0, 0
        diagonality = np.nan_to_num(metrics.diagonality)  # (L, H)
        layer, head = np.unravel_index(int(diagonality.argmax()), diagonality.shape)
        return int(layer), int(head)

    def nearest(self, state: ViewState) -> ViewState:
        """The nearest state that this view can show: a missing kind, layer, head, token or weighting is replaced.

        ``fitState`` (js/data/state.js) does the same in the browser; tests/js/fitting_cases.py holds both equal.
        """
        fitting = state.inside({kind: self.shape(kind) for kind in self.attention.kinds})
        n_rows, n_columns = self.size(fitting.kind)
        inside = {"q": n_rows, "k": n_columns}
        pins = tuple(pin for pin in state.pins if int(pin[1:]) < inside[pin[0]])
        row, column, rows, columns = map(float, state.zoom or "0000")
        is_whole = not (rows and columns) or row + rows > n_rows + 1e-6 or column + columns > n_columns + 1e-6
        weighting = state.weighting if state.weighting in self.weightings else self.weighting
        rows = state.rows if self.fed is not self.predicted else "predicted"
        zoom = () if is_whole else state.zoom
        return dataclasses.replace(fitting, pins=pins, zoom=zoom, weighting=weighting, rows=rows, window=())

    @classmethod
    def of(
        cls,
        trace: Trace,
        *,
        attention: AttentionMaps | None = None,
        corpus_metrics: Mapping[AttentionKind, HeadMetrics] | None = None,
        effects: Mapping[AttentionKind, Floats] | None = None,
        reach: Mapping[AttentionKind, tuple[int | None, ...]] | None = None,
        source_name: str = "",
        target_name: str = "",
        caption: str = "",
        weighting: WeightKind = "raw",
        weightings: tuple[WeightKind, ...] = ("raw",),
        note: str = "",
    ) -> AttentionView:
        """The view of a trace; ``attention`` replaces its raw weights by another weighting."""
        maps = trace.attention if attention is None else attention
        picture = trace.source_text if is_runs(trace.source_text) else ""
        source = Axis.of(trace.source, picture=picture)
        fed, predicted = Axis.of(trace.prefix), Axis.of(trace.target)
        if not len(trace.source):
            fed = fed.begun()
            predicted = fed if trace.candidates is None else predicted  # it read a text: rows are that text too
        is_causal = not trace.interventions.lift_causal_mask
        return cls(
            attention=maps,
            source=source,
            fed=fed,
            predicted=predicted,
            metrics=_measure(maps, source, fed, is_causal),
            corpus_metrics=corpus_metrics or {},
            effects=effects or {},
            heads_off=frozenset((off.kind, off.layer, off.head) for off in trace.interventions.heads_off),
            is_causal=is_causal,
            reach=reach or {},
            source_name=source_name,
            target_name=target_name,
            caption=caption or trace.in_words,
            weighting=weighting,
            weightings=weightings,
            note=note,
        )

    @classmethod
    def from_arrays(
        cls,
        *,
        encoder_self: Floats | None = None,
        decoder_self: Floats | None = None,
        cross: Floats | None = None,
        source_tokens: Sequence[str] = (),
        target_tokens: Sequence[str] = (),
        prefix_tokens: Sequence[str] | None = None,
        is_causal: bool = False,
        caption: str = "",
    ) -> AttentionView:
        """The view of any model's attention.

        Args:
            encoder_self: (L, H, S, S) weights after softmax, or None; likewise the others.
            decoder_self: (L, H, T, T).
            cross: (L, H, T, S).
            source_tokens: S pieces.
            target_tokens: T pieces, as predicted if ``prefix_tokens`` tells what was fed.
            prefix_tokens: T pieces as fed to the decoder; None means that rows have one meaning only.
            is_causal: whether ``decoder_self`` saw no later token.
            caption: printed under exported pictures.
        """
        maps = AttentionMaps(*(_float32(weights) for weights in (encoder_self, decoder_self, cross)))
        source, predicted = Axis.from_pieces(source_tokens), Axis.from_pieces(target_tokens)
        fed = predicted if prefix_tokens is None else Axis.from_pieces(prefix_tokens)
        return cls(
            attention=maps,
            source=source,
            fed=fed,
            predicted=predicted,
            metrics=_measure(maps, source, fed, is_causal),
            is_causal=is_causal,
            caption=caption,
        )


Exact = Callable[[AttentionKind, int, int, tuple[int, int]], Floats | None]
"""Rows (first, and one after the last) of a head's weights, (rows, keys); None where they are not at hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LongView(AttentionView):
    """The view of a long text: ``attention`` holds means over blocks of tokens, (L, H, blocks, blocks).

    Layers that were not computed are NaN.
    """

    block: int
    """Tokens of a block."""
    exact: Exact
    """Frozen, with an identity that says of which model and text it is."""

    def _check(self, kind: AttentionKind) -> None:
        weights = self.attention.of(kind)
        assert weights is not None
        expected = tuple(-(-len(axis) // self.block) for axis in self.axes(kind))
        if weights.shape[2:] != expected:
            raise ViewError(f"{kind} has {weights.shape[2:]} blocks, and its tokens {expected}")

    def size(self, kind: AttentionKind) -> tuple[int, int]:
        """Rows and columns of the window."""
        queries, keys = self.axes(kind)
        return min(len(queries), WINDOW), min(len(keys), WINDOW)

    def nearest(self, state: ViewState) -> ViewState:
        """The same, with a window inside the text, in a view that can show so many tokens."""
        near = AttentionView.nearest(self, state)
        window = [
            min(at, max(0, len(axis) - WINDOW)) for at, axis in zip(state.place, self.axes(near.kind), strict=True)
        ]
        shown = tuple(map(str, window)) if any(window) else ()
        head_view = near.view if near.view in VIEWS_OF_LONG_TEXTS else VIEWS_OF_LONG_TEXTS[0]
        return dataclasses.replace(near, window=shown, view=head_view)

    def missing(self, kind: AttentionKind) -> tuple[int, ...]:
        """Layers that were not computed."""
        weights = self.attention.of(kind)
        return () if weights is None else tuple(np.flatnonzero(np.isnan(weights).all((1, 2, 3))).tolist())

    def part(self, kind: AttentionKind, layer: int, head: int, window: tuple[int, int]) -> Floats | None:
        """The exact weights of a window that begins at this row and column; None where they are not at hand."""
        row, column = window
        rows = self.exact(kind, layer, head, (row, min(row + WINDOW, len(self.axes(kind)[0]))))
        return None if rows is None else np.ascontiguousarray(rows[:, column : column + WINDOW])


def whole(blocks: Floats, layers: tuple[int, ...] | None, n_layers: int) -> Floats:
    """Block means of all layers, (L, H, Q, K), NaN where a layer was not computed."""
    if layers is None:
        return blocks
    means = np.full((n_layers, *blocks.shape[1:]), np.nan, np.float32)
    means[list(layers)] = blocks
    return means


def _float32(weights: Floats | None) -> Floats | None:
    return None if weights is None else np.ascontiguousarray(weights, dtype=np.float32)


def _measure(maps: AttentionMaps, source: Axis, fed: Axis, is_causal: bool) -> dict[AttentionKind, HeadMetrics]:
    """Metrics of the kinds whose shapes allow them; a wrong shape is reported by the view itself."""
    measured: dict[AttentionKind, HeadMetrics] = {}
    for kind in KINDS:
        weights, keys = maps.of(kind), fed if kind == "decoder_self" else source
        if weights is not None and weights.shape[3] == len(keys) and 0 not in weights.shape:
            is_sink = [bool(sink) for sink in keys.sinks]
            measured[kind] = head_metrics(
                weights, kind=kind, key_is_sink=is_sink, is_causal=is_causal and kind == "decoder_self"
            )
    return measured
