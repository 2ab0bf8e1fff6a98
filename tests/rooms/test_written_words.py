"""Handwritten words of a class: storage in the room, accepted requests, and what screens receive."""

import gzip
import json

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.rooms.test_routes import join_and_follow
from viz.rooms.door import RoomError
from viz.rooms.hub import hub
from viz.rooms.questions import Question
from viz.rooms.report import votes_csv
from viz.rooms.room import Room, blobs_of
from viz.server import rooms
from viz.server.visitors import Rate

HELLO, OTHER = "ink.AA3f3", "ink.A_A_"
NAME = "picture-words-1"


WRITING = Question(id="write#1", kind="write", words=dict.fromkeys(("en", "fr", "zh"), "Write!"))


def test_the_last_word_of_a_phone_counts_and_each_phone_has_one(room):
    room.ask(WRITING)
    first, second = room.join(), room.join()
    room.vote(first, "write#1", HELLO)
    room.vote(second, "write#1", HELLO)
    room.vote(first, "write#1", OTHER)
    assert room.votes("write#1") == {first: OTHER, second: HELLO}
    assert room.counted() == (2, 2)
    room.remove([second])
    assert room.votes("write#1") == {first: OTHER}


def test_a_hidden_word_makes_place_for_another_of_its_phone(room):
    room.ask(WRITING)
    device = room.join()
    room.vote(device, "write#1", HELLO)
    room.drop_vote("write#1", device)
    assert room.votes("write#1") == {} and room.counted() == (1, 0)
    room.vote(device, "write#1", OTHER)
    assert room.votes("write#1") == {device: OTHER}


@pytest.mark.parametrize(
    "text", ["", "ink.", "hello", "ink.<b>", "ink." + "A" * 6001, "data:image/png;base64,AAAA", "ink.AA\nAA"]
)
def test_a_word_that_is_no_picture_is_refused(room, text):
    room.ask(WRITING)
    with pytest.raises(RoomError, match="invalid"):
        room.vote(room.join(), "write#1", text)


def test_screens_get_the_words_once_they_are_shown_and_lose_them_while_results_are_hidden(room):
    room.ask(WRITING)
    room.vote(room.join(), "write#1", HELLO)
    assert "shown" not in room.snapshot()["question"]
    room.show_words("write#1", NAME, json.dumps({"rows": [], "n": 1}).encode())
    snapshot = room.snapshot()
    assert snapshot["question"]["shown"] == NAME and "tally" not in snapshot["question"] and NAME in blobs_of(snapshot)
    blob = room.store.blob(room.code, NAME)
    assert blob is not None and json.loads(gzip.decompress(blob)) == {"rows": [], "n": 1}
    assert HELLO not in json.dumps(snapshot), "each change of a room would send every word again"
    room.hide(True)
    assert blobs_of(room.snapshot()) == []
    room.hide(False)
    with pytest.raises(RoomError, match="closed"):
        room.vote(room.join(), "write#1", OTHER)


def test_the_files_of_a_class_hold_nobodys_hand(room):
    room.ask(WRITING)
    room.vote(room.join(), "write#1", HELLO)
    room.show_words("write#1", NAME, b"{}")
    assert "write" not in votes_csv(room, "en") and HELLO not in votes_csv(room, "en")


@pytest.fixture
def client(monkeypatch):
    monkeypatch.setattr(rooms, "sending", Rate(at_once=1, per_second=1, clock=lambda: 0.0))
    return TestClient(Starlette(routes=[*rooms.routes()]))


@pytest.fixture
def writing() -> Room:
    room, _ = Room.open(hub().store, most_devices=3)
    room.ask(WRITING)
    return room


def test_a_phone_sends_a_word_and_another_one_but_not_within_a_second(client, writing):
    device, at = join_and_follow(client, writing), f"/class/{writing.code}/writing"
    body = {"device": device, "question": "write#1", "text": HELLO}
    assert client.post(at, json=body).status_code == 200
    assert client.post(at, json=body | {"text": OTHER}).json() == {"error": "fast"}
    rooms.sending.clear()
    assert client.post(at, json=body | {"text": OTHER}).status_code == 200
    assert writing.votes("write#1") == {device: OTHER}
    rooms.sending.clear()
    writing.reveal("write#1")
    assert client.post(at, json=body).json() == {"error": "closed"}


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("ink.AAAA", 400),  # no ink
        ("ink." + "_" * 900, 400),  # more pixels than a picture has
        ("ink." + "~" * 9, 400),
        ("ink." + "A" * 9_000, 413),
        (7, 400),
        (None, 400),
    ],
)
def test_invalid_handwriting_is_refused(client, writing, text, status):
    device = join_and_follow(client, writing)
    body = {"device": device, "question": "write#1", "text": text}
    assert client.post(f"/class/{writing.code}/writing", json=body).status_code == status
    assert writing.votes("write#1") == {}


def test_only_phones_of_the_room_may_send_words_and_only_on_their_route(client, writing):
    body = {"device": "A" * 24, "question": "write#1", "text": HELLO}
    assert client.post(f"/class/{writing.code}/writing", json=body).status_code == 403
    vote = {"device": join_and_follow(client, writing), "question": "write#1", "vote": "ink.AAAA"}
    assert client.post(f"/class/{writing.code}/vote", json=vote).status_code == 400
    assert writing.votes("write#1") == {}
