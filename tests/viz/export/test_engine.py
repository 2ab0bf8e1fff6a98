"""The page's own engine says what the model says: the same tokens, translations and weights, whatever is changed."""

from __future__ import annotations

import dataclasses
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import model
from model.bundle import Bundle
from model.interventions import NONE, Interventions
from viz.export.engine import EngineError, engine_files
from viz.export.gallery import own_entries

ROOT = Path(__file__).parents[3]
SENTENCE = "The old man who lives next door has two very black dogs."
ODD = ("", "  Hello   world ", "Zürich n'est pas 猫 ☃☃.", "ﬁne ½ ＡＢＣ", "e\u0301te\u0301", "a\u00a0b\u200bc\td",
       "!!! ... ???", "ALL CAPITALS HERE", "naïve café – “quotes” … €5", "👍🏽 emoji", "x" * 60, "\u202eabc\u202c def",
       "\x07bell\x00 zero", "don't I'll we've", "日本語のテキスト", "1,234.56 kg")  # fmt: skip


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return model.load()


@pytest.fixture(scope="module")
def engine(bundle: Bundle, tmp_path_factory: pytest.TempPathFactory):
    """Runs cases in Node on the exported model."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed (Debian: apt install nodejs)")
    folder = tmp_path_factory.mktemp("engine")
    files = engine_files(bundle)
    (folder / "model.json").write_text(json.dumps(files.header), "utf-8")
    (folder / "weights.bin").write_bytes(files.weights)

    def run(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
        (folder / "cases.json").write_text(json.dumps(cases), "utf-8")
        ran = subprocess.run(
            [node, ROOT / "tests/js/engine_check.js", folder], capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)

    return run


def case(bundle: Bundle, text: str, interventions: Interventions = NONE) -> dict[str, Any]:
    trace = model.translate(bundle, text, interventions=interventions)
    maps = trace.attention
    flat = {name: weights.ravel().tolist() for name, weights in
            (("encoderSelf", maps.encoder_self), ("decoderSelf", maps.decoder_self), ("cross", maps.cross))
            if weights is not None}  # fmt: skip
    return {
        "text": text, "edits": dataclasses.asdict(interventions), "ids": list(trace.source.ids),
        "words": list(trace.source.words), "target": list(trace.target.ids), "translation": trace.text,
        "logProbs": list(map(float, trace.log_probs)), **flat,
    }  # fmt: skip


def check(bundle: Bundle, engine, cases: list[dict[str, Any]]) -> None:
    for wanted, found in zip(cases, engine(cases), strict=True):
        what = (wanted["text"], wanted["edits"])
        assert found["ids"] == wanted["ids"], what
        assert found["target"] == wanted["target"], what
        assert found["translation"] == wanted["translation"], what
        assert max(found["encoderSelf"], found["decoderSelf"], found["cross"]) < 1e-4, what
        assert found["logProbs"] < 1e-3, what


def test_translations_and_every_weight_agree(bundle, engine):
    check(bundle, engine, [case(bundle, entry.text) for entry in own_entries()])


def test_interventions_do_the_same(bundle, engine):
    every = [
        Interventions(heads_off=(model.HeadOff("cross", 3, 6), model.HeadOff("encoder_self", 0, 1))),
        Interventions(
            heads_off=(model.HeadOff("decoder_self", 1, 2, "uniform"), model.HeadOff("cross", 2, 0, "uniform"))
        ),
        Interventions(
            blocked_keys=(model.BlockedKey("cross", 2), model.BlockedKey("encoder_self", 4, layer=1, head=3))
        ),
        Interventions(blocked_keys=(model.BlockedKey("decoder_self", 1, query=3),)),
        Interventions(forced_rows=(model.ForcedRow("cross", 2, 1, 3, (0.0, 1.0, 2.0, 1.0)),)),
        *(Interventions(source_positions=model.PositionEdit(mode, amount))  # pyright: ignore[reportArgumentType]
          for mode, amount in (("zero", 0), ("reverse", 0), ("shift", 5), ("shuffle", 7), ("shuffle", 123456789))),
    ]  # fmt: skip
    check(bundle, engine, [case(bundle, SENTENCE, interventions) for interventions in every])


def test_a_prefix_is_taken_over(bundle, engine):
    trace = model.translate(bundle, SENTENCE, prefix="Un vieil")
    cases = [{**case(bundle, SENTENCE), "prefix": list(trace.target.ids[:2])}]
    expected = model.translate(bundle, SENTENCE, prefix=trace.target.ids[:2])
    assert engine(cases)[0]["target"] == list(expected.target.ids)


def test_odd_text_is_cut_into_the_same_pieces(bundle, engine):
    tokenizer = bundle.source_tokenizer
    assert tokenizer is not None
    texts = [*ODD, *(f"a{chr(code)}b" for code in range(0x20, 0x3000, 37) if not 0xD800 <= code < 0xE000)]
    found = engine([{"text": text, "only": "ids"} for text in texts])
    eos = bundle.config.eos_id
    wrong = [
        one["text"] for one, text in zip(found, texts, strict=True) if one["ids"] != [*tokenizer.encode(text).ids, eos]
    ]
    assert not wrong
    for one, text in zip(found, texts, strict=True):
        assert one["words"] == list(tokenizer.encode(text).words), text


def test_eight_bits_say_nearly_the_same(bundle, tmp_path):
    files = engine_files(bundle, precision="i8")
    assert len(files.weights) < 0.56 * len(engine_files(bundle).weights)
    assert files.header["tensors"]["encoder.embedding.weight"]["type"] == "i8"


def test_a_model_that_the_page_does_not_know_is_refused_by_name(bundle):
    other = dataclasses.replace(bundle.config, activation="gelu")
    changed = dataclasses.replace(bundle, config=other)
    with pytest.raises(EngineError, match="activation is 'gelu', and the page knows 'relu'"):
        engine_files(changed)
