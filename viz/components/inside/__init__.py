"""One step of one head: its numbers, and the arithmetic of the number under the pointer."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from model.interventions import AttentionKind
from viz.components.inside.screen import Screen
from viz.components.packet import Arrays
from viz.components.source import Source
from viz.i18n import current_language
from viz.theme import DARK, LIGHT, Palette

SOURCE = Source("inside", "js/screen.js")
_render = SOURCE.mount()


def inside(
    screen: Screen,
    *,
    kind: AttentionKind,
    words: Mapping[str, str],
    shade: Mapping[str, Any],
    presenter: bool,
    key: str,
    on_token: Callable[[], None],
    following: str = "",
    on_next: Callable[[], None] = lambda: None,
) -> None:
    """Draw a step.

    Args:
        words: strings of the area "inside".
        shade: highlights in the sentence above, as "shade" in ``shared/signals.js``.
        on_token: called after a click on a token of the sentence; ``token`` is "source.3".
        following: the label of the button to the next step; empty without a next step.
        on_next: called when the reader requests the next step, or when the animation of a step has ended.
    """
    header = {"kind": kind, "words": dict(words), "shade": dict(shade), "presenter": presenter,
              "next": following}  # fmt: skip
    _render(data=pack(screen, header), key=key, on_token_change=on_token, on_next_change=on_next)


def pack(screen: Screen, header: Mapping[str, Any]) -> bytes:
    """The header, and each block's values in float32."""
    arrays, blocks = Arrays(), []
    for block in screen.blocks:
        values = np.ascontiguousarray(block.values, np.float32)
        described = {field.name: getattr(block, field.name) for field in dataclasses.fields(block)}
        blocks.append(described | {"values": None, "shape": values.shape, "offset": arrays.add(values)})
    described = dataclasses.asdict(dataclasses.replace(screen, blocks=())) | {
        "blocks": blocks,
        "palettes": {"light": _colours(LIGHT), "dark": _colours(DARK)},
        "language": current_language(),
        **header,
    }
    return arrays.join(described)


def _colours(palette: Palette) -> dict[str, Any]:
    return {"panel": palette.panel, "ink": palette.ink, "less": palette.less, "more": palette.more,
            "kinds": dict(palette.kinds)}  # fmt: skip
