"""Tries small errors in the code, one at a time, and reports those that no test notices.

    python -m tests.mutants --seed 1 --sample 20              errors in twenty places drawn from all of model/ and viz/
    python -m tests.mutants --sample 200 --jobs 4             as many as are asked of a release; hours
    python -m tests.mutants viz/state/turns.py                      every error in one file
    python -m tests.mutants --list --sample 20                what would be tried

Each error is made in a copy of the repository, and only tests that are related to its file run
(tests/mutant_tests.py); for scripts of components Node's, then a browser's. A second copy notes which places each test
passes, so that those run first that pass the error, the quickest before the others. A test counts when it fails with
the error and passes without it. A survivor is a missing test, or code that makes no difference. What nobody can see is
not tried: pixels of a layout, digits that are not shown, sizes of caches, guards of the code against itself. A change
of the code leaves a sample as it is, but for the lines that changed. The status is 1 when more than a tenth survive.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from tests.mutant_tests import IN_BROWSER, related
from tests.mutant_trials import LIBRARIES

ROOT = Path(__file__).parents[1]
COPIED = ("model", "viz", "tests", "benchmarks", "docs", "packaging", "deploy", ".streamlit", ".github", ".ci", "paper")
LINKED = ("pretrained", "node_modules")
LEFT_OUT = re.compile(r"__main__|/cli/|tokenizer_probe|shared/fluent.js")
"""Command lines are checked by running them as processes; a library of others has its own tests."""
PIXELS = frozenset({
    "width", "height", "size", "fontSize", "font_size", "labelFontSize", "titleFontSize", "strokeWidth", "opacity",
    "dx", "dy", "cornerRadius", "labelLimit", "labelPadding", "padding", "xgap", "ygap", "yshift", "xshift",
    "horizontal_spacing", "vertical_spacing", "marker_line_width", "labelAngle", "tickCount", "l", "r", "t", "b",
})  # fmt: skip
"""Arguments and keys of viz that place and size what is drawn: one more pixel is no error that anyone sees."""
BOUNDS = re.compile(r"max_\w+|longest|most|limit|maxsize")
"""Arguments that bound: of a thousand and more, one more is as good a bound."""
AT_ONCE = 24
"""Tests of a file, the quickest of those that pass an error, that are run before the others."""
BLIND = 3
"""Files of tests that are run though none of their tests is known to pass an error: other processes may."""
PATIENCE = 200
"""Processor time for a file of tests, once, to tell what each test passes."""
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
    skipped |= {each for node in ast.walk(tree) for each in _unseen(node)}
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


def _unseen(node: ast.AST) -> Iterator[ast.AST]:
    """Numbers and truths whose change nobody can see: see the module's first lines."""
    if isinstance(node, ast.keyword | ast.Dict):
        pairs = (
            [(ast.Constant(node.arg), node.value)]
            if isinstance(node, ast.keyword)
            else zip(node.keys, node.values, strict=True)
        )
        for key, value in pairs:
            name = str(key.value) if isinstance(key, ast.Constant) else ""
            if name in PIXELS and isinstance(value, ast.Constant):
                yield value
            if isinstance(node, ast.keyword) and BOUNDS.fullmatch(name) and _is_large(value):
                yield value
            if isinstance(node, ast.keyword) and name == "strict":
                yield value
    if isinstance(node, ast.Assign) and _is_large(node.value) and ast.unparse(node.targets[0]).isupper():
        yield node.value
    if isinstance(node, ast.ClassDef):
        for flags in filter(lambda each: isinstance(each, ast.Call), node.decorator_list):
            yield from ast.walk(flags)
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func)
        if called in ("bounded", "field.bounded"):
            yield from filter(_is_large, node.args)
        if called.endswith("lru_cache"):
            yield from ast.walk(node)
        if called == "round" and len(node.args) == 2 and isinstance(digits := node.args[1], ast.Constant):
            yield from [digits] if isinstance(digits.value, int) and digits.value >= 3 else []
        if called.endswith(".columns") and node.args and isinstance(node.args[0], ast.List | ast.Tuple):
            yield from ast.walk(node.args[0])


