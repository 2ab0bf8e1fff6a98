"""Pictures of a lesson for paper and slides: numbers and words in, SVG out, in type legible from the last row."""

import html
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from model.interventions import AttentionKind
from model.picture.preparing import Grey
from model.trace import Floats
from viz.figures.rendering import PRINT_FONT
from viz.figures.tokens import ems, family, printable, svg_text, wrap
from viz.theme import blend, categorical, luminance, palette

FONT = html.escape(PRINT_FONT.replace(", sans-serif", ', "Noto Sans", "Noto Sans CJK SC", sans-serif'))
"""Installed fonts, Chinese ones included."""
_INKS = palette("light")
_TYPE, _SMALL, _CELL, _GAP = 20, 16, 44, 10
_LONGEST = 14
"""Characters of a token beside or below a map."""
_HIGHLIGHT = f' fill="{_INKS.accent}" font-weight="600" text-decoration="underline"'
_WORDS = re.compile(r"[぀-ヿ㐀-鿿＀-￯、。]|[^\s぀-ヿ㐀-鿿＀-￯、。]+\s*|\s+")
MAX_NUMBERED = 9
"""Maximum columns of a map with numbers in its cells."""
Write = Callable[[float], str]
"""A number as the reader's language writes it."""
Part = tuple[str, bool]
"""A part of a text, and whether it is highlighted."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture in points."""

    body: str
    width: float
    height: float
    title: str = ""
    """Alternative text."""

    def svg(self) -> str:
        """The drawing as an SVG file."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width:.1f}" height="{self.height:.1f}" '
            f'viewBox="0 0 {self.width:.1f} {self.height:.1f}" font-family="{FONT}" fill="{_INKS.ink}">'
            f"{self.body}</svg>"
        )


def weight_map(
    weights: Floats, rows: Sequence[str], columns: Sequence[str], *, kind: AttentionKind, write: Write, title: str = "",
    framed: range = range(0), is_blank: bool = False,
) -> Drawing:  # fmt: skip
    """A map (Q, S) on a scale from 0 to 1, with its numbers where they fit.

    Args:
        framed: rows to frame.
        is_blank: leave the cells empty, to be coloured by hand.
    """
    rows, columns = ([printable(token, limit=_LONGEST) for token in side] for side in (rows, columns))
    left = max(map(ems, rows), default=0) * _TYPE + _GAP
    top = 34.0 if title else 4.0
    reach = max(map(ems, columns), default=0) * _TYPE * 0.75 + 22
    parts = [_text(title, 0, 22, weight=600, anchor="start")] if title else []
    for i, row in enumerate(rows):
        parts.append(_text(row, left - _GAP, top + (i + 0.5) * _CELL + 7, anchor="end"))
        for j, value in enumerate(weights[i]):
            fill = _INKS.panel if is_blank else blend(_INKS.panel, _INKS.kinds[kind], min(max(float(value), 0), 1))
            parts.append(_rect(left + j * _CELL, top + i * _CELL, _CELL, _CELL, fill))
            if not is_blank and len(columns) <= MAX_NUMBERED:
                parts.append(
                    _text(write(float(value)), left + (j + 0.5) * _CELL, top + (i + 0.5) * _CELL + 5, size=14,
                          colour="#FFFFFF" if luminance(fill) < 0.3 else _INKS.ink)
                )  # fmt: skip
    if framed:
        parts.append(
            f'<rect x="{left}" y="{top + framed[0] * _CELL}" width="{len(columns) * _CELL}" '
            f'height="{len(framed) * _CELL}" '
            f'fill="none" stroke="{_INKS.ink}" stroke-width="4"/>'
        )
    below = top + len(rows) * _CELL
    for j, column in enumerate(columns):
        x, y = left + (j + 0.5) * _CELL + 6, below + 18
        parts.append(f'<g transform="translate({x:.1f} {y:.1f}) rotate(-45)">{_text(column, 0, 0, anchor="end")}</g>')
    width = max(left + len(columns) * _CELL + 2, ems(title) * _TYPE)
    first = (
        left + 0.5 * _CELL - max((ems(name) * _TYPE * 0.72 - j * _CELL for j, name in enumerate(columns)), default=0)
    )
    return _move(Drawing("".join(parts), width, below + reach, title), max(0.0, -first))


def head_grid(cross: Floats, *, first: int, names: tuple[str, str], kind: AttentionKind = "cross") -> Drawing:
    """The maps of all heads (L, H, Q, S), each scaled by its own largest weight, as on screen."""
    n_layers, n_heads = cross.shape[:2]
    side, gap, left, top = 84.0, 12.0, 46.0, 58.0
    parts = [
        _text(names[1], left + n_heads * (side + gap) / 2, 20),
        f'<g transform="translate(16 {top + n_layers * (side + gap) / 2:.0f}) rotate(-90)">{_text(names[0], 0, 0)}</g>',
    ]
    for layer in range(n_layers):
        parts.append(_text(str(layer + first), left - 10, top + layer * (side + gap) + side / 2 + 7, anchor="end"))
        for head in range(n_heads):
            x, y = left + head * (side + gap), top + layer * (side + gap)
            if layer == 0:
                parts.append(_text(str(head + first), x + side / 2, top - 12))
            parts.append(_rect(x, y, side, side, _INKS.panel) + _cells(cross[layer, head], x, y, side, kind))
    return Drawing("".join(parts), left + n_heads * (side + gap), top + n_layers * (side + gap))


def bars(
    groups: Sequence[tuple[str, Floats]], names: Sequence[str], *, write: Write, title: str = ""
) -> Drawing:  # fmt: skip
    """Bars from 0 to 1 below each other, each with its number; one colour for each group."""
    names = [printable(name, limit=2 * _LONGEST) for name in names]
    left, length = max(map(ems, names), default=0) * _TYPE + _GAP, 420.0
    thick = 26.0 if len(groups) == 1 else 17.0
    colours = categorical("light")
    parts = [_text(title, 0, 22, weight=600, anchor="start")] if title else []
    y = 36.0 if title else 6.0
    if len(groups) > 1:
        x = 0.0
        for place, (name, _) in enumerate(groups):
            parts += [_rect(x, y, 18, 18, colours[place]), _text(name, x + 26, y + 16, size=18, anchor="start")]
            x += 26 + ems(name) * 18 + 24
        y += 36
    for i, name in enumerate(names):
        parts.append(_text(name, left - _GAP, y + thick * len(groups) / 2 + 7, anchor="end"))
        for place, (_, values) in enumerate(groups):
            value = float(values[i])
            parts.append(_rect(left, y + place * thick, max(1.0, value * length), thick - 2, colours[place]))
            parts.append(
                _text(write(value), left + value * length + 8, y + (place + 0.5) * thick + 5, size=_SMALL,
                      anchor="start")
            )  # fmt: skip
        y += thick * len(groups) + 10
    legend = sum(50 + ems(name) * 18 for name, _ in groups) if len(groups) > 1 else 0
    return Drawing("".join(parts), max(left + length + 60, legend, ems(title) * _TYPE), y, title)


def token_strip(pieces: Sequence[str], below: Sequence[str], *, kind: AttentionKind) -> Drawing:
    """Tokens in boxes, each above its number. A leading space is written as _, which the handouts' fonts have; without
    it some tokens would look equal."""
    pieces = ["_" * piece.startswith("▁") + printable(piece.removeprefix("▁"), limit=_LONGEST) for piece in pieces]
    x, y, parts = 0.0, 4.0, []
    for piece, number in zip(pieces, below, strict=True):
        width = max(ems(piece) * 24, ems(number) * _SMALL) + 22
        parts.append(_rect(x, y, width, 44, blend(_INKS.panel, _INKS.kinds[kind], 0.16), line=_INKS.kinds[kind]))
        parts += [_text(piece, x + width / 2, y + 30, size=24), _text(number, x + width / 2, y + 68, size=_SMALL)]
        x += width + 8
    return Drawing("".join(parts), x, y + 78)


def table(
    head: Sequence[str], lines: Sequence[Sequence[str]], *, widest: float = 300
) -> Drawing:  # fmt: skip
    """Rows of words and numbers; empty cells are for handwriting.

    Args:
        widest: maximum width of a column in points; longer text is broken.
    """
    columns = list(zip(*((head, *lines) if head else lines), strict=True))
    widths = [min(widest, max(max(ems(cell) for cell in column) * _TYPE + 24, 74)) for column in columns]
    is_text = any(len(cell) > _LONGEST for line in lines for cell in line[1:])
    parts, y = [], 4.0
    for number, line in enumerate((head, *lines) if head else lines):
        is_head = bool(head) and number == 0
        broken = [wrap(cell, (width - 24) / _TYPE) for cell, width in zip(line, widths, strict=True)]
        height = max(map(len, broken)) * 26 + 14
        x = 0.0
        for place, (cell, width) in enumerate(zip(broken, widths, strict=True)):
            parts.append(_rect(x, y, width, height, _INKS.page if is_head else _INKS.panel))
            for n, words in enumerate(cell):
                at, anchor = (x + 12, "start") if place == 0 or is_text else (x + width / 2, "middle")
                parts.append(_text(words, at, y + 27 + 26 * n, anchor=anchor, weight=600 if is_head else 400))
            x += width
        y += height
    return Drawing("".join(parts), sum(widths) + 2, y + 2)


def strips(grey: Grey, weights: Floats, *, width: int, below: str) -> Drawing:
    """A picture of ink in strips, each coloured by its weight, with a line of text below it.

    Args:
        grey: ink from 0 to 255, (H, n × width).
        weights: (n,) from 0 to 1.
        width: of a strip, in pixels.
    """
    scale, parts = 6.0, []
    high, wide = grey.shape
    for place, weight in enumerate(weights):
        colour = blend(_INKS.panel, _INKS.kinds["cross"], 0.7 * min(max(float(weight), 0), 1))
        parts.append(_rect(place * width * scale, 0, width * scale, high * scale, colour))
    for y, row in enumerate(grey.astype(int)):
        parts += _ink(row, y * scale, scale)
    text = _text(below, 0, high * scale + 40, size=28, anchor="start")
    return Drawing("".join(parts) + text, max(wide * scale, ems(below) * 28), high * scale + 52, below)


def _ink(row: Grey, y: float, side: float) -> Iterator[str]:
    """The pixels of a row with ink, equal neighbours as one rectangle."""
    ends = np.flatnonzero(np.diff(row, append=-1)) + 1
    for start, end in zip((0, *ends[:-1]), ends, strict=True):
        if level := int(row[start]):
            yield (
                f'<rect x="{start * side:.1f}" y="{y:.1f}" width="{(end - start) * side:.1f}" height="{side:.1f}" '
                f'fill="{_INKS.ink}" fill-opacity="{level / 255:.2f}"/>'
            )


def two_lines(above: Sequence[str], below: Sequence[str]) -> Drawing:
    """The words of a sentence above those of its translation, with space to connect them by hand-drawn lines."""
    sides = [[printable(word, limit=_LONGEST) for word in side] for side in (above, below)]
    widths = [sum(ems(word) * 24 + 22 for word in side) for side in sides]
    whole, parts = max(widths), []
    for side, width, y in zip(sides, widths, (36, 230), strict=True):
        x = (whole - width) / 2
        for word in side:
            wide = ems(word) * 24 + 22
            parts.append(_text(word, x + wide / 2, y, size=24))
            x += wide
    return Drawing("".join(parts), whole, 246)


def before_and_after(rows: Sequence[tuple[str, Sequence[Part]]]) -> Drawing:
    """Texts below their names, with the differing words coloured and underlined.

    Args:
        rows: the name of each text, and its parts.
    """
    parts, y, widest = [], 0.0, 300.0
    for name, text in rows:
        y += 24
        parts.append(_text(name, 0, y, size=18, colour=_INKS.ink_soft, anchor="start"))
        for line in _lines(text, 30):
            y += 38
            spans = "".join(
                f"<tspan{_HIGHLIGHT if is_marked else ''}>{html.escape(words)}</tspan>" for words, is_marked in line
            )
            whole = "".join(words for words, _ in line)
            widest = max(widest, ems(whole) * 28)
            spans = spans.replace(" </tspan>", "</tspan> ")
            parts.append(f'<text y="{y:.0f}" font-size="28" xml:space="preserve"{family(whole)}>{spans}</text>')
        y += 16
    return Drawing("".join(parts), widest, y)


def beside(drawings: Sequence[Drawing], *, gap: float = 36) -> Drawing:
    """Pictures side by side."""
    parts, x = [], 0.0
    for drawing in drawings:
        parts.append(f'<g transform="translate({x:.1f} 0)">{drawing.body}</g>')
        x += drawing.width + gap
    return Drawing("".join(parts), x - gap, max(drawing.height for drawing in drawings), _titles(drawings))


def below(drawings: Sequence[Drawing]) -> Drawing:
    """Pictures one below the other."""
    parts, y = [], 0.0
    for drawing in drawings:
        parts.append(f'<g transform="translate(0 {y:.1f})">{drawing.body}</g>')
        y += drawing.height + 22
    return Drawing("".join(parts), max(drawing.width for drawing in drawings), y - 22, _titles(drawings))


def _titles(drawings: Sequence[Drawing]) -> str:
    return "; ".join(dict.fromkeys(filter(None, (drawing.title for drawing in drawings))))


def _move(drawing: Drawing, x: float) -> Drawing:
    if not x:
        return drawing
    body = f'<g transform="translate({x:.1f} 0)">{drawing.body}</g>'
    return Drawing(body, drawing.width + x, drawing.height, drawing.title)


def _lines(text: Sequence[Part], width: float) -> list[list[Part]]:
    """A text in parts, broken into lines of at most ``width`` ems."""
    lines: list[list[Part]] = [[]]
    used = 0.0
    for words, is_marked in text:
        for word in _WORDS.findall(words):
            if used and used + ems(word.rstrip()) > width:
                lines.append([])
                used = 0.0
            lines[-1].append((word, is_marked))
            used += ems(word)
    return lines


def _cells(weights: Floats, x: float, y: float, side: float, kind: AttentionKind) -> str:
    top = float(np.nanmax(weights, initial=0)) or 1.0
    high, wide = side / weights.shape[0], side / weights.shape[1]
    return "".join(
        f'<rect x="{x + j * wide:.2f}" y="{y + i * high:.2f}" width="{wide:.2f}" height="{high:.2f}" '
        f'fill="{blend(_INKS.panel, _INKS.kinds[kind], float(value) / top)}"/>'
        for (i, j), value in np.ndenumerate(weights)
        if value / top > 0.02
    )


def _rect(x: float, y: float, width: float, height: float, fill: str, line: str = "") -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}" '
        f'stroke="{line or "#BDBDB8"}" stroke-width="1"/>'
    )


def _text(
    words: str, x: float, y: float, *, size: float = _TYPE, anchor: str = "middle", weight: int = 400, colour: str = ""
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}" font-weight="{weight}"'
        f"{family(words)}"
        f"{f' fill={chr(34)}{colour}{chr(34)}' if colour else ''}>{svg_text(words.replace('d_k', 'dₖ'), size)}</text>"
    )
