"""Logit lens: the most probable next tokens after each decoder layer, one panel per layer."""

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from model.trace import Floats
from viz.figures.rendering import Figure
from viz.figures.tokens import as_candidates
from viz.theme import Mode, altair_theme, palette


def lens_bars(
    log_probs: Floats, pieces: Sequence[Sequence[str]], *, titles: Sequence[str], value_title: str, mode: Mode = "light"
) -> Figure:
    """The top candidates after each of L layers, (L, C) best first: one panel per layer, the last one in full colour.

    Args:
        titles: of the L panels.
        value_title: what a bar's length is called.
    """
    colours = palette(mode)
    panels = []
    for layer, title in enumerate(titles):
        n_rows = min(6, log_probs.shape[1])
        rows = pd.DataFrame(
            {
                "place": range(n_rows),
                "token": as_candidates(pieces[layer])[:n_rows],
                "p": np.exp(log_probs[layer, :n_rows].astype(float)),
            }
        )
        y = alt.Y("place:O", axis=None)
        bars = (
            alt.Chart(rows)
            .mark_bar(color=colours.accent, opacity=1.0 if layer == len(titles) - 1 else 0.55, height=16)
            .encode(
                x=alt.X("p:Q", scale=alt.Scale(domain=[0, 1]), title=None, axis=alt.Axis(format="%", tickCount=3)),
                y=y,
                tooltip=["token", alt.Tooltip("p:Q", title=value_title, format=".4f")],
            )
        )
        marks = alt.Chart(rows).mark_text(align="left", dx=6, fontSize=13, color=colours.ink)
        words = marks.encode(x=alt.X("p:Q"), y=y, text="written:N")
        words = words.transform_calculate(
            written="datum.token + '  ' + (datum.p < 0.005 ? '< 0.01' : format(datum.p, '.2f'))"
        )
        heading = alt.TitleParams(title, anchor="start", fontSize=13, fontWeight="normal", color=colours.ink_soft)
        panels.append(alt.layer(bars, words).properties(width=230, height=24 * n_rows, title=heading))
    return alt.concat(*panels, columns=4, spacing=36).configure(**altair_theme(mode))
