"""Positions and Laboratory: every screen; and unusual inputs on every teaching page."""

import json
import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from model.layer_spec import AttentionSpec, Rotary
from model.teaching.position_properties import encoding
from tests.tiny import tiny_config
from tests.viz.page import assert_numbers_match_links
from viz.i18n import number, tr
from viz.laboratory import bench, masks
from viz.laboratory.bench import PARTS, TABS
from viz.positions import choices as positions_choices
from viz.positions import in_attention

POSITIONS = ("table", "waves", "vector", "dot", "rotation", "layout", "learned", "beyond", "sentence", "shuffle")


def test_every_screen_of_positions_runs(open_page):
    offered = set()
    for part in POSITIONS:
        app = open_page("positions", **{"positions.part": part})
        assert any(tr(f"positions.read_{part}") == text.value for text in app.markdown)
        offered |= assert_numbers_match_links(app, {"positions": positions_choices.Choices})
        if part == "rotation":
            assert app.slider(key="choice.positions.pair").max == tiny_config().d_model // 2 - 1
    assert offered >= {"n_positions", "position", "offset", "pair"}


@pytest.mark.nightly("toy")
@pytest.mark.parametrize("part", PARTS)
def test_every_screen_of_the_laboratory_runs(open_page, part):
    for screen in TABS.get(part, ("",)):
        params = {"laboratory.part": part} | ({f"laboratory.{part}": screen} if screen else {})
        app = open_page("laboratory", **params)
        name = f"{part}_{screen}" if screen else part
        assert any(tr(f"laboratory.read_{name}") == text.value for text in app.markdown)
        assert_numbers_match_links(app, {"laboratory": bench.Choices})


def test_the_time_without_the_cache_is_labelled_as_such(open_page, monkeypatch):
    monkeypatch.setattr(masks, "_seconds", lambda reading, cached: 0.003 if cached else 0.017)
    app = open_page("laboratory", **{"laboratory.part": "masks", "laboratory.masks": "cache"})
    assert any("takes 3 ms with the cache and 17 ms without" in text.value for text in app.markdown)


@pytest.mark.nightly(
    but=(
        "-lesson",
        "-inside",
        "cat-lesson",
        "-positions",
        "-laboratory",
        "text2-positions",
        "text2-laboratory",
        "\\u4f60\\u597d \\u2764 <b>-inside",
    )
)
@pytest.mark.parametrize("page", ["inside", "positions", "laboratory", "lesson"])
@pytest.mark.parametrize("text", ["", "cat", "the cat " * 100, "你好 ❤ <b>"])
def test_any_sentence_leaves_the_page_usable(open_page, page, text):
    open_page(page, text=text)


@pytest.mark.nightly(but=("inside",))
@pytest.mark.parametrize("page", ["inside", "positions", "laboratory", "lesson"])
def test_a_link_out_of_range_is_moved_inside(open_page, page):
    area = page
    open_page(
        page, layer="99", head="99", **{
            f"{area}.query": "500", f"{area}.layer": "99", f"{area}.head": "-3", f"{area}.pair": "9999",
            f"{area}.scene": "77", f"{area}.votes": "3.99.x", f"{area}.position": "511",
        },
    )  # fmt: skip


@pytest.mark.nightly("cross")
@pytest.mark.parametrize("kind", ["encoder_self", "decoder_self", "cross"])
def test_every_step_of_a_head_runs_for_every_kind(open_page, kind):
    for step in ("entrance", "project", "softmax", "concat", "feed", "top"):
        for view in ("vector", "matrix"):
            app = open_page("inside", kind=kind, **{"inside.step": step, "inside.shown": view})
            key = "top_encoder" if (step, kind) == ("top", "encoder_self") else step
            assert tr(f"inside.read_{key}") in [text.value for text in app.markdown]


@pytest.mark.parametrize("screen", ["scoring.compare", "scoring.window", "masks.causal", "masks.both"])
def test_maps_of_the_laboratory_stand_below_each_other_on_a_phone(open_page, screen):
    part, _, name = screen.partition(".")
    app = open_page("laboratory", **{"laboratory.part": part, f"laboratory.{part}": name})
    charts = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    assert len(charts) >= 2 and all(len(chart["data"]) == 1 for chart in charts)


@pytest.mark.parametrize(("length", "mask"), [(0, "1  1  1  1  1  1  1  1  1  0  0  0"), (4, "1  1  1  1")])
def test_a_row_of_a_batch_is_padded_or_cut_to_its_length(open_page, length, mask):
    params = {"laboratory.part": "data", "laboratory.data": "pipeline", "laboratory.steps": str(length)}
    app = open_page("laboratory", **params)
    assert app.code[-1].value == mask and len(app.code[-2].value.split()) == len(mask.split())
    assert bool([text for text in app.caption if text.value == tr("laboratory.data_cut", n=5)]) == (length == 4)


