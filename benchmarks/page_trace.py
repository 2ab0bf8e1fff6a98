"""How much work the page without a server gives a browser on its first visit, counted from the browser's own trace.

    python -m benchmarks.page_trace [--site FOLDER] [--page story.html] [--rounds 3]

Times are the main thread's processor time, which other programs of the machine do not change, and four times as much
for a phone, as Lighthouse counts it. The figures are Lighthouse's (https://web.dev/articles/tbt, /lcp, /cls): total
blocking time is what tasks take beyond 50 ms each after the first paint, here until the model's own translation is
drawn. Bytes are those of a host that compresses text, without the model's.
"""

import gzip
import json
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, Response

import model
from benchmarks.browser import chromium, open_page
from benchmarks.timing import arguments
from tests.serving import QuietHandler, serving
from viz.export.gallery import project_entries
from viz.export.site import write_site

SLOWER = 4
LONG = 50
"""Milliseconds above which a task counts as blocking."""
STORY = "story.html"
PHONE = 600
"""Widths below this are phones with a touch screen, in pixels."""
MODEL = "/models/"
CATEGORIES = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing", "loading"]
LISTEN = """
window.metrics = { largest: 0, shift: 0 };
const observe = (type, take) => new PerformanceObserver(list => list.getEntries().forEach(take)).observe(
  { type, buffered: true });
observe("largest-contentful-paint", ({ startTime }) => { metrics.largest = startTime; });
observe("layout-shift", ({ value, hadRecentInput }) => { if (!hadRecentInput) metrics.shift += value; });
"""
WRITTEN = "() => document.querySelector('.showing[data-live]') && !document.querySelector('[data-later]')"
COMPUTED = "() => document.querySelector('#app').dataset.computed"
DRAWN = """() => Math.min(
  ...[...document.querySelectorAll("[data-drawn]")].map(({ dataset }) => Number(dataset.drawn)).filter(Boolean))"""
"""The time of the first picture."""
SCROLL = """async () => {
  for (const each of document.querySelectorAll("p[data-part]")) {
    each.scrollIntoView({ block: innerWidth <= 900 ? "end" : "center", behavior: "instant" });
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await new Promise(resolve => setTimeout(resolve, 120));
  }
  return true;
}"""

ZOOMED = "!document.querySelector('.levels-panel').getAnimations().length"
TRIED = "() => document.querySelector('.heads-square:last-child[data-measured]')"


class Task(NamedTuple):
    """One task of the main thread: start after the first paint, and processor time, in milliseconds."""

    begun: float
    spent: float


Visit = tuple[dict[str, float], dict[str, list[float]]]
"""Numbers of one first visit (bytes, and times in milliseconds), and the tasks' times of each animation."""


@contextmanager
def measured_page(
    documentation: str | None, rounds: int, handler: type[QuietHandler] | None = None
) -> Iterator[tuple[str, int]]:
    """The URL of the page given by the command's arguments, and how often to open it."""
    parser = arguments(documentation, rounds)
    parser.add_argument("--site", type=Path, help="a folder that was written before; otherwise one is written")
    parser.add_argument("--page", default="", help=f"a page of the site other than its first: {STORY}")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if chosen.site is None:
            write_site([model.load()], project_entries(), Path(name))
        with serving(chosen.site or Path(name), handler) as site:
            yield f"{site}/{chosen.page}", chosen.rounds


def main() -> None:
    with measured_page(__doc__, 3) as (address, rounds), chromium() as browser:
        for width, height, factor in ((1440, 900, 1), (390, 844, SLOWER)):
            report([visit(browser, address, width, height, factor) for _ in range(rounds)], factor)


def visit(browser: Browser, address: str, width: int, height: int, factor: int) -> Visit:
    """Open a page of the site in a new session, and run its animations; the processor is slowed down by ``factor``."""
    is_story = STORY in address
    page = open_page(
        browser, width=width, height=height, script=LISTEN, service_workers="block", has_touch=width < PHONE
    )
    responses: list[Response] = []
    page.on("response", lambda response: responses.append(response))
    with trace_tasks(browser, page) as loading:
        page.goto(address)
        page.wait_for_function(COMPUTED if is_story else WRITTEN)
        painted = page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
        numbers = {"painted": painted, "drawn": page.evaluate(DRAWN), **page.evaluate("metrics")}
    numbers["size"] = sum(len(gzip.compress(response.body())) for response in responses if MODEL not in response.url)
    numbers["blocking"] = sum(max(0, factor * task.spent - LONG) for task in loading if task.begun > 0)
    numbers["longest"] = factor * max(task.spent for task in loading)
    numbers["total"] = factor * sum(task.spent for task in loading)
    if is_story:
        moving = {"scrolling": motion(browser, page, lambda: page.evaluate(SCROLL), "() => true")}
    else:
        moving = levels(browser, page)
    page.context.close()
    return numbers, {name: [factor * task.spent for task in tasks] for name, tasks in moving.items()}


