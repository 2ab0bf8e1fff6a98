"""What the teacher finds under each scene: what to do and expect, and the sheets to print."""

from __future__ import annotations

import dataclasses

import streamlit as st

from model import NONE
from viz.i18n import tr
from viz.intervention_text import read_interventions
from viz.panels import changes
from viz.panels.lesson import sheets
from viz.panels.lesson.scenes import SCENES, Choices, Scene, scenes_of
from viz.panels.reading import Reading, read_under


def for_the_teacher(scene: Scene, choices: Choices, here: Reading) -> None:
    """Draw it, folded."""
    with st.expander(tr("lesson.teacher"), icon=":material/school:"):
        for part in ("teacher", "expect", "mistake"):
            heading = tr(f"lesson.teacher_{'do' if part == 'teacher' else part}")
            st.markdown(f"**{heading}.** {tr(f'lesson.{scene.name}_{part}')}")
        printed = printed_of(choices, here)
        this, every = (choices.scene,), scenes_of(choices.route)
        files = (
            ("worksheet", f"{tr('lesson.worksheet')}: {tr('lesson.worksheet_this')}", sheets.worksheet(this, printed)),
            ("worksheets", f"{tr('lesson.worksheet')}: {tr('lesson.worksheet_all')}", sheets.worksheet(every, printed)),
            ("outline", tr("lesson.outline"), sheets.outline(every, printed)),
            ("slides", tr("lesson.slides"), sheets.slides(every, printed)),
        )
        with st.container(horizontal=True, gap="small"):
            for key, label, content in files:
                st.download_button(
                    label, content, f"regard-{key}.html", "text/html", key=f"lesson.{key}", icon=":material/print:",
                    on_click="ignore",
                )  # fmt: skip


def printed_of(choices: Choices, here: Reading) -> sheets.Printed:
    """What the sheets show: the model's own translation, and beside it the one with the reader's changes.

    The change that the scene itself proposes is left out: the sheet asks what it does.
    """
    shown = before(choices, here) if choices.changed else here
    words = tuple(words for words, *_ in changes.listed(shown))
    own = _under(shown, interventions=NONE, prefix=()) if words else shown
    return sheets.Printed(
        own.trace.source_text, own.trace.text, changes=words, changed=shown.trace.text if words else "",
        votes=choices.votes, route=choices.route,
    )  # fmt: skip


def before(choices: Choices, here: Reading) -> Reading:
    """The sentence and its translation as they were before the scene's change."""
    method = "greedy" if SCENES[choices.scene].name == "beam" else here.selection.method
    text = choices.before or here.fitted.text
    prefix = here.selection.prefix if text == here.fitted.text else ()
    edits = read_interventions(choices.before_edits)
    return _under(here, text=text, interventions=edits, prefix=prefix, method=method)


def _under(here: Reading, **fields: object) -> Reading:
    return read_under(here.bundle, dataclasses.replace(here.selection, **fields)) or here
