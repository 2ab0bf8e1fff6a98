"""What a run of a page looks up is passed on within it: to the phones, and until a choice changes."""

import pytest
from streamlit.testing.v1 import AppTest

from viz.panels import reading
from viz.room import publish
from viz.rooms.room import Room
from viz.rooms.store import MemoryStore


@pytest.fixture
def room(monkeypatch):
    opened, _ = Room.open(MemoryStore(), most_devices=5)
    monkeypatch.setattr(publish.teacher_room, "wished_code", lambda: opened.code)
    monkeypatch.setattr(publish.teacher_room, "current_room", lambda: opened)
    return opened


def test_phones_see_the_head_that_opens_first(open_page, room):
    app = open_page()
    (head,) = room.shown()["state"]["heads"]
    assert list(map(str, head)) == [app.query_params[name] for name in ("layer", "head")]


def test_the_sentence_is_read_once_for_the_phones_and_the_page(open_page, room, monkeypatch):
    read, asked = reading.opening, []
    monkeypatch.setattr(reading, "opening", lambda *args, **options: asked.append(args) or read(*args, **options))
    open_page("decode")
    assert len(asked) == 1
    assert room.shown()["page"] == "decode"


def _asked_four_times():
    import streamlit as st

    from viz.state import session
    from viz.state.page_run import is_page_run, once_a_run, page_run

    asked = []

    @once_a_run
    def layer():
        asked.append(session.read().layer)
        if not asked[-1]:
            raise ValueError
        return asked[-1]

    session.begin()
    session.change(layer=0)
    with page_run():
        for _ in range(2):
            try:
                layer()
            except ValueError:
                st.text("failed")
        session.change(layer=3)
        st.text(str((layer(), layer())))
        session.change(layer=4)
        st.text(str((layer(), layer())))
        session.keep_private_models({})
        st.text(str((layer(), is_page_run())))
    st.text(str((layer(), layer(), is_page_run())))
    st.text(str(asked))


def test_an_answer_lasts_until_a_choice_or_the_models_change_and_no_longer_than_the_run():
    app = AppTest.from_function(_asked_four_times).run()
    assert [text.value for text in app.text] == [
        "failed", "failed", "(3, 3)", "(4, 4)", "(4, True)", "(4, 4, False)", "[0, 0, 3, 4, 4, 4, 4]",
    ]  # fmt: skip
