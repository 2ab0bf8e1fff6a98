"""Bars of a prediction: what each part adds to a token's score, the logit lens, and the effect of steering."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import altair as alt
import numpy as np
import pandas as pd

from model.interpret.editing.steering import Steered
from model.trace import Floats
from viz.figures.rendering import Figure, with_theme
from viz.figures.tokens import as_candidates
from viz.i18n import number
from viz.theme import Mode, palette

ROW = 22
"""Height of one bar, pixels."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One part."""

    name: str
    value: float


def contribution_bars(bars: Sequence[Bar], *, mode: Mode, value_name: str) -> Figure:
    """A bar for each part, in the order of ``bars``: right if it raises the token's score, left if it lowers it."""
    colours = palette(mode)
    rows = [
        {"place": place, "name": bar.name, "value": bar.value, "text": number(bar.value, "+.2f"),
         "sign": bar.value >= 0}
        for place, bar in enumerate(bars)
    ]  # fmt: skip
    order = [row["name"] for row in rows]
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("name:N", sort=order, title=None, axis=alt.Axis(labelLimit=260, ticks=False, domain=False)),
        x=alt.X("value:Q", title=value_name, axis=alt.Axis(tickCount=6), scale=alt.Scale(padding=44)),
        tooltip=[alt.Tooltip("name:N", title=" "), alt.Tooltip("text:N", title=value_name)],
    )
    drawn_bars = base.mark_bar(cornerRadius=2, height=ROW * 0.66).encode(
        color=alt.condition("datum.sign", alt.value(colours.more), alt.value(colours.less))
    )
    right = base.transform_filter("datum.sign").mark_text(align="left", dx=4, color=colours.ink).encode(text="text:N")
    left = base.transform_filter("!datum.sign").mark_text(align="right", dx=-4, color=colours.ink).encode(text="text:N")
    zero = alt.Chart(alt.Data(values=[{"value": 0}])).mark_rule(color=colours.ink_soft).encode(x="value:Q")
    layers = alt.layer(drawn_bars, zero, right, left)
    return with_theme(layers, mode, width="container", height=ROW * len(rows))


def steering_curve(steered: Steered, *, strength: float, mode: Mode, words: Mapping[str, str]) -> Figure:
    """chrF of this sentence and of the others, with the unsteered translations as references.

    Args:
        strength: the chosen one, marked by a rule.
        words: "own" and "others" name the lines, "axis" and "chrf" the axes.
    """
    colours = palette(mode)
    names = [words["own"], words["others"]]
    rows = [
        {"strength": at, "chrf": value, "line": name, "text": number(value, ".0f"), "at": number(at, ".2f")}
        for name, values in zip(names, (steered.chrf, steered.others), strict=True)
        for at, value in zip(steered.strengths, values, strict=True)
    ]
    x = alt.X("strength:Q", title=words["axis"], axis=alt.Axis(grid=False, tickCount=8))
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=x,
        y=alt.Y("chrf:Q", title=words["chrf"], scale=alt.Scale(domain=[0, 100])),
        color=alt.Color(
            "line:N", sort=names, title=None, legend=alt.Legend(orient="bottom", labelLimit=400),
            scale=alt.Scale(domain=names, range=[colours.accent, colours.ink_soft]),
        ),
        tooltip=[alt.Tooltip("line:N", title=" "), alt.Tooltip("at:N", title=words["axis"]),
                 alt.Tooltip("text:N", title=words["chrf"])],
    )  # fmt: skip
    rule = alt.Chart(alt.Data(values=[{"strength": strength}])).mark_rule(color=colours.ink_soft, strokeDash=[4, 4])
    chart = alt.layer(rule.encode(x=x), base.mark_line(strokeWidth=2), base.mark_circle(size=50, opacity=1))
    return with_theme(chart, mode, width="container", height=220)


def lens_bars(
    log_probs: Floats, pieces: Sequence[Sequence[str]], *, titles: Sequence[str], value_title: str, mode: Mode = "light"
) -> Figure:
    """The logit lens: the most probable next tokens after each of L layers, (L, C) best first, one panel per layer.

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
    return with_theme(alt.concat(*panels, columns=4, spacing=36), mode)
