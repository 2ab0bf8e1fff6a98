"""The time of ``import model; model.load()`` in a new process, and how much of it is PyTorch's own import.

python -m benchmarks.load [--rounds 20]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys

from benchmarks.serving import ROOT

SCRIPT = """
import time
started = time.perf_counter()
import torch
imported = time.perf_counter()
import model
model.load()
print(imported - started, time.perf_counter() - started)
"""


def main() -> None:
    """Print the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = [_once() for _ in range(parser.parse_args().rounds + 1)][1:]
    torch, whole = (statistics.median(times) for times in zip(*rounds, strict=True))
    print(f"import model; model.load() in a fresh process: median {whole:.2f} s of {len(rounds)} (bar 2.5), "
          f"of which PyTorch {torch:.2f} s (bar 2.0)")  # fmt: skip


def _once() -> tuple[float, float]:
    """Seconds of ``import torch``, and in total."""
    ran = subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=True)
    torch, whole = map(float, ran.stdout.split())
    return torch, whole


if __name__ == "__main__":
    main()
