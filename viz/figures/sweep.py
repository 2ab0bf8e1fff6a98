"""A sweep as a map: sites down, positions across, the mean effect over the sentences in each cell."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from model.interpret.sweeping import Sweep
from viz.figures.rendering import Figure
from viz.theme import Mode, altair_theme, palette

CELL = 26


def sweep_map(sweep: Sweep, *, mode: Mode = "light", cell: int = CELL, as_share: bool = False) -> Figure:
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
    scale = alt.Scale(domain=[-largest, 0, largest], range=[colours.less, colours.panel, colours.more])
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
