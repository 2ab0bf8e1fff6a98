"""From a file to batches: reading, holding out, normalising, bucketing, and words cut into other pieces."""

import hashlib
import itertools
from pathlib import Path

import numpy as np
import pytest

import model
from model import Bundle
from model.text.pairs import Pair
from model.text.tokenizer import SentencePieceTokenizer, normalise
from model.text.word_tokenizer import WordTokenizer
from model.training.data import Batches, encode_pairs, lowercase_unpunctuated, read_pairs, split_pairs
from model.training.resplit import Resplitter
from model.training.settings import TrainingConfig, TrainingError
from model.training.vocabularies.learned import train_tokenizer
from tests.tiny import tiny_config
from tests.training.jobs import pairs


@pytest.fixture(scope="module")
def tokenizer() -> SentencePieceTokenizer:
    return train_tokenizer(pairs(), vocab_size=80)


@pytest.mark.parametrize(
    ("raw", "normal"),
    [
        ("a\u202fb\u00a0c\u2009d", "a b c d"),
        ("co\u00adop\u200berate", "cooperate"),
        ("l\u2019eau", "l'eau"),
        ("  Go ! \u00a0", "Go !"),
        ("ÉCOLE “x” –", "ÉCOLE “x” –"),
    ],
)
def test_normalising_changes_the_listed_characters_alone(raw: str, normal: str) -> None:
    assert normalise(raw) == normal


def test_the_first_2000_by_hash_are_test_and_the_next_1000_validation() -> None:
    many = [Pair(f"Sentence {i % 15_000}.", f"Phrase {i}.") for i in range(20_000)]
    order = sorted({pair.source for pair in many}, key=lambda s: hashlib.sha256(s.encode("utf-8")).hexdigest())
    split = split_pairs(many)
    assert {pair.source for pair in split.test} == set(order[:2000])
    assert {pair.source for pair in split.validation} == set(order[2000:3000])
    assert {pair.source for pair in split.train} == set(order[3000:])
    assert sum(map(len, (split.test, split.validation, split.train))) == len(many)


def test_the_split_does_not_depend_on_the_order_of_lines_and_a_small_set_gives_a_tenth() -> None:
    split, mirrored = split_pairs(pairs()), split_pairs(pairs()[::-1])
    assert set(split.test) == set(mirrored.test) and set(split.validation) == set(mirrored.validation)
    assert len(split.test) == len(split.validation) == len(pairs()) // 10


def test_reading_normalises_and_drops_repeats_blank_lines_and_further_columns(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_bytes("\ufeffGo\u202f!\tVa !\r\n\nGo !\tVa\u00a0!\tCC-BY\nA\u2028b\tC\n".encode())
    assert read_pairs(path) == (Pair("Go !", "Va !"), Pair("A\u2028b", "C"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"Go.\tVa !\nonly one\n", "line 2 has one column: write source, a tab, target"),
        (b"", "holds no pair: write source, a tab, target on each line"),
        (b"\n  \n", "holds no pair"),
        ("Go.\tÇa".encode("latin-1"), "line 1 is not UTF-8: save it as UTF-8"),
        (b"\x80\x03PK\x00", "line 1 is not UTF-8"),
    ],
)
def test_a_bad_file_is_refused_with_place_and_remedy(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_bytes(content)
    with pytest.raises(TrainingError) as caught:
        read_pairs(path)
    assert message in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match=r"cannot read .*nothing.tsv: No such file or directory"):
        read_pairs(tmp_path / "nothing.tsv")


def test_a_vocabulary_too_large_for_the_text_names_the_largest_that_fits() -> None:
    with pytest.raises(TrainingError, match=r"vocab_size \(5000\): 735 pairs do not hold so many .* at most \d+"):
        train_tokenizer(pairs(), vocab_size=5000)


def test_bare_is_how_people_type() -> None:
    assert [
        lowercase_unpunctuated("He's calm."),
        lowercase_unpunctuated("Really?!"),
        lowercase_unpunctuated("Go"),
        lowercase_unpunctuated("Tom… "),
    ] == ["he's calm", "really", "go", "tom"]


