"""Runs the unit tests most closely related to a change, within ``SECONDS``.

    make test-fast                                  for files that differ from the branch main or are not committed
    make test-fast ARGS="viz/state/turns.py"        for these files

Tests named after a changed file come first, then those that import it, then indirect ones (tests/related_tests.py).
After ``SECONDS`` no further test starts, and the last lines say how many were left out. Tests that need a browser or
a server never run here: run ``make test`` before a change is ready.
"""

import itertools
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.related_tests import ROOT, is_test, related_tests

SECONDS = 80
"""Since the start; a running test may end later."""


def changed_files(root: Path = ROOT, main: str = "main") -> list[str]:
    """Files that differ from the merge base with ``main``, committed or not."""

    def git(*words: str) -> list[str]:
        return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout.splitlines()

    try:
        base = git("merge-base", "HEAD", main)[0]
    except subprocess.CalledProcessError:  # a clone without the branch
        base = "HEAD"
    untracked = git("ls-files", "--others", "--exclude-standard")
    return sorted({*git("diff", "--name-only", "--diff-filter=d", base), *untracked})


def nearest(files: Iterable[str]) -> list[str]:
    """Test files, the most closely related to any of these files first."""
    related_files = [[name] if is_test(Path(name)) else _related_files(name) for name in files]
    tests = dict.fromkeys(name for rank in itertools.zip_longest(*related_files) for name in rank if name)
    return [name for name in tests if is_test(Path(name))]


def _related_files(name: str) -> Sequence[str]:
    path = Path(name)
    return related_tests(name) if path.suffix in {".py", ".js"} and "browser" not in path.parts else ()


class TimeBudget:
    """A pytest plug-in that starts no test after a deadline.

    Args:
        seconds: from now.
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self.left_out = 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        if time.monotonic() < self._end:
            return None
        self.left_out += 1
        return True  # as if the test had run

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.left_out:
            terminalreporter.write_line(
                f"{self.left_out} tests were left out for time: make test runs them", yellow=True
            )


def main(files: Sequence[str]) -> int:
    """Run the tests related to these files, or to all changed ones.

    Returns:
        pytest's status, or Node's if that fails; 0 if no test is related to the change.
    """
    tests = nearest(files or changed_files())
    scripts = [name for name in tests if name.endswith(".test.js")]
    status = 0
    if scripts and shutil.which("node"):
        status = subprocess.run(["node", "--test", *scripts], cwd=ROOT, check=False).returncode
    modules = [name for name in tests if name.endswith(".py")]
    if not modules:
        sys.stdout.write("no test in Python is related to the change\n")
        return status
    options = ["-q", "--by-day", "-m", "not browser and not server", *modules]
    pytest_status = int(pytest.main(options, plugins=[TimeBudget(SECONDS)]))
    no_tests = int(pytest.ExitCode.NO_TESTS_COLLECTED)
    return status or (0 if pytest_status == no_tests else pytest_status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
