"""Pasted and uploaded text is read in time proportional to its length, and only up to a limit."""

import contextlib
import time
from collections.abc import Callable
from functools import cache

import pytest

import model
from model.corpus.batches import read_rows
from model.corpus.metrics import MAX_BYTES as MOST_SENTENCES
from model.corpus.metrics import SentencesError, read_sentences
from model.text.links import CorpusError
from model.text.pairs import MAX_LINE as LONGEST_LINKS
from model.text.pairs import decode_lines, linked, pairs_of_lines, parse_gold
from model.text.tokenizer import Tokenizer
from model.training.rows import MAX_CHARACTERS, MAX_LINE, check_rows, read_table, read_text
from model.training.settings import TrainingError


@cache
def _tokenizer() -> Tokenizer:
    result = model.load("tiny").source_tokenizer
    assert result is not None
    return result


def _rows(lines: list[tuple[int, list[str]]]) -> None:
    check_rows(lines, count_pieces=lambda text: len(_tokenizer().encode(text)), max_pieces=64, languages=("en", "fr"))


BOXES: dict[str, Callable[[str], object]] = {
    "paste to learn from": lambda text: _rows(read_text(text)),
    "file to learn from": lambda text: _rows(read_table(text.encode(), name="pairs.tsv")),
    "CSV to learn from": lambda text: _rows(read_table(text.encode(), name="pairs.csv")),
    "pairs of a survey": lambda text: pairs_of_lines(decode_lines(text.encode(), "pairs"), "pairs"),
    "gold alignments": lambda text: parse_gold(decode_lines(text.encode(), "gold"), "gold"),
    "sentences to measure on": lambda text: read_sentences(text.encode()),
}
SHAPES: dict[str, Callable[[int], str]] = {
    "spaces": lambda n: f"a{' ' * n}b",
    "spaces around a bar": lambda n: f"a{' ' * (n // 2)}|{' ' * (n // 2)}b\tc",
    "quotation marks": lambda n: '"' * n,
    "an open quotation": lambda n: f'a,"{"x" * n}',
    "columns": lambda n: "a\t" * (n // 2),
    "commas": lambda n: "a," * (n // 2),
    "signs": lambda n: " = " * (n // 3),
    "arrows": lambda n: " => " * (n // 4) + "x",
    "short lines": lambda n: "a\tb\t0-0\n" * (n // 100),
    "empty lines": lambda n: "\n" * (n // 20),
    "words": lambda n: f"{'a ' * (n // 4)}\t{'b ' * (n // 4)}\t0-0",
    "links": lambda n: f"a\tb\t{'0-0 ' * (n // 4)}",
    "a long link": lambda n: f"a\tb\t{'9' * n}-0",
    "ligatures": lambda n: f"{'ﷺ' * (n // 3)}\tb",
    "marks upon a letter": lambda n: f"{'a' + chr(0x301) * n}\tb",
    "lines of ten thousand": lambda n: f"{'the cat ' * 1_200}\t{'le chat ' * 1_200}\n" * (n // 20_000 + 1),
}
SHORT, LONG = 20_000, 200_000


@pytest.mark.nightly
@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("shape", SHAPES)
def test_text_is_read_in_time_that_grows_with_its_length(box: str, shape: str) -> None:
    _tokenizer()
    short, long = (min(_seconds(BOXES[box], SHAPES[shape](n)) for _ in range(2)) for n in (SHORT, LONG))
    assert long < 30 * short + 0.05, f"ten times the text took {long / max(short, 1e-6):.0f} times as long"


def _seconds(read: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    with contextlib.suppress(CorpusError, SentencesError, TrainingError):
        read(text)
    return time.process_time() - began


def test_the_test_detects_quadratic_time() -> None:
    def square(text: str) -> int:
        return sum(text.count("b", start) for start in range(0, len(text), 4))

    assert _seconds(square, "a" * LONG) > 30 * _seconds(square, "a" * SHORT) + 0.05


@pytest.mark.parametrize(
    ("read", "n_bytes"),
    [
        (lambda text: read_text(text), MAX_CHARACTERS),
        (lambda text: read_table(text.encode()), MAX_CHARACTERS),
        (lambda text: decode_lines(text.encode(), "pairs", most=5 << 20), 5 << 20),
        (lambda text: read_sentences(text.encode()), MOST_SENTENCES),
    ],
    ids=["paste", "file", "corpus", "sentences"],
)
def test_text_beyond_the_bound_is_refused_with_both_numbers(read: Callable[[str], object], n_bytes: int) -> None:
    line = "a\tb".ljust(5_000) + "\n"
    read((line * (n_bytes // len(line))).removesuffix("\n"))
    with pytest.raises((CorpusError, SentencesError, TrainingError), match=f"{n_bytes + 1:,} .*at most {n_bytes:,}"):
        read((line * (n_bytes // len(line) + 1))[: n_bytes + 1])


def test_a_line_that_no_model_reads_is_looked_at_in_part() -> None:
    """One pass of a regular expression over millions of characters blocks every other visitor."""
    lines = read_text(f"{'a' * 1_000_000}\tb\nc\td")
    assert max(len(cell) for _, cells in lines for cell in cells) < 3 * MAX_LINE
    rows = check_rows(lines, count_pieces=len, max_pieces=64)
    assert [row.problem for row in rows] == ["too_long", None]
    with pytest.raises(SentencesError, match="100,000 characters"):
        read_sentences(f"the cat\n{'a' * 100_000}".encode())
    text = f"{'a' * 100_000}\tle chat\t0-0\nthe cat\tle chat\t0-0"
    for pairs in (pairs_of_lines(text.split("\n"), "pairs"), parse_gold(text.split("\n"), "gold")):
        short, long = read_rows(model.load("tiny"), pairs)
        assert [row.pair.source for row in short] == ["the cat"]
        assert [(skip.id, "the pair has 100,007 characters" in skip.reason) for skip in long] == [(0, True)]


def test_links_of_a_line_that_is_too_long_are_refused() -> None:
    assert linked("a b", "c d", "0-0 1-1", where="gold").links
    with pytest.raises(CorpusError):
        linked("a b", "c d", "0-0 " * LONGEST_LINKS, where="gold", line=3)
