"""Curves of a training run, and how far it moved each head's attention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from model.interventions import AttentionKind
from model.trace import Floats
from model.training.settings import TrainingConfig, learning_rate
from viz.figures.rendering import Figure, alt, pd, with_theme
from viz.figures.tokens import printable
from viz.theme import Mode, palette

MAX_POINTS = 400
"""Maximum points drawn of one curve; longer ones are subsampled."""


@dataclass(frozen=True, slots=True)
class Curve:
    """One line."""

    name: str
    steps: Sequence[int]
    values: Sequence[float]
    has_dots: bool = False
    """Whether each point is marked, for few points far apart."""


def schedule_curve(config: TrainingConfig, d_model: int, *, x_title: str, y_title: str, mode: Mode = "light") -> Figure:
    """The learning rate that each step will have."""
    steps = np.unique(np.linspace(1, config.steps, min(config.steps, MAX_POINTS)).astype(int))
    rates = [learning_rate(int(step), config, d_model) for step in steps]
    curve = Curve("", steps.tolist(), rates)
    return training_curves(
        [curve], x_title=x_title, y_title=y_title, mode=mode, height=150, y_format=".1~e", last=config.steps
    )


def training_curves(
    curves: Sequence[Curve],
    *,
    x_title: str,
    y_title: str,
    mode: Mode = "light",
    height: int = 230,
    y_format: str = ".3~g",
    last: int | None = None,
) -> Figure:
    """Curves over the steps, each labelled at its end; a non-finite value leaves a gap.

    Args:
        last: the step at which the run will end, so that the axis does not move while the curves grow.
    """
    colours = (palette(mode).accent, palette(mode).warm)
    points = pd.concat([_points(curve) for curve in curves], ignore_index=True)
    names = [printable(curve.name) for curve in curves]
    scale = alt.Scale(domain=[0, last]) if last else alt.Scale(zero=False)
    colour = alt.Color("name:N", scale=alt.Scale(domain=names, range=list(colours[: len(names)])), legend=None)
    base = alt.Chart(points).encode(
        x=alt.X("step:Q", title=printable(x_title), scale=scale, axis=alt.Axis(grid=False, format="d", tickMinStep=1)),
        y=alt.Y(
            "value:Q",
            title=None,
            scale=alt.Scale(zero=False, nice=True, padding=20 if len(curves) > 1 else 0),
            axis=alt.Axis(format=y_format, tickCount=4),
        ),
        color=colour,
        tooltip=[alt.Tooltip("step:Q", format="d"), alt.Tooltip("value:Q", format=".4g")],
    )
    layers = [base.mark_line(strokeWidth=1.8, interpolate="linear", clip=True)]
    dotted = [printable(curve.name) for curve in curves if curve.has_dots]
    if dotted:
        layers.append(base.transform_filter(alt.FieldOneOfPredicate("name", dotted)).mark_circle(size=46))
    if any(names):
        ends = base.transform_filter("isValid(datum.value)").transform_window(
            rank="rank()", sort=[alt.SortField("step", order="descending")], groupby=["name"]
        )
        highest = max(curves, key=_end).name
        for curve in curves:
            # The lower of two curves is labelled below its end: two labels above could overlap.
            name = ends.transform_filter("datum.rank === 1").transform_filter(
                alt.FieldEqualPredicate(field="name", equal=printable(curve.name))
            )
            dy = -10 if curve.name == highest else 14
            layers.append(name.mark_text(align="right", dx=-2, dy=dy).encode(text="name:N"))
    # Above the axis rather than along it: a low chart would cut off a rotated title.
    heading = alt.TitleParams(
        printable(y_title), anchor="start", fontSize=12, fontWeight="normal", color=palette(mode).ink_soft, offset=6
    )
    return with_theme(alt.layer(*layers), mode, height=height, width="container", title=heading)


def _end(curve: Curve) -> float:
    """The last finite value of a curve."""
    return next((value for value in reversed(curve.values) if np.isfinite(value)), -np.inf)


def moved_heads(
    moved: Mapping[AttentionKind, Floats],
    *,
    kind: AttentionKind,
    layer_title: str,
    head_title: str,
    value_title: str,
    mode: Mode = "light",
    first_index: int = 0,
    top: float | None = None,
) -> Figure:
    """How far each head of one kind moved, (L, H) in [0, 1], as a grid with the number in each cell.

    Args:
        top: the value drawn in full colour, so that several kinds share one scale; None for this kind's largest.
    """
    values = moved[kind]
    layers, heads = np.indices(values.shape) + first_index
    cells = pd.DataFrame({"layer": layers.ravel(), "head": heads.ravel(), "value": values.ravel().astype(float)})
    colours, limit = palette(mode), max(float(values.max()) if top is None else top, 1e-6)
    scale = alt.Scale(domain=[0, limit], range=[colours.panel, colours.kinds[kind]], interpolate="rgb")
    base = alt.Chart(cells).encode(
        x=alt.X("head:O", title=printable(head_title), axis=alt.Axis(labelAngle=0, orient="top")),
        y=alt.Y("layer:O", title=printable(layer_title)),
        tooltip=["layer", "head", alt.Tooltip("value:Q", format=".1%", title=printable(value_title))],
    )
    boxes = base.mark_rect(stroke=colours.line).encode(color=alt.Color("value:Q", scale=scale, legend=None))
    strong = alt.condition(f"datum.value > {0.6 * limit}", alt.value(colours.panel), alt.value(colours.ink))
    numbers = base.mark_text(fontSize=11).encode(text=alt.Text("value:Q", format=".0%"), color=strong)
    return with_theme(alt.layer(boxes, numbers), mode, height=34 * values.shape[0] + 20, width="container")


def _points(curve: Curve) -> pd.DataFrame:
    places = np.arange(len(curve.steps))
    if len(places) > MAX_POINTS and not curve.has_dots:
        places = np.unique(np.linspace(0, len(places) - 1, MAX_POINTS).astype(int))
    values = np.asarray(curve.values, dtype=float)[places]
    return pd.DataFrame(
        {
            "name": printable(curve.name),
            "step": np.asarray(curve.steps)[places],
            "value": np.where(np.isfinite(values), values, np.nan),
        }
    )
