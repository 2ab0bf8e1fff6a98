"""Thumbnails of all heads: on the buttons of "which head matters most?", and for the teacher before asking."""

from base64 import b64encode

import numpy as np
import streamlit as st

from model.trace import Floats
from viz import cache
from viz.figures.head_grid import picture
from viz.i18n import tr
from viz.panels.reading import Reading
from viz.state import session

MAP = 10
"""Maximum rows and columns of a thumbnail."""


def small(weights: Floats) -> Floats:
    """Every head's map max-pooled to at most ``MAP`` rows and columns: (L, H, rows, columns)."""
    down, across = (np.array_split(np.arange(n), min(n, MAP)) for n in weights.shape[2:])
    cells = [
        [weights[:, :, rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].max((2, 3)) for columns in across]
        for rows in down
    ]
    return np.moveaxis(np.clip(np.nan_to_num(np.array(cells, np.float32)), 0, 1), (0, 1), (2, 3))


def encoded(weights: Floats) -> str:
    """The thumbnails for the phones: rows, columns, and ``MAP`` times ``MAP`` bytes per head in base64."""
    shrunk = small(weights)
    layers, heads, rows, columns = shrunk.shape
    padded = np.zeros((layers, heads, MAP, MAP), np.uint8)
    padded[:, :, :rows, :columns] = np.round(255 * shrunk)
    return f"{rows}.{columns}.{b64encode(padded.tobytes()).decode()}"


def draw(reading: Reading, *, chosen: tuple[int, int] | None = None) -> None:
    """Draw the cross-attention thumbnails as the phones show them, with the chosen (layer, head) framed."""
    if reading.trace.attention.cross is None:
        return
    mode, first = session.mode(), reading.selection.first_index
    pictures = cache.get_or_compute(("room maps", *reading.key, mode), lambda: _pictures(reading))
    cells = []
    for layer, line in enumerate(pictures):
        for head, address in enumerate(line):
            name, kind = f"{layer + first}·{head + first}", ' class="chosen"' if (layer, head) == chosen else ""
            cells.append(f'<figure{kind}><img src="{address}" alt=""><figcaption>{name}</figcaption></figure>')
    st.html(f'<div class="regard-maps" style="--columns:{len(pictures[0])}">{"".join(cells)}</div>')
    st.caption(tr("room.maps_read"))


def _pictures(reading: Reading) -> list[list[str]]:
    assert reading.trace.attention.cross is not None
    shrunk = small(reading.trace.attention.cross)
    return [[picture(head, "cross", session.mode(), ramp="hue", pixels=1) for head in layer] for layer in shrunk]
