"""The menu of Explore at the end of the row of tools: compare and measure."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from viz.explore import compare
from viz.i18n import tr
from viz.panels import measure
from viz.panels.reading import Reading
from viz.state import session
from viz.state.turns import in_turn


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


def drawer(label: str, content: Callable[[], object], *, key: str, **options: Any) -> None:
    """Draw the popover. Opening it runs only its content; a choice in it runs the whole page.

    Args:
        content: draws what is inside.
        options: further arguments of ``st.popover``.
    """
    _drawn(label, content, key, session.run_number(), options)


@st.fragment
@in_turn
def _drawn(label: str, content: Callable[[], object], key: str, run: int, options: dict[str, Any]) -> None:
    memory = f"drawer.{key}"
    last_run, was_open = session.recall(memory, lambda: (0, False))
    place = st.popover(label, key=key, on_change="rerun", **options)
    is_open = bool(place.open)
    session.remember(memory, (run, is_open))
    if is_open:
        with place:
            content()
    is_used = run == last_run and is_open and was_open  # neither the page nor its opening ran this
    if is_used:
        st.rerun()
