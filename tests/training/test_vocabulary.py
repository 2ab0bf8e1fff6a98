"""A trained model with a new vocabulary: the embeddings of shared pieces are kept."""

import dataclasses
import logging
from pathlib import Path

import pytest
import torch

import model
from model.checkpoints import Bundle
from model.runs.folder import RunFolder
from model.runs.limits import Limits
from model.text.pairs import Pair
from model.text.tokenizer import SentencePieceTokenizer
from model.training.jobs.creation import create
from model.training.preparation import prepare
from model.training.settings import TrainingError
from model.training.vocabularies.extension import check_spelling, extend, spell, with_vocabulary
from model.training.vocabularies.learned import train_tokenizer
from tests.training.corpus import pairs
from tests.training.runs import SETTINGS, SMALL

NEW = tuple(
    Pair(f"The {a} minister of Zürich {b}.", f"Le ministre {c} de Zürich {d}.")
    for a, c in (("prime", "premier"), ("foreign", "étranger"), ("former", "ancien"))
    for b, d in (("speaks", "parle"), ("resigns", "démissionne"), ("travels", "voyage"))
) * 20  # fmt: skip


@pytest.fixture(scope="module")
def old() -> Bundle:
    return SMALL.begin(pairs(), seed=1)


@pytest.fixture(scope="module")
def learned() -> SentencePieceTokenizer:
    return train_tokenizer((*pairs(), *NEW), vocab_size=540, byte_fallback=True)


def tokenizer_of(bundle: Bundle) -> SentencePieceTokenizer:
    assert isinstance(bundle.source_tokenizer, SentencePieceTokenizer)
    return bundle.source_tokenizer


def test_with_bytes_no_character_is_unknown_and_european_letters_are_whole(learned: SentencePieceTokenizer) -> None:
    text = "Zürich Łódź 猫 😀"
    tokens = learned.encode(text)
    assert learned.unknown_id not in tokens.ids and learned.decode(tokens.ids) == text
    assert "ź" in "".join(tokens.pieces) and sum(piece.startswith("<0x") for piece in tokens.pieces) == 3 + 4
    assert tokens.spans[-1] == (len(text) - 1, len(text))
    assert all(text[start:stop] in text for start, stop in filter(None, tokens.spans))


def test_a_vocabulary_too_small_for_its_characters_says_how_many_it_needs() -> None:
    with pytest.raises(
        TrainingError, match=r"vocab_size \(300\): the characters alone need 4\d\d pieces, ask for more"
    ):
        train_tokenizer(pairs(), vocab_size=300, byte_fallback=True)


def test_an_extended_vocabulary_keeps_every_old_piece_under_its_id(
    old: Bundle, learned: SentencePieceTokenizer
) -> None:
    before = tokenizer_of(old)
    after = extend(before, learned, size=530)
    assert after.size == 530
    assert list(after.pieces())[: before.size] == list(before.pieces())
    assert after.decode(after.encode("Zürich 猫").ids) == "Zürich 猫"
    assert before.unknown_id in before.encode("Zürich 猫").ids


def test_a_size_that_cannot_be_reached_says_what_can(old: Bundle, learned: SentencePieceTokenizer) -> None:
    for size in (100, 10_000):
        with pytest.raises(TrainingError, match=rf"vocab_size \({size}\) must lie in \d+ to \d+"):
            extend(tokenizer_of(old), learned, size=size)


def test_shared_pieces_keep_their_embedding_and_new_ones_begin_as_the_mean_of_their_parts(
    old: Bundle, learned: SentencePieceTokenizer
) -> None:
    new = with_vocabulary(old, learned)
    before, after = (bundle.model.encoder.embedding.weight for bundle in (old, new))
    old_ids = {piece: i for i, (piece, _) in enumerate(tokenizer_of(old).pieces())}
    scores = dict(tokenizer_of(old).pieces())
    n_shared = 0
    for i, (piece, _) in enumerate(learned.pieces()):
        parts = spell(piece, scores)
        expected = before[[old_ids[part] for part in parts] or [tokenizer_of(old).unknown_id]].mean(0)
        torch.testing.assert_close(after[i], expected)
        n_shared += parts == (piece,)
    assert 4 < n_shared < learned.size
    others = {name for name, weight in old.model.state_dict().items() if weight.shape != before.shape}
    assert all(torch.equal(old.model.state_dict()[name], new.model.state_dict()[name]) for name in others)
    assert new.model.output.weight is new.model.decoder.embedding.weight


def test_a_word_is_spelled_with_its_likeliest_parts() -> None:
    scores = {"a": -3.0, "b": -3.0, "ab": -4.0, "abc": -20.0, "c": -3.0}
    assert spell("ab", scores) == ("ab",) and spell("abcb", scores) == ("ab", "c", "b")
    assert spell("abx", scores) == ()


@pytest.mark.nightly
def test_a_run_from_a_checkpoint_trains_with_the_other_vocabulary(
    old: Bundle, learned: SentencePieceTokenizer, tmp_path: Path
) -> None:
    settings = dataclasses.replace(SETTINGS, steps=2, validate_every=2)
    list(prepare(old, (*pairs(), *NEW), settings, RunFolder(tmp_path), tokenizer=learned).run())
    result = model.load(tmp_path / "result")
    assert result.config.source_vocab_size == result.config.target_vocab_size == learned.size
    assert old.config.source_vocab_size == 80


def test_a_model_with_two_vocabularies_says_that_it_cannot(old: Bundle, learned: SentencePieceTokenizer) -> None:
    apart = dataclasses.replace(old, config=dataclasses.replace(old.config, tie_embeddings=False))
    with pytest.raises(TrainingError, match="cannot take another vocabulary"):
        with_vocabulary(apart, learned)


CHINESE = tuple(
    Pair(f"The cat eats {word}.", f"猫吃{letter}。")
    for word, letter in zip("abcdefgh", "鱼米面菜肉蛋饭饼", strict=True)
)
"""Their source is spelled well, their target not at all."""


def test_a_vocabulary_of_another_language_is_refused_before_anything_is_written(
    old: Bundle, learned: SentencePieceTokenizer, tmp_path: Path
) -> None:
    check_spelling(pairs(), tokenizer_of(old), tokenizer_of(old))
    for tokenizer in (None, learned):  # one without bytes, whose tokens are unknown, and one with
        folder = RunFolder(tmp_path / str(tokenizer is None))
        with pytest.raises(TrainingError, match=r"\d\d% of the target tokens are unknown or single bytes.*train with"):
            prepare(old, CHINESE, SETTINGS, folder, tokenizer=tokenizer)
        assert not folder.initial.exists(), "the next try must not begin with it"


def test_a_run_of_the_page_is_refused_before_its_folder_is_made(old: Bundle, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="of the target tokens are unknown") as found:
        create(tmp_path / "runs", old, CHINESE, SETTINGS, Limits())
    assert found.value.case == "spelling_target" and not (tmp_path / "runs").exists()
    assert create(tmp_path / "runs", old, pairs(), SETTINGS, Limits()).initial.is_dir()


def test_a_vocabulary_that_lacks_some_letters_is_warned_of(old: Bundle, caplog: pytest.LogCaptureFixture) -> None:
    some = (*pairs(), *(Pair("He sleeps here.", "Il dort ici, ß, w.") for _ in range(200)))
    with caplog.at_level(logging.WARNING, "model.training.vocabularies.extension"):
        check_spelling(some, tokenizer_of(old), tokenizer_of(old))
    assert "of the target tokens are unknown or single bytes" in caplog.text and "source" not in caplog.text
