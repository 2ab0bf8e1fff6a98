"""Numbers along layers, along a translation, and over the sites and positions of a sweep."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from model.interpret.path_patching import PathEffects
from model.interpret.sweeping import EffectTable, Sweep, intervals_of_cells
from model.interventions import AttentionKind
from model.trace import Floats, ShapeError
from viz.figures.paper import Paper, chart_theme, fit_width
from viz.figures.rendering import Figure, alt, pd, tooltips, with_theme
from viz.figures.tokens import printable
from viz.theme import Mode, palette

SWEEP_CELL = 26


def metric_by_layer(
    values: Floats, *, kind: AttentionKind, title: str, mode: Mode = "light", first_index: int = 0
) -> Figure:
    """One metric of every head, (L, H): a dot per head, a line through the layers' means; NaN has no dot.

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
    return with_theme(alt.layer(line, points), mode, width=max(240, 56 * values.shape[0]), height=220)


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
    curve = alt.layer(base.mark_line(color=hue), base.mark_circle(size=70, color=hue))
    curve = curve.add_params(alt.param(name="tokens", value=[printable(token) for token in tokens]))
    return with_theme(curve, mode, width=max(240, 40 * len(tokens)), height=200)


def sweep_map(
    sweep: Sweep, *, paper: Paper | None = None, mode: Mode = "light", cell: int = SWEEP_CELL, as_share: bool = False
) -> Figure:
    """The mean effect of each site and position; the tooltip gives the 95 % interval over the sentences.

    Args:
        paper: width of the figure; ``cell`` is then ignored.
        cell: the side of a cell, in pixels.
        as_share: as shares of the distance between the two sentences of each pair; 1 restores all of it.

    Raises:
        ValueError: for shares of a sweep without pairs.
    """
    return _map_of_cells(
        sweep, sweep.sites, sweep.positions, names=("site", "position"), paper=paper, mode=mode, cell=cell,
        as_share=as_share,
    )  # fmt: skip


def path_map(
    paths: PathEffects, *, paper: Paper | None = None, mode: Mode = "light", cell: int = SWEEP_CELL,
    as_share: bool = False,
) -> Figure:  # fmt: skip
    """The mean effect of each path, senders down and receivers across; arguments and errors as of ``sweep_map``."""
    return _map_of_cells(
        paths, paths.senders, paths.receivers, names=("sender", "receiver"), paper=paper, mode=mode, cell=cell,
        as_share=as_share,
    )  # fmt: skip


def _map_of_cells(
    result: EffectTable, downwards: Sequence[str], across: Sequence[str], *, names: tuple[str, str],
    paper: Paper | None, mode: Mode, cell: int, as_share: bool,
) -> Figure:  # fmt: skip
    effects = result.effects
    if as_share:
        if not np.isfinite(result.distance).all():
            raise ValueError("shares need pairs and the metric margin or log_prob: leave as_share out")
        effects = effects / result.distance[:, None, None]
    down, along = names
    rows: list[dict[str, Any]] = [
        {down: row, along: column, "effect": interval.mean, "low": interval.low, "high": interval.high}
        for row, columns in zip(downwards, intervals_of_cells(effects, seed=0), strict=True)
        for column, interval in zip(across, columns, strict=True)
        if interval is not None
    ]
    largest = max((abs(row["effect"]) for row in rows), default=1.0) or 1.0
    colours = palette(mode)
    unit = "share of the distance" if as_share else result.metric
    scale = alt.Scale(
        domain=[-largest, 0, largest], range=[colours.less, colours.panel, colours.more], interpolate="rgb"
    )
    slant = 0 if max(map(len, across), default=0) <= 4 else -45
    base = alt.Chart(pd.DataFrame(rows)).encode(
        x=alt.X(f"{along}:N", sort=list(across), title=along, axis=alt.Axis(labelAngle=slant, labelLimit=300)),
        y=alt.Y(f"{down}:N", sort=list(downwards), title=None, axis=alt.Axis(labelLimit=300)),
    )
    tips = [alt.Tooltip(f"{down}:N"), alt.Tooltip(f"{along}:N"), *tooltips("effect", "low", "high")]
    legend = alt.Legend() if paper is None else alt.Legend(orient="bottom", gradientThickness=paper.font_points)
    chart = base.mark_rect().encode(color=alt.Color("effect:Q", scale=scale, title=unit, legend=legend), tooltip=tips)
    if paper is None:
        return with_theme(chart, mode, width=cell * len(across), height=cell * len(downwards))
    theme, least = chart_theme(paper, mode), 1.3 * paper.font_points
    return fit_width(
        lambda size: chart.properties(width=size * len(across), height=max(size, least) * len(downwards))
        .configure(**theme),
        paper, len(across),
    )  # fmt: skip
