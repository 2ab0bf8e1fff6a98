"""Runs the long random walk.

    python -m tests.walk --steps 10000 --seed 3      continues where this seed stopped
    python -m tests.walk --replay build/walk/3-12.jsonl      repeats the steps that failed

A walk consists of rounds of some hundred steps and prints its progress after each. The steps of a failed round are
written to build/walk/, one per line, and the error is printed; with --keep-going the walk continues.
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
    os.environ[CHECKPOINT_VARIABLE] = str(models.shared_model())


def walk(number: int, steps: int, *, is_afresh: bool, keeps_going: bool) -> int:
    """Walk in rounds until that many steps have been taken; return 1 when a round failed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    state_file = FOLDER / f"seed-{number}.json"
    n_done = (
        json.loads(state_file.read_text("utf-8"))
        if state_file.is_file() and not is_afresh
        else {"round": 0, "steps": 0, "wrong": []}
    )
    while n_done["steps"] < steps:
        n_done["round"] += 1
        started, before = time.monotonic(), Walking.n_steps
        trail = FOLDER / f"{number}-{n_done['round']}.jsonl"
        message = run_round(1000 * number + n_done["round"], trail)
        n_taken = Walking.n_steps - before
        n_done["steps"] += n_taken
        if message:
            n_done["wrong"].append(trail.name)
            log(f"{message}\n  steps: {trail}")
        state_file.write_text(json.dumps(n_done), "utf-8")
        log(f"seed {number}: {n_done['steps']} of {steps} steps, {len(n_done['wrong'])} rounds went wrong, "
            f"{(time.monotonic() - started) / max(1, n_taken):.2f} s a step")  # fmt: skip
        if message and not keeps_going:
            break
    return bool(n_done["wrong"])


def settings_for(*, n_walks: int, n_steps: int) -> settings:
    """Hypothesis settings for a number of walks and steps, deterministic for a seed, without shrinking."""
    return settings(
        max_examples=n_walks, stateful_step_count=n_steps, deadline=None, database=None, verbosity=Verbosity.quiet,
        phases=(Phase.generate,), suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
        report_multiple_bugs=False,
    )  # fmt: skip


def run_round(number: int, trail: Path) -> str:
    """The error of a round, or None."""
    Walking.trails = trail
    try:
        run_state_machine_as_test(seed(number)(Walking), settings=settings_for(n_walks=8, n_steps=50))
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return format_error(error)
    return ""


def replay(path: Path) -> int:
    """Replay the steps of a file, and print each."""
    walk_ = Walk()
    for line in path.read_text("utf-8").splitlines():
        log(line)
        try:
            walk_.do(json.loads(line))
        except Exception as error:
            log(format_error(error))
            return 1
    log(f"{len(walk_.trail)} steps, nothing wrong")
    return 0


def format_error(error: BaseException) -> str:
    """The error and its location."""
    lines = traceback.format_exception(error)
    return "".join(lines[-6:])[-3_000:]


def log(text: str) -> None:
    """Print a line of progress."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
