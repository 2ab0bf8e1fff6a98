"""Print-ready figures of a record, with a caption that names sentence, model, kind, layer and head."""

from collections.abc import Sequence
from typing import Literal

from model.attention_files import AttentionRecord
from model.interventions import AttentionKind
from model.trace import Floats
from viz.components.attention import AttentionView, ViewState
from viz.export.as_read import aids, as_read, small_pictures
from viz.export.tikz import tikz
from viz.export.views import caption
from viz.figures import Paper, attention_map, difference_map, head_grid, render, render_for
from viz.figures.rendering import FigureFormat
from viz.figures.shading import Shading
from viz.figures.tokens import PART
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
    """One head as a file; a kind, layer or head that the record lacks is replaced by the nearest one it has.

    Args:
        first_index: 0 or 1, what the first layer and head are called.
        paper: width, font and values for print. The caption is then not drawn: LaTeX sets it (``head_caption``).

    Raises:
        ValueError: when the columns do not fit into the paper's width.
    """
    kind, layer, head = _nearest(record, kind, layer, head)
    weights = record.maps.of(kind)
    assert weights is not None
    words = head_caption(record, kind=kind, layer=layer, head=head, first_index=first_index)
    causal = kind == "decoder_self" and record.is_causal
    return _write_figure(
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
    """The head on screen as a file, with the active reading aids; takes the arguments of ``head_figure``.

    Raises:
        ValueError: when the columns do not fit into the paper's width.
    """
    read = as_read(view, state, first_index=first_index)
    return _write_figure(
        read.weights, read.queries, read.keys, kind=read.kind, words=read.caption, file_format=file_format, paper=paper,
        shading=read.shading,
    )  # fmt: skip


def screen_grid(
    view: AttentionView, state: ViewState, *, first_index: int = 0, file_format: FigureFormat = "pdf"
) -> bytes:
    """All heads of the kind on screen as a file, with the active reading aids; heads switched off are crossed out."""
    state = view.nearest(state)
    kind = state.kind
    words = PART.join(filter(None, (view.caption, tr(f"frame.kind_long_{kind}"), aids(view, state))))
    chart = head_grid(
        small_pictures(view, state), kind=kind, caption=words, first_index=first_index, ramp=state.palette,
        off={(layer, head) for head_kind, layer, head in view.heads_off if head_kind == kind},
        names=(tr("inside.layer"), tr("inside.head")),
    )  # fmt: skip
    return render(chart, file_format)


def _write_figure(
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
    shading: Shading | None = None,
) -> bytes:
    if file_format == "tikz":
        colours = palette("light")
        return tikz(
            weights, queries=queries, keys=keys, paper=paper or Paper(), caption=words, is_causal=is_causal,
            hue=colours.more if is_signed else colours.kinds[kind], less_hue=colours.less if is_signed else None,
            fills=None if shading is None else shading.fills(kind, "light"),
        ).encode("utf-8")  # fmt: skip
    caption = "" if paper else words
    if is_signed:
        chart = difference_map(weights, queries=queries, keys=keys, caption=caption, paper=paper)
    else:
        chart = attention_map(
            weights, queries=queries, keys=keys, kind=kind, caption=caption, is_causal=is_causal, paper=paper,
            shading=shading,
        )  # fmt: skip
    return render_for(chart, paper, file_format) if paper else render(chart, file_format)


def head_caption(record: AttentionRecord, *, kind: AttentionKind, layer: int, head: int, first_index: int = 0) -> str:
    """A caption in one line: sentence, translation, model, kind, layer and head."""
    kind, layer, head = _nearest(record, kind, layer, head)
    place = tr("export.head", layer=layer + first_index, head=head + first_index)
    about = caption(record, first_index=first_index)
    weighting = "" if record.weighting == "raw" else tr(f"export.weighting_{record.weighting}")
    return " · ".join(filter(None, (about, tr(f"frame.kind_long_{kind}"), place, weighting)))


def _nearest(record: AttentionRecord, kind: AttentionKind, layer: int, head: int) -> tuple[AttentionKind, int, int]:
    shapes: dict[AttentionKind, Sequence[int]] = {
        name: weights.shape for name in record.maps.kinds if (weights := record.maps.of(name)) is not None
    }
    near = ViewState(kind=kind, layer=layer, head=head).inside(shapes)
    return near.kind, near.layer, near.head
