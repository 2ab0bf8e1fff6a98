"""Vocabularies: learned ones, and a trained model with a new one, which keeps the embeddings of shared pieces."""

import dataclasses
import logging
from pathlib import Path

import numpy as np
import pytest
import torch

import model
from model.checkpoints import Bundle
from model.cli.main import main
from model.runs.folder import RunFolder
from model.runs.limits import Limits
from model.text.pairs import Pair
from model.text.tokenizer import SentencePieceTokenizer
from model.training.chinese import full_width
from model.training.jobs.creation import create
from model.training.preparation import prepare
from model.training.settings import TrainingError
from model.training.vocabularies.extension import check_spelling, extend, spell, with_vocabulary
from model.training.vocabularies.learned import CUT, LEAST_COUNT, frequent_words, split_contractions, train_tokenizer
from tests.training.jobs import SETTINGS, SMALL, pairs

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


def test_the_error_of_a_too_small_vocabulary_has_the_minimum() -> None:
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


def test_the_error_of_an_unreachable_size_has_the_range(old: Bundle, learned: SentencePieceTokenizer) -> None:
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


def test_a_model_with_two_vocabularies_takes_no_other_one(old: Bundle, learned: SentencePieceTokenizer) -> None:
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
    with pytest.raises(TrainingError, match="of the target tokens are unknown") as result:
        create(tmp_path / "runs", old, CHINESE, SETTINGS, Limits())
    assert result.value.case == "spelling_target" and not (tmp_path / "runs").exists()
    assert create(tmp_path / "runs", old, pairs(), SETTINGS, Limits()).initial.is_dir()


def test_a_vocabulary_that_lacks_some_letters_is_warned_of(old: Bundle, caplog: pytest.LogCaptureFixture) -> None:
    some = (*pairs(), *(Pair("He sleeps here.", "Il dort ici, ß, w.") for _ in range(200)))
    with caplog.at_level(logging.WARNING, "model.training.vocabularies.extension"):
        check_spelling(some, tokenizer_of(old), tokenizer_of(old))
    assert "of the target tokens are unknown or single bytes" in caplog.text and "source" not in caplog.text


ENGLISH = (
    "I don't know what you're doing.", "Is the student in the garden?", "She hasn't seen Tom's garden.",
    "The students gave us a map.", "We'll walk there, won't we?", "Almost nobody gave up.",
)  # fmt: skip
FRENCH = (
    "Je n'ai pas l'heure, c'est tard.", "Qu'il vienne aujourd'hui dans le jardin !", "L'élève n'est pas là.",
    "Les élèves nous ont donné une carte.", "Combien d'élèves s'en vont ?", "Presque personne n'a renoncé.",
)  # fmt: skip


def frequent_pairs() -> list[Pair]:
    """The sentences often, and rare words, so that there is something to learn for a vocabulary of 700."""
    generator = np.random.default_rng(1)
    rare = ["".join(generator.choice(list("aeioulnrst"), 7)) for _ in range(400)]
    sentences = [Pair(*item) for item in zip(ENGLISH, FRENCH, strict=True)]
    return sentences * (2 * LEAST_COUNT) + [Pair(word, word) for word in rare]


@pytest.fixture(scope="module")
def tokenizer() -> SentencePieceTokenizer:
    return train_tokenizer(frequent_pairs(), vocab_size=700, byte_fallback=True)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("don't", ["do", "n't"]),
        ("I'm", ["I", "'m"]),
        ("Tom's", ["Tom", "'s"]),
        ("WE'LL", ["WE", "'LL"]),
        ("l'eau", ["l'", "eau"]),
        ("Qu'il", ["Qu'", "il"]),
        ("jusqu'ici", ["jusqu'", "ici"]),
        ("aujourd'hui", ["aujourd'hui"]),
        ("'quoted'", ["'quoted'"]),
    ],
)
def test_a_contraction_is_cut_where_a_teacher_would_cut_it(text: str, parts: list[str]) -> None:
    assert split_contractions(text).split(CUT) == parts


def test_contractions_are_two_pieces_each(tokenizer: SentencePieceTokenizer) -> None:
    assert tokenizer.encode("I don't know what you're doing.").pieces[:3] == ("▁I", "▁do", "n't")
    assert tokenizer.encode("l'heure").pieces == ("▁l'", "heure")


def test_every_frequent_word_of_both_languages_is_one_piece(tokenizer: SentencePieceTokenizer) -> None:
    pieces = {piece for piece, _ in tokenizer.pieces()}
    for texts in (ENGLISH, FRENCH):
        assert {word for word, _ in frequent_words(texts)} <= pieces
    assert tokenizer.encode("Almost").pieces == ("▁Almost",)
    assert tokenizer.encode("Combien").pieces == ("▁Combien",)


def test_whole_words_do_not_change_the_size(tokenizer: SentencePieceTokenizer) -> None:
    assert tokenizer.size == 700
    assert tokenizer.special_ids == {"pad": 0, "bos": 2, "eos": 3}


def test_no_text_is_unknown(tokenizer: SentencePieceTokenizer) -> None:
    for text in ("猫 Ω 😀", "Ｈｅｌｌｏ", "naïve"):
        ids = tokenizer.encode(text).ids
        assert tokenizer.unknown_id not in ids
    assert tokenizer.decode(tokenizer.encode("猫 Ω 😀").ids) == "猫 Ω 😀"
    assert tokenizer.decode(tokenizer.encode("Ｈｅｌｌｏ").ids) == "Hello"


def test_chinese_punctuation_keeps_its_width(tokenizer: SentencePieceTokenizer) -> None:
    for text in ("你好，汤姆！", "真的吗？（是）"):
        assert tokenizer.decode(tokenizer.encode(text).ids) == text


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("你好,汤姆.", "你好，汤姆。"),
        ("真的吗?", "真的吗？"),
        ('他说:"你好!"', "他说：“你好！”"),
        ("我 爱 你 。", "我爱你。"),
        ("他来了(昨天)...", "他来了（昨天）……"),
        ("见 a.b.c, 3.14 和 1,000", "见 a.b.c, 3.14 和 1,000"),
        ("Hello, world.", "Hello, world."),
    ],
)
def test_chinese_is_written_with_the_punctuation_of_print(typed: str, printed: str) -> None:
    assert full_width(typed) == printed


def test_prepare_writes_chinese_as_printed(tmp_path: Path) -> None:
    folder = tmp_path
    (folder / "a.tsv").write_text("".join(f"Hello {i}.\t你好,汤姆{i}.\n" for i in range(40)), "utf-8")
    assert main(["prepare", str(folder / "a.tsv"), "--full-width", "--out", str(folder / "out")]) == 0
    assert "你好，汤姆" in (folder / "out" / "train.tsv").read_text("utf-8")
    assert "," not in (folder / "out" / "test.tsv").read_text("utf-8")
