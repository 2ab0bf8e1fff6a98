"""Runs the unit tests nearest to a change, for as long as somebody waits for an answer while at work.

    make test-fast                                  of what differs from the branch main, and of what is not committed
    make test-fast ARGS="viz/state/turns.py"        of these files

Tests that bear the name of a changed file come first, then those that import it, then those further away
(tests/related_tests.py). After ``SECONDS`` no other test begins, and the last lines say how many were left out. Tests
that need a browser or a server are never among them, so ``make test`` is needed before a change is ready.
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

from tests.related_tests import ROOT, is_test, related

SECONDS = 80
"""After the start of Python. A test that has begun may end later."""


def changed(root: Path = ROOT, main: str = "main") -> list[str]:
    """Files that differ from where this branch left ``main``, committed or not; all of the last commit on main."""

    def git(*words: str) -> list[str]:
        return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout.splitlines()

    try:
        base = git("merge-base", "HEAD", main)[0]
    except subprocess.CalledProcessError:  # a clone without the branch
        base = "HEAD"
    untracked = git("ls-files", "--others", "--exclude-standard")
    return sorted({*git("diff", "--name-only", "--diff-filter=d", base), *untracked})


def nearest(files: Iterable[str]) -> list[str]:
    """Files of tests, the nearest to any of these files first."""
    lists = [[name] if is_test(Path(name)) else _related(name) for name in files]
    found = dict.fromkeys(name for row in itertools.zip_longest(*lists) for name in row if name)
    return [name for name in found if is_test(Path(name))]


def _related(name: str) -> Sequence[str]:
    path = Path(name)
    return related(name) if path.suffix in {".py", ".js"} and "browser" not in path.parts else ()


class Within:
    """Begins no test after a time.

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
        return True  # as if it had run

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.left_out:
            terminalreporter.write_line(
                f"{self.left_out} tests were left out for time: make test runs them", yellow=True
            )


def main(files: Sequence[str]) -> int:
    """Run them.

    Returns:
        pytest's status, or Node's where that fails; 0 where no test is related to the change.
    """
    tests = nearest(files or changed())
    scripts = [name for name in tests if name.endswith(".test.js")]
    status = 0
    if scripts and shutil.which("node"):
        status = subprocess.run(["node", "--test", *scripts], cwd=ROOT, check=False).returncode
    modules = [name for name in tests if name.endswith(".py")]
    if not modules:
        sys.stdout.write("no test in Python is related to the change\n")
        return status
    words = ["-q", "--by-day", "-m", "not browser and not server", *modules]
    ended = int(pytest.main(words, plugins=[Within(SECONDS)]))
    none = int(pytest.ExitCode.NO_TESTS_COLLECTED)
    return status or (0 if ended == none else ended)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