def levels(browser: Browser, page: Page) -> dict[str, list[Task]]:
    """The tasks of the ribbons' animation, of zooming to each level, and of trying every head."""
    moving = {"ribbons": motion(browser, page, lambda: page.locator("[data-name=again]").click(), WRITTEN)}
    for view, selector in (("model", ".plan-box"), ("head", ".inside-holder"), ("heads", ".map-base")):
        tab = page.locator(f'[role=tab][data-view="{view}"]')
        is_finished = f"() => document.querySelector('{selector}') && {ZOOMED}"
        moving[f"zoom to {view}"] = motion(browser, page, tab.click, is_finished)
    page.locator('[data-view="sentence"]').click()
    moving["every head tried"] = motion(browser, page, lambda: page.locator(".heads-matter").click(), TRIED)
    return moving


def motion(browser: Browser, page: Page, begin: Callable[[], object], ended: str) -> list[Task]:
    """The tasks of an animation, without those of Playwright's own preparation."""
    page.locator("body").wait_for()
    page.wait_for_function("() => true", polling=100)
    with trace_tasks(browser, page) as tasks:
        begin()
        page.wait_for_function(ended, polling=100)
    return tasks


@contextmanager
def trace_tasks(browser: Browser, page: Page) -> Iterator[list[Task]]:
    """Collect the tasks of the page's main thread during the block."""
    tasks: list[Task] = []
    browser.start_tracing(page=page, categories=CATEGORIES)
    try:
        yield tasks
    finally:
        tasks += tasks_of(json.loads(browser.stop_tracing())["traceEvents"])


def tasks_of(events: Sequence[dict[str, Any]]) -> list[Task]:
    """The tasks of the main thread: of the renderer thread that ran most of the page's scripts."""
    thread_of = itemgetter("pid", "tid")
    names = {thread_of(event): event["args"]["name"] for event in events if event["name"] == "thread_name"}
    mains = [thread for thread, name in names.items() if name == "CrRendererMain"]
    scripted = [thread_of(event) for event in events if event["name"] in ("FunctionCall", "EvaluateScript")]
    main = max(mains, key=scripted.count)
    runs = [event for event in events if event["name"] == "RunTask" and event.get("ph") == "X"]
    painted = next((event["ts"] for event in events if event["name"] == "firstContentfulPaint"), 0)
    return [Task((run["ts"] - painted) / 1000, run.get("tdur", 0) / 1000) for run in runs if thread_of(run) == main]


def report(visits: Sequence[Visit], factor: int) -> None:
    """Print medians, with the processor slowed down by ``factor``."""
    slowed = "" if factor == 1 else f", processor {factor} times slower"
    median = {name: statistics.median(numbers[name] for numbers, _ in visits) for name in visits[0][0]}
    print(f"first paint{slowed}: {median['painted']:.0f} ms by the clock; largest one {median['largest']:.0f} ms; "
          f"first picture drawn {median['drawn']:.0f} ms")  # fmt: skip
    print(f"download without the model{slowed}: {median['size'] / 1000:.0f} kB")
    print(f"layout shift{slowed}: {median['shift']:.4f} (bar 0.1)")
    print(f"total blocking time{slowed}: {median['blocking']:.0f} ms (bar 200 ms); longest task "
          f"{median['longest']:.0f} ms, all {median['total']:.0f} ms")  # fmt: skip
    frame = 1000 / (60 if factor == 1 else 30)
    for name in visits[0][1]:
        times = [moving[name] for _, moving in visits]
        late = statistics.median(sum(spent > frame for spent in tasks) for tasks in times)
        print(f"{name}{slowed}: {late:.0f} tasks longer than a frame of {frame:.0f} ms, the longest "
              f"{statistics.median(map(max, times)):.0f} ms")  # fmt: skip


if __name__ == "__main__":
    main()
