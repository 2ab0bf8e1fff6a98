"""The content of the model map for one token, as values; layout.js fits it to the available width."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from model import Trace
from model.config import TransformerConfig
from model.trace import Floats, TokenSequence
from viz.plain_text import chip_text

MOST_LAYERS = 8
"""A deeper stack shows this count of layers, its first and its last, with a row of dots between them."""
MOST_TOKENS = 28
"""Tokens below all stacks; of a longer text, those around the step."""
CANDIDATES = 4


@dataclass(frozen=True, slots=True)
class Head:
    """One head in a box."""

    share: float
    """The largest weight for the predicted token, 0 to 1; the rows' mean for an encoder beside a decoder."""
    token: str
    """The token with that weight; empty for a mean."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the model, a box."""

    name: str
    """What a click sends: "encoder_self.0", "decoder.embedding", …"""
    words: str
    """The key of its label in the component's strings."""
    kind: str = ""
    """The kind of attention, for its hue; empty for other parts."""
    heads: tuple[Head, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """Parts side by side: a layer, the embedding, or the output."""

    parts: tuple[Part, ...]
    label: str = ""
    """The layer's name; dots, without parts, for omitted layers."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token under a stack."""

    text: str
    is_lit: bool
    side: str
    """The side of the sentence on the stage, "source" or "target"."""
    index: int
    """The token's index on that side: the token that is fed was predicted one step before."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A next token and its probability."""

    text: str
    probability: float


@dataclass(frozen=True, slots=True)
class Stack:
    """One column."""

    title: str
    """The key of its name in the component's strings."""
    caption: str
    """The key of its tokens' name."""
    rows: tuple[Row, ...]
    """From the bottom."""
    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The map for one token."""

    stacks: tuple[Stack, ...]
    """From the left; the candidates stand over the last one."""
    candidates: tuple[Candidate, ...]
    predicted: str
    """Empty for an encoder-only model."""


def plan_of(config: TransformerConfig, trace: Trace, step: int, *, first_index: int = 0) -> Plan:
    """The map of an encoder-decoder, for the token that it predicts at one step."""
    maps = trace.attention
    assert maps.cross is not None
    encoder, decoder, cross = maps.encoder_self, maps.decoder_self, maps.cross
    step = min(step, len(trace.target) - 1)
    source, fed = _texts(trace.source), _texts(trace.prefix)

    def reading(layer: int) -> tuple[Part, ...]:
        heads = () if encoder is None else _mean_heads(encoder[layer])
        return (
            Part(f"encoder_self.{layer}", "self_attention", "encoder_self", heads),
            Part(f"encoder.feed.{layer}", "feed_forward"),
        )

    def writing(layer: int) -> tuple[Part, ...]:
        heads = () if decoder is None else _heads_at(decoder[layer, :, step], fed)
        return (
            Part(f"decoder_self.{layer}", "masked_attention", "decoder_self", heads),
            Part(f"cross.{layer}", "cross_attention", "cross", _heads_at(cross[layer, :, step], source)),
            Part(f"decoder.feed.{layer}", "feed_forward"),
        )

    ends = [(Part(f"{stack}.embedding", "embedding"), Part(f"{stack}.output", words))
            for stack, words in (("encoder", "memory"), ("decoder", "output"))]  # fmt: skip
    read = [Token(text, True, "source", place) for place, text in enumerate(source)]
    written = [Token(text, place <= step, "target", max(0, place - 1)) for place, text in enumerate(fed)]
    half = MOST_TOKENS // 2
    return Plan(
        (
            Stack("encoder", "reads", _rows(config.n_encoder_layers, reading, *ends[0], first_index),
                  tuple(read[:half])),
            Stack("decoder", "written", _rows(config.n_decoder_layers, writing, *ends[1], first_index),
                  _around(written, step, half)),
        ),
        _candidates(trace, step), chip_text(trace.target.pieces[step]),
    )  # fmt: skip


def single_stack_plan_of(
    trace: Trace, step: int, *, n_prompt: int = 0, first_index: int = 0, has_positions: bool = True,
    is_masked: bool = False,
) -> Plan:  # fmt: skip
    """The map of a model with one stack.

    Args:
        trace: of a decoder-only model, T tokens that it was fed; of an encoder-only model, S tokens that it read.
        step: the followed token: the query of every head, from which a decoder predicts the next token.
        n_prompt: tokens of the reader's text, at the beginning of a decoder-only model's input.
        has_positions: whether position embeddings are added.
        is_masked: whether an encoder-only model has the head that predicts hidden tokens.
    """
    is_decoder = trace.attention.encoder_self is None
    stack, kind = ("decoder", "decoder_self") if is_decoder else ("encoder", "encoder_self")
    weights = trace.attention.of(kind)
    assert weights is not None
    texts = _texts(trace.prefix if is_decoder else trace.source)
    step = min(step, len(texts) - 1)

    def layer_parts(layer: int) -> tuple[Part, ...]:
        words = "masked_alone" if is_decoder else "attention_alone"
        return (
            Part(f"{kind}.{layer}", words, kind, _heads_at(weights[layer, :, step], texts)),
            Part(f"{stack}.feed.{layer}", "feed_forward"),
        )

    entrance = Part(f"{stack}.embedding", "embedding" if has_positions else "embedding_alone")
    output = Part("encoder.masked", "masked_output") if is_masked else Part("encoder.output", "vectors")
    rows = _rows(
        len(weights), layer_parts, entrance, Part("decoder.output", "output") if is_decoder else output, first_index
    )
    # A token that the decoder generated belongs to the step that predicted it.
    n_read = n_prompt if is_decoder and n_prompt else len(texts)
    tokens = [
        Token(text, place <= step or not is_decoder, "source", place) if place < n_read
        else Token(text, place <= step, "target", place - n_read)
        for place, text in enumerate(texts)
    ]  # fmt: skip
    caption = "text_alone" if is_decoder else "tokens_alone"
    return Plan(
        (Stack(f"{stack}_alone", caption, rows, _around(tokens, step, MOST_TOKENS)),),
        _candidates(trace, step), _next_token(trace, step, n_prompt),
    )  # fmt: skip


def _rows(
    n_layers: int, parts: Callable[[int], tuple[Part, ...]], entrance: Part, output: Part, first_index: int
) -> tuple[Row, ...]:
    half, is_deep = MOST_LAYERS // 2, n_layers > MOST_LAYERS
    shown = (layer for layer in range(n_layers) if not is_deep or layer < half or layer > n_layers - half)
    layers = [Row(parts(layer), str(layer + first_index)) for layer in shown]
    if is_deep:
        layers.insert(half, Row((), "…"))
    return (Row((entrance,)), *layers, Row((output,)))


def _texts(tokens: TokenSequence) -> list[str]:
    return [chip_text(piece) for piece in tokens.pieces]


def _around(tokens: list[Token], step: int, n: int) -> tuple[Token, ...]:
    start = max(0, min(step - n // 2, len(tokens) - n))
    return tuple(tokens[start : start + n])


def _heads_at(rows: Floats, tokens: list[str]) -> tuple[Head, ...]:
    """The heads of one layer at one step, from their rows (H, S)."""
    places = rows.argmax(-1)
    return tuple(
        Head(float(row[at]), tokens[at] if at < len(tokens) else "") for row, at in zip(rows, places, strict=True)
    )


def _mean_heads(weights: Floats) -> tuple[Head, ...]:
    return tuple(Head(float(head.max(-1).mean()), "") for head in weights)


def _candidates(trace: Trace, step: int) -> tuple[Candidate, ...]:
    if trace.candidates is None:
        return ()
    best = zip(trace.candidates.pieces[step], trace.candidates.log_probs[step], strict=True)
    return tuple(Candidate(chip_text(piece), float(np.exp(value))) for piece, value in list(best)[:CANDIDATES])


def _next_token(trace: Trace, step: int, n_prompt: int) -> str:
    """The next token: inside the prompt, whose next token is forced, the model's best candidate."""
    if step >= len(trace.target):
        return ""
    candidates = _candidates(trace, step)
    return candidates[0].text if candidates and step < n_prompt - 1 else chip_text(trace.target.pieces[step])
