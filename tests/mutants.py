"""Tries small errors in the code, one at a time, and reports those that no test notices.

    python -m tests.mutants --seed 1 --sample 20              errors in twenty places drawn from all of model/ and viz/
    python -m tests.mutants --sample 200 --jobs 4             as many as are asked of a release; hours
    python -m tests.mutants viz/state/turns.py                      every error in one file
    python -m tests.mutants --list --sample 20                what would be tried

Each error is made in a copy of the repository, and only tests that are related to its file run: those of its name and
those that import it, then those of the files that import it; for scripts of components Node's, then a browser's. A test
counts when it fails with the error and passes without it. A survivor is a missing test, or code that makes no
difference. The status is 1 when more than a tenth survive.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from tests.mutant_trials import LIBRARIES

ROOT = Path(__file__).parents[1]
COPIED = ("model", "viz", "tests", "benchmarks", "docs", "packaging", "deploy", ".streamlit", ".github", ".ci", "paper")
LINKED = ("pretrained", "node_modules")
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


@cache
def _imports() -> dict[str, list[Path]]:
    """The files that import or name a module, by its dotted name; scripts by their names."""
    found: dict[str, list[Path]] = {}
    for path, text in _texts().items():
        if path.suffix == ".js":
            names = set(re.findall(r"""["'][^"'\n]*/([\w.]+\.js)["']""", text))
        else:
            names = set(re.findall(r"\b(?:model|viz|tests)(?:\.\w+)+", text))
            names |= {name[: dot.start()] for name in names for dot in re.finditer(r"\.", name)}  # a package is run too
            for package, listed in re.findall(r"from ([\w.]+) import (\([^)]*|[^\n]*)", text):
                names |= {f"{package}.{short}" for short in re.findall(r"\w+", listed)}
        for name in names:
            found.setdefault(name, []).append(path)
    return found


def _users(path: Path) -> list[Path]:
    """The files that import a file, in the order of their names."""
    module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    return [user for user in _imports().get(path.name if path.suffix == ".js" else module, ()) if user != path]


@cache
def related(name: str) -> tuple[str, ...]:
    """Files of tests for a file: of its name, those that import it, name it or its parts, then those further away.

    Tests in a browser come last, and only for the scripts of components.
    """
    path = Path(name)
    places: dict[Path, int] = {}
    level, seen = [path], {path}
    for distance in range(DEPTH):
        users = [user for each in level for user in _users(each)]
        places = {test: distance for test in users if _is_test(test)} | places
        level = [user for user in dict.fromkeys(users) if user not in seen and user.parts[0] != "tests"]
        seen |= set(level)
    for part in re.split("_", path.stem):
        naming = [test for test in _texts() if _is_test(test) and test.suffix == path.suffix and part in _words(test)]
        places = {test: 0 for test in naming if len(naming) <= MOST_RELATED} | places
    places |= {test: -1 for test in _texts() if _is_of(test, path)}
    named = {test: _names_of(path) & _words(test) for test in places}
    best = sorted(places, key=lambda test: (min(places[test], 1), -len(named[test]), places[test], test))
    chosen = list(dict.fromkeys([test.as_posix() for test in best] + _of_page(path)))[:MOST_RELATED]
    in_browser = IN_BROWSER.get(path.parts[2], ()) if path.suffix == ".js" else ()
    return (*chosen, *in_browser)


@cache
def _words(path: Path) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", _texts()[path]))


@cache
def _names_of(path: Path) -> frozenset[str]:
    """What a file defines for others, and its own name."""
    text = _texts().get(path, "")
    found = re.findall(r"^(?:export )?(?:async )?(?:def|class|function|const) ([A-Za-z]\w+)", text, re.MULTILINE)
    return frozenset({path.stem, *found})


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
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("screenshots"))
    for name in filter(lambda name: (ROOT / name).exists(), LINKED):
        (folder / name).symlink_to(ROOT / name)
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy2(path, folder / path.name)
    return folder


class House:
    """A copy of the repository in which errors are made, with the process that runs tests in it."""

    def __init__(self, folder: Path, *, seconds: float) -> None:
        self.folder, self.seconds = copied(folder), seconds
        self._made = 0
        self._unsound: set[str] = set()
        self._sound: dict[str, bool] = {}
        self._spent: dict[str, float] = {}
        self._runner = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("mutant_trials.py")), *LIBRARIES], cwd=self.folder,
            env={**os.environ, "OMP_NUM_THREADS": "1"}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip

    def close(self) -> None:
        """End the process."""
        self._runner.communicate()

    def tried(self, mutant: Mutant) -> str:
        """The test that fails with the error and passes without it; or "survived" and why."""
        place = self.folder / mutant.path
        before, times = place.read_text("utf-8"), place.stat()
        tests = sorted(related(mutant.path), key=lambda test: self._spent.get(test, 0) > self.seconds / 4)
        left = self.seconds
        for test in tests:
            if left < 1:
                return "survived (out of time)"
            try:
                place.write_text(mutant.made_in(before), "utf-8")
                self._made += 1  # compiled code is known by its size and the second of its source
                os.utime(place, (times.st_atime, times.st_mtime + self._made))
                found = self._run(test, left / 2)
            finally:
                place.write_text(before, "utf-8")
                os.utime(place, ns=(times.st_atime_ns, times.st_mtime_ns))
            if found["code"] in (0, 5):
                self._spent[test] = max(found["seconds"], self._spent.get(test, 0))
            elif self._is_due_to_it(test, found, left / 2):
                return found["failed"] or f"{test} (endless)"
            left -= found["seconds"]
        return "survived" if tests else "survived (no test is related)"

    def _is_due_to_it(self, test: str, found: dict[str, Any], seconds: float) -> bool:
        """Whether what failed passes in the code as it is: some need what a copy has not, as its history.

        Where time ran out, all tests of the file must pass in half of it.
        """
        if not found["failed"]:
            return self._run(test, seconds / 2)["code"] == 0
        failed = found["failed"]
        if failed not in self._sound:
            self._sound[failed] = self._run(failed, self.seconds)["code"] == 0
            if not self._sound[failed]:
                self._unsound.add(failed)
        return self._sound[failed]

    def _run(self, test: str, seconds: float) -> dict[str, Any]:
        assert self._runner.stdin and self._runner.stdout
        request = {"tests": [test], "seconds": max(seconds, 1), "left_out": sorted(self._unsound)}
        print(json.dumps(request), file=self._runner.stdin, flush=True)
        return json.loads(self._runner.stdout.readline())


def report(chosen: Sequence[Mutant], *, jobs: int, seconds: float, log: Path | None = None) -> int:
    """Try those that the log has not, print each survivor, and return how many survived."""
    done = {}
    if log and log.exists():
        done = dict(line.split("\t")[:2] for line in log.read_text("utf-8").splitlines())
    with tempfile.TemporaryDirectory(prefix="regard-mutants-") as place:
        houses: SimpleQueue[House] = SimpleQueue()
        for number in range(jobs):
            (folder := Path(place) / str(number)).mkdir()
            houses.put(House(folder, seconds=seconds))

        def tried(mutant: Mutant) -> tuple[str, str]:
            name = f"{mutant.described((ROOT / mutant.path).read_text('utf-8'))} [{mutant.start}]"
            if name in done:
                return name, done[name]
            house = houses.get()
            try:
                found = house.tried(mutant)
            finally:
                houses.put(house)
            if log:
                with log.open("a", encoding="utf-8") as file:
                    print(name, found, sep="\t", file=file)
            return name, found

        survivors = 0
        with ThreadPoolExecutor(jobs) as pool:
            for name, found in pool.map(tried, chosen):
                if found.startswith("survived"):
                    survivors += 1
                    print(f"{found} {name.rpartition(' [')[0]}", flush=True)
        while not houses.empty():
            houses.get().close()
    print(f"{survivors} of {len(chosen)} survived")
    return survivors


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw, try and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="files to make every error in, or to draw from with --sample")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sample", type=int, default=0, help="how many to draw; 20 unless files are named")
    parser.add_argument("--jobs", type=int, default=1, help="copies of the repository that are tried at the same time")
    parser.add_argument("--seconds", type=float, default=300, help="processor time for the tests of one error")
    parser.add_argument("--log", type=Path, help="a file that keeps each result, from which an interrupted run goes on")
    parser.add_argument(
        "--no-browser", action="store_true", help="only tests that need no browser: some hundred an hour"
    )
    parser.add_argument("--list", action="store_true", help="print the errors and their tests, and try none")
    chosen = parser.parse_args(arguments)
    if chosen.no_browser:
        IN_BROWSER.clear()
    sample = chosen.sample or (0 if chosen.files else 20)
    tried = drawn(sources(chosen.files), seed=chosen.seed, sample=sample)
    if chosen.list:
        for mutant in tried:
            source = (ROOT / mutant.path).read_text("utf-8")
            print(mutant.described(source), "  ", " ".join(related(mutant.path)) or "no test is related")
        return 0
    return int(10 * report(tried, jobs=chosen.jobs, seconds=chosen.seconds, log=chosen.log) > len(tried))


if __name__ == "__main__":
    sys.exit(main())
