"""The teacher's control of the room: closing it to new phones, and removing phones with their contributions."""

import pytest
from streamlit.testing.v1 import AppTest

from viz.rooms.door import RoomError
from viz.rooms.hub import hub
from viz.rooms.room import Room


@pytest.fixture(params=["en", "zh", "fr"])
def page_and_room(request, open_page) -> tuple[AppTest, Room]:
    """The teacher's page in each language, and its room."""
    app = open_page("room", language=request.param)
    app.button(key="room_open").click().run()
    room = Room.find(hub().store, app.query_params["room.code"])
    assert room is not None
    return app, room


def test_the_teacher_closes_the_door_and_opens_it_again(page_and_room):
    app, room = page_and_room
    room.join()
    app.toggle(key="room_door").set_value(True).run()
    assert room.is_shut()
    with pytest.raises(RoomError, match="door"):
        room.invite()
    app.toggle(key="room_door").set_value(False).run()
    assert room.join() and not room.is_shut()


@pytest.mark.nightly("fr")
def test_the_teacher_sends_away_a_chosen_phone_with_its_answers(page_and_room):
    app, room = page_and_room
    first, second = room.join(), room.join()
    app.run()
    app.selectbox(key="room_offer").set_value("quiz.before").run()
    app.button(key="room_ask").click().run()
    for device in (first, second):
        room.vote(device, "quiz.before", "0.1")
    app.multiselect(key="room_leaving").set_value([second]).run()
    app.button(key="room_remove").click().run()
    assert [phone.device for phone in room.phones()] == [first] and room.tally("quiz.before") == {"0.1": 1}


def test_the_teacher_sends_away_who_sent_a_sentence(page_and_room):
    app, room = page_and_room
    rude, polite = room.join(), room.join()
    room.send(rude, "Something rude.")
    room.send(polite, "A cat.")
    app.run()
    (key,) = [sentence.key for sentence in room.sentences() if sentence.text == "Something rude."]
    app.button(key=f"room_away_{key}").click().run()
    assert [sentence.text for sentence in room.sentences()] == ["A cat."] and not room.has(rude)
