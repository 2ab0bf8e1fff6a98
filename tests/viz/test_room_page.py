"""The teacher's page: open, ask, reveal, accept a sentence, close, and return by the link."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.checkpoint import save_tiny
from tests.pages import go_to
from viz import cache
from viz.environment import ROOM_SIZE_VARIABLE, ROOMS_VARIABLE
from viz.i18n import LANGUAGES, catalogue, speaking, tr
from viz.rooms.hub import Hub, hub
from viz.rooms.room import Room, RoomError
from viz.rooms.store import MemoryStore, StoreError

ROOT = Path(__file__).parents[2]
TEXT = "the cat is sleeping on the sofa ."


@pytest.fixture
def teacher(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.CHECKPOINT_VARIABLE, str(save_tiny(tmp_path / "tiny")))

    def opened(**params):
        app = AppTest.from_file(str(ROOT / "viz/main.py"), default_timeout=120)
        app.query_params.update({"text": TEXT} | params)
        return go_to(app, "room")

    return opened


def votes_by_hand(app) -> bool:
    return any(radio.key == "lesson.guess.box" for radio in app.radio)


def begin(app) -> Room:
    app.button(key="room_open").click().run()
    assert not app.exception
    found = Room.find(hub().store, app.query_params["room.code"])
    assert found is not None
    return found


@pytest.mark.parametrize("offer", ["source", "next", "head", "lesson.mask", "quiz.before"])
@pytest.mark.parametrize("language", ["en", "zh", "fr"])
def test_a_question_is_asked_answered_and_revealed_in_each_language(teacher, offer, language):
    app = teacher(language=language)
    room = begin(app)
    app.selectbox(key="room_offer").set_value(offer).run()
    app.button(key="room_ask").click().run()
    assert not app.exception
    question = room.question()
    assert question is not None and question.words[language]
    room.vote(room.join(), question.id, "0.1" if question.kind in ("head", "quiz") else "1")
    app.button(key="room_reveal").click().run()
    assert not app.exception
    public = (room.snapshot() or {})["question"]
    assert sum(public["tally"].values()) == 1
    if offer != "quiz.before":
        assert public["right"]
    app.button(key="room_drop").click().run()
    assert not app.exception and room.question() is None


def test_what_the_teacher_looks_at_reaches_the_phones(teacher):
    app = teacher(layer="1", head="1", kind="cross")
    room = begin(app)
    app.run()
    shown = room.shown()
    assert shown["state"]["heads"][0] == [1, 1]
    assert room.store.blob(room.code, shown["packet"]) is not None
    app.query_params["text"] = TEXT
    assert "room.key" in app.query_params


def test_a_sentence_of_the_class_becomes_the_sentence_on_all_screens(teacher):
    app = teacher()
    room = begin(app)
    room.send(room.join(), "the dog is on the sofa .")
    app.run()
    (button,) = [button for button in app.button if (button.key or "").startswith("room_take_")]
    before = room.shown()["packet"]
    button.click().run()
    app.run()
    assert not app.exception
    assert app.query_params["text"] == "the dog is on the sofa ."
    assert room.shown()["packet"] != before and room.sentences() == []


def test_a_teacher_comes_back_by_the_link_and_a_stranger_does_not(teacher):
    room = begin(first := teacher())
    key = first.query_params["room.key"]
    again = teacher(**{"room.code": room.code, "room.key": key})
    assert again.selectbox(key="room_offer") is not None
    stranger = teacher(**{"room.code": room.code, "room.key": "guess"})
    assert "room_offer" not in {box.key for box in stranger.selectbox}


def test_a_room_that_is_gone_says_what_to_do(teacher):
    room = begin(app := teacher())
    room.close()
    app.run()
    assert not app.exception
    said = catalogue("en")["room.gone"].format(code=room.code)
    assert any(text.value == said for text in app.text)
    assert app.button(key="room_open") is not None


def test_a_room_that_is_gone_is_told_once_on_whatever_page_the_teacher_is(teacher):
    room = begin(app := teacher())
    app.switch_page("pages/lesson.py").run()
    assert not app.toast
    room.close()
    app.run()
    said = catalogue("en")["room.gone"].format(code=room.code)
    assert [toast.value for toast in app.toast] == [said]
    app.run()
    assert not app.exception and not app.toast


def test_a_scene_asks_the_class_on_its_phones_and_goes_on_with_what_most_chose(teacher):
    room = begin(app := teacher())
    devices = [room.join() for _ in range(3)]
    app.switch_page("pages/lesson.py").run()
    assert not app.exception
    question = room.question()
    assert question is not None and question.id == "lesson.box#1"
    assert not votes_by_hand(app) and app.button(key="lesson.reveal").disabled
    for device, vote in zip(devices, "101", strict=True):
        room.vote(device, question.id, vote)
    app.run()
    assert app.metric[0].value == "3 of 3 have answered"
    app.button(key="lesson.reveal").click().run()
    app.run()
    assert not app.exception
    assert app.query_params["lesson.votes"] == "2"
    assert (room.snapshot() or {})["question"]["tally"] == {"1": 2, "0": 1}
    app.button(key="lesson.change").click().run()
    assert not app.exception and room.question() is None
    title = (room.snapshot() or {})["shown"]["title"]
    assert "1/12" in title["en"] and set(title) == {"en", "zh", "fr"}


def test_a_scene_without_phones_or_by_show_of_hands_is_voted_on_by_the_teacher(teacher):
    room = begin(app := teacher())
    app.switch_page("pages/lesson.py").run()
    assert votes_by_hand(app) and room.question() is None
    room.join()
    app.run()
    assert not votes_by_hand(app) and room.question() is not None
    app.button(key="lesson.by_hands").click().run()
    app.run()
    assert not app.exception and votes_by_hand(app) and room.question() is None


def test_a_second_tab_that_reveals_is_followed_by_the_first(teacher):
    room = begin(first := teacher())
    device = room.join()
    first.switch_page("pages/lesson.py").run()
    key = first.query_params["room.key"]
    second = teacher(**{"room.code": room.code, "room.key": key})
    question = room.question()
    assert question is not None
    room.vote(device, question.id, "2")
    second.button(key="room_reveal").click().run()
    assert not second.exception
    first.run()
    assert not first.exception and first.query_params["lesson.votes"] == "3"


def test_the_step_of_decoding_reaches_the_phones(teacher):
    room = begin(app := teacher(**{"decode.step": "1"}))
    app.switch_page("pages/decode.py").run()
    assert not app.exception
    shown = room.shown()
    assert shown["state"]["kind"] == "cross" and shown["state"]["pins"] == ["q1"]
    assert shown["note"]["en"].startswith("Step 2") and shown["title"]["fr"] == "Décoder"


def test_rooms_that_are_away_leave_the_teachers_pages_as_they_are(teacher, monkeypatch):
    begin(app := teacher())

    def away(*given: object) -> None:
        raise StoreError("Redis does not answer: ConnectionError")

    monkeypatch.setattr(hub().store, "get", away)
    app.run()
    assert not app.exception
    assert any(warning.value == catalogue("en")["room.reload"] for warning in app.warning)
    app.switch_page("pages/lesson.py").run()
    assert not app.exception and votes_by_hand(app)


def test_the_teacher_pauses_hides_and_closes(teacher):
    room = begin(app := teacher())
    app.selectbox(key="room_offer").set_value("lesson.mask").run()
    app.button(key="room_ask").click().run()
    room.vote(room.join(), "lesson.mask#1", "0")
    app.button(key="room_reveal").click().run()
    app.toggle(key="room_hide").set_value(True).run()
    assert "tally" not in (room.snapshot() or {})["question"]
    assert any(caption.value == catalogue("en")["room.hidden"] for caption in app.caption)
    app.toggle(key="room_hide").set_value(False).run()
    assert (room.snapshot() or {})["question"]["tally"] == {"0": 1}
    app.toggle(key="room_pause").set_value(True).run()
    assert (room.snapshot() or {})["paused"]
    app.toggle(key="room_pause").set_value(False).run()
    assert not (room.snapshot() or {})["paused"]
    app.button(key="room_close_sure").click().run()
    assert not app.exception and room.snapshot() is None
    assert "room.code" not in app.query_params and app.button(key="room_open") is not None


def test_a_projected_page_keeps_the_classs_sentences_to_itself_until_they_are_asked_for(teacher):
    room = begin(app := teacher(presenter="1"))
    room.send(room.join(), "the dog is on the sofa .")
    app.run()
    assert not any("dog" in text.value for text in app.text)
    app.toggle(key="room_sentences").set_value(True).run()
    assert any("dog" in text.value for text in app.text)


def test_the_tables_can_be_had_once_something_was_asked(teacher):
    room = begin(app := teacher())
    assert [app.get("download_button")[i].disabled for i in range(2)] == [True, True]
    for offer in ("quiz.before", "quiz.after"):
        app.selectbox(key="room_offer").set_value(offer).run()
        app.button(key="room_ask").click().run()
        app.button(key="room_drop").click().run()
    assert [app.get("download_button")[i].disabled for i in range(2)] == [False, False]
    assert len(room.asked()) == 2


def test_a_room_takes_as_many_phones_as_the_server_was_started_for(teacher, monkeypatch):
    monkeypatch.setenv(ROOM_SIZE_VARIABLE, "2")
    room = begin(teacher())
    for _ in range(2):
        room.join()
    with pytest.raises(RoomError, match="full"):
        room.join()


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_a_server_that_keeps_no_more_rooms_says_so_and_what_to_do(teacher, monkeypatch, language):
    monkeypatch.setenv(ROOMS_VARIABLE, "1")
    empty = Hub(MemoryStore())
    monkeypatch.setattr("viz.panels.room.held.hub", lambda: empty)
    first = teacher(language=language)
    first.button(key="room_open").click().run()
    assert first.query_params["room.code"]
    refused = teacher(language=language)
    refused.button(key="room_open").click().run()
    assert not refused.exception and "room.code" not in refused.query_params
    (said,) = refused.warning
    with speaking(language):
        assert said.value == tr("room.too_many", n=1)
    first.button(key="room_close_sure").click().run()
    refused.button(key="room_open").click().run()
    assert refused.query_params["room.code"]


def test_rooms_that_cannot_be_reached_are_said_where_one_is_opened(teacher, monkeypatch):
    def away(*_: object, **__: object) -> None:
        raise StoreError("away")

    monkeypatch.setattr(Room, "open", away)
    app = teacher()
    app.button(key="room_open").click().run()
    assert not app.exception and [said.value for said in app.warning] == [catalogue("en")["room.not_opened"]]


def _shared():
    import streamlit as st

    from viz import session
    from viz.panels.room import held

    session.write_part(held.Choices("ABCDEF", "secret"), held.AREA)
    st.text(session.link())


def test_the_shared_link_never_holds_the_key():
    app = AppTest.from_function(_shared).run()
    assert not app.exception
    assert "secret" not in app.text[0].value and "room." not in app.text[0].value
