"""The attention explorer's state and the reader's shared choices: one written as the other."""

from __future__ import annotations

from typing import Any

from viz.components.attention import ViewState
from viz.selection import Selection

_SAME = (
    "kind", "view", "combine", "rows", "unit", "sinks", "sink_kinds", "scale", "curve", "palette", "threshold",
    "sort", "together", "orientation", "compare", "pins",
)  # fmt: skip


def state_of(selection: Selection) -> ViewState:
    """What the explorer shows for these choices; what it cannot read takes its default."""
    further = [[int(part) for part in name.split(".")] for name in selection.heads]
    fields: dict[str, Any] = {name: getattr(selection, name) for name in _SAME}
    fields["heads"] = [[selection.layer, selection.head], *further]
    fields["reading"] = selection.weighting
    fields["zoom"] = _zoom(selection.zoom)
    fields["is_presenting"] = selection.presenter
    return ViewState.parse(fields)


def choices_of(state: ViewState) -> dict[str, Any]:
    """The fields of ``Selection`` that say the same."""
    (layer, head), *further = state.heads
    return {name: getattr(state, name) for name in _SAME} | {
        "layer": layer,
        "head": head,
        "heads": tuple(f"{a}.{b}" for a, b in further),
        "weighting": state.reading,
        "zoom": tuple(f"{number:g}" for number in state.zoom or ()),
        "presenter": state.is_presenting,
    }


def _zoom(written: tuple[str, ...]) -> list[float] | None:
    try:
        return [float(number) for number in written]
    except ValueError:
        return None
