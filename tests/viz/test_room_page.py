"""The teacher's page of a room: opening, questions, results, sentences of the class, closing, and return by link."""

import gzip
import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model import Interventions
from tests.checkpoint import tiny_bundle
from tests.viz.page import press
from viz.environment import ROOM_SIZE_VARIABLE, ROOMS_VARIABLE
from viz.i18n import LANGUAGES, catalogue, speaking, tr
from viz.lesson import carried
from viz.lesson.choices import NAMES
from viz.panels.long_texts import long_trace
from viz.panels.reading import ModelInput, Reading
from viz.plain_text import escape_markdown
from viz.room import publish, teacher_questions
from viz.rooms.door import RoomError
from viz.rooms.hub import Hub, hub
from viz.rooms.report import votes_csv
from viz.rooms.room import Room
from viz.rooms.store import MemoryStore, StoreError
from viz.state import session
from viz.state.selection import Selection


@pytest.fixture
def teacher(open_page):
    return lambda **params: open_page("room", **params)


def votes_by_hand(app) -> bool:
    return any(radio.key == "lesson.guess.box" for radio in app.radio)


def begin(app) -> Room:
    app.button(key="room_open").click().run()
    room = Room.find(hub().store, app.query_params["room.code"])
    assert room is not None
    return room


def in_lesson(teacher, *, phones: int = 1) -> tuple[AppTest, Room, list[str]]:
    """The lesson's first scene with an open room and some phones."""
    room = begin(app := teacher())
    devices = [room.join() for _ in range(phones)]
    app.switch_page("lesson/lesson.py").run()
    return app, room, devices


@pytest.mark.nightly(but=("en-next", "en-head", "en-source", "en-lesson.mask"))
@pytest.mark.parametrize("offer", ["source", "next", "head", "lesson.mask", "quiz.before"])
@pytest.mark.parametrize("language", ["en", "zh", "fr"])
def test_a_question_is_asked_answered_and_revealed_in_each_language(teacher, offer, language):
    app = teacher(language=language)
    room = begin(app)
    app.selectbox(key="room_offer").set_value(offer).run()
    app.button(key="room_ask").click().run()
    question = room.question()
    assert question is not None and question.words[language]
    room.vote(room.join(), question.id, "0.1" if question.kind in ("head", "quiz") else "1")
    if offer != "quiz.before":
        app.button(key="room_reveal").click().run()
        public = (room.snapshot() or {})["question"]
        assert sum(public["tally"].values()) == 1 and "right" not in public
        app.button(key="room_explain").click().run()
        assert (room.snapshot() or {})["question"]["right"]
    app.button(key="room_drop").click().run()
    assert room.question() is None


@pytest.mark.nightly
def test_the_head_and_the_word_of_a_question_are_seen_and_chosen_before_it_is_asked(teacher):
    app = teacher(kind="encoder_self")
    room = begin(app)
    app.selectbox(key="room_offer").set_value("source").run()
    app.selectbox(key="choice..layer").set_value(1).run()
    app.selectbox(key="choice..head").set_value(1).run()
    app.selectbox(key="room_word").set_value(2).run()
    token = app.selectbox(key="room_word").options[2]
    words = tr("room.ask_source_for", head=f"{tr('frame.kind_cross')} 1·1", token=token)
    assert any(text.value == f"**{escape_markdown(words)}**" for text in app.markdown)
    assert room.current_view()["state"]["heads"] == [[0, 0]], "the phones do not see the answer"
    app.button(key="room_ask").click().run()
    question = room.question()
    assert question is not None and question.words["en"] == words


