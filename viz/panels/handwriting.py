"""Words written by hand, as the model that reads pictures reads them, for the classroom and the lesson."""

import hashlib
from dataclasses import dataclass

from model.bundle import Bundle
from model.errors import RegardError
from model.teaching.measured.handwriting import ReadWord, read_word
from viz import cache
from viz.components.written import Shown
from viz.panels.reading import find_bundle
from viz.plain_text import chip_text
from viz.rooms.questions import Question
from viz.rooms.room import Room
from viz.shipped_models import shipped_models
from viz.state import session


@dataclass(frozen=True, slots=True)
class Word:
    """A word that a phone has written."""

    key: str
    """Names it in the browser, without naming the phone."""
    device: str
    text: str


def words_of(room: Room, question: Question) -> list[Word]:
    """The class's words, in the order in which the phones joined."""
    votes = room.votes(question.id)
    devices = [phone.device for phone in room.phones() if phone.device in votes]
    return [Word(hashlib.sha256(device.encode()).hexdigest()[:12], device, votes[device]) for device in devices]


def has_reader() -> bool:
    """Whether there is a model that reads pictures: the one in use, or one that comes with the program."""
    return bool(_chosen() or _shipped())


def reader() -> Bundle:
    """The model in use if it reads pictures, else the one that comes with the program.

    Raises:
        CheckpointError: when it cannot be opened.
    """
    return _chosen() or cache.shipped(_shipped())


def read(text: str) -> ReadWord | None:
    """A picture's word as the model reads it, cached; None where it cannot be read."""
    try:
        return cache.compute(read_word, reader(), text=text)
    except RegardError:
        return None


def is_known(text: str) -> bool:
    """Whether ``read`` has computed it before."""
    return cache.is_computed(read_word, reader(), text=text)


def strip_width(bundle: Bundle) -> int:
    """Width of a strip in pixels; 0 for a model that reads no pictures."""
    return 0 if bundle.picture is None else bundle.picture.strip


def shown(text: str, word: ReadWord | None, *, title: str = "", key: str = "") -> Shown:
    """A word for the component; without letters until the model has read it."""
    letters = () if word is None else tuple(map(chip_text, word.letters))
    looks = () if word is None else tuple(tuple(round(100 * float(w)) for w in row) for row in word.looks_at_ink)
    return Shown(text=text, letters=letters, looks=looks, strip=strip_width(reader()), title=title, key=key)


def _chosen() -> Bundle | None:
    bundle = find_bundle() if session.is_drawing() else None
    return bundle if bundle is not None and bundle.picture is not None else None


def _shipped() -> str:
    return next((shipped.name for shipped in shipped_models().values() if shipped.reads_pictures), "")
