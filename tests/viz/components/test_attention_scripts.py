"""The explorer's JavaScript as text: what holds without running it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import viz.components.attention
from viz.components.attention.assets import SCRIPTS, javascript

FOLDER = Path(viz.components.attention.__file__).parent / "js"
FILES = sorted(FOLDER.glob("*.js"))


def test_every_file_is_part_of_the_module() -> None:
    assert {path.stem for path in FILES} == set(SCRIPTS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_short_and_never_makes_markup(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.count("\n") <= 300
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", text)


def test_nothing_is_fetched_from_anywhere() -> None:
    assert not re.search(r"\bfetch\(|XMLHttpRequest|\bimport\(|^import ", javascript(), re.MULTILINE)


def test_no_name_is_declared_twice_in_the_shared_scope() -> None:
    names = re.findall(r"^(?:async )?(?:function|class|const|let) (\w+)", javascript(), re.MULTILINE)
    assert sorted(names) == sorted(set(names))
