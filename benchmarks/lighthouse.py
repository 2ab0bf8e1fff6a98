"""Lighthouse's scores of the page without a server: performance, accessibility and best practices on a phone.

    python -m benchmarks.lighthouse [--site FOLDER] [--page story.html] [--rounds 5]

Lighthouse comes from npm. Its phone has a processor slowed four times and a slow network, both computed from what this
machine took, so other load makes the scores worse: the load is printed with them.
"""

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

from benchmarks.browser import whole_chromium
from benchmarks.page_trace import measured_page
from tests.serving import QuietHandler

VERSION = "12.8.2"
"""The newest that runs on Node 20."""
CATEGORIES = ("performance", "accessibility", "best-practices")
BAR = 0.95
COMPRESSED = (".html", ".js", ".css", ".json", ".svg", ".webmanifest")
PATIENCE = 300
METRICS = ("first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift")


def main() -> None:
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name, measured_page(__doc__, 5, _Compressing) as (address, rounds):
        reports = [run(address, Path(name) / "report.json") for _ in range(rounds)]
    for category in CATEGORIES:
        scores = [report["categories"][category]["score"] for report in reports]
        print(f"{category}: {statistics.median(scores):.2f}, median of {len(scores)}, {min(scores):.2f}–"
              f"{max(scores):.2f} (bar {BAR})")  # fmt: skip
    for metric in METRICS:
        audits = [report["audits"][metric] for report in reports]
        value, score = (statistics.median(audit[key] for audit in audits) for key in ("numericValue", "score"))
        print(f"    {metric}: {value:.3g}, score {score:.2f}")
    power = statistics.median(report["environment"]["benchmarkIndex"] for report in reports)
    print(f"load of the machine: {before:.1f} before, {os.getloadavg()[0]:.1f} after; Lighthouse's index of it: "
          f"{power:.0f}")  # fmt: skip


def run(address: str, to: Path) -> dict[str, Any]:
    """One report of a first visit."""
    npx, browser = shutil.which("npx"), whole_chromium()
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
        headers = {"Type": self.guess_type(str(path)), "Encoding": "gzip", "Length": str(len(content))}
        for name, value in headers.items():
            self.send_header(f"Content-{name}", value)
        self.end_headers()
        return BytesIO(content)


if __name__ == "__main__":
    main()
