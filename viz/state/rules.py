"""The allowed values of a choice, and how it is written into a link and read back.

A choice is a field of a frozen dataclass with a rule for its values (``bounded``, ``one_of``, ``words``, …). Values
that come back from a browser are read by the same rules: an invalid value becomes the default or the nearest bound, and
never raises.
"""

import dataclasses
import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

LONGEST_TEXT = 60_000
LONGEST_PICTURE = 6_200
"""Characters of the text form of a written word."""

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Rule:
    """How one field is written into a link and read back. ``read`` may raise ValueError for an impossible value."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]
    is_free: bool = False
    """Whether it may hold text that a visitor types; such text is never logged."""
    stays: bool = False
    """Whether a link keeps it even when it equals the default: without it the page would choose for the reader."""
    form: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """The same rule as JSON values, for the page without a server (viz/components/site/links/link.js)."""


def bounded(default: float, low: float, high: float, *, stays: bool = False) -> Any:
    """A number from ``low`` to ``high``; an integer when ``default`` is one."""
    kind = int if isinstance(default, int) else float

    def read(text: str) -> float:
        value = kind(text)
        if value != value:
            raise ValueError(text)
        return max(kind(low), min(kind(high), value))

    form = {"is": "number", "low": low, "high": high, "whole": kind is int}
    return dataclasses.field(default=default, metadata={"rule": Rule(_format_number, read, stays=stays, form=form)})


def _format_number(value: float) -> str:
    """The shortest text of a number that reads back unchanged: ``:g`` alone would round 1,234,567 to 1.23457e+06."""
    short = f"{value:g}"
    return short if not isinstance(value, int) and float(short) == value else repr(value)


def one_of(default: str, *others: str, former: Mapping[str, str] | None = None) -> Any:
    """One of a few names; ``former`` maps names in older links to today's."""
    renamed = dict(former or {})

    def read(text: str) -> str:
        text = renamed.get(text, text)
        if text not in (default, *others):
            raise ValueError(text)
        return text

    form = {"is": "name", "among": [default, *others], "former": renamed}
    return dataclasses.field(default=default, metadata={"rule": Rule(str, read, form=form)})


def yes_no(default: bool = False) -> Any:
    """A switch."""
    rule = Rule(lambda value: "1" if value else "0", lambda text: {"1": True, "0": False}[text], form={"is": "switch"})
    return dataclasses.field(default=default, metadata={"rule": rule})


def words(default: str = "", *, longest: int = LONGEST_TEXT, stays: bool = False) -> Any:
    """Free text, cut at ``longest`` characters."""
    rule = Rule(str, lambda text: text[:longest], is_free=True, stays=stays, form={"is": "text", "longest": longest})
    return dataclasses.field(default=default, metadata={"rule": rule})


def numbers(*, most: int = 512) -> Any:
    """A tuple of non-negative integers, at most ``most`` of them."""

    def read(text: str) -> tuple[int, ...]:
        return tuple(max(0, int(item)) for item in text.split(".")[:most] if item)

    rule = Rule(lambda value: ".".join(map(str, value)), read, form={"is": "ids", "most": most})
    return dataclasses.field(default=(), metadata={"rule": rule})


_LONGEST_NAME = 64
"""The longest list in a link, in characters; Python refuses to read a number of thousands of digits."""


def names(default: tuple[str, ...] = (), *, most: int = 64) -> Any:
    """A tuple of short names without spaces."""
    rule = Rule(" ".join, lambda text: tuple(name for name in text.split()[:most] if len(name) <= _LONGEST_NAME))
    return dataclasses.field(default=default, metadata={"rule": rule})


def some_of(*allowed: str) -> Any:
    """Some of a few names; all of them by default."""
    form = {"is": "some", "among": list(allowed)}
    rule = Rule(" ".join, lambda text: tuple(name for name in allowed if name in text.split()), form=form)
    return dataclasses.field(default=allowed, metadata={"rule": rule})


def matching(pattern: str, *, most: int = 64) -> Any:
    """A tuple of names of one form, each once; those of another form are left out."""
    form = re.compile(pattern, re.ASCII)

    def read(text: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(filter(form.fullmatch, text.split())))[:most]

    rule = Rule(" ".join, read, form={"is": "list", "pattern": pattern, "most": most})
    return dataclasses.field(default=(), metadata={"rule": rule})


def whole(pattern: str, *, n: int) -> Any:
    """A tuple of ``n`` names of one form, or an empty one."""
    form = re.compile(pattern, re.ASCII)

    def read(text: str) -> tuple[str, ...]:
        parts = tuple(text.split())
        return parts if len(parts) == n and all(map(form.fullmatch, parts)) else ()

    rule = Rule(" ".join, read, form={"is": "list", "pattern": pattern, "n": n})
    return dataclasses.field(default=(), metadata={"rule": rule})


def to_params(part: Any, *, prefix: str = "", before: Container[str] = ()) -> dict[str, str]:
    """The fields that differ from their defaults, as link parameters, and the earlier parameters that a link keeps."""
    return {
        prefix + field.name: _rule(field).write(getattr(part, field.name))
        for field in dataclasses.fields(part)
        if getattr(part, field.name) != field.default or (_rule(field).stays and prefix + field.name in before)
    }


def from_params(kind: type[Part], params: Mapping[str, str], *, prefix: str = "") -> Part:
    """Read a part back; a missing or impossible value becomes the field's default."""
    values = {}
    for field in dataclasses.fields(kind):  # pyrefly: ignore[bad-argument-type]
        try:
            values[field.name] = _rule(field).read(params[prefix + field.name])
        except (KeyError, ValueError, OverflowError):
            continue
    return kind(**values)


def forms(kind: type) -> dict[str, dict[str, Any]]:
    """Default and rule of each field as JSON values; a field whose rule has no such form is left out."""
    by_field = {}
    for field in dataclasses.fields(kind):
        default = list(field.default) if isinstance(field.default, tuple) else field.default
        if form := _rule(field).form:
            by_field[field.name] = {**form, "default": default}
    return by_field


def without_free_text(part: Any) -> dict[str, str]:
    """The fields that differ from their defaults and cannot hold what a visitor has typed."""
    free = {field.name for field in dataclasses.fields(part) if _rule(field).is_free}
    return {name: text for name, text in to_params(part).items() if name not in free}


def _rule(field: dataclasses.Field) -> Rule:
    return field.metadata["rule"]
