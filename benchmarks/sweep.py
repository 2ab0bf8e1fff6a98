"""How long a sweep takes: 12 positions at 8 sites of 50 pairs on the shipped model, on one core.

python -m benchmarks.sweep
"""

from __future__ import annotations

import time

import torch

import model

SUBJECTS = ("old woman", "young lady", "little girl", "tall actress", "kind nurse")
RIVALS = ("old man", "young man", "little boy", "tall actor", "kind waiter")
RESTS = ("is very tired", "was happy", "is not ready", "has gone home", "is at home now", "looks sad", "came back late",
         "is my friend", "was very kind", "is alone today")  # fmt: skip
SITES = ("encoder.*.residual.after", "decoder.*.residual.after")
PAIRS = [(f"The {one} {rest} because of the rain.", f"The {other} {rest} because of the rain.")
         for one, other in zip(SUBJECTS, RIVALS, strict=True) for rest in RESTS]  # fmt: skip


def main() -> None:
    torch.set_num_threads(1)
    bundle = model.load()
    model.sweep(bundle, PAIRS[:1], sites=SITES, positions=range(12))
    began = time.process_time()
    found = model.sweep(bundle, PAIRS, sites=SITES, positions=range(12))
    seconds = time.process_time() - began
    print(f"{found.effects.shape} cells, {int((found.effects == found.effects).sum())} computed: {seconds:.1f} s")


if __name__ == "__main__":
    main()
