"""From texts, ids and given translations to a trace, and what cannot be read."""

import threading

import numpy as np
import pytest
import torch

import model
from model.decoding.step import DecodingError
from model.interpret.ablation import corpus_effects_as_they_come
from model.interpret.residual_stream import untrained_weights
from model.text.tokens import (
    MAX_TOKENS,
    EmptyTextError,
    LongTextError,
    PrefixError,
    TextError,
    prefix_ids,
    source_tokens,
)
from tests import checkpoint
from tests.model.test_explanations import TEXT
from tests.tiny import bundle_of_ids


@pytest.mark.parametrize("method", ["greedy", "beam", "sample"])
def test_a_trace_holds_one_row_a_token_and_rows_sum_to_one(method) -> None:
    bundle = bundle_of_ids(1, n_encoder_layers=3, n_encoder_heads=4)
    trace = model.translate(bundle, TEXT, method=method, max_length=7)
    s, t = len(trace.source), len(trace.target)
    shapes = {
        kind: weights.shape for kind in trace.attention.kinds if (weights := trace.attention.of(kind)) is not None
    }
    assert shapes == {"encoder_self": (3, 4, s, s), "decoder_self": (2, 2, t, t), "cross": (2, 2, t, s)}
    for kind in trace.attention.kinds:
        weights = trace.attention.of(kind)
        assert weights is not None and weights.dtype == np.float32
        np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-5)
    decoder_self = trace.attention.decoder_self
    assert decoder_self is not None and (np.triu(decoder_self, 1) == 0).all()
    assert trace.prefix.ids == (bundle.config.bos_id, *trace.target.ids[:-1])
    assert trace.positional is not None and trace.positional.shape == (max(s, t), bundle.config.d_model)
    assert trace.candidates is not None and trace.candidates.ids.shape == (t, 10)


def test_scoring_a_models_own_translation_gives_its_trace_again() -> None:
    bundle = checkpoint.tiny_bundle()
    made = model.translate(bundle, SENTENCE)
    value = model.score(bundle, SENTENCE, made.text)
    assert value.target == made.target and value.prefix == made.prefix and value.text == made.text
    np.testing.assert_allclose(value.log_probs, made.log_probs, atol=1e-5)
    for kind in made.attention.kinds:
        left, right = value.attention.of(kind), made.attention.of(kind)
        assert left is not None and right is not None
        np.testing.assert_allclose(left, right, atol=1e-6)


def test_a_prefix_may_be_words_or_ids_and_decoding_goes_on_from_it() -> None:
    bundle = checkpoint.tiny_bundle()
    words = model.translate(bundle, SENTENCE, prefix="le chien")
    ids = model.translate(bundle, SENTENCE, prefix=[12, 14])
    assert words.target == ids.target
    assert words.target.pieces[:2] == ("le", "chien")


def test_without_a_vocabulary_text_is_ids() -> None:
    trace = model.translate(bundle_of_ids(3), "#5 6 #7", max_length=4)
    assert trace.source_tokens == ("#5", "#6", "#7", "#3")
    assert trace.source.spans[:3] == ((0, 2), (3, 4), (5, 7))
    assert all(piece.startswith("#") for piece in trace.text.split())


def test_the_source_is_framed_as_the_model_was_trained() -> None:
    bundle = bundle_of_ids(3, source_has_bos=True, source_has_eos=False)
    assert model.translate(bundle, "#5 #6", max_length=3).source.ids == (2, 5, 6)


def test_learned_positions_limit_both_sides() -> None:
    bundle = bundle_of_ids(3, positions="learned", max_positions=8)
    assert len(model.translate(bundle, "#5 #6").target) <= 8
    with pytest.raises(LongTextError, match="the text has 9 tokens and the limit is 8"):
        model.translate(bundle, " ".join(["#5"] * 8))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: model.translate(bundle_of_ids(), "   "), EmptyTextError, "nothing to translate: write a sentence"),
        (lambda: model.translate(bundle_of_ids(), "#5 hello"), TextError, "“hello” is not an id"),
        (lambda: model.translate(bundle_of_ids(), "#99"), TextError, "write ids from 0 to 19"),
        (lambda: model.translate(bundle_of_ids(), "5 " * MAX_TOKENS), LongTextError, "the limit is 1,024: shorten it"),
        (lambda: model.translate(checkpoint.tiny_bundle(), SENTENCE, prefix="zebra"), PrefixError, "“zebra”"),
        (lambda: model.translate(bundle_of_ids(), TEXT, prefix=[99]), PrefixError, "the id 99: choose 0 to 19"),
        (lambda: model.translate(bundle_of_ids(), TEXT, prefix=[4] * 5, max_length=5), DecodingError, "prefix has 5"),
        (lambda: model.translate(bundle_of_ids(), TEXT, method="best"), DecodingError, "unknown method “best”"),  # type: ignore
        (lambda: model.translate(bundle_of_ids(), TEXT, method="beam", beam_size=17), DecodingError, r"\(17\)"),
        (lambda: model.translate(bundle_of_ids(), TEXT, max_length=0), DecodingError, r"max_length \(0\)"),
    ],
)
def test_errors_have_a_reason_and_a_remedy(call, error, message) -> None:
    with pytest.raises(error, match=message):
        call()


