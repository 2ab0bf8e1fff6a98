"""What the decoder is fed, the labels shifted by one, and the loss position by position."""

from __future__ import annotations

import numpy as np
import streamlit as st

from model.text.tokens import describe
from viz.figures import laboratory as figures
from viz.i18n import number, tr
from viz.laboratory import bench
from viz.panels.reading import Reading
from viz.plain_text import chip_text
from viz.state import session

N_PADDING = 2


def draw(reading: Reading) -> None:
    """Draw the screen: one column a position, with two columns of padding at the end."""
    pad_id = reading.bundle.config.target_pad_id
    pad = chip_text(describe(reading.bundle.target_tokenizer, (pad_id,), (pad_id,)).pieces[0])
    trace, n = reading.trace, len(reading.trace.target)
    losses = -trace.log_probs.astype(np.float64)
    texts = [
        [str(i) for i in range(n + N_PADDING)],
        [chip_text(piece) for piece in trace.prefix.pieces] + [pad] * N_PADDING,
        [chip_text(piece) for piece in trace.target.pieces] + [pad] * N_PADDING,
        [_number(np.exp(-loss)) for loss in losses] + ["–"] * N_PADDING,
        [_number(abs(loss)) for loss in losses] + ["–"] * N_PADDING,
    ]
    cells = np.zeros((len(texts), n + N_PADDING))
    cells[1:3, :n], cells[4, :n] = 0.35, np.clip(losses / 4, 0, 1)
    rows = [tr(f"laboratory.labels_{name}") for name in ("position", "fed", "label", "probability", "loss")]
    with st.container(key="wide_cells"):
        bench.show(figures.cell_map(cells, texts, rows=rows, kind="decoder_self", mode=session.mode()), "labels")
    st.markdown(
        tr("laboratory.labels_said", n=n, mean=number(losses.mean(), ".2f"),
           perplexity=number(np.exp(losses.mean()), ".2f"), with_padding=n + N_PADDING)
    )  # fmt: skip


def _number(value: float) -> str:
    return number(value, ".2f")
