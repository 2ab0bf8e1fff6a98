"""What a reader has chosen, as frozen values that survive a link: written to text, read back, never trusted.

A choice is a field of a frozen dataclass and says what it may be (``bounded``, ``one_of``, ``words``, …).
Whatever comes back from a browser is read by the same rules: what does not fit falls back to the default or to
the nearest bound, and never raises.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from model.interventions import KINDS, NONE, AttentionKind, Interventions
from viz.intervention_text import read_interventions, write_interventions

DEFAULT_TEXT = "The cat is sleeping on the sofa."
MAX_CHARACTERS = 10_000

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Rule:
    """How one field is written into a link and read back. ``read`` may raise ValueError for "not possible"."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]
    is_free: bool = False
    """Whether it may hold anything that a visitor types; then it is never logged."""


def bounded(default: float, low: float, high: float) -> Any:
    """A number from ``low`` to ``high``; an integer when ``default`` is one."""
    kind = int if isinstance(default, int) else float

    def read(text: str) -> float:
        value = kind(text)
        if value != value:
            raise ValueError(text)
        return max(kind(low), min(kind(high), value))

    return dataclasses.field(default=default, metadata={"rule": Rule(_written, read)})


def _written(value: float) -> str:
    """A number that reads back as itself: ``:g`` alone would round 1,234,567 to 1.23457e+06."""
    short = f"{value:g}"
    return short if not isinstance(value, int) and float(short) == value else repr(value)


def one_of(default: str, *others: str) -> Any:
    """One of a few names."""

    def read(text: str) -> str:
        if text not in (default, *others):
            raise ValueError(text)
        return text

    return dataclasses.field(default=default, metadata={"rule": Rule(str, read)})


def yes_no(default: bool = False) -> Any:
    """A switch."""
    rule = Rule(lambda value: "1" if value else "0", lambda text: {"1": True, "0": False}[text])
    return dataclasses.field(default=default, metadata={"rule": rule})


def words(default: str = "", *, longest: int = MAX_CHARACTERS) -> Any:
    """Free text, cut at ``longest`` characters."""
    return dataclasses.field(default=default, metadata={"rule": Rule(str, lambda text: text[:longest], is_free=True)})


def numbers(*, most: int = 512) -> Any:
    """A tuple of non-negative integers, at most ``most`` of them."""

    def read(text: str) -> tuple[int, ...]:
        return tuple(max(0, int(item)) for item in text.split(".")[:most] if item)

    rule = Rule(lambda value: ".".join(map(str, value)), read)
    return dataclasses.field(default=(), metadata={"rule": rule})


_LONGEST_NAME = 64
"""Characters; Python refuses to read a number of thousands of digits."""


def names(default: tuple[str, ...] = (), *, most: int = 64) -> Any:
    """A tuple of short names without spaces."""
    rule = Rule(" ".join, lambda text: tuple(name for name in text.split()[:most] if len(name) <= _LONGEST_NAME))
    return dataclasses.field(default=default, metadata={"rule": rule})


def _interventions() -> Any:
    rule = Rule(write_interventions, read_interventions)
    return dataclasses.field(default=NONE, metadata={"rule": rule})


@dataclass(frozen=True, slots=True)
class Extent:
    """How many layers and heads of each kind the model in use has; 0 for a kind that it lacks."""

    layers: Mapping[AttentionKind, int]
    heads: Mapping[AttentionKind, int]

    @property
    def kinds(self) -> tuple[AttentionKind, ...]:
        """The kinds that the model has."""
        return tuple(kind for kind in KINDS if self.layers[kind])


