"""Where the class is: the text sent to the phones with the picture, and the head on the teacher's screen."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from model.lazy import Library
from model.text.tokens import text_of
from viz.decode import choices as decode_choices
from viz.i18n import LANGUAGES, speaking, tr
from viz.lesson.choices import AREA
from viz.lesson.choices import Choices as LessonChoices
from viz.lesson.links import NAMES
from viz.panels import changes
from viz.panels.reading import Reading
from viz.plain_text import chip_text
from viz.state import session
from viz.state.view_state import ViewState, view_state_of

if TYPE_CHECKING:
    from viz.lesson import moving
else:
    moving = Library("viz.lesson.moving")


def place(page: str, reading: Reading) -> dict[str, Any]:
    """In each language: the page or scene, the decoding step, and what is changed."""
    texts: dict[str, dict[str, Any]] = {"title": {}, "note": {}, "changes": {}}
    for code in LANGUAGES:
        with speaking(code):
            texts["title"][code] = _title(page)
            texts["note"][code] = _step(reading) if page == "decode" else ""
            texts["changes"][code] = [words for words, _, _ in changes.listed(reading)]
    return texts


def state(page: str, reading: Reading) -> ViewState:
    """What the explorer on the phones shows: what is on the teacher's screen, also where that is no explorer."""
    now = view_state_of(session.read())
    if page == "lesson":
        return moving.open_scene().on_phones(reading, now)
    if page == "decode":
        chosen = decode_choices.choices()
        layer, head = (chosen.cross_layer, chosen.cross_head) if chosen.cross_layer >= 0 else (now.layer, now.head)
        step = min(chosen.step, max(0, len(reading.trace.target) - 1))
        return dataclasses.replace(now, kind="cross", layer=layer, head=head, heads=(), pins=(f"q{step}",))
    return now


def _title(page: str) -> str:
    name = tr(f"frame.page_{page}")
    if page != "lesson":
        return name
    choices = session.choices_of(LessonChoices, AREA)
    number, (n, total) = choices.scene, moving.place_of(choices.scene, choices.route)
    return tr("room.scene", n=n, total=total, title=tr(f"lesson.{NAMES[number]}_title"))


def _step(reading: Reading) -> str:
    step = min(decode_choices.choices().step, max(0, len(reading.trace.target) - 1))
    before = text_of(reading.bundle, tuple(reading.trace.target.ids[:step]))
    return tr("room.step", n=step + 1, before=before or "…", token=chip_text(reading.trace.target.pieces[step]))
