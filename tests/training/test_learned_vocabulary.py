"""A vocabulary's pieces: contractions cut, frequent words whole, Chinese punctuation as printed."""

from pathlib import Path

import numpy as np
import pytest

from model.cli.main import main
from model.text.pairs import Pair
from model.text.tokenizer import SentencePieceTokenizer
from model.training.chinese import full_width
from model.training.vocabularies.learned import CUT, LEAST_COUNT, cut, frequent_words, train_tokenizer

ENGLISH = (
    "I don't know what you're doing.", "Is the student in the garden?", "She hasn't seen Tom's garden.",
    "The students gave us a map.", "We'll walk there, won't we?", "Almost nobody gave up.",
)  # fmt: skip
FRENCH = (
    "Je n'ai pas l'heure, c'est tard.", "Qu'il vienne aujourd'hui dans le jardin !", "L'élève n'est pas là.",
    "Les élèves nous ont donné une carte.", "Combien d'élèves s'en vont ?", "Presque personne n'a renoncé.",
)  # fmt: skip


def pairs() -> list[Pair]:
    """The sentences often, and rare words, so that there is something to learn for a vocabulary of 700."""
    generator = np.random.default_rng(1)
    rare = ["".join(generator.choice(list("aeioulnrst"), 7)) for _ in range(400)]
    sentences = [Pair(*each) for each in zip(ENGLISH, FRENCH, strict=True)]
    return sentences * (2 * LEAST_COUNT) + [Pair(word, word) for word in rare]


@pytest.fixture(scope="module")
def tokenizer() -> SentencePieceTokenizer:
    return train_tokenizer(pairs(), vocab_size=700, byte_fallback=True)


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
    assert cut(text).split(CUT) == parts


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
