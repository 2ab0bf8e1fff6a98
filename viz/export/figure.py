"""Print-ready figures of a record, with a caption that says sentence, model, kind, layer and head."""

from __future__ import annotations

from typing import Literal

from model.attention_files import AttentionRecord
from model.interventions import AttentionKind
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
    queries, keys = record.tokens(kind)
    words = head_caption(record, kind=kind, layer=layer, head=head, first_index=first_index)
    causal = kind == "decoder_self" and record.is_causal
    if file_format == "tikz":
        colours, signed = palette("light"), record.reading == "gradient"
        return tikz(
            weights[layer, head], queries=queries, keys=keys, paper=paper or Paper(), caption=words, is_causal=causal,
            hue=colours.more if signed else colours.kinds[kind], less_hue=colours.less if signed else None,
        ).encode("utf-8")  # fmt: skip
    drawn = "" if paper else words
    if record.reading == "gradient":
        chart = difference_map(weights[layer, head], queries=queries, keys=keys, caption=drawn, paper=paper)
    else:
        chart = attention_map(
            weights[layer, head], queries=queries, keys=keys, kind=kind, caption=drawn, is_causal=causal, paper=paper
        )
    return render_for(chart, paper, file_format) if paper else render(chart, file_format)


def head_caption(record: AttentionRecord, *, kind: AttentionKind, layer: int, head: int, first_index: int = 0) -> str:
    """What a figure of one head shows, in one line: sentence, translation, model, kind, layer and head."""
    kind, layer, head = _nearest(record, kind, layer, head)
    place = tr("export.head", layer=layer + first_index, head=head + first_index)
    return " · ".join(filter(None, (caption(record), tr(f"frame.kind_long_{kind}"), place, _reading(record))))


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
    words = " · ".join(filter(None, (caption(record), tr(f"frame.kind_long_{kind}"), _reading(record))))
    return render(head_grid(abs(weights), kind=kind, caption=words, first_index=first_index), file_format)


def _reading(record: AttentionRecord) -> str:
    return "" if record.reading == "raw" else tr(f"export.reading_{record.reading}")
