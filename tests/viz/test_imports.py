"""Imports point downwards, and state and caches each have a single module."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from tests.pages import PAGES
from tests.trees import imported, tree_of

ROOT = Path(__file__).parents[2]
LAYERS = (
    ("app",), ("viz.server",), ("viz.main",),
    ("viz.__main__", "viz.frame", "viz.explore"), ("viz.room", "viz.causal"),
    ("viz.lesson", "viz.corpus", "viz.laboratory", "viz.positions"),
    ("viz.overview", "viz.decode", "viz.inside", "viz.fine_tune", "viz.checkpoints"),
    ("viz.panels", "viz.notebook"), ("viz.export",), ("viz.cache", "viz.figures", "viz.change_words", "viz.serve"),
    ("viz.components",), ("viz.budget", "viz.state.clicks", "viz.state.page_run"),
    ("viz.state.session", "viz.state.link_schema"), ("viz.state.selection", "viz.rooms"),
    ("viz.state.view_state", "viz.uploads", "viz.plain_text", "viz.spreadsheets", "viz.processors", "viz.passes"),
    ("viz.state", "viz.theme", "viz.environment", "viz.results", "viz.digests", "viz.shipped_models", "viz.imports",
     "viz.pages", "viz.glossary"),
    ("viz.i18n",),
)  # fmt: skip
"""A module may import layers further down, or modules of its own package. A page that uses parts of another stands
above it."""
ORDER = {name: rank for rank, names in enumerate(LAYERS) for name in names}
SCREEN = ("streamlit", "plotly", "altair", "viz")
FILES = [ROOT / "app.py", *sorted((ROOT / "viz").rglob("*.py"))]


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def _nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree_of(path.read_text("utf-8"))))


def _group(name: str) -> str | None:
    return next((group for group in ORDER if name == group or name.startswith(f"{group}.")), None)


def test_imports_point_downwards():
    places = {path: _group(_name(path)) for path in FILES}
    assert [_name(path) for path, own in places.items() if own is None] == ["viz"], "give them a place in ORDER"
    upwards = [
        f"{_name(path)} -> {name}" for path, own in places.items() if own is not None for name in imported(path)
        if (other := _group(name)) and other != own and ORDER[other] <= ORDER[own]
    ]  # fmt: skip
    assert not upwards


def test_nothing_imports_a_pages_script():
    scripts = {f"viz.{page}.{page}" for page in PAGES}
    assert not [(_name(path), name) for path in FILES for name in imported(path) & scripts]


def test_the_model_knows_nothing_of_screens():
    pairs = {(_name(path), name) for path in (ROOT / "model").rglob("*.py") for name in imported(path)}
    assert not [pair for pair in pairs if pair[1].split(".")[0] in SCREEN]


def test_state_and_caches_live_in_one_place_each():
    for path in FILES:
        attributes = {node.attr for node in _nodes(path) if isinstance(node, ast.Attribute)}
        if _name(path) != "viz.state.session":
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
