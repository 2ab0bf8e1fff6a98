"""What the frame does for the lesson: its sentence on the stage, and on other pages a scene's change, to be undone."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from viz.i18n import tr
from viz.lesson.scenes import AREA, SCENES, Choices, put_back, take_sentence
from viz.panels import errors
from viz.panels.reading import open_bundle
from viz.state import session


def arrive(page: str) -> None:
    """A visit of the lesson finds the scene's own sentence, unless the reader or the link has chosen one.

    This comes before the stage is drawn: Streamlit sometimes leaves a component blank whose first run is broken off.
    """
    choices = session.choices_of(Choices, AREA)
    if page != AREA or choices.changed or session.is_chosen("text"):
        return
    with suppress(*errors.USER_ERRORS):  # the stage explains them
        if (bundle := open_bundle()) is not None:
            take_sentence(choices.scene, bundle)


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
