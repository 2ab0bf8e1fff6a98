"""Training tokens per second against the same loop around ``torch.nn.Transformer``.

    python -m benchmarks.training               the size of the shipped model
    python -m benchmarks.training --lesson      the size of the d2l lesson, whose book says 5,164.5 tokens/s on a GPU

Both use the same batches, optimiser, label smoothing, clipping, precision and threads, and take steps in turn. Only
real target tokens are counted, not padding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle
from typing import TypeAlias

import torch
from torch import Tensor, nn

from benchmarks.peer import PlainTransformer
from benchmarks.timing import arguments, clock, compare, conditions
from model.config import TransformerConfig
from model.nn.padding import pad
from model.nn.transformer import Transformer
from model.training.data import Batch
from model.training.evaluation import batch_loss
from model.training.precision import autocast

PUBLISHED = 5_164.5
"""Tokens per second of d2l.ai's Transformer lesson on a GPU."""
SHIPPED = TransformerConfig(source_vocab_size=6000, target_vocab_size=6000)
LESSON = TransformerConfig(
    source_vocab_size=256, target_vocab_size=256, d_model=32, d_feed_forward=64, n_encoder_layers=2,
    n_decoder_layers=2, n_encoder_heads=4, n_decoder_heads=4, encoder_norm_first=False, decoder_norm_first=False,
)  # fmt: skip
SMOOTHING = 0.1
Loss: TypeAlias = Callable[[Batch], Tensor]


def lesson_batch(generator: torch.Generator) -> Batch:
    """Batches of 64 pairs of three to nine tokens, padded to ten steps as in the lesson."""
    return _batch([int(n) for n in torch.randint(3, 10, (64,), generator=generator)], LESSON, generator, steps=10)


def shipped_batch(generator: torch.Generator) -> Batch:
    """Batches of 6,000 tokens with sentences of similar length, 4 to 18 pieces."""
    length = int(torch.randint(4, 19, (), generator=generator))
    lengths = (length - torch.randint(0, 3, (6000 // (length + 1),), generator=generator)).tolist()
    return _batch(lengths, SHIPPED, generator, steps=length + 1)


def _batch(lengths: list[int], config: TransformerConfig, generator: torch.Generator, *, steps: int) -> Batch:
    def rows() -> list[list[int]]:
        return [torch.randint(4, config.target_vocab_size, (n,), generator=generator).tolist() for n in lengths]

    def full(ids: list[list[int]]) -> Tensor:
        padded = pad(ids, 0)
        return torch.nn.functional.pad(padded, (0, steps - padded.shape[1]))

    targets = rows()
    predicted = full([[*row, config.eos_id] for row in targets])
    return Batch(
        full([[*row, config.eos_id] for row in rows()]),
        full([[config.bos_id, *row] for row in targets]),
        predicted,
        predicted != 0,
    )


def step_of(model: nn.Module, loss_of: Loss, batches: Iterator[Batch], precision: str) -> Callable:
    """One optimiser step on the next batch."""
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.98), eps=1e-9, fused=True)

    def step() -> None:
        batch = next(batches)
        with autocast(torch.device("cpu"), precision):  # type: ignore[arg-type]
            loss = loss_of(batch)
        (loss / batch.n_tokens).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)

    return step


def losses(ours: Transformer, plain: PlainTransformer) -> tuple[Loss, Loss]:
    """The label-smoothed loss of a batch, summed over its tokens, of our model and of PyTorch's."""

    def our_loss(batch: Batch) -> Tensor:
        return batch_loss(ours, batch.source, batch.prefix, batch.target, batch.is_real, smoothing=SMOOTHING)

    def plain_loss(batch: Batch) -> Tensor:
        logits = plain(batch.source, batch.prefix).flatten(0, 1)
        return nn.functional.cross_entropy(
            logits, batch.target.flatten(), ignore_index=0, label_smoothing=SMOOTHING, reduction="sum"
        )

    return our_loss, plain_loss


def main() -> None:
    """Print both speeds and their ratio."""
    parser = arguments(__doc__)
    parser.add_argument("--lesson", action="store_true")
    parser.add_argument("--precision", choices=("float32", "bfloat16"), default="float32")
    chosen = parser.parse_args()
    ticks = clock(chosen)
    torch.manual_seed(0)
    config, make = (LESSON, lesson_batch) if chosen.lesson else (SHIPPED, shipped_batch)
    generator = torch.Generator().manual_seed(0)
    batches = [make(generator) for _ in range(chosen.rounds + 1)]
    ours, plain = Transformer(config).train(), PlainTransformer(config).train()

    our_loss, plain_loss = losses(ours, plain)
    found = compare(
        step_of(ours, our_loss, cycle(batches), chosen.precision),
        step_of(plain, plain_loss, cycle(batches), chosen.precision),
        rounds=chosen.rounds,
        clock=ticks,
    )
    tokens = sum(batch.n_tokens for batch in batches[1:]) / chosen.rounds
    size = "d2l lesson, 32 wide, 2+2 layers, 4 heads, batch 64, 10 steps" if chosen.lesson else "4+4 layers, 256 wide"
    print(f"training step, {size}, {chosen.precision}, {conditions(chosen)}")
    print(f"ours                  {tokens / found.ours:>9,.0f} target tokens/s")
    print(f"torch.nn.Transformer  {tokens / found.peer:>9,.0f} target tokens/s")
    print(f"ratio                 {1 / found.ratio:>9.2f} (bar 1.2)")
    if chosen.lesson:
        print(f"against the published {PUBLISHED:,.1f} tokens/s on a GPU: {tokens / found.ours / PUBLISHED:.1f} times")


if __name__ == "__main__":
    main()