@pytest.mark.parametrize("asterisk", ["*", "＊"])
def test_a_teachers_question_is_stored_asked_and_shared_as_a_file(teacher, asterisk):
    app = teacher()
    room = begin(app)
    app.text_input(key="room_own_words").set_value("Who wrote <b>this</b>?")
    app.text_area(key="room_own_options").set_value(f"A person\n{asterisk}A model\n\nNobody").run()
    app.button(key="room_own_add").click().run()
    (stored,) = teacher_questions.stored_questions(room).values()
    assert app.text_input(key="room_own_words").value == "" == app.text_area(key="room_own_options").value
    assert stored == teacher_questions.TeacherQuestion("Who wrote <b>this</b>?", ("A person", "A model", "Nobody"), 1)
    assert teacher_questions.read(teacher_questions.write_questions([stored])) == (stored,)
    app.selectbox(key="room_offer").set_value(f"own.{stored.key}").run()
    app.button(key="room_ask").click().run()
    question = room.question()
    assert question is not None and question.right == "1" and question.options["zh"] == stored.options
    assert question.words["fr"] == stored.question


@pytest.mark.parametrize(("host", "n_codes"), [("http://localhost:8501", 0), ("https://school.example", 1)])
def test_a_code_to_scan_is_shown_where_phones_reach_the_address(teacher, monkeypatch, host, n_codes):
    monkeypatch.setattr(session, "served_at", lambda: host)
    app = teacher()
    room = begin(app)
    assert f"{host}/class/{room.code}" in [code.value for code in app.code]
    assert len(app.get("image")) == n_codes
    assert (tr("room.local") in [caption.value for caption in app.caption]) == (not n_codes)


def test_the_maps_on_the_buttons_are_seen_by_the_teacher_before_asking(teacher):
    app = teacher()
    begin(app)
    app.selectbox(key="room_offer").set_value("head").run()
    (maps_html,) = [html.proto.body for html in app.get("html") if '<div class="regard-maps"' in html.proto.body]
    n_heads = tiny_bundle().config.n_decoder_layers * tiny_bundle().config.n_decoder_heads
    assert maps_html.count("<img") == n_heads and "chosen" not in maps_html
    app.selectbox(key="room_offer").set_value("source").run()
    (maps_html,) = [html.proto.body for html in app.get("html") if '<div class="regard-maps"' in html.proto.body]
    assert maps_html.count('class="chosen"') == 1


@pytest.mark.nightly
def test_the_first_quiz_is_not_offered_first_once_it_was_answered(teacher):
    app = teacher()
    room = begin(app)
    assert app.selectbox(key="room_offer").value == "quiz.before"
    app.button(key="room_ask").click().run()
    room.vote(room.join(), "quiz.before", "0.1")
    app.button(key="room_drop").click().run()
    assert app.selectbox(key="room_offer").value != "quiz.before"


@pytest.mark.parametrize("lines", ["", "one", "1\n2\n3\n4\n5\n6"])
def test_a_question_without_two_to_five_options_is_refused_with_the_reason(teacher, lines):
    app = teacher()
    room = begin(app)
    app.text_input(key="room_own_words").set_value("Which?")
    app.text_area(key="room_own_options").set_value(lines).run()
    app.button(key="room_own_add").click().run()
    assert catalogue("en")["room.own_wrong"] in [warning.value for warning in app.warning]
    assert not teacher_questions.stored_questions(room)
    app.run()
    assert catalogue("en")["room.own_wrong"] in [warning.value for warning in app.warning]
    assert not teacher_questions.stored_questions(room)


@pytest.mark.nightly("[]", '{"questions": [{"question": "", "options": []}]}')
@pytest.mark.parametrize("content", [b"", b"[]", b'{"questions": [{"question": "", "options": []}]}', b" " * 200_001])
def test_the_error_of_a_file_without_questions_stays_until_another_is_chosen(teacher, content):
    app = teacher()
    room = begin(app)
    unread = catalogue("en")["room.own_unread"]
    app.file_uploader(key="room_own_file").set_value(("mine.json", content, "application/json")).run()
    assert unread in [warning.value for warning in app.run().warning] and not teacher_questions.stored_questions(room)
    question = teacher_questions.TeacherQuestion("Which?", ("a", "b"))
    good = teacher_questions.write_questions([question]).encode()
    app.file_uploader(key="room_own_file").set_value(("mine.json", good, "application/json")).run()
    assert list(teacher_questions.stored_questions(room).values()) == [question]
    assert unread not in [warning.value for warning in app.warning]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"questions": 5}',
                                  '{"questions": [{"question": "a", "options": "bc"}]}',
                                  '{"questions": [{"question": "a", "options": ["b", "c"], "right": 9}]}'])  # fmt: skip
