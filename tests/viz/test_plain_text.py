"""What files and visitors named is drawn as it is written."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from viz.plain_text import as_code, as_written

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "text", ["![x](http://h/a.png)", "<img src=x>", ":red[a]", "$a$", "**b**", "a|b", "[l](m)", "# h", "`c`"]
)
def test_no_mark_of_markdown_is_left_unescaped(text: str) -> None:
    written = as_written(text)
    bare = [c for i, c in enumerate(written) if c in "![]()<>*_`:$#|" and (i == 0 or written[i - 1] != "\\")]
    assert not bare and written.replace("\\", "") == text


def test_code_cannot_be_ended_from_within() -> None:
    assert as_code("a` ![x](http://h) `b").count("`") == 2
    assert "\n" not in as_code("a\n\n![x](y)") and as_code("  ") == ""


def test_there_is_one_escape() -> None:
    """A second function that escapes Markdown would differ from the first before long."""
    found = []
    for path in sorted((ROOT / "viz").rglob("*.py")):
        strings = [node.value for node in ast.walk(ast.parse(path.read_text("utf-8")))
                   if isinstance(node, ast.Constant) and isinstance(node.value, str)]  # fmt: skip
        if any("`*_{}[]" in text or "`*_{}\\[" in text for text in strings):
            found.append(path.name)
    assert found == ["plain_text.py"]
