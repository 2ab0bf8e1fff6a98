"""Training tokens per second against the same loop around ``torch.nn.Transformer``.

    python -m benchmarks.training               the size of the shipped model
    python -m benchmarks.training --fine-tuning the shipped model's own sizes on the pairs of the lesson tu → vous
    python -m benchmarks.training --lesson      the size of the d2l lesson, whose book says 5,164.5 tokens/s on a GPU

Both use the same batches, optimiser, label smoothing, clipping, precision and threads, and take steps in turn. Only
real target tokens are counted, not padding.
"""

import warnings
from collections.abc import Callable
from itertools import cycle

import torch
from torch import Tensor, nn

import model
from benchmarks.timing import arguments, compare, parse
from model.config import TransformerConfig
from model.nn.masks import pad
from model.nn.positional import sinusoidal
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
warnings.filterwarnings("ignore", message="enable_nested_tensor")  # a speed hint that does not apply here


class PlainTransformer(nn.Module):
    """A model around ``torch.nn.Transformer`` with a TransformerConfig's sizes, tied weights, pre-norm and dropout."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.source_vocab_size, config.d_model)
        nn.init.normal_(self.embedding.weight, std=config.d_model**-0.5)
        self.inner = nn.Transformer(
            config.d_model, config.n_encoder_heads, config.n_encoder_layers, config.n_decoder_layers,
            config.d_feed_forward, config.dropout, batch_first=True, norm_first=config.encoder_norm_first,
        )  # fmt: skip
        # Our model has dropout on embeddings and sublayers only; torch's also has it inside attention and feed-forward.
        for module in self.inner.modules():
            if isinstance(module, nn.MultiheadAttention):
                module.dropout = 0.0
            elif isinstance(module, nn.TransformerEncoderLayer | nn.TransformerDecoderLayer):
                setattr(module, "dropout", nn.Identity())  # noqa: B010
        self.dropout = nn.Dropout(config.dropout)
        self.register_buffer("table", sinusoidal(config.max_positions, config.d_model))

    def embed(self, ids: Tensor) -> Tensor:
        """(B, T) -> (B, T, D)"""
        table: Tensor = self.table  # type: ignore[assignment]
        return self.dropout(self.embedding(ids) * self.config.d_model**0.5 + table[: ids.shape[1]])

    def forward(self, source: Tensor, fed: Tensor) -> Tensor:
        """Logits (B, T, V)."""
        future = torch.ones(fed.shape[1], fed.shape[1], dtype=torch.bool, device=fed.device).triu(1)
        hidden = self.inner(
            self.embed(source), self.embed(fed), tgt_mask=future, tgt_is_causal=True,
            src_key_padding_mask=source == 0, tgt_key_padding_mask=fed == 0, memory_key_padding_mask=source == 0,
        )  # fmt: skip
        return hidden @ self.embedding.weight.T


def random_batch(config: TransformerConfig) -> Batch:
    """For the lesson 64 pairs of three to nine tokens, padded to ten steps as its book does; for the shipped model
    6,000 tokens in sentences of similar length, 4 to 18 pieces."""
    length = int(torch.randint(4, 19, ()))
    steps = 10 if config is LESSON else length + 1
    lengths = torch.randint(3, 10, (64,)) if config is LESSON else length - torch.randint(0, 3, (6000 // steps,))

    def rows() -> Tensor:
        """Random ids that end with EOS, padded to the steps."""
        ids = [[*torch.randint(4, config.target_vocab_size, (n,)).tolist(), config.eos_id] for n in lengths.tolist()]
        return nn.functional.pad(padded := pad(ids, 0), (0, steps - padded.shape[1]))

    source, target = rows(), rows()
    prefix = nn.functional.pad(target.masked_fill(target == config.eos_id, 0)[:, :-1], (1, 0), value=config.bos_id)
    return Batch(source, prefix, target, target != 0)


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
    parser = arguments(__doc__)
    for name in ("--lesson", "--fine-tuning"):
        parser.add_argument(name, action="store_true")
    parser.add_argument("--precision", choices=("float32", "bfloat16"), default="float32")
    chosen = parse(parser)
    if chosen.fine_tuning:
        config, batches = fine_tuning_batches(chosen.rounds + 1)
    else:
        config = LESSON if chosen.lesson else SHIPPED
        batches = [random_batch(config) for _ in range(chosen.rounds + 1)]
    ours, plain = Transformer(config).train(), PlainTransformer(config).train()

    def our_loss(batch: Batch) -> Tensor:
        return batch_loss(ours, batch.source, batch.prefix, batch.target, batch.is_real, smoothing=SMOOTHING)

    def plain_loss(batch: Batch) -> Tensor:
        logits = plain(batch.source, batch.prefix).flatten(0, 1)
        return nn.functional.cross_entropy(
            logits, batch.target.flatten(), ignore_index=0, label_smoothing=SMOOTHING, reduction="sum"
        )

    steps = (step_of(net, loss, batches, chosen.precision) for net, loss in ((ours, our_loss), (plain, plain_loss)))
    times = compare(*steps, rounds=chosen.rounds)
    tokens = sum(batch.n_tokens for batch in batches[1:]) / chosen.rounds
    print(f"training step, {config.d_model} wide, {config.n_encoder_layers}+{config.n_decoder_layers} layers, "
          f"{chosen.precision}: ours {tokens / times.ours.wall:,.0f} target tokens/s, torch.nn.Transformer "
          f"{tokens / times.peer.wall:,.0f}, ratio {times.ratio.wall:.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
