"""Numbers as a language writes them: 0.27 and 5,990 in English and Chinese, 0,27 and 5 990 in French."""

from __future__ import annotations

import re

NARROW_SPACE = "\u202f"
_FRENCH_SPACE = re.compile(r"(?<=«) | (?=[;?!»%]|:(?:\s|$))")
_NUMBER = re.compile(r"[+−-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?(?: ?%)?")


_ENGLISH = (".", ",")
_MARKS = {"fr": (",", NARROW_SPACE)}
"""Of the languages that write numbers in another way than English."""


def marks(language: str) -> tuple[str, str]:
    """The decimal mark and the mark between thousands."""
    return _MARKS.get(language, _ENGLISH)


def spaced(text: str) -> str:
    """A French text whose double punctuation never begins a line."""
    return _FRENCH_SPACE.sub("\u00a0", text)


def written(text: str, language: str) -> str:
    """A number that was formatted the English way, as the language writes it; any other text as it is."""
    decimal, thousands = marks(language)
    if (decimal, thousands) == _ENGLISH or not _NUMBER.fullmatch(text):
        return text
    swapped = text.translate({ord(","): thousands, ord("."): decimal})
    return re.sub(r" ?%$", f"{NARROW_SPACE}%", swapped)


class Written:
    """A number that formats itself the language's way inside a text."""

    def __init__(self, value: float, language: str) -> None:
        self.value, self.language = value, language

    def __format__(self, how: str) -> str:
        return written(format(self.value, how), self.language)
