"""Positions, laboratory and lesson: every screen, what it says, and what the reader can break."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch
import transformers
from streamlit.testing.v1 import AppTest

import model
from tests.checkpoint import save_tiny, tiny_bundle
from viz import cache
from viz.i18n import speaking, tr
from viz.panels.laboratory.bench import PARTS, TABS
from viz.panels.lesson import sheets
from viz.panels.lesson.scenes import SCENES, sharpest_head

ROOT = Path(__file__).parents[2]
LANGUAGES = ("en", "zh", "fr")
POSITIONS = ("table", "waves", "vector", "dot", "rotation", "layout", "learned", "beyond", "sentence", "shuffle")
SENTENCE = "the cat is sleeping on the sofa ."


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory):
    return save_tiny(tmp_path_factory.mktemp("teaching") / "tiny")


@pytest.fixture
def open_page(checkpoint, monkeypatch):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(checkpoint))

    def opened(page: str, **params: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "viz/main.py"), default_timeout=120)
        app.query_params.update({"text": SENTENCE} | params)
        app.run()
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception, [error.message for error in app.exception]
        return app

    return opened


def test_every_screen_of_positions_runs(open_page):
    for part in POSITIONS:
        app = open_page("positions", **{"positions.part": part})
        assert any(tr(f"positions.read_{part}") == text.value for text in app.markdown)


@pytest.mark.parametrize("part", PARTS)
def test_every_screen_of_the_laboratory_runs(open_page, part):
    for screen in TABS.get(part, ("",)):
        params = {"laboratory.part": part} | ({f"laboratory.{part}": screen} if screen else {})
        app = open_page("laboratory", **params)
        name = f"{part}_{screen}" if screen else part
        assert any(tr(f"laboratory.read_{name}") == text.value for text in app.markdown)


@pytest.mark.parametrize("page", ["inside", "positions", "laboratory", "lesson"])
@pytest.mark.parametrize("text", ["", "cat", "the cat " * 100, "你好 ❤ <b>"])
def test_any_sentence_leaves_the_page_usable(open_page, page, text):
    open_page(page, text=text)


@pytest.mark.parametrize("page", ["inside", "positions", "laboratory", "lesson"])
def test_a_link_out_of_range_is_moved_inside(open_page, page):
    area = page
    open_page(
        page, layer="99", head="99", **{
            f"{area}.query": "500", f"{area}.layer": "99", f"{area}.head": "-3", f"{area}.pair": "9999",
            f"{area}.scene": "77", f"{area}.seen": "3.99.x", f"{area}.position": "511",
        },
    )  # fmt: skip


@pytest.mark.parametrize("kind", ["encoder_self", "decoder_self", "cross"])
def test_every_step_of_a_head_runs_for_every_kind(open_page, kind):
    for step in ("entrance", "project", "softmax", "concat", "feed", "top"):
        for shown in ("vector", "matrix"):
            open_page("inside", kind=kind, **{"inside.step": step, "inside.shown": shown})


@pytest.mark.parametrize("number", range(len(SCENES)))
def test_a_scene_asks_then_reveals_then_changes_and_goes_back(open_page, number):
    scene = SCENES[number]
    app = open_page("lesson", **{"lesson.scene": str(number)})
    assert any(tr(f"lesson.{scene.name}_question") in text.value for text in app.markdown)
    assert not app.success
    app.button(key="lesson.reveal").click().run()
    assert not app.exception
    assert app.success[0].value == tr(f"lesson.{scene.name}_answer")
    assert "".join(app.query_params["lesson.seen"]) == str(number)
    if scene.name == "train":
        return
    before = {
        key: value for key, value in app.query_params.items() if key in ("text", "interventions", "method", "rows")
    }
    app.button(key="lesson.change").click().run()
    assert not app.exception
    assert any(text.value == tr(f"lesson.{scene.name}_done") for text in app.markdown)
    app.button(key="lesson.undo").click().run()
    assert not app.exception
    after = {
        key: value for key, value in app.query_params.items() if key in ("text", "interventions", "method", "rows")
    }
    assert after == before


def test_each_change_changes_what_it_says(open_page):
    expected = {
        "positions": ("interventions", "move:shuffle"), "heads": ("interventions", "off:x.0"),
        "encoder": ("interventions", "e"), "mask": ("interventions", ""), "explain": ("interventions", "off:x"),
        "beam": ("method", "beam"), "cross": ("rows", "fed"), "box": ("text", "the cat is sleeping on the sofa"),
    }  # fmt: skip
    for number, scene in enumerate(SCENES):
        if scene.name not in expected:
            continue
        app = open_page("lesson", **{"lesson.scene": str(number), "lesson.seen": str(number)})
        app.button(key="lesson.change").click().run()
        name, part = expected[scene.name]
        assert part in "".join(app.query_params[name])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_scene_is_written_in_full_in_each_language(language):
    with speaking(language):
        for scene in SCENES:
            parts = ("title", "question", "answer", "look", "try", "done", "teacher", "sheet")
            written = [tr(f"lesson.{scene.name}_{part}") for part in parts]
            assert all(written) and len(set(written)) == len(parts)
            assert len(set(sheets.options_of(scene))) == 3
            minutes = re.search(r"\d+", tr(f"lesson.{scene.name}_teacher"))
            assert minutes is not None and int(minutes.group()) == scene.minutes


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_worksheet_asks_without_answering_and_escapes_the_sentence(language):
    scenes = list(enumerate(SCENES, 1))
    with speaking(language):
        page = sheets.worksheet(scenes, sentence="<script>alert(1)</script>", translation="a & b")
        plan = sheets.outline(scenes, sentence="x", translation="y")
        assert "<script>" not in page and "&lt;script&gt;" in page and "a &amp; b" in page
        assert "http" not in page and f'lang="{language}"' in page
        for scene in SCENES:
            answer = sheets.escape(tr(f"lesson.{scene.name}_answer"))
            assert answer not in page and answer in plan


def test_the_sharpest_head_is_the_one_with_the_largest_weights():
    trace = model.translate(tiny_bundle(), "the cat is on the sofa .")
    cross, found = trace.attention.cross, sharpest_head(trace)
    assert cross is not None
    means = {(i, j): cross[i, j].max(-1).mean() for i in range(2) for j in range(2)}
    assert found is not None and means[found] == max(means.values())


@pytest.mark.parametrize("screen", ["compare", "hard", "keyvalue"])
def test_the_laboratory_names_the_head_it_uses_and_lets_it_be_changed(open_page, screen):
    app = open_page("laboratory", **{"laboratory.scoring": screen})
    assert any(text.value == tr("laboratory.head_in_use") for text in app.caption)
    app.selectbox(key="choice..head").select(1).run()
    assert not app.exception and "".join(app.query_params["head"]) == "1"


@pytest.fixture(params=["bert", "gpt2"])
def lone_page(request, tmp_path, monkeypatch):
    torch.manual_seed(0)
    if request.param == "bert":
        config = transformers.BertConfig(
            vocab_size=40, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24
        )
        transformers.BertModel(config).save_pretrained(tmp_path / "lone")
    else:
        config = transformers.GPT2Config(vocab_size=40, n_embd=16, n_layer=2, n_head=2, bos_token_id=0, eos_token_id=0)
        transformers.GPT2LMHeadModel(config).save_pretrained(tmp_path / "lone")
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(tmp_path / "lone"))

    def opened(page: str, **params: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
        app.query_params.update({"text": "#5 #6 #7"} | params)
        app.run()
        app.switch_page(f"viz/pages/{page}.py").run()
        assert not app.exception, [error.message for error in app.exception]
        return app

    return opened


def test_every_screen_of_positions_runs_for_a_model_with_one_stack(lone_page):
    for part in POSITIONS:
        lone_page("positions", **{"positions.part": part})
