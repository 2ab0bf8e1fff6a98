"""Every page in every language, and unusual sentences that people paste."""

from collections import Counter
from pathlib import Path

import pytest
import torch

import model
from tests.checkpoint import tiny_bundle
from tests.pages import PAGES, open_drawers
from tests.viz.page import page_text, run_page, url_param
from viz import cache
from viz.panels import reading
from viz.room import publish
from viz.state import session

ROOT = Path(__file__).parents[2]
MOST_LOOKS = 24
"""The limit of reads of the choices per run: a dozen parts need them, but not each of a hundred texts."""


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """The number of calls per run that open the model and the sentence, notify phones and read the choices."""
    counts: Counter[str] = Counter()

    def count(module: object, name: str) -> None:
        function = getattr(module, name)

        def counting(*args: object, **options: object) -> object:
            counts[name] += 1
            return function(*args, **options)

        monkeypatch.setattr(module, name, counting)

    for module, name in ((reading, "_model_named"), (reading, "opening"), (publish, "publish"), (session, "read")):
        count(module, name)
    return counts


@pytest.mark.parametrize("language", ["en", "zh", "fr"])
@pytest.mark.parametrize("page", PAGES)
def test_each_page_runs_in_each_language_on_one_reading_of_the_sentence(open_page, page, language, calls):
    open_page(page, language=language, layer="1")
    assert (calls["_model_named"], calls["opening"], calls["publish"]) == (1, 1, 1), "model, sentence and phones"
    assert calls["read"] <= MOST_LOOKS


def test_every_page_file_is_in_the_navigation():
    scripts = {path.stem for path in (ROOT / "viz").glob("*/*.py") if path.stem == path.parent.name}
    assert scripts - {"frame"} == set(PAGES)


SENTENCES = (
    "", "   ", "\n\n", "the\ncat\n.", "你好，世界", "❤ 🐈", "x" * 10_000, "the cat " * 1_250,
    "<img src=x onerror=alert(1)>", "\u202eabc\u202c", "\x00\x07", "the",
)  # fmt: skip


@pytest.mark.nightly("text7")  # test_long_texts.py
@pytest.mark.parametrize("text", SENTENCES)
def test_any_sentence_leaves_the_page_usable(open_page, text):
    open_page(text=text)


def test_the_error_for_a_missing_checkpoint_names_the_remedy(monkeypatch):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, "/nowhere/at-all")
    assert "/nowhere/at-all" in page_text(run_page())


def test_a_hostile_link_is_moved_inside_the_model(open_page):
    app = open_page(layer="77", head="-4", kind="none", interventions="off:x.9.9 off:x.1.1")
    assert (url_param(app, "layer"), url_param(app, "interventions")) == ("1", "off:x.1.1")


def test_two_sessions_do_not_share_choices(tiny_server):
    with_change, without_change = run_page(interventions="off:x.0.0"), run_page()
    assert "interventions" in with_change.query_params
    assert "interventions" not in without_change.query_params


def test_a_model_that_does_not_translate_shows_the_attention_it_has(single_stack_page, request):
    app = open_drawers(single_stack_page(effects="1")).run()
    assert not app.text
    assert app.toggle(key="choice..effects").disabled
    assert app.query_params["kind"] == ("encoder_self" if "bert" in request.node.name else "decoder_self")


def test_a_checkpoint_with_nan_is_named_and_the_page_lives_on(tmp_path, monkeypatch):
    bundle = tiny_bundle()
    with torch.no_grad():
        next(bundle.model.decoder.layers[1].parameters())[0] = float("nan")
    model.save(bundle, tmp_path / "broken")
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(tmp_path / "broken"))
    assert "NaN" in page_text(run_page(text="the cat ."))


@pytest.mark.parametrize("language", ["en", "zh", "fr"])
def test_a_link_to_a_closed_model_shows_a_notice_until_another_is_chosen(open_page, language):
    app = open_page(language=language, model="*own* pairs, step 8")
    (warning,) = [text.value for text in app.text if "*own* pairs, step 8" in text.value]
    assert "tiny" in warning
    app.button(key="model_keep").click().run()
    assert "own* pairs" not in page_text(app)


def test_a_link_to_an_open_model_shows_no_notice(open_page, checkpoint):
    app = open_page(model=str(checkpoint))
    assert "model_keep" not in {button.key for button in app.button}
