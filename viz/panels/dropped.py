"""Pictures and sounds that a reader has dropped: a choice holds their short names, so that a link stays short."""

import hashlib

from model import Bundle, TextError
from model.picture import is_picture
from model.sound import is_sound
from viz.i18n import tr
from viz.state import session

_FILES = "dropped_files"
_MAX_FILES = 3
"""Files of a visit that are kept; the oldest goes first."""
MAX_CHARACTERS = 34 << 20
"""Of a file's text form: 24 MB."""


def kind_of(text: str) -> str:
    """The kind of a source: a dropped "picture" or "sound", "ink" (handwriting), or "words"."""
    for kind in ("picture", "sound"):
        if text.startswith(f"{kind}."):
            return kind
    return "ink" if is_picture(text) else "words"


def kind_read(bundle: Bundle) -> str:
    """The kind of source that a model reads, named as in ``kind_of``."""
    return bundle.grid.reads if bundle.grid is not None else "words" if bundle.picture is None else "ink"


def keep(text: str) -> str:
    """Store the text form of a file for this visit under the returned name; raises TextError for any other text."""
    if len(text) > MAX_CHARACTERS or not (is_picture(text) or is_sound(text)):
        raise TextError(tr("grid.no_file"))
    kind = "sound" if is_sound(text) else "picture"
    name = f"{kind}.{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    files: dict[str, str] = session.recall(_FILES, dict)
    older = [(file, content) for file, content in files.items() if file != name]
    session.remember(_FILES, dict(older[1 - _MAX_FILES :]) | {name: text})
    return name


def text_of(name: str) -> str:
    """The text form of a stored file, or a text form itself; raises TextError when this session no longer stores it."""
    if is_picture(name) or is_sound(name):
        return name
    content = session.recall(_FILES, dict).get(name)
    if content is None:
        raise TextError(tr("grid.lost"))
    return content
