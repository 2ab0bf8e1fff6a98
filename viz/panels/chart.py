"""A Plotly figure on a page, and maps to compare: beside each other, and below each other on a phone."""

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.interventions import AttentionKind
from model.trace import Floats
from viz.figures.laboratory import weight_maps
from viz.state import session

_LARGE = 18
"""Type of a figure on a projector, in pixels."""


def show(figure: go.Figure, key: str, *, may_shrink: bool = False) -> None:
    """Draw a figure; it ``may_shrink`` if its titles have room however small the screen is."""
    if session.read().presenter:
        figure.update_layout(font_size=_LARGE).update_annotations(font_size=_LARGE)
        figure.update_xaxes(tickfont_size=_LARGE).update_yaxes(tickfont_size=_LARGE)
    is_wide = stands_side_by_side(figure) and not may_shrink
    place = st.container(key=f"wide_maps_{key.replace('.', '_')}") if is_wide else st.container()
    place.plotly_chart(figure, theme=None, key=key, config={"displayModeBar": False})


def beside(
    maps: Sequence[Floats], rows: Sequence[str], keys: Sequence[str], *, titles: Sequence[str], key: str,
    kind: AttentionKind = "cross", has_hover: bool = True,
) -> list[DeltaGenerator]:  # fmt: skip
    """Draw maps of the same tokens to compare, and return the column of each, to write below it."""
    places = list(st.columns(len(maps))) if len(maps) > 1 else [st.container()]
    for number, (place, weights, title) in enumerate(zip(places, maps, titles, strict=True)):
        figure = weight_maps((weights,), rows, keys, titles=[title], kind=kind, mode=session.mode())
        if not has_hover:
            figure.update_traces(hoverinfo="skip", hovertemplate=None)
        with place:
            show(figure, f"{key}.{number}")
    return places


def stands_side_by_side(figure: go.Figure) -> bool:
    """Whether two titles of the figure share a line."""
    lines = [round(float(title.y), 3) for title in figure.layout.annotations if title.yref == "paper"]  # type: ignore[attr-defined]
    return len(set(lines)) < len(lines)
