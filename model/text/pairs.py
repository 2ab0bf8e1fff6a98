"""Sentence pairs from values, tuples or a file of ``source<TAB>target`` lines."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from model.text.counting import format_count
from model.text.links import MAX_LINE, CorpusError, Links, long_line, words

MAX_BYTES = 50_000_000
MAX_UPLOAD_MB = 5
"""Maximum size of a visitor's file, which the server parses itself."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A source sentence and its translation, optionally with word alignment links."""

    source: str
    target: str
    links: Links | None = None
    """Links between space-separated words."""


def as_pairs(source: Sequence[Pair | Sequence[str]] | Path | str) -> Sequence[Pair]:
    """Pairs from Pair values, (source, target[, links]) tuples, or a file.

    Raises:
        CorpusError: when there is none, or one of them is not a pair of texts.
    """
    if isinstance(source, (str, Path)):
        return read_pairs(source)
    pairs = [_as_pair(item, number) for number, item in enumerate(source, start=1)]
    if not pairs:
        raise CorpusError("there is no pair: give at least one source and target")
    return pairs


def as_texts(source: Sequence[str] | Path | str) -> list[Pair]:
    """Texts for a model that does not translate, from values or lines of a file, as pairs with an empty target.

    Raises:
        CorpusError: when there is none, or one of them is no text.
    """
    if isinstance(source, (str, Path)):
        source = [line for line in decode_lines(Path(source).read_bytes(), str(source)) if line.strip()]
    for number, item in enumerate(source, start=1):
        if not isinstance(item, str):
            raise CorpusError(
                f"text {number} ({item!r:.60}) is not a text: give texts to an encoder-only or "
                "decoder-only model, not pairs"
            )
    if not source:
        raise CorpusError("there is no text: give at least one")
    return [Pair(item, "") for item in source]


def read_pairs(path: Path | str, *, gold: Path | str | None = None) -> tuple[Pair, ...]:
    """Read pairs from a file with ``source<TAB>target`` or ``source<TAB>target<TAB>links`` per line.

    A third column counts as links if every line has links there. Pairs with an empty side, or too long for any model,
    are kept here; the survey skips and reports them.

    Args:
        gold: a file with the links of one pair on each line.

    Raises:
        CorpusError: when the file is not UTF-8 or a line has one column.
        OSError: when it cannot be read.
    """
    return pairs_of_lines(decode_lines(Path(path).read_bytes(), str(path)), str(path), gold=gold)


def pairs_of_lines(lines: Sequence[str], path: str, *, gold: Path | str | None = None) -> tuple[Pair, ...]:
    """The pairs of lines; ``path`` is for messages. Raises as ``read_pairs``."""
    rows = columns_of(lines, path)
    for number, columns in rows:
        if len(columns) > 2 and len(columns[2]) > MAX_LINE:
            raise long_line(columns[2], path, number)
    if gold is not None:
        return _with_gold(rows, Path(gold), path)
    if all(len(columns) > 2 and _looks_like_links(columns[2]) for _, columns in rows):
        return tuple(linked(*columns[:3], where=path, line=number) for number, columns in rows)
    return tuple(Pair(columns[0], columns[1]) for _, columns in rows)


def columns_of(lines: Sequence[str], path: str) -> list[tuple[int, list[str]]]:
    """(line number from 1, columns) of every line that is not empty.

    Raises:
        CorpusError: when a line has one column, or there is none.
    """
    rows = [(number, line.split("\t")) for number, line in enumerate(lines, start=1) if line.strip(" ")]
    for number, columns in rows:
        if len(columns) < 2:
            raise CorpusError(
                f"{path} line {number} has one column: write source, a tab, target",
                "one_column", file=path, line=number,
            )  # fmt: skip
    if not rows:
        raise CorpusError(f"{path} holds no pair: write source, a tab, target on each line", "no_pairs", file=path)
    return rows