def test_a_file_of_something_else_is_refused(text):
    with pytest.raises(teacher_questions.TeacherQuestionError):
        teacher_questions.read(text)


def test_the_teachers_view_reaches_the_phones(teacher):
    app = teacher(layer="1", head="1", kind="cross")
    room = begin(app)
    app.run()
    shown_state = room.current_view()
    assert shown_state["state"]["heads"][0] == [1, 1]
    assert room.store.blob(room.code, shown_state["packet"]) is not None
    assert "room.key" not in app.query_params


def test_a_sentence_of_the_class_becomes_the_sentence_on_all_screens(teacher):
    app = teacher()
    room = begin(app)
    room.send(room.join(), "the dog is on the sofa .")
    app.run()
    (button,) = [button for button in app.button if (button.key or "").startswith("room_take_")]
    before = room.current_view()["packet"]
    button.click().run()
    app.run()
    assert app.query_params["text"] == "the dog is on the sofa ."
    assert room.current_view()["packet"] != before and room.sentences() == []


def test_a_teacher_comes_back_in_the_same_browser_and_the_address_opens_nothing_in_another(teacher, monkeypatch):
    monkeypatch.setattr(session, "visitor", lambda: "the teacher's browser")
    room = begin(teacher())
    returned = teacher(**{"room.code": room.code})
    assert returned.selectbox(key="room_offer") is not None
    monkeypatch.setattr(session, "visitor", lambda: "another browser")
    for params in ({"room.code": room.code}, {"room.code": room.code, "room.key": "guess"}):
        stranger = teacher(**params)
        assert stranger.button(key="room_open")
        assert not {"room.code", "room.key"} & set(stranger.query_params)
        assert not any(text.value == tr("room.gone", code=room.code) for text in stranger.text)


def test_an_address_of_an_earlier_version_opens_its_room_and_loses_its_key(teacher):
    room, key = Room.open(hub().store, most_devices=5)
    app = teacher(**{"room.code": room.code, "room.key": key})
    assert app.selectbox(key="room_offer") is not None
    assert app.query_params["room.code"] and "room.key" not in app.query_params
    app.run()
    assert app.selectbox(key="room_offer") is not None


def test_a_room_is_moved_to_another_device_once_with_a_transfer_code(teacher):
    room = begin(first := teacher())
    first.button(key="room_transfer").click().run()
    (code,) = [code_block.value for code_block in first.code if code_block.value.startswith(room.code + "-")]
    second = teacher()
    second.text_input(key="room_transfer_code").set_value(code.lower().replace("-", " ")).run()
    second.button(key="room_take_over").click().run()
    assert second.selectbox(key="room_offer") is not None
    third = teacher()
    third.text_input(key="room_transfer_code").set_value(code).run()
    third.button(key="room_take_over").click().run()
    assert [warning.value for warning in third.warning] == [catalogue("en")["room.transfer_wrong"]]
    first.run()
    assert first.selectbox(key="room_offer") is not None


def test_a_closed_room_is_reported_with_a_remedy(teacher):
    room = begin(app := teacher())
    room.close()
    app.run()
    message = tr("room.gone", code=room.code)
    assert any(text.value == message for text in app.text)
    assert app.button(key="room_open") is not None


def test_a_closed_room_is_reported_once_on_any_page_of_the_teacher(teacher):
    room = begin(app := teacher())
    app.switch_page("lesson/lesson.py").run()
    assert not app.toast
    room.close()
    app.run()
    message = tr("room.gone", code=room.code)
    assert [toast.value for toast in app.toast] == [message]
    app.run()
    assert not app.toast


