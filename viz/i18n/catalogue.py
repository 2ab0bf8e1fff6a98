"""Looking words up: one flat catalogue per language, gathered from the areas."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from types import MappingProxyType
from typing import TypeGuard

import viz.i18n
from viz.i18n.numbers import Written, marks, spaced, written

LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "zh": "中文", "fr": "Français"})
"""Code of each language, in the order of the tuples in ``STRINGS``, and its own name."""

_COUNTED = re.compile(r"\{(\w+)\|([^|{}]*)\|([^|{}]*)\}")
_ONE, _FRENCH_ONE = re.compile(r"1"), re.compile(r"[01](?:,\d+)?")
_COUNT = re.compile(r"\d[\d,]*")
_AFTER_CHINESE = re.compile(r"(?<=[。！？；：]) ")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_spoken: ContextVar[str | None] = ContextVar("spoken", default=None)
_wishes: list[Callable[[], Iterable[str]]] = []


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Every key and its words in one language.

    Raises:
        KeyError: for a language that is not in ``LANGUAGES``.
    """
    place = list(LANGUAGES).index(language) if language in LANGUAGES else None
    if place is None:
        raise KeyError(f"language {language!r}: choose one of {', '.join(LANGUAGES)}")
    found = {key: words[place] for area in _areas() for key, words in area.STRINGS.items()}
    return MappingProxyType({key: spaced(text) for key, text in found.items()} if language == "fr" else found)


def tr(key: str, **values: object) -> str:
    """The words of ``key`` in the reader's language, with ``{name}`` filled in from ``values``.

    A number (``int``, ``float``, or the text that ``number`` returns) is written as the language writes it. Any other
    text is a quotation and stays as it is: a token "1,000.5" reads as the model read it.
    ``{n|token|tokens}`` is the first word where n is one and the second where it is more, as the language counts.

    Raises:
        KeyError: for a key that no area has.
    """
    language = current_language()
    words = catalogue(language)[key]
    if marks(language) != marks("en"):
        values = {name: Written(value, language) if _is_number(value) else value for name, value in values.items()}
    return _counted(words, values, language).format(**values) if values else words


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _counted(words: str, values: Mapping[str, object], language: str) -> str:
    """The words with each ``{n|one|more}`` settled; French counts nought and what is below two as one."""
    one = _FRENCH_ONE if language == "fr" else _ONE

    def chosen(found: re.Match[str]) -> str:
        return found[2] if found[1] in values and one.fullmatch(f"{values[found[1]]}") else found[3]

    return _COUNTED.sub(chosen, words)


def sentences(*said: str) -> str:
    """What was said, one after the other: with a space between, and none after a Chinese mark."""
    return _AFTER_CHINESE.sub("", " ".join(filter(None, said)))


def number(value: float, how: str = ",") -> str:
    """A number as the reader's language writes it, with a true minus sign: ``number(0.27, ".1%")``.

    What rounds to nothing has no sign.
    """
    text = format(value, how)
    if "0" in text and not any(digit in text for digit in "123456789"):
        text = text.lstrip("+-")
    return written(f"−{text[1:]}" if text.startswith("-") else text, current_language())


def counts(text: str) -> str:
    """Whole numbers in a text that ``model`` wrote, "8,000 / 9,000", as the reader's language writes them."""
    return _COUNT.sub(lambda found: number(int(found[0].replace(",", ""))), text)


def power_of_ten(value: float) -> str:
    """A very small or very large number as a textbook writes it: 4·10⁻⁷."""
    digit, _, exponent = f"{value:.0e}".partition("e")
    return f"{digit}·10{str(int(exponent)).translate(_RAISED)}" if value else "0"


def number_marks() -> tuple[str, str]:
    """The decimal mark and the mark between thousands, for axes of figures."""
    return marks(current_language())


def group(area: str) -> dict[str, str]:
    """All strings of one area without its prefix, for handing to JavaScript."""
    prefix = f"{area}."
    return {
        key.removeprefix(prefix): words
        for key, words in catalogue(current_language()).items()
        if key.startswith(prefix)
    }


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Use one language inside the block, whoever the reader is: for notebooks, exports and tests."""
    catalogue(language)
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def matching_language(wished: Iterable[str]) -> str:
    """The first of the wished locales ("fr-CA", "zh") that we speak; English when there is none."""
    codes = (wish.replace("_", "-").split("-")[0].lower() for wish in wished)
    return next((code for code in codes if code in LANGUAGES), "en")


def current_language() -> str:
    """Code of the language that ``tr`` speaks: the block's, the reader's choice, or the browser's."""
    return _spoken.get() or matching_language(wish for wishes in _wishes for wish in wishes())


def follow_wishes(wishes: Callable[[], Iterable[str]]) -> None:
    """Let a function that gives the reader's languages, the most wished one first, choose what ``tr`` speaks."""
    _wishes.append(wishes)


def _areas() -> Iterator:
    for found in pkgutil.iter_modules(viz.i18n.__path__):
        if found.name not in ("catalogue", "numbers"):
            yield importlib.import_module(f"viz.i18n.{found.name}")
