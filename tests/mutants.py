"""Mutation testing with Cosmic Ray: one small error at a time in model/ or viz/, and the tests of its file.

    make mutants ARGS="--sample 100 --seed 1"     errors sampled from all of model/ and viz/
    make mutants ARGS="viz/state/turns.py"        every error in one file

The errors are made in a git worktree of HEAD, not in the checkout. A survivor means a missing test, or code without
effect. The status is 1 if more than a tenth survive.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cosmic_ray.commands.init import _all_work_items
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_item import MutationSpec

from tests.related_tests import related_tests

ROOT = Path(__file__).parents[1]
SECONDS = 600
"""Time limit of the tests of one error; a timeout counts as detected."""


def sample_errors(files: list[Path], sample: int, seed: int) -> Iterator[MutationSpec]:
    """Errors sampled from files in proportion to their lines; with ``sample`` 0 every error of every file."""
    if not sample:
        yield from (item.mutations[0] for item in _all_work_items(files, {}))
        return
    chance = random.Random(seed)
    for path in chance.choices(files, [path.read_text("utf-8").count("\n") for path in files], k=sample):
        errors = [item.mutations[0] for item in _all_work_items([path], {})]
        if errors:
            yield chance.choice(errors)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--sample", type=int, default=0, help="how many errors; 0 is all, of the named files")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "regard"
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "--quiet", "--detach", copy], check=True)
        try:
            os.chdir(copy)
            listed = sorted(path for top in ("model", "viz") for path in Path(top).rglob("*.py"))
            results = []
            for error in sample_errors(options.files or listed, options.sample, options.seed):
                files = " ".join(related_tests(str(error.module_path)))
                command = f"{sys.executable} -m pytest -x -q -p no:cacheprovider {files}"
                results.append(mutate_and_test([error], command, SECONDS).is_killed)
                state = "noticed " if results[-1] else "SURVIVED"
                print(state, f"{error.module_path}:{error.start_pos[0]}", error.operator_name, flush=True)
        finally:
            os.chdir(ROOT)
            subprocess.run(["git", "worktree", "remove", "--force", copy], check=True)
    print(f"{results.count(False)} of {len(results)} errors survived")
    return int(results.count(False) > len(results) / 10)


if __name__ == "__main__":
    sys.exit(main())
