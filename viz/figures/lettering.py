"""About how wide text is, and where its lines end, for pictures whose font cannot be measured before they are drawn."""

import html
import re
import unicodedata
from collections.abc import Iterator

_NARROW, _SLIM, _WIDE = "ijlI.,;:'’!|", 'ftr-()[]/“”" ', "mwMW@%—…√→"
_NOT_FIRST = "，。、；：！？）”》…,.;:!?)"
"""Punctuation that never begins a line."""
_HAN = "぀-ヿ㐀-鿿＀-￯、。"
_CHINESE = '"Noto Sans CJK SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei", sans-serif'
_PARTS = re.compile(rf"[“《（(«]*(?:[{_HAN}]|[^ \n{_HAN}“”《》]+)[”》）»]*|[ \n]+|.")
"""What a line is not broken in: a word or a Chinese character, with its quotation marks."""

_FULL_BESIDE_CHINESE = frozenset("“”‘’…—")


def ems(text: str) -> float:
    """The width of a text, in sizes of its type; rather too wide than too narrow."""
    is_chinese = any(map(_is_full, text))  # its font draws these marks as wide as a character
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


def wrapped(text: str, width: float) -> list[str]:
    """The lines of a text that is at most so many sizes of its type wide; Chinese may break after any character."""
    lines = [""]
    for part in _PARTS.findall(text):
        is_full = ems((lines[-1] + part).rstrip()) > width
        if is_full and lines[-1] and part[0] not in _NOT_FIRST:
            lines[-1:] = [lines[-1].rstrip(), part.lstrip()]
        else:
            lines[-1] += part
    return [piece for line in lines for piece in _cut(line, width)]


def family(text: str) -> str:
    """The attribute that names a Chinese font where a text needs one: as a fallback the renderer would take any."""
    return f" font-family='{_CHINESE}'" if re.search(f"[{_HAN}]", text) else ""


def svg_text(text: str, size: float) -> str:
    """Text for an SVG element; the k of dₖ, which most fonts lack, is drawn as a small k."""
    first, *rest = html.escape(text).split("ₖ")
    below = f'<tspan font-size="{0.7 * size:.1f}" dy="{0.2 * size:.1f}">k</tspan><tspan dy="{-0.2 * size:.1f}">'
    return first + "".join(f"{below}{each}</tspan>" for each in rest)


def _cut(line: str, width: float) -> Iterator[str]:
    """A word that is longer than a line is cut."""
    while ems(line) > width + 1 and len(line) > 1:
        n = next((i for i in range(1, len(line)) if ems(line[: i + 1]) > width), len(line))
        yield line[:n]
        line = line[n:]
    yield line
