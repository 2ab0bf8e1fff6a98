"""Figures of the Corpus page as files."""

from __future__ import annotations

import pandas as pd
import pytest

from viz.figures.corpus import alignment_errors
from viz.panels.corpus.files import figure_file
from viz.theme import Mode


@pytest.mark.parametrize(("mode", "ground", "other"), [("light", "#FFFFFF", "#121317"), ("dark", "#121317", "#FFFFFF")])
def test_a_figure_stands_on_the_ground_of_its_colours_with_its_whole_legend(
    mode: Mode, ground: str, other: str
) -> None:
    rows = [{"kind": "cross", "layer": 0, "head": 2, "row": row, "aer": 0.3} for row in ("fed", "predicted")]
    names = {"fed": "read at the row fed the word", "predicted": "read at the row that predicts the word",
             "layer": "Layer", "aer": "error", "head": "Head"}  # fmt: skip
    chart = alignment_errors(pd.DataFrame(rows), mode=mode, names=names)
    svg = figure_file(chart, "svg", mode).decode()
    assert f'fill="{ground}"' in svg[:600] and f'fill="{other}"' not in svg[:600]
    assert names["fed"] in svg and names["predicted"] in svg
