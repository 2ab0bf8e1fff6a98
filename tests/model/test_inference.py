"""From text to a Trace and back: shapes, given translations, prefixes, limits, and texts that cannot be read."""

import numpy as np
import pytest

import model
from model.decoding.step import DecodingError
from model.text.tokens import MAX_TOKENS, EmptyTextError, LongTextError, PrefixError, TextError, prefix_ids
from tests import checkpoint
from tests.model.test_ablation import TEXT, tiny_bundle

SENTENCE = "the cat is on the sofa"


@pytest.mark.parametrize("method", ["greedy", "beam", "sample"])
def test_a_trace_holds_one_row_a_token_and_rows_sum_to_one(method) -> None:
    bundle = tiny_bundle(1, n_encoder_layers=3, n_encoder_heads=4)
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
    given = model.score(bundle, SENTENCE, made.text)
    assert given.target == made.target and given.prefix == made.prefix and given.text == made.text
    np.testing.assert_allclose(given.log_probs, made.log_probs, atol=1e-5)
    for kind in made.attention.kinds:
        left, right = given.attention.of(kind), made.attention.of(kind)
        assert left is not None and right is not None
        np.testing.assert_allclose(left, right, atol=1e-6)


def test_a_prefix_may_be_words_or_ids_and_decoding_goes_on_from_it() -> None:
    bundle = checkpoint.tiny_bundle()
    words = model.translate(bundle, SENTENCE, prefix="le chien")
    ids = model.translate(bundle, SENTENCE, prefix=[12, 14])
    assert words.target == ids.target
    assert words.target.pieces[:2] == ("le", "chien")


def test_without_a_vocabulary_text_is_ids() -> None:
    trace = model.translate(tiny_bundle(3), "#5 6 #7", max_length=4)
    assert trace.source_tokens == ("#5", "#6", "#7", "#3")
    assert trace.source.spans[:3] == ((0, 2), (3, 4), (5, 7))
    assert all(piece.startswith("#") for piece in trace.text.split())


def test_the_source_is_framed_as_the_model_was_trained() -> None:
    bundle = tiny_bundle(3, source_has_bos=True, source_has_eos=False)
    assert model.translate(bundle, "#5 #6", max_length=3).source.ids == (2, 5, 6)


def test_learned_positions_limit_both_sides() -> None:
    bundle = tiny_bundle(3, positions="learned", max_positions=8)
    assert len(model.translate(bundle, "#5 #6").target) <= 8
    with pytest.raises(LongTextError, match="the text has 9 tokens and the limit is 8"):
        model.translate(bundle, " ".join(["#5"] * 8))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: model.translate(tiny_bundle(), "   "), EmptyTextError, "nothing to translate: write a sentence"),
        (lambda: model.translate(tiny_bundle(), "#5 hello"), TextError, "“hello” is not an id"),
        (lambda: model.translate(tiny_bundle(), "#99"), TextError, "write ids from 0 to 19"),
        (lambda: model.translate(tiny_bundle(), "5 " * MAX_TOKENS), LongTextError, "the limit is 1,024: shorten it"),
        (lambda: model.translate(checkpoint.tiny_bundle(), SENTENCE, prefix="zebra"), PrefixError, "“zebra”"),
        (lambda: model.translate(tiny_bundle(), TEXT, prefix=[99]), PrefixError, "the id 99: choose 0 to 19"),
        (lambda: model.translate(tiny_bundle(), TEXT, prefix=[4] * 5, max_length=5), DecodingError, "prefix has 5"),
        (lambda: model.translate(tiny_bundle(), TEXT, method="best"), DecodingError, "unknown method “best”"),  # type: ignore
        (lambda: model.translate(tiny_bundle(), TEXT, method="beam", beam_size=17), DecodingError, r"\(17\)"),
        (lambda: model.translate(tiny_bundle(), TEXT, max_length=0), DecodingError, r"max_length \(0\)"),
    ],
)
def test_what_cannot_be_done_says_why_and_what_to_do(call, error, message) -> None:
    with pytest.raises(error, match=message):
        call()


def test_emoji_and_other_scripts_become_unknown_pieces_and_still_translate() -> None:
    bundle = checkpoint.tiny_bundle()
    for text in ("❤ 🐈", "你好", "\u202eabc", "a\nb"):
        trace = model.translate(bundle, text, max_length=5)
        assert set(trace.source.pieces[:-1]) <= {"<unk>"}


def test_a_prefix_may_hold_every_id_of_the_vocabulary_and_no_other() -> None:
    bundle = tiny_bundle()
    last = bundle.config.target_vocab_size - 1
    assert prefix_ids(bundle, [0, last])[-2:] == (0, last)
    for index in (-1, last + 1):
        with pytest.raises(PrefixError, match=f"the id {index}: choose 0 to {last}"):
            prefix_ids(bundle, [index])
