"""Ids instead of text, spans in the original text, and clear errors for unusable weights and characters."""

import threading

import numpy as np
import pytest
import torch

import model
from model.decoding.step import DecodingError
from model.interpret.ablation import corpus_effects_as_they_come
from model.interpret.residual_stream import untrained_weights
from model.text.tokens import TextError, source_tokens
from tests import checkpoint
from tests.model.test_ablation import tiny_bundle

SENTENCE = "the cat is on the sofa"


@pytest.mark.parametrize("given", ["#14 #5", [14, 5], np.array([14, 5]), "#14 #5 #3", (14, 5, 3)])
def test_ids_are_read_by_a_model_with_a_vocabulary(given) -> None:
    bundle = checkpoint.tiny_bundle()
    assert bundle.source_tokenizer is not None
    tokens = source_tokens(bundle, given)
    assert tokens.ids == (14, 5, bundle.config.eos_id)
    assert tokens.pieces[:2] == bundle.source_tokenizer.describe([14, 5]).pieces
    assert tokens.is_special == (False, False, True)


@pytest.mark.parametrize("given", [None, 5, b"the cat", np.array(["the cat"])])
def test_what_is_no_text_is_refused_with_what_to_give(given) -> None:
    bundle = checkpoint.tiny_bundle()
    for run in (lambda: model.translate(bundle, given), lambda: model.score(bundle, "the cat", given),
                lambda: model.translate(bundle, "the cat", prefix=given)):  # fmt: skip
        with pytest.raises(TextError):
            run()
    with pytest.raises(TextError, match=r"neither a text nor token ids: .* several texts as a list"):
        source_tokens(bundle, given)


@pytest.mark.parametrize("given", [["the cat"], [5, 6], None])
def test_attend_wants_rows_of_ids(given) -> None:
    with pytest.raises(TextError, match="lists of rows of whole numbers"):
        model.attend(checkpoint.tiny_bundle(), given, [[2]])


def test_a_sentence_and_its_ids_are_one(given=SENTENCE) -> None:
    bundle = checkpoint.tiny_bundle()
    trace = model.translate(bundle, given)
    by_ids = model.translate(bundle, trace.source.ids)
    assert by_ids.target == trace.target and by_ids.source.ids == trace.source.ids
    scored = model.score(bundle, trace.source.ids, trace.target.ids)
    assert scored.target.ids == trace.target.ids
    np.testing.assert_allclose(scored.log_probs, trace.log_probs, atol=1e-5)
    text = " ".join(f"#{i}" for i in trace.target.ids[:-1])
    assert model.score(bundle, given, text).target.ids == trace.target.ids
    begun = model.translate(bundle, given, prefix=text)
    assert begun.target.ids[: len(trace.target) - 1] == trace.target.ids[:-1]


def test_an_id_beyond_the_vocabulary_is_named() -> None:
    bundle = checkpoint.tiny_bundle()
    size = bundle.config.source_vocab_size
    with pytest.raises(TextError, match=f"no id “#{size}”: write ids from 0 to {size - 1}"):
        model.translate(bundle, [size])
    with pytest.raises(TextError, match=f"source_ids holds {size}: ids go from 0 to {size - 1}"):
        model.attend(bundle, [[size]], [[2]])


@pytest.mark.parametrize("text", ["  the cat", "\u200bthe\u00ad cat ", "the cat", "\n the\u00a0\u200bcat"])
def test_spans_count_the_text_as_it_was_given(text) -> None:
    bundle = checkpoint.tiny_bundle()
    tokens = source_tokens(bundle, text)
    words: dict[int, str] = {}
    for word, span in zip(tokens.words, tokens.spans, strict=True):
        if span is not None:
            words[word] = words.get(word, "") + text[slice(*span)]
    plain = [written.translate({0x200B: None, 0xAD: None}).strip() for written in words.values()]
    assert plain == ["the", "cat"]


def test_half_a_character_is_refused_in_words() -> None:
    with pytest.raises(TextError, match=r"half a character \(U\+D83D alone\)"):
        model.translate(checkpoint.tiny_bundle(), "the \ud83d cat")


@pytest.mark.parametrize("method", ["greedy", "beam", "sample"])
def test_weights_that_are_no_numbers_are_refused_in_words(method) -> None:
    bundle = tiny_bundle()
    with torch.no_grad():
        bundle.model.decoder.layers[0].feed_forward.fc1.bias[0] = torch.nan
    with pytest.raises(DecodingError, match="not a number"):
        model.translate(bundle, "#5 #6", method=method)
    with pytest.raises(DecodingError, match="not a number"):
        model.score(bundle, "#5 #6", "#7")


def test_a_set_is_ablated_within_the_positions_that_a_model_has_learned() -> None:
    bundle = tiny_bundle(positions="learned", max_positions=12)
    sources, references = ["#5 #6 #7 #8", "#5"], ["#7", "#8"]
    *_, last = corpus_effects_as_they_come(bundle, sources, references, kinds=("cross",))
    assert last.done == last.total == 4


@pytest.mark.nightly
def test_threads_that_draw_weights_with_one_seed_draw_the_same() -> None:
    bundle, found = tiny_bundle(), {}

    def draw(n: int) -> None:
        for _ in range(3):
            found[n] = untrained_weights(bundle, ((5, 6, 3), (2, 7)), seed=4)

    torch.manual_seed(0)
    state = torch.get_rng_state()
    threads = [threading.Thread(target=draw, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = untrained_weights(bundle, ((5, 6, 3), (2, 7)), seed=4)
    assert all(np.array_equal(weights, alone) for weights in found.values()) and len(found) == 4
    assert torch.equal(torch.get_rng_state(), state)