def test_a_scene_asks_the_class_on_its_phones_and_continues_with_the_majoritys_choice(teacher):
    app, room, devices = in_lesson(teacher, phones=3)
    question = room.question()
    assert question is not None and question.id == "lesson.box#1"
    assert not votes_by_hand(app) and app.button(key="lesson.reveal").label == tr("room.skip_vote")
    for device, vote in zip(devices, "101", strict=True):
        room.vote(device, question.id, vote)
    app.run()
    assert app.metric[0].value == "3 of 3 have answered"
    assert app.button(key="lesson.reveal").label == tr("room.close_vote")
    press(app, "lesson.reveal", "")
    assert app.query_params["lesson.votes"] == "box2"
    assert (room.snapshot() or {})["question"]["tally"] == {"1": 2, "0": 1}
    app.button(key="lesson.change").click().run()
    shown_state = (room.snapshot() or {})["shown"]
    assert f"1/{len(NAMES)}" in shown_state["title"]["en"] and set(shown_state["title"]) == {"en", "zh", "fr"}
    picture = json.loads(gzip.decompress(room.store.blob(room.code, shown_state["experiment"]) or b""))
    assert picture["kind"] == "texts" and set(picture["said"]) == {"en", "zh", "fr"}
    assert "right" not in (room.snapshot() or {})["question"]
    app.button(key="lesson.explain").click().run()
    public = (room.snapshot() or {})["question"]
    assert public["right"] == "0" and public["why"]["fr"] and public["said"]["zh"]
    assert public["said"]["en"] == public["replies"]["en"][0] and len(set(public["replies"]["fr"])) == 3
    app.button(key="lesson.next").click().run()
    assert "experiment" not in (room.snapshot() or {})["shown"]


def run_with_text(app: AppTest, text: str) -> None:
    """Run with another sentence, as if the teacher had typed it."""
    arrive = carried.arrive
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(carried, "arrive", lambda page: (session.new_sentence(text), arrive(page)))
        app.run()


def _question(room: Room) -> dict[str, Any]:
    question = (room.snapshot() or {})["question"]
    assert question is not None
    return question


def test_another_sentence_reaches_the_question_open_closed_and_explained(teacher):
    app, room, (device,) = in_lesson(teacher)
    first, second, third = "the cat is sleeping", "the dog sees a cat", "a cat is on the sofa"

    run_with_text(app, first)
    assert _question(room)["sentence"] == first
    room.vote(device, _question(room)["id"], "0")
    run_with_text(app, second)
    assert _question(room)["sentence"] == second and room.n_votes("lesson.box#1") == 1
    press(app, "lesson.reveal", "")
    run_with_text(app, third)
    assert _question(room)["sentence"] == third and _question(room)["tally"] == {"0": 1}
    app.button(key="lesson.explain").click().run()
    explained = _question(room)["why"]["en"]
    assert _question(room)["explained"]
    run_with_text(app, first)
    assert _question(room)["sentence"] == first
    assert _question(room)["why"]["en"] != explained and _question(room)["why"]["zh"] and _question(room)["replies"]


def test_going_back_shows_all_screens_the_question_the_votes_and_the_explanation_again(teacher):
    app, room, (device,) = in_lesson(teacher)
    room.vote(device, "lesson.box#1", "2")
    press(app, "", "lesson.reveal", "", "lesson.explain")
    before = _question(room)
    app.button(key="lesson.next").click().run()
    assert _question(room)["id"] == "lesson.pieces#1"
    room.vote(device, "lesson.pieces#1", "1")
    press(app, "lesson.previous", "")
    assert _question(room) == before and before["explained"] and before["tally"] == {"2": 1}
    press(app, "lesson.next", "")
    assert _question(room)["id"] == "lesson.pieces#1" and room.tally("lesson.pieces#1") == {"1": 1}
    assert [question.id for question in room.asked_questions()] == ["lesson.box#1", "lesson.pieces#1"]


def test_a_divided_class_gets_a_warning_and_no_option_is_called_its_vote(teacher):
    app, room, devices = in_lesson(teacher, phones=2)
    for device, vote in zip(devices, "12", strict=True):
        room.vote(device, "lesson.box#1", vote)
    press(app, "", "lesson.reveal", "", "lesson.explain")
    (warning,) = app.warning
    assert warning.value.startswith(catalogue("en")["room.divided"])


