"""Results of the shipped models that the page's own engine must reproduce (engine, alone and reader.test.js).

    python -m tests.js.engine_golden [NAME…]        rewrites engine_, alone_ and reader_golden.json

The sentences are the 2,000 of the shipped survey, on which the shipped model was not trained.
``tests/viz/export/test_engine.py`` compares the files with what Python computes now.
"""

import base64
import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as parquet

import model
from model import BlockedKey, ForcedRow, HeadOff, Picture, PictureSource
from model.bundle import Bundle
from model.interventions import KINDS, NONE, Interventions
from model.text.tokens import source_tokens
from viz.export.engine import engine_files
from viz.export.gallery import project_entries

FOLDER = Path(__file__).parent
SURVEY = FOLDER.parents[1] / "pretrained/en-fr-corpus/survey"
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
    Interventions(heads_off=(HeadOff("cross", 3, 6), HeadOff("encoder_self", 0, 1))),
    Interventions(heads_off=(HeadOff("decoder_self", 1, 2, "uniform"), HeadOff("cross", 2, 0, "uniform"))),
    Interventions(heads_off=tuple(HeadOff("cross", layer, head) for layer in range(4) for head in range(8))),
    Interventions(blocked_keys=(BlockedKey("cross", 2), BlockedKey("encoder_self", 4, layer=1, head=3))),
    Interventions(blocked_keys=(BlockedKey("decoder_self", 1, query=3),)),
    Interventions(forced_rows=(ForcedRow("cross", 2, 1, 3, (0.0, 1.0, 2.0, 1.0)),)),
    Interventions(forced_rows=(ForcedRow("encoder_self", 0, 4, 2, (0.0, 0.0, 0.0, 1.0)),
                               ForcedRow("decoder_self", 3, 7, 4, (1.0, 0.0, 1.0)))),
    *(Interventions(source_positions=model.PositionEdit(mode, amount))
      for mode, amount in (("zero", 0), ("reverse", 0), ("shift", 5), ("shuffle", 0), ("shuffle", 123456789))),
)  # fmt: skip

PROMPT = "The old man who lives"
PROMPTS = (
    "I would like to",
    "She",
    "My brother is taller than",
    "Tom asked Mary if she",
    "ha ha ha ha",
    "Zürich 猫 is",
)
ALONE_CHANGES = (
    NONE,
    Interventions(heads_off=(HeadOff("decoder_self", 1, 2), HeadOff("decoder_self", 3, 7))),
    Interventions(heads_off=(HeadOff("decoder_self", 0, 5, "uniform"),)),
    Interventions(blocked_keys=(BlockedKey("decoder_self", 2), BlockedKey("decoder_self", 1, query=4))),
    Interventions(forced_rows=(ForcedRow("decoder_self", 2, 4, 5, (0.0, 1.0, 2.0)),)),
)
ALONE_HEAD = (2, 5)
ALONE_QUERY = 6
ALONE_PARTS = ("query", "scores", "weights", "mixed")
WORDS = ("beauty", "hello", "honey", "attention", "hotel")
READER_CHANGES = (
    NONE,
    Interventions(heads_off=(HeadOff("cross", 1, 3), HeadOff("encoder_self", 0, 1))),
    Interventions(blocked_keys=tuple(BlockedKey("cross", key) for key in (2, 3))),
    Interventions(forced_rows=(ForcedRow("cross", 2, 1, 3, (0.0, 1.0, 2.0, 1.0)),)),
    Interventions(source_positions=model.PositionEdit("reverse")),
)


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
        "text": text, "edits": edits_of(interventions), "prefix": list(prefix), "ids": list(trace.source.ids),
        "words": list(trace.source.words), "target": list(trace.target.ids), "translation": trace.text,
        "logProbs": _six_digits(trace.log_probs),
        "maps": _packed_maps(trace),
    }  # fmt: skip


def made_engine(bundle: Bundle) -> dict[str, Any]:
    """The whole of ``engine_golden.json``."""
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


