"""The Lesson: every scene with its texts and sheets, and messages for models that lack something."""

import dataclasses
import json
import re
from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import model
from model.teaching.experiments import removals
from model.teaching.sentences import collection, collections
from tests.checkpoint import tiny_bundle
from tests.viz.page import SENTENCE, page_text, run_page, url_param
from viz import cache
from viz.export.pages import Document, Words
from viz.figures.head_grid import head_grid
from viz.figures.laboratory import weight_maps
from viz.i18n import LANGUAGES, catalogue, speaking, tr
from viz.lesson import deck, sheets, teacher
from viz.lesson.choices import NAMES
from viz.lesson.moving import lacking, scenes_of
from viz.lesson.scenes import SCENES
from viz.lesson.views import chances
from viz.panels.opening import is_ours
from viz.panels.reading import ModelInput, Reading
from viz.state.selection import Selection

VOTED = ".".join(f"{scene.name}1" for scene in SCENES)


def words_of(document: Document) -> str:
    """All text of a document's pages."""
    return "\n".join(item.text for page in document.pages for item in page if isinstance(item, Words))


@pytest.fixture
def changed(open_page):
    """Opens a scene after its vote and applies its change."""

    def change(scene: str) -> AppTest:
        app = open_page("lesson", lesson__scene=scene, lesson__votes=VOTED)
        return app.button(key="lesson.change").click().run()

    return change


def _shared_link(app: AppTest) -> dict[str, str]:
    return {key: value for key, value in app.query_params.items() if key in ("text", "interventions", "method", "rows")}


@pytest.mark.nightly("9", "7", "2", "0", "11", "10")
@pytest.mark.parametrize("number", range(len(SCENES)))
def test_a_scene_takes_a_vote_then_changes_then_explains_and_goes_back(open_page, number):
    scene = SCENES[number]
    app = open_page("lesson", **{"lesson.scene": scene.name})
    assert tr(f"lesson.{scene.name}_question") in page_text(app)
    assert not [button for button in app.button if button.key in ("lesson.change", "lesson.explain", "lesson.train")]
    assert app.button(key="lesson.vote").disabled
    wrong = (scene.right + 1) % 3
    app.radio(key=f"lesson.guess.{scene.name}").set_value(wrong).run()
    app.button(key="lesson.vote").click().run()
    assert url_param(app, "lesson.votes") == f"{scene.name}{wrong + 1}"
    assert not app.success and not app.warning
    before = _shared_link(app)
    if scene.name != "train":
        app.button(key="lesson.change").click().run()
        outcome = tr(f"lesson.{scene.name}_done").partition("{")[0]
        assert any(text.value.startswith(outcome) for text in app.markdown)
    app.button(key="lesson.explain").click().run()
    assert app.warning[0].value == tr(f"lesson.{scene.name}_reply").split("|")[wrong]
    assert any(text.value.startswith(tr(f"lesson.{scene.name}_answer").partition("{")[0]) for text in app.markdown)
    if scene.name != "train":
        app.button(key="lesson.undo").click().run()
        assert _shared_link(app) == before


def test_the_number_of_important_heads_appears_after_five_trials(open_page):
    link = {"lesson.scene": "explain", "lesson.votes": VOTED, "lesson.explained": "explain"}
    invitation, count_text = (tr(f"lesson.explain_{name}").partition("{")[0] for name in ("open", "count"))
    for tried, is_counted in (("", False), ("0.1.2.3", False), ("0.1.2.3.4", True)):
        texts = "\n".join(text.value for text in open_page("lesson", **link, **{"lesson.tried": tried}).markdown)
        assert (count_text in texts, invitation in texts) == (is_counted, not is_counted)


def test_the_roles_of_the_three_heads_are_shown_with_the_explanation(open_page):
    def page_source(**params: str) -> str:
        app = open_page("lesson", **{"lesson.scene": "heads", "lesson.votes": VOTED, **params})
        return "".join(str(element.proto) for element in app.main if hasattr(element, "proto"))

    follows = tr("lesson.heads_follows").partition("}")[2]
    assert tr("lesson.heads_which") in page_source() and follows not in page_source()
    assert follows in page_source(**{"lesson.explained": "heads"})


