"""Link previews of the site: title, description, icon, and a picture of a translated sentence."""

import html
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

import numpy as np
import vl_convert

from model.files.atomic import write_atomically
from model.text.tokenizer import WORD_MARK
from model.trace import Floats
from viz.figures.rendering import PRINT_FONT
from viz.theme import LIGHT

WIDTH, HEIGHT = 1200, 630
"""Pixels of a picture, as Open Graph recommends."""
TITLE = "Regard: see how a Transformer translates"
DESCRIPTION = (
    "A small Transformer translates in your browser, and you see where it looks for each word. "
    "Switch a part of it off, and read what becomes of the sentence."
)
_FONT = html.escape(PRINT_FONT.replace(", sans-serif", ', "Noto Sans CJK SC", sans-serif'))
_MARGIN = 70
_TOP, _BOTTOM = 232, 424
_LEAST_WEIGHT = 0.04

ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
    f'<rect width="64" height="64" rx="14" fill="{LIGHT.accent}"/>'
    '<g fill="none" stroke="#fff" stroke-linecap="round">'
    '<path d="M14 17C14 34 25 30 25 47" stroke-width="7"/><path d="M32 17C32 33 25 31 25 47" stroke-width="2.5"/>'
    '<path d="M50 17C50 34 43 30 43 47" stroke-width="7"/></g>'
    '<g fill="#fff"><circle cx="14" cy="15" r="5"/><circle cx="32" cy="15" r="5"/><circle cx="50" cy="15" r="5"/>'
    '<circle cx="25" cy="49" r="5"/><circle cx="43" cy="49" r="5"/></g></svg>'
)
"""Three words above, two below, and connections of different widths."""


def write_icons(out: Path) -> None:
    """Write the icons of the browser tab and the home screen."""
    write_atomically(out / "icon.svg", ICON.encode("utf-8"))
    write_atomically(out / "icon.png", vl_convert.svg_to_png(ICON, scale=8))


def social_picture(
    above: Sequence[str], below: Sequence[str], weights: Floats, *, kind: Literal["cross", "decoder_self"] = "cross"
) -> bytes:
    """A PNG of a sentence, the model's output, and ribbons between them as wide as the weights.

    Args:
        above: S pieces (keys).
        below: T pieces (queries).
        weights: (T, S) of one head.
        kind: the head's kind of attention.
    """
    sides = [_place_pieces(above), _place_pieces(below)]
    ribbons = [
        _ribbon(sides[0][key][1], sides[1][query][1], float(weights[query, key]))
        for query, key in np.argwhere(weights[: len(sides[1]), : len(sides[0])] >= _LEAST_WEIGHT)
    ]
    words = [
        f'<text x="{x:.0f}" y="{y}" font-size="{size:.0f}" text-anchor="middle">{html.escape(text)}</text>'
        for side, y in ((sides[0], _TOP), (sides[1], _BOTTOM + 64))
        for text, x, size in side
    ]
    return vl_convert.svg_to_png(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="{_FONT}" fill="{LIGHT.ink}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{LIGHT.page}"/>'
        f'<svg x="{_MARGIN}" y="62" width="56" height="56">{ICON}</svg>'
        f'<text x="{_MARGIN + 74}" y="103" font-size="40" font-weight="700">Regard</text>'
        f'<g fill="none" stroke="{LIGHT.kinds[kind]}" stroke-linecap="round">{"".join(ribbons)}</g>'
        f"{''.join(words)}"
        f'<text x="{_MARGIN}" y="575" font-size="26" fill="{LIGHT.ink_soft}">{html.escape(_LINES[kind])}</text></svg>',
        scale=1,
    )


_LINES = {
    "cross": "See where a Transformer looks while it translates",
    "decoder_self": "See where a Transformer looks while it writes",
}


def head_tags(*, title: str, picture: str, address: str, description: str = DESCRIPTION, path: str = "") -> str:
    """The meta tags of link previews.

    Args:
        picture: its path in the site's folder.
        address: the folder's URL, as "https://…/"; empty where unknown, and paths then stay relative.
        path: the page's path in the folder.
    """
    tags = {
        "description": description, "og:title": title, "og:description": description, "og:type": "website",
        "og:image": f"{address}{picture}", "og:image:width": str(WIDTH), "og:image:height": str(HEIGHT),
        "og:image:alt": title,
        "twitter:card": "summary_large_image",
    }  # fmt: skip
    if address:
        tags["og:url"] = f"{address}{path}"
    return "\n".join(
        f'<meta {"property" if name.startswith("og:") else "name"}="{name}" content="{html.escape(text)}">'
        for name, text in tags.items()
    )


def share_page(text: str, translation: str, *, model: str, picture: str, address: str) -> str:
    """A page in the folder ``s/`` with an example's preview picture, which redirects to the example."""
    title = f"{text} → {translation}"
    target = html.escape(f"../?{urlencode({'text': text, **({'model': model} if model else {})})}")
    tags = head_tags(title=title, picture=picture if address else f"../{picture}", address=address)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{html.escape(title)}</title>\n{tags}\n"
        f'<meta http-equiv="refresh" content="0; url={target}">\n</head>\n'
        f'<body><p><a href="{target}">{html.escape(title)}</a></p></body>\n</html>\n'
    )


def slug(text: str) -> str:
    """A file name for a sentence."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower())[:40].strip("-") or "sentence"


def _place_pieces(pieces: Sequence[str]) -> list[tuple[str, float, float]]:
    """Text, centre and size of each piece, in one line across the picture."""
    texts = [piece.replace(WORD_MARK, "") for piece in pieces]
    gaps = [0.45 if piece.startswith(WORD_MARK) and place else 0.0 for place, piece in enumerate(pieces)]
    total = sum(map(_ems, texts)) + sum(gaps)
    size = min(64.0, (WIDTH - 2 * _MARGIN) / max(total, 1))
    x = (WIDTH - total * size) / 2
    placed = []
    for text, gap in zip(texts, gaps, strict=True):
        x += gap * size
        width = _ems(text) * size
        placed.append((text, x + width / 2, size))
        x += width
    return placed


def _ems(text: str) -> float:
    """Estimated width of a text, in ems."""
    widths = (1.0 if unicodedata.east_asian_width(c) in "WF" else 0.3 if c in "ijltfr.,;:'!| " else 0.57 for c in text)
    return sum(widths)


def _ribbon(above: float, below: float, weight: float) -> str:
    top, bottom = _TOP + 22, _BOTTOM
    middle = (top + bottom) / 2
    path = f"M{above:.0f} {top}C{above:.0f} {middle:.0f} {below:.0f} {middle:.0f} {below:.0f} {bottom}"
    return f'<path d="{path}" stroke-width="{2 + 16 * weight:.1f}" stroke-opacity="{0.15 + 0.5 * weight:.2f}"/>'
