"""Charts of a corpus: heads over many sentences, alignment error, pruning, and agreement with erasure."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from model.corpus.sql.query import Frame
from model.interventions import AttentionKind
from viz.figures.rendering import Figure, tooltips, with_theme
from viz.i18n import number
from viz.theme import Mode, categorical, palette, sequential

CELL = 62


def head_medians(
    frame: Frame,
    *,
    kind: AttentionKind,
    mode: Mode,
    names: Mapping[str, str],
    domain: tuple[float, float],
    chosen: tuple[int, int] | None = None,
    is_small: bool = False,
) -> Figure:
    """Median of a measure for each head, layers down and heads across; a click selects a cell.

    Args:
        frame: layer, head, mid, low, high.
        names: words for "layer", "head", "spread" and "median".
        domain: the lowest and highest median of all grids shown together.
        chosen: the layer and head that are outlined.
    """
    colours, (low, high) = palette(mode), domain
    scale = alt.Scale(domain=[low, high if high > low else low + 1], range=list(sequential(kind, mode)))
    ends = zip(frame["low"], frame["high"], strict=True)
    cells_frame = frame.assign(spread=[" – ".join(number(end, ".2f") for end in pair) for pair in ends])
    base = alt.Chart(cells_frame).encode(
        x=alt.X("head:O", title=names["head"], axis=alt.Axis(orient="top", labelAngle=0, ticks=False, domain=False)),
        y=alt.Y(
            "layer:O", title=names["layer"], axis=alt.Axis(ticks=False, domain=False, labelPadding=6, titlePadding=8)
        ),
        tooltip=[
            alt.Tooltip("layer:O", title=names["layer"]),
            alt.Tooltip("head:O", title=names["head"]),
            alt.Tooltip("mid:Q", title=names["median"], format=".3f"),
            alt.Tooltip("spread:N", title=names["spread"]),
        ],
    )
    cells = base.mark_rect(stroke=colours.panel, strokeWidth=3, cornerRadius=4, cursor="pointer").encode(
        color=alt.Color("mid:Q", scale=scale, legend=None)
    )
    middle = low + (0.6 if mode == "light" else 0.72) * (high - low)
    numbers = base.mark_text(fontSize=11 if is_small else 12, cursor="pointer").encode(
        text=alt.Text("mid:Q", format=".2f"),
        color=alt.condition(f"datum.mid > {middle}", alt.value(colours.panel), alt.value(colours.ink)),
    )
    cells = cells.add_params(alt.selection_point("cell", fields=["layer", "head"], on="click"))
    width, height = (0.9 * CELL, 0.6 * CELL) if is_small else (CELL, 0.72 * CELL)
    layer, head = chosen or (None, None)
    outline = (
        alt.Chart(cells_frame[(cells_frame["layer"] == layer) & (cells_frame["head"] == head)])
        .mark_rect(filled=False, stroke=colours.ink, strokeWidth=2, cornerRadius=4)
        .encode(x="head:O", y="layer:O")
    )
    size = {"width": width * frame["head"].nunique(), "height": height * frame["layer"].nunique()}
    return with_theme(cells + numbers + outline, mode, **size)


def distribution(bins: Frame, *, kind: AttentionKind, mode: Mode, measure: str, sentences: str) -> Figure:
    """A histogram of one head over the sentences: start, stop, count; a click selects a bar."""
    colours = palette(mode)
    bars = alt.Chart(bins).mark_bar(color=colours.kinds[kind], cursor="pointer").encode(
        x=alt.X("start:Q", title=measure, bin="binned"), x2="stop:Q", y=alt.Y("count:Q", title=sentences),
        tooltip=[alt.Tooltip("start:Q", format=".2f"), alt.Tooltip("stop:Q", format=".2f"), "count:Q"],
    )  # fmt: skip
    bars = bars.add_params(alt.selection_point("bar", fields=["start", "stop"], on="click"))
    return with_theme(bars, mode, height=190, width="container")


def alignment_errors(frame: Frame, *, mode: Mode, names: Mapping[str, str]) -> Figure:
    """AER of every head under both row meanings (fed and predicted): layers down, one mark per head.

    Args:
        frame: layer, head, row, aer, precision, recall.
        names: words for "layer", "aer", "fed", "predicted" and "head".
    """
    colours = palette(mode)
    marks_frame = frame.assign(
        meaning=[names[row] for row in frame["row"]], name=frame["layer"].astype(str) + "·" + frame["head"].astype(str)
    )
    base = alt.Chart(marks_frame)
    marks = base.mark_point(size=95, filled=True, opacity=0.85).encode(
        x=alt.X("aer:Q", title=names["aer"], scale=alt.Scale(zero=False, padding=34)),
        y=alt.Y("layer:O", title=names["layer"]),
        yOffset=alt.YOffset("meaning:N"),
        color=alt.Color(
            "meaning:N",
            scale=alt.Scale(domain=[names["fed"], names["predicted"]], range=[colours.kinds["cross"], colours.warm]),
            legend=alt.Legend(title=None, orient="top", labelLimit=260),
        ),
        tooltip=["name:N", "meaning:N", *tooltips("aer", "precision", "recall")],
    )  # fmt: skip
    best = marks_frame.sort_values("aer").groupby("row").head(1)
    labels = alt.Chart(best).mark_text(align="right", dx=-8, fontSize=12, fontWeight="bold", color=colours.ink).encode(
        x="aer:Q", y="layer:O", yOffset="meaning:N", text="name:N"
    )  # fmt: skip
    return with_theme(marks + labels, mode, height=64 * frame["layer"].nunique(), width="container")


def pruning_curves(frame: Frame, *, mode: Mode, x_title: str, y_title: str) -> Figure:
    """Loss against the number of removed heads, with bands: curve, removed, value, low, high."""
    order = list(dict.fromkeys(frame["curve"]))
    y_scale = alt.Scale(zero=False)
    base = alt.Chart(frame).encode(
        x=alt.X("removed:Q", title=x_title),
        y=alt.Y("value:Q", title=y_title, scale=y_scale),
        color=alt.Color(
            "curve:N",
            sort=order,
            scale=alt.Scale(domain=order, range=list(categorical(mode))[: len(order)]),
            legend=alt.Legend(title=None, orient="top", columns=2, labelLimit=260),
        ),
        tooltip=["curve:N", "removed:Q", *tooltips("value", "low", "high")],
    )  # fmt: skip
    band = base.mark_area(opacity=0.16).encode(y=alt.Y("low:Q", title=y_title, scale=y_scale), y2="high:Q")
    return with_theme(
        band + base.mark_line() + base.mark_point(filled=True, size=46), mode, height=330, width="container"
    )


def with_intervals(frame: Frame, *, mode: Mode, title: str) -> Figure:
    """Means with intervals: name, mean, low, high, in the frame's order, and optionally ``kind`` for the colour."""
    colours, order = palette(mode), list(frame["name"])
    ink: Any = alt.value(colours.accent)
    if "kind" in frame:
        kinds = list(colours.kinds)
        ink = alt.Color("kind:N", scale=alt.Scale(domain=kinds, range=[colours.kinds[k] for k in kinds]), legend=None)
    base = alt.Chart(frame).encode(y=alt.Y("name:N", sort=order, title=None, axis=alt.Axis(labelLimit=400)), color=ink)
    intervals = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=title), x2="high:Q")
    means = base.mark_point(filled=True, size=60, opacity=1)
    means = means.encode(x="mean:Q", tooltip=["name:N", *tooltips("mean", "low", "high")])
    return with_theme(intervals + means, mode, height=21 * len(order), width="container")


