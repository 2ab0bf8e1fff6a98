"""The menu of Explore at the end of the row of tools: compare and measure."""

import streamlit as st

from viz.explore import compare
from viz.explore.drawer import drawer
from viz.i18n import tr
from viz.panels import measure
from viz.panels.reading import Reading


def menu(reading: Reading) -> None:
    """Draw the menu."""
    drawer(
        tr("explore.tools"),
        lambda: _offer(reading),
        key="tools_menu",
        type="primary" if compare.is_on(reading) else "secondary",
    )


def _offer(reading: Reading) -> None:
    st.markdown(f"**{tr('explore.compare')}**")
    compare.choices(reading)
    st.divider()
    st.markdown(f"**{tr('explore.measure')}**")
    measure.choices(reading)
