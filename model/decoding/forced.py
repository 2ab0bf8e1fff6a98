"""Teacher forcing: the pass over tokens that are given (Williams & Zipser 1989), and its steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from model.decoding.options import DecodingOptions
from model.decoding.step import Continuations, DecodingStep, Ids, check_numbers, stacked
from model.nn.only import AttentionSelection
from model.nn.passes import Decoded, Encoded
from model.nn.protocol import EncoderDecoder
from model.nn.transformer import NOTHING, InterventionsLike
from model.trace import Floats


def run_teacher_forced(
    model: EncoderDecoder,
    source: Tensor,
    prefix: Tensor,
    *,
    capture: bool | AttentionSelection = False,
    interventions: InterventionsLike = None,
    record: frozenset[str] = NOTHING,
    tokens: tuple[Tensor, Tensor] | None = None,
    cached: bool = False,
) -> tuple[Encoded, Decoded]:
    """The encoder over int64 (B, S) and the decoder over what it is fed, int64 (B, T), both padded.

    Args:
        record: names of the activations to keep.
        tokens: embeddings (B, S, D) and (B, T, D) to take in place of the tokens' own, before positions are added.
        cached: give the decoder one position at a time; the residual stream and activations are not kept then.
    """
    given: dict[str, Any] = {"capture": capture, "interventions": interventions}
    given |= {"record": record} if record else {}
    embedded: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    if tokens is not None:
        embedded = ({"tokens": tokens[0]}, {"tokens": tokens[1]})
    encoded = model.encode(source, **given, **embedded[0])
    if cached:
        return encoded, _one_by_one(model, prefix, encoded, given)
    return encoded, model.decode(prefix, encoded, **given, **embedded[1])


def _one_by_one(model: Any, prefix: Tensor, encoded: Encoded, given: dict[str, Any]) -> Decoded:
    """The decoder over one position after another, with a cache."""
    length, cache, steps = prefix.shape[1], None, []
    for t in range(length):
        step = model.decode(prefix[:, t : t + 1], encoded, cache=cache, keep_cache=True, **given)
        cache = step.cache
        steps.append(step)
    own = zip(*(step.self_attention for step in steps), strict=True)
    cross = zip(*(step.cross for step in steps), strict=True)
    return Decoded(
        torch.cat([step.hidden for step in steps], 1),
        tuple(torch.cat([functional.pad(row, (0, length - row.shape[-1])) for row in rows], 2) for rows in own),
        tuple(torch.cat(rows, 2) for rows in cross),
        (),
        None,
    )


def ranked(logits: Tensor, target_ids: Tensor, n: int) -> tuple[Floats, Ids, Floats]:
    """What a pass says of given tokens, int64 (B, T), from its logits (B, T, V).

    Returns:
        The log-probability of each given token (B, T), the n most probable tokens, best first, and their
        log-probabilities, (B, T, n) each.

    Raises:
        DecodingError: when a probability is not a number.
    """
    total = logits.logsumexp(-1, keepdim=True)  # (B, T, 1)
    check_numbers(total)
    top = logits.topk(min(n, logits.shape[-1]), -1)
    known = target_ids.clamp(max=logits.shape[-1] - 1)  # padding may be an id past the vocabulary
    chosen = (logits.gather(2, known.unsqueeze(2)) - total).squeeze(2)
    return chosen.cpu().numpy(), top.indices.cpu().numpy(), (top.values - total).cpu().numpy()


@torch.inference_mode()
def forced(
    model: EncoderDecoder, source_ids: Tensor, target_ids: Tensor, options: DecodingOptions | None = None
) -> Iterator[DecodingStep]:
    """The steps of given translations int64 (B, T) of sources int64 (B, S), both padded, from one pass.

    Every row runs to position T - 1; the caller drops what follows a sentence's end. With the causal
    mask lifted a ``decoder_self`` row covers all T keys.

    Raises:
        DecodingError: when a probability is not a number.
    """
    options = options or DecodingOptions()
    begin = torch.full_like(target_ids[:, :1], model.config.bos_id)
    fed = torch.cat((begin, target_ids[:, :-1]), 1)  # (B, T)
    encoded, decoded = run_teacher_forced(
        model, source_ids, fed, capture=options.capture, interventions=options.interventions or None
    )
    logits = model.project(decoded.hidden).float()  # (B, T, V)
    log_probs, candidate_ids, candidate_log_probs = ranked(logits, target_ids, options.n_candidates)
    own, cross = stacked(decoded.self_attention), stacked(decoded.cross)
    n_rows, length = target_ids.shape
    every, none = np.arange(n_rows), np.zeros(n_rows, bool)
    said, read = target_ids.cpu().numpy(), fed.cpu().numpy()
    sums = np.concatenate((np.zeros((n_rows, 1), np.float32), log_probs.cumsum(1)), 1)  # (B, T + 1)
    for t in range(length):
        yield DecodingStep(
            position=t,
            sentences=every,
            parents=every if t else np.full(n_rows, -1),
            fed=read[:, t],
            scores=sums[:, t],
            candidate_ids=candidate_ids[:, t],
            candidate_log_probs=candidate_log_probs[:, t],
            decoder_self=None if own is None else own[:, :, :, t],
            cross=None if cross is None else cross[:, :, :, t],
            encoder_self=None if t else stacked(encoded.attention),
            chosen=Continuations(every, said[:, t], log_probs[:, t], sums[:, t + 1], none | (t == length - 1), none),
        )
