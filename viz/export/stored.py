"""What the page shows before its model is loaded: tokens, candidates and the attention on the stage (cross-attention
of a translation, self-attention of a decoder-only model's continuation).

Weights are bytes (0 to 255 for 0 to 1), so that a sentence of eight tokens takes about five kilobytes.
"""

import base64
from typing import Any, Literal

import numpy as np

import model
from model.analysis.metrics import going_on
from model.bundle import Bundle
from model.inference.reading import prompt_tokens
from model.inference.variants import translate_variants
from model.interventions import HeadAblation, Interventions
from model.teaching.choosing import Telling, most_telling, telling
from model.text.tokens import describe_target
from model.trace import KINDS, Floats, TokenSequence, Trace
from viz.export.gallery import Entry

N_CANDIDATES = 6
HEADS_PER_PASS = 8
"""Heads tried in one batch."""
MATTERS = "head_matters"


def main_kind(bundle: Bundle) -> Literal["cross", "decoder_self"]:
    """The kind of attention on the stage."""
    return "decoder_self" if bundle.config.is_single_stack else "cross"


def telling_head(bundle: Bundle, text: str) -> Telling | None:
    """The head to switch off on a text, which changes the model's output; None where there is none."""
    if bundle.picture is not None:
        return _telling_of_picture(bundle, text)
    return _telling_of_decoder_only(bundle, text) if bundle.config.is_single_stack else telling(bundle, text)


def _telling_of_picture(bundle: Bundle, text: str) -> Telling | None:
    """Of the heads that change the reading, the one whose attention follows the word most clearly."""
    plain = model.translate(bundle, text)
    weights = plain.attention.cross
    assert weights is not None
    return _first_that_changes(bundle, plain, going_on(weights), "cross")


def _telling_of_decoder_only(bundle: Bundle, text: str) -> Telling | None:
    """Of a decoder-only model's heads that change the continuation, the one with the largest weights beyond the start
    token."""
    plain = model.translate(bundle, text)
    weights = plain.attention.decoder_self
    assert weights is not None
    clarity = weights[:, :, n_read(bundle, text) :, 1:].max(-1).mean(-1)  # (L, H)
    return _first_that_changes(bundle, plain, clarity, "decoder_self")


def _first_that_changes(
    bundle: Bundle, plain: Trace, clarity: Floats, kind: Literal["cross", "decoder_self"]
) -> Telling | None:
    """Of the heads that change the output when switched off, the one with the largest clarity (L, H)."""
    text = plain.source_text
    heads = [divmod(int(place), clarity.shape[1]) for place in np.argsort(-clarity, axis=None)]
    for start in range(0, len(heads), HEADS_PER_PASS):
        tried = heads[start : start + HEADS_PER_PASS]
        variants = [Interventions(heads_off=(HeadAblation(kind, *head),)) for head in tried]
        for place, (written,) in enumerate(translate_variants(bundle, [text], variants)):
            if written == plain.text:
                continue
            changed = model.translate(bundle, text, interventions=variants[place])
            if changed.text != plain.text and not changed.is_truncated:
                layer, head = tried[place]
                return Telling(text, layer, head, plain.text, changed.text, float(clarity[layer, head]))
    return None


def n_read(bundle: Bundle, text: str) -> int:
    """Tokens of a decoder-only model's prompt, without the start token."""
    return len(prompt_tokens(bundle, text)) - 1


def opening(bundle: Bundle, entries: list[Entry]) -> tuple[Entry, Telling | None]:
    """The opening sentence and the head to switch off on it, chosen by measurement.

    Sentences chosen because a head matters for them come first. A decoder-only model opens on the first prompt for
    which one of its heads matters.
    """
    if bundle.picture is not None:
        return entries[0], _telling_of_picture(bundle, entries[0].text)
    if bundle.config.is_single_stack:
        found = (
            (entry, telling)
            for entry in entries
            if (telling := _telling_of_decoder_only(bundle, entry.text)) is not None
        )
        return next(found, (entries[0], None))
    for chosen in ([entry for entry in entries if entry.group == MATTERS], entries):
        if (telling := most_telling(bundle, [entry.text for entry in chosen])) is not None:
            return next(entry for entry in chosen if entry.text == telling.text), telling
    return entries[0], None


