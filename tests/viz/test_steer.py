"""Steer on the Causal page: lists, slider and place are in the link, and the translation follows them."""

import pytest
from streamlit.testing.v1 import AppTest

import model
from model.interpret.editing.steering import Steered, steered, steering_examples, steering_vector
from tests.viz.page import page_text, run_page, url_param
from viz import cache
from viz.figures.contributions import steering_curve
from viz.i18n import LANGUAGES, catalogue
from viz.plain_text import escape_markdown

TEXT = "The house is very old."


@pytest.fixture
def open_steer(monkeypatch):
    def open_page(checkpoint: str = "en-fr", **params: str) -> AppTest:
        monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, checkpoint)
        return run_page("causal", **{"causal.part": "steer"} | params)

    return open_page


def steered_pair(text: str) -> tuple[str, str]:
    """The translations without and with the example's steering direction."""
    bundle, example = model.load(), steering_examples()["past"]
    vector = steering_vector(bundle, example.positives, example.negatives, at=example.at)
    before, after = steered(bundle, text, vector=vector, at=example.at, strengths=(0.0, example.strength)).texts
    return before, after


@pytest.mark.nightly("fr", "zh")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_view_shows_a_translation_that_changes(open_steer, language):
    app = open_steer(language=language)
    assert catalogue(language)["causal.steer_same"].rpartition("}")[2] not in page_text(app)
    before, after = map(escape_markdown, steered_pair(TEXT))
    app = open_steer(language=language, text=TEXT)
    assert before != after and before in page_text(app) and after in page_text(app)


@pytest.mark.nightly
def test_the_slider_changes_the_translation_and_the_link(open_steer):
    app = open_steer()
    app.slider(key="choice.causal.strength").set_value(0.0).run()
    assert "stays as it is" in page_text(app) and "0" in app.query_params["causal.strength"]
    reopened = open_steer(**{"causal.strength": "0"})
    assert "stays as it is" in page_text(reopened) and reopened.slider(key="choice.causal.strength").value == 0


@pytest.mark.nightly
def test_lists_with_french_translations_are_offered_to_models_that_write_french(open_steer):
    app = open_steer("en-de", text="I love you.", **{"causal.example": "formal"})
    assert not [control for control in app.segmented_control if control.key == "choice.causal.example"]
    pairs = app.text_area(key="choice.causal.positives").value
    assert pairs.splitlines() == list(steering_examples()["past"].positives) and "|" not in pairs


@pytest.mark.nightly
def test_another_example_sets_its_lists_place_and_strength(open_steer):
    app = open_steer(text="Is this your house?")
    app.text_area(key="choice.causal.positives").set_value("She was here.").run()
    app.segmented_control(key="choice.causal.example").set_value("formal").run()
    formal = steering_examples()["formal"]
    assert "votre maison" in page_text(app)
    assert app.selectbox(key="choice.causal.place").value == formal.at
    assert app.slider(key="choice.causal.strength").value == formal.strength
    assert "Où allez-vous" in app.text_area(key="choice.causal.positives").value
    app.button(key="steer_try.1").click().run()
    assert formal.tries[1] in str(app.query_params)


def test_own_lists_are_read_with_and_without_translations_and_mistakes_are_explained(open_steer):
    app = open_steer(**{"causal.positives": "She was here.\nIt was late. | Il était tard.", "causal.negatives": "|"})
    assert "at least one sentence in each list" in page_text(app)
    app.text_area(key="choice.causal.negatives").set_value("She is here.\n\n It is late. | Il est tard. ").run()
    assert "at least one sentence" not in page_text(app)
    assert "sentences that have nothing to do with the lists" in page_text(app)


def test_the_direction_can_be_used_on_all_pages_and_taken_back(open_steer):
    app = open_steer(text=TEXT)
    app.button(key="steer_apply").click().run()
    chip = app.button(key="change.0").label.replace("\\", "")
    assert "encoder.0.residual.after" in chip and "6 × a vector" in chip
    assert all(escape_markdown(text) in page_text(app) for text in steered_pair(TEXT)), (
        "the direction is not added twice"
    )
    app = open_steer(interventions=url_param(app, "interventions"))
    assert app.button(key="change.0").label.replace("\\", "") == chip


@pytest.mark.nightly(but=("logits",))
@pytest.mark.parametrize("place", ["encoder.9.residual.after", "logits", "x" * 60])
def test_a_link_with_an_impossible_place_shows_the_example(open_steer, place):
    app = open_steer("tiny", **{"causal.place": place, "causal.strength": "1e9", "causal.example": "nothing"})
    assert app.slider(key="choice.causal.strength").value == steering_examples()["past"].strength


def test_the_curve_marks_the_strength_and_names_both_lines():
    steered = Steered((0.0, 1.0), ("a", "b"), (100.0, 40.0), (100.0, 90.0))
    words = {"own": "this", "others": "others", "axis": "strength", "chrf": "chrF"}
    chart = steering_curve(steered, strength=1.0, mode="dark", words=words).to_dict()
    assert chart["layer"][0]["data"]["values"] == [{"strength": 1.0}]
    assert {row["line"] for row in chart["layer"][1]["data"]["values"]} == {"this", "others"}


def test_a_decoder_only_model_is_steered_to_another_continuation(open_steer):
    app = open_steer("tiny-decoder", text="The cat")
    bundle, example = model.load("tiny-decoder"), steering_examples()["past"]
    at = f"decoder.{bundle.config.n_decoder_layers - 1}.residual.after"
    assert app.selectbox(key="choice.causal.place").value == at
    vector = steering_vector(bundle, example.positives, example.negatives, at=at)
    before, after = steered(bundle, "The cat", vector=vector, at=at, strengths=(0.0, 2.0)).texts
    assert before != after and before.startswith("The cat") and after.startswith("The cat")
    assert escape_markdown(before) in page_text(app) and escape_markdown(after) in page_text(app)
    app.button(key="steer_apply").click().run()
    patch = model.Patch(at, add=vector, strength=2.0)
    steered_now = model.translate(bundle, "The cat", interventions=model.Interventions(patches=(patch,)))
    assert steered_now.text in after


def test_the_page_explains_why_a_decoder_only_model_has_no_circuit_and_no_groups(open_steer):
    app = open_steer("tiny-decoder", text="The cat")
    options = [option.content for option in app.button_group(key="choice.causal.part").proto.options]
    assert "Steer" in options and not {"The circuit", "Groups of pairs"} & set(options)
    assert "A circuit is not offered here, because" in page_text(app)
