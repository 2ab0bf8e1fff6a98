"""Print-ready figures of a record, with a caption that says sentence, model, kind, layer and head."""

from __future__ import annotations

from model.attention_files import AttentionRecord
from model.interventions import AttentionKind
from viz.export.views import caption
from viz.figures import attention_map, difference_map, head_grid, render
from viz.figures.rendering import FigureFormat
from viz.i18n import tr


def head_figure(
    record: AttentionRecord,
    *,
    kind: AttentionKind,
    layer: int,
    head: int,
    first_index: int = 0,
    file_format: FigureFormat = "pdf",
) -> bytes:
    """One head as a file; a kind, layer or head that the record lacks gives way to the nearest that it has.

    Args:
        first_index: 0 or 1, what the first layer and head are called.
    """
    kind = kind if kind in record.maps.kinds else record.maps.kinds[-1]
    weights = record.maps.of(kind)
    assert weights is not None
    layer, head = min(layer, weights.shape[0] - 1), min(head, weights.shape[1] - 1)
    queries, keys = record.tokens(kind)
    place = tr("export.head", layer=layer + first_index, head=head + first_index)
    words = " · ".join(filter(None, (caption(record), tr(f"frame.kind_long_{kind}"), place, _reading(record))))
    if record.reading == "gradient":
        chart = difference_map(weights[layer, head], queries=queries, keys=keys, caption=words)
    else:
        causal = kind == "decoder_self" and record.is_causal
        chart = attention_map(
            weights[layer, head], queries=queries, keys=keys, kind=kind, caption=words, is_causal=causal
        )
    return render(chart, file_format)


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
