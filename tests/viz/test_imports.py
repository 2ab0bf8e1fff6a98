"""Imports point downwards, and state and caches each have a single module."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ORDER = {
    "app": -2, "viz.server": -1, "viz.main": 0, "viz.pages": 1, "viz.panels": 2, "viz.__main__": 1,
    "viz.notebook": 2, "viz.export": 3,
    "viz.cache": 4, "viz.figures": 4, "viz.change_words": 4, "viz.components": 5,
    "viz.i18n": 6, "viz.budget": 6, "viz.clicks": 6, "viz.session": 7, "viz.selection": 8, "viz.view_state": 9,
    "viz.rules": 10, "viz.theme": 10, "viz.environment": 10, "viz.results": 10, "viz.content": 10,
    "viz.uploads": 9, "viz.plain_text": 9, "viz.spreadsheets": 9, "viz.rooms": 8, "viz.turns": 10, "viz.processors": 9,
    "viz.shipped_models": 10, "viz.passes": 9, "viz.serve": 4, "viz.imports": 10,
}  # fmt: skip
"""A module may import entries further down, or modules in its own package."""
SCREEN = ("streamlit", "plotly", "altair", "viz")
FILES = [ROOT / "app.py", *sorted((ROOT / "viz").rglob("*.py"))]


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def _group(name: str) -> str | None:
    return next((group for group in ORDER if name == group or name.startswith(f"{group}.")), None)


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_imports_point_downwards(path):
    own = _group(_name(path))
    if own is None:
        assert _name(path) == "viz", f"give {_name(path)} a place in ORDER"
        return
    upwards = [
        name for name in _imports(path)
        if (other := _group(name)) and other != own and ORDER[other] <= ORDER[own]
    ]  # fmt: skip
    assert not upwards


@pytest.mark.parametrize("path", sorted((ROOT / "model").rglob("*.py")), ids=_name)
def test_the_model_knows_nothing_of_screens(path):
    assert not [name for name in _imports(path) if name.split(".")[0] in SCREEN]


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_state_and_caches_live_in_one_place_each(path):
    attributes = {node.attr for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Attribute)}
    if _name(path) != "viz.session":
        assert not attributes & {"session_state", "query_params"}
    if _name(path) != "viz.cache":
        assert not attributes & {"cache_data", "cache_resource"}
    assert not attributes & {"experimental_get_query_params"}


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_no_markup_is_trusted(path):
    keywords = {node.arg for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.keyword)}
    assert not keywords & {"unsafe_allow_html", "unsafe_allow_javascript"}


@pytest.mark.parametrize("path", sorted((ROOT / "viz").rglob("*.js")), ids=lambda path: path.name)
def test_scripts_never_write_markup(path):
    text = path.read_text("utf-8")
    assert not [
        word for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(") if word in text
    ]
