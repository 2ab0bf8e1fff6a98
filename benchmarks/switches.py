"""Configurations with their switches drawn at random, each compared with the ``transformers`` library.

    python -m benchmarks.switches [--seeds 6] [name …]

Ties, grouped heads, scaled rotary positions, windows, parallel blocks, ALiBi, caps, norms, biases, activations and
depths of every architecture that opens, on a padded batch. Ends with status 1 where a number differs by more than 1e-5,
or where a configuration that the library runs is refused.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import transformers

from model.checkpoints.basis.errors import CheckpointError
from tests.checkpoints.switches import SHOWN, compared

_MOST = 1e-5


def main(arguments: list[str]) -> int:
    """Print a row for each architecture and the sum."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=SHOWN, help="architectures, all by default")
    parser.add_argument("--seeds", type=int, default=6)
    given = parser.parse_args(arguments)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    sums = {"equal": 0, "not built": 0, "refused": 0, "different": 0}
    print(
        "| architecture | equal | not built by the library | largest difference |",
        "| --- | ---: | ---: | ---: |",
        sep="\n",
    )
    for name in given.names:
        worst, counts = 0.0, dict.fromkeys(sums, 0)
        for seed in range(given.seeds):
            result, apart = _result(name, seed)
            counts[result] += 1
            worst = max(worst, apart)
        print(f"| {name} | {counts['equal']} | {counts['not built']} | {worst:.1e} |", flush=True)
        sums = {result: sums[result] + count for result, count in counts.items()}
    print(", ".join(f"{count} {result}" for result, count in sums.items()))
    return int(sums["different"] + sums["refused"] > 0)


def _result(name: str, seed: int) -> tuple[str, float]:
    with TemporaryDirectory() as folder:
        try:
            apart = compared(name, seed, Path(folder))
        except CheckpointError as error:
            print(f"{name}, seed {seed}: {error}", file=sys.stderr)
            return "refused", 0.0
    if apart is None:
        return "not built", 0.0
    if not apart <= _MOST:
        print(f"{name}, seed {seed}: differs by {apart:.1e}", file=sys.stderr)
        return "different", apart
    return "equal", apart


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