def test_a_teacher_may_skip_the_vote_and_the_class_is_not_called_divided(teacher):
    app, _, _ = in_lesson(teacher)
    press(app, "lesson.reveal", "")
    assert app.button(key="lesson.change")
    app.button(key="lesson.explain").click().run()
    (warning,) = app.warning
    assert warning.value == catalogue("en")["lesson.box_reply"].split("|")[0]


def test_the_second_screen_speaks_the_language_of_its_teacher(teacher):
    app = teacher(language="fr")
    begin(app)
    (link,) = app.get("link_button")
    assert link.proto.url.endswith("/screen?language=fr")


def test_a_class_votes_again_on_the_lessons_question(teacher):
    app, room, (device,) = in_lesson(teacher)
    room.vote(device, "lesson.box#1", "0")
    press(app, "", "lesson.reveal", "", "lesson.again")
    question = room.question()
    assert question is not None and question.id == "lesson.box#2" and question.earlier == {"0": 1}
    room.vote(device, "lesson.box#2", "2")
    press(app, "", "lesson.reveal", "")
    assert app.query_params["lesson.votes"] == "box3"


def test_a_scene_without_phones_or_by_show_of_hands_is_voted_on_by_the_teacher_and_shown_to_all(teacher):
    room = begin(app := teacher())
    app.switch_page("lesson/lesson.py").run()
    assert votes_by_hand(app) and asked_by_hands(room)
    device = room.join()
    app.run()
    assert not votes_by_hand(app) and not asked_by_hands(room)
    press(app, "lesson.by_hands", "")
    assert votes_by_hand(app) and asked_by_hands(room)
    question = room.question()
    assert question is not None
    with pytest.raises(RoomError, match="closed"):
        room.vote(device, question.id, "1")
    app.radio(key="lesson.guess.box").set_value(1).run()
    app.button(key="lesson.vote").click().run()
    public = (room.snapshot() or {})["question"]
    assert public["revealed"] and "tally" not in public and "right" not in public
    app.button(key="lesson.change").click().run()
    assert (room.snapshot() or {})["shown"]["experiment"]
    app.button(key="lesson.explain").click().run()
    assert (room.snapshot() or {})["question"]["right"] == "0"
    assert "box#1" not in votes_csv(room, "en") and "box#3" not in votes_csv(room, "en")


def asked_by_hands(room: Room) -> bool:
    question = room.question()
    assert question is not None and question.id.startswith("lesson.box#")
    return question.by_hands


@pytest.mark.nightly
def test_an_experiment_that_is_made_after_the_explanation_is_shown_too(teacher):
    app, room, (device,) = in_lesson(teacher)
    room.vote(device, "lesson.box#1", "0")
    press(app, "", "lesson.reveal", "", "lesson.explain", "lesson.change")
    assert (room.snapshot() or {})["shown"]["late"] is True
    app.button(key="lesson.undo").click().run()
    assert "experiment" not in (room.snapshot() or {})["shown"]


@pytest.mark.nightly
def test_a_second_tab_that_reveals_is_followed_by_the_first(teacher, monkeypatch):
    monkeypatch.setattr(session, "visitor", lambda: "the teacher's browser")
    room = begin(first := teacher())
    device = room.join()
    first.switch_page("lesson/lesson.py").run()
    second = teacher(**{"room.code": room.code})
    question = room.question()
    assert question is not None
    room.vote(device, question.id, "2")
    second.button(key="room_reveal").click().run()
    first.run()
    assert first.query_params["lesson.votes"] == "box3"


def test_the_step_of_decoding_reaches_the_phones(teacher):
    room = begin(app := teacher(**{"decode.step": "1"}))
    app.switch_page("decode/decode.py").run()
    shown_state = room.current_view()
    assert shown_state["state"]["kind"] == "cross" and shown_state["state"]["pins"] == ["q1"]
    assert shown_state["note"]["en"].startswith("Step 2") and shown_state["title"]["fr"] == "Décoder"


