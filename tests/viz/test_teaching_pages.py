"""Positions, Laboratory and Lesson: every screen, its text, and readers' unusual inputs."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from streamlit.testing.v1 import AppTest

import model
from model.teaching.experiments import head_hunt
from model.teaching.position_properties import encoding
from model.teaching.sentences import collection
from tests.checkpoint import save_tiny, tiny_bundle
from tests.pages import go_to
from tests.tiny import tiny_config
from viz import cache
from viz.figures.head_grid import head_grid
from viz.figures.laboratory import weight_maps
from viz.i18n import catalogue, number, speaking, tr
from viz.panels.laboratory.bench import PARTS, TABS
from viz.panels.lesson import sheets
from viz.panels.lesson.scenes import SCENES, lacking, minutes_of, scenes_of
from viz.panels.reading import Fitted, Reading
from viz.selection import Selection

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
        go_to(app, page)
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
            f"{area}.scene": "77", f"{area}.votes": "3.99.x", f"{area}.position": "511",
        },
    )  # fmt: skip


@pytest.mark.parametrize("kind", ["encoder_self", "decoder_self", "cross"])
def test_every_step_of_a_head_runs_for_every_kind(open_page, kind):
    for step in ("entrance", "project", "softmax", "concat", "feed", "top"):
        for shown in ("vector", "matrix"):
            open_page("inside", kind=kind, **{"inside.step": step, "inside.shown": shown})


def _shared(app: AppTest) -> dict[str, str]:
    return {key: value for key, value in app.query_params.items() if key in ("text", "interventions", "method", "rows")}


@pytest.mark.parametrize("number", range(len(SCENES)))
def test_a_scene_takes_a_vote_then_changes_then_explains_and_goes_back(open_page, number):
    scene = SCENES[number]
    app = open_page("lesson", **{"lesson.scene": str(number)})
    assert any(tr(f"lesson.{scene.name}_question") in text.value for text in app.markdown)
    assert not [button for button in app.button if button.key in ("lesson.change", "lesson.explain", "lesson.train")]
    assert app.button(key="lesson.vote").disabled
    wrong = (scene.question.right + 1) % 3
    app.radio(key=f"lesson.guess.{scene.name}").set_value(wrong).run()
    app.button(key="lesson.vote").click().run()
    assert not app.exception
    assert "".join(app.query_params["lesson.votes"]).split(".")[number] == str(wrong + 1)
    assert not app.success and not app.warning
    before = _shared(app)
    if scene.name != "train":
        app.button(key="lesson.change").click().run()
        assert not app.exception
        done = tr(f"lesson.{scene.name}_done").partition("{")[0]
        assert any(text.value.startswith(done) for text in app.markdown)
    app.button(key="lesson.explain").click().run()
    assert not app.exception
    assert app.warning[0].value == tr(f"lesson.{scene.name}_reply").split("|")[wrong]
    assert any(text.value.startswith(tr(f"lesson.{scene.name}_answer").partition("{")[0]) for text in app.markdown)
    if scene.name != "train":
        app.button(key="lesson.undo").click().run()
        assert not app.exception
        assert _shared(app) == before


def test_the_answer_of_the_first_scene_is_the_map_of_the_whole_model(open_page):
    def maps(**params: str) -> int:
        page = open_page("lesson", **{"lesson.votes": "1.1", **params})
        return sum("overview.map" in str(each.proto) for each in page.main if hasattr(each, "proto"))

    assert maps() == 0
    assert maps(**{"lesson.explained": "0"}) == 1
    assert maps(**{"lesson.explained": "0.1", "lesson.scene": "1"}) == 0


def test_a_right_vote_and_a_wrong_one_are_answered_differently(open_page):
    right = SCENES[1].question.right
    for vote in range(3):
        app = open_page("lesson", **{"lesson.scene": "1", "lesson.votes": f"0.{vote + 1}", "lesson.explained": "1"})
        assert bool(app.success) == (vote == right) and bool(app.warning) == (vote != right)


def test_a_vote_survives_a_fresh_visit_by_its_link(open_page):
    app = open_page("lesson", **{"lesson.scene": "6", "lesson.votes": "0.0.0.0.0.0.2"})
    assert any(sheets.options_of(SCENES[6])[1] in text.value for text in app.markdown)
    assert app.button(key="lesson.change")


def test_each_change_changes_what_it_says(open_page):
    expected = {
        "positions": ("interventions", "move:zero"), "heads": ("interventions", "off:x."),
        "encoder": ("interventions", "block:e"), "explain": ("interventions", "off:x"),
        "beam": ("method", "beam"), "cross": ("rows", "fed"), "box": ("text", "the cat is sleeping on the sofa"),
        "share": ("interventions", "off:x."),
    }  # fmt: skip
    for place, scene in enumerate(SCENES):
        if scene.name not in expected:
            continue
        app = open_page("lesson", **{"lesson.scene": str(place), "lesson.votes": ".".join("1" * 12)})
        app.button(key="lesson.change").click().run()
        name, part = expected[scene.name]
        assert part in "".join(app.query_params[name])


@pytest.mark.parametrize(("name", "key"), [("beam", "_whole"), ("explain", "_whole"), ("heads", "")])
def test_log_p_is_of_the_whole_translation_where_the_scene_is_about_it(open_page, name, key):
    place = next(number for number, scene in enumerate(SCENES) if scene.name == name)
    app = open_page("lesson", **{"lesson.scene": str(place), "lesson.votes": ".".join("1" * 12)})
    app.button(key="lesson.change").click().run()
    said = tr(f"lesson.log_prob{key}").partition("{")[0]
    assert sum(said in text.value for text in app.markdown) == 1


def test_leaving_a_scene_puts_its_change_back(open_page):
    app = open_page("lesson", **{"lesson.scene": "2", "lesson.votes": "0.0.1"})
    app.button(key="lesson.change").click().run()
    assert "interventions" in app.query_params
    app.button(key="lesson.next").click().run()
    assert "interventions" not in app.query_params and "".join(app.query_params["lesson.scene"]) == "3"
    assert "".join(app.query_params["text"]) == SENTENCE, "a sentence of one's own stays"


def test_without_a_sentence_of_ones_own_each_scene_brings_its_own(checkpoint, monkeypatch):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(checkpoint))
    app = AppTest.from_file(str(ROOT / "viz/main.py"), default_timeout=120)
    app.query_params["model"] = "tiny"
    go_to(app, "lesson")
    sentences = collection().scenes
    assert "".join(app.query_params["text"]) == sentences["box"]
    app.button(key="lesson.next").click().run()
    assert "".join(app.query_params["text"]) == sentences["pieces"]


def test_the_short_route_is_45_minutes_and_the_full_one_90(open_page):
    for route, total in (("short", 45), ("full", 90)):
        assert sum(minutes_of(SCENES[i], route) for i in scenes_of(route)) == total
    assert [SCENES[i].name for i in scenes_of("short")] == [
        "box", "positions", "head", "mask", "cross", "explain", "share"
    ]  # fmt: skip
    app = open_page("lesson", **{"lesson.route": "short"})
    app.button(key="lesson.next").click().run()
    assert "".join(app.query_params["lesson.scene"]) == "2"


def test_the_timer_says_until_when_a_scene_may_last(open_page):
    app = open_page("lesson", **{"lesson.route": "short", "lesson.scene": "2"})
    app.button(key="lesson.timer").click().run()
    assert any(text.value == tr("lesson.timer", spent=0, total=45, until=11) for text in app.caption)


@pytest.mark.parametrize("scene", ["mask", "positions"])
def test_what_a_change_is_compared_with_stands_beside_it_and_on_a_phone_below_it(open_page, scene):
    place = [each.name for each in SCENES].index(scene)
    app = open_page("lesson", **{"lesson.scene": str(place), "lesson.votes": ".".join("1" * 12)})
    assert len(app.get("plotly_chart")) == 1
    app.button(key="lesson.change").click().run()
    charts = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    assert len(charts) == 2
    assert all(len(chart["layout"]["annotations"]) == (1 if scene == "mask" else 2) for chart in charts)


def test_the_beam_is_compared_by_the_whole_sentence_and_other_changes_token_by_token(open_page):
    names = [each.name for each in SCENES]
    for scene, said in (("beam", "lesson.log_prob_whole"), ("encoder", "lesson.log_prob")):
        app = open_page("lesson", **{"lesson.scene": str(names.index(scene)), "lesson.votes": ".".join("1" * 12)})
        app.button(key="lesson.change").click().run()
        assert any(tr(said).partition("{")[0] in text.value for text in app.markdown)
    drift = json.loads(app.get("plotly_chart")[0].proto.spec)
    assert drift["layout"]["yaxis"]["ticktext"][0] == tr("lesson.encoder_start")


def test_a_sentence_without_final_punctuation_is_given_some_and_told_so(open_page):
    app = open_page("lesson", text="the cat is on the sofa", **{"lesson.votes": "1"})
    assert app.button(key="lesson.change").label == tr("lesson.box_try_add")
    app.button(key="lesson.change").click().run()
    assert "".join(app.query_params["text"]) == "the cat is on the sofa?"
    assert any(text.value == tr("lesson.box_done_add") for text in app.markdown)
    with speaking("en"):
        printed = sheets.Printed("the cat is on the sofa", "")
        for make in (sheets.worksheet, sheets.outline, sheets.slides):
            assert tr("lesson.box_try_add") in make([0], printed) and tr("lesson.box_try") not in make([0], printed)


@pytest.mark.parametrize("text", ["我喜欢旧书。", "cat", "the dog dog"])
def test_words_that_have_no_second_order_are_not_compared(open_page, text):
    app = open_page("lesson", text=text, **{"lesson.scene": "2", "lesson.votes": "1.1.1", "lesson.changed": "1"})
    assert tr("lesson.no_twin") in [info.value for info in app.info]
    said = {*(each.value for each in app.markdown), *(each.value for each in app.caption)}
    assert not said & {tr("lesson.positions_done"), tr("lesson.positions_look")}


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_every_scene_is_shown_by_a_translation_model_without_a_vocabulary(tmp_path, monkeypatch, scene):
    bundle = dataclasses.replace(tiny_bundle(), source_tokenizer=None, target_tokenizer=None, source_language=None)
    monkeypatch.setattr(cache, "bundle", lambda name: bundle)
    app = AppTest.from_file(str(ROOT / "viz/main.py"), default_timeout=120)
    number = str(SCENES.index(scene))
    app.query_params.update({"text": "#5 #6 #7 #8", "lesson.scene": number, "lesson.votes": ".".join("1" * 12)})
    go_to(app, "lesson")
    assert not app.exception and not app.error
    if scene.name in ("box", "pieces"):
        assert [info.value for info in app.info] == [tr("lesson.need_words")]
    elif scene.name != "train":
        app.button(key="lesson.change").click().run()
        assert not app.exception and not app.error


@pytest.mark.parametrize(
    ("changes", "missing"),
    [({"positions": "none"}, {"positions": "positions.no_positions"}),
     ({"score_scale": 1.0}, {"head": "lesson.need_scale"})],
)  # fmt: skip
def test_a_scene_says_what_the_model_in_use_does_not_have(changes, missing):
    bundle = tiny_bundle(**changes)
    here = Reading(Selection(), bundle, model.translate(bundle, SENTENCE), Fitted(SENTENCE, 8, (), (), False))
    assert {scene.name: key for scene in SCENES if (key := lacking(scene, here))} == missing


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


def test_the_recurrent_models_say_which_language_they_read(open_page):
    params = {"laboratory.part": "recurrent", "laboratory.recurrent": "translate"}
    app = open_page("laboratory", text="我喜欢旧书。", **params)
    assert tr("laboratory.recurrent_reads") in [info.value for info in app.info]


@pytest.mark.parametrize(
    ("language", "names"), [("en", "English|French"), ("zh", "英语|法语"), ("fr", "anglais|français")]
)
def test_an_explanation_names_no_language_because_any_model_can_be_open(language, names):
    for scene in SCENES:
        for part in ("question", "look", "done", "answer", "reply"):
            assert not re.search(names, catalogue(language)[f"lesson.{scene.name}_{part}"]), (scene.name, part)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_scene_is_written_in_full_in_each_language(language):
    parts = (
        "title", "question", "answer", "look", "try", "done", "teacher", "sheet", "reply", "expect", "mistake"
    )  # fmt: skip
    with speaking(language):
        for scene in SCENES:
            written = [tr(f"lesson.{scene.name}_{part}") for part in parts]
            assert all(written) and len(set(written)) == len(parts)
            assert len(set(sheets.options_of(scene))) == 3
            assert len(tr(f"lesson.{scene.name}_reply").split("|")) == 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_worksheet_asks_without_answering_and_escapes_the_sentence(language):
    scenes = range(len(SCENES))
    printed = sheets.Printed("<script>alert(1)</script>", "a & b", votes=(0, 2))
    with speaking(language):
        page, plan, deck = (make(scenes, printed) for make in (sheets.worksheet, sheets.outline, sheets.slides))
        assert "<script>" not in page and "&lt;script&gt;" in page and "a &amp; b" in page
        for text in (page, plan, deck):
            assert "http" not in text and f'lang="{language}"' in text and "{" not in text.partition("<body>")[2][:2000]
        for number, scene in enumerate(SCENES):
            answer = sheets.escape(tr(f"lesson.{scene.name}_answer")).partition("{")[0]
            assert answer not in page and answer in plan and answer in deck
            voted = sheets.escape(tr("lesson.sheet_voted", option=sheets.options_of(scene)[1]))
            assert (voted in page) == (number == 1)
        assert deck.count("<section>") == 1 + 3 * len(SCENES)


@pytest.mark.parametrize("changed", [False, True])
def test_the_sheets_print_the_models_own_translation_and_beside_it_the_changed_one(open_page, monkeypatch, changed):
    printed = []
    monkeypatch.setattr(sheets, "worksheet", lambda numbers, what: printed.append(what) or "")
    app = open_page("lesson", interventions="off:x.0.0 off:x.0.1 off:x.1.0 off:x.1.1", **{"lesson.votes": "1.1.1"})
    if changed:
        app.button(key="lesson.change").click().run()
    own = model.translate(cache.bundle(cache.model_names()[0]), SENTENCE)
    assert printed[-1].sentence == SENTENCE
    assert printed[-1].translation == own.text != printed[-1].changed
    assert len(printed[-1].changes) == 4
    with speaking("en"):
        made = [make([0], printed[-1]) for make in (sheets.outline, sheets.slides)]
    assert all(sheets.escape(text) in page for page in made for text in (own.text, printed[-1].changed))


def test_a_sheet_about_the_model_alone_speaks_of_no_change(open_page, monkeypatch):
    printed = []
    monkeypatch.setattr(sheets, "worksheet", lambda numbers, what: printed.append(what) or "")
    open_page("lesson")
    assert (printed[-1].changes, printed[-1].changed) == ((), "")


def test_a_lone_model_says_what_the_scene_needs_and_offers_the_translation_model(lone_page):
    for place, scene in enumerate(SCENES):
        app = lone_page("lesson", **{"lesson.scene": str(place), "lesson.votes": ".".join("1" * 12)})
        needed = "need_words" if scene.name in ("box", "pieces") else "need_translation"
        assert app.info[0].value == tr(f"lesson.{needed}")
        app.button(key="lesson.use_shipped").click().run()
        assert not app.exception


def test_the_hunt_shows_what_was_tried_and_a_head_that_is_off_is_drawn_pale(open_page):
    app = open_page("lesson", **{"lesson.scene": "9", "lesson.votes": ".".join("1" * 12)})
    app.button(key="lesson.change").click().run()
    assert len("".join(app.query_params["lesson.tried"]).split(".")) == 1
    figure = weight_maps([np.eye(2)], ["a", "b"], ["c", "d"], titles=[""], is_off=True).to_dict()
    assert figure["data"][0]["opacity"] < 0.5
    grid = head_grid(np.full((2, 2, 3, 3), 1 / 3, np.float32), kind="cross", off={(0, 1)}).to_dict()
    (rows,) = grid["datasets"].values()
    assert [row["is_off"] for row in rows] == [False, True, False, False]


def test_the_last_scene_begins_at_a_head_whose_loss_is_seen_unless_one_was_chosen(open_page):
    found = head_hunt(cache.bundle(cache.model_names()[0]), text=SENTENCE).first
    assert found is not None
    scene = {"lesson.scene": "11", "lesson.votes": ".".join("1" * 12)}
    app = open_page("lesson", **scene)
    assert tuple(int("".join(app.query_params[name])) for name in ("layer", "head")) == found
    other = str(1 - found[1])
    app = open_page("lesson", layer=str(found[0]), head=other, **scene)
    assert "".join(app.query_params["head"]) == other


def test_the_link_of_the_last_scene_has_host_and_page(open_page):
    app = open_page("lesson", **{"lesson.scene": "11", "lesson.votes": ".".join("1" * 12)})
    assert any("lesson.scene=11" in code.value for code in app.code)


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
        app = AppTest.from_file(str(ROOT / "viz/main.py"), default_timeout=120)
        app.query_params.update({"text": "#5 #6 #7"} | params)
        go_to(app, page)
        assert not app.exception, [error.message for error in app.exception]
        return app

    return opened


def test_every_screen_of_positions_runs_for_a_model_with_one_stack(lone_page):
    for part in POSITIONS:
        lone_page("positions", **{"positions.part": part})


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
    written = [line.value for line in app.latex]
    assert len(written) == 2
    for name, line, value in zip(("sin", "cos"), written, table[5, 2:4], strict=True):
        assert rf"\{name}" in line
        assert line.rstrip("$ \n").endswith(f"= {number(value, '.3f')}")


def test_the_toy_is_opened_as_a_model_with_its_sentence(open_page):
    app = open_page("laboratory", **{"laboratory.part": "toy", "laboratory.toy_pair": "3"})
    assert any("18" in text.value for text in app.caption)
    app.button(key="laboratory.toy.open").click().run()
    assert not app.exception
    assert app.query_params["text"] in ("katzen sehe ich", ["katzen sehe ich"])
    app.switch_page("pages/inside.py").run()
    assert not app.exception
    app.switch_page("pages/laboratory.py").run()
    app.button(key="laboratory.toy.open").click().run()
    assert app.query_params["model"] in ("toy 2", ["toy 2"])


def test_the_mask_is_filled_cell_by_cell(open_page):
    for cell, word in (("1", "open"), ("2", "hidden")):
        app = open_page(
            "laboratory", **{"laboratory.masks": "both", "laboratory.part": "masks", "laboratory.cell": cell}
        )
        assert any(f"**{word}**" in text.value for text in app.markdown)
