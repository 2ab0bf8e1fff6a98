"""What the frame does for the lesson: its sentence on the stage, and on other pages a scene's change, to be undone."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import streamlit as st

from model.lazy import Library
from viz.i18n import tr
from viz.lesson.scenes import AREA, SCENES, Choices, lacking, put_back, take_sentence
from viz.panels import errors
from viz.panels.reading import find_reading, open_bundle
from viz.state import session

if TYPE_CHECKING:
    from viz.lesson import hunt
else:
    hunt = Library("viz.lesson.hunt")


def arrive(page: str) -> None:
    """A visit of the lesson finds the scene's own sentence, unless the reader or the link has chosen one, and the last
    scene a head worth a claim.

    This comes before the stage is drawn: Streamlit sometimes leaves a component blank whose first run is broken off.
    """
    if page != AREA:
        return
    choices = session.choices_of(Choices, AREA)
    scene = SCENES[choices.scene]
    with suppress(*errors.USER_ERRORS):  # the stage and the scene explain them
        if (bundle := open_bundle()) is not None and not choices.changed and not session.is_chosen("text"):
            take_sentence(choices.scene, bundle)
        reading = find_reading() if scene.name == "share" and choices.vote(choices.scene) is not None else None
        if reading is not None and not lacking(scene, reading):
            hunt.propose_head(reading)


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
