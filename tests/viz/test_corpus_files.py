"""Figures of the Corpus page as files."""

from __future__ import annotations

import pandas as pd
import pytest

from viz.corpus.files import _csv, figure_file
from viz.figures.corpus import alignment_errors, with_intervals
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


def test_a_figure_that_is_saved_has_its_long_names_whole() -> None:
    names = ["pondérés par les valeurs, toutes les couches", "gradient × attention, toutes les couches"]
    frame = pd.DataFrame({"name": names, "mean": 0.3, "low": 0.2, "high": 0.4})
    svg = figure_file(with_intervals(frame, mode="light", title="corrélation de rang"), "svg", "light").decode()
    assert all(f">{name}<" in svg for name in names)


def test_a_table_writes_a_float32_with_its_own_digits() -> None:
    frame = pd.DataFrame({"median": pd.Series([2.19, 0.7], dtype="float32").astype(float), "n": [2_000, 12_345_678]})
    assert _csv(frame).decode().splitlines() == ["median,n", "2.19,2000", "0.7,12345678"]