def _is_large(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value >= 1000


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
    """A sample of all errors: each has its place in an order of the seed, whatever the others are."""
    every = [mutant for path in files for mutant in mutants(path)]
    return sorted(every, key=_order(seed))[:sample] if sample else every


def _order(seed: int) -> Callable[[Mutant], bytes]:
    seen: dict[tuple[str, ...], int] = {}

    def order(mutant: Mutant) -> bytes:
        source = _source(mutant.path)
        begin = source.rfind("\n", 0, mutant.start) + 1
        line = source[begin:].partition("\n")[0]
        column = mutant.start - begin - len(line) + len(line.lstrip())
        named = (str(seed), mutant.path, line.strip(), str(column), mutant.text)
        seen[named] = seen.get(named, -1) + 1
        return hashlib.sha256("\t".join((*named, str(seen[named]))).encode()).digest()

    return order


def _source(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


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
    """A copy of the repository in which errors are made, with the process that runs tests in it; and a second copy, in
    which the places of all errors are marked, that tells what each test passes.

    Args:
        seconds: processor time for the tests of one error, without the runs that tell what they pass.
        kept: a file that keeps what the tests pass, for an interrupted run.
    """

    def __init__(self, folder: Path, chosen: Sequence[Mutant], *, seconds: float, kept: Path | None = None) -> None:
        for name in ("plain", "marked"):
            (folder / name).mkdir()
        self.folder, self.seconds = copied(folder / "plain"), seconds
        self._marked = copied(folder / "marked")
        self._places = marked(self._marked, chosen)
        self._kept, self._key = kept, hashlib.sha256(repr(chosen).encode()).hexdigest()
        found = json.loads(kept.read_text("utf-8")) if kept and kept.exists() else {}
        self._passes: dict[str, dict[str, dict[str, Any]]] = found.get(self._key, {})
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
        if not (tests := related(mutant.path)):
            return "survived (no test is related)"
        left, is_passed = self.seconds, False
        for step in self._steps(mutant, tests):
            is_passed = is_passed or step.is_passing
            if left < 1:
                return "survived (out of time)"
            found = self._with(mutant, step.tests, left)
            if found["code"] not in (0, 4, 5) and self._is_due_to_it(step.tests, found, left / 2):
                return found["failed"] or f"{step.tests[0]}{'' if found['code'] else ' (endless)'}"
            left -= found["seconds"]
        return "survived" if is_passed or mutant.path.endswith(".js") else "survived (no test passes it)"

    def _steps(self, mutant: Mutant, tests: Sequence[str]) -> Iterator[Step]:
        """What to run, one after another: of each file the tests that pass the error, the quickest first; then whole
        files: a test may rest on what another one made before, and what other processes pass is not known.
        """
        if mutant.path.endswith(".js"):
            yield from (Step((test,), True) for test in tests)
            return
        whole, begun = [], []
        for test in sorted(tests, key=lambda test: test not in self._passes):
            notes = self._passing(test, self._places[mutant])
            own = sorted((name for name in notes if name), key=lambda name: notes[name]["seconds"])
            if own:
                yield Step(tuple(own[:AT_ONCE]), True)
            if len(own) > AT_ONCE or "" in notes:
                whole.append(test)
            elif not own:
                begun.append(test)
        yield from (Step((test,), True) for test in whole)
        yield from (Step((test,), False) for test in begun[:BLIND])

    def _passing(self, test: str, place: int) -> dict[str, dict[str, Any]]:
        """The tests of a file that pass a place, by name; what is passed outside of tests has no name."""
        if test not in self._passes:
            notes = self.folder.with_name("passes.json")
            notes.unlink(missing_ok=True)
            self._asked({"tests": [test], "seconds": PATIENCE, "folder": str(self._marked), "passes": str(notes)})
            self._passes[test] = json.loads(notes.read_text("utf-8")) if notes.exists() else {}
            if self._kept:
                self._kept.write_text(json.dumps({self._key: self._passes}), "utf-8")
        noted = self._passes[test].items()
        return {name: note for name, note in noted if note["passed"] and place in note["places"]}

    def _with(self, mutant: Mutant, tests: Sequence[str], seconds: float) -> dict[str, Any]:
        """The result of tests with an error."""
        place = self.folder / mutant.path
        before, times = place.read_text("utf-8"), place.stat()
        try:
            place.write_text(mutant.made_in(before), "utf-8")
            self._made += 1  # compiled code is known by its size and the second of its source
            os.utime(place, (times.st_atime, times.st_mtime + self._made))
            return self._run(tests, seconds)
        finally:
            place.write_text(before, "utf-8")
            os.utime(place, ns=(times.st_atime_ns, times.st_mtime_ns))

    def _is_due_to_it(self, tests: Sequence[str], found: dict[str, Any], seconds: float) -> bool:
        """Whether what failed passes in the code as it is: some need what a copy has not, as its history.

        Where time ran out, all of the tests must pass in half of it.
        """
        if not found["failed"]:
            return self._run(tests, seconds / 2)["code"] == 0
        failed = found["failed"]
        if failed not in self._sound:
            self._sound[failed] = self._run([failed], self.seconds)["code"] == 0
            if not self._sound[failed]:
                self._unsound.add(failed)
        return self._sound[failed]

    def _run(self, tests: Sequence[str], seconds: float) -> dict[str, Any]:
        return self._asked({"tests": list(tests), "seconds": max(seconds, 1), "left_out": sorted(self._unsound)})

    def _asked(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._runner.stdin and self._runner.stdout
        print(json.dumps(request), file=self._runner.stdin, flush=True)
        return json.loads(self._runner.stdout.readline())


@dataclass(frozen=True, slots=True)
class Step:
    """Tests to run together, and whether they are known to pass the error."""

    tests: tuple[str, ...]
    is_passing: bool


def marked(folder: Path, chosen: Sequence[Mutant]) -> dict[Mutant, int]:
    """Put a mark before each statement that holds an error, in the copy; the number of each error's mark."""
    places: dict[Mutant, int] = {}
    for name in sorted({mutant.path for mutant in chosen if mutant.path.endswith(".py")}):
        source = (folder / name).read_text("utf-8")
        tree = ast.parse(source)
        for mutant in (each for each in chosen if each.path == name):
            places[mutant] = len(places)
            line = source.count("\n", 0, mutant.start) + 1
            _mark(tree, line, places[mutant])
        (folder / name).write_text(ast.unparse(tree), "utf-8")
    return places


def _mark(tree: ast.AST, line: int, place: int) -> None:
    """Before the innermost statement that has a line."""
    node, body, number = tree, getattr(tree, "body", []), 0
    while True:
        parts = (node, *getattr(node, "handlers", ()), *getattr(node, "cases", ()))
        bodies = [getattr(part, field, []) for part in parts for field in ("body", "orelse", "finalbody")]
        around = ((body, n) for body in bodies for n, each in enumerate(body) if _is_around(each, line))
        if (found := next(around, None)) is None:
            break
        (body, number), node = found, found[0][found[1]]
    mark = ast.parse(f"getattr(__import__('builtins'), '__passes__', int)({place})").body[0]
    mark.lineno = mark.end_lineno = line
    body.insert(number, mark)


def _is_around(node: ast.stmt, line: int) -> bool:
    begin = min(node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ())), node.lineno)
    return begin <= line <= (node.end_lineno or begin)


def report(chosen: Sequence[Mutant], *, jobs: int, seconds: float, log: Path | None = None) -> int:
    """Try those that the log has not, print each survivor, and return how many survived."""
    done = {}
    if log and log.exists():
        done = dict(line.split("\t")[:2] for line in log.read_text("utf-8").splitlines())
    with tempfile.TemporaryDirectory(prefix="regard-mutants-") as place:
        houses: SimpleQueue[House] = SimpleQueue()
        for number in range(jobs):
            (folder := Path(place) / str(number)).mkdir()
            kept = log.with_name(f"{log.name}.{number}") if log else None
            houses.put(House(folder, chosen, seconds=seconds, kept=kept))

        def tried(mutant: Mutant) -> tuple[str, str]:
            name = f"{mutant.described(_source(mutant.path))} [{mutant.start}]"
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
            source = _source(mutant.path)
            print(mutant.described(source), "  ", " ".join(related(mutant.path)) or "no test is related")
        return 0
    return int(10 * report(tried, jobs=chosen.jobs, seconds=chosen.seconds, log=chosen.log) > len(tried))


if __name__ == "__main__":
    sys.exit(main())
