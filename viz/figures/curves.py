"""Numbers along layers, along a translation, and over the sites and positions of a sweep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from model.interpret.sweeping import Sweep
from model.interventions import AttentionKind
from model.trace import Floats, ShapeError
from viz.figures.rendering import Figure, alt, pd
from viz.figures.tokens import printable
from viz.theme import Mode, altair_theme, palette

SWEEP_CELL = 26


def metric_by_layer(
    values: Floats, *, kind: AttentionKind, title: str, mode: Mode = "light", first_index: int = 0
) -> Figure:
    """One metric of every head, (L, H): a dot a head, a line for each layer's mean; NaN has no dot.

    Args:
        title: of the axis, with its unit.
        first_index: 0 or 1, what the first layer and head are called.
    """
    layers, heads = np.indices(values.shape) + first_index
    dots = pd.DataFrame(
        {"layer": layers.ravel(), "head": heads.ravel(), "value": values.ravel().astype(float)}
    ).dropna()
    hue = palette(mode).kinds[kind]
    base = alt.Chart(dots).encode(x=alt.X("layer:O", axis=alt.Axis(title="layer", labelAngle=0, grid=False)))
    axis = alt.Y("value:Q", title=printable(title), scale=alt.Scale(zero=False, nice=True))
    points = base.mark_circle(size=60, color=hue, opacity=0.65).encode(
        y=axis, tooltip=["layer", "head", alt.Tooltip("value:Q", format=".3f")]
    )
    line = base.mark_line(color=hue, strokeWidth=2).encode(y=alt.Y("mean(value):Q"))
    width = max(240, 56 * values.shape[0])
    return alt.layer(line, points).properties(width=width, height=220).configure(**altair_theme(mode))


def log_probability_curve(
    log_probs: Floats, tokens: Sequence[str], *, title: str = "log p", mode: Mode = "light"
) -> Figure:
    """The natural logarithm of each predicted token's probability, (T,), along the translation.

    Raises:
        ShapeError: when there is not one number for each token.
    """
    if log_probs.shape != (len(tokens),):
        raise ShapeError(f"log_probs {log_probs.shape} for {len(tokens)} tokens")
    steps = pd.DataFrame({"step": range(len(tokens)), "value": log_probs.astype(float)})
    base = alt.Chart(steps).encode(
        x=alt.X(
            "step:O",
            axis=alt.Axis(title=None, labelExpr="tokens[datum.value]", labelAngle=-45, grid=False, labelLimit=120),
        ),
        y=alt.Y("value:Q", title=printable(title)),
    )
    hue = palette(mode).accent
    return (
        alt.layer(base.mark_line(color=hue), base.mark_circle(size=70, color=hue))
        .add_params(alt.param(name="tokens", value=[printable(token) for token in tokens]))
        .properties(width=max(240, 40 * len(tokens)), height=200)
        .configure(**altair_theme(mode))
    )


def sweep_map(sweep: Sweep, *, mode: Mode = "light", cell: int = SWEEP_CELL, as_share: bool = False) -> Figure:
    """The mean effect of each site and position; the tip gives the 95 % interval over the sentences.

    Args:
        cell: the side of a cell, in pixels.
        as_share: of the distance between the two sentences of each pair, so that 1 restores all of it.

    Raises:
        ValueError: for shares of a sweep without pairs.
    """
    effects = sweep.effects
    if as_share:
        if not np.isfinite(sweep.distance).all():
            raise ValueError("shares need pairs and the metric margin or log_prob: leave as_share out")
        effects = effects / sweep.distance[:, None, None]
    shown = Sweep(sweep.sites, sweep.positions, effects, sweep.base, sweep.distance, sweep.texts, sweep.metric)
    rows: list[dict[str, Any]] = [
        {"site": site, "position": position, "order": place, "effect": interval.mean, "low": interval.low,
         "high": interval.high}
        for site, columns in zip(sweep.sites, shown.interval(), strict=True)
        for place, (position, interval) in enumerate(zip(sweep.positions, columns, strict=True))
        if interval is not None
    ]  # fmt: skip
    largest = max((abs(row["effect"]) for row in rows), default=1.0) or 1.0
    colours = palette(mode)
    unit = "share of the distance" if as_share else sweep.metric
    scale = alt.Scale(
        domain=[-largest, 0, largest], range=[colours.less, colours.panel, colours.more], interpolate="rgb"
    )
    base = alt.Chart(pd.DataFrame(rows)).encode(
        x=alt.X("position:N", sort=list(sweep.positions), title="position", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("site:N", sort=list(sweep.sites), title=None),
    )
    tips = [alt.Tooltip("site:N"), alt.Tooltip("position:N"), *(alt.Tooltip(f"{name}:Q", format=".3f")
            for name in ("effect", "low", "high"))]  # fmt: skip
    return (
        base.mark_rect()
        .encode(color=alt.Color("effect:Q", scale=scale, title=unit), tooltip=tips)
        .properties(width=cell * len(sweep.positions), height=cell * len(sweep.sites))
        .configure(**altair_theme(mode))
    )
