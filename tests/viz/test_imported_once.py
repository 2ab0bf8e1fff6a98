"""Requests during the server's start never see partially imported modules: a page, a phone's engine, an upload."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.nightly
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


def test_the_first_front_page_waits_for_nothing_that_only_other_pages_need() -> None:
    subprocess.run([sys.executable, "-c", FRONT_PAGE], check=True, timeout=200)
