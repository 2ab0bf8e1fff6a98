"""How long each explaining page takes to answer: the time from choosing a screen to the finished run.

    python -m benchmarks.pages [--checkpoint FOLDER] [--runs 5]

Runs the real pages on the server's side (AppTest) with the shipped model on two threads. Prints the median and the
slowest of each screen, cold (a new sentence) and warm (the same sentence again). Drawing in the browser is not
included.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from pathlib import Path

import torch
from streamlit.testing.v1 import AppTest

from viz import cache
from viz.inside.screens import STEPS
from viz.laboratory.bench import PARTS, TABS
from viz.lesson.scenes import SCENES

ROOT = Path(__file__).parents[1]
POSITIONS = ("table", "waves", "vector", "dot", "rotation", "layout", "learned", "beyond", "sentence", "shuffle")
SENTENCES = (
    "The cat is sleeping on the sofa.", "I have never seen such a beautiful garden.", "Where did you put the keys?",
    "She said that she would not come back tomorrow.", "If I had known, I would have told you.",
)  # fmt: skip


def screens() -> list[tuple[str, dict[str, str]]]:
    """Every screen: its page, and the choices that open it."""
    found = [("inside", {"inside.step": step}) for step in (*STEPS, "top")]
    found += [("positions", {"positions.part": part}) for part in POSITIONS]
    for part in PARTS:
        for screen in TABS.get(part, ("",)):
            found.append(("laboratory", {"laboratory.part": part} | ({f"laboratory.{part}": screen} if screen else {})))
    found += [("lesson", {"lesson.scene": each.name, "lesson.votes": f"{each.name}1"}) for each in SCENES]
    return found


def measure(page: str, choices: dict[str, str], text: str) -> float:
    """Duration of one run of a page in seconds."""
    app = AppTest.from_file(str(ROOT / "viz/main.py"), default_timeout=300)
    app.query_params.update({"text": text} | choices)
    app.run()
    started = time.perf_counter()
    app.switch_page(f"{page}/{page}.py").run()
    seconds = time.perf_counter() - started
    if app.exception:
        raise SystemExit(f"{page} {choices} failed: {app.exception[0].message}")
    return seconds


def main() -> None:
    """Measure every screen and print a line for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--checkpoint", type=Path, default=None, help="a checkpoint instead of the shipped one")
    parser.add_argument("--runs", type=int, default=5, choices=range(1, len(SENTENCES) + 1))
    given = parser.parse_args()
    if given.checkpoint is not None:
        os.environ[cache.CHECKPOINT_VARIABLE] = str(given.checkpoint)
    torch.set_num_threads(2)
    measure("inside", {}, SENTENCES[0])
    medians: dict[str, list[float]] = {}
    for page, choices in screens():
        cold = [measure(page, choices, text) for text in SENTENCES[: given.runs]]
        warm = [measure(page, choices, text) for text in SENTENCES[: given.runs]]
        medians.setdefault(page, []).append(statistics.median(cold))
        name = " ".join(choices.values())
        print(f"{page:<11} {name:<28} cold {1000 * statistics.median(cold):6.0f} ms, slowest {1000 * max(cold):6.0f}; "
              f"warm {1000 * statistics.median(warm):5.0f} ms", flush=True)  # fmt: skip
    for page, values in medians.items():
        print(f"{page}: median of its screens {1000 * statistics.median(values):.0f} ms, "
              f"slowest screen {1000 * max(values):.0f} ms, cold")  # fmt: skip


if __name__ == "__main__":
    main()
