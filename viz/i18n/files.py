"""The Fluent files: one for each language and area."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from babel import Locale
from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax import ast

SETTING = "REGARD_LANGUAGES"
"""Environment variable: a folder with more languages, each a folder of Fluent files that is named by its code."""
BASE = "en"
"""The language that every other falls back on, message by message."""

_FRENCH_SPACE = re.compile(r"(?<=«) | (?=[;?!»%]|:(?:\s|$))")


def _folders() -> tuple[Path, ...]:
    return Path(__file__).parent, *map(Path, filter(None, [os.environ.get(SETTING)]))


def _languages() -> Mapping[str, str]:
    codes = {file.relative_to(folder).parts[0] for folder in _folders() for file in folder.glob("*/**/*.ftl")}
    names = {code: Locale.parse(code, sep="-").get_display_name() or code for code in (BASE, *sorted(codes - {BASE}))}
    return MappingProxyType({code: name[:1].upper() + name[1:] for code, name in names.items()})


LANGUAGES: Mapping[str, str] = _languages()
"""Code of each language that has a folder, and its own name."""


class Area(NamedTuple):
    """The messages of one language and area."""

    bundle: FluentBundle
    words: dict[str, str]
    """By identifier: the text, or its pattern as the file has it where the text states values."""


@cache
def area_of(language: str, name: str) -> Area:
    """The messages of an area; none where the language has no file of it."""
    area = Area(FluentBundle([language], use_isolating=False), {})
    for path in _files(language).get(name, ()):
        text = path.read_text("utf-8")
        text = spaced(text) if language == "fr" else text
        resource = FluentResource(text)
        area.bundle.add_resource(resource, allow_overrides=True)
        for entry in resource.body:
            if isinstance(entry, ast.Message) and entry.value is not None:
                area.words[entry.id.name] = _words(entry.value, text)
    return area


def names_of_areas() -> Iterable[str]:
    """Every area that there is."""
    return _files(BASE)


@cache
def _files(language: str) -> Mapping[str, list[Path]]:
    """The files of each area; those of the setting come last and prevail."""
    by_area: dict[str, list[Path]] = {}
    for folder in _folders():
        for path in sorted((folder / language).rglob("*.ftl")):
            by_area.setdefault(path.stem, []).append(path)
    return by_area


def _words(pattern: ast.Pattern, source: str) -> str:
    text = ""
    for element in pattern.elements:
        part = element if isinstance(element, ast.TextElement) else element.expression
        if not isinstance(part, ast.TextElement | ast.StringLiteral):
            assert pattern.span is not None
            return source[pattern.span.start : pattern.span.end].strip()
        text += part.value if isinstance(part, ast.TextElement) else part.parse()["value"]
    return text


def spaced(text: str) -> str:
    """A French text whose double punctuation never begins a line."""
    return _FRENCH_SPACE.sub("\u00a0", text)
