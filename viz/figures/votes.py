"""The answers of a class, in type that is readable from the last row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import altair as alt
import numpy as np

from model.trace import Floats
from viz.figures.rendering import Figure
from viz.i18n import number
from viz.theme import Mode, altair_theme, palette, sequential

CELL = 64
"""Pixels."""


def taps(
    values: Floats, *, rows: Sequence[str], columns: Sequence[str], mode: Mode, title: str = "",
    right: tuple[int, int] | None = None, texts: Sequence[Sequence[str]] | None = None,
) -> Figure:  # fmt: skip
    """Cells (R, C) of 0 to 1, darker for larger values: the taps of a class, or the weights to compare them with.

    Args:
        right: the cell that is framed as the right answer.
        texts: the text in each cell; percentages unless given, and nothing in an empty cell.
    """
    colours, n_rows, n_columns = palette(mode), len(rows), len(columns)
    clean = np.clip(np.nan_to_num(values), 0, 1)  # (R, C)
    top = float(clean.max(initial=0)) or 1.0
    said = texts or [[_percent(value) if value >= 0.005 else "" for value in line] for line in clean]
    cells = [
        {"row": i, "column": j, "value": float(clean[i, j]), "said": said[i][j], "right": (i, j) == right}
        for i in range(n_rows) for j in range(n_columns)
    ]  # fmt: skip
    size, is_slanted = 20 if n_columns <= 16 else 13, max(map(len, columns)) > 2

    def axis(names: Sequence[str], orient: Literal["top", "left"], angle: int = 0) -> alt.Axis:
        return alt.Axis(orient=orient, labelExpr=f"{list(names)!r}[datum.value]", labelFontSize=size, labelAngle=angle,
                        labelLimit=190, labelPadding=8, ticks=False, domain=False, labelColor=colours.ink)  # fmt: skip

    base = alt.Chart(alt.Data(values=cells)).encode(
        x=alt.X("column:O", title=None, axis=axis(columns, "top", -40 if is_slanted else 0)),
        y=alt.Y("row:O", title=None, axis=axis(rows, "left")),
    )
    ramp = alt.Scale(domain=[0, top], range=list(sequential("cross", mode, steps=32)))
    inks = base.mark_rect(stroke=colours.line, cornerRadius=3).encode(
        color=alt.Color("value:Q", scale=ramp, legend=None)
    )
    frames = base.transform_filter("datum.right").mark_rect(
        filled=False, stroke=colours.good, strokeWidth=4, cornerRadius=3
    )
    words = base.mark_text(fontSize=size, fontWeight=600).encode(
        text="said:N",
        color=alt.condition(f"datum.value > {0.55 * top}", alt.value(colours.panel), alt.value(colours.ink)),
    )
    heading = alt.TitleParams(title, anchor="start", fontSize=20, color=colours.ink)
    labels = 40 if not is_slanted else 30 + 7 * min(14, max(map(len, columns)))
    height = CELL * n_rows + labels + (34 if title else 0)  # Streamlit fits labels and title into it
    chart = alt.layer(inks, frames, words).properties(width="container", height=height)
    chart = chart.properties(title=heading) if title else chart
    return chart.configure(**altair_theme(mode))


def _percent(share: float) -> str:
    """As the phones write it."""
    return number(share, ".0%")
