"""Runs the long random walk.

    python -m tests.walk --steps 10000 --seed 3      continues where this seed was stopped before
    python -m tests.walk --replay build/walk/3-12.jsonl      repeats the steps that failed

A walk consists of rounds of some hundred steps, and prints its progress after each. When a round fails, its steps are
written to build/walk/, one on each line, and the error is printed; with --keep-going the walk continues with the next
round.
"""

import argparse
import json
import logging
import os
import sys
import time
import traceback
from pathlib import Path

import torch
from hypothesis import HealthCheck, Phase, Verbosity, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.walk import models
from tests.walk.machine import Walking
from tests.walk.walk import Walk
from viz.environment import CHECKPOINT_VARIABLE

FOLDER = Path(__file__).parents[2] / "build" / "walk"


def main() -> int:
    """Walk, or replay."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--replay", type=Path, help="a file of steps to take again")
    parser.add_argument("--afresh", action="store_true", help="begin this seed again")
    parser.add_argument("--keep-going", action="store_true", help="do not end with the first round that went wrong")
    chosen = parser.parse_args()
    prepare()
    if chosen.replay is not None:
        return replay(chosen.replay)
    return walk(chosen.seed, chosen.steps, is_afresh=chosen.afresh, keeps_going=chosen.keep_going)


def prepare() -> None:
    """Do what tests/conftest.py does for tests."""
    torch.set_num_threads(1)
    logging.getLogger("streamlit").setLevel(logging.ERROR)
    os.environ[CHECKPOINT_VARIABLE] = str(models.shared())


def walk(number: int, steps: int, *, is_afresh: bool, keeps_going: bool) -> int:
    """Walk in rounds until that many steps have been taken; return 1 when a round failed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    kept = FOLDER / f"seed-{number}.json"
    done = (
        json.loads(kept.read_text("utf-8"))
        if kept.is_file() and not is_afresh
        else {"round": 0, "steps": 0, "wrong": []}
    )
    while done["steps"] < steps:
        done["round"] += 1
        started, before = time.monotonic(), Walking.n_steps
        trail = FOLDER / f"{number}-{done['round']}.jsonl"
        message = one_round(1000 * number + done["round"], trail)
        taken = Walking.n_steps - before
        done["steps"] += taken
        if message:
            done["wrong"].append(trail.name)
            say(f"{message}\n  steps: {trail}")
        kept.write_text(json.dumps(done), "utf-8")
        say(f"seed {number}: {done['steps']} of {steps} steps, {len(done['wrong'])} rounds went wrong, "
            f"{(time.monotonic() - started) / max(1, taken):.2f} s a step")  # fmt: skip
        if message and not keeps_going:
            break
    return bool(done["wrong"])


def of_length(*, n_walks: int, n_steps: int) -> settings:
    """Settings for a number of walks of a number of steps, deterministic for a seed and without shrinking."""
    return settings(
        max_examples=n_walks, stateful_step_count=n_steps, deadline=None, database=None, verbosity=Verbosity.quiet,
        phases=(Phase.generate,), suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
        report_multiple_bugs=False,
    )  # fmt: skip


def one_round(number: int, trail: Path) -> str:
    """The error of a round, or None."""
    Walking.trails = trail
    try:
        run_state_machine_as_test(seed(number)(Walking), settings=of_length(n_walks=8, n_steps=50))
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return short(error)
    return ""


def replay(path: Path) -> int:
    """Replay the steps of a file, and print each."""
    taken = Walk()
    for line in path.read_text("utf-8").splitlines():
        say(line)
        try:
            taken.do(json.loads(line))
        except Exception as error:
            say(short(error))
            return 1
    say(f"{len(taken.trail)} steps, nothing wrong")
    return 0


def short(error: BaseException) -> str:
    """The error and its location."""
    told = traceback.format_exception(error)
    return "".join(told[-6:])[-3_000:]


def say(text: str) -> None:
    """Print a line of progress."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