def gold_map(
    weights: np.ndarray, *, rows: Sequence[str], columns: Sequence[str], sure: set, possible: set, mode: Mode
) -> Figure:
    """Word weights (target, source) with gold links: filled squares are sure links, hollow ones possible links."""
    colours = palette(mode)
    target, source = np.indices(weights.shape)
    cells = pd.DataFrame({"row": target.ravel(), "column": source.ravel(), "weight": weights.ravel().astype(float)})
    links = pd.DataFrame(
        [
            {"row": j, "column": i, "fill": colours.warm if (i, j) in sure else "transparent"}
            for i, j in sorted(possible)
        ],
        columns=["row", "column", "fill"],
    )
    side = float(np.clip(620 / max(weights.shape), 20, 34))
    axes = {
        "x": alt.X("column:O", title=None, axis=alt.Axis(
            orient="top", labelAngle=-45, labelExpr="columnTokens[datum.value]", ticks=False, domain=False,
            labelFontSize=12)),
        "y": alt.Y("row:O", title=None, axis=alt.Axis(
            labelExpr="rowTokens[datum.value]", ticks=False, domain=False, labelFontSize=12)),
    }  # fmt: skip
    top = float(weights.max()) or 1.0
    scale = alt.Scale(domain=[0, top], range=list(sequential("cross", mode)))
    map_ = alt.Chart(cells).mark_rect(stroke=colours.panel).encode(
        **axes, color=alt.Color("weight:Q", scale=scale, legend=None), tooltip=tooltips("weight")
    )  # fmt: skip
    squares = alt.Chart(links).mark_square(size=(side * 0.45) ** 2, stroke=colours.warm, strokeWidth=2).encode(
        **axes, fill=alt.Fill("fill:N", scale=None)
    )  # fmt: skip
    tokens = (alt.param(name="columnTokens", value=list(columns)), alt.param(name="rowTokens", value=list(rows)))
    layers = (map_ + squares).add_params(*tokens)
    return with_theme(layers, mode, width=side * len(columns), height=side * len(rows))


