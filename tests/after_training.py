"""Make anew everything that depends on a shipped model's weights, after they have been replaced.

    make after-training MODEL=en-zh DATA=corpora CALIBRATE="corpora/en-zh.docs-rest.tsv"
    python -m tests.after_training en-zh --data corpora [--calibrate TSV …] [--from STEP]

DATA holds en-zh.tatoeba.tsv and en-zh.ntrex.tsv; CALIBRATE names further sets on which the model was not trained.
What the steps print is kept in build/after-training/MODEL/STEP.txt: the scores for the model's README are there. A step
that fails ends the run, and --from goes on with it. The last step runs the tests, which hold what pages, lessons and
documents say of a model; where one fails, the sentence that it names is chosen or written anew by hand.
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
KEPT = ROOT / "build/after-training"
FIRST = "en-fr"
"""The model of the front page: survey, gold, pruning and the golden files of the page's engine are measured on it."""
POOR = {
    "en-fr": ("--poor", "50"),
    "en-de": ("--poor", "50"),
    "en-zh": ("--poor", "20", "--leave-out", "character_ratio"),
}
"""Under which chrF a translation counts as poor: of a better model fewer are under 40, and they are harder to tell.
That of Chinese is about half as high as that of French."""
_HASH = re.compile(r"^( {4})[0-9a-f]{64}  (\S+)$", re.MULTILINE)

Step = list[str] | Callable[[], str]


def steps(name: str, data: Path, calibrate: list[str]) -> Iterator[tuple[str, Step]]:
    """Each step's name with its command, in the order in which one needs the other's files."""
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
        for golden in ("engine", "tap", "steps", "confidence"):
            yield f"golden-{golden}", ["-m", f"tests.js.{golden}_golden"]
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
    """Give each file in the README of a model the SHA-256 that it has now; the text that changed."""
    readme = folder / "README.md"
    before = readme.read_text("utf-8")
    after = _HASH.sub(lambda m: f"{m[1]}{hashlib.sha256((folder / m[2]).read_bytes()).hexdigest()}  {m[2]}", before)
    readme.write_text(after, "utf-8")
    return "\n".join(line for line in after.splitlines() if line not in before.splitlines())


def main() -> None:
    """Run the steps one after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="a folder of pretrained/")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--calibrate", nargs="*", default=[], metavar="TSV")
    parser.add_argument("--from", dest="first", metavar="STEP")
    chosen = parser.parse_args()
    wanted = list(steps(chosen.model, chosen.data.resolve(), chosen.calibrate))
    names = [name for name, _ in wanted]
    if chosen.first and chosen.first not in names:
        parser.error(f"no step {chosen.first}: {', '.join(names)}")
    folder = KEPT / chosen.model
    folder.mkdir(parents=True, exist_ok=True)
    for name, step in wanted[names.index(chosen.first) if chosen.first else 0 :]:
        print(f"{name} …", flush=True)
        started = time.monotonic()
        if not run(step, folder / f"{name}.txt"):
            sys.exit(f"{name} failed: see {folder / name}.txt, then go on with --from {name}")
        print(f"{name}: {time.monotonic() - started:.0f} s, {folder / name}.txt")


def run(step: Step, file: Path) -> bool:
    """Run a step, keep what it prints, and say whether it succeeded."""
    if callable(step):
        file.write_text(step(), "utf-8")
        return True
    with file.open("wb") as out:
        return subprocess.run([sys.executable, *step], cwd=ROOT, stdout=out, stderr=subprocess.STDOUT).returncode == 0


if __name__ == "__main__":
    main()
