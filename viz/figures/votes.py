"""What a class has answered, in type that the last row can read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from viz.theme import Mode, altair_theme, palette

ROW = 58
"""Height of one answer, pixels."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One line of the figure."""

    name: str
    share: float
    """Of the votes, 0 to 1."""
    is_right: bool = False
    measured: float | None = None
    """The model's own number for this answer, 0 to 1."""


def votes(
    answers: Sequence[Answer], *, mode: Mode, class_name: str, measured_name: str
) -> alt.LayerChart | alt.FacetChart:
    """A bar an answer in the order given, the right one in its colour; what the model itself says as a tick."""
    colours = palette(mode)
    names = [f"{place}" for place in range(len(answers))]
    rows = [
        {"place": place, "name": f"{answer.name}{'  ✓' if answer.is_right else ''}", "share": answer.share,
         "right": answer.is_right, "measured": answer.measured, "said": f"{answer.share:.0%}"}
        for place, answer in zip(names, answers, strict=True)
    ]  # fmt: skip
    labels = f"datum.value == null ? '' : {[row['name'] for row in rows]!r}[toNumber(datum.value)]"
    y = alt.Y("place:N", sort=names, title=None,
              axis=alt.Axis(labelExpr=labels, labelFontSize=24, labelLimit=620, ticks=False, domain=False,
                            labelColor=colours.ink, labelPadding=14))  # fmt: skip
    x = alt.X("share:Q", title=class_name, scale=alt.Scale(domain=[0, 1]),
              axis=alt.Axis(format="%", labelFontSize=16, titleFontSize=18, grid=False, tickCount=5))  # fmt: skip
    base = alt.Chart(alt.Data(values=rows)).encode(y=y)
    bars = base.mark_bar(cornerRadius=4, height=ROW * 0.62).encode(
        x=x, color=alt.condition("datum.right", alt.value(colours.good), alt.value(colours.accent))
    )
    said = base.mark_text(align="left", dx=8, fontSize=24, fontWeight=600, color=colours.ink).encode(
        x="share:Q", text="said:N"
    )
    layers = [bars, said]
    if any(answer.measured is not None for answer in answers):
        ticks = base.mark_tick(thickness=5, size=ROW * 0.8, color=colours.warm).encode(
            x="measured:Q", tooltip=[alt.Tooltip("measured:Q", title=measured_name, format=".2f")]
        )
        layers.append(ticks)
    chart = alt.layer(*layers).properties(width="container", height=ROW * len(rows))
    return chart.configure(**altair_theme(mode))
