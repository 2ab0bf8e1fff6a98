"""Human word alignments in Pharaoh notation.

A sure link is ``i-j`` and a possible link ``ipj``, with source word i and target word j from 0; every sure link is also
possible (Och & Ney 2000, "A Comparison of Alignment Models for Statistical Machine Translation").
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from model.errors import LocalizableError
from model.text.counting import format_count

MAX_LINE = 50_000
"""Maximum characters of a pair, and of its links: no model reads more, and one pass over millions would delay all other
visitors."""
_LINK = re.compile(r"(\d{1,6})([-p])(\d{1,6})")


class CorpusError(LocalizableError):
    """Sentence pairs, links or a survey cannot be used; the message says where and what to do."""


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
            match = _LINK.fullmatch(written)
            if match is None:
                raise CorpusError(
                    f"{place}: “{written}” is not a link: write i-j for a sure and ipj for a possible link, from 0",
                    "no_link" if line else "", **named, written=written,
                )  # fmt: skip
            source, target = int(match[1]), int(match[3])
            for side, index, count in (("source", source, n_source), ("target", target, n_target)):
                if index >= count:
                    raise CorpusError(
                        f"{place}: the link {written} names {side} word {index}, but the {side} has "
                        f"{format_count(count, 'word')}, counted from 0: correct the link or the sentence",
                        f"link_beyond_{side}" if line else "", **named, written=written, word=index, count=count,
                    )  # fmt: skip
            possible.add((source, target))
            if match[2] == "-":
                sure.add((source, target))
        return cls(frozenset(sure), frozenset(possible))

    @property
    def pharaoh(self) -> str:
        """The links in Pharaoh notation."""
        ordered = sorted(self.possible)
        return " ".join(f"{i}{'-' if (i, j) in self.sure else 'p'}{j}" for i, j in ordered)


def words(text: str) -> tuple[str, ...]:
    """The space-separated words that links refer to."""
    return tuple(word for word in text.split(" ") if word)


def long_line(text: str, where: str, line: int) -> CorpusError:
    """The error for a line that is too long."""
    return CorpusError(
        f"{where} line {line} has {len(text):,} characters: write one sentence a line, of at most {MAX_LINE:,} "
        "characters",
        "long_line", file=where, line=line, n=f"{len(text):,}", most=f"{MAX_LINE:,}",
    )  # fmt: skip
