"""Teacher forcing: given translations, all positions in one pass (Williams & Zipser 1989)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model.decoding.options import DecodingOptions
from model.decoding.step import Continuations, DecodingStep, EncoderDecoder, Ids, check_numbers, stacked
from model.trace import Floats


@dataclass(frozen=True, slots=True)
class ForcedPass:
    """B given translations of T tokens, padded, and what the model attended to over them."""

    fed: Ids
    """(B, T) the decoder's input."""
    said: Ids
    """(B, T) the given tokens."""
    log_probs: Floats
    """(B, T) natural logarithm of each given token's probability."""
    candidate_ids: Ids
    """(B, T, C) the most probable tokens, best first."""
    candidate_log_probs: Floats
    """(B, T, C)"""
    encoder_self: Floats | None
    """(B, L, H, S, S); None without capture."""
    decoder_self: Floats | None
    """(B, L, H, T, T)"""
    cross: Floats | None
    """(B, L, H, T, S)"""


@torch.inference_mode()
def forced_at_once(
    model: EncoderDecoder, source_ids: Tensor, target_ids: Tensor, options: DecodingOptions | None = None
) -> ForcedPass:
    """Run the model on sources int64 (B, S) and the given translations int64 (B, T), both padded.

    Raises:
        DecodingError: when a probability is not a number.
    """
    options = options or DecodingOptions()
    given, capture = options.interventions or None, options.capture
    begin = torch.full_like(target_ids[:, :1], model.config.bos_id)
    fed = torch.cat((begin, target_ids[:, :-1]), 1)  # (B, T)
    encoded = model.encode(source_ids, capture=capture, interventions=given)
    decoded = model.decode(fed, encoded, capture=capture, interventions=given)
    logits = model.project(decoded.hidden).float()  # (B, T, V)
    total = logits.logsumexp(-1, keepdim=True)  # (B, T, 1)
    check_numbers(total)
    known = target_ids.clamp(max=logits.shape[-1] - 1)  # padding may be an id past the vocabulary
    top = logits.topk(min(options.n_candidates, logits.shape[-1]), -1)
    return ForcedPass(
        fed.cpu().numpy(),
        target_ids.cpu().numpy(),
        (logits.gather(2, known.unsqueeze(2)) - total).squeeze(2).cpu().numpy(),
        top.indices.cpu().numpy(),
        (top.values - total).cpu().numpy(),
        stacked(encoded.attention),
        stacked(decoded.self_attention),
        stacked(decoded.cross),
    )


def forced(
    model: EncoderDecoder, source_ids: Tensor, target_ids: Tensor, options: DecodingOptions | None = None
) -> Iterator[DecodingStep]:
    """The steps of given translations, int64 (B, T), from one pass over all positions.

    Every row runs to position T - 1; the caller drops what follows a sentence's end. With the causal
    mask lifted a ``decoder_self`` row covers all T keys.
    """
    found = forced_at_once(model, source_ids, target_ids, options)
    n_rows, length = found.said.shape
    every, none = np.arange(n_rows), np.zeros(n_rows, bool)
    sums = np.concatenate((np.zeros((n_rows, 1), np.float32), found.log_probs.cumsum(1)), 1)  # (B, T + 1)
    for t in range(length):
        yield DecodingStep(
            position=t,
            sentences=every,
            parents=every if t else np.full(n_rows, -1),
            fed=found.fed[:, t],
            scores=sums[:, t],
            candidate_ids=found.candidate_ids[:, t],
            candidate_log_probs=found.candidate_log_probs[:, t],
            decoder_self=None if found.decoder_self is None else found.decoder_self[:, :, :, t],
            cross=None if found.cross is None else found.cross[:, :, :, t],
            encoder_self=None if t else found.encoder_self,
            chosen=Continuations(
                every, found.said[:, t], found.log_probs[:, t], sums[:, t + 1], none | (t == length - 1), none
            ),
        )