def test_pairs_beyond_the_length_limit_are_left_out(tokenizer: SentencePieceTokenizer) -> None:
    long = Pair("the cat " * 40, "le chat")
    assert len(encode_pairs([*pairs()[:5], long], tokenizer, tokenizer, max_length=40)) == 5


def test_each_epoch_takes_every_example_once_in_batches_of_like_length(tokenizer: SentencePieceTokenizer) -> None:
    examples = encode_pairs(pairs(), tokenizer, tokenizer, max_length=60)
    config = TrainingConfig(batch_tokens=500, bare_share=0.25)
    batches = Batches(examples, tiny_config(source_vocab_size=80, target_vocab_size=80), config)
    first, second = batches.plan(0), batches.plan(1)
    for plan in (first, second):
        assert sorted(int(row) for rows, _ in plan for row in rows) == list(range(len(examples)))
    assert [tuple(rows) for rows, _ in first] != [tuple(rows) for rows, _ in second]
    lengths = [[max(len(examples[i].source), len(examples[i].target)) + 1 for i in rows] for rows, _ in first]
    assert all(max(group) * len(group) <= 500 for group in lengths)
    assert sum(max(group) * len(group) for group in lengths) < 1.1 * sum(map(sum, lengths))
    share = np.concatenate([is_bare for _, is_bare in first]).mean()
    assert 0.15 < share < 0.35


def test_a_batch_has_the_decoders_input_and_its_labels(tokenizer: SentencePieceTokenizer) -> None:
    examples = encode_pairs(pairs()[:8], tokenizer, tokenizer, max_length=60)
    config = tiny_config(source_vocab_size=80, target_vocab_size=80)
    batch = Batches(examples, config, TrainingConfig()).collate(examples, [False] * 8)
    for row, example in enumerate(examples):
        n = len(example.target)
        assert batch.source[row, : len(example.source) + 1].tolist() == [*example.source, config.eos_id]
        assert batch.prefix[row, : n + 1].tolist() == [config.bos_id, *example.target]
        assert batch.target[row, : n + 1].tolist() == [*example.target, config.eos_id]
        assert batch.is_real[row].sum() == n + 1 and batch.is_real[row, : n + 1].all()
    assert batch.n_tokens == sum(len(example.target) + 1 for example in examples)


def test_batches_can_be_taken_up_in_the_middle(tokenizer: SentencePieceTokenizer) -> None:
    examples = encode_pairs(pairs(), tokenizer, tokenizer, max_length=60)
    config = tiny_config(source_vocab_size=80, target_vocab_size=80)
    batches = Batches(examples, config, TrainingConfig(batch_tokens=2_000))
    n = len(batches.plan(0)) + 3
    unbroken = batches.iterate()
    expected = [next(unbroken) for _ in range(n + 2)][n:]
    resumed = batches.iterate(n)
    for batch in expected:
        assert batch.source.equal(next(resumed).source)


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


def test_without_a_share_nothing_is_resplit(tiny: Bundle) -> None:
    ids = np.array(tiny.source_tokenizer.encode("The cat is sleeping.").ids, np.int32)  # type: ignore[union-attr]
    assert Resplitter(tiny.source_tokenizer, 0.0, max_length=60)(ids, np.random.default_rng(1)).tolist() == ids.tolist()  # type: ignore[arg-type]


def test_a_text_that_would_become_too_long_keeps_its_pieces(tiny: Bundle) -> None:
    ids = np.array(tiny.source_tokenizer.encode("The teacher is sleeping.").ids, np.int32)  # type: ignore[union-attr]
    for most in (len(ids), 60):
        cut = Resplitter(tiny.source_tokenizer, 1.0, max_length=most)  # type: ignore[arg-type]
        drawn = [cut(ids, np.random.default_rng(seed)) for seed in range(20)]
        assert max(map(len, drawn)) <= most
        assert any(len(item) > len(ids) for item in drawn) == (most == 60)


def test_resplit_batches_decode_to_the_same_texts_and_a_resumed_run_gets_the_same(tiny: Bundle) -> None:
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
