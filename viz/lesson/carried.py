"""The lesson's part of the frame: a scene's sentence on the stage, and on other pages a button to undo its change."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import streamlit as st

from model.lazy import Library
from viz import imports
from viz.i18n import tr
from viz.lesson.choices import AREA, Choices
from viz.panels import errors
from viz.panels.reading import find_reading, open_bundle
from viz.state import session

if TYPE_CHECKING:
    from viz.lesson import moving
else:
    moving = Library("viz.lesson.moving")  # the front page waits for no scene


def arrive(page: str) -> None:
    """Prepare a visit of the lesson: the scene's sentence, unless the reader or the link chose one, and its ``arrive``.

    Called before the stage is drawn: Streamlit may leave a component blank if its first run is aborted.
    """
    if page != AREA:
        return
    choices, scene = session.choices_of(Choices, AREA), moving.open_scene()
    with suppress(*errors.USER_ERRORS):  # the stage and the scene explain them
        if (reading := find_reading()) is not None and moving.follow(reading):
            choices = session.choices_of(Choices, AREA)
        if (bundle := open_bundle()) is not None and not choices.changed and not session.is_chosen("text"):
            moving.take_sentence(choices.scene, bundle)
        if scene.arrive is None or choices.vote(choices.scene) is None:
            return
        if (reading := find_reading()) is not None and not moving.lacking(scene, reading):
            scene.arrive(reading)


def chip(page: str) -> None:
    """Say which scene's change is still active on a page, unless it is the lesson itself."""
    choices = session.choices_of(Choices, AREA)
    if page == AREA or not choices.changed:
        return
    imports.import_all()
    scene = moving.open_scene()
    if scene.is_of_the_view:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="lesson_carried"):
        label = tr("lesson.carried", n=moving.place_of(choices.scene, choices.route)[0], title=tr(scene.title))
        st.markdown(f":orange[:material/science:] {label}", width="content")
        st.button(tr("lesson.undo"), key="lesson.carried_undo", icon=":material/undo:", on_click=moving.undo_change)
