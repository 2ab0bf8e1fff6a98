"""Rules for imports: state, caches and trusted markup in one module each, and no module is used half imported."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

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


TOGETHER = """
import threading, time
from viz import imports

errors = []
def other(later):
    time.sleep(later)
    try:
        imports.import_all()
        from viz.state import clicks, session
        from viz.export.engine import EngineError
        from viz.frame import first_steps, fitting_pages, frame
        import model
        assert model.load and frame.top_bar and session.begin
    except Exception as error:
        errors.append(f"after {later} s: {error!r}")

threads = [threading.Thread(target=other, args=(later,)) for later in (0.0, 0.4, 1.2)]
for thread in threads:
    thread.start()
imports.import_first()
imports.import_all()
for thread in threads:
    thread.join()
assert imports.is_first_ready() and not errors, errors
"""


@pytest.mark.nightly
def test_threads_that_need_the_modules_at_once_or_a_moment_later_get_whole_ones() -> None:
    subprocess.run([sys.executable, "-c", TOGETHER], check=True, timeout=120)


FRONT_PAGE = """
import sys
from streamlit.testing.v1 import AppTest
from viz import imports

imports.import_first()
before = set(sys.modules)
page = AppTest.from_file("viz/main.py", default_timeout=100).run()
assert not page.exception and page.get("bidi_component"), page
ours = [name for name in sys.modules if name not in before and name.partition(".")[0] in ("viz", "model", "altair")]
assert not ours, ours
imports.import_all()
assert "altair" in sys.modules and "viz.fine_tune.form" in sys.modules
"""


@pytest.mark.nightly
def test_the_first_front_page_waits_for_nothing_that_only_other_pages_need() -> None:
    subprocess.run([sys.executable, "-c", FRONT_PAGE], check=True, timeout=200)
