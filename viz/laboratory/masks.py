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
from viz.plain_text import chip_text, escape_markdown
from viz.state import session


def draw(reading: Reading) -> None:
    """Draw the part."""
    screen = bench.tabs("masks")
    n = len(reading.trace.target)
    counted = {"n": n, "cached": n, "uncached": n * (n + 1) // 2}
    bench.heading(f"masks_{screen}", **counted if screen == "cache" else {})
    {"padding": _padding, "causal": _causal, "both": decoder_steps.draw_mask, "cache": decoder_steps.draw_cache}[
        screen
    ](reading)


def _padding(reading: Reading) -> None:
    chosen = bench.choices()
    left, right = st.columns(2)
    left.text_input(tr("laboratory.second_sentence"), **bench.bind("second"))
    right.text_input(tr("laboratory.third_sentence"), **bench.bind("third"))
    texts = tuple(text for text in (reading.fitted.text, chosen.second, chosen.third) if text.strip())
    effect = cache.compute(padding_effect, reading.bundle, texts=texts)
    real = np.arange(effect.ids.shape[1])[None] < np.array(effect.lengths)[:, None]
    words = [[chip_text(piece) for piece in row] for row in effect.pieces]
    rows = [tr("laboratory.valid", n=n) for n in effect.lengths]
    with st.container(key="wide_cells"):
        bench.show(figures.cell_map(real * 0.9, words, rows=rows, kind="encoder_self", mode=session.mode()), "padding")
    names = ("valid_length", "on_padding", "with_mask", "without_mask")
    lines = ["| " + " | ".join(tr(f"laboratory.{name}") for name in names) + " |", "| --- | --- | --- | --- |"]
    for i, length in enumerate(effect.lengths):
        share = number(float(effect.share[i].mean()), ".0%")
        texts = map(escape_markdown, (effect.with_mask[i], effect.without_mask[i]))
        lines.append(f"| {' | '.join((str(length), share, *texts))} |")
    st.markdown("\n".join(lines))
    worst = int(np.argmax(effect.drift))
    st.caption(tr("laboratory.padding_said", drift=number(float(effect.drift[worst]), ".0%"), n=effect.lengths[worst]))


def _causal(reading: Reading) -> None:
    config = reading.bundle.config
    layer = min(reading.selection.layer, config.n_decoder_layers - 1)
    head = min(reading.selection.head, config.n_decoder_heads - 1)
    effect = cache.compute(
        future_effect, reading.bundle, source_ids=reading.trace.source.ids, target_ids=reading.trace.target.ids,
        layer=layer, head=head,
    )  # fmt: skip
    fed = [chip_text(piece) for piece in reading.trace.prefix.pieces]
    first = reading.selection.first_index
    titles = [tr("laboratory.causal_masked", layer=layer + first, head=head + first), tr("laboratory.causal_lifted")]
    maps = (effect.masked, effect.lifted)
    chart.beside(maps, fed, fed, titles=titles, kind="decoder_self", key="laboratory.causal")
    st.markdown(
        tr("laboratory.causal_said", share=number(float(effect.share.mean()), ".0%"),
           masked=number(effect.log_probs[0], ".3f"), lifted=number(effect.log_probs[1], ".3f"))
    )  # fmt: skip
