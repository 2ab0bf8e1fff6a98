"""Lighthouse's scores of the page without a server: performance, accessibility and best practices on a phone.

    python -m benchmarks.lighthouse [--site FOLDER] [--page story.html] [--rounds 5]

Lighthouse comes from npm. Its phone has a processor slowed four times and a slow network, both computed from what this
machine took, so other load makes the scores worse: the load is printed with them.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import statistics
import subprocess
import tempfile
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import Any

import model
from benchmarks.browser import whole_chromium
from benchmarks.serving import QuietHandler, serving
from benchmarks.timing import arguments
from viz.export.gallery import own_entries
from viz.export.site import write_site

VERSION = "12.8.2"
"""The newest that runs on Node 20."""
CATEGORIES = ("performance", "accessibility", "best-practices")
BAR = 0.95
COMPRESSED = (".html", ".js", ".css", ".json", ".svg", ".webmanifest")
PATIENCE = 300
METRICS = ("first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift")


def main() -> None:
    """Print the scores, what they are made of, and the machine's load."""
    parser = arguments(__doc__, rounds=5)
    parser.add_argument("--site", type=Path, help="a folder that was written before; otherwise one is written")
    parser.add_argument("--page", default="", help="a page of the site other than its first, such as story.html")
    chosen = parser.parse_args()
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name:
        folder = chosen.site or Path(name) / "site"
        if chosen.site is None:
            folder.mkdir()
            write_site([model.load()], own_entries(), folder)
        with serving(folder, _Compressing) as site:
            reports = [run(f"{site}/{chosen.page}", Path(name) / "report.json") for _ in range(chosen.rounds)]
    for category in CATEGORIES:
        scores = [report["categories"][category]["score"] for report in reports]
        print(f"{category}: {statistics.median(scores):.2f}, median of {len(scores)}, {min(scores):.2f}–"
              f"{max(scores):.2f} (bar {BAR})")  # fmt: skip
    for metric in METRICS:
        values = [report["audits"][metric]["numericValue"] for report in reports]
        scores = [report["audits"][metric]["score"] for report in reports]
        print(f"    {metric}: {statistics.median(values):.3g}, score {statistics.median(scores):.2f}")
    power = statistics.median(report["environment"]["benchmarkIndex"] for report in reports)
    print(f"load of the machine: {before:.1f} before, {os.getloadavg()[0]:.1f} after; Lighthouse's index of it: "
          f"{power:.0f}")  # fmt: skip


def run(address: str, to: Path) -> dict[str, Any]:
    """One report of a first visit."""
    npx = shutil.which("npx")
    browser = whole_chromium()
    if npx is None or browser is None:
        raise SystemExit("Lighthouse needs npx and a browser with windows: Debian's npm and chromium")
    command = [
        npx, "--yes", f"lighthouse@{VERSION}", address, f"--only-categories={','.join(CATEGORIES)}", "--output=json",
        f"--output-path={to}", "--quiet", "--chrome-flags=--headless=new --no-sandbox --disable-gpu",
    ]  # fmt: skip
    subprocess.run(command, check=True, timeout=PATIENCE, env={**os.environ, "CHROME_PATH": browser})
    return json.loads(to.read_text("utf-8"))


class _Compressing(QuietHandler):
    """Compresses text, as the hosts of static sites do."""

    def send_head(self) -> Any:
        """Text compressed; everything else as it is."""
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if path.suffix not in COMPRESSED or not path.is_file():
            return super().send_head()
        content = gzip.compress(path.read_bytes())
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        return BytesIO(content)


if __name__ == "__main__":
    main()
