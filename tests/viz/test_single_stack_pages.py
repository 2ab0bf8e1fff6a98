"""Every page for models with one stack: decoder-only, which continue a text, and encoder-only, which fill masks."""

import dataclasses
from functools import cache as once
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from streamlit.testing.v1 import AppTest
from tokenizers import Tokenizer, models, pre_tokenizers, processors

import model
from model.corpus.queued import pairs_of
from model.inference.alone import read
from model.inference.masked import fill_masks
from model.inference.reading import prompt_tokens
from model.interpret.causal import read_pair
from model.runs.folder import JobFolder
from model.runs.limits import RUNS_VARIABLE, runs_root
from model.trace import TokenSequence
from tests.checkpoint import tiny_bundle
from tests.checkpoints.architectures import ARCHITECTURES, save
from tests.pages import go_to
from tests.training.test_surveys import work
from tests.viz.page import new_app, page_text, run_page
from viz import cache
from viz.causal.choices import PROMPT_PAIRS
from viz.components.attention import AttentionView
from viz.decode.masked import fill_place
from viz.frame.fitting_pages import reasons_by_page
from viz.i18n import tr
from viz.plain_text import chip_text


@once
def decoder() -> model.Bundle:
    return model.load("tiny-decoder")


def test_rows_and_columns_of_a_text_that_was_read_are_the_same_tokens():
    trace = read(decoder(), "The little girl wanted to")
    queries, keys = AttentionView.of(trace).axes("decoder_self")
    assert queries is keys and queries.texts == ("<s>", "The", "little", "girl", "wanted", "to")


def test_the_first_token_of_a_text_without_a_special_one_is_a_sink():
    trace = read(decoder(), "The little girl wanted to")
    prefix = trace.prefix
    words = TokenSequence(prefix.ids, ("a", *prefix.pieces[1:]), tuple(range(len(prefix))), prefix.spans)
    view = AttentionView.of(dataclasses.replace(trace, prefix=words))
    assert view.fed.sinks == ("begin", "", "", "", "", "")
    measured = view.metrics["decoder_self"].of("sink_share")
    assert measured is not None and trace.attention.decoder_self is not None
    np.testing.assert_allclose(measured, trace.attention.decoder_self[..., 1:, 0].mean(-1), atol=1e-5)


def test_a_translation_keeps_both_meanings_of_its_rows():
    view = AttentionView.of(model.translate(tiny_bundle(), "the cat"))
    assert view.fed is not view.predicted


def test_marks_of_both_kinds_of_vocabularies_are_not_drawn():
    shown = {"▁cat": "cat", "Ġcat": "cat", "cat": "cat", "Ġ": "␣", "Ċ": "↵", ".ĊĊ": ".↵↵", "ĠĠĠ": "␣␣", "ĊĠĉ": "↵␣⇥",
             "Ġčas": "čas", "č": "č", "Ċetta": "Ċetta"}  # fmt: skip
    assert {piece: chip_text(piece) for piece in shown} == shown, "as tests/js/state.test.js"


@once
def encoder() -> model.Bundle:
    """A random BERT with its masked-LM head."""
    with TemporaryDirectory() as place:
        save_bert(Path(place))
        return model.load(Path(place))


def save_bert(folder: Path) -> None:
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "dog", "sleep", "##s", "on", "sofa", "."]
    built = Tokenizer(models.WordPiece({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    built.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    built.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=built, unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]",
        mask_token="[MASK]",
    ).save_pretrained(folder)  # fmt: skip
    torch.manual_seed(0)
    fields: dict[str, Any] = {
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 24,
    }
    network = transformers.BertForMaskedLM(transformers.BertConfig(vocab_size=len(words), **fields))
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.2)
    network.save_pretrained(folder)


@pytest.fixture
def bert_page(tmp_path, monkeypatch):
    """Opens pages of a server whose default model is that encoder."""
    save_bert(tmp_path / "bert")
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(tmp_path / "bert"))
    return new_app(text="the [MASK] sleeps on the sofa .")


def test_candidates_of_hidden_tokens_are_the_librarys(tmp_path):
    save_bert(tmp_path)
    candidates = fill_masks(encoder(), "the [MASK] sleeps on the sofa .", hidden=(6,))
    assert candidates.places == (2, 6) and candidates.tokens.pieces[2] == candidates.tokens.pieces[6] == "[MASK]"
    reference = transformers.BertForMaskedLM.from_pretrained(tmp_path).eval()
    with torch.inference_mode():
        expected = reference(torch.tensor([candidates.tokens.ids])).logits[0].log_softmax(-1).numpy()
    np.testing.assert_allclose(candidates.log_probs, expected[[2, 6]], atol=1e-5)
    assert candidates.candidates.ids[0].tolist() == np.argsort(-expected[2])[:10].tolist()
    assert np.isnan(candidates.hidden_log_probs[0])
    assert candidates.hidden_log_probs[1] == pytest.approx(expected[6, 5])


def test_a_model_without_the_head_and_a_wrong_place_are_refused():
    with pytest.raises(model.TextError, match="there is no token 99 to hide"):
        fill_masks(encoder(), "the cat", hidden=(99,))
    with pytest.raises(ValueError, match="predicts no hidden tokens"):
        fill_masks(decoder(), "The little girl")


