"""If a program is missing, the last line of a test run says what was not tested and how to install it."""

import os
import subprocess
import sys
from pathlib import Path

from tests.programs import PROGRAMS, untested_line

ROOT = Path(__file__).parents[1]


def last_lines(folder: Path, *programs: str) -> list[str]:
    """pytest's output for tests that need Redis when only these programs are installed."""
    for name in programs:
        (folder / name).write_text("#!/bin/sh\n", "utf-8")
        (folder / name).chmod(0o755)
    process = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/rooms/test_redis.py"],
        cwd=ROOT, env={**os.environ, "PATH": str(folder)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return process.stdout.splitlines()


def test_one_line_after_all_others_names_what_was_not_tested_and_the_command_that_installs_it(tmp_path: Path):
    lines = last_lines(tmp_path, "node", "pdflatex")
    assert lines[-2] == (
        "Not tested: rooms on Redis, two replicas behind nginx. To test them: apt install redis-server nginx-light"
    )
    assert "skipped" in lines[-1] and sum(line.startswith("Not tested") for line in lines) == 1


def test_without_a_missing_program_there_is_no_line():
    assert untested_line([]) == ""


def test_every_program_is_installed_by_the_checks_or_named_as_not_tested():
    run = (ROOT / ".ci/run").read_text("utf-8")
    assert [name for name in PROGRAMS if f"command -v {name} " not in run] == ["pdflatex"]


def test_a_foreign_package_of_the_name_tests_hides_none_of_these_programs(tmp_path: Path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "__init__.py").touch()
    subprocess.run(
        [sys.executable, "-m", "tests.programs"], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(tmp_path)}, check=True
    )
