"""A map with a number in each cell, which can be read on its colour."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from viz.figures.laboratory import weight_maps, with_numbers
from viz.theme import blend, luminance, palette


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_each_number_has_contrast_with_its_cell(mode):
    cells = np.linspace(0, 1, 12, dtype=np.float32).reshape(3, 4)
    figure = weight_maps((cells,), list("abc"), list("defg"), titles=[""], kind="encoder_self", mode=mode)
    with_numbers(figure, cells, [[f"{cell:.2f}" for cell in row] for row in cells], "encoder_self", mode)
    notes: Any = figure.layout["annotations"]
    written = {(note.y, note.x): note for note in notes if note.text}
    assert len(written) == cells.size
    for (row, column), note in written.items():
        assert note.text == f"{cells[row, column]:.2f}"
        fill = blend(palette(mode).panel, palette(mode).kinds["encoder_self"], float(cells[row, column]))
        dark, light = sorted(luminance(colour) for colour in (note.font.color, fill))
        assert (light + 0.05) / (dark + 0.05) >= 4, (row, column)
