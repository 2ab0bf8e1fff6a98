"""Training tokens per second against the same loop around ``torch.nn.Transformer``.

    python -m benchmarks.training               the size of the shipped model
    python -m benchmarks.training --fine-tuning the shipped model's own sizes on the pairs of the lesson tu → vous
    python -m benchmarks.training --lesson      the size of the d2l lesson, whose book says 5,164.5 tokens/s on a GPU

Both use the same batches, optimiser, label smoothing, clipping, precision and threads, and take steps in turn. Only
real target tokens are counted, not padding.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

import torch
from torch import Tensor, nn

import model
from benchmarks.peer import PlainTransformer
from benchmarks.timing import arguments, compare, parse
from model.config import TransformerConfig
from model.nn.masks import pad
from model.nn.transformer import Transformer
from model.training.data import Batch, Batches, encode_pairs
from model.training.evaluation import batch_loss
from model.training.lessons import find_lesson
from model.training.precision import autocast

SHIPPED = TransformerConfig(source_vocab_size=6000, target_vocab_size=6000)
LESSON = TransformerConfig(
    source_vocab_size=256, target_vocab_size=256, d_model=32, d_feed_forward=64, n_encoder_layers=2,
    n_decoder_layers=2, n_encoder_heads=4, n_decoder_heads=4, encoder_norm_first=False, decoder_norm_first=False,
)  # fmt: skip
SMOOTHING = 0.1


def lesson_batch() -> Batch:
    """Batches of 64 pairs of three to nine tokens, padded to ten steps as in the lesson."""
    return _batch(torch.randint(3, 10, (64,)).tolist(), LESSON, steps=10)


def shipped_batch() -> Batch:
    """Batches of 6,000 tokens with sentences of similar length, 4 to 18 pieces."""
    length = int(torch.randint(4, 19, ()))
    return _batch((length - torch.randint(0, 3, (6000 // (length + 1),))).tolist(), SHIPPED, steps=length + 1)


def _batch(lengths: list[int], config: TransformerConfig, *, steps: int) -> Batch:
    def rows() -> list[list[int]]:
        return [torch.randint(4, config.target_vocab_size, (n,)).tolist() for n in lengths]

    def full(ids: list[list[int]]) -> Tensor:
        padded = pad(ids, 0)
        return nn.functional.pad(padded, (0, steps - padded.shape[1]))

    sources, targets = rows(), rows()
    predicted = full([[*row, config.eos_id] for row in targets])
    return Batch(full([[*row, config.eos_id] for row in sources]), full([[config.bos_id, *row] for row in targets]),
                 predicted, predicted != 0)  # fmt: skip


def fine_tuning_batches(n: int) -> tuple[TransformerConfig, list[Batch]]:
    """The shipped model's sizes, and batches of the lesson tu → vous."""
    bundle, lesson = model.load(), find_lesson("tu_vous")
    assert lesson is not None and bundle.source_tokenizer is not None and bundle.target_tokenizer is not None
    examples = encode_pairs(lesson.read(), bundle.source_tokenizer, bundle.target_tokenizer, max_length=60)
    stream = Batches(examples, bundle.config, lesson.config).iterate()
    return bundle.config, [next(stream) for _ in range(n)]


def step_of(net: nn.Module, loss_of: Callable[[Batch], Tensor], batches: list[Batch], precision: str) -> Callable:
    """One optimiser step on the next batch."""
    optimiser = torch.optim.AdamW(net.parameters(), lr=1e-3, betas=(0.9, 0.98), eps=1e-9, fused=True)
    stream = cycle(batches)

    def step() -> None:
        batch = next(stream)
        with autocast(torch.device("cpu"), precision):  # type: ignore[arg-type]
            loss = loss_of(batch)
        (loss / batch.n_tokens).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)

    return step


def main() -> None:
    """Print both speeds and their ratio."""
    parser = arguments(__doc__)
    parser.add_argument("--lesson", action="store_true")
    parser.add_argument("--fine-tuning", action="store_true")
    parser.add_argument("--precision", choices=("float32", "bfloat16"), default="float32")
    chosen = parse(parser)
    if chosen.fine_tuning:
        config, batches = fine_tuning_batches(chosen.rounds + 1)
    else:
        config, make = (LESSON, lesson_batch) if chosen.lesson else (SHIPPED, shipped_batch)
        batches = [make() for _ in range(chosen.rounds + 1)]
    ours, plain = Transformer(config).train(), PlainTransformer(config).train()

    def our_loss(batch: Batch) -> Tensor:
        return batch_loss(ours, batch.source, batch.prefix, batch.target, batch.is_real, smoothing=SMOOTHING)

    def plain_loss(batch: Batch) -> Tensor:
        logits = plain(batch.source, batch.prefix).flatten(0, 1)
        return nn.functional.cross_entropy(
            logits, batch.target.flatten(), ignore_index=0, label_smoothing=SMOOTHING, reduction="sum"
        )

    steps = (step_of(net, loss, batches, chosen.precision) for net, loss in ((ours, our_loss), (plain, plain_loss)))
    found = compare(*steps, rounds=chosen.rounds)
    tokens = sum(batch.n_tokens for batch in batches[1:]) / chosen.rounds
    print(f"training step, {config.d_model} wide, {config.n_encoder_layers}+{config.n_decoder_layers} layers, "
          f"{chosen.precision}: ours {tokens / found.ours.wall:,.0f} target tokens/s, torch.nn.Transformer "
          f"{tokens / found.peer.wall:,.0f}, ratio {found.ratio.wall:.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
