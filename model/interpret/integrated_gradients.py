"""Integrated gradients (Sundararajan et al. 2017) of every prediction, along its tokens' embeddings, by captum.

The path goes from embeddings of zeros to the tokens' own; positional encodings stay the same along it. The attributions
of a path add up to the difference in log-probability between its two ends, as far as the points of the quadrature
resolve it. T5's RMS norms divide by a length of nearly zero where the path begins, and no number of points is enough
there: the gap says how much is missing.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from model.bundle import Bundle
from model.inference.log_probs import chosen_log_probs, forced_states
from model.interpret.inspection import transformer_of
from model.nn.transformer import Transformer
from model.trace import Trace

Module = TypeVar("Module", bound=nn.Module)

Progress = Callable[[int, int], object]
N_STEPS = 50
"""Points of a path, at the places of a Gauss-Legendre quadrature."""


def integrated_gradients(
    bundle: Bundle, trace: Trace, *, n_steps: int = N_STEPS, on_progress: Progress = lambda done, total: None
) -> tuple[Tensor, Tensor, float]:
    """Signed nats of each token of the source (T, S) and of each token fed (T, T), for T predictions.

    The third value is the gap: how far the sum of a prediction's attributions is at most from the difference in
    log-probability between the ends of its path, in nats.

    Args:
        on_progress: is told how many predictions are done, and of how many.

    Raises:
        InspectionError: for a model that runs in its original code.
    """
    model, n_target = transformer_of(bundle), len(trace.target)
    source = torch.zeros(n_target, len(trace.source), device=bundle.device)
    prefix = torch.zeros(n_target, len(trace.prefix), device=bundle.device)
    gap = 0.0
    for step in range(n_target):
        # No position sees later tokens, unless the causal mask is lifted.
        n_fed = n_target if trace.interventions.needs_every_position else step + 1
        *found, missed = _path(bundle, model, trace, step, n_fed, n_steps)
        source[step], prefix[step, :n_fed] = (part[0].sum(-1) for part in found)
        gap = max(gap, abs(missed))
        on_progress(step + 1, n_target)
    return source, prefix, gap


def _path(
    bundle: Bundle, model: Transformer, trace: Trace, step: int, n_fed: int, n_steps: int
) -> tuple[Tensor, Tensor, float]:
    """Integrated gradients of one prediction for every number of its embeddings, (1, S, D) and (1, n_fed, D).

    The third value is their sum minus the difference in log-probability between the ends of the path.
    """
    from captum.attr import IntegratedGradients  # takes seconds to import, and is rarely needed

    read, fed = trace.source.ids, trace.prefix.ids[:n_fed]
    target = torch.tensor([[trace.target.ids[step]]], device=bundle.device)

    def log_prob(source: Tensor, prefix: Tensor) -> Tensor:
        given = dataclasses.replace(bundle, model=_fed(model, source, prefix))
        _, decoded = forced_states(given, read, fed, interventions=[trace.interventions] * len(source))
        return chosen_log_probs(model.project(decoded.hidden[:, step : step + 1]), target)[:, 0]

    with torch.no_grad():
        ends = tuple(
            stack.look_up(torch.tensor([ids], device=bundle.device))
            for stack, ids in ((model.encoder, read), (model.decoder, fed))
        )
    with torch.enable_grad():
        found, delta = IntegratedGradients(log_prob).attribute(ends, n_steps=n_steps, return_convergence_delta=True)
    return found[0].detach(), found[1].detach(), float(delta)


class _Given(nn.Module):
    """Replaces an embedding: returns given rows, whatever the ids are."""

    def __init__(self, rows: Tensor, num_embeddings: int) -> None:
        super().__init__()
        self.rows, self.num_embeddings = rows, num_embeddings

    def forward(self, ids: Tensor) -> Tensor:
        return self.rows


def _fed(model: Transformer, source: Tensor, prefix: Tensor) -> Transformer:
    """A model with the same weights that takes given embeddings; the original model is not changed."""
    twin: Any = _twin(model)
    twin.encoder, twin.decoder = _twin(model.encoder), _twin(model.decoder)
    for stack, rows in ((twin.encoder, source), (twin.decoder, prefix)):
        stack._modules["embedding"] = _Given(rows, stack.embedding.num_embeddings)
    return twin


def _twin(module: Module) -> Module:
    """A shallow copy whose submodules can be exchanged."""
    twin = copy.copy(module)
    twin._modules = dict(module._modules)
    return twin