def stored_translation(bundle: Bundle, text: str, telling: Telling | None = None) -> dict[str, Any]:
    """A translation in the format of the page's worker, and the same with the telling head off.

    Args:
        telling: the head that matters for this text; None where none is known.
    """
    plain = model.translate(bundle, text, n_candidates=N_CANDIDATES)
    scene = _scene(bundle, plain)
    if telling is not None:
        ablation = Interventions(heads_off=(HeadAblation(main_kind(bundle), telling.layer, telling.head),))
        changed = model.translate(bundle, text, interventions=ablation, n_candidates=N_CANDIDATES)
        scene |= {"head": [telling.layer, telling.head], "off": _scene(bundle, changed)}
    return scene


def maps(bundle: Bundle, text: str) -> dict[str, dict[str, Any]]:
    """All attention of a translation, by kind: shape (layers, heads, rows, columns) and weights."""
    attention = model.translate(bundle, text).attention
    sizes = ("layers", "heads", "rows", "columns")
    return {
        kind: dict(zip(sizes, weights.shape, strict=True)) | {"weights": _bytes(weights)}
        for kind in KINDS if (weights := attention.of(kind)) is not None
    }  # fmt: skip


def _bytes(weights: Floats) -> str:
    return base64.b64encode(np.rint(weights * 255).astype(np.uint8).tobytes()).decode("ascii")


def _scene(bundle: Bundle, trace: Trace) -> dict[str, Any]:
    above, below, weights = sides(bundle, trace)
    first = len(trace.target) - len(below)
    tokenizer = bundle.target_tokenizer
    return {
        "text": trace.source_text,
        "translation": tokenizer.decode(below.ids) if first and tokenizer else trace.text,
        "languages": {"source": bundle.source_language, "target": bundle.target_language or bundle.source_language},
        "source": _side(above),
        "target": _side(below),
        "main": main_kind(bundle),
        "first": first,
        "layers": weights.shape[0],
        "heads": weights.shape[1],
        "strip": 0 if bundle.picture is None else bundle.picture.strip,
        "weights": _bytes(weights),
        "candidates": _candidates(trace)[first:],
    }


def sides(bundle: Bundle, trace: Trace) -> tuple[TokenSequence, TokenSequence, Floats]:
    """The stage's S keys, T written tokens, and weights (L, H, T, S).

    A decoder-only model's keys are the text so far; its written tokens follow the prompt.
    """
    if not bundle.config.is_single_stack:
        assert trace.attention.cross is not None
        return trace.source, trace.target, trace.attention.cross
    weights = trace.attention.decoder_self
    assert weights is not None
    first = n_read(bundle, trace.source_text)
    return trace.prefix, describe_target(bundle, trace.target.ids[first:]), weights[:, :, first:]


def _candidates(trace: Trace) -> list[list[list[Any]]]:
    """Id, piece and log-probability of each step's candidates."""
    candidates = trace.candidates
    assert candidates is not None
    ids, log_probs = candidates.ids[:, :N_CANDIDATES].tolist(), candidates.log_probs[:, :N_CANDIDATES].tolist()
    return [
        [[token, piece, round(log_prob, 3)] for token, piece, log_prob in zip(*step, strict=True)]
        for step in zip(ids, (pieces[:N_CANDIDATES] for pieces in candidates.pieces), log_probs, strict=True)
    ]


def _side(tokens: TokenSequence) -> dict[str, list[Any]]:
    return {"ids": list(tokens.ids), "pieces": list(tokens.pieces), "words": list(tokens.words)}
