"""Decoding with all attention returned: with a cache, without one, and Hugging Face's MarianMT of equal size.

    python -m benchmarks.decoding

Every run decodes a fixed number of tokens from the same random source. The uncached loop is the simplest
implementation: it runs the whole model over all tokens so far for each new token. Bars: cached greedy decoding of 60
tokens is 5 times as fast as that loop; greedy is 1.5 times as fast as MarianMT; beam 5 is at least equally fast.
"""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor

from benchmarks.marian import generate, marian
from benchmarks.timing import Compared, arguments, clock, compare, conditions
from model.config import TransformerConfig
from model.decoding.strategies import DecodingOptions, beam, greedy
from model.nn.passes import Output
from model.nn.transformer import Transformer

SOURCE_LENGTH, SHORT, LONG = 14, 16, 60


def endless(config: TransformerConfig) -> Transformer:
    """A model with random weights that never ends a sentence."""
    model = Transformer(config).eval()
    with torch.no_grad():
        model.output.bias[config.eos_id] = -1e4
    return model


def plain_loop(model: Transformer, source: Tensor, length: int) -> list[Output]:
    """Greedy decoding with all attention and without a cache."""
    fed, found = torch.tensor([[model.config.bos_id]]), []
    with torch.inference_mode():
        for _ in range(length):
            found.append(model(source, fed, capture=True))
            fed = torch.cat((fed, found[-1].logits[:, -1:].argmax(-1)), 1)
    return found


def main() -> None:
    """Print one line for each comparison."""
    parser = arguments(__doc__)
    parser.set_defaults(rounds=7)
    chosen = parser.parse_args()
    compared = partial(compare, rounds=chosen.rounds, clock=clock(chosen))
    torch.manual_seed(0)
    config = TransformerConfig(source_vocab_size=6000, target_vocab_size=6000, output_bias=True)
    ours, peer = endless(config), marian(config)
    source = torch.randint(4, 6000, (1, SOURCE_LENGTH))
    print(f"decoding with attention, 4+4 layers, 8 heads, 256 wide, source of "
          f"{SOURCE_LENGTH} tokens; {conditions(chosen)}")  # fmt: skip

    def run(length: int, *, cached: bool = True) -> list:
        return list(greedy(ours, source, DecodingOptions(max_length=length, cached=cached)))

    def run_beam(length: int) -> list:
        return list(beam(ours, source, beam_size=5, length_penalty=1.0, options=DecodingOptions(max_length=length)))

    found = compared(lambda: run(LONG), lambda: plain_loop(ours, source, LONG))
    _say(f"greedy, {LONG} tokens", "cached", "uncached loop", found, 5.0)
    found = compared(lambda: run(LONG), lambda: run(LONG, cached=False))
    _say(f"greedy, {LONG} tokens", "cached", "our own without its cache", found, None)
    for length in (SHORT, LONG):
        found = compared(
            lambda: run(length),  # noqa: B023
            lambda: generate(peer, source, length=length, beams=1),  # noqa: B023
        )
        _say(f"greedy, {length} tokens", "ours", "MarianMT", found, 1.5)
    found = compared(lambda: run_beam(SHORT), lambda: generate(peer, source, length=SHORT, beams=5))
    _say(f"beam 5, {SHORT} tokens", "ours", "MarianMT", found, 1.0)


def _say(what: str, ours: str, peer: str, found: Compared, bar: float | None) -> None:
    aim = "" if bar is None else f" (bar {bar})"
    print(f"{what:>18}: {ours} {found.ours * 1e3:7.1f} ms, {peer} {found.peer * 1e3:7.1f} ms, "
          f"{1 / found.ratio:.2f} times as fast{aim}")  # fmt: skip


if __name__ == "__main__":
    main()