def made_alone(bundle: Bundle) -> dict[str, Any]:
    """The whole of ``alone_golden.json``: continuations by the decoder-only model, and one of its heads."""
    layer, head = ALONE_HEAD
    names = tuple(f"decoder.{layer}.self.{part}" for part in ALONE_PARTS)
    recorded = model.record(bundle, PROMPT, names=names)
    rows = {part: recorded[name][0, head, ALONE_QUERY] for part, name in zip(ALONE_PARTS, names, strict=True)}
    return {
        "config": engine_files(bundle).header["config"],
        "cases": [continuation(bundle, PROMPT, changes) for changes in ALONE_CHANGES]
        + [continuation(bundle, text) for text in PROMPTS],
        "head": {"place": {"layer": layer, "head": head}, "row": ALONE_QUERY} | {
            part: _six_digits(row) for part, row in rows.items()
        },
    }  # fmt: skip


def continuation(bundle: Bundle, text: str, interventions: Interventions = NONE) -> dict[str, Any]:
    """A continuation with every weight, in six digits."""
    trace = model.translate(bundle, text, interventions=interventions)
    maps = trace.attention.decoder_self
    assert maps is not None
    n_read = len(model.read(bundle, text).prefix.ids)
    return {
        "text": text, "edits": edits_of(interventions), "read": list(trace.prefix.ids[:n_read]),
        "target": list(trace.target.ids), "written": trace.text, "logProbs": _six_digits(trace.log_probs),
        "maps": _six_digits(maps),
    }  # fmt: skip


def made_reader(bundle: Bundle) -> dict[str, Any]:
    """The whole of ``reader_golden.json``: written words and photographs as pictures, and what is read in them."""
    source = bundle.picture
    assert source is not None
    return {
        "config": engine_files(bundle).header["config"],
        "drawn": {word: Picture.drawn(strokes_of(word), source).text for word in WORDS},
        "photos": [_photo(source, *case) for case in ((90, 220, 240, 20), (150, 400, 10, 230), (64, 160, 255, 128))],
        "cases": [_reading(bundle, WORDS[0], changes) for changes in READER_CHANGES]
        + [_reading(bundle, word, NONE) for word in WORDS[1:]],
    }


def strokes_of(word: str) -> list[list[tuple[float, float]]]:
    """The strokes of a word in the letters of ``letters.json``, small letters 30 pixels high."""
    letters: dict[str, Any] = json.loads((FOLDER / "letters.json").read_text("utf-8"))
    left, lines = 0.0, []
    for letter in word:
        lines += [[(30 * (left + x), 30 * y) for x, y in stroke] for stroke in letters[letter]["strokes"]]
        left += letters[letter]["width"] + 0.25
    return lines


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


def _reading(bundle: Bundle, word: str, interventions: Interventions) -> dict[str, Any]:
    picture = Picture.drawn(strokes_of(word), bundle.picture)
    trace = model.translate(bundle, picture, interventions=interventions)
    return {
        "word": word, "edits": edits_of(interventions), "text": trace.source_text, "target": list(trace.target.ids),
        "says": trace.text, "logProbs": _six_digits(trace.log_probs),
        "maps": _packed_maps(trace, step=7),  # the maps of 96 strips are large
    }  # fmt: skip


def edits_of(interventions: Interventions) -> dict[str, Any]:
    """The interventions as plain data, without empty fields."""
    return {name: value for name, value in dataclasses.asdict(interventions).items() if value and name != "patches"}


def _six_digits(values: Any) -> list[float]:
    return [round(float(value), 6) for value in np.ravel(values)]


def _packed_maps(trace: model.Trace, *, step: int = 1) -> dict[str, str]:
    """Every ``step``-th weight of each kind in steps of 1/65535, as base64."""
    maps = {kind: weights for kind in KINDS if (weights := trace.attention.of(kind)) is not None}
    return {
        kind: base64.b64encode(np.rint(weights.ravel()[::step] * 65535).astype("<u2").tobytes()).decode()
        for kind, weights in maps.items()
    }


MAKERS = {"engine": (made_engine, "en-fr"), "alone": (made_alone, "tiny-decoder"), "reader": (made_reader, "reader")}
"""Each file's maker and shipped model."""


def golden(name: str) -> dict[str, Any]:
    """A file's content."""
    return json.loads((FOLDER / f"{name}_golden.json").read_text("utf-8"))


if __name__ == "__main__":
    for name in sys.argv[1:] or MAKERS:
        make, shipped = MAKERS[name]
        text = json.dumps(make(model.load(shipped)), separators=(",", ":"))
        (FOLDER / f"{name}_golden.json").write_text(f"{text}\n", "utf-8")
