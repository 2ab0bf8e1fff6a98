"""The article of the site: its download without a model, its first picture, and its frames while it is scrolled.

    python -m benchmarks.story [--site FOLDER] [--rounds 3] [--tasks]

Bytes are those of a host that compresses text. Times of tasks are processor time of the main thread, as
``page_trace`` counts them, and four times as much for a phone.
"""

from __future__ import annotations

import argparse
import gzip
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, Response

import model
from benchmarks.browser import chromium
from benchmarks.page_trace import LISTEN, SLOWER, Task, traced
from benchmarks.views_browser import PATIENCE, serving
from viz.export.gallery import own_entries
from viz.export.site import write_site

FRAME = 33
"""Milliseconds; the slowest frame of a page that moves smoothly."""
MODEL = "/models/"
SCROLL = """async () => {
  for (const each of document.querySelectorAll("p[data-part]")) {
    each.scrollIntoView({ block: innerWidth <= 900 ? "end" : "center", behavior: "instant" });
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await new Promise(resolve => setTimeout(resolve, 120));
  }
}"""
COMPUTED = "() => document.querySelector('#app').dataset.computed"
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
DRAWN = "() => Number(document.querySelector('.showing').dataset.drawn)"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", type=Path, help="a folder that was written before; otherwise one is written")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tasks", action="store_true", help="list the longest tasks while it is scrolled")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        if chosen.site is None:
            write_site([model.load()], own_entries(), Path(name))
        with serving(chosen.site or Path(name)) as site:
            for width, height, factor in ((1440, 900, 1), (390, 844, SLOWER)):
                visits = [visit(browser, f"{site}/story.html", width, height) for _ in range(chosen.rounds)]
                report(visits, factor)
                if chosen.tasks:
                    for task in sorted(visits[-1][3], key=lambda each: -each.taken)[:8]:
                        print(f"    {task.taken:6.1f} ms: {task.part}")


def visit(browser: Browser, address: str, width: int, height: int) -> tuple[int, float, float, list[Task]]:
    """Compressed bytes without the model, first paint and first picture in milliseconds, and the tasks of scrolling."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale="en-US", service_workers="block"
    )  # fmt: skip
    context.add_init_script(LISTEN)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(address)
    page.wait_for_function(DRAWN)
    painted, drawn = page.evaluate(PAINTED), page.evaluate(DRAWN)
    page.wait_for_function(COMPUTED)
    size = sum(len(gzip.compress(each.body())) for each in answers if MODEL not in each.url)
    tasks = scrolled(browser, page)
    context.close()
    return size, painted, drawn, tasks


def scrolled(browser: Browser, page: Page) -> list[Task]:
    """The tasks while each paragraph is read."""
    with traced(browser, page) as tasks:
        page.evaluate(SCROLL)
    return tasks


def report(visits: list[tuple[int, float, float, list[Task]]], factor: int) -> None:
    """Medians, with the processor slowed so many times."""
    slowed = "" if factor == 1 else f", processor {factor} times slower"
    sizes, painted, drawn, tasks = zip(*visits, strict=True)
    print(f"download of the article without a model{slowed}: {statistics.median(sizes) / 1000:.0f} kB (bar 150 kB)")
    print(f"first paint by the clock: {statistics.median(painted):.0f} ms; "
          f"first picture drawn: {statistics.median(drawn):.0f} ms")  # fmt: skip
    taken = [[factor * task.taken for task in each] for each in tasks]
    late = statistics.median(sum(one > FRAME for one in each) for each in taken)
    print(f"scrolling{slowed}: {late:.0f} tasks longer than {FRAME} ms, the longest "
          f"{statistics.median(map(max, taken)):.0f} ms")  # fmt: skip


if __name__ == "__main__":
    main()
