"""The servers of the benchmarks, and the one Chromium."""

import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from benchmarks import browser
from tests.serving import ROOT

BENCHMARK = """
import sys, time
from pathlib import Path
from tests.serving import server
with server("page.py", root=Path(sys.argv[1])) as (address, _):
    print(f"at {address}", flush=True)
    time.sleep(600)
"""


@pytest.mark.server
def test_a_terminated_benchmark_ends_its_server(tmp_path: Path):
    (tmp_path / "page.py").write_text("", "utf-8")
    command = [sys.executable, "-c", BENCHMARK, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as benchmark:
        assert benchmark.stdout is not None
        address = next(line.split()[1] for line in benchmark.stdout if line.startswith("at "))
        urllib.request.urlopen(address, timeout=60).close()
        benchmark.terminate()
        assert benchmark.wait(60) != 0
    with pytest.raises(OSError):
        urllib.request.urlopen(address, timeout=60)


def find_chromium(folder: Path, *programs: str, named: str = "") -> subprocess.CompletedProcess[str]:
    """What the command prints where only these programs are installed."""
    for name in programs:
        (folder / name).write_text("#!/bin/sh\n", "utf-8")
        (folder / name).chmod(0o755)
    environment = {**os.environ, "PATH": str(folder), "CHROMIUM_PATH": named, "PLAYWRIGHT_BROWSERS_PATH": str(folder)}
    return subprocess.run(
        [sys.executable, "-m", "benchmarks.browser"], cwd=ROOT, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


@pytest.mark.nightly(*(name for name in browser.NAMES if name != "chromium"))
@pytest.mark.parametrize("name", browser.NAMES)
def test_every_kind_of_chromium_is_enough_alone(tmp_path: Path, name: str):
    assert find_chromium(tmp_path, name).stdout.strip() == str(tmp_path / name)


@pytest.mark.nightly
def test_the_variant_without_windows_is_taken_before_the_whole_browser(tmp_path: Path):
    assert find_chromium(tmp_path, *browser.NAMES).stdout.strip() == str(tmp_path / "chromium-headless-shell")


@pytest.mark.nightly
def test_a_browser_that_is_named_is_taken_before_all(tmp_path: Path):
    mine = tmp_path / "mine"
    mine.write_text("#!/bin/sh\n", "utf-8")
    mine.chmod(0o755)
    assert find_chromium(tmp_path, "chromium", named=str(mine)).stdout.strip() == str(mine)


def test_without_a_browser_the_message_names_the_package(tmp_path: Path):
    ended = find_chromium(tmp_path)
    assert ended.returncode == 1 and ended.stderr.strip() == browser.MISSING


@pytest.mark.nightly
def test_a_named_browser_that_is_not_there_is_not_replaced_by_another(tmp_path: Path):
    ended = find_chromium(tmp_path, "chromium", named="/nowhere/chromium")
    assert ended.returncode == 1 and "/nowhere/chromium" in ended.stderr


def test_no_other_code_looks_for_a_browser():
    launched = re.compile(r"chromium\.launch\(|which\(.chrom|command -v .?chrom")
    programs = [path for top in ("benchmarks", "docs", "tests", "viz", "model") for path in (ROOT / top).rglob("*")
                if path.suffix in (".py", ".sh")]  # fmt: skip
    places = {path.relative_to(ROOT).as_posix() for path in programs if launched.search(path.read_text("utf-8"))}
    assert places - {"tests/benchmarks/test_serving.py"} == {"benchmarks/browser.py"}
