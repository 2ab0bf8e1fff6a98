"""The positions of an encoder-decoder's parts on the map: a column for each stack, a row for each layer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model import Trace
from model.config import TransformerConfig
from model.interventions import AttentionKind
from model.trace import Floats
from viz.plain_text import chip_text

WIDTH = 1000
ROW, GAP, BOX = 40, 12, 34
MOST_LAYERS = 8
"""Layers drawn of a deeper stack: its first and its last; a row of dots stands for the rest."""
MOST_TOKENS = 14
_ENCODER, _DECODER, _STACK = 30, 500, 420
CANDIDATES = 4


@dataclass(frozen=True, slots=True)
class Head:
    """One head in a box."""

    share: float
    """Its largest weight for the token being predicted, 0 to 1; in the encoder the mean over its rows."""
    token: str
    """Where that weight lies; empty in the encoder."""


@dataclass(frozen=True, slots=True)
class Box:
    """One part of the model."""

    name: str
    """As a click sends it: "encoder_self.0", "decoder.embedding", …"""
    words: str
    """Which of the component's strings is its label."""
    x: float
    y: float
    width: float
    height: float = BOX
    kind: AttentionKind | str = ""
    """The kind of attention, for its hue; empty for other parts."""
    heads: tuple[Head, ...] = ()
    layer: int = -1


@dataclass(frozen=True, slots=True)
class Token:
    """A token under a stack."""

    text: str
    x: float
    y: float
    width: float
    is_lit: bool
    side: str
    """Of the sentence, "source" or "target", as the stage names them."""
    index: int
    """The token of that side for which it stands: what is fed was predicted one step before."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A next token and its probability."""

    text: str
    probability: float


@dataclass(frozen=True, slots=True)
class Stack:
    """One column."""

    x: float
    title: str
    """Which of the component's strings names it."""
    caption: str
    """Which of them says what its tokens are."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The map for one predicted token."""

    height: float
    boxes: tuple[Box, ...]
    tokens: tuple[Token, ...]
    arrows: tuple[tuple[float, float, float, float, str], ...]
    """From x, y to x, y, and what flows: "stream" or "memory"."""
    layers: tuple[tuple[float, float, str], ...]
    """Where the name of each row stands: x, y, words."""
    candidates: tuple[Candidate, ...]
    predicted: str
    """Empty for an encoder-only model."""
    stacks: tuple[Stack, ...]
    """From the left; the candidates stand over the last one."""


_STACKS = (Stack(_ENCODER + 24, "encoder", "reads"), Stack(_DECODER + 24, "decoder", "written"))


def plan_of(config: TransformerConfig, trace: Trace, step: int, *, first_index: int = 0) -> Plan:
    """The map of an encoder-decoder, lit for the token that it predicts at one step."""
    n_encoder, n_decoder = (len(layers_shown(n)) for n in (config.n_encoder_layers, config.n_decoder_layers))
    top, bottom = 70.0, 70.0 + (max(n_encoder, n_decoder) + 1) * (ROW + GAP)
    memory_y, output_y = row_top(bottom, n_encoder), row_top(bottom, n_decoder)
    step = min(step, len(trace.target) - 1)
    source = [chip_text(piece) for piece in trace.source.pieces]
    fed = [chip_text(piece) for piece in trace.prefix.pieces]
    boxes = [*_encoder(config, trace, bottom), *_decoder(config, trace, step, bottom, source, fed)]
    labels = [
        (x, row_top(bottom, place) + BOX / 2, "…" if layer < 0 else str(layer + first_index))
        for x, n_layers in ((_ENCODER, config.n_encoder_layers), (_DECODER, config.n_decoder_layers))
        for place, layer in enumerate(layers_shown(n_layers))
    ]
    arrows = [  # keys and values of the encoder enter every decoder layer
        (_ENCODER + 396, memory_y + BOX / 2, box.x + 80, box.y + BOX, "memory") for box in boxes if box.kind == "cross"
    ]
    for x, upto in ((_ENCODER + 210, memory_y), (_DECODER + 247, output_y)):
        y = bottom
        while y - (ROW + GAP) >= upto - 1:
            arrows.append((x, y, x, y - GAP - (ROW - BOX), "stream"))
            y -= ROW + GAP
    token_y = bottom + BOX + 26
    tokens = [*token_row(source, "source", _ENCODER + 24, 372, token_y, lit=len(source), at=-1),
              *token_row(fed, "target", _DECODER + 24, 446, token_y, lit=step + 1, at=step)]  # fmt: skip
    candidates: tuple[Candidate, ...] = ()
    if trace.candidates is not None:
        pieces, log_probs = trace.candidates.pieces[step], trace.candidates.log_probs[step]
        candidates = tuple(
            Candidate(chip_text(piece), float(np.exp(value)))
            for piece, value in list(zip(pieces, log_probs, strict=True))[:CANDIDATES]
        )
    predicted = chip_text(trace.target.pieces[step])
    shift = min(0.0, min(box.y for box in boxes) - top)
    return Plan(
        token_y + 46 - shift, tuple(boxes), tuple(tokens), tuple(arrows), tuple(labels), candidates, predicted, _STACKS
    )


