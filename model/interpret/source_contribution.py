"""Source contribution: the change of each prediction without the source, and without the prefix.

It is measured by removal, not from weights: without the source, all cross-attention is masked; without the prefix, each
position is fed the begin-of-sentence token and attends only to itself. The change of a prediction is the
Kullback-Leibler divergence of the whole distribution.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch

from model.bundle import Bundle
from model.inference.teacher_forcing import chosen_log_probs, teacher_forced
from model.interventions import BlockedKey
from model.trace import Floats, Trace


@dataclass(frozen=True, slots=True)
class SourceContribution:
    """How much each of T predictions depends on the source and on the tokens already written."""

    TOKEN_AXES: ClassVar = dict.fromkeys(("source", "prefix", "without_source", "without_prefix"), ("target",))
    source: Floats
    """(T,) divergence in nats when the source is removed."""
    prefix: Floats
    """(T,) divergence in nats when the prefix is removed."""
    without_source: Floats
    """(T,) change in the predicted token's log-probability."""
    without_prefix: Floats

    @property
    def source_share(self) -> Floats:
        """(T,) source / (source + prefix), in [0, 1]; 1/2 if neither changes the prediction."""
        total = self.source + self.prefix
        half = np.full_like(total, 0.5)
        return np.divide(self.source, total, out=half, where=total > 1e-6)


@torch.inference_mode()
def source_contribution(bundle: Bundle, trace: Trace) -> SourceContribution:
    """Measure it with three teacher-forced rows in one batch: unchanged, without source, without prefix."""
    n_source, length = len(trace.source), len(trace.target)
    base = trace.interventions
    no_source = base.hiding(BlockedKey("cross", key) for key in range(n_source))
    no_prefix = base.hiding(
        BlockedKey("decoder_self", key, query=query) for query in range(length) for key in range(query)
    )
    edits = [base, no_source, no_prefix]
    begin = [bundle.config.bos_id] * length
    rows = [(trace.source.ids, fed) for fed in (trace.prefix.ids, trace.prefix.ids, begin)]
    log_probs = teacher_forced(bundle, rows, interventions=edits).logits.log_softmax(-1)  # (3, T, V)
    divergence = (log_probs[0].exp() * (log_probs[0] - log_probs[1:])).nan_to_num(0.0).sum(-1)  # (2, T)
    chosen = chosen_log_probs(log_probs, torch.tensor([trace.target.ids], device=bundle.device))  # (3, T)
    moved, changed = divergence.clamp(min=0).cpu().numpy(), (chosen[1:] - chosen[0]).cpu().numpy()
    return SourceContribution(moved[0], moved[1], changed[0], changed[1])