def test_the_answer_of_the_first_scene_is_the_map_of_the_whole_model(open_page):
    def maps(**params: str) -> int:
        page = open_page("lesson", **{"lesson.votes": "1.1", **params})
        return sum("overview.map" in str(element.proto) for element in page.main if hasattr(element, "proto"))

    assert maps() == 0
    assert maps(**{"lesson.explained": "0"}) == 1
    assert maps(**{"lesson.explained": "0.1", "lesson.scene": "1"}) == 0


def test_a_right_vote_and_a_wrong_one_are_answered_differently(open_page):
    right = SCENES[1].right
    for vote in range(3):
        app = open_page("lesson", **{"lesson.scene": "1", "lesson.votes": f"0.{vote + 1}", "lesson.explained": "1"})
        assert bool(app.success) == (vote == right) and bool(app.warning) == (vote != right)


def test_a_vote_survives_a_fresh_visit_by_its_link(open_page):
    app = open_page("lesson", **{"lesson.scene": "6", "lesson.votes": "0.0.0.0.0.0.2"})
    (answers,) = [html.proto.body for html in app.get("html") if '<div class="regard-answers"' in html.proto.body]
    marked_answers = re.findall(r'class="regard-answer own"[^>]*><span>(.*?)</span>', answers)
    assert marked_answers == [sheets.options_of(SCENES[NAMES.index("mask")])[1]]
    assert app.button(key="lesson.change")


def test_each_intervention_changes_the_part_that_it_names(changed):
    expected = {
        "positions": ("interventions", "move:zero"), "heads": ("interventions", "off:x."),
        "encoder": ("interventions", "block:e"), "explain": ("interventions", "off:x"),
        "beam": ("method", "beam"), "cross": ("rows", "fed"), "box": ("interventions", "block:x."),
        "share": ("interventions", "off:x."),
    }  # fmt: skip
    for scene, (name, part) in expected.items():
        assert part in url_param(changed(scene), name)


def test_the_translations_without_positions_are_shown_after_the_change_only(open_page):
    app = open_page("lesson", **{"lesson.scene": "positions", "lesson.votes": VOTED})
    for n_columns in (2, 3):
        (table,) = [text.value for text in app.markdown if text.value.startswith(f"| {tr('lesson.twin')} |")]
        assert {line.count(" |") for line in table.splitlines()} == {n_columns}
        assert (tr("lesson.without_positions") in table) == (n_columns == 3)
        if n_columns == 2:
            app.button(key="lesson.change").click().run()


@pytest.mark.nightly(but=("explain",))
@pytest.mark.parametrize(("name", "key"), [("beam", "_whole"), ("explain", "_whole"), ("heads", ""), ("encoder", "")])
def test_the_probability_is_of_the_whole_translation_where_the_scene_is_about_it(changed, name, key):
    app = changed(name)
    assert page_text(app).count(tr(f"lesson.sure{key}").partition("{")[0]) == 1
    if name == "encoder":
        drift = json.loads(app.get("plotly_chart")[0].proto.spec)
        assert drift["layout"]["yaxis"]["ticktext"][0] == tr("lesson.encoder_start")


@pytest.mark.nightly
def test_leaving_a_scene_puts_its_change_back(open_page):
    app = open_page("lesson", **{"lesson.scene": "2", "lesson.votes": "0.0.1"})
    app.button(key="lesson.change").click().run()
    assert "interventions" in app.query_params
    app.button(key="lesson.next").click().run()
    assert "interventions" not in app.query_params and url_param(app, "lesson.scene") == "head"
    assert url_param(app, "text") == SENTENCE, "a sentence of one's own stays"


@pytest.mark.nightly(but=("pieces",))
@pytest.mark.parametrize("scene", ["cross", "beam", "pieces"])
def test_undo_retains_the_choices_made_before_the_change(open_page, scene):
    chosen = {"rows": "fed", "method": "sample", "seed": "7", "pins": "q1", "beam_size": "3"}
    app = open_page("lesson", **{"lesson.scene": scene, "lesson.votes": VOTED}, **chosen)
    names = ("text", "rows", "method", "seed", "pins", "beam_size")

    def choices_in_link() -> dict[str, str]:
        return {name: url_param(app, name) for name in names if name in app.query_params}

    before = choices_in_link()
    app.button(key="lesson.change").click().run()
    assert choices_in_link() != before
    app.button(key="lesson.undo").click().run()
    assert choices_in_link() == before


