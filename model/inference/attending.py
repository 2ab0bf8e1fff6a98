"""Weights and logits of a padded batch of ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from model.bundle import Bundle
from model.decoding.step import stacked
from model.inference.donors import with_donors
from model.inference.memory import check_forced
from model.interventions import NONE, Interventions
from model.nn.padding import pad
from model.text.tokens import TextError
from model.trace import BatchAttention


@torch.inference_mode()
def attend(
    bundle: Bundle,
    source_ids: NDArray[np.integer] | Sequence[Sequence[int]],
    target_ids: NDArray[np.integer] | Sequence[Sequence[int]],
    *,
    interventions: Interventions | Sequence[Interventions] = NONE,
    cached: bool = False,
) -> BatchAttention:
    """Weights and logits of a padded batch: what the encoder reads (B, S), and what the decoder is fed (B, T).

    Rows of different length are padded here.

    Args:
        cached: take the positions one by one, with the keys and values of earlier ones kept, as ``translate`` does; by
            default all positions are computed in one pass, which is faster and gives the same.

    Raises:
        TextError: when an id is beyond the vocabulary, or something else than ids is given.
        InterventionError: when an intervention names what the model or the batch does not have.
    """
    run, config, device = bundle.model, bundle.config, bundle.device
    try:
        source = pad(source_ids, config.source_pad_id, device=device)
        target = pad(target_ids, config.target_pad_id, device=device)
    except (TypeError, ValueError) as error:
        raise TextError("source_ids and target_ids must be lists of rows of whole numbers, a row a sentence") from error
    check_forced(config, n_source=source.shape[1], n_target=target.shape[1], batch=len(source))
    extra = int(getattr(config, "starts_from_zero", False))  # the id past the vocabulary, which reads as zeros
    _check_ids(source, config.source_vocab_size + extra, "source_ids")
    _check_ids(target, config.target_vocab_size + extra, "target_ids")
    interventions = with_donors(bundle, interventions)
    rows = (interventions,) if isinstance(interventions, Interventions) else tuple(interventions)
    for row in rows:
        row.check(config, n_source=source.shape[1], n_target=target.shape[1])
    edited = interventions if any(rows) else None
    encoded = run.encode(source, capture=True, interventions=edited)
    if cached and not any(row.needs_every_position for row in rows):
        own, cross, hidden = _one_by_one(run, target, encoded, edited)
    else:
        decoded = run.decode(target, encoded, capture=True, interventions=edited)
        own, cross, hidden = decoded.self_attention, decoded.cross, decoded.hidden
    return BatchAttention(
        stacked(encoded.attention), stacked(own), stacked(cross), run.project(hidden).float().cpu().numpy()
    )


def _one_by_one(
    run: Any, target: Tensor, encoded: Any, edited: Interventions | Sequence[Interventions] | None
) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...], Tensor]:
    """Each layer's weights (B, H, T, T) and (B, H, T, S), and the last states (B, T, D)."""
    length, cache, steps = target.shape[1], None, []
    for t in range(length):
        decoded = run.decode(
            target[:, t : t + 1], encoded, cache=cache, keep_cache=True, capture=True, interventions=edited
        )
        cache = decoded.cache
        steps.append(decoded)
    own = zip(*(step.self_attention for step in steps), strict=True)
    cross = zip(*(step.cross for step in steps), strict=True)
    return (
        tuple(torch.cat([functional.pad(row, (0, length - row.shape[-1])) for row in rows], 2) for rows in own),
        tuple(torch.cat(rows, 2) for rows in cross),
        torch.cat([step.hidden for step in steps], 1),
    )


def _check_ids(ids: Tensor, vocab_size: int, name: str) -> None:
    if ids.numel() and not 0 <= int(ids.min()) <= int(ids.max()) < vocab_size:
        wrong = int(ids.min()) if int(ids.min()) < 0 else int(ids.max())
        raise TextError(f"{name} holds {wrong}: ids go from 0 to {vocab_size - 1}")
