"""What each scene shows once its answer is known: the real views, on the class's own sentence."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from model.interpret.context import context_drift, untrained_weights
from model.interpret.inspection import Variation, inspect_head
from model.teaching.mask_effects import future_effect
from model.teaching.position_properties import order_effect
from viz import cache, session
from viz.components.inside import inside
from viz.figures import laboratory as figures
from viz.figures.head_grid import head_grid
from viz.figures.positions import order_maps
from viz.figures.tokens import as_candidates
from viz.i18n import group, tr
from viz.panels.inside_screens import View, screen_of
from viz.panels.lesson.scenes import sharpest_head
from viz.panels.reading import Reading
from viz.panels.sentence import chip_text


def draw(name: str, here: Reading, *, is_changed: bool) -> None:
    """Draw the view of a scene."""
    if name in ("box", "heads", "cross", "explain", "train", "head") and here.trace.attention.cross is None:
        st.info(tr("lesson.need_cross"))
        return
    {
        "box": _sharpest, "pieces": _pieces, "positions": _positions, "heads": _heads, "encoder": _encoder,
        "mask": _mask, "cross": _sharpest, "beam": _beam, "explain": _sharpest, "train": _train, "share": _share,
    }.get(name, lambda here: _head(here, is_changed=is_changed))(here)  # fmt: skip


def _tokens(here: Reading) -> tuple[list[str], list[str]]:
    """Labels of the rows by the choice of row meaning, and of the source."""
    rows = here.trace.target if here.selection.rows == "predicted" else here.trace.prefix
    return [chip_text(piece) for piece in rows.pieces], [chip_text(piece) for piece in here.trace.source.pieces]


def _sharpest(here: Reading) -> None:
    found, cross = sharpest_head(here.trace), here.trace.attention.cross
    if found is None or cross is None:
        return
    layer, head = found
    rows, keys = _tokens(here)
    first = here.selection.first_index
    weights = cross[layer, head]
    _show(figures.weight_maps((weights,), rows, keys, titles=[""], mode=session.mode(), height=440), "sharpest")
    share = float(weights.max(-1).mean())
    st.caption(tr("lesson.sharpest", layer=layer + first, head=head + first, share=share))


def _pieces(here: Reading) -> None:
    source = here.trace.source
    cells = np.array([[0.0 if special else 0.6 for special in source.is_special]] * 2, np.float32)
    cells[1] = 0
    texts = ([chip_text(piece) for piece in source.pieces], [str(index) for index in source.ids])
    names = (tr("laboratory.data_pieces"), tr("laboratory.data_ids"))
    with st.container(key="wide_cells"):
        _show(figures.cell_map(cells, texts, rows=names, kind="encoder_self", mode=session.mode()), "pieces")


def _positions(here: Reading) -> None:
    source = here.trace.source
    n_fixed = next((i for i, special in enumerate(reversed(source.is_special)) if not special), len(source))
    found = cache.compute(order_effect, here.bundle, source_ids=source.ids, n_fixed=n_fixed, seed=1)
    maps = [pair[i][0, 0] for pair in (found.with_positions, found.without_positions) for i in (0, 1)]
    names = ("with_in_order", "with_shuffled", "without_in_order", "without_shuffled")
    titles = [tr(f"positions.{name}") for name in names]
    _show(order_maps(maps, [chip_text(piece) for piece in source.pieces], titles=titles, mode=session.mode()), "order")
    st.markdown(tr("positions.change", with_positions=found.change[0], without=found.change[1]))


def _head(here: Reading, *, is_changed: bool) -> None:
    layer, head = sharpest_head(here.trace) or (0, 0)
    found = cache.compute(
        inspect_head,
        here.bundle,
        source_ids=here.trace.source.ids,
        prefix_ids=here.trace.prefix.ids,
        kind="cross",
        layer=layer,
        head=head,
        variation=Variation(without_scaling=is_changed),
        interventions=here.selection.interventions,
    )
    rows, keys = _tokens(here)
    query = min(2, len(rows) - 1)
    view = View(found, tuple(rows), tuple(keys), query, int(found.weights[query].argmax()), False)
    weights = [round(float(weight), 4) for weight in found.weights[query]]
    shade = {"kind": "cross", "source": weights, "target": None, "from": None,
             "focus": {"side": "target", "index": query}}  # fmt: skip
    inside(
        screen_of("softmax" if is_changed else "scores", view),
        kind="cross", words=group("inside"), shade=shade, presenter=here.selection.presenter,
        key=f"lesson.head.{is_changed}", on_token=_ignore,
    )  # fmt: skip


def _heads(here: Reading) -> None:
    cross = here.trace.attention.cross
    assert cross is not None
    chart = head_grid(cross, kind="cross", mode=session.mode(), first_index=here.selection.first_index)
    st.altair_chart(chart, theme=None, key="lesson.heads")


def _encoder(here: Reading) -> None:
    source = here.trace.source
    found = cache.compute(context_drift, here.bundle, source_ids=source.ids, interventions=here.selection.interventions)
    keys = [chip_text(piece) for piece in source.pieces]
    first = here.selection.first_index
    rows = ["0", *(tr("inside.lens_layer", layer=layer + first) for layer in range(len(found.cosine) - 1))]
    figure = figures.weight_maps(
        (np.clip(found.cosine, 0, 1),), rows, keys, titles=[""], kind="encoder_self", mode=session.mode(), height=300
    )
    _show(figure, "drift")


def _mask(here: Reading) -> None:
    found = cache.compute(
        future_effect, here.bundle, source_ids=here.trace.source.ids, target_ids=here.trace.target.ids, layer=0, head=0
    )
    fed = [chip_text(piece) for piece in here.trace.prefix.pieces]
    first = here.selection.first_index
    titles = [tr("laboratory.causal_masked", layer=first, head=first), tr("laboratory.causal_lifted")]
    maps = (found.masked, found.lifted)
    _show(figures.weight_maps(maps, fed, fed, titles=titles, kind="decoder_self", mode=session.mode()), "mask")


def _beam(here: Reading) -> None:
    candidates = here.trace.candidates
    if candidates is None:
        return
    step = int(candidates.log_probs[:, 0].argmin())
    names = as_candidates(candidates.pieces[step])[:6]
    values = np.exp(candidates.log_probs[step, :6])
    fed, tokenizer = here.trace.prefix, here.bundle.target_tokenizer
    pieces = " ".join(chip_text(piece) for piece in fed.pieces[1 : step + 1])
    before = tokenizer.decode(fed.ids[1 : step + 1]) if tokenizer else pieces
    st.text(f"{before} …")
    bars = figures.bars((("p", values),), names, axis_name=tr("laboratory.probability"), mode=session.mode())
    _show(bars, "beam")


def _train(here: Reading) -> None:
    found, cross = sharpest_head(here.trace), here.trace.attention.cross
    assert found is not None and cross is not None
    fresh = cache.compute(
        untrained_weights, here.bundle, source_ids=here.trace.source.ids, prefix_ids=here.trace.prefix.ids, seed=0
    )
    rows, keys = _tokens(here)
    maps = (cross[found], fresh[found])
    _show(figures.weight_maps(maps, rows, keys, titles=["", ""], mode=session.mode(), height=360), "train")


def _share(here: Reading) -> None:
    st.code(session.link() or "?", language=None, wrap_lines=True)


def _show(figure: go.Figure, key: str) -> None:
    st.plotly_chart(figure, theme=None, key=f"lesson.{key}", config={"displayModeBar": False})


def _ignore() -> None:
    """The scene follows one word; the page Inside follows the reader's clicks."""
