"""Overview: the whole model on one screen, lit along the path of one predicted token."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from viz.i18n import tr
from viz.overview import weight_sharing
from viz.panels import changes, model_map
from viz.panels.reading import is_alone, reading
from viz.panels.stage.sentence import chip_text
from viz.plain_text import escape_markdown
from viz.state import session
from viz.state.selection import bounded


@dataclass(frozen=True, slots=True)
class Choices:
    """Which token is followed."""

    step: int = bounded(2, 0, 511)


def page() -> None:
    """Read, compute, draw, store."""
    here = reading()
    model_map.follow()
    changes.chips(here)
    if is_alone(here.bundle):
        st.info(tr("overview.alone"))
        return
    tokens = [chip_text(piece) for piece in here.trace.target.pieces]
    step, first = min(session.choices_of(Choices, "overview").step, len(tokens) - 1), here.selection.first_index
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(tr("overview.lead"), width="content")
        st.selectbox(
            tr("overview.step"), range(len(tokens)), format_func=lambda i: f"{i + first} · {tokens[i]}", width=180,
            label_visibility="collapsed", **session.bind("step", Choices, "overview", shown=step),
        )  # fmt: skip
    st.caption(tr("overview.read", predicted=escape_markdown(tokens[step])))
    model_map.draw(here, step, on_step=lambda n: session.change_part(Choices, "overview", step=n))
    with st.expander(tr("overview.sharing_title")):
        weight_sharing.draw(here)
    with st.expander(tr("overview.kinds_title")):
        st.markdown(tr("overview.kinds"))


page()