@pytest.mark.nightly
def test_undo_brings_back_the_whole_of_a_long_text(open_page):
    text = f"{SENTENCE} {'x' * 2_000}"  # too long for a link, but few tokens
    app = open_page("lesson", **{"lesson.scene": "cross", "lesson.votes": VOTED, "text": text})
    before = url_param(app, "long")
    app.button(key="lesson.change").click().run()
    assert url_param(app, "lesson.long_before") == before
    app.button(key="lesson.undo").click().run()
    assert url_param(app, "long") == before


@pytest.mark.nightly
def test_a_link_of_an_earlier_version_undoes_its_change(open_page):
    for number, changed in (("8", {"method": "beam"}), ("7", {"rows": "fed"})):
        votes = {"lesson.scene": number, "lesson.votes": ".".join("1" * 12), "lesson.changed": "1"}
        app = open_page("lesson", **votes, **changed)
        app.button(key="lesson.undo").click().run()
        assert not set(changed) & set(app.query_params)


@pytest.mark.nightly(but=("room-beam", "explore-cross"))
@pytest.mark.parametrize("scene", ["explain", "beam", "cross"])
@pytest.mark.parametrize("page", ["room", "explore"])
def test_a_change_that_leaves_the_lesson_is_named_and_undone_where_it_goes(open_page, scene, page):
    app = open_page("lesson", **{"lesson.scene": scene, "lesson.votes": VOTED})
    before = _shared_link(app)
    app.button(key="lesson.change").click().run()
    app.switch_page(f"{page}/{page}.py").run()
    carried = tr("lesson.carried", n=NAMES.index(scene) + 1, title=tr(f"lesson.{scene}_title"))
    assert carried in page_text(app)
    app.button(key="lesson.carried_undo").click().run()
    assert _shared_link(app) == before
    assert carried not in page_text(app)


def test_without_a_typed_sentence_each_scene_has_its_sentence(tiny_server, monkeypatch):
    broken_off: list[object] = []
    with monkeypatch.context() as patch:  # an interrupted first run may leave the stage blank
        patch.setattr(st, "rerun", lambda **options: broken_off.append(options))
        app = run_page("lesson", model="tiny")
    assert not broken_off
    sentences = collection().scenes
    assert url_param(app, "text") == sentences["box"]
    for scene in ("pieces", "positions"):
        app.button(key="lesson.next").click().run()
        assert url_param(app, "text") == sentences[scene]


def test_the_short_route_leads_through_nine_scenes(open_page):
    assert [SCENES[i].name for i in scenes_of("short")] == [
        "box", "pieces", "positions", "head", "layer", "mask", "loss", "cross", "explain"
    ]  # fmt: skip
    app = open_page("lesson", **{"lesson.route": "short"})
    app.button(key="lesson.next").click().run()
    assert url_param(app, "lesson.scene") == "pieces"


def test_the_timer_shows_until_when_a_scene_may_last(open_page):
    app = open_page("lesson", **{"lesson.route": "short", "lesson.scene": "2"})
    app.button(key="lesson.timer").click().run()
    assert any(text.value == tr("lesson.timer", spent=0, total=45, until=13) for text in app.caption)


@pytest.mark.parametrize("scene", ["mask", "positions"])
def test_the_comparison_is_beside_the_change_and_on_a_phone_below_it(open_page, scene):
    app = open_page("lesson", **{"lesson.scene": scene, "lesson.votes": VOTED})
    assert len(app.get("plotly_chart")) == 1
    app.button(key="lesson.change").click().run()
    charts = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    assert len(charts) == 2
    assert all(len(chart["layout"]["annotations"]) == (1 if scene == "mask" else 2) for chart in charts)


