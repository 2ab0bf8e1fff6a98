"""How much of the translations stays the same, along the strength of steering."""

from collections.abc import Mapping

import altair as alt

from model.interpret.editing.steering import Steered
from viz.i18n import number
from viz.theme import Mode, altair_theme, palette


def steering_curve(
    steered: Steered, *, strength: float, mode: Mode, words: Mapping[str, str]
) -> alt.LayerChart | alt.FacetChart:
    """chrF of this sentence and of the others against the translations without steering.

    Args:
        strength: the one that is chosen, marked by a rule.
        words: "own" and "others" name the lines, "axis" and "chrf" the axes.
    """
    colours = palette(mode)
    names = [words["own"], words["others"]]
    rows = [
        {"strength": at, "chrf": value, "line": name, "said": number(value, ".0f"), "at": number(at, ".2f")}
        for name, values in zip(names, (steered.own, steered.others), strict=True)
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
                 alt.Tooltip("said:N", title=words["chrf"])],
    )  # fmt: skip
    rule = alt.Chart(alt.Data(values=[{"strength": strength}])).mark_rule(color=colours.ink_soft, strokeDash=[4, 4])
    chart = alt.layer(rule.encode(x=x), base.mark_line(strokeWidth=2), base.mark_circle(size=50, opacity=1))
    return chart.properties(width="container", height=220).configure(**altair_theme(mode))
