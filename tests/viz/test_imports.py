"""Rules for pages and scripts: state, caches and trusted markup are each used in at most one module."""

import ast
from functools import cache
from pathlib import Path

from tests.pages import PAGES
from tests.trees import imported_modules, tree_of

ROOT = Path(__file__).parents[2]
SCREEN = ("streamlit", "plotly", "altair", "viz")
FILES = [ROOT / "app.py", *sorted((ROOT / "viz").rglob("*.py"))]


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def _nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree_of(path.read_text("utf-8"))))


def test_nothing_imports_a_pages_script():
    scripts = {f"viz.{page}.{page}" for page in PAGES}
    assert not [(_name(path), name) for path in FILES for name in imported_modules(path) & scripts]


def test_the_model_knows_nothing_of_screens():
    pairs = {(_name(path), name) for path in (ROOT / "model").rglob("*.py") for name in imported_modules(path)}
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
