"""Parses pasted or uploaded pairs into rows, each with its problem if it has one; rows with a problem are not used."""

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from model.text.pairs import Pair
from model.text.tokenizer import TokenizerError, normalise
from model.training.languages import looks_like
from model.training.settings import TrainingError

Problem = Literal["one_column", "empty_side", "too_long", "duplicate", "swapped", "unknown"]
MAX_CHARACTERS = 5_000_000
MAX_PASTED = 200_000
"""Maximum characters of pasted text."""
MAX_LINES = 20_000
MAX_LINE = 10_000
"""Maximum characters of a side that is tokenized; longer ones are too long for any model."""
_KEPT = 2 * MAX_LINE + 100
"""Maximum characters of a line that are examined: one pass over millions would block all other visitors."""
_HEADER = {"source", "target", "src", "tgt", "trg", "en", "fr", "de", "zh", "es", "english", "french", "german",
           "chinese", "translation", "anglais", "français", "原文", "译文"}  # fmt: skip
_PASTED = re.compile(r"\t|\|\|\||\s\|\s|\s=>\s|\s→\s|\s=\s")
"""Without the spaces around it, which are stripped later: matching them takes quadratic time."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the data."""

    number: int
    """Line number from 1, empty lines included, as in an editor."""
    source: str
    target: str
    problem: Problem | None = None

    @property
    def pair(self) -> Pair:
        """(source, target)."""
        return Pair(self.source, self.target)


def pairs_of(rows: Sequence[Row]) -> tuple[Pair, ...]:
    """The pairs of the rows without a problem."""
    return tuple(row.pair for row in rows if row.problem is None)


def read_table(content: bytes, *, name: str = "") -> list[tuple[int, list[str]]]:
    """Lines of a TSV or CSV file as (number, columns), without a header line.

    Args:
        name: the file's name, whose ending decides between tabs and commas; without one, the first line decides.

    Raises:
        TrainingError: when it is not UTF-8 text, or too large.
    """
    if len(content) > MAX_CHARACTERS:
        raise TrainingError(
            f"{name or 'the file'} has {len(content):,} bytes: give at most {MAX_CHARACTERS:,}",
            "bytes", file=name, n=f"{len(content):,}", most=f"{MAX_CHARACTERS:,}",
        )  # fmt: skip
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TrainingError(
            f"{name or 'the file'} is not UTF-8 (byte {error.start}): save it as UTF-8", "not_utf8", file=name
        ) from error
    return read_text(text, is_csv=name.lower().endswith(".csv") or None)


def read_text(text: str, *, is_csv: bool | None = None) -> list[tuple[int, list[str]]]:
    """Pasted lines as (number, columns), separated by tabs, as CSV, or by a sign such as ``|`` or ``=`` between spaces.

    Args:
        is_csv: None: decided by the first line with a separator.

    Raises:
        TrainingError: when it has too many characters or lines, or is invalid CSV.
    """
    _check_extent(text)
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    if is_csv is None:
        has_sign = any(_PASTED.search(line[:_KEPT]) for line in text.split("\n")[:50])
        is_csv = "\t" not in text and "," in text and not has_sign
    lines = _csv(text) if is_csv else [
        (number, [cell.strip() for cell in _PASTED.split(line[:_KEPT], maxsplit=1)])
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip()
    ]  # fmt: skip
    if lines and len(lines[0][1]) > 1 and all(cell.strip().lower() in _HEADER for cell in lines[0][1][:2]):
        return lines[1:]
    return lines


def _check_extent(text: str) -> None:
    if len(text) > MAX_CHARACTERS:
        raise TrainingError(
            f"the pairs have {len(text):,} characters: give at most {MAX_CHARACTERS:,}",
            "characters", n=f"{len(text):,}", most=f"{MAX_CHARACTERS:,}",
        )  # fmt: skip
    n_lines = text.count("\n") + text.count("\r") + 1
    if n_lines > MAX_LINES:
        raise TrainingError(
            f"the pairs have {n_lines:,} lines: give at most {MAX_LINES:,}",
            "lines", n=f"{n_lines:,}", most=f"{MAX_LINES:,}",
        )  # fmt: skip


def check_rows(
    lines: Sequence[tuple[int, Sequence[str]]],
    *,
    count_pieces: Callable[[str], int],
    max_pieces: int,
    languages: tuple[str | None, str | None] = (None, None),
) -> tuple[Row, ...]:
    """Each line as a row, with its first problem.

    Args:
        lines: from ``read_table`` or ``read_text``.
        count_pieces: length of a text in the model's pieces; it may raise TokenizerError for a word that the vocabulary
            lacks.
        max_pieces: maximum length of a side.
        languages: source and target language, BCP 47, to detect swapped columns; None if unknown.
    """
    seen: set[Pair] = set()
    rows = []
    for number, cells in lines:
        source, target = (normalise(" ".join(cell.split())) for cell in (*cells[:2], "", "")[:2])
        row = Row(number, source, target)
        problem = _problem(row, len(cells), seen, count_pieces, max_pieces, languages)
        seen.add(row.pair)
        rows.append(Row(number, source, target, problem))
    return tuple(rows)


def _problem(
    row: Row,
    n_columns: int,
    seen: set[Pair],
    count_pieces: Callable[[str], int],
    max_pieces: int,
    languages: tuple[str | None, str | None],
) -> Problem | None:
    if max(len(row.source), len(row.target)) > MAX_LINE:
        return "too_long"
    if n_columns < 2:
        return "one_column"
    if not row.source or not row.target:
        return "empty_side"
    if row.pair in seen:
        return "duplicate"
    try:
        if max(count_pieces(row.source), count_pieces(row.target)) > max_pieces:
            return "too_long"
    except TokenizerError:
        return "unknown"
    first, second = languages
    if first and second and looks_like(row.source, second, first) and looks_like(row.target, first, second):
        return "swapped"
    return None


def _csv(text: str) -> list[tuple[int, list[str]]]:
    first = text.split("\n")[:20]
    separator = max(",;", key=lambda sign: sum(sign in line for line in first))
    reader = csv.reader(io.StringIO(text), delimiter=separator)
    lines = []
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                lines.append((reader.line_num, cells))
    except csv.Error as error:
        raise TrainingError(
            f"line {reader.line_num + 1} is not valid CSV ({error}): close its quotation marks",
            "csv", line=reader.line_num + 1,
        ) from error  # fmt: skip
    return lines