@pytest.mark.parametrize(("piece", "expected"), [("cat", "the cat sleep [MASK] ."), ("##s", "thes sleep [MASK] .")])
def test_a_candidate_is_written_into_its_place(piece, expected):
    text = "the [MASK] sleep [MASK] ."
    candidates = fill_masks(encoder(), text)
    assert fill_place(text, candidates, 2, piece, mask="[MASK]") == expected
    assert fill_place(text, candidates, 4, "on", mask="[MASK]") == "the [MASK] sleep on ."
    hidden = fill_masks(encoder(), text, hidden=(1,))
    assert fill_place(text, hidden, 1, "dog", mask="[MASK]") == "dog [MASK] sleep [MASK] ."


def test_decode_shows_candidates_hides_a_token_and_compares_with_heads_off(bert_page):
    page = go_to(bert_page, "decode")
    assert not page.error
    assert _grids(page) == 1
    page.button_group(key="choice.decode.hidden").set_value(6).run()
    assert _grids(page) == 2
    assert "The hidden “the” itself has a probability of" in page_text(page)
    page.button_group(key="off_heads").set_value([0]).run()
    page.button(key="off_apply").click().run()
    assert "without it, %" in component_data(page)


def component_data(page: AppTest) -> str:
    return "".join(str(part.proto) for part in page.main if part.type == "bidi_component")


def _grids(page: AppTest) -> int:
    return component_data(page).count("probability, %")


def test_positions_show_the_angles_of_the_shipped_decoder():
    page = run_page("positions", model="tiny-decoder", positions__pair="1", positions__position="3")
    (turn,) = {layer.attention.rotary for layer in decoder().config.layers(encoder=False)}
    assert turn is not None
    angle = 3 * turn.base ** (-2 / turn.width)
    assert any(f"= {angle:.3f}" in line.value.replace(r"\,", "") for line in page.latex), [x.value for x in page.latex]
    table = next(line.value for line in page.markdown if line.value.startswith("| Pair"))
    assert f"| 1 | {np.degrees(angle / 3):.3g}° |" in table
    questions = page.selectbox(key="choice.positions.part").options
    assert tr("positions.part_rotary") in questions and tr("positions.part_table") not in questions
    page.button(key="positions.on_a_head").click().run()


def test_positions_show_the_slopes_of_bloom(tmp_path, monkeypatch):
    save(ARCHITECTURES["bloom"], tmp_path / "bloom")
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(tmp_path / "bloom"))
    page = run_page("positions")
    table = next(line.value for line in page.markdown if "Slope" in line.value)
    assert "| 0 | 0.0625 | 11.1 |" in table and "| 1 | 0.003906 | 177.4 |" in table


@pytest.mark.nightly
def test_two_prompts_have_a_causal_map_whose_cells_are_patches():
    page = run_page("causal", model="tiny-decoder", text=PROMPT_PAIRS[0][1])
    assert "The first token that differs is **go** against **be**" in page_text(page)
    assert "After each layer" in component_data(page)
    page.button_group(key="choice.causal.what").set_value("heads").run()
    assert "After each layer" not in component_data(page)
    page.button(key="pair.prompt.2").click().run()
    assert "**was** against **were**" in page_text(page)


def test_every_pair_of_prompts_parts_at_its_next_token():
    for first, second in PROMPT_PAIRS:
        pair = read_pair(decoder(), first, second)
        assert pair.step == len(prompt_tokens(decoder(), second)) - 1, (first, second)
        assert pair.margin_first > 0 > pair.margin_second, (first, second)


@pytest.mark.nightly
def test_pages_that_an_encoder_cannot_fill_leave_the_menu_with_their_reason(tmp_path, monkeypatch):
    save(ARCHITECTURES["bert"], tmp_path / "bert")
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(tmp_path / "bert"))
    page = run_page()
    assert "“Decode” is not in the menu for this model: This encoder predicts no tokens" in page_text(page)
    assert "“Causal” is not in the menu for this model" in page_text(page)
    assert set(reasons_by_page(model.load(tmp_path / "bert"))) == {"decode", "causal"}
    for name in ("decode", "causal"):
        go_to(page, name)
        assert page.button(key="fitting_model").label
    assert (
        set(reasons_by_page(encoder())) == {"causal"}
        and not reasons_by_page(decoder())
        and not reasons_by_page(tiny_bundle())
    )


def test_the_card_at_the_end_of_the_lesson_opens_the_decoder():
    page = run_page("lesson", lesson__scene="since", lesson__votes="since1", lesson__explained="since")
    page.button(key="lesson.decoder_open").click().run()
    assert "tiny-decoder" in page.query_params["model"]


TEXTS = b"The little girl wanted to go home.\nMy brother and I are tired.\n\nThe weather is good.\n"


@pytest.mark.nightly("bert")
@pytest.mark.parametrize("name", ["tiny-decoder", "bert"])
def test_a_file_of_texts_is_surveyed_and_shown(name, tmp_path, monkeypatch):
    monkeypatch.setenv(RUNS_VARIABLE, str(tmp_path / "runs"))
    if name == "bert":
        save_bert(tmp_path / "bert")
        monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(tmp_path / "bert"))
    page = run_page("corpus", model=name)
    page.file_uploader(key="corpus_texts").set_value(("texts.txt", TEXTS, "text/plain")).run()
    page.button(key="corpus_texts_start").click().run()
    assert not page.error
    folder = JobFolder(runs_root() / "".join(page.query_params["corpus.survey"]))
    assert pairs_of(folder).read_text("utf-8").splitlines()[1] == "My brother and I are tired.\t"
    assert work(folder).state == "finished"
    for view in ("heads", "find", "fires"):
        page.button_group(key="choice.corpus.view").set_value(view)
        page.run()
        assert not page.error, view
        assert "3 texts, surveyed with" in page_text(page)
    assert not {"Alignment", "Pruning"} & set(page.button_group(key="choice.corpus.view").options)
