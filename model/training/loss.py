"""Label-smoothed cross-entropy (Vaswani et al. 2017, section 5.4; Szegedy et al. 2016) of a linear output layer.

The logits are the largest array of a batch, 6,000 × 6,000 here, and are needed once. They are computed in slices that
fit the cache; each slice is overwritten by its gradient and then freed, so the whole array never exists.
"""

from typing import Any

import torch
from torch import Tensor

from model.nn.attention import soft_cap

SLICE = 1024


def smoothed_cross_entropy(
    hidden: Tensor, weight: Tensor, bias: Tensor | None, targets: Tensor, *, smoothing: float, cap: float | None = None
) -> Tensor:
    """Sum over N tokens of -Σ_v q(v) ln softmax(hidden · weightᵀ + bias)_v, a float32 scalar in nats.

    Args:
        hidden: (N, D), real positions only.
        weight: (V, D)
        bias: (V,) or None
        targets: int64 (N,)
        smoothing: share of q distributed uniformly over all V entries; the rest is on the target.
        cap: logits are squeezed between ±cap by a hyperbolic tangent (Gemma 2); None: no cap.
    """
    return _SmoothedCrossEntropy.apply(hidden, weight, bias, targets, smoothing, cap)  # type: ignore[no-any-return]


class _SmoothedCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        hidden: Tensor,
        weight: Tensor,
        bias: Tensor | None,
        targets: Tensor,
        smoothing: float,
        cap: float | None,
    ) -> Tensor:
        matrix = weight.to(hidden.dtype)
        total = torch.zeros((), dtype=torch.float32, device=hidden.device)
        wants_gradient = any(ctx.needs_input_grad[:3])
        grad_hidden = torch.empty_like(hidden)
        grad_weight = torch.zeros_like(weight, dtype=torch.float32)
        grad_bias = None if bias is None else torch.zeros_like(bias, dtype=torch.float32)
        for start in range(0, len(targets), SLICE):
            rows = slice(start, start + SLICE)
            loss, gradient = _slice_loss(hidden[rows] @ matrix.T, bias, targets[rows], smoothing, cap)
            total += loss
            if wants_gradient:
                low = gradient.to(hidden.dtype)
                grad_hidden[rows] = low @ matrix
                grad_weight += low.T @ hidden[rows]
                if grad_bias is not None:
                    grad_bias += gradient.sum(0)
        ctx.save_for_backward(grad_hidden, grad_weight, *(() if grad_bias is None else (grad_bias,)))
        return total

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> Any:
        grad_hidden, grad_weight, *grad_bias = ctx.saved_tensors
        scale = grad_outputs[0]
        return grad_hidden * scale, grad_weight * scale, grad_bias[0] * scale if grad_bias else None, None, None, None


def _slice_loss(
    logits: Tensor, bias: Tensor | None, targets: Tensor, smoothing: float, cap: float | None
) -> tuple[Tensor, Tensor]:
    """Summed loss of some rows, and its gradient with respect to their logits: softmax minus q, (n, V) float32.

    With a cap it is the gradient with respect to the logits before the cap, whose derivative is 1 - (logit / cap)².
    """
    logits = logits.float() if bias is None else logits.float() + bias
    slope = None
    if cap is not None:
        logits = soft_cap(logits, cap)
        slope = 1 - (logits / cap).square()
    log_probs = logits.log_softmax(-1)  # (n, V)
    on_target = log_probs.gather(1, targets[:, None]).sum()
    loss = -(1 - smoothing) * on_target - smoothing * log_probs.sum() / log_probs.shape[1]
    gradient = log_probs.exp_().sub_(smoothing / log_probs.shape[1])
    gradient.scatter_add_(1, targets[:, None], gradient.new_full((len(targets), 1), smoothing - 1))
    return loss, gradient if slope is None else gradient.mul_(slope)
