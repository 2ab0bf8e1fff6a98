"""200 sentences with all their attention, in one call and in a loop of single calls.

    python -m benchmarks.many_texts [sentences.tsv] [--texts 200] [--rounds 3]

The first column of a file is read; without one, sentences of the shipped survey are drawn, each once. Both ways take
turns, and the median of each is compared: by the clock on the wall, which tells something on an idle machine alone, and
by processor time, which counts every thread. The bar for ``translate`` is 5, by the clock.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

import model
from model.corpus.shipped import shipped_survey

N_TEXTS = 200
Times = tuple[float, float]
"""Seconds by the clock and of processor time."""


def texts(path: Path | None, n: int = N_TEXTS) -> list[str]:
    """Different sentences drawn from a file, or from the shipped survey."""
    if path is None:
        lines = shipped_survey().query("SELECT source FROM sentences ORDER BY id")["source"].tolist()
    else:
        lines = [line.split("\t")[0].strip() for line in path.read_text("utf-8").splitlines()]
    different = [line for line in dict.fromkeys(lines) if line]
    if len(different) < n:
        raise SystemExit(f"{len(different)} different sentences for {n} texts: give a larger file, or fewer --texts")
    return random.Random(1).sample(different, n)


def timed(run: Callable[[], Any]) -> Times:
    """The times of one call."""
    clock, processor = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - clock, time.process_time() - processor


def compare(name: str, together: Callable[[], Any], alone: Callable[[], Any], rounds: int) -> None:
    """Print both ways' times, a line for each kind of time."""
    found = [(timed(together), timed(alone)) for _ in range(rounds)]
    for place, kind in enumerate(("by the clock on the wall", "by processor time")):
        one, loop = (statistics.median(pair[way][place] for pair in found) for way in (0, 1))
        print(f"{name} {kind}: {one:.2f} s, a loop {loop:.2f} s: {loop / one:.1f} times as fast")


def main() -> None:
    """Print two lines for ``translate`` and two for ``score``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", nargs="?", type=Path)
    parser.add_argument("--texts", type=int, default=N_TEXTS)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    bundle = model.load()
    given = texts(chosen.path, chosen.texts)
    traces = model.translate(bundle, given)
    print(f"{len(given)} different sentences, {torch.get_num_threads()} threads")
    compare(
        "translate",
        lambda: model.translate(bundle, given),
        lambda: [model.translate(bundle, text) for text in given],
        chosen.rounds,
    )
    said = [trace.text if isinstance(trace, model.Trace) else "" for trace in traces]
    compare(
        "score",
        lambda: model.score(bundle, given, said),
        lambda: [model.score(bundle, *pair) for pair in zip(given, said, strict=True)],
        chosen.rounds,
    )


if __name__ == "__main__":
    main()
