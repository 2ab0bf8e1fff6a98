"""Decoder-only and encoder-only models are labelled as such, and unsupported models are refused with the reason."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import model
from model.config import TransformerConfig
from tests.checkpoints.architectures import ARCHITECTURES, save
from tests.pages import go_to
from tests.viz.page import drop, open_checkpoints_page, page_text, private_models, run_page
from viz import cache
from viz.i18n import tr
from viz.panels.explorer import reach_of

page = pytest.fixture(name="page")(open_checkpoints_page)


def drop_model(page: AppTest, name: str, folder: Path) -> None:
    save(ARCHITECTURES[name], folder)
    drop(page, *((path.name, path.read_bytes()) for path in sorted(folder.iterdir())))


@pytest.mark.nightly(but=("v2",))
@pytest.mark.parametrize(("name", "shape"), [("llama", "llama · 3 layers × 4 heads"),
                                             ("deberta-v2", "v2 · 2 layers × 2 heads")])  # fmt: skip
def test_a_dropped_single_stack_model_is_in_the_menu_with_its_one_stack(page, tmp_path, name, shape):
    drop_model(page, name, tmp_path / "dropped")
    assert list(private_models(page)) == [name]
    page.button(key="checkpoint_look").click().run()
    go_to(page, "explore")
    assert any(shape in fold.proto.popover.label for fold in page.get("popover"))


@pytest.mark.nightly
def test_a_server_with_a_single_stack_model_does_not_promise_a_translation(tmp_path, monkeypatch):
    save(ARCHITECTURES["qwen3"], tmp_path / "qwen3")
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(tmp_path / "qwen3"))
    assert "This model reads your text" in page_text(run_page())


@pytest.mark.nightly
def test_a_model_that_cannot_be_shown_gives_the_reason_and_no_wrong_advice(page, tmp_path):
    drop_model(page, "pegasus_x", tmp_path / "dropped")
    assert not private_models(page)
    assert "a pegasus_x model cannot be shown, because it computes its attention in blocks" in page_text(page)
    assert "This kind of model is known" in page_text(page)
    assert not page.info, "the whole folder was dropped"


def test_the_map_receives_the_mask_of_a_window() -> None:
    assert reach_of(model.load("tiny").config) == {}
    config = TransformerConfig(source_vocab_size=9, target_vocab_size=9, n_encoder_layers=2, encoder_window=3)
    assert reach_of(config) == {"encoder_self": (3, 3)}


@pytest.mark.nightly("umt5")
@pytest.mark.parametrize("name", ["t5gemma", "umt5"])
def test_every_page_shows_an_encoder_decoder_with_heterogeneous_layers(name, tmp_path, monkeypatch):
    save(ARCHITECTURES[name], tmp_path / name)
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(tmp_path / name))

    text = "word5 word6 word7"
    options = run_page("positions", text=text, positions__part="learned").selectbox(key="choice.positions.part").options
    is_offered = [tr(f"positions.part_{part}") in options for part in ("rotary", "table")]
    assert is_offered == [name == "t5gemma", name == "umt5"]
    for kind, turned in (("encoder_self", name == "t5gemma"), ("cross", False)):
        app = run_page("inside", text=text, kind=kind, layer="1", head="1", inside__step="scores")
        latex = "".join(line.value for line in app.latex)
        assert (r"\,R_m" in latex) == turned and ("W_K" in latex) and (r"(z\,W_K" in latex) == (kind == "cross")
    assert "uses only the distances between tokens" in page_text(run_page("decode", text=text))
    for page in ("explore", "overview", "causal"):
        run_page(page, text=text)
