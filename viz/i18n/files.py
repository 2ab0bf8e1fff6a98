"""The Fluent files: one for each language and area."""

import os
import re
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType

from babel import Locale
from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax import ast

SETTING = "REGARD_LANGUAGES"
"""Environment variable: a folder with more languages, each a folder of Fluent files that is named by its code."""
BASE = "en"
"""The fallback of every other language, message by message."""

_MESSAGE = re.compile(r"^([a-zA-Z][\w-]*) *=(.*(?:\n(?:[ }].*|(?=\n)))*)", re.MULTILINE)
"""A message with its indented continuation lines."""
_LITERAL = re.compile(r'\{ *"')
_FRENCH_SPACE = re.compile(r"(?<=«) | (?=[;?!»%]|:(?:\s|$))")


def _folders() -> tuple[Path, ...]:
    return Path(__file__).parent, *map(Path, filter(None, [os.environ.get(SETTING)]))


def _languages() -> Mapping[str, str]:
    codes = {file.relative_to(folder).parts[0] for folder in _folders() for file in folder.glob("*/**/*.ftl")}
    names = {code: Locale.parse(code, sep="-").get_display_name() or code for code in (BASE, *sorted(codes - {BASE}))}
    return MappingProxyType({code: name[:1].upper() + name[1:] for code, name in names.items()})


LANGUAGES: Mapping[str, str] = _languages()
"""Code of each language that has a folder, and its own name."""


class Area:
    """The messages of one language and area; ``words`` has the text of each, or its Fluent pattern if it has values."""

    def __init__(self, language: str, sources: Iterable[str]) -> None:
        self._language, self._sources = language, tuple(sources)
        self.words: dict[str, str] = {}
        for source in self._sources:
            self.words |= _words(source)

    @cached_property
    def bundle(self) -> FluentBundle:
        """The messages to format. It is parsed on first use, in 0.03 s: most areas are read without values."""
        bundle = FluentBundle([self._language], use_isolating=False)
        for source in self._sources:
            bundle.add_resource(FluentResource(source), allow_overrides=True)
        return bundle


@cache
def area_of(language: str, name: str) -> Area:
    """The messages of an area; none where the language has no file of it."""
    sources = (path.read_text("utf-8") for path in _files(language).get(name, ()))
    return Area(language, (with_no_break_spaces(source) if language == "fr" else source for source in sources))


def names_of_areas() -> Iterable[str]:
    """The names of all areas."""
    return _files(BASE)


@cache
def _files(language: str) -> Mapping[str, list[Path]]:
    """The files of each area; those in the folder of ``SETTING`` come last and override the others."""
    by_area: dict[str, list[Path]] = {}
    for folder in _folders():
        for path in sorted((folder / language).rglob("*.ftl")):
            by_area.setdefault(path.stem, []).append(path)
    return by_area


def _words(text: str) -> dict[str, str]:
    """The text of each message of a file. Only one with a literal, or with several lines and no value, is parsed."""
    patterns = {}
    for name, source in _MESSAGE.findall(text):
        pattern = source.strip()
        is_plain = not _LITERAL.search(pattern) and ("\n" not in pattern or "{" in pattern)
        patterns[name] = pattern if is_plain else _parse(f"{name} ={source}")
    return patterns


def _parse(message: str) -> str:
    (entry,) = FluentResource(message).body
    assert isinstance(entry, ast.Message) and entry.value is not None
    text = ""
    for element in entry.value.elements:
        part = element if isinstance(element, ast.TextElement) else element.expression
        if not isinstance(part, ast.TextElement | ast.StringLiteral):
            return message.partition("=")[2].strip()
        text += part.value if isinstance(part, ast.TextElement) else part.parse()["value"]
    return text


def with_no_break_spaces(text: str) -> str:
    """A French text with no-break spaces before ; ? ! : % and inside « »."""
    return _FRENCH_SPACE.sub("\u00a0", text)
