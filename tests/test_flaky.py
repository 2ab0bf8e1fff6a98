"""Reruns of flaky tests, tried on a suite whose tests count their runs in files."""

import re
from typing import NamedTuple

import pytest

from benchmarks.serving import ROOT

pytest_plugins = ["pytester"]
CONFTEST = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from tests import flaky
pytest_addoption = flaky.add_options
pytest_configure = flaky.register
"""
INI = "[pytest]\nmarkers = browser\n    server\n"
SUITE = """
import os, pathlib, pytest

def fails_before(time, name):
    '''Counts the runs, and fails in all before this one.'''
    with pathlib.Path(name).open("a") as file:
        file.write(".")
    assert os.stat(name).st_size >= time, f"{name} fails"

@pytest.fixture
def ends_badly():
    yield
    fails_before(2, "end")

@pytest.mark.parametrize("odd", ["a b@c::d"])
@pytest.mark.browser
def test_first(odd): fails_before(2, "first")
@pytest.mark.server
def test_end(ends_badly): pass
@pytest.mark.browser
def test_passes(): fails_before(1, "passes")
"""
TWICE = "@pytest.mark.browser\ndef test_twice(): fails_before(3, 'twice')\n"
UNIT = "def test_unit(): fails_before(2, 'unit')\n"
CRASH = "@pytest.mark.browser\ndef test_crash():\n    pathlib.Path('crash').exists() and os._exit(3)\n    "
CRASH += "pathlib.Path('crash').touch()\n    assert False\n"


class FinishedRun(NamedTuple):
    """A finished run: exit status, output, the counts of its last line, and the number of runs of each test."""

    status: int
    text: str
    counts: dict[str, int]
    times: dict[str, int]


def run(pytester: pytest.Pytester, suite: str, *words: str) -> FinishedRun:
    """Run a suite in a new process."""
    pytester.makeconftest(CONFTEST)
    pytester.makefile(".ini", pytest=INI)
    pytester.makepyfile(suite)
    result = pytester.runpytest_subprocess(*words)
    text = "\n".join(result.outlines)
    counts = {name: int(number) for number, name in re.findall(r"(\d+) (\w+)", result.outlines[-1].split(" in ")[0])}
    times = {path.name: path.stat().st_size for path in pytester.path.iterdir() if not path.suffix}
    return FinishedRun(result.ret, text, counts, times)


@pytest.mark.nightly("workers")
@pytest.mark.parametrize("workers", [(), ("-n2", "--dist=loadfile")], ids=["one", "workers"])
def test_a_test_that_passes_alone_is_reported_as_flaky_and_one_that_fails_twice_has_failed(
    pytester: pytest.Pytester, workers
) -> None:
    result = run(pytester, SUITE, "--flaky=pass", *workers)
    assert result.status == 0
    assert result.counts == {"passed": 1, "flaky": 2}
    assert (result.times["first"], result.times["end"], result.times["passes"]) == (2, 2, 1)
    last = result.text.rpartition("flaky: failed among the others")[2]
    for line in ("AssertionError: first fails", "AssertionError: end fails", "test_first[a b@c::d]"):
        assert line in last


def test_only_a_test_of_a_browser_or_server_is_tried_again(pytester: pytest.Pytester) -> None:
    result = run(pytester, SUITE + TWICE + UNIT + CRASH, "--flaky=pass")
    assert result.status == 1
    assert result.counts == {"passed": 1, "failed": 3, "flaky": 2}
    assert (result.times["twice"], result.times["unit"], result.times["first"]) == (2, 1, 2)
    assert "AssertionError: twice fails" in result.text


@pytest.mark.nightly
def test_at_night_what_is_flaky_fails(pytester: pytest.Pytester) -> None:
    result = run(pytester, SUITE, "--flaky=fail")
    assert result.status == 1
    assert result.counts == {"passed": 1, "failed": 1, "error": 1}
    assert result.text.count("FLAKY") == 2
    assert (result.times["first"], result.times["end"], result.times["passes"]) == (2, 2, 1)
    assert run(pytester, SUITE + TWICE).times["twice"] == 1  # without the option
