"""Names from files and visitors are escaped."""

import ast
import re
from pathlib import Path

import pytest

from tests.pages import pages_and_panels
from tests.trees import tree_of
from viz.plain_text import as_code, escape_markdown

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "text", ["![x](http://h/a.png)", "<img src=x>", ":red[a]", "$a$", "**b**", "a|b_c", "[l](m)", "# h", "`c`", "~~s~~"]
)
def test_no_mark_of_markdown_is_left_unescaped(text: str) -> None:
    escaped = escape_markdown(text)
    bare = [c for i, c in enumerate(escaped) if c in "![]()<>*_`:$#|~" and (i == 0 or escaped[i - 1] != "\\")]
    assert not bare and escaped.replace("\\", "").replace("\u2060", "") == text


@pytest.mark.parametrize("text", ["see http://h/a", "https://h", "www.h.org", "a@h.org", "WWW.H.ORG"])
def test_no_address_becomes_a_link(text: str) -> None:
    """Checked by Markdown's rule for bare addresses, applied after its marks."""
    assert not re.search(r"https?://|www\.|\w@\w", escape_markdown(text).replace("\\", ""), re.IGNORECASE)


def test_code_cannot_be_ended_from_within() -> None:
    assert as_code("a` ![x](http://h) `b").count("`") == 2
    assert "\n" not in as_code("a\n\n![x](y)") and as_code("  ") == ""


def test_there_is_one_escape() -> None:
    """A second function that escapes Markdown would soon differ from the first."""
    modules = []
    for path in sorted((ROOT / "viz").rglob("*.py")):
        strings = [node.value for node in ast.walk(tree_of(path.read_text("utf-8")))
                   if isinstance(node, ast.Constant) and isinstance(node.value, str)]  # fmt: skip
        if any(mark in text for text in strings for mark in ("`*_{}[]", "`*_{}\\[", "*_`[]")):
            modules.append(path.name)
    assert modules == ["plain_text.py"]


_NAMED = {"bundle", "survey", "current", "job", "shared", "offer", "one"}
_PLAIN = {"text", "code", "selectbox", "text_input", "text_area"}
"""Calls whose text Streamlit does not render as Markdown."""
_UNSEEN = {"key", "args", "on_click", "file_name", "data", "format_func"}


def unescaped(source: str) -> list[str]:
    """Uses of names of models, surveys and runs in Markdown without escaping."""
    uses = []

    def look(node: ast.AST) -> None:
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"escape_markdown", "as_code", "family_name"}:
            return
        if isinstance(node, ast.Attribute) and node.attr in {"name", "model", "title"}:
            if isinstance(node.value, ast.Name) and node.value.id in _NAMED:
                uses.append(ast.unparse(node))
            return
        for child in ast.iter_child_nodes(node):
            if not (isinstance(child, ast.keyword) and child.arg in _UNSEEN):
                look(child)

    for call in (node for node in ast.walk(tree_of(source)) if isinstance(node, ast.Call)):
        if (
            isinstance(call.func, ast.Attribute)
            and ast.unparse(call.func.value) == "st"
            and call.func.attr not in _PLAIN
        ):
            for part in (*call.args, *(keyword for keyword in call.keywords if keyword.arg not in _UNSEEN)):
                look(part)
    return uses


def test_names_of_models_and_surveys_are_escaped_wherever_markdown_is_drawn() -> None:
    assert unescaped('st.button(tr("a", model=bundle.name), key=bundle.name)') == ["bundle.name"]
    assert unescaped('st.caption(f"{escape_markdown(job.title)}")') == []
    for path in pages_and_panels():
        assert not unescaped(path.read_text("utf-8")), path
