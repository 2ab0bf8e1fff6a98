"""A feed-forward network as a memory of patterns: which hidden units a word activates.

Geva et al. (2021) read the first matrix as patterns and the second as what each pattern adds to the vector.
``model/corpus/units.py`` has the words that make each number large.
"""

from dataclasses import dataclass

import torch

from model.bundle import Bundle
from model.interpret.inspection import encoder_decoder_of
from model.text.tokens import source_tokens


@dataclass(frozen=True, slots=True)
class Pattern:
    """The hidden activations of a feed-forward network for one token."""

    n_numbers: int
    n_above_zero: int
    strongest: int
    """Which of them is largest, from 0."""
    value: float


@torch.inference_mode()
def strongest_pattern(bundle: Bundle, *, text: str, layer: int, token: int) -> Pattern:
    """The unit that a token activates most in the feed-forward network of an encoder layer.

    Args:
        token: its place in the source.

    Raises:
        InspectionError: for a model that runs in its original implementation.
        TextError: when the text cannot be read by this model.
    """
    name, ids = f"encoder.{layer}.feed_forward.hidden", source_tokens(bundle, text).ids
    encoded = encoder_decoder_of(bundle).encode(
        torch.tensor([ids], device=bundle.device), record=frozenset({name}), n_layers=layer + 1
    )
    values = encoded.recorded[name][0, token]  # (F,)
    strongest = int(values.argmax())
    return Pattern(values.numel(), int((values > 0).sum()), strongest, float(values[strongest]))
