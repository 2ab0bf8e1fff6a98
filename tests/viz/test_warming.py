"""Whoever comes while the server starts meets whole modules: a page, a phone's engine and an upload."""

import subprocess
import sys

import pytest

TOGETHER = """
import sys, threading, time
from viz.server import warming

errors = []
def other():
    time.sleep(float(sys.argv[1]))
    try:
        warming.import_all()
        from viz import clicks, session
        from viz.export.engine import EngineError
        from viz.panels import absent_model, first_steps, frame
        import model
        assert model.load and frame.top_bar and session.begin
    except Exception as error:
        errors.append(repr(error))

thread = threading.Thread(target=other)
thread.start()
warming.import_all()
thread.join()
assert warming.is_imported() and not errors, errors
"""


@pytest.mark.parametrize("later", [0.0, 0.4, 1.2])
def test_two_threads_that_need_the_modules_at_once_get_whole_ones(later: float) -> None:
    subprocess.run([sys.executable, "-c", TOGETHER, str(later)], check=True, timeout=120)
