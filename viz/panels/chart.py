"""A Plotly figure on a page; maps side by side keep their width on a phone, or their titles would overlap."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st


def show(figure: go.Figure, key: str, *, may_shrink: bool = False) -> None:
    """Draw a figure.

    Args:
        may_shrink: its titles have room however small the screen is.
    """
    is_wide = stands_side_by_side(figure) and not may_shrink
    place = st.container(key=f"wide_maps_{key.replace('.', '_')}") if is_wide else st.container()
    place.plotly_chart(figure, theme=None, key=key, config={"displayModeBar": False})


def stands_side_by_side(figure: go.Figure) -> bool:
    """Whether two titles of the figure share a line."""
    lines = [round(float(each.y), 3) for each in figure.layout.annotations if each.yref == "paper"]  # type: ignore[attr-defined]
    return len(set(lines)) < len(lines)
