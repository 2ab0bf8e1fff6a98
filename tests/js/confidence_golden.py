"""Writes ``confidence_golden.json``: how likely Python finds translations of odd and plain texts to be poor.

    python -m tests.js.confidence_golden

The page's engine must find the same (``confidence.test.js``).
"""

import json
from pathlib import Path
from typing import Any

import model
from model.bundle import Bundle
from model.interpret.confidence import confidence, looped_text
from tests.js.engine_golden import held_out
from viz.export.engine import engine_files

FILE = Path(__file__).with_name("confidence_golden.json")
ODD = (
    "Ich verstehe nicht, was du sagst.", "Où est la bibliothèque ?", "👍🏽👍🏽👍🏽", "I love 🍕 and 🍦.",
    "THE CAT IS SLEEPING.", "NATO", "猫在沙发上睡觉。", "asdf qwer zxcv uiop", "word " * 60, "no no no no no no no no",
    "Hello.", "x", "1234567890 %%%",
    "The cat is sleeping on the sofa.", "supercalifragilisticexpialidocious antidisestablishmentarianism",
)  # fmt: skip
STEP = 50


def made(bundle: Bundle) -> dict[str, Any]:
    """The whole file."""
    texts = [*ODD, *held_out()[::STEP]]
    return {"calibration": engine_files(bundle).header["calibration"], "cases": [_case(bundle, text) for text in texts]}


def _case(bundle: Bundle, text: str) -> dict[str, Any]:
    trace = model.translate(bundle, text)
    found = confidence(bundle, trace)
    assert found is not None
    return {"text": text, "poor": round(found.p_poor, 6), "loop": looped_text(trace) or ""}


if __name__ == "__main__":
    FILE.write_text(json.dumps(made(model.load()), ensure_ascii=True, separators=(",", ":")) + "\n", "utf-8")
