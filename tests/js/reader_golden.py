"""What Python makes of written words, which the page must reproduce (``tests/js/reader.test.js``).

    python -m tests.js.reader_golden        rewrites tests/js/reader_golden.json

``tests/viz/export/test_engine.py`` compares the file with what Python computes now.
"""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np

import model
from model import Picture, PictureSource
from model.bundle import Bundle
from model.interventions import KINDS, NONE, Interventions
from tests.js.engine_golden import asked
from viz.export.engine import engine_files

FILE = Path(__file__).with_suffix(".json")
LETTERS = FILE.with_name("letters.json")
WORDS = ("beauty", "hello", "honey", "attention", "hotel")
CHANGES = (
    NONE,
    Interventions(heads_off=(model.HeadOff("cross", 1, 3), model.HeadOff("encoder_self", 0, 1))),
    Interventions(blocked_keys=tuple(model.BlockedKey("cross", key) for key in (2, 3))),
    Interventions(forced_rows=(model.ForcedRow("cross", 2, 1, 3, (0.0, 1.0, 2.0, 1.0)),)),
    Interventions(source_positions=model.PositionEdit("reverse")),
)


def strokes_of(word: str) -> list[list[tuple[float, float]]]:
    """The strokes of a word in the letters of ``letters.json``, small letters 30 pixels high."""
    letters: dict[str, Any] = json.loads(LETTERS.read_text("utf-8"))
    left, lines = 0.0, []
    for letter in word:
        lines += [[(30 * (left + x), 30 * y) for x, y in stroke] for stroke in letters[letter]["strokes"]]
        left += letters[letter]["width"] + 0.25
    return lines


def made(bundle: Bundle) -> dict[str, Any]:
    """The whole file."""
    source = bundle.picture
    assert source is not None
    return {
        "config": engine_files(bundle).header["config"],
        "drawn": {word: Picture.drawn(strokes_of(word), source).text for word in WORDS},
        "photos": [_photo(source, *case) for case in ((90, 220, 240, 20), (150, 400, 10, 230), (64, 160, 255, 128))],
        "cases": [_case(bundle, WORDS[0], changes) for changes in CHANGES]
        + [_case(bundle, word, NONE) for word in WORDS[1:]],
    }


def _photo(source: PictureSource, high: int, wide: int, paper: int, ink: int) -> dict[str, Any]:
    """A loop and a line on even paper, and the prepared picture."""
    y, x = np.mgrid[:high, :wide]
    distance = np.abs(np.hypot(y - high / 2, (x - wide / 3) / 2) - high / 4)
    line = np.abs(x - 0.7 * wide) + np.maximum(0, np.abs(y - high / 2) - high / 5)
    share = np.clip(high / 24 - np.minimum(distance, line), 0, 1)
    grey = np.rint(paper + (ink - paper) * share).astype(np.uint8)
    return {
        "height": high, "width": wide, "grey": base64.b64encode(grey.tobytes()).decode(),
        "text": Picture(grey).prepared(source).text,
    }  # fmt: skip


def _case(bundle: Bundle, word: str, changes: Interventions) -> dict[str, Any]:
    picture = Picture.drawn(strokes_of(word), bundle.picture)
    trace = model.translate(bundle, picture, interventions=changes)
    return {
        "word": word, "edits": asked(changes), "text": trace.source_text, "target": list(trace.target.ids),
        "says": trace.text, "logProbs": [round(float(value), 6) for value in trace.log_probs],
        "maps": {kind: _packed(weights) for kind in KINDS if (weights := trace.attention.of(kind)) is not None},
    }  # fmt: skip


def _packed(weights: np.ndarray[Any, Any]) -> str:
    """Weights in steps of 1/65535, of every seventh cell: the maps of 96 strips are large."""
    return base64.b64encode(np.rint(weights.ravel()[::7] * 65535).astype("<u2").tobytes()).decode()


if __name__ == "__main__":
    FILE.write_text(json.dumps(made(model.load("reader")), separators=(",", ":")) + "\n", "utf-8")
