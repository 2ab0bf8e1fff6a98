"""The cost of returning all attention: a full forward pass with attention, and one without.

    python -m benchmarks.capture

The bar is 1.5 times the time, for a model of the shipped model's size.
"""

import torch

from benchmarks.timing import arguments, compare, parse
from model.config import TransformerConfig
from model.nn.transformer import Transformer

SIZES = ((1, 12), (1, 40), (32, 12), (32, 40), (8, 128))


@torch.inference_mode()
def main() -> None:
    chosen = parse(arguments(__doc__))
    model = Transformer(TransformerConfig(source_vocab_size=6000, target_vocab_size=6000)).eval()
    for batch, length in SIZES:
        ids = [torch.randint(4, 6000, (batch, length)) for _ in range(2)]
        times = compare(
            lambda: model(*ids, capture=True),  # noqa: B023
            lambda: model(*ids),  # noqa: B023
            rounds=chosen.rounds, repeats=max(1, 200 // (batch * length)),
        )  # fmt: skip
        print(f"batch {batch:>2}, {length:>3} tokens: with attention {times.ours.wall * 1e3:7.2f} ms, without "
              f"{times.peer.wall * 1e3:7.2f} ms, ratio {1 / times.ratio.wall:.2f} (bar 1.5)")  # fmt: skip


if __name__ == "__main__":
    main()
