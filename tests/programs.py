"""Programs beside Python that some tests need: what is not tested without each, and which package has it."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest


@dataclass(frozen=True, slots=True)
class Program:
    """A command that a bare system lacks.

    Args:
        untested: what no test covers without it.
        packages: Debian's, as ``apt install`` takes them.
    """

    untested: str
    packages: str


PROGRAMS = {
    "node": Program("the JavaScript", "nodejs"),
    "redis-server": Program("rooms on Redis", "redis-server"),
    "nginx": Program("two replicas behind nginx", "nginx-light"),
    "pdflatex": Program("TikZ figures in LaTeX", "texlive-latex-base texlive-pictures"),
}


def need(*names: str) -> None:
    """Skip the test, or all tests of a fixture, where one of these programs is not installed."""
    missing = [name for name in names if shutil.which(name) is None]
    if missing:
        packages = " ".join(PROGRAMS[name].packages for name in missing)
        pytest.skip(f"{' and '.join(missing)} not installed (Debian: apt install {packages})")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: Any) -> Iterator[None]:
    """After all other summaries: one line with what was not tested, and the command that installs what it needs."""
    yield
    line = untested([name for name in PROGRAMS if shutil.which(name) is None])
    if line:
        terminalreporter.write_line(line, yellow=True)


def untested(missing: list[str]) -> str:
    """The line for these programs; empty when none is missing."""
    if not missing:
        return ""
    what = ", ".join(PROGRAMS[name].untested for name in missing)
    return f"Not tested: {what}. To test them: apt install {' '.join(PROGRAMS[name].packages for name in missing)}"
