"""A benchmark that is asked to end leaves no server running."""

import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from benchmarks.serving import ROOT

BENCHMARK = """
import sys, time
from pathlib import Path
from benchmarks.serving import server
with server("page.py", root=Path(sys.argv[1])) as (address, _):
    print(f"at {address}", flush=True)
    time.sleep(600)
"""


@pytest.mark.server
def test_a_benchmark_that_is_asked_to_end_ends_its_server(tmp_path: Path):
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
