"""Words written with a finger, a pen or the mouse on a pad, in the letters of ``tests/js/letters.json``."""

import json
from pathlib import Path

from playwright.sync_api import Locator

LETTERS = json.loads((Path(__file__).parents[1] / "js/letters.json").read_text("utf-8"))
_GAP, _TOP_MARGIN = 0.25, 1.5  # in x-heights: between letters, and from the pad's upper edge to the small letters


def write_word(pad: Locator, word: str) -> None:
    """Draw a word's strokes with pointer events, as large as the pad allows."""
    box, mouse = pad.bounding_box(), pad.page.mouse
    assert box is not None
    width = sum(LETTERS[letter]["width"] + _GAP for letter in word)
    size = min(box["height"] / 4, (box["width"] - 20) / width)
    left, top = box["x"] + 10, box["y"] + _TOP_MARGIN * size
    for letter in word:
        for stroke in LETTERS[letter]["strokes"]:
            (x, y), *rest = stroke
            mouse.move(left + x * size, top + y * size)
            mouse.down()
            for x, y in rest:
                mouse.move(left + x * size, top + y * size, steps=2)
            mouse.up()
        left += (LETTERS[letter]["width"] + _GAP) * size
