"""The errors of `python -m tests.mutants` are small, whole and the same for the same seed; survivors are named."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import mutant_tests, mutants

CODE = """def least(values, bound=1):
    found = [value for value in values if value < bound]
    if not found:
        return None
    found.sort()
    return found[0]
"""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A repository with one module and one test."""
    for name, text in (("model/__init__.py", ""), ("model/least.py", CODE), ("viz/__init__.py", ""),
                       ("tests/__init__.py", "")):  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "pretrained").mkdir()
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    monkeypatch.setattr(mutant_tests, "ROOT", tmp_path)
    monkeypatch.setattr(mutants, "LIBRARIES", ())
    kept: list[Any] = [each for each in vars(mutant_tests).values() if hasattr(each, "cache_clear")]
    for each in kept:
        each.cache_clear()
    yield tmp_path
    for each in kept:
        each.cache_clear()


def write_test(house: Path, text: str) -> None:
    (house / "tests/test_least.py").write_text(f"from model.least import least\n\n\ndef test_least():\n{text}", "utf-8")


def made(house: Path) -> list[str]:
    path = house / "model/least.py"
    return [mutant.made_in(CODE) for mutant in mutants.mutants(path)]


def test_each_error_is_one_change_and_still_a_program(house: Path) -> None:
    found = made(house)
    assert len(found) == len(set(found)) == 5
    for text in found:
        ast.parse(text)
    assert any("value <= bound" in text for text in found) and any("bound=2" in text for text in found)
    assert any("    if False:" in text for text in found) and any("    pass\n" in text for text in found)


def test_an_error_in_a_script_leaves_texts_and_comments_alone() -> None:
    script = 'const a = 1 < 2; // 1 < 2\nlog("1 < 2");\nimport { b } from "./1.js";\n'
    assert [(script[start:end], text) for start, end, text in mutants._of_script(script)] == [("1", "2"), ("<", "<=")]


@pytest.mark.nightly
def test_errors_that_no_test_notices_are_named_and_make_the_command_fail(house: Path, capsys) -> None:
    write_test(house, "    assert least([0, -1]) == -1\n")
    assert mutants.main(["model/least.py"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "3 of 5 survived"
    assert sorted(line.split(": ")[1] for line in lines[:-1]) == [
        "1 becomes 2", "< becomes <=", "not found becomes False",
    ]  # fmt: skip


@pytest.mark.nightly
def test_where_every_error_is_noticed_the_command_passes_and_the_code_is_as_before(house: Path, capsys) -> None:
    write_test(house, "    assert (least([0, -1, 1]), least([1]), least([])) == (-1, None, None)\n")
    assert mutants.main(["model/least.py"]) == 0
    assert capsys.readouterr().out == "0 of 5 survived\n"
    assert (house / "model/least.py").read_text("utf-8") == CODE


def test_a_sample_is_the_same_for_the_same_seed() -> None:
    files = mutants.sources(["viz/state/turns.py", "viz/components/phone/line.js"])
    assert mutants.drawn(files, seed=1, sample=5) == mutants.drawn(files, seed=1, sample=5)
    assert mutants.drawn(files, seed=1, sample=5) != mutants.drawn(files, seed=2, sample=5)


def test_a_change_of_another_line_leaves_the_sample_as_it_is(house: Path) -> None:
    path = house / "model/least.py"

    def sample() -> list[str]:
        source = path.read_text("utf-8")
        return [mutant.described(source).partition(": ")[2] for mutant in mutants.drawn([path], seed=1, sample=5)]

    before = sample()
    path.write_text(f"import math\n\n{CODE}".replace("found.sort()", "found.sort(key=abs)"), "utf-8")
    kept = [change for change in sample() if "sort" not in change and change in before]
    assert kept and kept == [change for change in before if change in kept]


UNSEEN = """from dataclasses import dataclass
from functools import lru_cache

MOST = 60_000

@dataclass(frozen=True, slots=True)
class Place:
    x: int = 1

@lru_cache(maxsize=8)
def near(values, longest=2):
    draw(height=24, font={"size": 12}, longest=10_000, start=20)
    return round(values[3], 4), zip(values, values, strict=True)
"""


def test_what_nobody_can_see_is_not_tried() -> None:
    found = [(UNSEEN[start:end].partition("(")[0], text) for start, end, text in sorted(mutants._of_python(UNSEEN))]
    assert found == [("1", "2"), ("2", "3"), ("draw", "pass"), ("20", "21"), ("3", "4")]


def test_the_places_that_a_test_passes_are_noted(house: Path) -> None:
    write_test(house, "    assert least([0, -1]) == -1\n\n\ndef test_none():\n    assert least([]) is None\n")
    chosen = mutants.drawn([house / "model/least.py"], seed=1, sample=0)
    (folder := house.parent / "houses").mkdir()
    found = mutants.House(folder, chosen, seconds=60)
    try:
        at = {mutant: found._passing("tests/test_least.py", found._places[mutant]) for mutant in chosen}
    finally:
        found.close()
    source = CODE.splitlines()
    names = {source[CODE.count("\n", 0, mutant.start)].strip(): sorted(passing) for mutant, passing in at.items()}
    both = ["tests/test_least.py::test_least", "tests/test_least.py::test_none"]
    assert names["found.sort()"] == both[:1]
    assert names["if not found:"] == both
    assert names["def least(values, bound=1):"] == [""]  # when the module is imported


def test_a_part_of_a_page_and_a_component_have_the_tests_that_open_them() -> None:
    assert "tests/viz/test_teaching_pages.py" in mutant_tests.related("viz/laboratory/toy.py")
    assert mutant_tests.related("viz/components/decoding/js/tree.js")[-1] == "tests/browser/test_decode_page.py"
