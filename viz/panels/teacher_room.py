"""The teacher's room: its code is in the URL of the tab that leads it, and only the teacher's browser may lead it.

The secret is an HttpOnly cookie of that browser; the room stores its digest. So the URL, which a projector shows and
servers log, gives no access.
"""

from dataclasses import dataclass

from viz.environment import DEFAULT_ROOM_SIZE, ROOM_SIZE_VARIABLE, ROOMS_EACH_VARIABLE, ROOMS_VARIABLE, positive_number
from viz.rooms.hub import hub
from viz.rooms.opener import rate_limit_key
from viz.rooms.room import Room
from viz.rooms.store import Limits, StoreError
from viz.state import session
from viz.state.selection import words

AREA = "room"
DEFAULT_ROOMS, DEFAULT_ROOMS_PER_ADDRESS = 200, 20


@dataclass(frozen=True, slots=True)
class Choices:
    """What the teacher's address holds."""

    code: str = words(longest=8)
    key: str = words(longest=64)
    """In URLs of earlier versions, which held the secret; removed when it is read."""


def current_room() -> Room | None:
    """The room that this tab leads; None when there is none, or it is another browser's."""
    address, store = session.choices_of(Choices, AREA), hub().store
    if not address.code:
        return None
    room = Room.find(store, address.code)
    if address.key:
        if room and room.knows(address.key):
            room.admit(session.visitor())
        session.write_part(Choices(address.code), AREA)
    if room and not room.knows(session.visitor()):
        session.write_part(Choices(), AREA)  # a copied URL: do not reveal that it came from a teacher
        return None
    return room


def is_gone() -> bool:
    """Whether the room of this session's link has ended; a room that cannot be reached now may still be there."""
    try:
        return current_room() is None and bool(wished_code())
    except StoreError:
        return False


def wished_code() -> str:
    """The code in the link, whether or not there is such a room."""
    return session.choices_of(Choices, AREA).code


def visible_steps(text: str) -> int | None:
    """How much of a sentence's translation this page may show while the class guesses the next word."""
    if session.page_name() != AREA:
        return None
    try:
        room = current_room()
        question = room.question() if room else None
    except StoreError:
        return None
    return question.step if question and question.is_guessed and question.sentence == text else None


def limits() -> Limits:
    """How many rooms this installation keeps open at once."""
    n_rooms = positive_number(ROOMS_VARIABLE, DEFAULT_ROOMS)
    n_each = positive_number(ROOMS_EACH_VARIABLE, DEFAULT_ROOMS_PER_ADDRESS)
    return Limits(max_rooms=n_rooms, max_rooms_per_opener=min(n_rooms, n_each))


def open_room() -> None:
    """Make a room and lead it; raises StoreFullError when the limits, of everyone or of one address, are reached."""
    most_devices = positive_number(ROOM_SIZE_VARIABLE, DEFAULT_ROOM_SIZE)
    opener = rate_limit_key(session.network_address())
    opened, _ = Room.open(
        hub().store, most_devices=most_devices, secret=session.visitor(), opener=opener, limits=limits()
    )
    session.write_part(Choices(opened.code), AREA)


def take_over(transfer: str) -> bool:
    """Lead a room that was opened in another browser; whether the transfer code is valid. Raises StoreError."""
    room = Room.taken_over(hub().store, transfer, session.visitor())
    if room is not None:
        session.write_part(Choices(room.code), AREA)
    return room is not None


def close_room() -> None:
    """End the room for everyone."""
    room = current_room()
    if room is not None:
        room.close()
    session.write_part(Choices(), AREA)
