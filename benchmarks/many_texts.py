"""200 sentences with all their attention, in one call and in a loop of single calls.

    python -m benchmarks.many_texts [sentences.tsv] [--texts 200]

The first column of a file is read; without one, the sentences that come with the program are taken several times.
Processor time is compared, after one call that is not counted. The bar for ``translate`` is 5.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

import model

SHIPPED = Path(model.__file__).with_name("corpus") / "sentences.txt"
N_TEXTS = 200


def texts(path: Path, n: int = N_TEXTS) -> list[str]:
    """Sentences drawn from a file, some more than once where it has fewer."""
    lines = [line.split("\t")[0] for line in path.read_text("utf-8").splitlines() if line.strip()]
    drawn = random.Random(1)
    return drawn.sample(lines, n) if len(lines) >= n else drawn.choices(lines, k=n)


def used(run: Callable[[], Any]) -> tuple[float, Any]:
    """Processor time of a call in seconds, and what it returns."""
    start = time.process_time()
    found = run()
    return time.process_time() - start, found


def main() -> None:
    """Print a line for ``translate`` and one for ``score``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", nargs="?", type=Path, default=SHIPPED)
    parser.add_argument("--texts", type=int, default=N_TEXTS)
    chosen = parser.parse_args()
    bundle = model.load()
    given = texts(chosen.path, chosen.texts)
    model.translate(bundle, given[:8])
    print(f"{len(given)} sentences, {len(set(given))} different, {torch.get_num_threads()} threads")
    together, traces = used(lambda: model.translate(bundle, given))
    alone, _ = used(lambda: [model.translate(bundle, text) for text in given])
    print(f"translate   {together:6.2f} s, a loop {alone:6.2f} s   {alone / together:.1f} times (at least 5)")
    said = [trace.text for trace in traces]
    together, _ = used(lambda: model.score(bundle, given, said))
    alone, _ = used(lambda: [model.score(bundle, *pair) for pair in zip(given, said, strict=True)])
    print(f"score       {together:6.2f} s, a loop {alone:6.2f} s   {alone / together:.1f} times")


if __name__ == "__main__":
    main()
