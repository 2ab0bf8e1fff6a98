"""What one visitor has measured serves the next: the same choices again, in the same session and in another."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.checkpoint import save_tiny
from viz import cache

ROOT = Path(__file__).parents[2]


@pytest.fixture
def visit(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(save_tiny(tmp_path / "tiny")))
    cache.RESULTS.clear()

    def opened(**params):
        app = AppTest.from_file(str(ROOT / "viz/main.py"), default_timeout=120)
        app.query_params.update({"text": "the cat is sleeping"} | params)
        return app.run()

    return opened


def test_what_each_head_is_worth_is_shown_to_everyone(visit):
    first = visit(effects="1")
    again = first.run()
    second = visit(effects="1")
    other_sentence = visit(effects="1", text="the dog is on the sofa")
    for app in (first, again, second, other_sentence):
        assert not app.exception
        assert app.toggle(key="choice..effects").value is True


def test_a_corpus_measured_by_one_visitor_serves_the_next(visit):
    for app in (visit(), visit()):
        for _ in range(2):
            app.button(key="corpus_start").click().run()
            assert not app.exception
            assert any("50" in caption.value or "sentences" in caption.value for caption in app.caption)
