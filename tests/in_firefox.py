"""The static site in Firefox: the engine's results, a visitor's first minute, and the article.

    python -m tests.in_firefox [--firefox PROGRAM]

It needs Firefox (Debian: ``apt install firefox-esr``) but no driver: a page of the site runs the checks and sends the
results to its server. Without Firefox the command says so and exits with status 1.
"""

import argparse
import json
import queue
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import model
from tests.browser import static_site
from tests.browser.test_story import is_same_number
from tests.js import engine_golden
from tests.serving import QuietHandler, serving
from viz.export.story_values import values
from viz.i18n import speaking

NAMES = ("firefox-esr", "firefox")
PATIENCE = 600
MOST_DEVIATION = 1e-4
"""The largest deviation of a weight from Python's."""

CHECKS = """<!doctype html><meta charset="utf-8"><title>checks</title><iframe width="390" height="844"></iframe>
<script type="module">
const compare = %s;
const send = what => fetch("result", { method: "POST", body: JSON.stringify(what) });
const until = async (what, holds) => {
  for (;;) {
    const found = holds();
    if (found) return found;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
};
const translationOf = page => [...page.querySelectorAll(".stage-target .stage-token:not([data-special])")]
  .map(each => each.textContent).join("").replaceAll("␣", "");
const visit = async () => {
  const frame = document.querySelector("iframe");
  frame.src = "./?language=en";
  const page = await until("the page", () => frame.contentDocument?.querySelector(".showing[data-moving]") &&
    frame.contentDocument);
  const find = selector => until(selector, () => page.querySelector(selector));
  (await find(".way-surprise")).click();
  await find(".stage-target del");
  await find(".showing[data-live]");
  const changed = translationOf(page);
  const box = page.querySelector("textarea");
  box.value = %s;
  box.form.requestSubmit();
  await until("the sentence", () => page.querySelector(".stage-source").textContent.includes("bites") &&
    page.querySelector(".showing[data-live]") && !page.querySelector("[data-later]"));
  const typed = translationOf(page);
  const levels = {};
  for (const [view, drawn] of [["head", ".inside-holder"], ["heads", ".map-base"], ["model", ".plan-box"],
                               ["break", ".site-changing"]]) {
    page.querySelector(`[data-view="${view}"]`).click();
    levels[view] = Boolean(await find(`.levels-panel ${drawn}`));
  }
  return { changed, typed, levels };
};
const read = async () => {
  const frame = document.querySelector("iframe");
  frame.src = "story.html";
  const page = await until("the article", () => frame.contentDocument?.querySelector("#app")?.dataset.computed &&
    frame.contentDocument);
  const app = page.querySelector("#app");
  for (const section of page.querySelectorAll(".story-text section"))
    await until(section.id, () => {
      const { top, height } = section.querySelector("p").getBoundingClientRect();
      frame.contentWindow.scrollBy({ top: top + height / 2 - 0.645 * frame.clientHeight, behavior: "instant" });
      return app.dataset.screen === section.id;
    });
  const { head } = JSON.parse(page.querySelector("#written").textContent);
  return { head, numbers: [...page.querySelectorAll("[data-n]")].map(each => [each.dataset.n, each.textContent]) };
};
addEventListener("error", event => send({ error: event.message }));
addEventListener("unhandledrejection", event => send({ error: String(event.reason?.stack ?? event.reason) }));
const furthest = await compare(await (await fetch("golden.json")).json());
await send({ agent: navigator.userAgent, furthest, ...await visit(), ...await read() });
</script>
"""


def main() -> int:
    """Print the results; returns 0 if all are right."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--firefox", default=next(filter(None, map(shutil.which, NAMES)), None))
    program = parser.parse_args().firefox
    if program is None:
        sys.stderr.write("No Firefox was found: install one (Debian: apt install firefox-esr), or name it.\n")
        return 1
    with tempfile.TemporaryDirectory() as name:
        site = static_site.write_test_site(Path(name) / "site")
        golden = engine_golden.golden("engine")
        (code,) = (path.relative_to(site) for path in site.glob("code/*/site/main.js"))
        arguments = {"cases": golden["cases"], "address": "models/en-fr", "code": f"/{code.as_posix()}"}
        (site / "golden.json").write_text(json.dumps(arguments), "utf-8")
        checks = CHECKS % (static_site.COMPARE_WITH_GOLDEN, json.dumps(static_site.MAN_BITES_DOG))
        (site / "checks.html").write_text(checks, "utf-8")
        with serving(site, ResultServer) as address, running(program, f"{address}/checks.html", Path(name) / "profile"):
            results = ResultServer.results.get(timeout=PATIENCE)
    return judge(results, len(golden["cases"]))


def judge(results: dict[str, Any], n_cases: int) -> int:
    """Print each check's result; returns 0 if all hold."""
    if "error" in results:
        sys.stderr.write(f"{results['error']}\n")
        return 1
    bundle = model.load()
    plain = model.translate(bundle, static_site.GO_HOME).text.replace(" ", "")
    typed_translation = model.translate(bundle, static_site.MAN_BITES_DOG).text.replace(" ", "")
    (layer, head), levels, numbers = results["head"], results["levels"], results["numbers"]
    with speaking("en"):
        expected = values(bundle, static_site.GO_HOME, (layer, head))
    checks = {
        f"{n_cases} golden cases, furthest from Python {max(results['furthest']):.1e}":
            len(results["furthest"]) == n_cases and max(results["furthest"]) < MOST_DEVIATION,
        "a head switched off changes the translation": results["changed"] not in ("", plain),
        "a typed sentence is translated as in Python": results["typed"] == typed_translation,
        f"levels drawn: {', '.join(levels)}": len(levels) == 4 and all(levels.values()),
        f"{len(numbers)} words and numbers of the article are the library's, and each of its screens is read":
            {name for name, _ in numbers} == expected.keys()
            and all(is_same_number(text, expected[name]) for name, text in numbers),
    }  # fmt: skip
    sys.stdout.write(f"{results['agent']}\n")
    for check, holds in checks.items():
        sys.stdout.write(f"{'holds' if holds else 'FAILS'}: {check}\n")
    return int(not all(checks.values()))


class ResultServer(QuietHandler):
    """Serves the site and receives results."""

    results: queue.Queue[dict[str, Any]] = queue.Queue()

    def do_POST(self) -> None:  # noqa: N802
        self.results.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()


@contextmanager
def running(program: str, address: str, profile: Path) -> Iterator[None]:
    """Run Firefox without a window and with a new profile."""
    profile.mkdir()
    started = subprocess.Popen(
        [program, "--headless", "--no-remote", "--profile", str(profile), address],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield
    finally:
        started.terminate()
        started.wait(30)


if __name__ == "__main__":
    sys.exit(main())
