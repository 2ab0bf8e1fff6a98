"""All heads of one kind, for print: a thumbnail of each, layers down, heads across."""

from __future__ import annotations

import base64
from collections.abc import Collection
from typing import Literal

import numpy as np

from model.interventions import AttentionKind
from model.picture.png import written_exactly
from model.trace import Floats, ShapeError
from viz.figures.rendering import Figure, alt, pd, with_theme
from viz.figures.tokens import caption_below
from viz.theme import Mode, palette
from viz.theme import ramp as colours_of

CELL = 84
_PIXELS = 168
"""Minimum length of a picture's longer side; each weight is a block of whole pixels, so that edges stay sharp."""


def head_grid(
    weights: Floats,
    *,
    kind: AttentionKind,
    caption: str = "",
    mode: Mode = "light",
    first_index: int = 0,
    cell: int = CELL,
    off: Collection[tuple[int, int]] = (),
    names: tuple[str, str] = ("layer", "head"),
    ramp: str = "",
) -> Figure:
    """Every head of (L, H, Q, K), each coloured up to its own largest weight.

    Args:
        first_index: 0 or 1, what the first layer and head are called.
        cell: the side of one head's picture, in pixels.
        names: of the axis down and the axis across.
        off: (layer, head) of heads that are switched off, drawn pale and crossed out.
        ramp: a palette of the explorer; the weights are then already ink from 0 to 1.

    Raises:
        ShapeError: when the weights have another shape.
    """
    if weights.ndim != 4:
        raise ShapeError(f"weights must be (layer, head, query, key), not {weights.shape}")
    n_layers, n_heads = weights.shape[:2]
    heads = pd.DataFrame(
        [
            {
                "layer": layer + first_index,
                "head": head + first_index,
                "is_off": (layer, head) in off,
                "url": picture(weights[layer, head], kind, mode, ramp=ramp),
            }
            for layer in range(n_layers)
            for head in range(n_heads)
        ]
    )
    # Image marks have no border: a rectangle behind frames each head.
    base = alt.Chart(heads).encode(
        x=alt.X("head:O", axis=_axis(names[1], "top")), y=alt.Y("layer:O", axis=_axis(names[0], "left"))
    )
    colours = palette(mode)
    frames = base.mark_rect(fill=colours.panel, stroke=colours.line, width=cell, height=cell)
    images = base.mark_image(width=cell - 2, height=cell - 2, aspect=False).encode(
        url="url:N", opacity=alt.condition("datum.is_off", alt.value(0.2), alt.value(1.0))
    )
    strikes = base.transform_filter("datum.is_off").mark_text(text="╱", fontSize=cell * 0.9, color=colours.bad)
    layers = alt.layer(frames, images, *([strikes] if off else []))
    size = {"width": (cell + 8) * n_heads, "height": (cell + 8) * n_layers}
    return with_theme(layers, mode, **size, title=caption_below(caption, mode))


def picture(weights: Floats, kind: AttentionKind, mode: Mode, *, ramp: str = "", pixels: int = _PIXELS) -> str:
    """One head (Q, K) as a PNG data URL; with a palette the weights are already ink from 0 to 1.

    Args:
        pixels: minimum length of the longer side; with 1, a weight is a pixel.
    """
    colours = colours_of(ramp or "hue", kind, mode, steps=256)
    scale = np.array([list(bytes.fromhex(colour[1:])) for colour in colours], dtype=np.uint8)
    top = 1.0 if ramp else float(np.nanmax(weights, initial=0)) or 1.0
    places = np.rint(np.clip(np.nan_to_num(weights) / top, 0, 1) * 255).astype(np.intp)
    block = max(1, pixels // max(weights.shape))
    content = written_exactly(scale[places].repeat(block, 0).repeat(block, 1), is_even=True)
    return "data:image/png;base64," + base64.b64encode(content).decode("ascii")


def _axis(title: str, orient: Literal["top", "left"]) -> alt.Axis:
    angle = 0 if len(title) == 1 else alt.Undefined  # a turned Chinese character could be read as another one
    return alt.Axis(orient=orient, title=title, ticks=False, domain=False, labelAngle=0, grid=False, titleAngle=angle)
