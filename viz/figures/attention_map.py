"""One head as a heatmap for print, and the signed difference of two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from model.interventions import AttentionKind
from model.trace import Floats, ShapeError
from viz.figures.paper import Paper, fit_width
from viz.figures.rendering import Figure, alt, pd, with_theme
from viz.figures.shading import Shading, readable_on
from viz.figures.tokens import caption_below, printable
from viz.theme import Mode, diverging, palette, sequential

MAX_NUMBERED = 20
"""Maximum rows or columns of a map with numbers in its cells."""
_LARGEST, _SMALLEST = 44, 14


def attention_map(
    weights: Floats,
    *,
    queries: Sequence[str],
    keys: Sequence[str],
    kind: AttentionKind,
    caption: str = "",
    mode: Mode = "light",
    is_causal: bool = False,
    paper: Paper | None = None,
    shading: Shading | None = None,
) -> Figure:
    """Weights of one head, (Q, K): a row for each query, more ink for more attention.

    Args:
        paper: width, font and values for print; without it the sizes suit a screen.
        caption: printed under the map.
        is_causal: leave out the cells of keys after the query, which do not exist.
        shading: the ink of each cell; without it the largest weight has the kind's full hue.

    Raises:
        ShapeError: when tokens and weights differ in length.
    """
    cells = _cells(weights, queries, keys, skip_later=is_causal)
    if shading is not None:
        fills = shading.fills(kind, mode)
        places = (cells["query"].to_numpy(), cells["key"].to_numpy())
        cells = cells.assign(fill=fills[places], text=readable_on(fills, mode)[places])
        return _size_map(cells, queries, keys, _Style.of_cells(caption, mode), paper)
    top = float(np.nanmax(weights, initial=0)) or 1.0
    style = _Style.of_scale(list(sequential(kind, mode)), [0, top], caption, mode, ".2f")
    return _size_map(cells, queries, keys, style, paper)


def difference_map(
    signed: Floats,
    *,
    queries: Sequence[str],
    keys: Sequence[str],
    caption: str = "",
    mode: Mode = "light",
    paper: Paper | None = None,
) -> Figure:
    """Right minus left of one head, (Q, K); 0 is the panel's colour, NaN is left out."""
    cells = _cells(signed, queries, keys, skip_later=False)
    top = float(np.nanmax(np.abs(signed), initial=0)) if np.isfinite(signed).any() else 0.0
    top = top or 1.0
    style = _Style.of_scale(list(diverging(mode)), [-top, top], caption, mode, "+.2f")
    return _size_map(cells, queries, keys, style, paper)


@dataclass(frozen=True, slots=True)
class _Style:
    fill: alt.Color
    number: Any
    """The colour of a cell's number."""
    caption: str
    mode: Mode
    digits: str

    @classmethod
    def of_scale(cls, colours: list[str], domain: list[float], caption: str, mode: Mode, digits: str) -> _Style:
        """Colours by the weight itself."""
        ink, top = palette(mode), domain[1]
        fill = alt.Color("weight:Q", scale=alt.Scale(domain=domain, range=colours, interpolate="rgb"), legend=None)
        number = alt.condition(f"abs(datum.weight) > {0.55 * top}", alt.value(ink.panel), alt.value(ink.ink_soft))
        return cls(fill, number, caption, mode, digits)

    @classmethod
    def of_cells(cls, caption: str, mode: Mode) -> _Style:
        """Colours from each cell's own columns."""
        fill, number = (alt.Color(f"{name}:N", scale=None, legend=None) for name in ("fill", "text"))
        return cls(fill, number, caption, mode, ".2f")


def _size_map(
    cells: pd.DataFrame, queries: Sequence[str], keys: Sequence[str], style: _Style, paper: Paper | None
) -> Figure:
    if paper is not None:
        return fit_width(lambda side: _map(cells, queries, keys, style, side, paper), paper, len(keys))
    side = float(np.clip(720 / max(len(queries), len(keys), 1), _SMALLEST, _LARGEST))
    return _map(cells, queries, keys, style, side, None)


def _cells(weights: Floats, queries: Sequence[str], keys: Sequence[str], *, skip_later: bool) -> pd.DataFrame:
    if weights.shape != (len(queries), len(keys)):
        raise ShapeError(f"weights {weights.shape} for {len(queries)} query and {len(keys)} key tokens")
    query, key = np.meshgrid(*map(np.arange, weights.shape), indexing="ij")  # (Q, K) each
    is_drawn = np.isfinite(weights) & ((key <= query) | (not skip_later))
    return pd.DataFrame({"query": query[is_drawn], "key": key[is_drawn], "weight": weights[is_drawn].astype(float)})


def _map(
    cells: pd.DataFrame, queries: Sequence[str], keys: Sequence[str], style: _Style, side: float, paper: Paper | None
) -> Figure:
    label_size = paper.font_points if paper else 13
    base = alt.Chart(cells).encode(
        x=alt.X("key:O", axis=_axis("keyTokens", "top", -45, label_size), scale=_scale(len(keys))),
        y=alt.Y("query:O", axis=_axis("queryTokens", "left", 0, label_size), scale=_scale(len(queries))),
    )
    layers = [base.mark_rect(stroke=palette(style.mode).panel).encode(color=style.fill)]
    has_numbers = paper.has_room_for_values(side) if paper else max(len(queries), len(keys)) <= MAX_NUMBERED
    if has_numbers:
        layers.append(
            base.transform_filter("abs(datum.weight) >= 0.005")
            .mark_text(fontSize=paper.value_points if paper else min(11, side / 3))
            .encode(text=alt.Text("weight:Q", format=style.digits), color=style.number)
        )
    sizes: dict[str, Any] = {"width": side * len(keys), "height": side * len(queries)}
    if style.caption:
        sizes["title"] = caption_below(style.caption, style.mode)
    layered = alt.layer(*layers).add_params(
        alt.param(name="queryTokens", value=[printable(token) for token in queries]),
        alt.param(name="keyTokens", value=[printable(token) for token in keys]),
    )
    return with_theme(layered, style.mode, **sizes)


def _axis(tokens: str, orient: Literal["top", "left"], angle: int, size: float) -> alt.Axis:
    # A token may occur twice in a sentence, so the scale has positions, and tokens are only their labels.
    return alt.Axis(
        orient=orient, labelExpr=f"{tokens}[datum.value]", labelAngle=angle, labelLimit=140,
        title=None, ticks=False, domain=False, labelFontSize=size,
    )  # fmt: skip


def _scale(count: int) -> alt.Scale:
    return alt.Scale(domain=list(range(count)), paddingInner=0.04)
