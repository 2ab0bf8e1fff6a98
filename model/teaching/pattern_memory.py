"""A feed-forward network as a memory of patterns: which of its numbers a word makes large, and which other words do.

Geva et al. (2021) read the first matrix as patterns and the second as what each pattern adds to the vector.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from model.bundle import Bundle
from model.interpret.inspection import encoder_decoder_of
from model.nn.padding import pad
from model.teaching.measured.own_words import is_word
from model.text.tokenizer import WORD_MARK
from model.text.tokens import source_tokens

MOST_OTHERS = 3
FAINT = 0.25
"""A number below this share of the word's own is not named."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """The numbers between the two matrices of a feed-forward network, for one token."""

    n_numbers: int
    n_above_zero: int
    strongest: int
    """Which of them is largest, from 0."""
    value: float
    others: tuple[tuple[str, float], ...]
    """Other words that make the same number large, with its value there, the largest first."""


@torch.inference_mode()
def strongest_pattern(bundle: Bundle, *, text: str, layer: int, token: int, texts: tuple[str, ...]) -> Pattern:
    """What a token of a sentence makes large in the feed-forward network of an encoder layer.

    Args:
        token: its place in the source.
        texts: sentences in which other words are looked for.

    Raises:
        InspectionError: for a model that runs in its original implementation.
        TextError: when a text cannot be read by this model.
    """
    network, name = encoder_decoder_of(bundle), f"encoder.{layer}.feed_forward.hidden"
    sources = [source_tokens(bundle, each) for each in (text, *texts)]
    ids = pad([source.ids for source in sources], network.config.source_pad_id, device=bundle.device)  # (B, S)
    hidden = network.encode(ids, record=frozenset({name}), n_layers=layer + 1).recorded[name]  # (B, S, F)
    own = hidden[0, token]
    strongest = int(own.argmax())
    values, word = hidden[..., strongest].tolist(), _word(sources[0].pieces[token])
    largest: dict[str, float] = {}
    for source, row in zip(sources, values, strict=True):
        for piece, value in zip(source.pieces, row, strict=False):
            if is_word(piece) and _word(piece) != word:
                largest[_word(piece)] = max(value, largest.get(_word(piece), 0.0))
    value = float(own[strongest])
    ranked = sorted(largest.items(), key=lambda item: -item[1])[:MOST_OTHERS]
    others = tuple((name, found) for name, found in ranked if found >= FAINT * value > 0)
    return Pattern(own.numel(), int((own > 0).sum()), strongest, value, others)


def _word(piece: str) -> str:
    return piece.strip(WORD_MARK).lower()
