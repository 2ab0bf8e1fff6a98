"""The target language of a multilingual model is chosen in the model picker and written to the link."""

import dataclasses

import numpy as np
import pytest

import model
from model.attention_files import AttentionRecord, read_attention
from model.attention_files.formats import npz_bytes
from model.trace import AttentionMaps
from model.training.lessons import LESSONS
from tests.checkpoint import tiny_bundle
from tests.checkpoints.test_target_language import many_languages
from tests.pages import open_drawers
from tests.viz.page import run_page, url_param
from viz import cache
from viz.explore.take_away import stem_of
from viz.fine_tune.form import is_for
from viz.panels.opening import Examples, target_examples


def test_a_language_is_chosen_from_the_tokenizers_codes_and_written_to_the_link(monkeypatch, tmp_path):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(many_languages("mbart50", tmp_path / "many")[0]))
    app = run_page()
    (picker,) = [box for box in app.selectbox if box.label == "Language of the translation"]
    assert {"en_XX", "fr_XX", "de_DE"} <= set(picker.options)
    picker.set_value("fr_XX").run()
    assert url_param(app, "target_language") == "fr_XX"
    captions = [code.value for code in open_drawers(app).run().code if "caption" in code.value]
    assert captions and all(r"fr\_XX" in caption for caption in captions), "what is written of the view names it"
    reopened = run_page(target_language="fr_XX")
    (picker,) = [box for box in reopened.selectbox if box.label == "Language of the translation"]
    assert picker.value == "fr_XX"
    reopened.query_params["target_language"] = "xx_YY"
    reopened.run()


@pytest.mark.nightly(but=("nllb",))
@pytest.mark.parametrize(
    ("kind", "french", "german"), [("nllb", "fra_Latn", "deu_Latn"), ("mbart50", "fr_XX", "de_DE")]
)
def test_a_lesson_of_two_languages_is_for_a_model_that_is_set_to_them(kind, french, german, tmp_path):
    folder = many_languages(kind, tmp_path / kind)[0]
    lesson = next(candidate for candidate in LESSONS if candidate.languages == ("en", "fr"))
    assert is_for(lesson, model.load(folder, target_language=french))
    assert not is_for(lesson, model.load(folder, target_language=german))


def test_files_of_one_sentence_in_two_languages_have_two_names_and_state_their_language():
    maps = AttentionMaps(np.ones((1, 1, 1, 1), np.float32), None, None)
    first, second = (
        AttentionRecord(maps=maps, source_tokens=("Yes",), source_text="Yes!", target_language=code)
        for code in ("fra_Latn", "deu_Latn")
    )
    assert [stem_of(first), stem_of(second)] == ["attention-yes-fra_latn", "attention-yes-deu_latn"]
    assert read_attention(npz_bytes(first)).target_language == "fra_Latn"


@pytest.mark.parametrize(
    ("target", "letters"),
    [("fr", "éèêôàù'"), ("de", "äöüß"), ("de-AT", "äöüß"), ("zh", "猫火门狗"), ("zh_CN", "猫火门狗")],
)
def test_every_example_is_in_the_models_language(target: str, letters: str) -> None:
    examples = target_examples(dataclasses.replace(tiny_bundle(), target_language=target))
    assert examples.code == target[:2]
    assert set(letters) & set("".join(target_text for _, target_text in examples.pairs)) and len(examples.pairs) == 8
    assert examples.reference and examples.beginning and examples.pair
    assert examples.reference != examples.pairs[0][1], "a reference other than the model's own translation"
    by_code = {
        code: target_examples(dataclasses.replace(tiny_bundle(), target_language=code)) for code in ("fr", "de", "zh")
    }
    assert [code for code, example_set in by_code.items() if example_set.pairs == examples.pairs] == [examples.code]


@pytest.mark.parametrize(("source", "target"), [("en", "ru"), ("fr", "en"), (None, "fr"), ("en", None)])
def test_other_languages_have_empty_boxes(source: str | None, target: str | None) -> None:
    bundle = dataclasses.replace(tiny_bundle(), source_language=source, target_language=target)
    assert target_examples(bundle) == Examples()
