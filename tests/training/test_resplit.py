"""Words of sources that are cut into other pieces in training."""

import itertools

import numpy as np
import pytest

import model
from model import Bundle
from model.text.pairs import Pair
from model.text.word_tokenizer import WordTokenizer
from model.training.data import Batches, encode_pairs
from model.training.resplit import Resplitter
from model.training.settings import TrainingConfig, TrainingError
from tests.training.corpus import pairs

MIXED = [*pairs(), Pair("Żółw 龟 sleeps.", "La tortue dort."), Pair("I'm here.", "Je suis là.")]


@pytest.fixture(scope="module")
def tiny() -> Bundle:
    return model.load("tiny")


def stream(bundle: Bundle, *, start: int = 0, share: float = 0.3) -> list[tuple[list[list[int]], list[list[int]]]]:
    tokenizer = bundle.source_tokenizer
    assert tokenizer is not None
    config = TrainingConfig(batch_tokens=300, bare_share=0.3, resplit_share=share)
    batches = Batches(
        encode_pairs(MIXED, tokenizer, tokenizer, max_length=60), bundle.config, config, bundle.source_tokenizer
    )
    taken = itertools.islice(batches.iterate(start), 40 - start)
    return [(batch.source.tolist(), batch.target.tolist()) for batch in taken]


def test_a_text_cut_anew_is_the_same_text_and_about_so_many_of_its_words_have_other_pieces(tiny: Bundle) -> None:
    tokenizer = tiny.source_tokenizer
    cut = Resplitter(tokenizer, 0.25, max_length=60)  # type: ignore[arg-type]
    generator, changed, words = np.random.default_rng(1), 0, 0
    for pair in MIXED * 10:
        ids = np.array(tokenizer.encode(pair.source).ids, np.int32)  # type: ignore[union-attr]
        again = cut(ids, generator)
        assert tokenizer.decode(again.tolist()) == tokenizer.decode(ids.tolist())  # type: ignore[union-attr]
        changed += not np.array_equal(ids, again)
        words += len(pair.source.split())
    assert 0.05 * words < changed < 0.25 * words


def test_nothing_is_cut_anew_where_nothing_is_asked_for(tiny: Bundle) -> None:
    ids = np.array(tiny.source_tokenizer.encode("The cat is sleeping.").ids, np.int32)  # type: ignore[union-attr]
    assert Resplitter(tiny.source_tokenizer, 0.0, max_length=60)(ids, np.random.default_rng(1)).tolist() == ids.tolist()  # type: ignore[arg-type]


def test_a_text_that_would_become_too_long_keeps_its_pieces(tiny: Bundle) -> None:
    ids = np.array(tiny.source_tokenizer.encode("The teacher is sleeping.").ids, np.int32)  # type: ignore[union-attr]
    for most in (len(ids), 60):
        cut = Resplitter(tiny.source_tokenizer, 1.0, max_length=most)  # type: ignore[arg-type]
        drawn = [cut(ids, np.random.default_rng(seed)) for seed in range(20)]
        assert max(map(len, drawn)) <= most
        assert any(len(each) > len(ids) for each in drawn) == (most == 60)


def test_batches_say_what_they_said_and_a_resumed_run_gets_the_same(tiny: Bundle) -> None:
    plain, cut = stream(tiny, share=0.0), stream(tiny)
    decode = tiny.source_tokenizer.decode  # type: ignore[union-attr]
    assert [targets for _, targets in cut] == [targets for _, targets in plain]
    assert [[decode(row) for row in rows] for rows, _ in cut] == [[decode(row) for row in rows] for rows, _ in plain]
    assert [rows for rows, _ in cut] != [rows for rows, _ in plain]
    assert stream(tiny) == cut and stream(tiny, start=25) == cut[25:]


def test_a_vocabulary_of_whole_words_cannot_be_cut_anew(tiny: Bundle) -> None:
    words = WordTokenizer(["<unk>", "the", "cat"])
    with pytest.raises(TrainingError, match="resplit_share needs a SentencePiece vocabulary: leave it at 0"):
        Batches(encode_pairs(MIXED, words, words, max_length=60), tiny.config, TrainingConfig(resplit_share=0.1), words)
