"""What Python computes beside translations: the steps of the article, activations, and how poor a translation may be.

    python -m tests.js.steps_golden        rewrites steps_golden.json, tap_golden.json and confidence_golden.json

``steps.test.js``, ``tap.test.js`` and ``engine.test.js`` compare the page's engine with them, and
``tests/viz/export/test_engine.py`` the first and the last with what Python computes now.
"""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import torch

import model
from model.bundle import Bundle
from model.decoding.sampling import Sampling, filtered_probabilities
from model.interpret.confidence import confidence, looped_text
from tests.js.engine_golden import FOLDER, LONG, SHORT, held_out
from viz.export.engine import engine_files

SETTINGS = (
    Sampling(), Sampling(temperature=0.4), Sampling(temperature=1.3), Sampling(top_k=1), Sampling(top_k=5),
    Sampling(top_p=0.3), Sampling(top_p=0.9), Sampling(temperature=1.7, top_k=12, top_p=0.8),
    Sampling(temperature=0.6, top_k=3, top_p=0.99),
)  # fmt: skip
SEEDS = (1, 7)
N_LOGITS = 60
LEAST = 1e-6
"""In float32 the sum of the better ones may reach 1 before the last tokens, which then count as left out."""
STRIDE = 61
"""Every 61st number of an activation is compared; 61 is coprime to every width, so that all heads are included."""
PARTS = ("query", "key", "value", "scores", "weights", "mixed")
NAMES = (
    *(f"encoder.*.self.{part}" for part in PARTS), *(f"decoder.*.self.{part}" for part in PARTS),
    *(f"decoder.*.cross.{part}" for part in PARTS), "encoder.*.residual.before", "encoder.*.residual.middle",
    "encoder.*.residual.after", "encoder.final_norm", "decoder.*.residual.before", "decoder.*.residual.middle",
    "decoder.*.residual.after_cross", "decoder.*.residual.after", "encoder.*.feed_forward.hidden",
    "encoder.*.feed_forward.output", "decoder.*.feed_forward.hidden", "decoder.*.feed_forward.output",
)  # fmt: skip
ODD = (
    "Ich verstehe nicht, was du sagst.", "Où est la bibliothèque ?", "👍🏽👍🏽👍🏽", "I love 🍕 and 🍦.",
    "THE CAT IS SLEEPING.", "NATO", "猫在沙发上睡觉。", "asdf qwer zxcv uiop", "word " * 60, "no no no no no no no no",
    "Hello.", "x", "1234567890 %%%",
    "The cat is sleeping on the sofa.", "supercalifragilisticexpialidocious antidisestablishmentarianism",
)  # fmt: skip
SURVEY_STEP = 50
"""Every fiftieth held-out sentence is among the cases of confidence."""


def made_steps(bundle: Bundle) -> dict[str, Any]:
    """The whole of ``steps_golden.json``."""
    logits = torch.randn(1, N_LOGITS, generator=torch.Generator().manual_seed(3)) * 2
    return {
        "logits": [round(float(value), 6) for value in logits[0]],
        "settings": [
            {"temperature": each.temperature, "topK": each.top_k, "topP": each.top_p} for each in SETTINGS
        ],
        "filtered": [_filtered_distribution(logits, each) for each in SETTINGS],
        "drawn": [_draw_translations(bundle, each) for each in SETTINGS],
        "neighbours": [neighbours(bundle, token, 6) for token in model.translate(bundle, LONG).source.ids[:6]],
    }  # fmt: skip


def _filtered_distribution(logits: torch.Tensor, how: Sampling) -> dict[str, Any]:
    probabilities, ids = filtered_probabilities(logits.round(decimals=6).log_softmax(-1), how)
    return {
        "ids": ids[0].tolist(),
        "probabilities": [round(float(p), 7) for p in probabilities[0]],
        "count": int((probabilities > LEAST).sum()),
    }


def _draw_translations(bundle: Bundle, how: Sampling) -> list[list[int]]:
    """Translations of one sentence, drawn with each seed."""
    seeded = (replace(how, seed=seed) for seed in SEEDS)
    return [list(model.translate(bundle, SHORT, method="sample", sampling=each).target.ids) for each in seeded]


def neighbours(bundle: Bundle, token: int, n: int) -> dict[str, Any]:
    """The tokens whose rows of the embedding table have the largest cosine with a token's."""
    table = bundle.model.encoder.embedding.weight.detach().float().numpy()
    table = table / np.linalg.norm(table, axis=1, keepdims=True)
    cosines = table @ table[token]
    cosines[token] = -1
    nearest = np.argsort(-cosines)[:n]
    return {"id": token, "ids": nearest.tolist(), "cosines": [round(float(cosines[each]), 5) for each in nearest]}


def made_tap(bundle: Bundle) -> dict[str, Any]:
    """The whole of ``tap_golden.json``: of each name its shape without the batch, and the kept numbers."""
    recorded = model.record(bundle, SHORT, names=NAMES)
    activations = {
        name: {
            "shape": list(recorded[name].shape[1:]),
            "values": [round(float(x), 5) for x in np.ravel(recorded[name][0])[::STRIDE]],
        }
        for name in sorted(model.activation_names(bundle)) if name in set(recorded)
    }  # fmt: skip
    return {"text": SHORT, "stride": STRIDE, "target": list(recorded.trace.target.ids), "activations": activations}


def made_confidence(bundle: Bundle) -> dict[str, Any]:
    """The whole of ``confidence_golden.json``: how likely translations of odd and plain texts are poor."""
    texts = [*ODD, *held_out()[::SURVEY_STEP]]
    return {
        "calibration": engine_files(bundle).header["calibration"],
        "cases": [_judge(bundle, text) for text in texts],
    }


def _judge(bundle: Bundle, text: str) -> dict[str, Any]:
    trace = model.translate(bundle, text)
    judged = confidence(bundle, trace)
    assert judged is not None
    return {"text": text, "poor": round(judged.p_poor, 6), "loop": looped_text(trace) or ""}


if __name__ == "__main__":
    shipped = model.load()
    for name, make in (("steps", made_steps), ("tap", made_tap), ("confidence", made_confidence)):
        content = json.dumps(make(shipped), separators=(",", ":"))
        (FOLDER / f"{name}_golden.json").write_text(f"{content}\n", "utf-8")
