"""Shared by several scenes' views: cross-attention maps of the class's sentence, and probabilities in per cent."""

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
    """Labels of the rows (predicted or fed tokens, as chosen) and of the source."""
    rows = reading.trace.target if reading.selection.rows == "predicted" else reading.trace.prefix
    return [chip_text(piece) for piece in rows.pieces], [chip_text(piece) for piece in reading.trace.source.pieces]


def cross_weights(reading: Reading) -> Floats:
    """All cross-attention, (L, H, T, S)."""
    weights = reading.trace.attention.cross
    assert weights is not None
    return weights


def focused(reading: Reading) -> tuple[int, int]:
    """The cross-attention head (layer, head) with the sharpest rows."""
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
    """Probabilities to compare, in per cent with two significant figures, or three where two would look equal.

    A very small one is a power of ten, and one below 1 is never written as 100 %.
    """
    texts = [_percent(p, 2) for p in probabilities]
    if len(set(texts)) < len(set(probabilities)):
        texts = [_percent(p, 3) for p in probabilities]
    return texts


def _percent(p: float, figures: int) -> str:
    if p < 5e-5:
        return power_of_ten(p)
    digits = max(0, figures - 1 - math.floor(math.log10(100 * p)))
    while round(100 * p, digits) >= 100 and p < 1 - 5e-5:
        digits += 1
    return number(p, f".{digits}%")
