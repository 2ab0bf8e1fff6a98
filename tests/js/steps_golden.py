"""Writes ``steps_golden.json``: what Python computes for the steps that the page's story shows.

    python -m tests.js.steps_golden

``steps.test.js`` compares the page's engine with them, and ``tests/viz/export/test_engine.py`` the file with Python.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

import model
from model.bundle import Bundle
from model.decoding.sampling import Sampling, filtered_probabilities
from tests.js.engine_golden import LONG, SHORT

FILE = Path(__file__).with_name("steps_golden.json")
SETTINGS = (
    Sampling(), Sampling(temperature=0.4), Sampling(temperature=1.3), Sampling(top_k=1), Sampling(top_k=5),
    Sampling(top_p=0.3), Sampling(top_p=0.9), Sampling(temperature=1.7, top_k=12, top_p=0.8),
    Sampling(temperature=0.6, top_k=3, top_p=0.99),
)  # fmt: skip
SEEDS = (1, 7)
N_LOGITS = 60
LEAST = 1e-6
"""In float32 the sum of the better ones may reach 1 before the last tokens, which then count as left out."""


def made(bundle: Bundle) -> dict[str, Any]:
    """The whole file."""
    logits = torch.randn(1, N_LOGITS, generator=torch.Generator().manual_seed(3)) * 2
    return {
        "logits": [round(float(value), 6) for value in logits[0]],
        "settings": [
            {"temperature": each.temperature, "topK": each.top_k, "topP": each.top_p} for each in SETTINGS
        ],
        "filtered": [_filtered(logits, each) for each in SETTINGS],
        "drawn": [_drawn(bundle, each) for each in SETTINGS],
        "neighbours": [neighbours(bundle, token, 6) for token in model.translate(bundle, LONG).source.ids[:6]],
    }  # fmt: skip


def _filtered(logits: torch.Tensor, how: Sampling) -> dict[str, Any]:
    probabilities, ids = filtered_probabilities(logits.round(decimals=6).log_softmax(-1), how)
    return {
        "ids": ids[0].tolist(),
        "probabilities": [round(float(p), 7) for p in probabilities[0]],
        "count": int((probabilities > LEAST).sum()),
    }


def _drawn(bundle: Bundle, how: Sampling) -> list[list[int]]:
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


if __name__ == "__main__":
    FILE.write_text(json.dumps(made(model.load()), separators=(",", ":")) + "\n", "utf-8")
