"""How probable a model finds given translations, for any model that a bundle can hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from model.bundle import Bundle
from model.nn.padding import pad
from model.text.tokens import source_tokens, target_tokens
from model.training.data import Pair


@torch.inference_mode()
def target_loss(
    bundle: Bundle,
    pairs: Sequence[Pair],
    *,
    batch_size: int = 64,
    on_progress: Callable[[int], None] = lambda done: None,
) -> float:
    """Cross-entropy per target token, end of sentence included, in nats; its exponential is the perplexity.

    Raises:
        TextError: when a sentence cannot be read by the model.
    """
    config, device = bundle.config, bundle.device
    rows = [(source_tokens(bundle, pair.source).ids, target_tokens(bundle, pair.target).ids) for pair in pairs]
    rows.sort(key=lambda row: (len(row[1]), len(row[0])))
    total, n_tokens = 0.0, 0
    for start in range(0, len(rows), batch_size):
        sources, targets = zip(*rows[start : start + batch_size], strict=True)
        predicted = pad(targets, config.target_pad_id, device=device)  # (B, T)
        fed = pad([(config.bos_id, *target[:-1]) for target in targets], config.target_pad_id, device=device)
        is_real = pad([[1] * len(target) for target in targets], 0).bool().to(device)
        encoded = bundle.model.encode(pad(sources, config.source_pad_id, device=device))
        logits = bundle.model.project(bundle.model.decode(fed, encoded).hidden[is_real])  # (N, V)
        loss = torch.nn.functional.cross_entropy(logits.float(), predicted[is_real], reduction="sum")
        total, n_tokens = total + float(loss), n_tokens + int(is_real.sum())
        on_progress(min(start + batch_size, len(rows)))
    return total / n_tokens