def test_the_recurrent_models_state_their_source_language(open_page):
    params = {"laboratory.part": "recurrent", "laboratory.recurrent": "translate"}
    app = open_page("laboratory", text="我喜欢旧书。", **params)
    assert tr("laboratory.recurrent_reads") in [info.value for info in app.info]


@pytest.mark.nightly(but=("hard",))
@pytest.mark.parametrize("screen", ["compare", "hard", "keyvalue"])
def test_the_laboratory_names_the_head_it_uses_and_lets_it_be_changed(open_page, screen):
    app = open_page("laboratory", **{"laboratory.scoring": screen})
    assert any(text.value == tr("laboratory.head_in_use") for text in app.caption)
    app.selectbox(key="choice..head").select(1).run()
    assert "".join(app.query_params["head"]) == "1"


@pytest.mark.nightly
def test_every_screen_of_positions_runs_for_a_model_with_one_stack(single_stack_page):
    for part in POSITIONS:
        single_stack_page("positions", **{"positions.part": part})


@pytest.mark.parametrize(("page", "part"), [
    ("positions", {"positions.part": "rotation"}), ("positions", {"positions.part": "layout"}),
    ("laboratory", {"laboratory.part": "optimisation", "laboratory.optimisation": "smoothing"}),
    ("laboratory", {"laboratory.part": "scoring", "laboratory.scoring": "hard"}),
])  # fmt: skip
def test_no_number_is_shown_as_a_programming_language_writes_it(open_page, page, part):
    app = open_page(page, **part)
    assert not [text.value for text in app.markdown if re.search(r"\de[-+]\d", text.value)]


def test_the_formula_of_a_position_gives_the_numbers_of_the_table(open_page):
    app = open_page("positions", **{"positions.part": "vector", "positions.position": "5", "positions.pair": "1"})
    table = encoding(np.arange(6), tiny_config().d_model)
    formulas = [line.value for line in app.latex]
    assert len(formulas) == 2
    for name, line, value in zip(("sin", "cos"), formulas, table[5, 2:4], strict=True):
        assert rf"\{name}" in line
        assert line.rstrip("$ \n").endswith(f"= {number(value, '.3f')}")


def test_the_toy_is_opened_as_a_model_with_its_sentence(open_page):
    app = open_page("laboratory", **{"laboratory.part": "toy", "laboratory.toy_pair": "3"})
    assert any("18" in text.value for text in app.caption)
    app.button(key="laboratory.toy.open").click().run()
    assert app.query_params["text"] in ("katzen sehe ich", ["katzen sehe ich"])
    app.switch_page("inside/inside.py").run()
    app.switch_page("laboratory/laboratory.py").run()
    app.button(key="laboratory.toy.open").click().run()
    assert app.query_params["model"] in ("toy 2", ["toy 2"])


@pytest.mark.nightly
def test_the_mask_is_filled_cell_by_cell(open_page):
    for cell, word in (("1", "open"), ("2", "hidden")):
        app = open_page(
            "laboratory", **{"laboratory.masks": "both", "laboratory.part": "masks", "laboratory.cell": cell}
        )
        assert any(f"**{word}**" in text.value for text in app.markdown)


def test_the_turns_of_a_model_are_named_by_the_layer_with_which_they_begin(monkeypatch):
    offered = []
    choose = lambda _, options, **options_: offered.extend(map(options_["format_func"], options))  # noqa: E731
    monkeypatch.setattr(in_attention.st, "segmented_control", choose)
    slow, fast = (Rotary(width=4, base=base) for base in (1e6, 1e4))
    reading: Any = SimpleNamespace(selection=SimpleNamespace(first_index=1))
    assert in_attention._choose_rotation(reading, {slow: 5, fast: 0}) == fast
    assert offered == [tr("positions.from_layer", n=n, base=base) for n, base in ((1, "10,000"), (6, "1,000,000"))]


def test_penalties_are_listed_with_the_distance_that_halves_a_weight(monkeypatch):
    rows = []
    monkeypatch.setattr(in_attention.st, "markdown", rows.append)
    for module, name in ((in_attention.chart, "show"), (in_attention.st, "latex"), (in_attention, "slider")):
        monkeypatch.setattr(module, name, lambda *args, **kwargs: None)
    spec = AttentionSpec(n_heads=2, d_key=4, d_value=4, slopes=(0.5, 0.0))
    monkeypatch.setattr(in_attention, "self_attention", lambda reading: [(0, spec)])
    reading: Any = SimpleNamespace(selection=SimpleNamespace(first_index=1))
    in_attention.alibi(reading, positions_choices.Choices())
    assert rows[0].splitlines()[2:] == ["| 1 | 0.5 | 1.4 |", "| 2 | 0 | ∞ |"]
