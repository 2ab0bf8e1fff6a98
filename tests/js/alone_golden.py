"""Results of the shipped decoder-only model that the page's own engine must reproduce (``alone.test.js``).

    python -m tests.js.alone_golden        rewrites tests/js/alone_golden.json

``tests/viz/export/test_engine.py`` compares the file with what Python computes now.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

import model
from benchmarks.serving import ROOT
from model.bundle import Bundle
from model.interventions import NONE, Interventions
from tests.js.engine_golden import asked
from viz.export.engine import engine_files

FILE = Path(__file__).with_suffix(".json")
FOLDER = ROOT / "pretrained" / "tiny-decoder"
PROMPT = "The old man who lives"
PROMPTS = (
    "I would like to",
    "She",
    "My brother is taller than",
    "Tom asked Mary if she",
    "ha ha ha ha",
    "Zürich 猫 is",
)
CHANGES = (
    NONE,
    Interventions(heads_off=(model.HeadOff("decoder_self", 1, 2), model.HeadOff("decoder_self", 3, 7))),
    Interventions(heads_off=(model.HeadOff("decoder_self", 0, 5, "uniform"),)),
    Interventions(blocked_keys=(model.BlockedKey("decoder_self", 2), model.BlockedKey("decoder_self", 1, query=4))),
    Interventions(forced_rows=(model.ForcedRow("decoder_self", 2, 4, 5, (0.0, 1.0, 2.0)),)),
)
HEAD = (2, 5)
QUERY = 6
PARTS = ("query", "scores", "weights", "mixed")


def case(bundle: Bundle, text: str, changes: Interventions = NONE) -> dict[str, Any]:
    """A continuation with every weight, in six digits."""
    trace = model.translate(bundle, text, interventions=changes)
    maps = trace.attention.decoder_self
    assert maps is not None
    return {
        "text": text, "edits": asked(changes), "read": list(trace.prefix.ids[: _n_read(bundle, text)]),
        "target": list(trace.target.ids), "written": trace.text,
        "logProbs": [round(float(value), 6) for value in trace.log_probs],
        "maps": [round(float(value), 6) for value in maps.ravel()],
    }  # fmt: skip


def _n_read(bundle: Bundle, text: str) -> int:
    return len(model.read(bundle, text).prefix.ids)


def made(bundle: Bundle) -> dict[str, Any]:
    """The whole file."""
    names = tuple(f"decoder.{HEAD[0]}.self.{part}" for part in PARTS)
    found = model.record(bundle, PROMPT, names=names)
    rows = {part: found[name][0, HEAD[1], QUERY] for part, name in zip(PARTS, names, strict=True)}
    return {
        "config": engine_files(bundle).header["config"],
        "cases": [case(bundle, PROMPT, changes) for changes in CHANGES] + [case(bundle, text) for text in PROMPTS],
        "head": {
            "place": {"layer": HEAD[0], "head": HEAD[1]}, "row": QUERY,
            **{part: [round(float(value), 6) for value in np.ravel(row)] for part, row in rows.items()},
        },
    }  # fmt: skip


if __name__ == "__main__":
    FILE.write_text(json.dumps(made(model.load(FOLDER)), ensure_ascii=True, separators=(",", ":")) + "\n", "utf-8")