def test_the_word_that_the_class_chooses_is_hidden_and_then_another(open_page):
    app = open_page("lesson", text="the cat is on the sofa", **{"lesson.votes": "box1"})
    (words,) = [group for group in app.main if group.type == "button_group" and "lesson.hide" in (group.key or "")]
    words.set_value(2).run()
    assert "interventions" not in app.query_params, "it is chosen, and not yet hidden"
    app.button(key="lesson.change").click().run()
    assert url_param(app, "interventions").startswith("block:x.2.")
    assert any("“is”" in text.value for text in app.markdown)
    (words,) = [group for group in app.main if group.type == "button_group" and "lesson.hide" in (group.key or "")]
    words.set_value(5).run()
    assert url_param(app, "interventions").startswith("block:x.5.")
    app.button(key="lesson.undo").click().run()
    assert "interventions" not in app.query_params


def test_before_the_vote_a_notice_shows_whether_the_classs_sentence_suits_the_scene(checkpoint, monkeypatch, open_page):
    monkeypatch.setattr("viz.cache.bundle", lambda _: model.load())

    def notices(text: str) -> tuple[bool, bool]:
        app = open_page("lesson", text=text, **{"lesson.scene": "beam"})
        assert any(button.key == "lesson.own_sentence" for button in app.button) == (
            text != collection().scenes["beam"]
        )
        return tr("lesson.shows") in page_text(app), tr("lesson.shows_not") in page_text(app)

    assert notices(collection().scenes["beam"]) == (False, False)
    assert notices("Why are you so late?") == (True, False)
    assert notices("He is older than his brother.") == (False, True)


@pytest.mark.nightly(but=("pieces",))
@pytest.mark.parametrize("scene", ["heads", "pieces", "encoder", "box"])
def test_another_sentence_ends_the_change_that_was_made_on_the_first(open_page, changed, scene):
    app = changed(scene)
    assert url_param(app, "lesson.changed") == "1"
    reopened = open_page("lesson", **dict(app.query_params) | {"text": "the dog sees a cat ."})
    assert not {"interventions", "lesson.changed"} & set(reopened.query_params)
    assert url_param(reopened, "text") == "the dog sees a cat ."


def test_another_model_ends_the_change_and_keeps_the_sentence(open_page, changed, monkeypatch):
    app = changed("heads")
    monkeypatch.setattr("viz.cache.bundle", lambda _: tiny_bundle(seed=1))
    reopened = open_page("lesson", **dict(app.query_params))
    assert "interventions" not in reopened.query_params and url_param(reopened, "text") == SENTENCE


def test_probabilities_have_two_figures_and_a_third_where_two_would_read_the_same():
    with speaking("en"):
        assert chances(0.0452, 0.0688) == ["4.5%", "6.9%"]
        assert chances(0.1683, 0.1741) == ["16.8%", "17.4%"] and chances(0.5, 0.5) == ["50%", "50%"]
        assert chances(0.00012) == ["0.012%"] and chances(0.9962) == ["99.6%"] and chances(1.0) == ["100%"]


@pytest.mark.parametrize("text", ["我喜欢旧书。", "cat", "the dog dog"])
def test_words_that_have_no_second_order_are_not_compared(open_page, text):
    app = open_page("lesson", text=text, **{"lesson.scene": "2", "lesson.votes": "1.1.1", "lesson.changed": "1"})
    assert tr("lesson.no_twin") in [info.value for info in app.info]
    assert not any(tr(f"lesson.positions_{part}") in page_text(app) for part in ("done", "look"))


@pytest.mark.nightly(but=("box",))
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_every_scene_is_shown_by_a_translation_model_without_a_vocabulary(monkeypatch, scene):
    bundle = dataclasses.replace(tiny_bundle(), source_tokenizer=None, target_tokenizer=None, source_language=None)
    monkeypatch.setattr(cache, "bundle", lambda name: bundle)
    app = run_page("lesson", text="#5 #6 #7 #8", lesson__scene=scene.name, lesson__votes=VOTED)
    assert not app.error
    if scene.name in ("box", "pieces"):
        assert [info.value for info in app.info] == [tr("lesson.need_words")]
    elif scene.name != "train":
        app.button(key="lesson.change").click().run()
        assert not app.error


