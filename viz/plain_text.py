"""Text as a reader sees it: tokens, and what must not be read as Markdown.

It escapes text from files and visitors so that Markdown shows it literally, in captions, labels and tables.

Streamlit reads Markdown in nearly every text it shows, labels of buttons included, and an image in it makes the browser
fetch an address that a stranger chose. ``public_message`` removes a public server's folders from error messages.
"""

import os
import re
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from model.deployment import is_public
from model.runs.limits import runs_root
from model.text.tokenizer import without_marks
from viz.environment import CHECKPOINT_VARIABLE, SURVEY_VARIABLE
from viz.i18n import tr

_NAMED = {"<s>": "attention.token_start", "</s>": "attention.token_end"}
"""Tokens that are called by what they stand for."""
_MARKS = frozenset("\\`*_{}[]()#+-.!|<>~$:^&")
_JOINER = "\u2060"
"""An invisible character. Without it Markdown shows a sign between a letter and punctuation as it is: 医生**。**"""


_ADDRESSES = re.compile(r"(?=://|@)|(?<=www)(?=\.)", re.IGNORECASE)
"""Where Markdown would see an address in plain text, escaped or not, and make a link of it."""


def chip_text(piece: str) -> str:
    """A piece as it is drawn: without the vocabulary's marks, be they SentencePiece's or GPT-2's, and the tokens that
    stand for the start and the end as words."""
    return tr(_NAMED[piece]) if piece in _NAMED else without_marks(piece) or "␣"


def marks() -> dict[str, str]:
    """The words for the start and the end, for components in which pieces become texts in the browser."""
    return {key.rpartition(".")[2]: tr(key) for key in _NAMED.values()}


def escape_markdown(text: str) -> str:
    """The text for a Markdown context; breaks become spaces, and an address does not become a link."""
    line = _ADDRESSES.sub(_JOINER, " ".join(text.splitlines()))
    return "".join(f"\\{character}" if character in _MARKS else character for character in line)


def emphasise(sign: str, text: str) -> str:
    """The text between two of Markdown's signs, ** for bold or ~~ for struck out, whatever stands beside them."""
    first, last = ("" if text[i].isalnum() else _JOINER for i in (0, -1))
    return f"{sign}{first}{escape_markdown(text)}{last}{sign}"


def as_code(text: str) -> str:
    """The text as Markdown's inline code: nothing in it is read as Markdown, and it cannot end the code."""
    return f"`{' '.join(text.splitlines()).replace('`', 'ˋ')}`" if text.strip() else ""


def markdown_table(titles: Sequence[str], rows: Iterable[Sequence[str]], *, n_texts: int | None = None) -> str:
    """A table in Markdown; the columns after the first ``n_texts`` are numbers and stand to the right."""
    n_texts = len(titles) if n_texts is None else n_texts
    marks = ["---"] * n_texts + ["---:"] * (len(titles) - n_texts)
    return "\n".join(f"| {' | '.join(row)} |" for row in (titles, marks, *rows))


def public_message(error: Exception | str) -> str:
    """An error's message for the screen. On a public server it names files without their folders."""
    text = str(error)
    if not is_public():
        return text
    for folder in _local_folders():
        text = text.replace(f"{folder}{os.sep}", "").replace(folder, Path(folder).name)
    return _FOLDERS.sub("", text)


_FOLDERS = re.compile(r"""(?<![\w.:/\\~-])(?:~?/|[A-Za-z]:\\)(?:[^\s/\\'"“”«»()\[\],;:]+[/\\])+""")
"""The folders of a path from the root, from home or from a drive; names with spaces are left to ``_local_folders``."""


def _local_folders() -> list[str]:
    """Folders that messages may contain, the longest first."""
    named = [os.environ.get(variable, "") for variable in (CHECKPOINT_VARIABLE, SURVEY_VARIABLE)]
    folders = {Path(__file__).parents[1], runs_root(), Path(tempfile.gettempdir()), Path.home()}
    folders |= {Path(path).parent for path in named if path and Path(path).is_absolute()}
    return sorted((str(path) for path in folders if len(path.parts) > 1), key=len, reverse=True)
