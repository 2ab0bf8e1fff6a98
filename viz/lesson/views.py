"""What the views of several scenes share: the cross-attention of the class's sentence, drawn as a map."""

import math

import plotly.graph_objects as go
import streamlit as st

from model.teaching.experiments import focused_head
from model.trace import Floats
from viz.figures import laboratory as figures
from viz.i18n import number, power_of_ten, tr
from viz.panels import chart
from viz.panels.reading import Reading
from viz.plain_text import chip_text
from viz.state import session

MAP_HEIGHT = 380


def labels(reading: Reading) -> tuple[list[str], list[str]]:
    """Labels of the rows by the choice of row meaning, and of the source."""
    rows = reading.trace.target if reading.selection.rows == "predicted" else reading.trace.prefix
    return [chip_text(piece) for piece in rows.pieces], [chip_text(piece) for piece in reading.trace.source.pieces]


def cross_weights(reading: Reading) -> Floats:
    """All cross-attention, (L, H, T, S)."""
    weights = reading.trace.attention.cross
    assert weights is not None
    return weights


def focused(reading: Reading) -> tuple[int, int]:
    """Layer and head of the cross-attention with the sharpest rows."""
    return focused_head(cross_weights(reading)) or (0, 0)


def draw_head(reading: Reading, layer: int, head: int, key: str) -> None:
    """The map of one head of the cross-attention."""
    rows, keys = labels(reading)
    weights = cross_weights(reading)[layer, head]
    is_off = any(
        (item.kind, item.layer, item.head) == ("cross", layer, head)
        for item in reading.selection.interventions.heads_off
    )
    figure = figures.weight_maps(
        (weights,), rows, keys, titles=[""], mode=session.mode(), height=MAP_HEIGHT, is_off=is_off
    )
    show(figure, key)
    if is_off:
        st.caption(tr("lesson.is_off"))


def show(figure: go.Figure, key: str) -> None:
    """A figure of a scene."""
    chart.show(figure, f"lesson.{key}")


def chances(*probabilities: float) -> list[str]:
    """Probabilities that stand beside each other, in per cent: two significant figures, and a third where two would
    read the same. A very small one is a power of ten, and one that is not 1 is never written as 100 %.
    """
    said = [_percent(p, 2) for p in probabilities]
    if len(set(said)) < len(set(probabilities)):
        said = [_percent(p, 3) for p in probabilities]
    return said


def _percent(p: float, figures: int) -> str:
    if p < 5e-5:
        return power_of_ten(p)
    digits = max(0, figures - 1 - math.floor(math.log10(100 * p)))
    while round(100 * p, digits) >= 100 and p < 1 - 5e-5:
        digits += 1
    return number(p, f".{digits}%")