@dataclass(frozen=True, slots=True)
class Selection:
    """What every page shares: the sentence, the model, the head, how it is read, and what is switched off."""

    model: str = words(longest=128)
    """A name from the model picker; empty for the first one."""
    text: str = words(DEFAULT_TEXT)
    language: str = words(longest=8)
    """Empty until the reader chooses; then the browser's own language no longer counts."""
    kind: AttentionKind = one_of("cross", "encoder_self", "decoder_self")  # noqa: RUF009
    layer: int = bounded(0, 0, 999)
    head: int = bounded(0, 0, 999)
    heads: tuple[str, ...] = names()
    """Further heads looked at together with the chosen one, as "layer.head"."""
    combine: str = one_of("mean", "max")
    view: str = one_of("map", "lines", "text")
    rows: str = one_of("predicted", "fed")
    """What a decoder's row is called: the token it predicts, or the token it was fed."""
    unit: str = one_of("pieces", "words")
    sinks: str = one_of("greyed", "shown", "removed")
    sink_kinds: tuple[str, ...] = names(("begin", "end", "punctuation"))
    scale: str = one_of("head", "row", "common")
    curve: str = one_of("linear", "sqrt")
    palette: str = one_of("hue", "viridis", "cividis", "grey")
    threshold: float = bounded(0.0, 0.0, 1.0)
    sort: str = words("order", longest=32)
    together: str = one_of("mean", "sum")
    orientation: str = one_of("auto", "vertical", "horizontal")
    compare: str = one_of("side", "difference")
    weighting: str = one_of("raw", "norm", "rollout", "gradient")
    pins: tuple[str, ...] = names()
    """Pinned tokens: "q3" is query 3, "k5" is key 5 of the chosen kind."""
    zoom: tuple[str, ...] = names()
    """The part of the map on screen: first row, first column, rows, columns."""
    first_index: int = bounded(0, 0, 1)
    """Whether layers and heads are counted from 0, as in code, or from 1."""
    method: str = one_of("greedy", "beam", "sample")
    beam_size: int = bounded(4, 1, 8)
    length_penalty: float = bounded(1.0, 0.0, 3.0)
    max_length: int = bounded(0, 0, 512)
    """Tokens of the translation at most; 0 leaves it to the length of the sentence."""
    temperature: float = bounded(1.0, 0.05, 5.0)
    top_k: int = bounded(0, 0, 1000)
    top_p: float = bounded(1.0, 0.01, 1.0)
    seed: int = bounded(1, 0, 999_999)
    prefix: tuple[int, ...] = numbers()
    """Pieces that the translation is made to begin with."""
    interventions: Interventions = _interventions()  # noqa: RUF009
    presenter: bool = yes_no()
    other_text: str = words(longest=2_000)
    """A second sentence to compare with; empty for the same one."""
    other_model: str = words(longest=128)
    """A second model to compare with; empty for the same one."""
    effects: bool = yes_no()
    """Whether every head is switched off in turn, to see what it is worth."""

    def within(self, extent: Extent) -> Selection:
        """The same choices, moved to the nearest that a model of this extent has."""
        kind = self.kind if extent.layers[self.kind] else extent.kinds[-1]
        n_layers, n_heads = extent.layers[kind], extent.heads[kind]
        heads = tuple(name for name in self.heads if _is_head(name, n_layers, n_heads))
        return dataclasses.replace(
            self,
            kind=kind,
            layer=min(self.layer, n_layers - 1),
            head=min(self.head, n_heads - 1),
            heads=heads,
            interventions=_fitting(self.interventions, extent),
        )


def to_params(part: Any, *, prefix: str = "") -> dict[str, str]:
    """The fields that differ from their defaults, as link parameters."""
    return {
        prefix + field.name: _rule(field).write(getattr(part, field.name))
        for field in dataclasses.fields(part)
        if getattr(part, field.name) != field.default
    }


def from_params(kind: type[Part], params: Mapping[str, str], *, prefix: str = "") -> Part:
    """Read a part back; a missing or impossible value becomes the field's default."""
    values = {}
    for field in dataclasses.fields(kind):  # pyright: ignore[reportArgumentType]
        try:
            values[field.name] = _rule(field).read(params[prefix + field.name])
        except (KeyError, ValueError, OverflowError):
            continue
    return kind(**values)


def without_free_text(part: Any) -> dict[str, str]:
    """The fields that differ from their defaults and cannot hold what a visitor has typed."""
    free = {field.name for field in dataclasses.fields(part) if _rule(field).is_free}
    return {name: text for name, text in to_params(part).items() if name not in free}


def _rule(field: dataclasses.Field) -> Rule:
    return field.metadata["rule"]


def _is_head(name: str, n_layers: int, n_heads: int) -> bool:
    layer, _, head = name.partition(".")
    return len(name) <= 16 and layer.isdecimal() and head.isdecimal() and int(layer) < n_layers and int(head) < n_heads


def _fitting(interventions: Interventions, extent: Extent) -> Interventions:
    def fits(item: Any) -> bool:
        return (item.layer is None or item.layer < extent.layers[item.kind]) and (
            item.head is None or item.head < extent.heads[item.kind]
        )

    if not interventions:
        return interventions
    return dataclasses.replace(
        interventions,
        heads_off=tuple(filter(fits, interventions.heads_off)),
        forced_rows=tuple(filter(fits, interventions.forced_rows)),
        blocked_keys=tuple(filter(fits, interventions.blocked_keys)),
    )
