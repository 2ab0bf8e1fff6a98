"""Integrated gradients (Sundararajan et al. 2017) of every prediction with respect to token embeddings, by Captum.

The path leads from zeros, or from the embedding of a baseline token, to the tokens' embeddings; positional encodings
are constant along it. The attributions should add up to the difference in log-probability between the ends of the path:
the points of the quadrature are doubled until they do, or until that no longer helps. At zeros, an RMS norm divides by
a length of nearly zero, where no number of points suffices, so models with such norms use a baseline token
(docs/decisions/0021).
"""

from typing import Literal

import torch
from torch import Tensor

from model.bundle import Bundle
from model.decoding.step import needs_every_position
from model.inference.teacher_forcing import teacher_forced
from model.interpret.inspection import transformer_of
from model.nn.stack import Stack
from model.progress import Progress, ignore_progress
from model.trace import Trace

N_POINTS, MOST_POINTS = 50, 800
"""The smallest and the largest number of points of a path."""
COMPLETE = 0.01
"""The tolerated gap between the sum of a row's attributions and the row's change, as a share of that change."""
FLOOR = 1e-3
"""The gap in nats that is always tolerated."""
_AT_ONCE = 50
"""Points per batch."""
Rule = Literal["gausslegendre", "riemann_left", "riemann_right", "riemann_middle", "riemann_trapezoid"]
"""Captum's names of quadrature rules: the points of a path and their weights."""


def integrated_gradients(
    bundle: Bundle,
    trace: Trace,
    *,
    baseline: int | None = None,
    n_points: int | None = None,
    rule: Rule = "gausslegendre",
    on_progress: Progress = ignore_progress,
) -> tuple[Tensor, Tensor, float, int]:
    """Attributions for T predictions in signed nats: to source tokens (T, S) and to tokens fed (T, T).

    The third value is the largest gap, in nats, between the sum of a prediction's attributions and the difference in
    log-probability between the ends of its path. The fourth is the largest number of points of a path.

    Args:
        baseline: the id of the token at whose embedding every path begins; None begins at zeros.
        n_points: points of every path; None doubles them from 50 up to 800 until the gap is at most 1 % of the change,
            or until doubling closes less than a quarter of the gap.

    Raises:
        InspectionError: for a model that runs in its original code.
    """
    model = transformer_of(bundle)
    starts = tuple(_start(stack, baseline) for stack in (model.encoder, model.decoder))
    n_target = len(trace.target)
    source = torch.zeros(n_target, len(trace.source), device=bundle.device)
    prefix = torch.zeros(n_target, len(trace.prefix), device=bundle.device)
    sees_later = needs_every_position(bundle.config, (trace.interventions,), torch.tensor(trace.prefix.ids))
    gap, most = 0.0, 0
    for step in range(n_target):
        # No position sees later tokens, unless the causal mask is lifted.
        n_fed = n_target if sees_later else step + 1
        used = n_points or N_POINTS
        *sides, missed = _path(bundle, trace, step, n_fed, starts, used, rule)
        while n_points is None and used < MOST_POINTS and not _is_resolved(sides, missed):
            *finer, left = _path(bundle, trace, step, n_fed, starts, 2 * used, rule)
            is_slow, used = abs(left) > 0.75 * abs(missed), 2 * used
            if abs(left) < abs(missed):
                sides, missed = finer, left
            if is_slow:
                break
        source[step], prefix[step, :n_fed] = (part.sum(-1) for part in sides)
        gap, most = max(gap, abs(missed)), max(most, used)
        on_progress(step + 1, n_target)
    return source, prefix, gap, most


def _is_resolved(sides: list[Tensor], missed: float) -> bool:
    """Whether the gap of a path is within the tolerance."""
    change = sum(float(side.sum()) for side in sides) - missed
    return abs(missed) < max(COMPLETE * abs(change), FLOOR)


def token_embeddings(bundle: Bundle, trace: Trace) -> tuple[Tensor, Tensor]:
    """Embeddings without positions of a trace's source tokens (1, S, D) and of the tokens fed (1, T, D)."""
    model = transformer_of(bundle)
    with torch.no_grad():
        source, prefix = (
            stack.look_up(torch.tensor([tokens.ids], device=bundle.device))
            for stack, tokens in ((model.encoder, trace.source), (model.decoder, trace.prefix))
        )
    return source, prefix


def _start(stack: Stack, token_id: int | None) -> Tensor:
    """The embedding at which a path begins, (1, 1, D)."""
    if stack.is_absent:
        return torch.zeros(1, 1, stack.d_model)
    weight = stack.embedding.weight
    if stack.reads_strips:  # an empty strip
        empty = stack.look_up(torch.zeros(1, 1, weight.shape[1], device=weight.device)).detach()
        return torch.zeros_like(empty) if token_id is None else empty
    if token_id is None:
        return torch.zeros_like(weight[None, :1])
    return stack.look_up(torch.tensor([[token_id]], device=weight.device)).detach()


def _path(
    bundle: Bundle, trace: Trace, step: int, n_fed: int, starts: tuple[Tensor, ...], n_points: int, rule: Rule
) -> tuple[Tensor, Tensor, float]:
    """Integrated gradients of one prediction with respect to its embeddings, (S, D) and (n_fed, D).

    The third value is their sum minus the difference in log-probability between the ends of the path.
    """
    from captum.attr import IntegratedGradients  # takes seconds to import, and is rarely needed

    row = (trace.source.ids, trace.prefix.ids[:n_fed], trace.target.ids[:n_fed])

    def log_prob(source: Tensor, prefix: Tensor) -> Tensor:
        rows = [row] * len(source)
        passed = teacher_forced(bundle, rows, interventions=trace.interventions, tokens=(source, prefix))
        logits = bundle.model.project(passed.decoded.hidden[:, step]).float()  # (B, V)
        # Patches may disconnect the output from one side; Captum needs a gradient for each.
        return logits.log_softmax(-1)[:, trace.target.ids[step]] + 0.0 * (source.sum() + prefix.sum())

    source, prefix = token_embeddings(bundle, trace)
    ids = (source, prefix[:, :n_fed])
    baselines = tuple(start.expand_as(side) for start, side in zip(starts, ids, strict=True))
    with torch.enable_grad():
        attributions, delta = IntegratedGradients(log_prob).attribute(
            ids, baselines, n_steps=n_points, method=rule, internal_batch_size=_AT_ONCE, return_convergence_delta=True
        )
    return attributions[0][0].detach(), attributions[1][0].detach(), float(delta)
