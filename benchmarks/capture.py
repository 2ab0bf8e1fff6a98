"""The cost of returning all attention: a full forward pass with attention, and one without.

    python -m benchmarks.capture

The bar is 1.5 times the time, for a model of the shipped model's size.
"""

from __future__ import annotations

import torch

from benchmarks.timing import arguments, clock, compare, conditions
from model.config import TransformerConfig
from model.nn.transformer import Transformer

SIZES = ((1, 12), (1, 40), (32, 12), (32, 40), (8, 128))
BAR = 1.5


def main() -> None:
    """Print a line for each batch and length."""
    parser = arguments(__doc__)
    chosen = parser.parse_args()
    ticks = clock(chosen)
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(source_vocab_size=6000, target_vocab_size=6000)).eval()
    print(f"forward, 4+4 layers, 8 heads, 256 wide, {conditions(chosen)}")
    for batch, length in SIZES:
        source, fed = (torch.randint(4, 6000, (batch, length)) for _ in range(2))
        with torch.inference_mode():
            found = compare(
                lambda: model(source, fed, capture=True),  # noqa: B023
                lambda: model(source, fed),  # noqa: B023
                rounds=chosen.rounds,
                clock=ticks,
                repeats=max(1, 200 // (batch * length)),
            )
        print(
            f"batch {batch:>2}, {length:>3} tokens: with attention {found.ours * 1e3:7.2f} ms, "
            f"without {found.peer * 1e3:7.2f} ms, ratio {found.ratio:.2f} (bar {BAR})"
        )


if __name__ == "__main__":
    main()
