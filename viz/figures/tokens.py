"""Tokens and captions as they are printed in a figure."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING

from model.lazy import Library
from viz.components.attention.axis import WORD_MARKS, readable
from viz.theme import Mode, palette

if TYPE_CHECKING:
    import altair as alt
    import plotly.graph_objects as go
else:
    alt = Library("altair")

PART = " · "
"""Separator of a caption's parts, where a line may break."""
_LINE, _LONGEST = 110, 300


def printable(token: str, *, limit: int = 40) -> str:
    """A token as one line of at most ``limit`` characters, without invisible or bidirectional control characters."""
    text = readable(token) if token else ""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def caption_below(caption: str, mode: Mode) -> alt.TitleParams:
    """A figure's caption, broken into lines not much wider than a figure."""
    lines = [""]
    for part in filter(None, (printable(part, limit=_LONGEST) for part in caption.split(PART))):
        is_room = not lines[-1] or len(lines[-1]) + len(part) < _LINE
        lines[-1:] = [f"{lines[-1]}{PART if lines[-1] else ''}{part}"] if is_room else [lines[-1], part]
    return alt.TitleParams(
        lines if len(lines) > 1 else lines[0], orient="bottom", anchor="start", fontSize=12, fontWeight="normal",
        color=palette(mode).ink_soft, offset=12,
    )  # fmt: skip


def as_candidates(pieces: Sequence[str]) -> list[str]:
    """Pieces in a list of next tokens, where "-er" continues a word and "er" begins one.

    Only a vocabulary that marks the beginnings of words distinguishes the two.
    """
    if not any(piece[:1] in WORD_MARKS for piece in pieces if piece):
        return [printable(piece) for piece in pieces]
    return ["-" * _continues(piece) + printable(piece) for piece in pieces]


def _continues(piece: str) -> bool:
    return piece[:1] not in WORD_MARKS and printable(piece)[:1].isalpha()


def plotly_text(token: str, *, limit: int = 40) -> str:
    """The same for Plotly, which reads "</s>" as markup unless it is escaped."""
    return html.escape(printable(token, limit=limit), quote=False)


def name_columns(figure: go.Figure, tokens: Sequence[str]) -> None:
    """Write the tokens below the columns of every map if they fit."""
    if len(tokens) <= 14:
        names = [plotly_text(token, limit=8) for token in tokens]
        figure.update_xaxes(tickvals=list(range(len(tokens))), ticktext=names, tickangle=-60)
    else:
        figure.update_xaxes(showticklabels=False)
