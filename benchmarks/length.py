"""Time and memory of one forward pass by sentence length, 16 to 512 tokens a side.

    python -m benchmarks.length

Each row runs in a separate process; peak memory is what the first pass with attention adds to it. The peer is
``torch.nn.Transformer`` of the same size, which returns no attention.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys

import torch

from benchmarks.peer import PlainTransformer
from benchmarks.timing import Clock, arguments, clock, compare, conditions
from model.config import TransformerConfig
from model.nn.transformer import Transformer

LENGTHS = (16, 32, 64, 128, 256, 512)
CONFIG = TransformerConfig(source_vocab_size=6000, target_vocab_size=6000)


def measure(length: int, *, rounds: int, ticks: Clock) -> dict[str, float]:
    """Milliseconds and megabytes of one pass at one length, with a batch size of 1."""
    torch.manual_seed(0)
    ours, plain = Transformer(CONFIG).eval(), PlainTransformer(CONFIG).eval()
    source, fed = (torch.randint(4, 6000, (1, length)) for _ in range(2))
    with torch.inference_mode():
        plain(source, fed)
        ours(source, fed)
        before = _peak()
        output = ours(source, fed, capture=True)
        captured = _peak() - before
        against = compare(
            lambda: ours(source, fed, capture=True), lambda: plain(source, fed), rounds=rounds, clock=ticks
        )
        fused = compare(lambda: ours(source, fed), lambda: plain(source, fed), rounds=rounds, clock=ticks)
    maps = sum(w.nbytes for kind in (output.encoder_self, output.decoder_self, output.cross) for w in kind)
    return {
        "with": against.ours * 1e3,
        "without": fused.ours * 1e3,
        "peer": against.peer * 1e3,
        "ratio": against.ratio,
        "maps": maps / 1e6,
        "captured": captured / 1e6,
    }


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main() -> None:
    """Print the table."""
    parser = arguments(__doc__)
    parser.add_argument("--length", type=int, help="measure one length and print JSON")
    chosen = parser.parse_args()
    if chosen.length:
        print(json.dumps(measure(chosen.length, rounds=chosen.rounds, ticks=clock(chosen))))
        return
    print(f"one forward pass, batch 1, 4+4 layers, 8 heads, 256 wide, {conditions(chosen)}")
    print("| tokens a side | with attention | without | torch.nn.Transformer | ratio | attention | peak memory |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for length in LENGTHS:
        given = [f"--length={length}", f"--rounds={chosen.rounds}", f"--threads={chosen.threads}"]
        given += ["--cpu-time"] * chosen.cpu_time
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.length", *given], check=True, capture_output=True, text=True
        )
        row = json.loads(done.stdout)
        print(
            f"| {length} | {row['with']:.1f} ms | {row['without']:.1f} ms | {row['peer']:.1f} ms | {row['ratio']:.2f} "
            f"| {row['maps']:.2f} MB | {row['captured']:.1f} MB |"
        )


if __name__ == "__main__":
    main()
