"""Texts from one character to more than a link can hold: on every page, from a link, and through Back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.checkpoint import save_tiny
from tests.pages import PAGES, go_to
from tests.walk.browser import data_of
from viz import cache
from viz.i18n import tr

MAIN = str(Path(__file__).parents[2] / "viz/main.py")
LENGTHS = [*((page, length) for page in PAGES for length in (1, 2_000, 10_000)), (PAGES[0], 2_001)]
"""Pages and characters: the shortest, the longest in a link, the longest of all; and the first that no link holds."""


def text_of(length: int) -> str:
    """So many characters without a space at the end."""
    return ("the dog is sleeping . " * (length // 22 + 1))[: length - 1] + "x"


def stage_of(app: AppTest) -> dict[str, Any]:
    """What the sentence's component was sent."""
    nodes = (node for node in app._tree if node.type == "bidi_component" and node.key == "sentence")
    return data_of(next(nodes).proto)


@pytest.fixture
def app(tmp_path, monkeypatch):
    """An application with a shipped model: it opens with a sentence of its own where the reader has chosen none."""
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(save_tiny(tmp_path / "tiny")))
    return AppTest.from_file(MAIN, default_timeout=120)


@pytest.mark.nightly
@pytest.mark.parametrize(("page", "length"), LENGTHS)
def test_a_text_of_any_length_from_a_link_is_read_on_every_page_and_stays(app, page, length):
    app.query_params.update({"text": text_of(length), "model": "en-fr"})
    go_to(app, page)
    assert not app.exception
    app.run()
    assert not app.exception
    assert stage_of(app)["text"] == text_of(length)
    assert stage_of(app)["notice"].count(tr("sentence.no_link")) == (length > 2_000)
    assert ("text" in app.query_params) == (length <= 2_000)


def test_a_link_whose_text_was_too_long_says_so_in_another_session(app):
    app.query_params.update({"text": text_of(2_001), "model": "en-fr"})
    app.run()
    other = AppTest.from_file(MAIN, default_timeout=120)
    other.query_params.update({name: value[0] for name, value in app.query_params.items()})
    other.run()
    assert tr("sentence.lost") in stage_of(other)["notice"]
