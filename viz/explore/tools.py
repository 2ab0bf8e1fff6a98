"""Around the explorer: the menu to compare and measure, and which row of the head on screen aligns words."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from viz import cache
from viz.explore import compare
from viz.i18n import number, sentences, tr
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
    _popover(label, content, key, session.run_number(), options)


@st.fragment
@in_turn
def _popover(label: str, content: Callable[[], object], key: str, run: int, options: dict[str, Any]) -> None:
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


def row_meaning(fingerprint: str) -> None:
    """Which row of the cross-attention head on screen aligns words; nothing where this model was not measured."""
    selection = session.read()
    measured = cache.shipped_alignment(fingerprint) if selection.kind == "cross" else None
    if measured is None:
        return
    errors = {
        row["row"]: row["aer"] for row in measured["heads"]
        if (row["layer"], row["head"], row["weights"]) == (selection.layer, selection.head, "raw")
    }  # fmt: skip
    if len(errors) == 2:
        better, diagonal = min(errors, key=lambda row: errors[row]), measured["diagonal"]["aer"]
        numbers = {row: number(error, ".2f") for row, error in errors.items()}
        is_set = selection.rows == better  # then there is nothing to advise
        messages = [tr(f"explore.{'aligned' if is_set else 'aligns'}_{better}", **numbers, n=measured["n_pairs"])]
        if errors[better] >= diagonal:
            messages.append(tr("explore.aligns_no_better", diagonal=number(diagonal, ".2f")))
        with st.expander(tr("explore.aligns_title")):
            st.caption(sentences(*messages))
