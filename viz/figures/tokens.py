"""Tokens as they are printed in a figure."""

from __future__ import annotations

import html
from collections.abc import Sequence

from viz.components.attention.axis import WORD_MARKS, readable


def printable(token: str, *, limit: int = 40) -> str:
    """One line, nothing invisible or reordering, at most ``limit`` characters."""
    shown = readable(token) if token else ""
    return shown if len(shown) <= limit else f"{shown[: limit - 1]}…"


def as_candidates(pieces: Sequence[str]) -> list[str]:
    """Pieces in a list of next tokens, where "-er" goes on with a word and "er" begins one.

    Only a vocabulary that marks where words begin tells the two apart.
    """
    if not any(piece[:1] in WORD_MARKS for piece in pieces if piece):
        return [printable(piece) for piece in pieces]
    return ["-" * (piece[:1].isalpha() and piece[0] not in WORD_MARKS) + printable(piece) for piece in pieces]


def plotly_text(token: str, *, limit: int = 40) -> str:
    """The same for Plotly, which reads "</s>" as markup unless it is escaped."""
    return html.escape(printable(token, limit=limit), quote=False)
