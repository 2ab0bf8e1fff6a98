"""Publishes the teacher's view to the phones: one packet per state and one picture per experiment, each made once and
named by its content."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import logging
from typing import TYPE_CHECKING, Any

from model.lazy import Library
from model.text.tokens import text_of
from viz import cache
from viz.components.attention import AttentionView, pack
from viz.decode import choices as decode_choices
from viz.i18n import in_each_language, tr
from viz.lesson.choices import AREA, NAMES
from viz.lesson.choices import Choices as LessonChoices
from viz.panels import changes, teacher_room
from viz.panels.reading import Reading, find_reading
from viz.plain_text import chip_text
from viz.rooms.room import PICTURE, Room
from viz.rooms.store import StoreError
from viz.state import session
from viz.state.view_state import ViewState, view_state_of

if TYPE_CHECKING:
    from viz.lesson import moving
else:
    moving = Library("viz.lesson.moving")

log = logging.getLogger(__name__)
FRONT_PAGE, ROOM_PAGE = "explore", "room"
_PAGE = "room.page"


def publish(page: str | None = None) -> None:
    """Publish this teacher's view to the room, if any; in a fragment, which does not know it, ``page`` is None."""
    if page is not None:
        session.remember(_PAGE, page or FRONT_PAGE)
    if not teacher_room.wished_code():
        return
    try:
        room = teacher_room.current_room()
        reading = find_reading() if room else None
        if room and reading and reading.is_finite and not reading.is_long:  # phones cannot ask for a part
            _send(room, reading)
    except StoreError as error:
        log.warning("rooms: %s", error)  # the teacher's own page continues; the Room page shows the error


def _send(room: Room, reading: Reading) -> None:
    name, page, before = state_name(reading), session.recall(_PAGE, lambda: FRONT_PAGE), room.current_view()
    view = cache.get_or_compute(("room", *reading.key), lambda: AttentionView.of(reading.trace))
    packet = picture = None
    if before.get("packet") != name:
        packet = pack(view, strings={}, exact=False, first_index=reading.selection.first_index)
    fields = {
        "packet": name, "state": view.nearest(_state(page, reading)).to_mapping(), "page": page,
        "sentence": reading.trace.source_text, "text": reading.trace.text,
        "language": reading.bundle.source_language or "", "of_picture": reading.bundle.picture is not None,
    }  # fmt: skip
    if page == "lesson" and (experiment := moving.experiment(reading)):
        picture = json.dumps(experiment, ensure_ascii=False, separators=(",", ":")).encode()
        fields["late"] = session.choices_of(LessonChoices, AREA).is_late
        fields["experiment"] = f"{PICTURE}-{hashlib.sha256(picture).hexdigest()[:16]}"
    if page == ROOM_PAGE and before.get("packet") == name:
        fields["state"] = before["state"]  # choosing the head of a question would show its answer
    is_new = fields.get("experiment") != before.get("experiment")
    room.show(fields | _place(page, reading), packet=packet, picture=picture if is_new else None)


def state_name(reading: Reading) -> str:
    """A digest of sentence, model and decoding, equal for everyone who sees the same."""
    name = repr((reading.key, reading.selection.first_index)).encode("utf-8", "replace")
    return hashlib.sha256(name).hexdigest()[:16]


def _place(page: str, reading: Reading) -> dict[str, Any]:
    """By language: the page or scene, the decoding step, and the interventions."""
    return {
        "title": in_each_language(lambda: _title(page)),
        "note": in_each_language(lambda: _step(reading) if page == "decode" else ""),
        "changes": in_each_language(lambda: [words for words, _, _ in changes.describe_changes(reading)]),
    }


def _state(page: str, reading: Reading) -> ViewState:
    """The state of the explorer on the phones, matching the teacher's screen, also on pages without an explorer."""
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
