"""Every page in every language, and the sentences that people really paste."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import torch
import transformers
from streamlit.testing.v1 import AppTest

import model
from tests.checkpoint import save_tiny, tiny_bundle
from tests.pages import PAGES, go_to, open_drawers
from viz import cache
from viz.panels import reading
from viz.room import publish
from viz.state import session

ROOT = Path(__file__).parents[2]
MOST_LOOKS = 24
"""At the choices in a run: a dozen parts of a page ask for them, and each of its hundred texts would."""


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory):
    return save_tiny(tmp_path_factory.mktemp("app") / "tiny")


@pytest.fixture
def app(checkpoint, monkeypatch):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(checkpoint))
    return AppTest.from_file(str(ROOT / "viz/main.py"), default_timeout=120)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a page opens the model and the sentence, tells the phones and looks at the choices: by function."""
    counted: Counter[str] = Counter()

    def count(module: object, name: str) -> None:
        function = getattr(module, name)

        def counting(*args: object, **options: object) -> object:
            counted[name] += 1
            return function(*args, **options)

        monkeypatch.setattr(module, name, counting)

    for module, name in ((reading, "_named"), (reading, "opening"), (publish, "publish"), (session, "read")):
        count(module, name)
    return counted


@pytest.mark.parametrize("language", ["en", "zh", "fr"])
@pytest.mark.parametrize("page", PAGES)
def test_each_page_runs_in_each_language_on_one_reading_of_the_sentence(app, page, language, calls):
    app.query_params["language"] = language
    app.query_params["text"] = "the cat is sleeping on the sofa ."
    app.query_params["layer"] = "1"
    go_to(app, page)
    assert not app.exception
    assert (calls["_named"], calls["opening"], calls["publish"]) == (1, 1, 1), "model, sentence and phones"
    assert calls["read"] <= MOST_LOOKS


def test_the_first_visit_of_a_session_opens_without_an_error(app):
    assert not app.run().exception


def test_every_page_file_is_in_the_navigation():
    scripts = {path.stem for path in (ROOT / "viz").glob("*/*.py") if path.stem == path.parent.name}
    assert scripts - {"frame"} == set(PAGES)


SENTENCES = (
    "", "   ", "\n\n", "the\ncat\n.", "你好，世界", "❤ 🐈", "x" * 10_000, "the cat " * 1_250,
    "<img src=x onerror=alert(1)>", "\u202eabc\u202c", "\x00\x07", "the",
)  # fmt: skip


@pytest.mark.nightly("text7")  # test_long_texts.py
@pytest.mark.parametrize("text", SENTENCES)
def test_any_sentence_leaves_the_page_usable(app, text):
    app.query_params["text"] = text
    app.run()
    assert not app.exception


def test_a_missing_checkpoint_says_what_to_do(app, monkeypatch):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, "/nowhere/at-all")
    app.run()
    assert not app.exception
    assert any("/nowhere/at-all" in text.value for text in app.text)


def test_a_hostile_link_is_moved_inside_the_model(app):
    app.query_params.update({"layer": "77", "head": "-4", "kind": "none", "interventions": "off:x.9.9 off:x.1.1"})
    app.query_params["text"] = "the cat ."
    app.run()
    assert not app.exception
    kept = dict(app.query_params)
    assert kept["layer"] == "1"
    assert kept["interventions"] == "off:x.1.1"


def test_two_sessions_do_not_share_choices(checkpoint, monkeypatch):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(checkpoint))
    one, other = (AppTest.from_file(str(ROOT / "viz/main.py"), default_timeout=120) for _ in range(2))
    one.query_params["interventions"] = "off:x.0.0"
    one.run()
    other.run()
    assert "interventions" in one.query_params
    assert "interventions" not in other.query_params


@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_a_model_that_does_not_translate_shows_the_attention_it_has(kind, tmp_path, monkeypatch):
    torch.manual_seed(0)
    if kind == "bert":
        config = transformers.BertConfig(
            vocab_size=40, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24
        )
        transformers.BertModel(config).save_pretrained(tmp_path / kind)
    else:
        config = transformers.GPT2Config(vocab_size=40, n_embd=16, n_layer=2, n_head=2, bos_token_id=0, eos_token_id=0)
        transformers.GPT2LMHeadModel(config).save_pretrained(tmp_path / kind)
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(tmp_path / kind))
    app = open_drawers(AppTest.from_file(str(ROOT / "viz/main.py"), default_timeout=120))
    app.query_params.update({"text": "#5 #6 #7", "effects": "1"})
    app.run()
    assert not app.exception
    assert not app.text
    assert app.toggle(key="choice..effects").disabled
    assert app.query_params["kind"] == ("encoder_self" if kind == "bert" else "decoder_self")


def test_a_checkpoint_with_nan_is_named_and_the_page_lives_on(tmp_path, monkeypatch):
    bundle = tiny_bundle()
    with torch.no_grad():
        next(bundle.model.decoder.layers[1].parameters())[0] = float("nan")
    model.save(bundle, tmp_path / "broken")
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(tmp_path / "broken"))
    app = AppTest.from_file(str(ROOT / "viz/main.py"), default_timeout=120)
    app.query_params["text"] = "the cat ."
    app.run()
    assert not app.exception
    assert any("NaN" in text.value for text in app.text)


@pytest.mark.parametrize("language", ["en", "zh", "fr"])
def test_a_link_to_a_model_that_is_not_open_here_says_so_on_the_page_until_another_is_chosen(app, language):
    app.query_params.update({"language": language, "text": "the cat .", "model": "*own* pairs, step 8"})
    app.run()
    (said,) = [text.value for text in app.text if "*own* pairs, step 8" in text.value]
    assert "tiny" in said
    app.button(key="model_keep").click().run()
    assert not app.exception
    assert not [text.value for text in app.text if "own* pairs" in text.value]


def test_a_link_to_a_model_that_is_open_says_nothing(app, checkpoint):
    app.query_params.update({"text": "the cat .", "model": str(checkpoint)})
    app.run()
    assert "model_keep" not in {button.key for button in app.button}
