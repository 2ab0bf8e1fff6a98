"""Explore: every head of the chosen kind at a glance, and one of them large."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

from viz import session, theme
from viz.i18n import tr
from viz.panels import changes
from viz.panels.reading import reading

here = reading()
changes.chips(here)
selection, trace = here.selection, here.trace
st.segmented_control(
    tr("explore.kind"),
    trace.attention.kinds,
    format_func=lambda kind: tr(f"frame.kind_{kind}"),
    required=True,
    label_visibility="collapsed",
    **session.bind("kind"),
)
weights = trace.attention.of(selection.kind)
mode = session.mode()
figure = go.Figure(
    go.Heatmap(
        z=weights[selection.layer, selection.head],
        colorscale=theme.plotly_scale(theme.sequential(selection.kind, mode)),
        zmin=0,
        zmax=1,
    )
)
figure.update_layout(template=theme.plotly_template(mode), height=480)
st.plotly_chart(figure, theme=None, key="map")
