"""Tries small errors in the code, one at a time, and reports those that no test notices.

    python -m tests.mutants --seed 1 --sample 20              errors in twenty places drawn from all of model/ and viz/
    python -m tests.mutants --sample 200 --jobs 4             as many as are asked of a release; hours
    python -m tests.mutants viz/state/turns.py                      every error in one file
    python -m tests.mutants --list --sample 20                what would be tried

Each error is made in a copy of the repository, and only tests that are related to its file run: those of its name and
those that import it, then those of the files that import it; in a browser only for scripts that Node does not test. A
survivor is a missing test, or code that makes no difference. The status is 1 when more than a tenth survive.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).parents[1]
COPIED = ("model", "viz", "tests", "benchmarks", "docs", "packaging", "deploy", ".streamlit", ".github", ".ci", "paper")
LINKED = ("pretrained",)
LEFT_OUT = re.compile(r"__main__|/cli/|tokenizer_probe")
"""Words are checked by rules of their own, and command lines by running them as processes."""
MOST_RELATED = 8
"""Files of tests that are run for one error."""
DEPTH = 3
"""How far from a file a test may be, in imports."""
IN_BROWSER = {
    "attention": ("tests/browser/test_views.py", "tests/browser/test_views_reading.py"),
    "site": ("tests/browser/test_site.py",),
    "engine": ("tests/browser/test_site.py",),
    "phone": ("tests/browser/test_room.py",),
    "sentence": ("tests/browser/test_sentence.py",),
    "decoding": ("tests/browser/test_decode_page.py",),
    "inside": ("tests/browser/test_teaching.py",),
    "overview": ("tests/browser/test_overview_page.py",),
    "matrix": ("tests/browser/test_keyboard.py",),
}
"""Tests of components whose scripts need a page."""
PATIENCE = 300
"""Seconds for one error; an error that makes a loop endless is noticed too."""
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "in": "not in", "is": "is not"}
OPERATORS = {"+": "-", "-": "+", "*": "/", "//": "*", "/": "*", "and": "or", "or": "and"}
SCRIPT = re.compile(
    r"(?<= )(?:===|!==|<=|>=|<|>|\+|-|&&|\|\|)(?= )|(?<![\w.])(?:true|false)(?![\w:])|(?<![\w.\"'])[01](?![\w.%])"
)
IN_SCRIPT = {"===": "!==", "!==": "===", "<=": "<", ">=": ">", "<": "<=", ">": ">=", "+": "-", "-": "+", "&&": "||",
             "||": "&&", "true": "false", "false": "true", "0": "1", "1": "2"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """One error: the text between two places of a file, and what stands there instead."""

    path: str
    start: int
    end: int
    text: str

    def made_in(self, source: str) -> str:
        """The file with the error."""
        return source[: self.start] + self.text + source[self.end :]

    def described(self, source: str) -> str:
        """File and line, and the change."""
        line = source.count("\n", 0, self.start) + 1
        before = " ".join(source[self.start : self.end].split())
        return f"{self.path}:{line}: {before[:70]} becomes {self.text}"


def mutants(path: Path) -> list[Mutant]:
    """All errors that are tried in a file, in their order."""
    source = path.read_text("utf-8")
    name = path.relative_to(ROOT).as_posix()
    found = _of_script(source) if path.suffix == ".js" else _of_python(source)
    return [Mutant(name, *each) for each in sorted(set(found))]


def _of_script(source: str) -> Iterator[tuple[int, int, str]]:
    comments = [
        found.span()
        for found in re.finditer(r"/\*.*?\*/|//[^\n]*|`[^`]*`|\"[^\"\n]*\"|import [^;]*;", source, re.DOTALL)
    ]
    for found in SCRIPT.finditer(source):
        if not any(start <= found.start() < end for start, end in comments):
            yield *found.span(), IN_SCRIPT[found[0]]


def _of_python(source: str) -> Iterator[tuple[int, int, str]]:
    lines = [0]
    for line in source.splitlines(keepends=True):
        lines.append(lines[-1] + len(line.encode()))
    raw = source.encode()

    def at(line: int, column: int) -> int:
        return len(raw[: lines[line - 1] + column].decode())

    def between(left: ast.expr, right: ast.expr) -> tuple[int, str]:
        start = at(left.end_lineno or 0, left.end_col_offset or 0)
        return start, source[start : at(right.lineno, right.col_offset)]

    tree = ast.parse(source)
    skipped = {child for node in ast.walk(tree) if _is_skipped(node) for child in ast.walk(node)}
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Compare):
            for left, right in zip([node.left, *node.comparators], node.comparators, strict=False):
                yield from _swapped(*between(left, right), COMPARISONS)
        elif isinstance(node, ast.BinOp):
            yield from _swapped(*between(node.left, node.right), OPERATORS)
        elif isinstance(node, ast.BoolOp):
            for left, right in zip(node.values, node.values[1:], strict=False):
                yield from _swapped(*between(left, right), OPERATORS)
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int):
            value = not node.value if isinstance(node.value, bool) else node.value + 1
            yield at(node.lineno, node.col_offset), at(node.end_lineno or 0, node.end_col_offset or 0), str(value)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield at(node.lineno, node.col_offset), at(node.end_lineno or 0, node.end_col_offset or 0), "pass"
        elif isinstance(node, ast.If):
            start, end = (at(node.test.lineno, node.test.col_offset),
                          at(node.test.end_lineno or 0, node.test.end_col_offset or 0))  # fmt: skip
            yield start, end, "False" if "\n" not in source[start:end] else "(False)"


def _is_skipped(node: ast.AST) -> bool:
    """Annotations, docstrings, imports for types, and what is said to a log."""
    if isinstance(node, ast.AnnAssign | ast.arg):
        return node.annotation is not None and not isinstance(node, ast.AnnAssign)
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name):
        return node.test.id == "TYPE_CHECKING"
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return ast.unparse(node.value.func).startswith(("log.", "logging.", "_log."))
    return isinstance(node, ast.Raise | ast.JoinedStr | ast.Assert)


def _swapped(start: int, text: str, table: dict[str, str]) -> Iterator[tuple[int, int, str]]:
    found = re.search(r"[^\s()#\\]+(?: in| not)?", text)
    if found and found[0] in table:
        yield start + found.start(), start + found.end(), table[found[0]]


def sources(names: Sequence[str]) -> list[Path]:
    """The files to make errors in: those named, or all of the code."""
    if names:
        return [ROOT / name for name in names]
    listed = [path for top in ("model", "viz") for ext in ("py", "js") for path in (ROOT / top).rglob(f"*.{ext}")]
    return sorted(path for path in listed if not LEFT_OUT.search(path.relative_to(ROOT).as_posix()))


def drawn(files: Sequence[Path], *, seed: int, sample: int) -> list[Mutant]:
    """A sample of all errors; the same for the same code and seed."""
    every = [mutant for path in files for mutant in mutants(path)]
    return random.Random(seed).sample(every, min(sample, len(every))) if sample else every


@cache
def _texts() -> dict[Path, str]:
    """The tests, and the code."""
    found = [
        path for top in ("tests", "viz", "model") for ext in ("py", "js") for path in (ROOT / top).rglob(f"*.{ext}")
    ]
    return {path.relative_to(ROOT): path.read_text("utf-8") for path in sorted(found)}


def _users(path: Path) -> list[Path]:
    """The files that import a file, in the order of their names."""
    if path.suffix == ".js":
        own = re.compile(rf"""["'][^"']*/{re.escape(path.name)}["']""")
    else:
        module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        package, _, short = module.rpartition(".")
        own = re.compile(rf"{re.escape(module)}\b|from {re.escape(package)} import (\([^)]*|[^\n]*)\b{short}\b")
    return [
        other for other, text in _texts().items() if other != path and other.suffix == path.suffix and own.search(text)
    ]


@cache
def related(name: str) -> tuple[str, ...]:
    """Files of tests for a file: of its name, then those that import it, then those of the files that import it."""
    found: dict[Path, None] = {}
    level, seen = [Path(name)], {Path(name)}
    for _ in range(DEPTH):
        users = {path: _users(path) for path in level}
        for path in level:
            found |= dict.fromkeys(test for test in _texts() if _is_of(test, path))
            found |= dict.fromkeys(user for user in users[path] if _is_test(user))
        level = [user for each in users.values() for user in each if user not in seen and user.parts[0] != "tests"]
        seen |= set(level)
        if len(found) >= MOST_RELATED:
            break
    best = [test.as_posix() for test in found][:MOST_RELATED]
    folder = Path(name).parts[2] if Path(name).suffix == ".js" and not best else ""
    return tuple(best or IN_BROWSER.get(folder, ()) or _of_page(Path(name)))


def _of_page(path: Path) -> list[str]:
    """Tests that name the page in whose folder a file is: a page is a script, which nothing imports."""
    if path.suffix != ".py" or path.parts[0] != "viz":
        return []
    named = f'"{path.parts[1]}"'
    tests = [test for test, text in _texts().items() if test.suffix == ".py" and _is_test(test) and named in text]
    return [test.as_posix() for test in tests if "viz" in test.parts][:MOST_RELATED]


def _is_test(path: Path) -> bool:
    return (path.name.startswith("test_") or path.name.endswith(".test.js")) and "browser" not in path.parts


def _is_of(test: Path, path: Path) -> bool:
    """Whether a file of tests bears the file's name: state.test.js, test_state.py, test_state_page.py."""
    bare = test.stem.removeprefix("test_").removesuffix(".test").removesuffix("_page")
    return _is_test(test) and test.suffix == path.suffix and bare == path.stem


