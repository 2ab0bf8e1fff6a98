"""Predicts hidden tokens with an encoder's masked-LM head (Devlin et al. 2019, section 3.1)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from model.bundle import Bundle
from model.decoding.step import DecodingError
from model.inference.reading import kinds_of
from model.inference.teacher_forcing import teacher_forced
from model.interventions import NONE, Interventions
from model.text.tokens import Source, TextError, describe, source_tokens
from model.trace import Candidates, Floats, TokenSequence


@dataclass(frozen=True, slots=True)
class MaskedReading:
    """A text with hidden tokens, and the model's predictions for them."""

    tokens: TokenSequence
    """The S tokens that were read, with the mask token at each hidden position."""
    places: tuple[int, ...]
    """The M hidden positions, in order."""
    candidates: Candidates
    """(M, C) candidates for each hidden position, best first."""
    hidden_log_probs: Floats
    """(M,) natural logarithm of the hidden token's probability; NaN where the text itself had the mask token."""
    log_probs: Floats
    """(M, V) natural logarithm of every token's probability."""


def mask_id(bundle: Bundle) -> int | None:
    """The id of the mask token; None for a model that predicts no masked tokens."""
    has_head = kinds_of(bundle) == ("encoder_self",) and getattr(bundle.config, "predicts", False)
    return getattr(bundle.source_tokenizer, "mask_id", None) if has_head else None


@torch.inference_mode()
def fill_masks(
    bundle: Bundle, text: Source, *, hidden: Sequence[int] = (), interventions: Interventions = NONE, most: int = 10
) -> MaskedReading:
    """The most probable tokens for each hidden position of a text.

    Args:
        text: may contain the tokenizer's mask token, such as ``[MASK]`` or ``<mask>``.
        hidden: further positions to hide, as indexes into the tokens, special ones included.
        most: C, the number of candidates per position.

    Raises:
        DecodingError: when the model has no masked-LM head or no mask token.
        TextError: when the text cannot be read, or has no such position.
        InterventionError: when an intervention names what the model does not have.
    """
    mask = mask_id(bundle)
    if mask is None:
        raise DecodingError(
            f"{bundle.name} predicts no hidden tokens: choose an encoder that was saved with its masked-LM head and "
            "its tokenizer"
        )
    source = source_tokens(bundle, text)
    wrong = [place for place in hidden if not 0 <= place < len(source)]
    if wrong:
        raise TextError(f"there is no token {wrong[0]} to hide: the text has the tokens 0 to {len(source) - 1}")
    places = tuple(i for i, index in enumerate(source.ids) if index == mask or i in hidden)
    tokens = _with_masks(bundle, source, mask, places)
    log_probs = teacher_forced(bundle, [(tokens.ids, ())], interventions=interventions).logits[0].log_softmax(-1)
    at = log_probs[list(places)]  # (M, V)
    best = at.topk(min(most, at.shape[-1]), -1)
    names = describe(bundle.source_tokenizer, best.indices.flatten().tolist(), ()).pieces
    n = best.indices.shape[-1]
    pieces = tuple(tuple(names[row * n : (row + 1) * n]) for row in range(len(places)))
    log_prob_of_token = [float("nan") if source.ids[i] == mask else float(log_probs[i, source.ids[i]]) for i in places]
    return MaskedReading(
        tokens,
        places,
        Candidates(best.indices.cpu().numpy(), best.values.cpu().numpy(), pieces),
        np.array(log_prob_of_token, np.float32),
        at.cpu().numpy(),
    )


def _with_masks(bundle: Bundle, source: TokenSequence, mask: int, places: tuple[int, ...]) -> TokenSequence:
    (name,) = describe(bundle.source_tokenizer, (mask,), (mask,)).pieces
    ids, pieces = list(source.ids), list(source.pieces)
    for place in places:
        ids[place], pieces[place] = mask, name
    return TokenSequence(tuple(ids), tuple(pieces), source.words, source.spans)
