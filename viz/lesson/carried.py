"""A scene's change on the pages outside the lesson: named, and undone with one click."""

from __future__ import annotations

import streamlit as st

from viz.i18n import tr
from viz.lesson.scenes import AREA, SCENES, Choices, put_back
from viz.state import session


def chip(page: str) -> None:
    """Say which scene's change is still active on a page, unless it is the lesson itself."""
    choices = session.choices_of(Choices, AREA)
    scene = SCENES[choices.scene]
    if page == AREA or not choices.changed or scene.change is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="lesson_carried"):
        title = tr(f"lesson.{scene.name}_title")
        said = tr("lesson.carried", n=choices.scene + 1, title=title)
        st.markdown(f":orange[:material/science:] {said}", width="content")
        st.button(tr("lesson.undo"), key="lesson.carried_undo", icon=":material/undo:", on_click=put_back)
