"""The teacher's room; its code and key are in the teacher's own link."""

from __future__ import annotations

import os
from dataclasses import dataclass

from viz import session
from viz.environment import PROXIES_VARIABLE, ROOM_SIZE_VARIABLE, ROOMS_EACH_VARIABLE, ROOMS_VARIABLE
from viz.rooms.hub import hub
from viz.rooms.opener import opener_of
from viz.rooms.room import Room
from viz.rooms.store import Limits, StoreError
from viz.selection import words

AREA = "room"
DEFAULT_SIZE, DEFAULT_ROOMS, DEFAULT_EACH = 500, 200, 20


@dataclass(frozen=True, slots=True)
class Choices:
    """What the teacher's link holds."""

    code: str = words(longest=8)
    key: str = words(longest=64)


def room() -> Room | None:
    """The room of this session's link; None when there is none, or the key is not its own."""
    held = session.part(Choices, AREA)
    return Room.of_teacher(hub().store, held.code, held.key) if held.code else None


def is_gone() -> bool:
    """Whether the room of this session's link has ended; a room that cannot be reached now may still be there."""
    try:
        return bool(wished_code()) and room() is None
    except StoreError:
        return False


def wished_code() -> str:
    """The code in the link, whether or not there is such a room."""
    return session.part(Choices, AREA).code


def shown_steps(text: str) -> int | None:
    """How much of a sentence's translation this page may show while the class guesses the next word."""
    if session.page_name() != AREA:
        return None
    try:
        found = room()
        question = found.question() if found else None
    except StoreError:
        return None
    return question.step if question and question.is_guessed and question.sentence == text else None


def limits() -> Limits:
    """How many rooms this installation keeps open at once."""
    most, each = _number(ROOMS_VARIABLE, DEFAULT_ROOMS), _number(ROOMS_EACH_VARIABLE, DEFAULT_EACH)
    return Limits(most=most, most_each=min(most, each))


def open_room() -> None:
    """Make a room and hold it.

    Raises:
        StoreFullError: when as many are open as this installation keeps, of everyone or from one address.
    """
    most_devices = _number(ROOM_SIZE_VARIABLE, DEFAULT_SIZE)
    given = os.environ.get(PROXIES_VARIABLE, "")
    opener = opener_of(*session.network_address(), n_proxies=int(given) if given.isdigit() else None)
    opened, key = Room.open(hub().store, most_devices=most_devices, opener=opener, limits=limits())
    session.write_part(Choices(opened.code, key), AREA)


def close_room() -> None:
    """End the room for everyone."""
    found = room()
    if found is not None:
        found.close()
    session.write_part(Choices(), AREA)


def _number(variable: str, default: int) -> int:
    given = os.environ.get(variable, "")
    return int(given) if given.isdigit() and int(given) > 0 else default