def linked(source: str, target: str, links: str, *, where: str, line: int = 0) -> Pair:
    """A pair with parsed links; the links of a pair that is too long are not parsed.

    Raises:
        CorpusError: as ``Links.parse``, and for too many links.
    """
    if is_too_long(source, target):
        return Pair(source, target, Links(frozenset(), frozenset()))
    if len(links) > MAX_LINE:
        raise long_line(links, where, line)
    source, target = " ".join(words(source)), " ".join(words(target))
    counts = {"n_source": len(source.split(" ")), "n_target": len(target.split(" "))}
    return Pair(source, target, Links.parse(links, **counts, where=where, line=line))


def as_lines(pairs: Iterable[Pair]) -> str:
    """Pairs in the format of ``read_pairs``; line breaks and tabs in texts become spaces."""
    rows = ([pair.source, pair.target, *([pair.links.pharaoh] if pair.links is not None else [])] for pair in pairs)
    return "".join("\t".join(" ".join(column.split()) for column in row) + "\n" for row in rows)


def is_too_long(source: str, target: str) -> bool:
    """Whether a pair has more characters than any model reads; such pairs are skipped in measurements."""
    return len(source) + len(target) > MAX_LINE


def read_gold(path: Path | str, *, max_words: int | None = None) -> tuple[Pair, ...]:
    """Read pairs from a file with ``source<TAB>target<TAB>links`` per line, with tokens separated by spaces.

    Args:
        max_words: skip pairs with a longer side.

    Raises:
        CorpusError: when the file is not UTF-8, lacks a column, or a link names a word that does not exist.
        OSError: when it cannot be read.
    """
    return tuple(parse_gold(decode_lines(Path(path).read_bytes(), str(path)), str(path), max_words=max_words))


def parse_gold(lines: Iterable[str], where: str, *, max_words: int | None = None) -> list[Pair]:
    """The pairs of lines; raises as ``read_gold``."""
    pairs = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        columns = line.split("\t")
        if len(columns) < 3:
            raise CorpusError(
                f"{where} line {number} has {len(columns)} of 3 columns: write source, tab, target, tab, links",
                "gold_columns", file=where, line=number, n=len(columns),
            )  # fmt: skip
        pair = linked(columns[0], columns[1], columns[2], where=where, line=number)
        longest = max(len(pair.source.split(" ")), len(pair.target.split(" ")))
        if max_words is None or longest <= max_words:
            pairs.append(pair)
    if not pairs:
        raise CorpusError(
            f"{where} holds no aligned pair: write source, tab, target, tab, links on each line", "no_gold", file=where
        )
    if not any(pair.links and pair.links.possible for pair in pairs):
        raise CorpusError(f"{where} holds no link: write i-j or ipj in the third column", "no_links", file=where)
    return pairs


def decode_lines(content: bytes, where: str, *, most: int | None = MAX_BYTES) -> list[str]:
    """Lines of UTF-8 text.

    Raises:
        CorpusError: when it is too large or is not UTF-8.
    """
    if most is not None and len(content) > most:
        raise CorpusError(
            f"{where} has {len(content):,} bytes: give at most {most:,}, or split it",
            "too_large", file=where, n=f"{len(content):,}", most=f"{most:,}",
        )  # fmt: skip
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise CorpusError(
            f"{where} line {line} is not UTF-8: save it as UTF-8", "not_utf8", file=where, line=line
        ) from error
    end = "\n" if "\n" in text else "\r"  # old Macintosh files have only carriage returns
    return text.replace("\r\n", "\n").removesuffix(end).split(end)


def _with_gold(rows: Sequence[tuple[int, list[str]]], gold: Path, where: str) -> tuple[Pair, ...]:
    links = decode_lines(gold.read_bytes(), str(gold))
    if len(links) != len(rows):
        raise CorpusError(
            f"{gold} has {format_count(len(links), 'line')} and {where} {format_count(len(rows), 'pair')}: "
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
    return Pair(columns[0], columns[1])


def _columns(item: object) -> tuple:
    if hasattr(item, "source") and hasattr(item, "target"):
        return (item.source, item.target)
    return tuple(item) if isinstance(item, Iterable) and not isinstance(item, str) else (item,)
