"""Decoding with all attention returned: with a cache, without one, and Hugging Face's MarianMT of equal size.

    python -m benchmarks.decoding

Every run decodes a fixed number of tokens from the same random source. The uncached loop is the simplest
implementation: it runs the whole model over all tokens so far for each new token. Bars: cached greedy decoding of 60
tokens is 5 times as fast as that loop; greedy is 1.5 times as fast as MarianMT; beam 5 is at least equally fast.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from benchmarks.peer import generate, marian
from benchmarks.timing import arguments, compare, parse
from model.config import TransformerConfig
from model.decoding.strategies import DecodingOptions, beam, greedy
from model.nn.passes import Output
from model.nn.transformer import Transformer

SOURCE_LENGTH, SHORT, LONG = 14, 16, 60


@torch.inference_mode()
def plain_loop(model: Transformer, source: Tensor, length: int) -> list[Output]:
    """Greedy decoding with all attention and without a cache."""
    fed, found = torch.tensor([[model.config.bos_id]]), []
    for _ in range(length):
        found.append(model(source, fed, capture=True))
        fed = torch.cat((fed, found[-1].logits[:, -1:].argmax(-1)), 1)
    return found


def main() -> None:
    """Print one line for each comparison."""
    chosen = parse(arguments(__doc__, rounds=7))
    config = TransformerConfig(source_vocab_size=6000, target_vocab_size=6000, output_bias=True)
    model, peer = Transformer(config).eval(), marian(config)
    with torch.no_grad():
        model.output.bias[config.eos_id] = -1e4  # so that no sentence ends
    source = torch.randint(4, 6000, (1, SOURCE_LENGTH))

    def say(what: str, names: tuple[str, str], ours: Callable[[], object], theirs: Callable[[], object]) -> None:
        found = compare(ours, theirs, rounds=chosen.rounds)
        times = (
            f"{name} {each.wall * 1e3:7.1f} ms" for name, each in zip(names, (found.ours, found.peer), strict=True)
        )
        print(f"{what:>18}: {', '.join(times)}, {found.ratio.wall:.2f} times as fast")

    def run(length: int, *, cached: bool = True) -> list:
        return list(greedy(model, source, DecodingOptions(max_length=length, cached=cached)))

    def run_beam(length: int) -> list:
        return list(beam(model, source, beam_size=5, length_penalty=1.0, options=DecodingOptions(max_length=length)))

    greedily = f"greedy, {LONG} tokens"
    say(greedily, ("cached", "uncached loop"), lambda: run(LONG), lambda: plain_loop(model, source, LONG))
    say(greedily, ("cached", "our own without its cache"), lambda: run(LONG), lambda: run(LONG, cached=False))
    names = ("ours", "MarianMT")
    for n in (SHORT, LONG):
        say(f"greedy, {n} tokens", names, lambda: run(n), lambda: generate(peer, source, length=n, beams=1))  # noqa: B023
    say(f"beam 5, {SHORT} tokens", names, lambda: run_beam(SHORT),
        lambda: generate(peer, source, length=SHORT, beams=5))  # fmt: skip


if __name__ == "__main__":
    main()
