"""Pictures and sounds that a reader has dropped: a choice holds their short names, so that a link stays short."""

import hashlib

from model import Bundle, TextError
from model.picture import is_picture
from model.sound import is_sound
from viz.i18n import tr
from viz.state import session

_KEPT = "dropped_files"
_MOST = 3
"""Files of a visit that are kept; the oldest goes first."""
LONGEST = 34 << 20
"""Characters of a file's text form at most: 24 MB."""


def kind_of(text: str) -> str:
    """What a text is: a "picture" or a "sound" that was dropped, "ink" that was written, or "words"."""
    for kind in ("picture", "sound"):
        if text.startswith(f"{kind}."):
            return kind
    return "ink" if is_picture(text) else "words"


def kind_read(bundle: Bundle) -> str:
    """What a model reads, in the same words."""
    return bundle.grid.reads if bundle.grid is not None else "words" if bundle.picture is None else "ink"


def keep(text: str) -> str:
    """Keep the text form of a file for this visit, and return its name.

    Raises:
        TextError: when it is neither a picture nor a sound, or too large.
    """
    if len(text) > LONGEST or not (is_picture(text) or is_sound(text)):
        raise TextError(tr("grid.no_file"))
    kind = "sound" if is_sound(text) else "picture"
    name = f"{kind}.{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    kept: dict[str, str] = session.recall(_KEPT, dict)
    rest = {other: held for other, held in kept.items() if other != name}
    session.remember(_KEPT, dict(list(rest.items())[1 - _MOST :]) | {name: text})
    return name


def text_of(name: str) -> str:
    """The text form of a file that this visit keeps; a text form as it is.

    Raises:
        TextError: when it does not.
    """
    if is_picture(name) or is_sound(name):
        return name
    held = session.recall(_KEPT, dict).get(name)
    if held is None:
        raise TextError(tr("grid.lost"))
    return held
