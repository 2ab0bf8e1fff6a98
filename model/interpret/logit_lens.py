"""The logit lens (nostalgebraist 2020): what the model would predict if it stopped after each decoder layer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from model.bundle import Bundle
from model.inference.log_probs import forced_pass
from model.interpret.inspection import transformer_of
from model.interventions import NONE, Interventions
from model.text.tokens import pieces_of
from model.trace import Floats, ShapeError


@dataclass(frozen=True, slots=True)
class LogitLens:
    """The C most probable next tokens after each of L decoder layers, at each of T steps, best first."""

    ids: NDArray[np.int64]
    """(L, T, C)"""
    logits: Floats
    """(L, T, C), before the softmax; log-probabilities where the model's own output is that."""
    log_probs: Floats
    """(L, T, C), natural logarithm."""
    entropy: Floats
    """(L, T), bits, of the whole distribution."""
    pieces: tuple[tuple[tuple[str, ...], ...], ...]
    """Layer, step, candidate."""

    def __post_init__(self) -> None:
        if self.ids.shape != self.log_probs.shape or self.entropy.shape != self.ids.shape[:2]:
            raise ShapeError(
                f"lens: ids {self.ids.shape}, log_probs {self.log_probs.shape}, entropy {self.entropy.shape}"
            )


@torch.inference_mode()
def logit_lens(
    bundle: Bundle,
    *,
    source_ids: tuple[int, ...],
    prefix_ids: tuple[int, ...],
    n_best: int = 8,
    interventions: Interventions = NONE,
) -> LogitLens:
    """Read the residual stream after each decoder layer through the model's own last norm and output matrix.

    The last layer's entry is the model's own prediction.

    Raises:
        InspectionError: for a model that runs in its original implementation.
    """
    model = transformer_of(bundle)
    decoded = forced_pass(bundle, source_ids, prefix_ids, interventions=interventions, capture=True).decoded
    states = decoded.hidden_states[1:]
    logits = torch.cat([model.project(model.decoder.finish(state)) for state in states]).float()  # (L, T, V)
    log_probs = logits.log_softmax(-1)
    n_best = min(n_best, log_probs.shape[-1])
    best, ids = log_probs.topk(n_best, -1)  # (L, T, C)
    # 0 · log 0 is 0: a token of probability zero carries no surprise.
    entropy = -torch.xlogy(log_probs.exp(), log_probs.exp()).sum(-1) / np.log(2)
    chosen = logits.gather(-1, ids).cpu().numpy()
    ids = ids.cpu()
    names = pieces_of(bundle, ids.flatten().tolist())
    return LogitLens(
        ids.numpy(),
        chosen,
        best.cpu().numpy(),
        entropy.cpu().numpy(),
        tuple(tuple(tuple(names[int(i)] for i in step) for step in layer) for layer in ids),
    )
