"""What the reader has chosen in the explorer: one frozen value that fits into a link and can be restored from it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from model.interventions import KINDS, AttentionKind

if TYPE_CHECKING:
    from viz.components.attention.view import AttentionView

CHOICES: dict[str, tuple[str, ...]] = {
    "kind": KINDS,
    "view": ("map", "lines", "text"),
    "combine": ("mean", "max"),
    "rows": ("predicted", "fed"),
    "unit": ("pieces", "words"),
    "sinks": ("shown", "greyed", "removed"),
    "scale": ("row", "head", "common"),
    "curve": ("linear", "sqrt"),
    "palette": ("hue", "viridis", "cividis", "grey"),
    "sort": ("order", "entropy", "confidence", "maximum", "offset", "previous", "same", "next", "sinks",
             "diagonality", "effect"),
    "together": ("mean", "sum"),
    "orientation": ("auto", "vertical", "horizontal"),
    "compare": ("side", "difference"),
    "reading": ("raw", "norm", "rollout", "gradient"),
}  # fmt: skip
SINK_KINDS = ("begin", "end", "punctuation")
MAX_HEADS = 64
MAX_PINS = 64


@dataclass(frozen=True, slots=True)
class ViewState:
    """The explorer's switches, selected heads, pins and zoom."""

    kind: AttentionKind = "cross"
    heads: tuple[tuple[int, int], ...] = ((0, 0),)
    """Chosen (layer, head), first the one that the arrows move."""
    view: str = "map"
    combine: str = "mean"
    """How several heads become one map."""
    rows: str = "predicted"
    """What a decoder row is called: the token it predicts, or the one it was fed."""
    unit: str = "pieces"
    sinks: str = "greyed"
    sink_kinds: tuple[str, ...] = SINK_KINDS
    """Which tokens count as sinks."""
    scale: str = "head"
    curve: str = "linear"
    palette: str = "hue"
    threshold: float = 0.0
    """Weights below it are not drawn, in [0, 1]."""
    sort: str = "order"
    together: str = "mean"
    """How several pinned tokens are read together."""
    orientation: str = "auto"
    pins: tuple[str, ...] = ()
    """Pinned tokens: "q3" is query 3, "k5" is key 5, counted in pieces."""
    zoom: tuple[float, float, float, float] | None = None
    """The part of the map on screen: first row, first column, rows, columns."""
    compare: str = "side"
    reading: str = "raw"
    is_presenting: bool = False

    @classmethod
    def parse(cls, fields: object) -> ViewState:
        """Read a state that came from a browser or a link: what is missing or malformed takes its default."""
        if not isinstance(fields, Mapping):
            return cls()
        known: dict[str, Any] = {name: fields[name] for name, allowed in CHOICES.items() if fields.get(name) in allowed}
        known["heads"] = _heads(fields.get("heads"))
        known["pins"] = _pins(fields.get("pins"))
        known["sink_kinds"] = _sink_kinds(fields.get("sink_kinds"))
        known["threshold"] = min(max(_number(fields.get("threshold")) or 0.0, 0.0), 1.0)
        known["zoom"] = _zoom(fields.get("zoom"))
        known["is_presenting"] = fields.get("is_presenting") is True
        return cls(**known)

    def fit(self, view: AttentionView) -> ViewState:
        """The nearest state that this view can show: a missing kind, layer, head or token is clamped."""
        kind = self.kind if self.kind in view.attention.kinds else view.attention.kinds[-1]
        n_layers, n_heads = view.shape(kind)
        heads = dict.fromkeys((min(layer, n_layers - 1), min(head, n_heads - 1)) for layer, head in self.heads)
        n_rows, n_columns = (len(axis) for axis in view.axes(kind))
        inside = {"q": n_rows, "k": n_columns}
        pins = tuple(pin for pin in self.pins if int(pin[1:]) < inside[pin[0]])
        zoom = self.zoom
        if zoom is not None and (zoom[0] + zoom[2] > n_rows + 1e-6 or zoom[1] + zoom[3] > n_columns + 1e-6):
            zoom = None
        return dataclasses.replace(self, kind=kind, heads=tuple(heads), pins=pins, zoom=zoom)

    def to_mapping(self) -> dict[str, Any]:
        """Plain JSON values, of which :meth:`parse` makes the same state again."""
        return dataclasses.asdict(self)

    def changes(self) -> dict[str, Any]:
        """Only what differs from the default: what a link needs to carry."""
        default = ViewState().to_mapping()
        return {name: value for name, value in self.to_mapping().items() if value != default[name]}


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if abs(value) < 1e9 else None  # also refuses NaN


def _index(value: object) -> int | None:
    number = _number(value)
    return int(number) if number is not None and number >= 0 and number == int(number) else None


def _heads(value: object) -> tuple[tuple[int, int], ...]:
    chosen: dict[tuple[int, int], None] = {}
    for item in value[:MAX_HEADS] if isinstance(value, (list, tuple)) else ():
        if isinstance(item, (list, tuple)) and len(item) == 2:
            layer, head = _index(item[0]), _index(item[1])
            if layer is not None and head is not None:
                chosen[layer, head] = None
    return tuple(chosen) or ((0, 0),)


def _pins(value: object) -> tuple[str, ...]:
    items = value[:MAX_PINS] if isinstance(value, (list, tuple)) else ()
    good = (
        item for item in items
        if isinstance(item, str) and item[:1] in ("q", "k") and item[1:].isascii() and item[1:].isdigit()
        and len(item) < 8
    )  # fmt: skip
    return tuple(dict.fromkeys(good))


def _sink_kinds(value: object) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)):
        return SINK_KINDS
    return tuple(kind for kind in SINK_KINDS if kind in value)


def _zoom(value: object) -> tuple[float, float, float, float] | None:
    if not isinstance(value, (list, tuple)) or len(value) != 4:
        return None
    numbers = [_number(item) for item in value]
    if any(number is None or number < 0 for number in numbers) or not (numbers[2] and numbers[3]):
        return None
    return tuple(numbers)  # pyright: ignore[reportReturnType]
