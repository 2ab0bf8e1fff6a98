"""Text that a file or a visitor named, as Markdown draws it unchanged: the one escape for captions, labels and tables.

Streamlit reads Markdown in nearly every text it shows, labels of buttons included, and an image in it makes the browser
fetch an address that a stranger chose.
"""

from __future__ import annotations

_MARKS = frozenset("\\`*_{}[]()#+-.!|<>~$:^&")


def as_written(text: str) -> str:
    """The text for a Markdown context; breaks become spaces."""
    one_line = " ".join(text.splitlines())
    return "".join(f"\\{character}" if character in _MARKS else character for character in one_line)


def as_code(text: str) -> str:
    """The text as Markdown's inline code: nothing in it is read, and it cannot end the code."""
    return f"`{' '.join(text.splitlines()).replace('`', 'ˋ')}`" if text.strip() else ""
