"""Medians, histograms and the sentences of a bar, compared with the table of heads; saved tables and figures."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from model.corpus.survey import Survey, survey
from tests.checkpoint import tiny_bundle
from viz.corpus.files import _csv, figure_file
from viz.corpus.grids import N_BINS, MeasureQuery, bins, medians, sentences_between
from viz.figures.corpus import alignment_errors, with_intervals
from viz.theme import Mode

PAIRS = [("the cat is sleeping .", "le chat dort ."), ("the dog", "un chien"), ("the sofa .", "le canapé ."),
         ("the cat is on the sofa .", "le chat est sur le canapé .")]  # fmt: skip


@pytest.fixture(scope="module")
def surveyed(tmp_path_factory: pytest.TempPathFactory) -> Survey:
    return survey(tiny_bundle(), PAIRS, tmp_path_factory.mktemp("grids") / "s")


@pytest.mark.nightly(but=("length",))
@pytest.mark.parametrize("split", ["none", "length", "token"])
def test_bars_count_every_value_once_and_lead_to_its_sentences(surveyed: Survey, split: str) -> None:
    question = MeasureQuery("cross", "weight" if split == "token" else "entropy", split)
    for part in medians(surveyed, question)["part"].unique():
        head_filter = {"part": part, "layer": 1, "head": 0}
        all_rows = surveyed.query(f"SELECT * FROM ({question.rows}) WHERE layer = 1 AND head = 0", ["cross"])
        rows = all_rows[all_rows["part"].astype(str) == part]
        histogram = bins(surveyed, question, **head_filter)
        assert histogram["count"].sum() == len(rows) and len(histogram) <= N_BINS
        for bar in histogram.itertuples():
            ids = sentences_between(surveyed, question, **head_filter, low=bar.start, high=bar.stop)
            inside = rows[(rows["value"] >= bar.start - 1e-6) & (rows["value"] <= bar.stop + 1e-6)]
            assert set(ids) == set(inside["id"]) and len(ids) == len(set(ids)) > 0


def test_medians_and_ranges_are_those_of_the_values(surveyed: Survey) -> None:
    summary = medians(surveyed, MeasureQuery("encoder_self", "maximum", "none"))
    rows = surveyed.query("SELECT * FROM heads WHERE kind = 'encoder_self' AND layer = 0 AND head = 1")
    row = summary[(summary["layer"] == 0) & (summary["head"] == 1)].iloc[0]
    assert row["mid"] == pytest.approx(np.median(rows["maximum"]))
    assert (row["low"], row["high"]) == pytest.approx(tuple(np.quantile(rows["maximum"], [0.05, 0.95])), abs=1e-6)
    assert row["n"] == len(PAIRS)


def test_a_value_that_never_varies_is_one_bar(surveyed: Survey) -> None:
    histogram = bins(surveyed, MeasureQuery("cross", "1.0", "none"), part="", layer=0, head=0)
    assert len(histogram) == 1 and histogram["count"].tolist() == [len(PAIRS)]
    assert histogram["start"][0] < 1 < histogram["stop"][0] and histogram["stop"][0] - histogram["start"][0] > 0.05, (
        "wide enough to see"
    )


def test_sentences_without_a_translation_are_neither_right_nor_wrong(tmp_path: Path) -> None:
    untranslated = survey(tiny_bundle(), PAIRS, tmp_path / "s", translate=False)
    assert not len(medians(untranslated, MeasureQuery("cross", "entropy", "quality")))


@pytest.mark.parametrize(
    ("mode", "ground", "other_ground"), [("light", "#FFFFFF", "#121317"), ("dark", "#121317", "#FFFFFF")]
)
def test_a_figure_has_the_background_of_its_colours_and_its_whole_legend(
    mode: Mode, ground: str, other_ground: str
) -> None:
    rows = [{"kind": "cross", "layer": 0, "head": 2, "row": row, "aer": 0.3} for row in ("fed", "predicted")]
    names = {"fed": "read at the row fed the word", "predicted": "read at the row that predicts the word",
             "layer": "Layer", "aer": "error", "head": "Head"}  # fmt: skip
    chart = alignment_errors(pd.DataFrame(rows), mode=mode, names=names)
    svg = figure_file(chart, "svg", mode).decode()
    assert f'fill="{ground}"' in svg[:600] and f'fill="{other_ground}"' not in svg[:600]
    assert names["fed"] in svg and names["predicted"] in svg


def test_a_figure_that_is_saved_has_its_long_names_whole() -> None:
    names = ["pondérés par les valeurs, toutes les couches", "gradient × attention, toutes les couches"]
    frame = pd.DataFrame({"name": names, "mean": 0.3, "low": 0.2, "high": 0.4})
    svg = figure_file(with_intervals(frame, mode="light", title="corrélation de rang"), "svg", "light").decode()
    assert all(f">{name}<" in svg for name in names)


def test_a_table_writes_a_float32_with_its_shortest_digits() -> None:
    frame = pd.DataFrame({"median": pd.Series([2.19, 0.7], dtype="float32").astype(float), "n": [2_000, 12_345_678]})
    assert _csv(frame).decode().splitlines() == ["median,n", "2.19,2000", "0.7,12345678"]
