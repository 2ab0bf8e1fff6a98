"""Sends what the teacher looks at to the phones: one packet per state and one picture per experiment, each made once,
named by its content and sent once to all."""

from __future__ import annotations

import hashlib
import json
import logging
from typing import TYPE_CHECKING

from model.lazy import Library
from viz import cache
from viz.components.attention import AttentionView, pack
from viz.lesson.choices import AREA
from viz.lesson.choices import Choices as LessonChoices
from viz.panels import teacher_room
from viz.panels.reading import Reading, find_reading
from viz.room import context
from viz.rooms.room import PICTURE, Room
from viz.rooms.store import StoreError
from viz.state import session

if TYPE_CHECKING:
    from viz.lesson import experiment as lesson
else:
    lesson = Library("viz.lesson.experiment")

log = logging.getLogger(__name__)
FRONT_PAGE, ROOM_PAGE = "explore", "room"
_PAGE = "room.page"


def publish(page: str | None = None) -> None:
    """Send what is on this teacher's screen to the room, if there is one.

    Args:
        page: which page it is, as in its address; a part of a page that is drawn again by itself does not know.
    """
    if page is not None:
        session.remember(_PAGE, page or FRONT_PAGE)
    if not teacher_room.wished_code():
        return
    try:
        room = teacher_room.current_room()
        reading = find_reading() if room else None
        if room and reading and reading.is_finite and not reading.is_long:  # phones cannot ask for a part
            _tell(room, reading)
    except StoreError as error:
        log.warning("rooms: %s", error)  # the teacher's own page continues; the Room page shows the error


def _tell(room: Room, reading: Reading) -> None:
    name, page, before = state_name(reading), session.recall(_PAGE, lambda: FRONT_PAGE), room.shown()
    view, packet, picture = cache.get_or_compute(("room", *reading.key), lambda: _view(reading)), None, None
    if before.get("packet") != name:
        packet = pack(view, strings={}, exact=False, first_index=reading.selection.first_index)
    shown = {
        "packet": name, "state": view.nearest(context.state(page, reading)).to_mapping(), "page": page,
        "sentence": reading.trace.source_text, "text": reading.trace.text,
        "language": reading.bundle.source_language or "", "of_picture": reading.bundle.picture is not None,
    }  # fmt: skip
    if page == "lesson" and (experiment := lesson.experiment(reading)):
        picture = json.dumps(experiment, ensure_ascii=False, separators=(",", ":")).encode()
        shown["late"] = session.choices_of(LessonChoices, AREA).is_late
        shown["experiment"] = f"{PICTURE}-{hashlib.sha256(picture).hexdigest()[:16]}"
    if page == ROOM_PAGE and before.get("packet") == name:
        shown["state"] = before["state"]  # choosing the head of a question would show its answer
    is_new = shown.get("experiment") != before.get("experiment")
    room.show(shown | context.place(page, reading), packet=packet, picture=picture if is_new else None)


def _view(reading: Reading) -> AttentionView:
    return AttentionView.of(reading.trace)


def state_name(reading: Reading) -> str:
    """A name of what is translated and how: the same for all who look at the same."""
    return hashlib.sha256(repr((reading.key, reading.selection.first_index)).encode("utf-8", "replace")).hexdigest()[
        :16
    ]
