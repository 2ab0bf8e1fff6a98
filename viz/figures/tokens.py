"""Tokens and captions as they are printed in a figure, and estimated text widths for pictures without a renderer."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
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
_NARROW, _SLIM, _WIDE = "ijlI.,;:'’!|", 'ftr-()[]/“”" ', "mwMW@%—…√→"
_NOT_FIRST = "，。、；：！？）”》…,.;:!?)"
"""Punctuation that must not begin a line."""
_HAN = "぀-ヿ㐀-鿿＀-￯、。"
_CHINESE = '"Noto Sans CJK SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei", sans-serif'
_PARTS = re.compile(rf"[“《（(«]*(?:[{_HAN}]|[^ \n{_HAN}“”《》]+)[”》）»]*|[ \n]+|.")
"""An unbreakable unit: a word or a Chinese character, with its quotation marks."""
_FULL_BESIDE_CHINESE = frozenset("“”‘’…—")


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


def ems(text: str) -> float:
    """Estimated width of a text in ems; an upper estimate."""
    is_chinese = any(map(_is_full, text))  # Chinese fonts draw these marks as wide as a character
    return sum(1.0 if is_chinese and character in _FULL_BESIDE_CHINESE else _em(character) for character in text)


def _is_full(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def _em(character: str) -> float:
    if _is_full(character):
        return 1.0
    if character in _NARROW:
        return 0.31
    if character in _SLIM:
        return 0.4
    return 0.93 if character in _WIDE else 0.68 if character.isupper() else 0.6


def wrap(text: str, width: float) -> list[str]:
    """The lines of a text of at most ``width`` ems; Chinese may break after any character."""
    lines = [""]
    for part in _PARTS.findall(text):
        is_full = ems((lines[-1] + part).rstrip()) > width
        if is_full and lines[-1] and part[0] not in _NOT_FIRST:
            lines[-1:] = [lines[-1].rstrip(), part.lstrip()]
        else:
            lines[-1] += part
    return [piece for line in lines for piece in _split_line(line, width)]


def family(text: str) -> str:
    """The font-family attribute of a text with Chinese characters, for which the renderer would choose any font."""
    return f" font-family='{_CHINESE}'" if re.search(f"[{_HAN}]", text) else ""


def svg_text(text: str, size: float) -> str:
    """Text for an SVG element; the k of dₖ, which most fonts lack, is drawn as a small k."""
    first, *rest = html.escape(text).split("ₖ")
    below = f'<tspan font-size="{0.7 * size:.1f}" dy="{0.2 * size:.1f}">k</tspan><tspan dy="{-0.2 * size:.1f}">'
    return first + "".join(f"{below}{part}</tspan>" for part in rest)


def _split_line(line: str, width: float) -> Iterator[str]:
    """The parts of a line; a word longer than ``width`` is cut."""
    while ems(line) > width + 1 and len(line) > 1:
        n = next((i for i in range(1, len(line)) if ems(line[: i + 1]) > width), len(line))
        yield line[:n]
        line = line[n:]
    yield line
