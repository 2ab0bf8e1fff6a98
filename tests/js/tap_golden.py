"""Writes ``tap_golden.json``: some of the numbers of every activation that the page's engine hands out.

    python -m tests.js.tap_golden

``tap.test.js`` compares the engine's own with them.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

import model
from model.bundle import Bundle
from tests.js.engine_golden import SHORT

FILE = Path(__file__).with_name("tap_golden.json")
STRIDE = 61
"""Of each activation every 61st number is kept; 61 has no factor in common with a width, so all heads come in."""
PARTS = ("query", "key", "value", "scores", "weights", "mixed")
NAMES = (
    *(f"encoder.*.self.{part}" for part in PARTS), *(f"decoder.*.self.{part}" for part in PARTS),
    *(f"decoder.*.cross.{part}" for part in PARTS), "encoder.*.residual.before", "encoder.*.residual.middle",
    "encoder.*.residual.after", "encoder.final_norm", "decoder.*.residual.before", "decoder.*.residual.middle",
    "decoder.*.residual.after_cross", "decoder.*.residual.after", "encoder.*.feed_forward.hidden",
    "encoder.*.feed_forward.output", "decoder.*.feed_forward.hidden", "decoder.*.feed_forward.output",
)  # fmt: skip


def made(bundle: Bundle) -> dict[str, Any]:
    """The whole file: of each name its shape without the batch, and the kept numbers."""
    found = model.record(bundle, SHORT, names=NAMES)
    recorded = {
        name: {
            "shape": list(found[name].shape[1:]),
            "values": [round(float(x), 5) for x in np.ravel(found[name][0])[::STRIDE]],
        }
        for name in sorted(model.activation_names(bundle)) if name in set(found)
    }  # fmt: skip
    return {"text": SHORT, "stride": STRIDE, "target": list(found.trace.target.ids), "activations": recorded}


if __name__ == "__main__":
    FILE.write_text(json.dumps(made(model.load()), ensure_ascii=True, separators=(",", ":")) + "\n", "utf-8")
