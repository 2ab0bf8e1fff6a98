"""A convolution beside a head: fixed weights in a window, and weights that depend on the sentence."""

from __future__ import annotations

import streamlit as st

from model.teaching.window import layers_to_reach, window_weights
from viz.i18n import tr
from viz.laboratory import bench
from viz.panels import chart
from viz.panels.reading import Reading
from viz.plain_text import chip_text


def draw(reading: Reading) -> None:
    """The window's weights, and those of the chosen head of encoder self-attention, on one scale."""
    weights = reading.trace.attention.encoder_self
    if weights is None:
        st.info(tr("laboratory.window_no_encoder"))
        return
    layer, head = (
        min(getattr(reading.selection, name), size - 1)
        for name, size in zip(("layer", "head"), weights.shape, strict=False)
    )
    first, width = reading.selection.first_index, bench.choices().window | 1
    st.slider(tr("laboratory.window_width"), 3, 9, step=2, width=320, **bench.bind("window", shown=width))
    tokens = [chip_text(piece) for piece in reading.trace.source.pieces]
    titles = [tr("laboratory.window_fixed", width=width),
              tr("laboratory.window_head", layer=layer + first, head=head + first)]  # fmt: skip
    maps = (window_weights(len(tokens), width), weights[layer, head])
    chart.beside(maps, tokens, tokens, titles=titles, kind="encoder_self", key="laboratory.window")
    n = len(tokens)
    st.markdown(tr("laboratory.window_said", n=n, width=width, layers=layers_to_reach(n, width)))  # fmt: skip
