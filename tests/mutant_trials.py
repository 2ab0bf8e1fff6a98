"""Runs files of tests, each in a fork of a process that has imported the libraries and none of the code.

Reads one request a line and answers it on a line: `{"tests": ["tests/test_x.py"], "seconds": 60}` is answered by
`{"code": 1, "failed": "tests/test_x.py::test_y", "seconds": 0.8}`. The code is pytest's, or null where the processor
time or five minutes ran out; what failed is the first test that did. With `"folder"` the tests run there, and with
`"passes": "map.json"` all of them do, and the file gets what each took and which marked places it passed.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

LIBRARIES = ("torch", "pandas", "plotly.graph_objects", "streamlit.testing.v1", "transformers", "sacrebleu",
             "playwright.sync_api")  # fmt: skip
"""What most tests import, which takes longer than most tests."""
PATIENCE = 300
"""Seconds for one file of tests, for what waits without calculating."""
PARTING = 20
"""Seconds in which tests may stop what they started."""


class FirstFailure:
    """A plugin of pytest that writes the name of the first test that fails."""

    def __init__(self, pipe: int) -> None:
        self.pipe, self.is_told = pipe, False

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and not self.is_told:
            self.is_told = True
            os.write(self.pipe, report.nodeid.encode())

    pytest_collectreport = pytest_runtest_logreport


class Passes:
    """A plugin of pytest that notes for each test its seconds, its result and the marked places that it passes.

    The places are marked by calls of `__passes__`, which this puts among the builtins.
    """

    def __init__(self, path: str) -> None:
        self.path, self.now = path, ""
        self.found: dict[str, dict[str, Any]] = {"": {"seconds": 0.0, "passed": True, "places": []}}
        self.places: dict[str, set[int]] = {"": set()}
        builtins.__dict__["__passes__"] = self._pass

    def _pass(self, place: int) -> None:
        self.places[self.now].add(place)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.now = nodeid
        self.found[nodeid] = {"seconds": 0.0, "passed": True}
        self.places[nodeid] = set()

    def pytest_runtest_logreport(self, report: Any) -> None:
        note = self.found[report.nodeid]
        note["seconds"] = round(note["seconds"] + report.duration, 2)
        note["passed"] = note["passed"] and report.passed

    def pytest_runtest_logfinish(self) -> None:
        self.now = ""

    def pytest_sessionfinish(self) -> None:
        for name, note in self.found.items():
            note["places"] = sorted(self.places[name])
        Path(self.path).write_text(json.dumps(self.found), "utf-8")


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def _in_child(request: dict[str, Any], pipe: int) -> NoReturn:
    code = 3
    try:
        os.setsid()
        os.chdir(request.get("folder", "."))
        signal.signal(signal.SIGXCPU, _interrupt)
        seconds = int(request["seconds"])
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + PARTING))
        empty = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(empty, stream)
        if request["tests"][0].endswith(".js"):
            code = subprocess.run(["node", "--test", *request["tests"]], check=False).returncode
        else:
            import pytest

            options = ["-q", "-p", "no:cacheprovider"]
            left_out = [f"--deselect={name}" for name in request.get("left_out", ())]
            if "passes" in request:
                plugin: Any = Passes(request["passes"])
            else:
                plugin = FirstFailure(pipe)
                options.append("-x")
            code = int(pytest.main([*options, *left_out, *request["tests"]], plugins=[plugin]))
    except KeyboardInterrupt:
        code = 2
    finally:
        os._exit(code)


def _end(child: int) -> None:
    for sign, seconds in ((signal.SIGINT, PARTING), (signal.SIGKILL, PARTING)):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, sign)
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if os.waitpid(child, os.WNOHANG)[0]:
                return
            time.sleep(0.1)


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Run the tests of a request."""
    read, write = os.pipe()
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    child = os.fork()
    if not child:
        _in_child(request, write)
    os.close(write)
    status: int | None = None
    failed = ""
    while time.monotonic() - began < PATIENCE:
        ended, found = os.waitpid(child, os.WNOHANG)
        if ended:
            status = found
            break
        time.sleep(0.05)
    else:
        _end(child)
    os.set_blocking(read, False)
    with contextlib.suppress(BlockingIOError):
        failed = os.read(read, 4096).decode()
    os.close(read)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = os.WEXITSTATUS(status) if status is not None and os.WIFEXITED(status) else None
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"code": None if code == 2 else code, "failed": failed, "seconds": round(spent, 2)}


def main() -> None:
    """Answer requests until there are no more."""
    sys.path[0] = ""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for name in sys.argv[1:]:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    main()
