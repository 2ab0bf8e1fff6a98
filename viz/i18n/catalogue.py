"""Lookup of messages in Fluent files, each of which is read on first use."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from numbers import Real
from typing import TypeVar

from fluent.runtime import resolver
from fluent.runtime.types import FluentNone, FluentType

from viz.i18n.files import BASE, LANGUAGES, Area, area_of, names_of_areas
from viz.i18n.numbers import Counted, Number, marks, written

Made = TypeVar("Made")
UNKNOWN = FluentNone("…")
"""In place of an unknown value in a message."""

_COUNT = re.compile(r"\d[\d,]*")
_AFTER_CHINESE = re.compile(r"(?<=[。！？；：]) ")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_FIELD = re.compile(r"[{(]\s*\$(\w+)")
_spoken: ContextVar[str | None] = ContextVar("spoken", default=None)
_wishes: list[Callable[[], Iterable[str]]] = []
_of_pictures: list[Callable[[], bool]] = []
READINGS = "of_pictures"
"""The area with the words that stand in place of others where the model in use reads a picture and translates nothing:
its message ``decode_prefix`` stands for the key ``decode.prefix``."""
# The library allows 2,500 characters, and a visitor's text may be longer.
vars(resolver)["MAX_PART_LENGTH"] = 1 << 30


@cache
def _area_with(language: str, key: str) -> tuple[Area, str]:
    """The area of a key and its identifier there: in the language, or in English where it lacks the words."""
    name, _, identifier = key.partition(".")
    for code in (language, BASE):
        if identifier in (area := area_of(code, name)).words:
            return area, identifier
    raise KeyError(key)


class Catalogue(Mapping[str, str]):
    """Every key and its words in one language, or in English where the language lacks them."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __getitem__(self, key: str) -> str:
        area, identifier = _area_with(self.language, key)
        return area.words[identifier]

    def __iter__(self) -> Iterator[str]:
        return (f"{name}.{identifier}" for name in names_of_areas() for identifier in area_of(BASE, name).words)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@cache
def catalogue(language: str) -> Catalogue:
    """Every key and its words in one language; a text that states values is its pattern, for JavaScript to fill in.

    Raises:
        KeyError: for a language that is not in ``LANGUAGES``.
    """
    if language not in LANGUAGES:
        raise KeyError(f"language {language!r}: choose one of {', '.join(LANGUAGES)}")
    return Catalogue(language)


def tr(key: str, **values: object) -> str:
    """The message ``key`` in the reader's language, with each ``{ $name }`` filled in from ``values``.

    A number (``int``, ``float``, or what ``number`` returns) is written as the language writes it, and the text may
    choose words by it. Any other text is a quotation and stays as it is: a token "1,000.5" reads as the model read it.

    Raises:
        KeyError: for a key that no area has, and for a value that the text states and ``values`` lack.
    """
    area, identifier = _area_with(current_language(), _of_source(key))
    if not values:
        return area.words[identifier]
    pattern = area.bundle.get_message(identifier).value
    assert pattern is not None
    # The bundle's own ``format_pattern`` would take a number for its value alone, without the way it is written.
    arguments = resolver.CurrentEnvironment({name: _value(value) for name, value in values.items()})
    environment = resolver.ResolverEnvironment(area.bundle, [], current=arguments)
    text = pattern(environment)
    if environment.errors:
        raise KeyError(f"{key}: {environment.errors[0]}")
    return str(text)


def _of_source(key: str) -> str:
    """The key in whose place another one stands for the model in use; the same for one that holds for all models."""
    instead = key.replace(".", "_", 1)
    is_told_otherwise = instead in area_of(BASE, READINGS).words and any(is_so() for is_so in _of_pictures)
    return f"{READINGS}.{instead}" if is_told_otherwise else key


def _value(value: object) -> FluentType | str:
    if isinstance(value, FluentType):
        return value
    if isinstance(value, Real) and not isinstance(value, bool):
        value = number(value, "")  # type: ignore[arg-type]
    return Counted(value) if isinstance(value, Number) else str(value)


def fields(key: str) -> frozenset[str]:
    """The names of the values that a text states."""
    return frozenset(_FIELD.findall(catalogue(current_language())[key]))


def sentences(*texts: str) -> str:
    """The non-empty texts joined by spaces, with no space after Chinese punctuation."""
    return _AFTER_CHINESE.sub("", " ".join(filter(None, texts)))


def number(value: float, how: str = ",") -> Number:
    """A number as the reader's language writes it, with a true minus sign: ``number(0.27, ".1%")``.

    What rounds to nothing has no sign.
    """
    text = format(value, how)
    if "0" in text and not any(digit in text for digit in "123456789"):
        text = text.lstrip("+-")
    return written(f"−{text[1:]}" if text.startswith("-") else text, current_language())


def counts(text: str) -> str:
    """Whole numbers in a text that ``model`` wrote, "8,000 / 9,000", as the reader's language writes them."""
    if _COUNT.fullmatch(text):
        return number(int(text.replace(",", "")))
    return _COUNT.sub(lambda match: counts(match[0]), text)


def power_of_ten(value: float) -> str:
    """A very small or very large number as a textbook writes it: 4·10⁻⁷."""
    digit, _, exponent = f"{value:.0e}".partition("e")
    return f"{digit}·10{str(int(exponent)).translate(_RAISED)}" if value else "0"


def number_marks() -> tuple[str, str]:
    """The decimal mark and the mark between thousands, for axes of figures."""
    return marks(current_language())[:2]


def group(area: str) -> dict[str, str]:
    """All messages of one area by identifier, for JavaScript, whose ``fill`` fills values in."""
    words = catalogue(current_language())
    return {identifier: words[_of_source(f"{area}.{identifier}")] for identifier in area_of(BASE, area).words}


def group_for_pictures(area: str) -> dict[str, str]:
    """What the words of an area are replaced by where a picture is read (see ``READINGS``), by identifier."""
    instead = {identifier: f"{area}_{identifier}" for identifier in area_of(BASE, area).words}
    words, others = catalogue(current_language()), area_of(BASE, READINGS).words
    return {identifier: words[f"{READINGS}.{name}"] for identifier, name in instead.items() if name in others}


def in_all_languages(key: str) -> dict[str, str]:
    """The words of a key, by language."""
    return {code: catalogue(code)[key] for code in LANGUAGES}


def in_each_language(make: Callable[[], Made]) -> dict[str, Made]:
    """What a function that writes words returns, by language."""
    made = {}
    for code in LANGUAGES:
        with speaking(code):
            made[code] = make()
    return made


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Use one language inside the block, whatever the reader's: for notebooks, exports and tests."""
    catalogue(language)
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def matching_language(wished: Iterable[str]) -> str:
    """The first of the wished locales ("fr-CA", "zh") that we speak; English when there is none."""
    codes = (wish.replace("_", "-").split("-")[0].lower() for wish in wished)
    return next((code for code in codes if code in LANGUAGES), BASE)


def current_language() -> str:
    """Code of the language that ``tr`` speaks: the block's, the reader's choice, or the browser's."""
    return _spoken.get() or matching_language(wish for wishes in _wishes for wish in wishes())


def follow_source(is_of_pictures: Callable[[], bool]) -> None:
    """Let a function that knows whether the model in use reads pictures choose what ``tr`` says of it."""
    _of_pictures.append(is_of_pictures)


def follow_wishes(wishes: Callable[[], Iterable[str]]) -> None:
    """Register the function that returns the reader's languages, preferred first, for ``tr``."""
    _wishes.append(wishes)
