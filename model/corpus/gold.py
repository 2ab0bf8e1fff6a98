"""Word alignments made by people: which source word a target word translates, in Pharaoh notation.

A link is ``i-j`` where it is sure and ``ipj`` where it is possible, counted from 0, source before target; every sure
link is possible as well (Och & Ney 2000, "A Comparison of Alignment Models for Statistical Machine Translation").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from model.localizable import LocalizableError
from model.text.counting import counted
from model.text.tokenizer import normalise

MAX_BYTES = 50_000_000
MAX_LINE = 50_000
"""Characters of a pair, and of its links: no model reads more, and one pass over millions would delay every other
visitor."""
MAX_UPLOAD_MB = 5
"""MiB of a file that a visitor gives, which the server reads itself."""
_LINK = re.compile(r"(\d{1,6})([-p])(\d{1,6})")


class CorpusError(LocalizableError):
    """Sentence pairs, links or a survey that cannot be used; the message says where and what to do."""


@dataclass(frozen=True, slots=True)
class Links:
    """Links of one pair as (source word, target word)."""

    sure: frozenset[tuple[int, int]]
    possible: frozenset[tuple[int, int]]
    """Contains the sure ones."""

    @classmethod
    def parse(cls, text: str, *, n_source: int, n_target: int, where: str = "the links", line: int = 0) -> Links:
        """Read ``0-0 1p2``.

        Args:
            text: links between spaces.
            n_source: words of the source.
            n_target: words of the target.
            where: the file or other place, for an error.
            line: its line, from 1; 0 where there are no lines.

        Raises:
            CorpusError: when a link is malformed or names a word that the sentence does not have.
        """
        sure, possible = set(), set()
        place = f"{where} line {line}" if line else where
        named = {"file": where, "line": line}
        for written in text.split():
            found = _LINK.fullmatch(written)
            if found is None:
                raise CorpusError(
                    f"{place}: “{written}” is not a link: write i-j for a sure and ipj for a possible link, from 0",
                    "no_link" if line else "", **named, written=written,
                )  # fmt: skip
            source, target = int(found[1]), int(found[3])
            for side, index, count in (("source", source, n_source), ("target", target, n_target)):
                if index >= count:
                    raise CorpusError(
                        f"{place}: the link {written} names {side} word {index}, but the {side} has "
                        f"{counted(count, 'word')}, counted from 0: correct the link or the sentence",
                        f"link_beyond_{side}" if line else "", **named, written=written, word=index, count=count,
                    )  # fmt: skip
            possible.add((source, target))
            if found[2] == "-":
                sure.add((source, target))
        return cls(frozenset(sure), frozenset(possible))

    @property
    def pharaoh(self) -> str:
        """The links in Pharaoh notation."""
        ordered = sorted(self.possible)
        return " ".join(f"{i}{'-' if (i, j) in self.sure else 'p'}{j}" for i, j in ordered)


@dataclass(frozen=True, slots=True)
class Pair:
    """A source sentence and its translation, with links between their words where somebody made them."""

    source: str
    target: str
    links: Links | None = None
    """Words are what stands between spaces."""


def words(text: str) -> tuple[str, ...]:
    """The words that links count: split at spaces, and normalised as the tokenizer does."""
    return tuple(normalise(word) for word in text.split(" ") if word)


def linked(source: str, target: str, links: str, *, where: str, line: int = 0) -> Pair:
    """A pair with its links read; one that is too long stays as it is, and its links are not read.

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


def is_too_long(source: str, target: str) -> bool:
    """Whether a pair has more characters than any model reads; whoever measures pairs leaves it out."""
    return len(source) + len(target) > MAX_LINE


def long_line(text: str, where: str, line: int) -> CorpusError:
    """The error of a line that cannot be read."""
    return CorpusError(
        f"{where} line {line} has {len(text):,} characters: write one sentence a line, of at most {MAX_LINE:,} "
        "characters",
        "long_line", file=where, line=line, n=f"{len(text):,}", most=f"{MAX_LINE:,}",
    )  # fmt: skip


def read_gold(path: Path | str, *, max_words: int | None = None) -> tuple[Pair, ...]:
    """Pairs of a file with ``source<TAB>target<TAB>links`` a line, tokens split at spaces.

    Args:
        max_words: leave out pairs with a longer side.

    Raises:
        CorpusError: when the file is not UTF-8, lacks a column, or a link names a word that does not exist.
        OSError: when it cannot be read.
    """
    return tuple(parse_gold(decode_lines(Path(path).read_bytes(), str(path)), str(path), max_words=max_words))


def parse_gold(lines: Iterable[str], where: str, *, max_words: int | None = None) -> list[Pair]:
    """The pairs of given lines; raises as ``read_gold``."""
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


def decode_lines(content: bytes, where: str, *, most: int = MAX_BYTES) -> list[str]:
    """Lines of UTF-8 text.

    Raises:
        CorpusError: when it is too large or is not UTF-8.
    """
    if len(content) > most:
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
    end = "\n" if "\n" in text else "\r"  # a file with the line ends of old Macintoshes would be one line
    return text.replace("\r\n", "\n").removesuffix(end).split(end)
