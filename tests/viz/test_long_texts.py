"""Texts from one character to more than a link can hold: on every page, from a link, and through Back."""

import pytest

from tests.pages import PAGES
from tests.viz.page import opened, param, stage
from viz.i18n import tr

LENGTHS = [*((page, length) for page in PAGES for length in (1, 2_000, 10_000)), (PAGES[0], 2_001)]
"""Pages and characters: the shortest, the longest in a link, the longest of all; and the first that no link holds."""


def text_of(length: int) -> str:
    """So many characters without a space at the end."""
    return ("the dog is sleeping . " * (length // 22 + 1))[: length - 1] + "x"


@pytest.mark.nightly
@pytest.mark.parametrize(("page", "length"), LENGTHS)
def test_a_text_of_any_length_from_a_link_is_read_on_every_page_and_stays(tiny_server, page, length):
    app = opened(page, text=text_of(length), model="en-fr")
    app.run()
    assert stage(app)["text"] == text_of(length)
    assert stage(app)["notice"].count(tr("sentence.no_link")) == (length > 2_000)
    assert ("text" in app.query_params) == (length <= 2_000)


def test_a_link_whose_text_was_too_long_says_so_in_another_session(tiny_server):
    app = opened(text=text_of(2_001), model="en-fr")
    other = opened(**{name: param(app, name) for name in app.query_params})
    assert tr("sentence.lost") in stage(other)["notice"]
