"""One step of one head: its numbers, each of which tells how it came about when pointed at."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from streamlit.components.v2 import component

from model.interventions import AttentionKind
from viz.components.code import code
from viz.components.inside.screen import Screen
from viz.theme import DARK, LIGHT, Palette

_FOLDER = Path(__file__).parent
SCRIPTS = ("numbers", "blocks", "arithmetic", "component")
_render = component(
    "regard.inside",
    **code(
        "regard.inside",
        css=(_FOLDER / "component.css").read_text("utf-8"),
        js="\n".join((_FOLDER / f"{name}.js").read_text("utf-8") for name in SCRIPTS),
    ),
)


def inside(
    screen: Screen,
    *,
    kind: AttentionKind,
    words: Mapping[str, str],
    shade: Mapping[str, Any],
    presenter: bool,
    key: str,
    on_token: Callable[[], None],
) -> None:
    """Draw a step.

    Args:
        words: strings of the area "inside".
        shade: what the sentence above is told to paint, as in the stage's "regard:shade" event.
        on_token: called when the reader has clicked a token of the sentence; ``token`` is sent as "source.3".
    """
    header = {"kind": kind, "words": dict(words), "shade": dict(shade), "presenter": presenter}
    _render(data=pack(screen, header), key=key, on_token_change=on_token)


def pack(screen: Screen, header: Mapping[str, Any]) -> bytes:
    """A little-endian uint32 with the header's length, the header in JSON padded to four bytes, float32 arrays."""
    blocks, parts, offset = [], [], 0
    for block in screen.blocks:
        values = np.ascontiguousarray(block.values, np.float32)
        described = {field.name: getattr(block, field.name) for field in dataclasses.fields(block)}
        blocks.append(described | {"values": None, "shape": values.shape, "offset": offset})
        parts.append(values.tobytes())
        offset += values.nbytes
    described = dataclasses.asdict(dataclasses.replace(screen, blocks=())) | {
        "blocks": blocks,
        "palettes": {"light": _colours(LIGHT), "dark": _colours(DARK)},
        **header,
    }
    text = json.dumps(described, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    text += b" " * (-len(text) % 4)
    return b"".join([len(text).to_bytes(4, "little"), text, *parts])


def _colours(palette: Palette) -> dict[str, Any]:
    return {"panel": palette.panel, "ink": palette.ink, "less": palette.less, "more": palette.more,
            "kinds": dict(palette.kinds)}  # fmt: skip