def test_unreachable_rooms_do_not_affect_the_teachers_pages(teacher, monkeypatch):
    begin(app := teacher())

    def raise_unreachable(*args: object) -> None:
        raise StoreError("Redis does not answer: ConnectionError")

    monkeypatch.setattr(hub().store, "get", raise_unreachable)
    app.run()
    assert any(warning.value == catalogue("en")["room.reload"] for warning in app.warning)
    app.switch_page("lesson/lesson.py").run()
    assert votes_by_hand(app)


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
    assert room.snapshot() is None
    assert "room.code" not in app.query_params and app.button(key="room_open") is not None


def test_a_projected_page_hides_the_classs_sentences_until_they_are_requested(teacher):
    room = begin(app := teacher(presenter="1"))
    room.send(room.join(), "the dog is on the sofa .")
    app.run()
    assert not any("dog" in text.value for text in app.text)
    app.toggle(key="room_sentences").set_value(True).run()
    assert any("dog" in text.value for text in app.text)


def tables(app) -> list[bool]:
    """Whether each of the two tables' download buttons is disabled."""
    buttons = {button.key: button.disabled for button in app.get("download_button")}
    return [buttons["room_csv"], buttons["room_learning"]]


@pytest.mark.nightly
def test_the_tables_can_be_had_once_something_was_asked(teacher):
    room = begin(app := teacher())
    assert tables(app) == [True, True]
    for offer in ("quiz.before", "quiz.after"):
        app.selectbox(key="room_offer").set_value(offer).run()
        press(app, "room_ask", "room_drop")
    assert tables(app) == [False, False]
    assert len(room.asked_questions()) == 2


def test_a_room_takes_as_many_phones_as_the_server_was_started_for(teacher, monkeypatch):
    monkeypatch.setenv(ROOM_SIZE_VARIABLE, "2")
    room = begin(teacher())
    for _ in range(2):
        room.join()
    with pytest.raises(RoomError, match="full"):
        room.join()


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_the_error_of_a_server_full_of_rooms_names_the_remedy(teacher, monkeypatch, language):
    monkeypatch.setenv(ROOMS_VARIABLE, "1")
    empty = Hub(MemoryStore())
    monkeypatch.setattr("viz.panels.teacher_room.hub", lambda: empty)
    first = teacher(language=language)
    first.button(key="room_open").click().run()
    assert first.query_params["room.code"]
    refused = teacher(language=language)
    refused.button(key="room_open").click().run()
    assert "room.code" not in refused.query_params
    (warning,) = refused.warning
    with speaking(language):
        assert warning.value == tr("room.too_many", n=1)
    first.button(key="room_close_sure").click().run()
    refused.button(key="room_open").click().run()
    assert refused.query_params["room.code"]


def test_unreachable_rooms_are_reported_where_one_is_opened(teacher, monkeypatch):
    def raise_unreachable(*_: object, **__: object) -> None:
        raise StoreError("away")

    monkeypatch.setattr(Room, "open", raise_unreachable)
    app = teacher()
    app.button(key="room_open").click().run()
    assert [warning.value for warning in app.warning] == [catalogue("en")["room.not_opened"]]


def _shared_sentence():
    import streamlit as st

    from viz.panels import teacher_room
    from viz.state import session

    session.write_part(teacher_room.Choices("ABCDEF", "secret"), teacher_room.AREA)
    st.text(session.link())


def test_the_shared_link_never_holds_the_key():
    app = AppTest.from_function(_shared_sentence).run()
    assert "secret" not in app.text[0].value and "room." not in app.text[0].value


def test_a_text_that_is_read_in_blocks_leaves_the_room_as_it_is(monkeypatch):
    bundle, text = tiny_bundle(), ("the dog is sleeping . " * 130).strip()
    prepared = ModelInput(text, 650, (), (), False, max_pieces=2000)
    reading = Reading(Selection(), bundle, long_trace(bundle, text, Interventions()), prepared)
    assert reading.is_long
    room, _ = Room.open(MemoryStore(), most_devices=5)
    monkeypatch.setattr(publish.teacher_room, "wished_code", lambda: room.code)
    monkeypatch.setattr(publish.teacher_room, "current_room", lambda: room)
    monkeypatch.setattr(publish, "find_reading", lambda: reading)
    publish.publish()
    assert not room.current_view()
