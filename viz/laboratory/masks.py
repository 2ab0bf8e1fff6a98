"""Masks: which token may attend to which, and what goes wrong without them."""

from __future__ import annotations

import numpy as np
import streamlit as st

from model.teaching.mask_effects import future_effect, padding_effect
from viz import cache
from viz.figures import laboratory as figures
from viz.i18n import number, tr
from viz.laboratory import bench, decoder_steps
from viz.panels import chart
from viz.panels.reading import Reading
from viz.panels.stage.sentence import chip_text
from viz.plain_text import escape_markdown
from viz.state import session


def draw(here: Reading) -> None:
    """Draw the part."""
    screen = bench.tabs("masks")
    n = len(here.trace.target)
    counted = {"n": n, "cached": n, "uncached": n * (n + 1) // 2}
    bench.heading(f"masks_{screen}", **counted if screen == "cache" else {})
    {"padding": _padding, "causal": _causal, "both": decoder_steps.draw_mask, "cache": decoder_steps.draw_cache}[
        screen
    ](here)


def _padding(here: Reading) -> None:
    chosen = bench.choices()
    left, right = st.columns(2)
    left.text_input(tr("laboratory.second_sentence"), **bench.bind("second"))
    right.text_input(tr("laboratory.third_sentence"), **bench.bind("third"))
    texts = tuple(text for text in (here.fitted.text, chosen.second, chosen.third) if text.strip())
    found = cache.compute(padding_effect, here.bundle, texts=texts)
    real = np.arange(found.ids.shape[1])[None] < np.array(found.lengths)[:, None]
    words = [[chip_text(piece) for piece in row] for row in found.pieces]
    rows = [tr("laboratory.valid", n=n) for n in found.lengths]
    with st.container(key="wide_cells"):
        bench.show(figures.cell_map(real * 0.9, words, rows=rows, kind="encoder_self", mode=session.mode()), "padding")
    names = ("valid_length", "on_padding", "with_mask", "without_mask")
    lines = ["| " + " | ".join(tr(f"laboratory.{name}") for name in names) + " |", "| --- | --- | --- | --- |"]
    for i, length in enumerate(found.lengths):
        share = number(float(found.share[i].mean()), ".0%")
        lines.append(
            f"| {length} | {share} | {escape_markdown(found.with_mask[i])} | {escape_markdown(found.without_mask[i])} |"
        )
    st.markdown("\n".join(lines))
    worst = int(np.argmax(found.drift))
    st.caption(tr("laboratory.padding_said", drift=number(float(found.drift[worst]), ".0%"), n=found.lengths[worst]))


def _causal(here: Reading) -> None:
    config = here.bundle.config
    layer = min(here.selection.layer, config.n_decoder_layers - 1)
    head = min(here.selection.head, config.n_decoder_heads - 1)
    found = cache.compute(
        future_effect, here.bundle, source_ids=here.trace.source.ids, target_ids=here.trace.target.ids, layer=layer,
        head=head,
    )  # fmt: skip
    fed = [chip_text(piece) for piece in here.trace.prefix.pieces]
    first = here.selection.first_index
    titles = [tr("laboratory.causal_masked", layer=layer + first, head=head + first), tr("laboratory.causal_lifted")]
    maps = (found.masked, found.lifted)
    chart.beside(maps, fed, fed, titles=titles, kind="decoder_self", key="laboratory.causal")
    st.markdown(
        tr("laboratory.causal_said", share=number(float(found.share.mean()), ".0%"),
           masked=number(found.log_probs[0], ".3f"), lifted=number(found.log_probs[1], ".3f"))
    )  # fmt: skip
