"""The positions of an encoder-only model's or decoder's parts on the map: one column as wide as the map."""

from __future__ import annotations

import numpy as np

from model import Trace
from model.interventions import AttentionKind
from viz.components.overview.plan import (
    BOX,
    CANDIDATES,
    GAP,
    ROW,
    Box,
    Candidate,
    Plan,
    Stack,
    Token,
    heads_at,
    layers_shown,
    row_top,
    token_row,
)
from viz.plain_text import chip_text

_LEFT, _SPAN = 54, 916
_ATTENTION = 600
_MOST_TOKENS = 28


def single_stack_plan_of(
    trace: Trace,
    step: int,
    *,
    n_prompt: int = 0,
    first_index: int = 0,
    has_positions: bool = True,
    is_masked: bool = False,
) -> Plan:
    """The map of a model with one stack.

    Args:
        trace: of a decoder-only model, T tokens that it was fed; of an encoder-only model, S tokens that it read.
        step: the token that is followed: its row is lit in every head, and a decoder predicts the next one from it.
        n_prompt: tokens at the beginning of what a decoder-only model is fed that are the reader's text.
        has_positions: whether vectors of positions are added to the embeddings.
        is_masked: whether an encoder-only model has the head that predicts hidden tokens.
    """
    kind: AttentionKind = "decoder_self" if trace.attention.encoder_self is None else "encoder_self"
    weights = trace.attention.of(kind)
    assert weights is not None
    is_decoder = kind == "decoder_self"
    tokens = [chip_text(piece) for piece in (trace.prefix if is_decoder else trace.source).pieces]
    step = min(step, len(tokens) - 1)
    shown = layers_shown(len(weights))
    bottom = 70.0 + (len(shown) + 1) * (ROW + GAP)
    boxes = _boxes(kind, shown, bottom, is_masked=is_masked, has_positions=has_positions)
    boxes = [
        Box(box.name, box.words, box.x, box.y, box.width, kind=box.kind, layer=box.layer,
            heads=heads_at(weights[box.layer, :, step], tokens) if box.kind else ())
        for box in boxes
    ]  # fmt: skip
    middle, token_y = _LEFT + _SPAN / 2, bottom + BOX + 26
    rows = range(len(shown) + 1)
    arrows = [(middle, y, middle, y - GAP - (ROW - BOX), "stream") for y in (bottom - i * (ROW + GAP) for i in rows)]
    labels = [
        (30.0, row_top(bottom, place) + BOX / 2, "…" if layer < 0 else str(layer + first_index))
        for place, layer in enumerate(shown)
    ]
    name = "decoder" if is_decoder else "encoder"
    return Plan(
        token_y + 46, tuple(boxes), tuple(_tokens(tokens, step, token_y, is_decoder, n_prompt)), tuple(arrows),
        tuple(labels), _candidates(trace, step), _predicted(trace, step, n_prompt),
        (Stack(_LEFT, f"{name}_alone", "text_alone" if is_decoder else "tokens_alone"),),
    )  # fmt: skip


def _boxes(kind: AttentionKind, shown: list[int], bottom: float, *, is_masked: bool, has_positions: bool) -> list[Box]:
    is_decoder = kind == "decoder_self"
    stack = kind.partition("_")[0]
    attention = "masked_alone" if is_decoder else "attention_alone"
    boxes = []
    for place, layer in enumerate(shown):
        y = row_top(bottom, place)
        if layer >= 0:
            boxes.append(Box(f"{kind}.{layer}", attention, _LEFT, y, _ATTENTION, kind=kind, layer=layer))
            feed = _LEFT + _ATTENTION + 8
            boxes.append(Box(f"{stack}.feed.{layer}", "feed_forward", feed, y, _LEFT + _SPAN - feed, layer=layer))
    top = ("decoder.output", "output") if is_decoder else ("encoder.masked", "masked_output")
    name, words = top if is_decoder or is_masked else ("encoder.output", "vectors")
    entrance = "embedding" if has_positions else "embedding_alone"
    return [
        *boxes, Box(name, words, _LEFT, row_top(bottom, len(shown)), _SPAN),
        Box(f"{stack}.embedding", entrance, _LEFT, bottom, _SPAN),
    ]  # fmt: skip


def _tokens(texts: list[str], step: int, y: float, is_decoder: bool, n_prompt: int) -> list[Token]:
    """The tokens below the stack; what a decoder wrote itself stands for the step that predicted it."""
    placed = token_row(
        texts, "source", _LEFT, _SPAN, y, lit=step + 1 if is_decoder else len(texts), at=step, most=_MOST_TOKENS
    )
    written = [token for token in placed if is_decoder and n_prompt and token.index >= n_prompt]
    return [
        Token(token.text, token.x, token.y, token.width, token.is_lit, "target", token.index - n_prompt)
        if token in written else token
        for token in placed
    ]  # fmt: skip


def _candidates(trace: Trace, step: int) -> tuple[Candidate, ...]:
    if trace.candidates is None:
        return ()
    pieces, log_probs = trace.candidates.pieces[step], trace.candidates.log_probs[step]
    best = list(zip(pieces, log_probs, strict=True))[:CANDIDATES]
    return tuple(Candidate(chip_text(piece), float(np.exp(value))) for piece, value in best)


def _predicted(trace: Trace, step: int, n_prompt: int) -> str:
    """The token that follows: in the prompt the model's own guess, since the next one is given."""
    if step >= len(trace.target):
        return ""
    candidates = _candidates(trace, step)
    return candidates[0].text if candidates and step < n_prompt - 1 else chip_text(trace.target.pieces[step])
