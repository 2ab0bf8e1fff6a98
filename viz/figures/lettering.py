"""Estimated text widths and line breaks, for pictures whose font cannot be measured in advance."""

import html
import re
import unicodedata
from collections.abc import Iterator

_NARROW, _SLIM, _WIDE = "ijlI.,;:'’!|", 'ftr-()[]/“”" ', "mwMW@%—…√→"
_NOT_FIRST = "，。、；：！？）”》…,.;:!?)"
"""Punctuation that must not begin a line."""
_HAN = "぀-ヿ㐀-鿿＀-￯、。"
_CHINESE = '"Noto Sans CJK SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei", sans-serif'
_PARTS = re.compile(rf"[“《（(«]*(?:[{_HAN}]|[^ \n{_HAN}“”《》]+)[”》）»]*|[ \n]+|.")
"""An unbreakable unit: a word or a Chinese character, with its quotation marks."""

_FULL_BESIDE_CHINESE = frozenset("“”‘’…—")


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


def wrapped(text: str, width: float) -> list[str]:
    """The lines of a text of at most ``width`` ems; Chinese may break after any character."""
    lines = [""]
    for part in _PARTS.findall(text):
        is_full = ems((lines[-1] + part).rstrip()) > width
        if is_full and lines[-1] and part[0] not in _NOT_FIRST:
            lines[-1:] = [lines[-1].rstrip(), part.lstrip()]
        else:
            lines[-1] += part
    return [piece for line in lines for piece in _cut(line, width)]


def family(text: str) -> str:
    """The font-family attribute of a text with Chinese characters, for which the renderer would choose any font."""
    return f" font-family='{_CHINESE}'" if re.search(f"[{_HAN}]", text) else ""


def svg_text(text: str, size: float) -> str:
    """Text for an SVG element; the k of dₖ, which most fonts lack, is drawn as a small k."""
    first, *rest = html.escape(text).split("ₖ")
    below = f'<tspan font-size="{0.7 * size:.1f}" dy="{0.2 * size:.1f}">k</tspan><tspan dy="{-0.2 * size:.1f}">'
    return first + "".join(f"{below}{part}</tspan>" for part in rest)


def _cut(line: str, width: float) -> Iterator[str]:
    """The parts of a line; a word longer than ``width`` is cut."""
    while ems(line) > width + 1 and len(line) > 1:
        n = next((i for i in range(1, len(line)) if ems(line[: i + 1]) > width), len(line))
        yield line[:n]
        line = line[n:]
    yield line