def test_emoji_and_other_scripts_become_unknown_pieces_and_still_translate() -> None:
    bundle = checkpoint.tiny_bundle()
    for text in ("❤ 🐈", "你好", "\u202eabc", "a\nb"):
        trace = model.translate(bundle, text, max_length=5)
        assert set(trace.source.pieces[:-1]) <= {"<unk>"}


def test_a_prefix_may_hold_every_id_of_the_vocabulary_and_no_other() -> None:
    bundle = bundle_of_ids()
    last = bundle.config.target_vocab_size - 1
    assert prefix_ids(bundle, [0, last])[-2:] == (0, last)
    for index in (-1, last + 1):
        with pytest.raises(PrefixError, match=f"the id {index}: choose 0 to {last}"):
            prefix_ids(bundle, [index])


SENTENCE = "the cat is on the sofa"


@pytest.mark.parametrize("value", ["#14 #5", [14, 5], np.array([14, 5]), "#14 #5 #3", (14, 5, 3)])
def test_ids_are_read_by_a_model_with_a_vocabulary(value) -> None:
    bundle = checkpoint.tiny_bundle()
    assert bundle.source_tokenizer is not None
    tokens = source_tokens(bundle, value)
    assert tokens.ids == (14, 5, bundle.config.eos_id)
    assert tokens.pieces[:2] == bundle.source_tokenizer.describe([14, 5]).pieces
    assert tokens.is_special == (False, False, True)


@pytest.mark.parametrize("value", [None, 5, b"the cat", np.array(["the cat"])])
def test_other_values_than_texts_are_refused_with_a_remedy(value) -> None:
    bundle = checkpoint.tiny_bundle()
    for run in (lambda: model.translate(bundle, value), lambda: model.score(bundle, "the cat", value),
                lambda: model.translate(bundle, "the cat", prefix=value)):  # fmt: skip
        with pytest.raises(TextError):
            run()
    with pytest.raises(TextError, match=r"neither a text nor token ids: .* several texts as a list"):
        source_tokens(bundle, value)


@pytest.mark.parametrize("value", [["the cat"], [5, 6], None])
def test_attend_wants_rows_of_ids(value) -> None:
    with pytest.raises(TextError, match="lists of rows of whole numbers"):
        model.attend(checkpoint.tiny_bundle(), value, [[2]])


def test_a_sentence_and_its_ids_are_one(value=SENTENCE) -> None:
    bundle = checkpoint.tiny_bundle()
    trace = model.translate(bundle, value)
    by_ids = model.translate(bundle, trace.source.ids)
    assert by_ids.target == trace.target and by_ids.source.ids == trace.source.ids
    scored = model.score(bundle, trace.source.ids, trace.target.ids)
    assert scored.target.ids == trace.target.ids
    np.testing.assert_allclose(scored.log_probs, trace.log_probs, atol=1e-5)
    text = " ".join(f"#{i}" for i in trace.target.ids[:-1])
    assert model.score(bundle, value, text).target.ids == trace.target.ids
    begun = model.translate(bundle, value, prefix=text)
    assert begun.target.ids[: len(trace.target) - 1] == trace.target.ids[:-1]


def test_an_id_beyond_the_vocabulary_is_named() -> None:
    bundle = checkpoint.tiny_bundle()
    size = bundle.config.source_vocab_size
    with pytest.raises(TextError, match=f"no id “#{size}”: write ids from 0 to {size - 1}"):
        model.translate(bundle, [size])
    with pytest.raises(TextError, match=f"source_ids holds {size}: ids go from 0 to {size - 1}"):
        model.attend(bundle, [[size]], [[2]])


@pytest.mark.parametrize("text", ["  the cat", "\u200bthe\u00ad cat ", "the cat", "\n the\u00a0\u200bcat"])
def test_spans_are_positions_in_the_original_text(text) -> None:
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
    bundle = bundle_of_ids()
    with torch.no_grad():
        bundle.model.decoder.layers[0].feed_forward.fc1.bias[0] = torch.nan
    with pytest.raises(DecodingError, match="not a number"):
        model.translate(bundle, "#5 #6", method=method)
    with pytest.raises(DecodingError, match="not a number"):
        model.score(bundle, "#5 #6", "#7")


def test_a_set_is_ablated_within_the_positions_that_a_model_has_learned() -> None:
    bundle = bundle_of_ids(positions="learned", max_positions=12)
    sources, references = ["#5 #6 #7 #8", "#5"], ["#7", "#8"]
    *_, last = corpus_effects_as_they_come(bundle, sources, references, kinds=("cross",))
    assert last.done == last.total == 4


@pytest.mark.nightly
def test_threads_that_draw_weights_with_one_seed_draw_the_same() -> None:
    bundle, result = bundle_of_ids(), {}

    def draw(n: int) -> None:
        for _ in range(3):
            result[n] = untrained_weights(bundle, ((5, 6, 3), (2, 7)), seed=4)

    torch.manual_seed(0)
    state = torch.get_rng_state()
    threads = [threading.Thread(target=draw, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = untrained_weights(bundle, ((5, 6, 3), (2, 7)), seed=4)
    assert all(np.array_equal(weights, alone) for weights in result.values()) and len(result) == 4
    assert torch.equal(torch.get_rng_state(), state)