def copied(folder: Path) -> Path:
    """A copy of what tests need."""
    for name in COPIED:
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "screenshots"))
    for name in LINKED:
        (folder / name).symlink_to(ROOT / name)
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy(path, folder / path.name)
    return folder


def is_noticed(mutant: Mutant, house: Path) -> bool | None:
    """Whether a related test fails with the error; None where no test is related."""
    tests = related(mutant.path)
    if not tests:
        return None
    place = house / mutant.path
    before = place.read_text("utf-8")
    place.write_text(mutant.made_in(before), "utf-8")
    try:
        return not _pass(tests, house)
    finally:
        place.write_text(before, "utf-8")


def _pass(tests: Sequence[str], house: Path) -> bool:
    scripts = [test for test in tests if test.endswith(".js")]
    command = (
        ["node", "--test", *scripts] if scripts
        else [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    )  # fmt: skip
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
    ran = subprocess.Popen(
        command, cwd=house, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    try:
        return ran.wait(timeout=PATIENCE) == 0
    except subprocess.TimeoutExpired:
        os.killpg(ran.pid, signal.SIGKILL)
        ran.wait()
        return False


def report(chosen: Sequence[Mutant], *, jobs: int) -> int:
    """Try them, print each survivor, and return how many survived."""
    survivors, counted = 0, 0
    with tempfile.TemporaryDirectory(prefix="regard-mutants-") as place:
        houses: SimpleQueue[Path] = SimpleQueue()
        for number in range(jobs):
            (folder := Path(place) / str(number)).mkdir()
            houses.put(copied(folder))

        def tried(mutant: Mutant) -> bool | None:
            house = houses.get()
            try:
                return is_noticed(mutant, house)
            finally:
                houses.put(house)

        with ThreadPoolExecutor(jobs) as pool:
            for mutant, noticed in zip(chosen, pool.map(tried, chosen), strict=True):
                counted += 1
                if not noticed:
                    survivors += 1
                    why = "" if noticed is False else "   (no test is related)"
                    print(f"survived {mutant.described((ROOT / mutant.path).read_text('utf-8'))}{why}", flush=True)
    print(f"{survivors} of {counted} survived")
    return survivors


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw, try and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="files to make every error in, or to draw from with --sample")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sample", type=int, default=0, help="how many to draw; 20 unless files are named")
    parser.add_argument("--jobs", type=int, default=1, help="copies of the repository that are tried at the same time")
    parser.add_argument("--list", action="store_true", help="print the errors and their tests, and try none")
    chosen = parser.parse_args(arguments)
    sample = chosen.sample or (0 if chosen.files else 20)
    tried = drawn(sources(chosen.files), seed=chosen.seed, sample=sample)
    if chosen.list:
        for mutant in tried:
            source = (ROOT / mutant.path).read_text("utf-8")
            print(mutant.described(source), "  ", " ".join(related(mutant.path)) or "no test is related")
        return 0
    return int(10 * report(tried, jobs=chosen.jobs) > len(tried))


if __name__ == "__main__":
    sys.exit(main())
