"""Regenerate everything that depends on a shipped model's weights, after they were replaced.

    make after-training MODEL=en-zh DATA=corpora CALIBRATE="corpora/en-zh.docs-rest.tsv"
    python -m tests.after_training en-zh --data corpora [--calibrate TSV …] [--from STEP]

DATA contains en-zh.tatoeba.tsv and en-zh.ntrex.tsv; CALIBRATE names further held-out sets. The steps' output, which
includes the scores for the model's README, is written to build/after-training/MODEL/STEP.txt. A failing step ends the
run; --from continues with it. The last step runs the tests of what pages, lessons and documents say about a model;
where one fails, choose or write the named sentence again by hand.
"""

import argparse
import hashlib
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
OUTPUT = ROOT / "build/after-training"
FIRST = "en-fr"
"""The model of the front page, the survey, the gold alignments, pruning, and the engine's golden files."""
POOR = {
    "en-fr": ("--poor", "50"),
    "en-de": ("--poor", "50"),
    "en-zh": ("--poor", "20", "--leave-out", "character_ratio"),
}
"""The chrF below which a translation counts as poor: lower for better models, and about half as high in Chinese as in
French."""
_HASH = re.compile(r"^( {4})[0-9a-f]{64}  (\S+)$", re.MULTILINE)

Step = list[str] | Callable[[], str]


def steps(name: str, data: Path, calibrate: list[str]) -> Iterator[tuple[str, Step]]:
    """Each step's name and command, in the order of their dependencies."""
    folder = f"pretrained/{name}"
    pairs, news = str(data / f"{name}.tatoeba.tsv"), str(data / f"{name}.ntrex.tsv")
    fitted = ["--calibrate", f"{pairs}:validation", *calibrate, "--test", f"{pairs}:test", news]
    evaluated = ["-m", "model", "evaluate", "--checkpoint", folder]
    yield "confidence", ["-m", "model.corpus.confidence", "--checkpoint", folder, *fitted, *POOR.get(name, ())]
    yield "hashes", lambda: write_hashes(ROOT / folder)
    yield "sentences", ["-m", "model", "choose-sentences", pairs, "--checkpoint", name, "--write"]
    if name == FIRST:
        yield "corpus", ["-m", "model.corpus.shipped", pairs]
        yield "units", ["-m", "model.corpus.units"]
        yield "golden-engine", ["-m", "tests.js.engine_golden", "engine"]
        yield "golden-steps", ["-m", "tests.js.steps_golden"]
        yield "link-cases", ["-m", "tests.js.link_cases"]
        yield "eight-bits", ["-m", "benchmarks.eight_bits"]
        yield "by-length", ["-m", "model.training.recurrent", pairs, "-", "pretrained/gru-en-fr"]
        yield "pictures", ["-m", "docs.take_pictures"]
    yield "scores", [*evaluated, pairs]
    yield "scores-bare", [*evaluated, pairs, "--bare"]
    yield "scores-news", [*evaluated, news, "--split", "all"]
    yield "everyday", ["-m", "tests.everyday", name]
    yield "gallery", ["-m", "viz", "gallery", "--out", "build/gallery"]
    yield "tests", ["-m", "pytest", "-n", "3", "--dist", "loadfile"]


def write_hashes(folder: Path) -> str:
    """Update the SHA-256 of each file in a model's README; returns the new text."""
    readme = folder / "README.md"
    before = readme.read_text("utf-8")
    after = _HASH.sub(lambda m: f"{m[1]}{hashlib.sha256((folder / m[2]).read_bytes()).hexdigest()}  {m[2]}", before)
    readme.write_text(after, "utf-8")
    return "\n".join(line for line in after.splitlines() if line not in before.splitlines())


def main() -> None:
    """Run the steps in order."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="a folder of pretrained/")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--calibrate", nargs="*", default=[], metavar="TSV")
    parser.add_argument("--from", dest="first", metavar="STEP")
    chosen = parser.parse_args()
    selected = list(steps(chosen.model, chosen.data.resolve(), chosen.calibrate))
    names = [name for name, _ in selected]
    if chosen.first and chosen.first not in names:
        parser.error(f"no step {chosen.first}: {', '.join(names)}")
    folder = OUTPUT / chosen.model
    folder.mkdir(parents=True, exist_ok=True)
    for name, step in selected[names.index(chosen.first) if chosen.first else 0 :]:
        print(f"{name} …", flush=True)
        started = time.monotonic()
        if not run(step, folder / f"{name}.txt"):
            sys.exit(f"{name} failed: see {folder / name}.txt, then go on with --from {name}")
        print(f"{name}: {time.monotonic() - started:.0f} s, {folder / name}.txt")


def run(step: Step, file: Path) -> bool:
    """Run a step, write its output to a file, and return whether it succeeded."""
    if callable(step):
        file.write_text(step(), "utf-8")
        return True
    with file.open("wb") as output:
        return (
            subprocess.run([sys.executable, *step], cwd=ROOT, stdout=output, stderr=subprocess.STDOUT).returncode == 0
        )


if __name__ == "__main__":
    main()
