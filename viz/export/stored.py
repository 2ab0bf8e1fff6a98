"""Translations that the page shows before its model has come: tokens, candidates and every cross-attention weight.

Weights are bytes (0 to 255 for 0 to 1), so that a sentence of eight tokens takes about five kilobytes.
"""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

import model
from model.bundle import Bundle
from model.interventions import HeadAblation, Interventions
from model.teaching.choosing import Telling, most_telling
from model.trace import TokenSequence, Trace
from viz.export.gallery import Entry

N_CANDIDATES = 6
MATTERS = "head_matters"


def opening(bundle: Bundle, entries: list[Entry]) -> tuple[Entry, Telling | None]:
    """The sentence that the page opens on and the head to switch off on it, chosen by measurement.

    Sentences that are offered because a head matters for them come first.
    """
    for chosen in ([each for each in entries if each.group == MATTERS], entries):
        if (found := most_telling(bundle, [each.text for each in chosen])) is not None:
            return next(each for each in chosen if each.text == found.text), found
    return entries[0], None


def stored(bundle: Bundle, text: str, told: Telling | None = None) -> dict[str, Any]:
    """A translation as the page's worker would give it, and the same one with the telling head off.

    Args:
        told: the head that matters for this text; None where none is known.
    """
    plain = model.translate(bundle, text, n_candidates=N_CANDIDATES)
    scene = _scene(bundle, plain)
    if told is not None:
        off = Interventions(heads_off=(HeadAblation("cross", told.layer, told.head),))
        changed = model.translate(bundle, text, interventions=off, n_candidates=N_CANDIDATES)
        scene |= {"head": [told.layer, told.head], "off": _scene(bundle, changed)}
    return scene


def _scene(bundle: Bundle, trace: Trace) -> dict[str, Any]:
    weights, candidates = trace.attention.cross, trace.candidates
    assert weights is not None and candidates is not None
    return {
        "text": trace.source_text,
        "translation": trace.text,
        "languages": {"source": bundle.source_language, "target": bundle.target_language},
        "source": _side(trace.source),
        "target": _side(trace.target),
        "layers": weights.shape[0],
        "heads": weights.shape[1],
        "cross": base64.b64encode(np.rint(weights * 255).astype(np.uint8).tobytes()).decode("ascii"),
        "candidates": [
            [[int(token), piece, round(float(log_prob), 3)] for token, piece, log_prob in step]
            for step in _steps(trace)
        ],
    }


def _steps(trace: Trace) -> list[list[tuple[int, str, float]]]:
    found = trace.candidates
    assert found is not None
    return [
        list(zip(ids[:N_CANDIDATES], pieces[:N_CANDIDATES], log_probs[:N_CANDIDATES], strict=True))
        for ids, pieces, log_probs in zip(found.ids.tolist(), found.pieces, found.log_probs.tolist(), strict=True)
    ]


def _side(tokens: TokenSequence) -> dict[str, list[Any]]:
    return {"ids": list(tokens.ids), "pieces": list(tokens.pieces), "words": list(tokens.words)}
