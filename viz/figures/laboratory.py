"""Figures of the laboratory: arrays in, Plotly out."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from model.interventions import AttentionKind
from model.teaching.optimisation import DepthSpread, LayerGradients
from model.teaching.scoring import ScoreSpread
from viz.figures.shading import readable_on
from viz.figures.tokens import name_columns, plotly_text
from viz.theme import Mode, blend, categorical, palette, plotly_scale, plotly_template, sequential

Array = NDArray[np.floating]

OFF_OPACITY = 0.25
MAX_WRITTEN = 30
"""Maximum cells in a row with their words written in them."""
_MAX_NAMES = 40
"""Maximum number of names along an axis of bars."""


def finish(figure: go.Figure, mode: Mode, height: int, *, top: int = 8) -> go.Figure:
    """The figure with the theme's colours, and margins for its axis labels."""
    figure.update_layout(template=plotly_template(mode), height=height, margin={"t": top})
    figure.update_xaxes(automargin=True)
    figure.update_yaxes(automargin=True)
    figure.update_annotations(font_size=13)
    return figure


def weight_maps(
    maps: Sequence[Array], queries: Sequence[str], keys: Sequence[str], *, titles: Sequence[str],
    kind: AttentionKind = "cross", mode: Mode = "light", height: int = 0, is_off: bool = False,
) -> go.Figure:  # fmt: skip
    """Several attention maps (Q, S) of the same tokens side by side, on one scale from 0 to 1.

    Args:
        is_off: drawn pale, for a head that is switched off.
    """
    figure = make_subplots(1, len(maps), subplot_titles=list(titles), horizontal_spacing=0.02, shared_yaxes=True)
    scale = plotly_scale(sequential(kind, mode))
    for column, weights in enumerate(maps, start=1):
        figure.add_trace(_heat(weights, scale).update(opacity=OFF_OPACITY if is_off else 1), 1, column)
    if len(queries) <= 30:
        figure.update_yaxes(tickvals=list(range(len(queries))), ticktext=[plotly_text(token) for token in queries])
    name_columns(figure, keys)
    figure.update_yaxes(autorange="reversed")
    top = 32 + 17 * max((title.count("<br>") for title in titles), default=0)
    return finish(figure, mode, height or max(230, min(460, 24 * len(queries) + 110)), top=top)


def with_numbers(
    figure: go.Figure, cells: Array, texts: Sequence[Sequence[str]], kind: AttentionKind, mode: Mode
) -> None:
    """Write a number into each cell of a map (R, C), dark or light depending on the cell's colour."""
    colours = palette(mode)
    fills = [blend(colours.panel, colours.kinds[kind], float(cell)) for cell in cells.flat]
    inks = iter(readable_on(np.array(fills), mode))
    for row, line in enumerate(texts):
        for column, text in enumerate(line):
            font = {"size": 14, "color": str(next(inks))}
            figure.add_annotation(x=column, y=row, text=text, showarrow=False, font=font)


def cell_map(
    cells: Array, texts: Sequence[Sequence[str]], *, rows: Sequence[str], kind: AttentionKind, mode: Mode = "light"
) -> go.Figure:  # fmt: skip
    """Cells (R, C) of 0 to 1 with a word in each, such as a padded batch or a mask; in long rows only as tooltips."""
    scale = plotly_scale(sequential(kind, mode, steps=9)[:5])
    heat = _heat(cells, scale)
    heat.update(
        text=[[plotly_text(word) for word in row] for row in texts],
        texttemplate="%{text}" if cells.shape[1] <= MAX_WRITTEN else None,
        textfont={"size": 12},
        xgap=1 if cells.shape[1] <= MAX_WRITTEN else 0,
        hovertemplate="%{text}<extra></extra>",
    )
    figure = go.Figure(heat)
    figure.update_yaxes(autorange="reversed", tickvals=list(range(len(rows))), ticktext=list(rows))
    figure.update_xaxes(showticklabels=False)
    return finish(figure, mode, 34 * len(cells) + 30)


def spread_curves(
    spreads: Sequence[ScoreSpread], *, names: tuple[str, str, str, str, str], mode: Mode = "light"
) -> go.Figure:
    """Variance of the scores, largest weight and slope of the softmax against the width.

    Args:
        names: titles of the three panels, then of "without scale" and "with scale".
    """
    figure = make_subplots(1, 3, subplot_titles=names[:3], horizontal_spacing=0.07)
    widths, colours = [spread.d for spread in spreads], categorical(mode)
    variance = [spread.variance for spread in spreads]
    for values, name, colour, dash in (
        (variance, names[3], colours[1], "solid"),
        ([v / d for v, d in zip(variance, widths, strict=True)], names[4], colours[0], "solid"),
    ):
        figure.add_trace(_line(widths, values, name, colour, dash), 1, 1)
    for column, field in ((2, "largest_weight"), (3, "slope")):
        for place in (0, 1):
            values = [getattr(spread, field)[place] for spread in spreads]
            line = _line(widths, values, names[3 + place], colours[1 - place], "solid")
            figure.add_trace(line.update(showlegend=False), 1, column)
    figure.update_xaxes(type="log", tickvals=[2, 8, 32, 128, 512], title="d")
    figure.update_yaxes(type="log", dtick=1, row=1, col=1)
    figure.update_yaxes(range=[0, 1.02], row=1, col=2)
    figure.update_yaxes(range=[0, 0.26], row=1, col=3)
    figure.update_layout(legend={"orientation": "h", "y": -0.28})
    return finish(figure, mode, 330, top=32)