def row_top(bottom: float, place: int) -> float:
    """The upper edge of a stack's row; the embedding stands below the first."""
    return bottom - (place + 1) * (ROW + GAP)


def _encoder(config: TransformerConfig, trace: Trace, bottom: float) -> list[Box]:
    boxes, shown = [], layers_shown(config.n_encoder_layers)
    attention = trace.attention.encoder_self
    for place, layer in enumerate(shown):
        if layer < 0:
            continue
        y = row_top(bottom, place)
        heads = () if attention is None else _mean_heads(attention[layer])
        boxes.append(Box(f"encoder_self.{layer}", "self_attention", _ENCODER + 24, y, 236, kind="encoder_self",
                         heads=heads, layer=layer))  # fmt: skip
        boxes.append(Box(f"encoder.feed.{layer}", "feed_forward", _ENCODER + 268, y, 128, layer=layer))
    boxes.append(Box("encoder.output", "memory", _ENCODER + 24, row_top(bottom, len(shown)), 372))
    boxes.append(Box("encoder.embedding", "embedding", _ENCODER + 24, bottom, 372))
    return boxes


def _decoder(
    config: TransformerConfig, trace: Trace, step: int, bottom: float, source: list[str], fed: list[str]
) -> list[Box]:
    own, cross = trace.attention.decoder_self, trace.attention.cross
    assert cross is not None
    boxes, shown = [], layers_shown(config.n_decoder_layers)
    for place, layer in enumerate(shown):
        if layer < 0:
            continue
        y = row_top(bottom, place)
        boxes += [
            Box(f"decoder_self.{layer}", "masked_attention", _DECODER + 24, y, 160, kind="decoder_self",
                heads=() if own is None else heads_at(own[layer, :, step], fed), layer=layer),
            Box(f"cross.{layer}", "cross_attention", _DECODER + 192, y, 160, kind="cross",
                heads=heads_at(cross[layer, :, step], source), layer=layer),
            Box(f"decoder.feed.{layer}", "feed_forward", _DECODER + 360, y, 110, layer=layer),
        ]  # fmt: skip
    boxes.append(Box("decoder.output", "output", _DECODER + 24, row_top(bottom, len(shown)), 446))
    boxes.append(Box("decoder.embedding", "embedding", _DECODER + 24, bottom, 446))
    return boxes


def layers_shown(n_layers: int) -> list[int]:
    """Indexes of the layers that are drawn, from the bottom; -1 stands for those left out."""
    if n_layers <= MOST_LAYERS:
        return list(range(n_layers))
    return [*range(MOST_LAYERS // 2), -1, *range(n_layers - MOST_LAYERS // 2 + 1, n_layers)]


def heads_at(rows: Floats, tokens: list[str]) -> tuple[Head, ...]:
    """The heads of one layer at one step, from their rows (H, S)."""
    places = rows.argmax(-1)
    return tuple(
        Head(float(row[at]), tokens[at] if at < len(tokens) else "") for row, at in zip(rows, places, strict=True)
    )


def _mean_heads(weights: Floats) -> tuple[Head, ...]:
    return tuple(Head(float(head.max(-1).mean()), "") for head in weights)


def token_row(
    texts: Sequence[str], side: str, x: float, room: float, y: float, *, lit: int, at: int, most: int = MOST_TOKENS
) -> list[Token]:
    """Tokens in one row; of a long sentence those around the step."""
    start = max(0, min(at - most // 2, len(texts) - most)) if at >= 0 else 0
    shown = list(texts[start : start + most])
    total = sum(max(2, len(text)) for text in shown) or 1
    gap, tokens = 4.0, []
    scale = min(9.5, (room - gap * len(shown)) / total)
    for place, text in enumerate(shown, start=start):
        width = max(2, len(text)) * scale
        stands_for = place if side == "source" else max(0, place - 1)
        tokens.append(Token(text, x, y, width, place < lit, side, stands_for))
        x += width + gap
    return tokens
