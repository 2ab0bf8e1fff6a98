"""The time from dropping a small checkpoint to its report on the screen, and what it is spent on.

    python benchmarks/drop_checkpoint.py [--rounds 3] [--no-browser]

For one small file of each of several families it times: reading and converting; measuring what the file does not
state; both in a child process, with the result sent back (``apart``); and, in Chromium, the drop until the report's
heading. The first lines give the time to start the process that reads, which happens when the page is first opened, and
the time to load what a Hugging Face folder needs of the ``transformers`` library, which it does afterwards. Stages are
measured in processor time, which does not depend on other load; the screen is measured by wall clock, for the first
drop and as a median, and may take 3 s. The Hugging Face folder is dropped first, so that its first drop is also the
server's first.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.timing import arguments

_ROOT = Path(__file__).resolve().parents[1]
MOST = 3.0
_LIBRARY = "Hugging Face Marian"
_FAMILIES = ("hkproj-plain", "fairseq-pre", "opennmt-plain", "marian-post", "xtransformers-post", "annotated-plain")


def main() -> None:
    """Print a line for each file, and whether the slowest is within the limit."""
    parser = arguments(__doc__)
    parser.add_argument("--no-browser", action="store_true")
    parser.set_defaults(rounds=3)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        files = _files(Path(place))
        _stages(files, chosen.rounds)
        if not chosen.no_browser:
            _screen(files, chosen.rounds)


def _files(folder: Path) -> dict[str, Path]:
    import torch

    from tests.checkpoints import golden
    from tests.checkpoints.fuzz import marian

    found = {_LIBRARY: marian(folder / "marian-mt")}
    for name in _FAMILIES:
        (folder / name).mkdir()
        found[name] = golden.read(name).write(folder / name)
    parts = {"t": torch.nn.Transformer(32, 4, 2, 2, 64, batch_first=True), "src": torch.nn.Embedding(1500, 32),
             "tgt": torch.nn.Embedding(1500, 32)}  # fmt: skip
    torch.save(torch.nn.ModuleDict(parts).state_dict(), folder / "bare.pth")
    return found | {"torch 1,500 tokens": folder / "bare.pth"}


def _stages(files: dict[str, Path], rounds: int) -> None:
    from model import load
    from model.checkpoints.doctor import diagnose
    from model.checkpoints.sandbox import client, examine_sandboxed

    print(f"the process that reads: {_timed(client.connect, time.perf_counter)[0]:.2f} s to start, once")
    print(f"the transformers library: {_library_seconds():.2f} s of processor time to load, once\n")
    print(f"{'file':22} {'read, convert':>14} {'weigh':>8} {'apart':>8}   (seconds: processor, processor, wall)")
    for name, path in files.items():
        found = []
        for _ in range(rounds + 1):
            reading, bundle = _timed(lambda path=path: load(path), time.process_time)
            weighing, _ = _timed(lambda bundle=bundle: diagnose(bundle), time.process_time)
            apart, _ = _timed(lambda path=path: examine_sandboxed(path), time.perf_counter)
            found.append((reading, weighing, apart))
        read, weighed, apart = (statistics.median(column) for column in zip(*found[1:], strict=True))
        print(f"{name:22} {read:14.3f} {weighed:8.3f} {apart:8.3f}")


def _screen(files: dict[str, Path], rounds: int) -> None:
    from benchmarks.browser import chromium
    from benchmarks.serving import application

    slowest = 0.0
    print(f"\n{'file':22} {'first drop':>10} {'median':>8}   (seconds from the drop to the screen, wall)")
    with application(OMP_NUM_THREADS="1") as address, chromium() as browser:
        for name, path in files.items():
            seconds = []
            for _ in range(rounds):
                page = browser.new_page()
                page.goto(f"{address}/checkpoints")
                field = page.locator("input[type=file]").first
                field.wait_for(state="attached", timeout=120_000)
                page.wait_for_timeout(3_000)  # a person takes this long to find the file
                began = time.perf_counter()
                field.set_input_files(sorted(path.iterdir()) if path.is_dir() else path)
                page.get_by_role("heading", name="This is").wait_for(timeout=120_000)
                seconds.append(time.perf_counter() - began)
                page.close()
            slowest = max(slowest, *seconds)
            print(f"{name:22} {seconds[0]:10.2f} {statistics.median(seconds):8.2f}")
    print(f"\nslowest {slowest:.2f} s (at most {MOST:g})")


def _library_seconds() -> float:
    """Processor time to load what an encoder-decoder's folder needs, in a process that has already loaded PyTorch."""
    script = (
        "import time; from model.checkpoints.sandbox import child, zygote; child.preload(); "
        "began = time.process_time(); [__import__(name) for name in zygote.LIBRARY[:4]]; "
        "print(time.process_time() - began)"
    )
    return float(subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, cwd=_ROOT).stdout)


def _timed(do: Callable[[], Any], clock: Callable[[], float]) -> tuple[float, Any]:
    began = clock()
    result = do()
    return clock() - began, result


if __name__ == "__main__":
    main()
