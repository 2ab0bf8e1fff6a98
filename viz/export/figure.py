"""Print-ready figures of a record, with a caption that says sentence, model, kind, layer and head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from model.attention_files import AttentionRecord
from model.interventions import AttentionKind
from model.trace import Floats
from viz.components.attention import AttentionView, ViewState
from viz.export.as_read import as_read
from viz.export.tikz import tikz
from viz.export.views import caption
from viz.figures import Paper, attention_map, difference_map, head_grid, render, render_for
from viz.figures.rendering import FigureFormat
from viz.i18n import tr
from viz.theme import palette


def head_figure(
    record: AttentionRecord,
    *,
    kind: AttentionKind,
    layer: int,
    head: int,
    first_index: int = 0,
    file_format: FigureFormat | Literal["tikz"] = "pdf",
    paper: Paper | None = None,
) -> bytes:
    """One head as a file; a kind, layer or head that the record lacks gives way to the nearest that it has.

    Args:
        first_index: 0 or 1, what the first layer and head are called.
        paper: width, font and values for print. The caption is then LaTeX's affair (``head_caption``) and not drawn.

    Raises:
        ValueError: when the columns do not fit into the paper's width.
    """
    kind, layer, head = _nearest(record, kind, layer, head)
    weights = record.maps.of(kind)
    assert weights is not None
    words = head_caption(record, kind=kind, layer=layer, head=head, first_index=first_index)
    causal = kind == "decoder_self" and record.is_causal
    return _written(
        weights[layer, head], *record.tokens(kind), kind=kind, words=words, file_format=file_format, paper=paper,
        is_causal=causal, is_signed=record.weighting == "gradient",
    )  # fmt: skip


def screen_figure(
    view: AttentionView,
    state: ViewState,
    *,
    first_index: int = 0,
    file_format: FigureFormat | Literal["tikz"] = "pdf",
    paper: Paper | None = None,
) -> bytes:
    """The head on screen as a file, with the reading aids that are on; the arguments are those of ``head_figure``.

    Raises:
        ValueError: when the columns do not fit into the paper's width.
    """
    read = as_read(view, state, first_index=first_index)
    return _written(
        read.weights, read.queries, read.keys, kind=read.kind, words=read.caption, file_format=file_format, paper=paper
    )


def _written(
    weights: Floats,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    kind: AttentionKind,
    words: str,
    file_format: FigureFormat | Literal["tikz"],
    paper: Paper | None,
    is_causal: bool = False,
    is_signed: bool = False,
) -> bytes:
    if file_format == "tikz":
        colours = palette("light")
        return tikz(
            weights, queries=queries, keys=keys, paper=paper or Paper(), caption=words, is_causal=is_causal,
            hue=colours.more if is_signed else colours.kinds[kind], less_hue=colours.less if is_signed else None,
        ).encode("utf-8")  # fmt: skip
    drawn = "" if paper else words
    if is_signed:
        chart = difference_map(weights, queries=queries, keys=keys, caption=drawn, paper=paper)
    else:
        chart = attention_map(
            weights, queries=queries, keys=keys, kind=kind, caption=drawn, is_causal=is_causal, paper=paper
        )
    return render_for(chart, paper, file_format) if paper else render(chart, file_format)


def head_caption(record: AttentionRecord, *, kind: AttentionKind, layer: int, head: int, first_index: int = 0) -> str:
    """What a figure of one head shows, in one line: sentence, translation, model, kind, layer and head."""
    kind, layer, head = _nearest(record, kind, layer, head)
    place = tr("export.head", layer=layer + first_index, head=head + first_index)
    return " · ".join(filter(None, (caption(record), tr(f"frame.kind_long_{kind}"), place, _weighting(record))))


def _nearest(record: AttentionRecord, kind: AttentionKind, layer: int, head: int) -> tuple[AttentionKind, int, int]:
    kind = kind if kind in record.maps.kinds else record.maps.kinds[-1]
    weights = record.maps.of(kind)
    assert weights is not None
    return kind, min(layer, weights.shape[0] - 1), min(head, weights.shape[1] - 1)


def grid_figure(
    record: AttentionRecord, *, kind: AttentionKind, first_index: int = 0, file_format: FigureFormat = "pdf"
) -> bytes:
    """All heads of one kind as a file; a kind that the record lacks gives way to one that it has."""
    kind = kind if kind in record.maps.kinds else record.maps.kinds[-1]
    weights = record.maps.of(kind)
    assert weights is not None
    words = " · ".join(filter(None, (caption(record), tr(f"frame.kind_long_{kind}"), _weighting(record))))
    return render(head_grid(abs(weights), kind=kind, caption=words, first_index=first_index), file_format)


def _weighting(record: AttentionRecord) -> str:
    return "" if record.weighting == "raw" else tr(f"export.weighting_{record.weighting}")