@pytest.mark.parametrize(
    ("changes", "missing"),
    [({"positions": "none"}, {"positions": "positions.no_positions"}),
     ({"score_scale": 1.0}, {"head": "lesson.need_scale"})],
)  # fmt: skip
def test_a_scene_names_the_part_that_the_model_lacks(changes, missing):
    bundle = tiny_bundle(**changes)
    reading = Reading(Selection(), bundle, model.translate(bundle, SENTENCE), ModelInput(SENTENCE, 8, (), (), False))
    assert {scene.name: key for scene in SCENES if (key := lacking(scene, reading))} == missing


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
            texts = [tr(f"lesson.{scene.name}_{part}") for part in parts]
            assert all(texts) and len(set(texts)) == len(parts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_worksheet_asks_without_answering_and_the_outline_escapes_the_sentence(language):
    scenes = range(len(SCENES))
    printed = sheets.Printed("<script>alert(1)</script>", "a & b")
    with speaking(language):
        page, slide_words = (words_of(make(scenes, printed)) for make in (deck.worksheet, deck.slides))
        plan = sheets.outline(scenes, printed)
        assert "<script>" not in plan and "&lt;script&gt;" in plan and "a &amp; b" in plan
        assert "http" not in plan and f'lang="{language}"' in plan and "{" not in plan.partition("<body>")[2][:2000]
        assert page.count(tr("lesson.sheet_guess")) == len(SCENES), "the guess is for the student to write"
        for scene in SCENES:
            answer = deck.plain(tr(f"lesson.{scene.name}_answer").partition("{")[0])
            right = deck.plain(deck.first_sentence(sheets.replies_of(scene)[scene.right], at_least=12))
            assert right in slide_words and right not in page
            assert answer not in page and answer not in slide_words, "the whole explanation is the teacher's to give"
            assert sheets.escape(tr(f"lesson.{scene.name}_answer")).partition("{")[0] in plan


@pytest.fixture
def printed(monkeypatch) -> list[sheets.Printed]:
    """The contents that the page prints on sheets, appended at each run."""
    contents, original = [], teacher.printed_of
    monkeypatch.setattr(teacher, "printed_of", lambda *args: contents.append(original(*args)) or contents[-1])
    return contents


@pytest.mark.parametrize("presses", [False, True])
def test_the_sheets_print_the_original_translation_beside_the_changed_one(open_page, printed, presses):
    app = open_page("lesson", interventions="off:x.0.0 off:x.0.1 off:x.1.0 off:x.1.1", **{"lesson.votes": "1.1.1"})
    if presses:
        app.button(key="lesson.change").click().run()
    original = model.translate(cache.bundle(cache.model_names()[0]), SENTENCE)
    assert printed[-1].sentence == SENTENCE
    assert printed[-1].translation == original.text != printed[-1].changed
    assert len(printed[-1].changes) == 4
    with speaking("en"):
        page, slide_words = sheets.outline([0], printed[-1]), words_of(deck.slides([0], printed[-1]))
    assert all(sheets.escape(text) in page and text in slide_words for text in (original.text, printed[-1].changed))


def test_a_sheet_about_the_model_alone_speaks_of_no_change(open_page, printed):
    open_page("lesson")
    assert (printed[-1].changes, printed[-1].changed) == ((), "")


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_a_page_that_may_be_projected_has_no_answer_for_the_teacher(open_page, scene):
    app = open_page("lesson", **{"lesson.scene": scene.name, "lesson.votes": VOTED})
    page_texts = "".join(text.value for text in (*app.markdown, *app.caption, *app.info))
    assert tr("lesson.teacher_files") in page_texts
    with speaking("en"):
        answers = [tr(f"lesson.{scene.name}_{part}").partition("{")[0] for part in ("teacher", "expect", "mistake")]
        notes = sheets.outline([SCENES.index(scene)], sheets.Printed(SENTENCE, ""))
    assert not any(text in page_texts for text in answers)
    assert all(sheets.escape(text) in notes for text in answers)


def test_one_click_on_the_lesson_sets_it_in_presenter_type(open_page):
    app = open_page("lesson")
    app.button(key="lesson.large").click().run()
    assert url_param(app, "presenter") == "1"
    assert not [button for button in app.button if button.key == "lesson.large"]


@pytest.mark.nightly(but=("bert",))
def test_a_scene_with_a_single_stack_model_names_its_requirement_and_offers_the_translation_model(single_stack_page):
    for scene in SCENES:
        app = single_stack_page("lesson", **{"lesson.scene": scene.name, "lesson.votes": VOTED})
        if scene.name == "reader":  # it uses the handwriting model
            assert not app.button(key="lesson.change").disabled
            continue
        needed = "need_words" if scene.name in ("box", "pieces") else "need_translation"
        assert app.info[0].value == tr(f"lesson.{needed}")
        app.button(key="lesson.use_shipped").click().run()


def test_the_hunt_shows_tried_heads_and_draws_ablated_ones_pale(changed):
    assert len(url_param(changed("9"), "lesson.tried").split(".")) == 1
    figure = weight_maps([np.eye(2)], ["a", "b"], ["c", "d"], titles=[""], is_off=True).to_dict()
    assert figure["data"][0]["opacity"] < 0.5
    grid = head_grid(np.full((2, 2, 3, 3), 1 / 3, np.float32), kind="cross", off={(0, 1)}).to_dict()
    (rows,) = grid["datasets"].values()
    assert [row["is_off"] for row in rows] == [False, True, False, False]


def test_the_last_scene_begins_at_a_head_whose_loss_is_seen_unless_one_was_chosen(open_page, monkeypatch):
    first_head = removals(cache.bundle(cache.model_names()[0]), SENTENCE).first
    assert first_head is not None
    scene = {"lesson.scene": "11", "lesson.votes": VOTED}
    broken_off: list[object] = []
    with monkeypatch.context() as patch:  # an interrupted first run may leave the stage blank
        patch.setattr(st, "rerun", lambda **options: broken_off.append(options))
        app = open_page("lesson", **scene)
    assert not broken_off
    assert tuple(int(url_param(app, name)) for name in ("layer", "head")) == first_head
    other_head = str(1 - first_head[1])
    app = open_page("lesson", layer=str(first_head[0]), head=other_head, **scene)
    assert url_param(app, "head") == other_head


def test_the_link_of_the_last_scene_has_host_and_page(open_page):
    app = open_page("lesson", **{"lesson.scene": "share", "lesson.votes": VOTED})
    assert any("lesson.scene=share" in code.value for code in app.code)


def test_scenes_replace_the_applications_first_and_suggested_sentences():
    bundle = tiny_bundle()
    fronts = [collection.front.text for collection in collections() if collection.front is not None]
    offered = [example.text for collection in collections() for example in collection.gallery]
    assert fronts and offered and all(is_ours(text, bundle) for text in (*fronts, *offered))
    assert not is_ours("A sentence that somebody typed.", bundle)


@pytest.mark.nightly(but=("box",))
@pytest.mark.parametrize("scene", ["box", "mask"])
def test_before_the_vote_the_sentence_and_its_translation_stand_beside_the_question(open_page, scene):
    app = open_page("lesson", **{"lesson.scene": scene, "text": SENTENCE})
    subheaders = [subheader.value for subheader in app.subheader]
    text = re.escape(SENTENCE.rstrip(" ."))
    assert any(re.search(text, subheader.replace("\\", "")) for subheader in subheaders)
    (translation,) = [subheader for subheader in subheaders if subheader.startswith("→ ")]
    assert (":blue-background[" in translation) == (scene == "box"), "the question asks about one word"
    app.radio(key=f"lesson.guess.{scene}").set_value(0).run()
    app.button(key="lesson.vote").click().run()
    assert not [subheader for subheader in app.subheader if subheader.value.startswith("→ ")]


def test_the_outline_of_one_scene_is_on_its_sentence(monkeypatch):
    monkeypatch.setattr(teacher, "example", lambda number, *_, **__: sheets.Example(f"Sentence {number}", "Satz"))
    reading: Any = None  # only used by the functions replaced above
    text = teacher.outline((3,), sheets.Printed(SENTENCE, ""), reading, "en")
    assert "Sentence 3" in text and "Sentence 2" not in text
