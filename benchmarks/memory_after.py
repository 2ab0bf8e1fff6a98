"""What a server keeps after its visitors have left.

    python benchmarks/memory_after.py [--minutes 60] [--visitors 4] [--million 12]

In public mode, some visitors drop a checkpoint of random weights, look at its attention, and leave. Each line gives in
MiB the memory of the server itself, and with its children, of which one reads files and stays ready: before, with all
visitors, and each minute after the last has left. The last line compares the end with the beginning.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.browser import chromium
from benchmarks.processes import memory, own_memory
from benchmarks.serving import server
from benchmarks.timing import arguments

PATIENCE = 300_000
"""Milliseconds; a shared machine opens a large file slowly."""


def main() -> None:
    """Print the memory each minute."""
    parser = arguments(__doc__)
    parser.add_argument("--minutes", type=int, default=60)
    parser.add_argument("--visitors", type=int, default=4)
    parser.add_argument("--million", type=int, default=12, help="parameters of each checkpoint, in millions")
    chosen = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        server(environment={"REGARD_PUBLIC": "1", "OMP_NUM_THREADS": "1"}) as (address, process),
    ):
        file = _checkpoint(Path(folder), chosen.million)
        with chromium() as browser:
            _look(browser.new_page(), address)
        before = _told(process, "before any upload")
        with chromium() as browser:
            pages = [_drop(browser.new_page(), address, file) for _ in range(chosen.visitors)]
            _told(process, f"{chosen.visitors} visitors with {file.stat().st_size >> 20} MiB each")
            del pages
        began, after = time.monotonic(), before
        for minute in range(1, chosen.minutes + 1):
            time.sleep(max(0.0, began + 60 * minute - time.monotonic()))
            after = _told(process, f"{minute} min after the last has left")
        print(f"the server itself kept {after - before:.0f} MiB ({after / before:.2f} times its beginning)")


def _told(process: int, when: str) -> float:
    own = own_memory(process)
    print(f"{when:34} {own:6.0f} {memory([process]):6.0f}", flush=True)
    return own


def _checkpoint(folder: Path, million: int) -> Path:
    """A packed checkpoint of our own format with random weights."""
    from tests.checkpoint import tiny_bundle
    from viz.panels.shelf import zipped

    layers = max(1, round(million * 1e6 / (28 * 256 * 256)))
    bundle = tiny_bundle("large", d_model=256, d_feed_forward=1024, n_encoder_layers=layers, n_decoder_layers=layers)
    path = folder / "large.zip"
    path.write_bytes(zipped(bundle))
    return path


def _look(page: Page, address: str) -> None:
    page.goto(address)
    page.locator(".stage .source-row .token").first.wait_for(timeout=PATIENCE)


def _drop(page: Page, address: str, file: Path) -> Page:
    page.goto(f"{address}/checkpoints")
    field = page.locator("input[type=file]").first
    field.wait_for(state="attached", timeout=PATIENCE)
    field.set_input_files(file)
    page.get_by_role("button", name="Look at its attention").click(timeout=PATIENCE)
    page.locator(".stage .source-row .token").first.wait_for(timeout=PATIENCE)
    return page


if __name__ == "__main__":
    main()
