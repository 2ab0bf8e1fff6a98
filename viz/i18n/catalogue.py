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
from viz.i18n.numbers import Counted, Number, localize_number, marks

T = TypeVar("T")
UNKNOWN = FluentNone("…")
"""Stands for an unknown value in a message."""

_COUNT = re.compile(r"\d[\d,]*")
_AFTER_CHINESE = re.compile(r"(?<=[。！？；：]) ")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_FIELD = re.compile(r"[{(]\s*\$(\w+)")
_override: ContextVar[str | None] = ContextVar("language override", default=None)
_preferences: list[Callable[[], Iterable[str]]] = []
_source_checks: list[Callable[[], bool]] = []
READINGS = "of_pictures"
"""The area that overrides messages where the model in use reads a picture and translates nothing: its message
``decode_prefix`` replaces the key ``decode.prefix``."""
# The library allows 2,500 characters, and a visitor's text may be longer.
vars(resolver)["MAX_PART_LENGTH"] = 1 << 30


@cache
def _area_with(language: str, key: str) -> tuple[Area, str]:
    """The area of a key and its identifier there: in the language, or in English where the language lacks it."""
    name, _, identifier = key.partition(".")
    for code in (language, BASE):
        if identifier in (area := area_of(code, name)).words:
            return area, identifier
    raise KeyError(key)


class Catalogue(Mapping[str, str]):
    """The text of every key in one language, or in English where the language lacks it."""

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
    """The text of every key in one language; a text with values is its Fluent pattern, for JavaScript to format. Raises
    KeyError for a language that is not in ``LANGUAGES``."""
    if language not in LANGUAGES:
        raise KeyError(f"language {language!r}: choose one of {', '.join(LANGUAGES)}")
    return Catalogue(language)


def tr(key: str, **values: object) -> str:
    """The message ``key`` in the reader's language, formatted with ``values``.

    A number (``int``, ``float``, or the result of ``number``) is formatted for the language, and selects plural forms.
    Other values are inserted unchanged: a token "1,000.5" stays as the model read it.

    Raises:
        KeyError: for an unknown key, and for a value of the message that is missing in ``values``.
    """
    area, identifier = _area_with(current_language(), _of_source(key))
    if not values:
        return area.words[identifier]
    pattern = area.bundle.get_message(identifier).value
    assert pattern is not None
    # The bundle's ``format_pattern`` would keep a number's value, but not its format.
    arguments = resolver.CurrentEnvironment({name: _value(value) for name, value in values.items()})
    environment = resolver.ResolverEnvironment(area.bundle, [], current=arguments)
    text = pattern(environment)
    if environment.errors:
        raise KeyError(f"{key}: {environment.errors[0]}")
    return str(text)


def _of_source(key: str) -> str:
    """The key that overrides this one for a model that reads pictures; elsewhere the key itself."""
    override = key.replace(".", "_", 1)
    is_overridden = override in area_of(BASE, READINGS).words and any(
        reads_pictures() for reads_pictures in _source_checks
    )
    return f"{READINGS}.{override}" if is_overridden else key


def _value(value: object) -> FluentType | str:
    if isinstance(value, FluentType):
        return value
    if isinstance(value, Real) and not isinstance(value, bool):
        value = number(value, "")  # type: ignore[arg-type]
    return Counted(value) if isinstance(value, Number) else str(value)


def fields(key: str) -> frozenset[str]:
    """The names of a message's values."""
    return frozenset(_FIELD.findall(catalogue(current_language())[key]))


def sentences(*texts: str) -> str:
    """The non-empty texts joined by spaces, with no space after Chinese punctuation."""
    return _AFTER_CHINESE.sub("", " ".join(filter(None, texts)))


def number(value: float, how: str = ",") -> Number:
    """A number formatted for the reader's language, with U+2212 as its minus sign: ``number(0.27, ".1%")``.

    A value that rounds to zero has no sign.
    """
    text = format(value, how)
    if "0" in text and not any(digit in text for digit in "123456789"):
        text = text.lstrip("+-")
    return localize_number(f"−{text[1:]}" if text.startswith("-") else text, current_language())


def counts(text: str) -> str:
    """Whole numbers in a text that ``model`` wrote, "8,000 / 9,000", formatted for the reader's language."""
    if _COUNT.fullmatch(text):
        return number(int(text.replace(",", "")))
    return _COUNT.sub(lambda match: counts(match[0]), text)


def power_of_ten(value: float) -> str:
    """A very small or very large number with one significant digit: 4·10⁻⁷."""
    digit, _, exponent = f"{value:.0e}".partition("e")
    return f"{digit}·10{str(int(exponent)).translate(_RAISED)}" if value else "0"


def number_marks() -> tuple[str, str]:
    """The decimal mark and the mark between thousands, for axes of figures."""
    return marks(current_language())[:2]


def group(area: str) -> dict[str, str]:
    """All messages of one area by identifier, for JavaScript, whose ``fill`` formats them."""
    words = catalogue(current_language())
    return {identifier: words[_of_source(f"{area}.{identifier}")] for identifier in area_of(BASE, area).words}


def group_for_pictures(area: str) -> dict[str, str]:
    """The messages that override an area's where a picture is read (see ``READINGS``), by identifier."""
    words, overrides = catalogue(current_language()), area_of(BASE, READINGS).words
    names = {identifier: f"{area}_{identifier}" for identifier in area_of(BASE, area).words}
    return {identifier: words[f"{READINGS}.{name}"] for identifier, name in names.items() if name in overrides}


def in_all_languages(key: str) -> dict[str, str]:
    """The text of a key, by language."""
    return {code: catalogue(code)[key] for code in LANGUAGES}


def in_each_language(make: Callable[[], T]) -> dict[str, T]:
    """The result of a function that formats messages, by language."""
    by_language = {}
    for code in LANGUAGES:
        with speaking(code):
            by_language[code] = make()
    return by_language


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Use one language inside the block, whatever the reader's: for notebooks, exports and tests."""
    catalogue(language)
    token = _override.set(language)
    try:
        yield
    finally:
        _override.reset(token)


def matching_language(preferred: Iterable[str]) -> str:
    """The first of the preferred locales ("fr-CA", "zh") that has a catalogue; English when none has."""
    codes = (locale.replace("_", "-").split("-")[0].lower() for locale in preferred)
    return next((code for code in codes if code in LANGUAGES), BASE)


def current_language() -> str:
    """Code of the language of ``tr``: that of ``speaking``, the reader's choice, or the browser's."""
    return _override.get() or matching_language(locale for preferred in _preferences for locale in preferred())


def follow_source(reads_pictures: Callable[[], bool]) -> None:
    """Register the function that tells ``tr`` whether the model in use reads pictures."""
    _source_checks.append(reads_pictures)


def follow_preferences(locales: Callable[[], Iterable[str]]) -> None:
    """Register the function that returns the reader's locales, preferred first, for ``tr``."""
    _preferences.append(locales)
