"""External programs that some tests need, what they test, and the packages that contain them."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest


@dataclass(frozen=True, slots=True)
class Program:
    """A command that may not be installed.

    Args:
        untested: what is not tested without it.
        packages: Debian packages, as arguments of ``apt install``.
    """

    untested: str
    packages: str


PROGRAMS = {
    "node": Program("the JavaScript", "nodejs"),
    "redis-server": Program("rooms on Redis", "redis-server"),
    "nginx": Program("two replicas behind nginx", "nginx-light"),
    "pdflatex": Program("TikZ figures in LaTeX", "texlive-latex-base texlive-pictures"),
}


def require_programs(*names: str) -> None:
    """Skip the test, or all tests of a fixture, if one of these programs is not installed."""
    missing = [name for name in names if shutil.which(name) is None]
    if missing:
        packages = " ".join(PROGRAMS[name].packages for name in missing)
        pytest.skip(f"{' and '.join(missing)} not installed (Debian: apt install {packages})")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: Any) -> Iterator[None]:
    """Write the line last, after all other summaries."""
    yield
    line = untested_line([name for name in PROGRAMS if shutil.which(name) is None])
    if line:
        terminalreporter.write_line(line, yellow=True)


def untested_line(missing: list[str]) -> str:
    """What was not tested without these programs, and the command that installs them; empty if none is missing."""
    if not missing:
        return ""
    untested = ", ".join(PROGRAMS[name].untested for name in missing)
    return f"Not tested: {untested}. To test them: apt install {' '.join(PROGRAMS[name].packages for name in missing)}"
