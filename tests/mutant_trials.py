"""Runs files of tests, each in a fork of a process that has imported the libraries and none of the code.

Reads one request a line and answers it on a line: `{"tests": ["tests/test_x.py"], "seconds": 60}` is answered by
`{"code": 1, "failed": "tests/test_x.py::test_y", "seconds": 0.8}`. The code is pytest's, or null where the processor
time or five minutes ran out; what failed is the first test that did.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
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


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def _in_child(request: dict[str, Any], pipe: int) -> NoReturn:
    code = 3
    try:
        os.setsid()
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

            options = ["-q", "-x", "-p", "no:cacheprovider"]
            left_out = [f"--deselect={name}" for name in request.get("left_out", ())]
            code = int(pytest.main([*options, *left_out, *request["tests"]], plugins=[FirstFailure(pipe)]))
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
