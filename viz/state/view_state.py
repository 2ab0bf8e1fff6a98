"""The state of the attention explorer: the head, how it is read, and what is pinned.

The browser shows this state and reports the reader's changes; a link carries it; every page that shows a head reads it.
Only this file defines the fields, their values and their defaults; the explorer's JavaScript is sent the defaults.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self, get_args

from model.analysis import WeightKind
from model.analysis.measures import METRICS
from model.analysis.metrics import FORMER_NAMES
from model.interventions import AttentionKind
from viz.state.rules import bounded, from_params, matching, one_of, some_of, whole

SORTS = (*(metric.name for metric in METRICS if metric.is_in_menus and not metric.needs_values), "effect")
"""What sorts the heads: the metrics, and the change in log-probability without a head."""
HeadViewName = Literal["map", "lines", "text"]
"""The ways of drawing a head, which are the modules of ``viz/components/attention/js/views``; a test compares them."""
VIEWS_OF_LONG_TEXTS: tuple[HeadViewName, ...] = ("map", "lines")
"""Those that can show thousands of tokens."""
WINDOW = 64
"""Rows and columns of a long text that are shown token by token: as many as stay readable on a screen."""
_NUMBER = r"\d{1,4}(\.\d{1,6})?"


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewState:
    """The explorer's switches, chosen heads, pins and zoom."""

    kind: AttentionKind = one_of("cross", "encoder_self", "decoder_self")  # noqa: RUF009
    layer: int = bounded(0, 0, 999, stays=True)
    head: int = bounded(0, 0, 999, stays=True)
    heads: tuple[str, ...] = matching(r"\d{1,3}\.\d{1,3}")
    """Further heads that are shown together with the chosen one, as "layer.head"."""
    combine: str = one_of("mean", "max")
    """How several heads become one map."""
    view: HeadViewName = one_of(*get_args(HeadViewName))  # noqa: RUF009
    rows: str = one_of("predicted", "fed")
    """The label of a decoder's row: the token that it predicts, or the token that it was fed."""
    unit: str = one_of("pieces", "words")
    sinks: str = one_of("greyed", "shown", "removed")
    sink_kinds: tuple[str, ...] = some_of("begin", "end", "punctuation")
    """Which tokens count as sinks."""
    scale: str = one_of("head", "row", "common")
    curve: str = one_of("linear", "sqrt")
    palette: str = one_of("hue", "viridis", "cividis", "grey")
    threshold: float = bounded(0.0, 0.0, 1.0)
    """Weights below it are not drawn."""
    sort: str = one_of("order", *SORTS, former=FORMER_NAMES)
    together: str = one_of("mean", "sum")
    """How several pinned tokens are read together."""
    orientation: str = one_of("auto", "vertical", "horizontal")
    compare: str = one_of("side", "difference")
    weighting: str = one_of(*get_args(WeightKind), former={"norm": "value_weighted"})
    """Which weights are drawn: the attention itself, value-weighted, rolled out, or those behind the chosen word."""
    pins: tuple[str, ...] = matching(r"[qk]\d{1,5}")
    """Pinned tokens: "q3" is query 3, "k5" is key 5 of the chosen kind, counted in pieces."""
    zoom: tuple[str, ...] = whole(_NUMBER, n=4)
    """The part of the map on screen: first row, first column, rows, columns; empty for the whole."""
    window: tuple[str, ...] = whole(r"\d{1,5}", n=2)
    """The part of a long text that is shown token by token: its first row and column; empty for the beginning."""

    def inside(self, shapes: Mapping[AttentionKind, Sequence[int]]) -> Self:
        """The nearest kind and head, and those further heads, that exist; ``shapes`` is in the order of ``KINDS``."""
        kind = self.kind if self.kind in shapes else list(shapes)[-1]
        n_layers, n_heads = shapes[kind][:2]
        further = (name.partition(".") for name in self.heads)
        heads = tuple(f"{i}.{j}" for i, _, j in further if int(i) < n_layers and int(j) < n_heads)
        layer, head = nearest_head(self, shapes[kind])
        return dataclasses.replace(self, kind=kind, layer=layer, head=head, heads=heads)

    @property
    def all_heads(self) -> tuple[tuple[int, int], ...]:
        """The chosen (layer, head), then the further ones, each once."""
        further = [(int(layer), int(head)) for layer, head in (name.split(".") for name in self.heads)]
        return tuple(dict.fromkeys([(self.layer, self.head), *further]))

    @property
    def place(self) -> tuple[int, int]:
        """The first row and column of the window of a long text."""
        row, column = self.window or ("0", "0")
        return int(row), int(column)

    def to_mapping(self) -> dict[str, Any]:
        """The state as the browser stores it: JSON values, with all chosen heads in one list."""
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(ViewState)}
        del fields["layer"], fields["head"]
        zoom = [float(number) for number in self.zoom] or None
        window = list(self.place) if self.window else None
        return fields | {"heads": [list(head) for head in self.all_heads], "zoom": zoom, "window": window}

    @classmethod
    def parse(cls, sent: object) -> ViewState:
        """Read a state that a browser sent by the rules of a link; values that do not fit become defaults."""
        if not isinstance(sent, Mapping):
            return cls()
        texts = {str(name): text for name, value in sent.items() if (text := _text(value)) is not None}
        heads = texts.get("heads", "").split()
        if heads and heads[0].count(".") == 1:
            texts["layer"], texts["head"] = heads[0].split(".")
        texts["heads"] = " ".join(heads[1:])
        return from_params(ViewState, texts)


class ChosenHead(Protocol):
    """Choices that name a head."""

    @property
    def layer(self) -> int: ...

    @property
    def head(self) -> int: ...


def nearest_head(chosen: ChosenHead, shape: Sequence[int]) -> tuple[int, int]:
    """The nearest existing layer and head; ``shape`` begins with layers and heads, as weights (L, H, …) do."""
    return min(chosen.layer, shape[0] - 1), min(chosen.head, shape[1] - 1)


def look_fields(state: ViewState) -> dict[str, Any]:
    """The fields of a state by name, those of a subclass left out."""
    return {field.name: getattr(state, field.name) for field in dataclasses.fields(ViewState)}


def view_state_of(state: ViewState) -> ViewState:
    """The view state inside a selection."""
    return ViewState(**look_fields(state))


def _text(value: object) -> str | None:
    """A JSON value as text for a link; None for values that no link contains."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, float) else str(value)
    if not isinstance(value, list | tuple):
        return None
    items = (
        ".".join(str(number) for number in item if isinstance(number, int))
        if isinstance(item, list | tuple)
        else _text(item)
        for item in value
    )
    return " ".join(filter(None, items))
