"""A decoder-only model continues a prompt; an encoder-only model says what it cannot do."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

import model
from model.cli.main import main
from model.decoding.step import DecodingError
from tests.checkpoints import library

PROMPT = [5, 6, 7, 8]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """GPT-2's architecture with random numbers."""
    torch.manual_seed(3)
    config = transformers.GPT2Config(vocab_size=40, n_embd=16, n_layer=2, n_head=2, n_positions=32, bos_token_id=1,
                                     eos_token_id=2)  # fmt: skip
    network = transformers.GPT2LMHeadModel(config)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.3)
    path = tmp_path_factory.mktemp("gpt2")
    network.save_pretrained(path)
    return path


@pytest.mark.parametrize("beams", [1, 3])
def test_every_end_token_ends_the_text(folder: Path, original: Any, tmp_path: Path, beams: int) -> None:
    """Tokens that a text predicts are declared ends, beside the usual one: ours stops where the library does."""
    written = generate(original, PROMPT, 12, num_beams=beams)
    ends = [2, written[6], written[8]]
    shutil.copytree(folder, tmp_path / "ends")
    path = tmp_path / "ends/generation_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"eos_token_id": ends}))
    bundle = model.load(tmp_path / "ends")
    assert bundle.config.end_ids == tuple(ends)
    options: dict[str, Any] = {} if beams == 1 else {"method": "beam", "beam_size": beams, "length_penalty": 0.0}
    trace = model.translate(bundle, PROMPT, max_length=12, stop_loops=False, **options)
    wanted = generate(original, PROMPT, 12, num_beams=beams, eos_token_id=ends, length_penalty=0.0)
    assert wanted[-1] in ends[1:]
    assert not trace.is_truncated
    assert list(trace.target.ids) == wanted[1:]
    assert trace.target.words[-1] == -1


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> model.Bundle:
    config = transformers.BertConfig(vocab_size=40, hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
                                     intermediate_size=24, max_position_embeddings=32)  # fmt: skip
    path = tmp_path_factory.mktemp("bert")
    transformers.BertModel(config).save_pretrained(path)
    return model.load(path)


@pytest.fixture(scope="module")
def bundle(folder: Path) -> model.Bundle:
    return model.load(folder)


@pytest.fixture(scope="module")
def original(folder: Path) -> Any:
    return transformers.GPT2LMHeadModel.from_pretrained(folder, attn_implementation="eager").eval()


def generate(original: Any, prompt: list[int], n: int, **options: Any) -> list[int]:
    ids = torch.tensor([prompt])
    result = original.generate(
        ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=n, pad_token_id=2, **options
    )
    return result[0].tolist()


@pytest.mark.parametrize("cached", [True, False])
def test_a_decoder_continues_its_prompt_as_the_library_does(bundle: model.Bundle, original: Any, cached: bool) -> None:
    trace = model.translate(bundle, PROMPT, max_length=9, stop_loops=False, cached=cached)
    whole = [*trace.prefix.ids, trace.target.ids[-1]]
    assert whole == generate(original, PROMPT, 9) and len(whole) > len(PROMPT) + 2
    assert trace.source_tokens == () and trace.prefix_tokens[:4] == ("#5", "#6", "#7", "#8")
    assert trace.target.ids[:3] == (6, 7, 8) and trace.text.startswith("#5 #6 #7 #8 #")
    with torch.no_grad():
        logits = original(torch.tensor([trace.prefix.ids]), output_attentions=True)
    expected = logits.logits[0].log_softmax(-1)[range(len(trace.target)), trace.target.ids]
    np.testing.assert_allclose(trace.log_probs, expected, atol=1e-4)
    assert trace.attention.decoder_self is not None
    np.testing.assert_allclose(trace.attention.decoder_self, torch.cat(logits.attentions), atol=1e-5)
    assert trace.attention.encoder_self is None and trace.attention.cross is None


def test_prompts_in_a_batch_are_continued_as_alone(bundle: model.Bundle) -> None:
    prompts = [PROMPT, [9], [10, 11, 12, 13, 14, 15], [30, 31]]
    for trace, prompt in zip(model.translate(bundle, prompts, max_length=6), prompts, strict=True):
        alone = model.translate(bundle, prompt, max_length=6)
        assert isinstance(trace, model.Trace) and trace.prefix.ids == alone.prefix.ids
        np.testing.assert_allclose(trace.log_probs, alone.log_probs, atol=1e-5)
    texts = [text for _, text in sorted(model.translate_texts(bundle, prompts))]
    assert texts == [model.translate(bundle, prompt).text for prompt in prompts]


