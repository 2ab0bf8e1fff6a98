"""In French no number has a decimal point: 0,27 and not 0.27."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.cases import for_each
from tests.pages import PAGES
from tests.viz.page import proto_nodes, strings_in
from viz.checkpoints.report import _millions
from viz.export.tikz import tikz
from viz.figures import Paper
from viz.figures.contributions import Bar, contribution_bars
from viz.i18n import catalogue, number, speaking, tr
from viz.laboratory.bench import TABS
from viz.lesson.choices import NAMES
from viz.panels.formula import in_latex
from viz.panels.votes import taps
from viz.panels.widgets import decimal_table

ROOT = Path(__file__).parents[2]
POSITIONS = ("table", "waves", "vector", "dot", "rotation", "layout", "learned", "beyond", "sentence", "shuffle")
SCREENS = (
    *((page, {}) for page in PAGES),
    *(
        ("laboratory", {"laboratory.part": part, f"laboratory.{part}": screen})
        for part in TABS
        for screen in TABS[part]
    ),
    *(("laboratory", {"laboratory.part": part}) for part in ("kernel", "metrics", "toy")),
    *(("positions", {"positions.part": part}) for part in POSITIONS),
    *(("lesson", {"lesson.scene": name, "lesson.votes": f"{name}1"}) for name in NAMES),
    ("decode", {"method": "beam"}),
    ("decode", {"method": "sample"}),
    ("decode", {"decode.mode": "forcing"}),
)
NAMED = tuple("-".join((page, *params.values())) for page, params in SCREENS)
DECIMAL = re.compile(r"(?<![\w.])(?<!CC BY )(?<!CC BY-SA )\d+\.\d+(?![\w.])")
READ = ("body", "label", "help", "placeholder", "options", "delta", "value", "formattedValue", "formatted_value")
"""Fields of Streamlit's messages whose text is shown."""
NOT_OURS = ("Config", "Iframe", "bidi_component", "arrow_data_frame", "arrow_vega_lite_chart", "plotly_chart", "code")
"""Elements whose text is no prose: components and figures, which have their own tests, and code."""
IN_BROWSER = ("number_input", "slider")
"""The browser formats the numbers of input fields in its own locale."""


def shown_texts(app: AppTest) -> list[str]:
    """All texts that a page shows."""
    left_out = [name.replace("_", "").lower() for name in (*NOT_OURS, *IN_BROWSER)]
    ours = (
        node.proto
        for node in proto_nodes(app)
        if not any(name in type(node.proto).__name__.lower() for name in left_out)
    )
    texts = (text for message in ours for where, text in strings_in(message) if where.rpartition(".")[2] in READ)
    return [re.sub(r"(?s)<style>.*?</style>", "", text) for text in texts]


@pytest.mark.nightly(
    but=("toy", "room", "first", "curves", "pipeline", "keyvalue", "translate", "partition", "checkpoints")
)
@pytest.mark.parametrize(("page", "params"), SCREENS, ids=NAMED)
def test_a_page_in_french_has_no_decimal_point(open_page, page, params):
    texts = shown_texts(open_page(page, language="fr", **params))
    assert any("é" in text for text in texts)
    assert not [text for text in texts if DECIMAL.search(text)]


def test_no_french_text_contains_a_decimal_point():
    assert not {key: text for key, text in catalogue("fr").items() if DECIMAL.search(text)}


def test_a_number_is_written_once_in_its_language():
    assert number(-1234.5, ",.1f") == "−1,234.5"
    assert [number(value, "+.2f") for value in (-0.001, 0.004, -0.01, float("-inf"))] == [
        "0.00",
        "0.00",
        "−0.01",
        "−inf",
    ]
    with speaking("fr"):
        assert number(-1234.5, ",.1f") == "−1\u202f234,5"
        assert "0,278" in tr("checkpoints.rows", rows=number(7), error=number(0.278, ".3f"))  # not "0 278"
        assert [number(0.5, ".0%"), _millions(1_250_000), _millions(5990)] == ["50\u00a0%", "1,2 M", "5\u202f990"]
        assert [number(-0.5, ".2f"), number(0.5, "+.2f")] == ["−0,50", "+0,50"]
        assert in_latex(0.25, ".2f") == "0{,}25"


def test_command_output_follows_the_language():
    weights = np.array([[0.25, 0.75]], np.float32)
    with speaking("fr"):
        printed = tikz(weights, queries=["a"], keys=["b", "c"], paper=Paper(), hue="#000000")
        bars = contribution_bars([Bar("a", -0.5)], mode="light", value_name="logit").to_dict()
        shares = taps(np.array([[0.5]]), rows="a", columns="b")
    assert "{0,25}" in printed
    assert "−0,50" in str(bars)
    assert "50\u00a0%<" in shares


SCRIPTS = sorted((ROOT / "viz/components").rglob("*.js"))
FOR_MACHINES = (
    '"--', "setProperty(", "setAttribute(", "rotate(", "point.toFixed", "rgba(", "Number(", "written(", "briefly("
)  # fmt: skip
"""Lines in which a number goes into a style, an attribute, a calculation or a shared function."""
FORMATTERS = ("shared/text.js", "inside/js/numbers.js", "attention/js/data/state.js")
"""Modules that format numbers by ``written`` or ``briefly`` (tests/js/state.test.js)."""


@for_each(SCRIPTS)
def test_scripts_write_numbers_by_the_shared_functions(script):
    if script.as_posix().endswith(FORMATTERS):
        text = script.read_text("utf-8")
        assert "written(" in text or "briefly(" in text
        return
    lines = script.read_text("utf-8").splitlines()
    assert not [line for line in lines if ".toFixed(" in line and not any(word in line for word in FOR_MACHINES)]


def test_the_decimals_of_a_table_are_rounded_to_three_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    arguments: dict[str, Any] = {}
    monkeypatch.setattr(st, "dataframe", lambda table, **options: arguments.update(options, table=table))
    table = pd.DataFrame({"near": np.array([0.5899, 0.5908], np.float32), "whole": [2.0, float("nan")], "n": [1, 2]})
    decimal_table(table)
    assert arguments["table"]["near"].tolist() == [0.59, 0.591] and arguments["table"]["n"].tolist() == [1, 2]
    assert {name: column["type_config"]["step"] for name, column in arguments["column_config"].items()} == {
        "near": 0.001, "whole": None,
    }  # fmt: skip
    assert table["near"].dtype == np.float32
