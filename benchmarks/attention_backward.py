"""Why training on a CPU does not use the fused attention kernel: forward and backward, explicit against fused.

    python -m benchmarks.attention_backward

The peer is ``torch.nn.functional.scaled_dot_product_attention``. The inputs are as long
as sentences, padding is masked, and there are 8 heads of width 32.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from benchmarks.timing import arguments, clock, compare, conditions

SIZES = ((500, 12), (150, 40), (48, 128))


def explicit(query: Tensor, key: Tensor, value: Tensor, allowed: Tensor) -> Tensor:
    """Attention as four separate operations: scores, mask, softmax, sum of values."""
    scores = query @ key.transpose(-2, -1) * query.shape[-1] ** -0.5
    return scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).softmax(-1) @ value


def step(attend: Callable[..., Tensor], inputs: list[Tensor], allowed: Tensor) -> None:
    """Forward and backward, starting from projections of shape (B, T, H, K), the shape in which a layer makes them."""
    query, key, value = (projected.transpose(1, 2) for projected in inputs)
    torch.autograd.grad(attend(query, key, value, allowed).float().sum(), inputs)


def main() -> None:
    """Print a line for each size and precision."""
    parser = arguments(__doc__)
    chosen = parser.parse_args()
    ticks = clock(chosen)
    torch.manual_seed(0)
    print(f"forward and backward, 8 heads of 32, {conditions(chosen)}")
    for dtype in (torch.float32, torch.bfloat16):
        for batch, length in SIZES:
            inputs = [torch.randn(batch, length, 8, 32, dtype=dtype, requires_grad=True) for _ in range(3)]
            allowed = torch.arange(length) < torch.randint(length - 2, length + 1, (batch, 1, 1, 1))
            found = compare(
                lambda: step(explicit, inputs, allowed),  # noqa: B023
                lambda: step(functional.scaled_dot_product_attention, inputs, allowed),  # noqa: B023
                rounds=chosen.rounds,
                clock=ticks,
            )
            print(
                f"{str(dtype).removeprefix('torch.'):<8} batch {batch:>3}, {length:>3} tokens: "
                f"explicit {found.ours * 1e3:6.1f} ms, fused {found.peer * 1e3:6.1f} ms, "
                f"the fused takes {1 / found.ratio:.1f} times as long"
            )


if __name__ == "__main__":
    main()
