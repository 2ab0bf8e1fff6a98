"""The errors of `python -m tests.mutants` are small, whole and the same for the same seed; survivors are named."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import mutants

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
    monkeypatch.setattr(mutants, "LIBRARIES", ())
    for kept in (mutants._texts, mutants.related, mutants._names_of, mutants._words, mutants._imports):
        kept.cache_clear()
    yield tmp_path
    for kept in (mutants._texts, mutants.related, mutants._names_of, mutants._words, mutants._imports):
        kept.cache_clear()


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


def test_errors_that_no_test_notices_are_named_and_make_the_command_fail(house: Path, capsys) -> None:
    write_test(house, "    assert least([0, -1]) == -1\n")
    assert mutants.main(["model/least.py"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "3 of 5 survived"
    assert sorted(line.split(": ")[1] for line in lines[:-1]) == [
        "1 becomes 2", "< becomes <=", "not found becomes False",
    ]  # fmt: skip


def test_where_every_error_is_noticed_the_command_passes_and_the_code_is_as_before(house: Path, capsys) -> None:
    write_test(house, "    assert (least([0, -1, 1]), least([1]), least([])) == (-1, None, None)\n")
    assert mutants.main(["model/least.py"]) == 0
    assert capsys.readouterr().out == "0 of 5 survived\n"
    assert (house / "model/least.py").read_text("utf-8") == CODE


def test_a_sample_is_the_same_for_the_same_seed() -> None:
    files = mutants.sources(["viz/state/turns.py", "viz/components/phone/line.js"])
    assert mutants.drawn(files, seed=1, sample=5) == mutants.drawn(files, seed=1, sample=5)
    assert mutants.drawn(files, seed=1, sample=5) != mutants.drawn(files, seed=2, sample=5)


def test_a_part_of_a_page_and_a_component_have_the_tests_that_open_them() -> None:
    assert "tests/viz/test_teaching_pages.py" in mutants.related("viz/laboratory/toy.py")
    assert mutants.related("viz/components/decoding/js/tree.js")[-1] == "tests/browser/test_decode_page.py"