def bars(
    groups: Sequence[tuple[str, Array]], labels: Sequence[str], *, axis_name: str, mode: Mode = "light",
    height: int = 300, hue: str | None = None,
) -> go.Figure:  # fmt: skip
    """Grouped bars over tokens or entries; where not all names fit, the highest bars are labelled."""
    names = [plotly_text(label, limit=14) for label in labels]
    colours = (hue, *categorical(mode)) if hue else categorical(mode)
    figure = go.Figure()
    for place, (name, values) in enumerate(groups):
        figure.add_trace(go.Bar(x=list(range(len(labels))), y=values, name=name, marker_color=colours[place],
                                marker_line_width=0, customdata=names,
                                hovertemplate="%{customdata}: %{y:.4f}<extra>" + name + "</extra>"))  # fmt: skip
    labelled = _labelled_bars(np.max([np.abs(values) for _, values in groups], axis=0)) if len(labels) else []
    figure.update_xaxes(tickvals=labelled, ticktext=[names[place] for place in labelled])
    figure.update_yaxes(title=axis_name)
    figure.update_layout(legend={"orientation": "h", "y": -0.25}, bargap=0.25, showlegend=len(groups) > 1)
    return finish(figure, mode, height)


def _labelled_bars(heights: Array) -> list[int]:
    """The bars to label: all, or the highest ones that are far enough apart."""
    room = -(-len(heights) // _MAX_NAMES)
    labelled: list[int] = []
    for place in np.argsort(-heights, kind="stable").tolist():
        if all(abs(place - other) >= room for other in labelled):
            labelled.append(place)
    return sorted(labelled)


def lines(
    series: Sequence[tuple[str, Array, Array]], *, names: tuple[str, str], mode: Mode = "light", height: int = 330,
    is_log: bool = False, markers: bool = False,
) -> go.Figure:  # fmt: skip
    """Curves of (name, x, y) on shared axes, each labelled at its end."""
    figure = go.Figure()
    for place, (name, x, y) in enumerate(series):
        line = _line(x, y, name, categorical(mode)[place], "solid")
        if markers:
            line.update(mode="lines+markers")
        figure.add_trace(line)
    figure.update_xaxes(title=names[0])
    figure.update_yaxes(title=names[1], type="log" if is_log else "linear")
    figure.update_layout(legend={"orientation": "h", "y": -0.3}, showlegend=len(series) > 1)
    return finish(figure, mode, height)


def gradients(norms: LayerGradients, *, names: tuple[str, str, str], mode: Mode = "light") -> go.Figure:
    """Gradient norms layer by layer, post-norm and pre-norm."""
    groups = ((names[0], norms.post_norm), (names[1], norms.pre_norm))
    return bars(groups, norms.names, axis_name=names[2], mode=mode, height=330)


def depth(spread: DepthSpread, *, names: tuple[str, str, str, str, str], mode: Mode = "light") -> go.Figure:
    """Size of a signal through a chain of layers, for three scales of initial weights.

    Args:
        names: of the three curves, then of both axes.
    """
    x = np.arange(len(spread.xavier), dtype=np.float64)
    series = [
        (name, x, getattr(spread, field)) for name, field in zip(names, ("xavier", "small", "large"), strict=False)
    ]
    return lines(series, names=names[3:], mode=mode, is_log=True)


def histogram(values: Array, bound: float, *, names: tuple[str, str], mode: Mode = "light") -> go.Figure:
    """A histogram of trained weights, with the bounds of their initialisation."""
    colours = palette(mode)
    figure = go.Figure(go.Histogram(x=values, nbinsx=80, marker_color=colours.accent, marker_line_width=0))
    for edge in (-bound, bound):
        figure.add_vline(x=edge, line={"color": colours.warm, "dash": "dot"})
    figure.update_xaxes(title=names[0])
    figure.update_yaxes(title=names[1])
    return finish(figure, mode, 300)


def _heat(values: Array, scale: list[tuple[float, str]]) -> go.Heatmap:
    return go.Heatmap(z=np.asarray(values, np.float32), zmin=0, zmax=1, colorscale=scale, showscale=False, xgap=1,
                      ygap=1, hovertemplate="%{z:.3f}<extra></extra>")  # fmt: skip


def _line(x: Sequence | Array, y: Sequence | Array, name: str, colour: str, dash: str) -> go.Scatter:
    return go.Scatter(x=list(x), y=list(y), name=name, mode="lines", line={"color": colour, "width": 2.5, "dash": dash},
                      hovertemplate="%{x}: %{y:.4g}<extra>" + name + "</extra>")  # fmt: skip
