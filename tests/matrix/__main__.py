"""Runs the whole matrix, again and again with other places of each change, and prints the cells that are wrong.

python -m tests.matrix --minutes 60
python -m tests.matrix --rounds 1 --part 2/5        the second fifth of the cells, each once
python -m tests.matrix --only attend --kind adapter
"""

import argparse
import random
import sys
import time
import traceback
import warnings

import pytest
import torch

from tests.matrix.test_matrix import PLACES, check, refusal


def main() -> int:
    """Print every cell that is wrong; the number of them, at most 1, is the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to go on")
    parser.add_argument("--only", default="", help="one reading")
    parser.add_argument("--kind", default="", help="one kind of model")
    parser.add_argument("--change", default="", help="one change")
    parser.add_argument("--seed", type=int, default=0, help="the first seed of the places")
    parser.add_argument(
        "--rounds", type=int, default=0, help="how often each cell is tried; 0: as often as there is time"
    )
    parser.add_argument("--part", default="1/1", help="which part of the cells, such as 2/5")
    parser.add_argument("--refusals", action="store_true", help="print the combinations that are refused, and stop")
    requested = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    chosen = [place for place in PLACES
              if (requested.only or place.reading) == place.reading and (requested.kind or place.kind) == place.kind
              and (requested.change or place.change) == place.change]  # fmt: skip
    if requested.refusals:
        for line in sorted({f"{p.reading} × {p.kind} × {p.change}: {refusal(p)}" for p in chosen if refusal(p)}):
            print(line)
        return 0
    part, n_parts = map(int, requested.part.split("/"))
    chosen = chosen[part - 1 :: n_parts]
    began, seed, wrong, done, refused, reported = time.monotonic(), requested.seed, set(), 0, 0, 0
    end, last_seed = began + 60 * requested.minutes, requested.seed + (requested.rounds or sys.maxsize)
    while time.monotonic() < end and seed < last_seed:
        for place in random.Random(seed).sample(chosen, len(chosen)):
            if time.monotonic() >= end:
                break
            done, refused = done + 1, refused + bool(refusal(place))
            if time.monotonic() - began >= 60 * (reported + 1):
                reported += 1
                print(f"{reported} min: {done} cells, {refused} of them refusals, {len(wrong)} wrong", flush=True)
            try:
                check(place, seed)
            except (Exception, pytest.fail.Exception) as error:
                key = (place.reading, place.kind, place.change)
                if key not in wrong:
                    wrong.add(key)
                    where = traceback.extract_tb(error.__traceback__)[-1]
                    message = " ".join(str(error).split())[:160]
                    kind = type(error).__name__
                    print(f"{tuple(place)} seed {seed}: {kind} {message} ({where.filename}:{where.lineno})", flush=True)
        seed += 1
    print(f"{done} cells of {len(chosen)}, {refused} of them refusals, in {time.monotonic() - began:.0f} s; "
          f"{len(wrong)} combinations are wrong")  # fmt: skip
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
