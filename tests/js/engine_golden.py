"""Results of the Python model that the page's own engine must reproduce (``tests/js/golden.js``).

    python -m tests.js.engine_golden        rewrites tests/js/engine_golden.json

The sentences are the 2,000 of the shipped survey, on which the shipped model was not trained.
``tests/viz/export/test_engine.py`` compares the file with what Python computes now.
"""

import base64
import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as parquet

import model
from model.bundle import Bundle
from model.interventions import KINDS, NONE, Interventions
from model.text.tokens import source_tokens
from viz.export.engine import engine_files
from viz.export.gallery import project_entries

FILE = Path(__file__).with_suffix(".json")
SURVEY = Path(__file__).parents[2] / "pretrained/en-fr-corpus/survey"
STEP = 4
"""Every fourth sentence is translated: 500 of them."""
LONG = "The old man who lives next door has two very black dogs."
SHORT = "My friend does not have a car."
HARD = (
    "  Hello   world ", "Zürich n'est pas 猫 ☃☃.", "ﬁne ½ ＡＢＣ ﬃ ĳ ™ ①", "e\u0301te\u0301", "a\u00a0b\u200bc\td",
    "!!! ... ???", "ALL CAPITALS HERE", "naïve café – “quotes” … €5", "👍🏽 emoji 👩‍👩‍👧 🇫🇷", "x" * 60,
    "Donaudampfschifffahrtsgesellschaftskapitänsmütze" * 4, "\u202eabc\u202c def \u2067xyz\u2069", "\x07bell\x00 zero",
    "don't I'll we've", "don\u2019t soft\u00adly 10\u202f000", "日本語のテキスト 猫 ｶﾞ", "1,234.56 kg x² H₂O",
    "مرحبا שלום नमस्ते",
    "각\u1100\u1161", "q\u0323\u0307 \u0344 ſ K Å", "𝔗𝔥𝔢 𝕔𝕒𝕥 🄰 🅱", "▁ a▁b ▁▁",
    "\u3000wide\u2003spaces\u2028line\u0085next",
    "\ufeffmark \u2060joiner \U0001f9ff \U00020000 \U000e0041", "Tom " * 60, "", "   ",
)  # fmt: skip
CHANGES = (
    NONE,
    Interventions(heads_off=(model.HeadOff("cross", 3, 6), model.HeadOff("encoder_self", 0, 1))),
    Interventions(heads_off=(model.HeadOff("decoder_self", 1, 2, "uniform"), model.HeadOff("cross", 2, 0, "uniform"))),
    Interventions(heads_off=tuple(model.HeadOff("cross", layer, head) for layer in range(4) for head in range(8))),
    Interventions(blocked_keys=(model.BlockedKey("cross", 2), model.BlockedKey("encoder_self", 4, layer=1, head=3))),
    Interventions(blocked_keys=(model.BlockedKey("decoder_self", 1, query=3),)),
    Interventions(forced_rows=(model.ForcedRow("cross", 2, 1, 3, (0.0, 1.0, 2.0, 1.0)),)),
    Interventions(forced_rows=(model.ForcedRow("encoder_self", 0, 4, 2, (0.0, 0.0, 0.0, 1.0)),
                               model.ForcedRow("decoder_self", 3, 7, 4, (1.0, 0.0, 1.0)))),
    *(Interventions(source_positions=model.PositionEdit(mode, amount))
      for mode, amount in (("zero", 0), ("reverse", 0), ("shift", 5), ("shuffle", 0), ("shuffle", 123456789))),
)  # fmt: skip


def held_out() -> list[str]:
    """The 2,000 English sentences, each once, in the survey's order."""
    tables = [parquet.read_table(path, columns=["source"]) for path in sorted(SURVEY.glob("sentences-*.parquet"))]
    return [text for table in tables for text in table.column("source").to_pylist()]


def ids_of(bundle: Bundle, text: str) -> list[int]:
    """The ids that the encoder reads; an empty text, which Python refuses, has no end token."""
    return list(source_tokens(bundle, text).ids) if text.strip() else [bundle.config.eos_id]


def case(
    bundle: Bundle, text: str, interventions: Interventions = NONE, prefix: tuple[int, ...] = ()
) -> dict[str, Any]:
    """One translation with every weight."""
    trace = model.translate(bundle, text, interventions=interventions, prefix=prefix)
    return {
        "text": text, "edits": asked(interventions), "prefix": list(prefix), "ids": list(trace.source.ids),
        "words": list(trace.source.words), "target": list(trace.target.ids), "translation": trace.text,
        "logProbs": [round(float(value), 6) for value in trace.log_probs],
        "maps": {kind: _packed(weights) for kind in KINDS if (weights := trace.attention.of(kind)) is not None},
    }  # fmt: skip


def made(bundle: Bundle) -> dict[str, Any]:
    """The whole file."""
    sentences = held_out()
    forked = model.translate(bundle, LONG, prefix="Un vieil").target.ids[:2]
    return {
        "config": engine_files(bundle).header["config"],
        "sentences": sentences,
        "ids": [ids_of(bundle, text) for text in sentences],
        "hard": [hard(bundle, text) for text in HARD],
        "step": STEP,
        "translations": translations(bundle, sentences[::STEP]),
        "gallery": [[entry.text, model.translate(bundle, entry.text).text] for entry in project_entries()],
        "cases": [
            *(case(bundle, SHORT, changes) for changes in CHANGES),
            case(bundle, LONG), case(bundle, LONG, prefix=forked),
        ],
    }  # fmt: skip


def hard(bundle: Bundle, text: str) -> dict[str, Any]:
    """Ids and words of a text that is not plain English."""
    words = list(source_tokens(bundle, text).words) if text.strip() else [-1]
    return {"text": text, "ids": ids_of(bundle, text), "words": words}


def translations(bundle: Bundle, sentences: list[str]) -> list[list[int]]:
    """Ids of greedy translations, decoded one by one as in the page."""
    return [list(model.translate(bundle, text, n_candidates=1).target.ids) for text in sentences]


def asked(interventions: Interventions) -> dict[str, Any]:
    """The interventions as plain data, without empty fields."""
    return {name: value for name, value in dataclasses.asdict(interventions).items() if value and name != "patches"}


def _packed(weights: np.ndarray[Any, Any]) -> str:
    """Weights in steps of 1/65535, as base64."""
    return base64.b64encode(np.rint(weights * 65535).astype("<u2").tobytes()).decode()


if __name__ == "__main__":
    FILE.write_text(json.dumps(made(model.load()), ensure_ascii=True, separators=(",", ":")) + "\n", "utf-8")