def test_a_beginning_follows_the_prompt(bundle: model.Bundle) -> None:
    trace = model.translate(bundle, PROMPT, prefix=[20, 21], max_length=6)
    assert trace.prefix.ids[:6] == (5, 6, 7, 8, 20, 21)
    beam = model.translate(bundle, PROMPT, method="beam", max_length=6)
    assert beam.prefix.ids[:4] == (5, 6, 7, 8)


@pytest.mark.parametrize("cached", [True, False])
def test_a_decoder_scores_a_continuation(bundle: model.Bundle, original: Any, cached: bool) -> None:
    trace = model.score(bundle, PROMPT, [20, 21, 2], cached=cached)
    assert trace.source_tokens == () and trace.prefix.ids == (5, 6, 7, 8, 20, 21)
    assert trace.target.ids == (6, 7, 8, 20, 21, 2)
    with torch.no_grad():
        logits = original(torch.tensor([trace.prefix.ids])).logits[0]
    np.testing.assert_allclose(trace.log_probs, logits.log_softmax(-1)[range(6), trace.target.ids], atol=1e-4)
    both = model.score(bundle, [PROMPT, [9]], [[20, 21, 2], [22]], cached=cached)
    assert isinstance(both[0], model.Trace)
    np.testing.assert_allclose(both[0].log_probs, trace.log_probs, atol=1e-5)


def test_the_command_line_continues_each_prompt(
    folder: Path, bundle: model.Bundle, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = [model.translate(bundle, text).text for text in ("#5 #6 #7", "#9")]
    for arguments in (["#5 #6 #7", "#9"], ["#5 #6 #7"]):
        assert main(["translate", *arguments, "--checkpoint", str(folder)]) == 0
        assert capsys.readouterr().out.splitlines() == expected[: len(arguments)]


def test_an_empty_prompt_is_refused(bundle: model.Bundle) -> None:
    with pytest.raises(model.EmptyTextError, match="there is nothing to continue"):
        model.translate(bundle, "")


def test_an_encoder_neither_translates_nor_scores(encoder: model.Bundle) -> None:
    for run in (
        lambda: model.translate(encoder, PROMPT),
        lambda: model.score(encoder, PROMPT, [9, 10]),
        lambda: list(model.translate_texts(encoder, [PROMPT])),
        lambda: model.score(encoder, [PROMPT], [[9, 10]]),
    ):
        with pytest.raises(DecodingError, match=r"predicts no tokens, so it can neither .* use model\.read"):
            run()


def test_one_call_reads_the_attention_of_any_model(
    bundle: model.Bundle, encoder: model.Bundle, original: Any, tmp_path: Path
) -> None:
    seen = model.read(encoder, PROMPT)
    assert seen.attention.kinds == ("encoder_self",) and seen.source.ids == tuple(PROMPT)
    (batch,) = model.attend(encoder, [PROMPT], [[]]).encoder_self  # type: ignore[misc]
    np.testing.assert_allclose(seen.attention.encoder_self, batch, atol=1e-6)  # type: ignore[arg-type]
    read = model.read(bundle, PROMPT)
    assert read.prefix.ids == tuple(PROMPT) and read.attention.kinds == ("decoder_self",)
    with torch.no_grad():
        logits = original(torch.tensor([PROMPT])).logits[0]
    assert read.target.ids == tuple(logits.argmax(-1).tolist())
    np.testing.assert_allclose(read.log_probs, logits.log_softmax(-1).amax(-1), atol=1e-4)
    library.make("marian", tmp_path)
    both = model.load(tmp_path)
    assert model.read(both, "5 6 7 2") == model.translate(both, "5 6 7 2")


def test_texts_are_read_in_order_with_the_errors_of_unreadable_ones(encoder: model.Bundle) -> None:
    first, wrong, last = model.read(encoder, [PROMPT, [10**6], [9, 10]])
    assert isinstance(wrong, model.TextError)
    assert isinstance(first, model.Trace) and isinstance(last, model.Trace)
    assert first == model.read(encoder, PROMPT) and last.source.ids == (9, 10)