def states_plane(
    frame: Frame, current: np.ndarray, *, mode: Mode, names: Mapping[str, str], is_number: bool = False
) -> Figure:
    """States as points, coloured by ``value``, and the current state as a cross.

    Args:
        frame: x, y, token, next, value.
        current: (2,) the place of the current state.
        names: words for "token", "next", "value" and "here".
        is_number: whether the values are weights in [0, 1] and not names.
    """
    colours = palette(mode)
    bare = alt.Axis(labels=False, ticks=False, grid=False, domain=False)
    order = sorted(frame["value"].unique()) if not is_number else []
    weights = alt.Scale(domain=[0, 1], range=list(sequential("cross", mode)))
    names_scale = alt.Scale(domain=order, range=list(categorical(mode))[: len(order)])
    ink = (
        alt.Color("value:Q", title=names["value"], scale=weights) if is_number
        else alt.Color("value:N", sort=order, scale=names_scale,
                       legend=alt.Legend(title=None, orient="bottom", columns=3, labelLimit=220))
    )  # fmt: skip
    points = alt.Chart(frame).mark_circle(size=22, opacity=0.55).encode(
        x=alt.X("x:Q", title=None, axis=bare), y=alt.Y("y:Q", title=None, axis=bare), color=ink,
        tooltip=[alt.Tooltip("token:N", title=names["token"]), alt.Tooltip("next:N", title=names["next"]),
                 alt.Tooltip("value:Q" if is_number else "value:N", title=names["value"])],
    )  # fmt: skip
    mark = pd.DataFrame({"x": [float(current[0])], "y": [float(current[1])], "text": [names["here"]]})
    cross = alt.Chart(mark).mark_point(shape="cross", size=260, filled=True, color=colours.ink, opacity=1)
    label = alt.Chart(mark).mark_text(dy=-16, fontSize=12, fontWeight="bold", color=colours.ink)
    layers = points + cross.encode(x="x:Q", y="y:Q") + label.encode(x="x:Q", y="y:Q", text="text:N")
    return with_theme(layers, mode, height=420, width="container")
