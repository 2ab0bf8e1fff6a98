"""Imports point downwards, and state and caches each have a single module."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

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


@cache
def _nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(path.read_text("utf-8"))))


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in _nodes(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def _group(name: str) -> str | None:
    return next((group for group in ORDER if name == group or name.startswith(f"{group}.")), None)


def test_imports_point_downwards():
    places = {path: _group(_name(path)) for path in FILES}
    assert [_name(path) for path, own in places.items() if own is None] == ["viz"], "give them a place in ORDER"
    upwards = [
        f"{_name(path)} -> {name}" for path, own in places.items() if own is not None for name in _imports(path)
        if (other := _group(name)) and other != own and ORDER[other] <= ORDER[own]
    ]  # fmt: skip
    assert not upwards


def test_the_model_knows_nothing_of_screens():
    imported = {(_name(path), name) for path in (ROOT / "model").rglob("*.py") for name in _imports(path)}
    assert not [pair for pair in imported if pair[1].split(".")[0] in SCREEN]


def test_state_and_caches_live_in_one_place_each():
    for path in FILES:
        attributes = {node.attr for node in _nodes(path) if isinstance(node, ast.Attribute)}
        if _name(path) != "viz.session":
            assert not attributes & {"session_state", "query_params"}, path
        if _name(path) != "viz.cache":
            assert not attributes & {"cache_data", "cache_resource"}, path
        assert not attributes & {"experimental_get_query_params"}, path


def test_no_markup_is_trusted():
    for path in FILES:
        keywords = {node.arg for node in _nodes(path) if isinstance(node, ast.keyword)}
        assert not keywords & {"unsafe_allow_html", "unsafe_allow_javascript"}, path


def test_scripts_never_write_markup():
    words = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(")
    texts = {path: path.read_text("utf-8") for path in (ROOT / "viz").rglob("*.js")}
    assert not [(path.name, word) for path, text in texts.items() for word in words if word in text]
