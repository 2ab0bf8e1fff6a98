"""Pairs for a survey, given as values, tuples or a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from model.corpus.gold import MAX_LINE, CorpusError, Pair, decode_lines, is_too_long, linked, long_line
from model.text.counting import counted
from model.text.tokenizer import normalise


def as_pairs(given: Sequence[Pair | Sequence[str]] | Path | str) -> Sequence[Pair]:
    """Pairs of values, of (source, target[, links]) or of a file.

    Raises:
        CorpusError: when there is none, or one of them is not a pair of texts.
    """
    if isinstance(given, (str, Path)):
        return read_pairs(given)
    pairs = [_as_pair(item, number) for number, item in enumerate(given, start=1)]
    if not pairs:
        raise CorpusError("there is no pair: give at least one source and target")
    return pairs


def read_pairs(path: Path | str, *, gold: Path | str | None = None) -> tuple[Pair, ...]:
    """Pairs of a file with ``source<TAB>target`` or ``source<TAB>target<TAB>links`` a line.

    A third column counts as links if it is written as links on every line. Pairs with an empty side, or with more
    characters than any model reads, are kept here; the survey skips and reports them.

    Args:
        gold: a file with the links of one pair on each line.

    Raises:
        CorpusError: when the file is not UTF-8 or a line has one column.
        OSError: when it cannot be read.
    """
    return pairs_of_lines(decode_lines(Path(path).read_bytes(), str(path)), str(path), gold=gold)


def pairs_of_lines(lines: Sequence[str], path: str, *, gold: Path | str | None = None) -> tuple[Pair, ...]:
    """The pairs of given lines; messages name the ``path``. Raises as ``read_pairs``."""
    rows = [(number, line.split("\t")) for number, line in enumerate(lines, start=1) if line]
    for number, columns in rows:
        if len(columns) < 2:
            raise CorpusError(
                f"{path} line {number} has one column: write source, a tab, target",
                "one_column",
                file=path,
                line=number,
            )
        if len(columns) > 2 and len(columns[2]) > MAX_LINE:
            raise long_line(columns[2], path, number)
    if not rows:
        raise CorpusError(f"{path} holds no pair: write source, a tab, target on each line", "no_pairs", file=path)
    if gold is not None:
        return _with_gold(rows, Path(gold), path)
    if all(len(columns) > 2 and _looks_like_links(columns[2]) for _, columns in rows):
        return tuple(linked(*columns[:3], where=path, line=number) for number, columns in rows)
    return tuple(_plain(columns[0], columns[1]) for _, columns in rows)


def _plain(source: str, target: str) -> Pair:
    return Pair(source, target) if is_too_long(source, target) else Pair(normalise(source), normalise(target))


def _with_gold(rows: Sequence[tuple[int, list[str]]], gold: Path, where: str) -> tuple[Pair, ...]:
    links = decode_lines(gold.read_bytes(), str(gold))
    if len(links) != len(rows):
        raise CorpusError(
            f"{gold} has {counted(len(links), 'line')} and {where} {counted(len(rows), 'pair')}: "
            "give one line for each pair"
        )
    return tuple(
        linked(columns[0], columns[1], line, where=str(gold), line=number)
        for number, ((_, columns), line) in enumerate(zip(rows, links, strict=True), start=1)
    )


def _looks_like_links(text: str) -> bool:
    return all("-" in word or "p" in word for word in text.split()) and all(
        word.replace("-", "").replace("p", "").isdigit() for word in text.split()
    )


def _as_pair(item: Pair | Sequence[str], number: int) -> Pair:
    if isinstance(item, Pair):
        return item
    columns = _columns(item)
    if not 2 <= len(columns) <= 3 or not all(isinstance(column, str) for column in columns):
        raise CorpusError(f"pair {number} ({item!r}) is not a pair: give source and target as text")
    if len(columns) == 3 and columns[2].strip():
        return linked(columns[0], columns[1], columns[2], where=f"pair {number}")
    return _plain(columns[0], columns[1])


def _columns(item: object) -> tuple:
    if hasattr(item, "source") and hasattr(item, "target"):
        return (item.source, item.target)  # pyright: ignore[reportAttributeAccessIssue]
    return tuple(item) if isinstance(item, Iterable) and not isinstance(item, str) else (item,)
