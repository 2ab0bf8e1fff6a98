"""The loss of known translations, for any model that a bundle can hold."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from model.bundle import Bundle
from model.inference.batches import MAX_BATCH_ROWS, group_by_length
from model.inference.teacher_forcing import teacher_forced
from model.progress import Progress, unreported
from model.text.pairs import Pair
from model.text.tokens import source_tokens, target_tokens


@torch.inference_mode()
def target_loss(
    bundle: Bundle,
    pairs: Sequence[Pair],
    *,
    batch_size: int = MAX_BATCH_ROWS,
    on_progress: Progress = unreported,
) -> float:
    """Cross-entropy per target token, end of sentence included, in nats; its exponential is the perplexity.

    Raises:
        TextError: when a sentence cannot be read by the model.
    """
    is_single_stack = bundle.config.is_single_stack
    rows = [
        (() if is_single_stack else source_tokens(bundle, pair.source).ids, target_tokens(bundle, pair.target).ids)
        for pair in pairs
    ]
    rows = [(source, (bundle.config.bos_id, *target[:-1]), target) for source, target in rows]
    total, n_tokens, done = 0.0, 0, 0
    for part in group_by_length([(len(prefix), len(source)) for source, prefix, _ in rows], batch_size):
        forced = teacher_forced(bundle, [rows[index] for index in part])
        total, n_tokens = total - float(forced.log_probs.sum()), n_tokens + int(forced.target_is_real.sum())
        done += len(part)
        on_progress(done, len(rows))
    return total / n_tokens
