"""The students' routes: what a phone receives, what it may send, and what is refused."""

from __future__ import annotations

import gzip
import json
import re
import threading
from base64 import b64decode

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.loops import finished
from viz.rooms import audience
from viz.rooms.hub import hub
from viz.rooms.questions import Question
from viz.rooms.room import Room
from viz.rooms.store import StoreError
from viz.server import rooms

WORDS: dict[str, str] = {"en": "which?", "zh": "which?", "fr": "which?"}


@pytest.fixture
def client(monkeypatch):
    monkeypatch.setattr(audience, "FRESH_SECONDS", 0.05)
    rooms._last.clear()
    return TestClient(Starlette(routes=[*rooms.routes()]))


@pytest.fixture
def room() -> Room:
    opened, _ = Room.open(hub().store, most_devices=3)
    options: dict[str, tuple[str, ...]] = {"en": ("a", "b"), "zh": ("a", "b"), "fr": ("a", "b")}
    opened.ask(Question(id="q#1", words=WORDS, options=options, n=2, right="1"))
    return opened


@pytest.mark.parametrize(("accepted", "word"), [("fr-CA,fr;q=0.9", "Suivre"), ("zh-CN", "跟随老师"), ("xx", "Follow")])
def test_the_page_is_one_file_in_the_phones_language(client, room, accepted, word):
    answer = client.get(f"/class/{room.code}", headers={"Accept-Language": accepted})
    assert answer.status_code == 200 and word in answer.text
    assert "connect-src 'self'" in answer.headers["content-security-policy"]
    assert "src=" not in answer.text.split("<script", 1)[0]
    assert "import {" not in answer.text and 'from "' not in answer.text.split("</style>")[1].split("begin(")[0]


def test_the_page_is_compressed_once_for_all(client, room):
    packed = client.get(f"/class/{room.code}", headers={"Accept-Encoding": "gzip"})
    plain = client.get(f"/class/{room.code}", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip" and "content-encoding" not in plain.headers
    assert packed.text == plain.text
    assert int(packed.headers["content-length"]) < 100_000


def test_a_device_joins_once_and_votes_once(client, room):
    device = client.post(f"/class/{room.code}/join", json={}).json()["device"]
    assert client.post(f"/class/{room.code}/join", json={"device": device}).json() == {"device": device}
    assert room.n_devices() == 1
    vote = {"device": device, "question": "q#1", "vote": "1"}
    assert client.post(f"/class/{room.code}/vote", json=vote).json() == {"vote": "1"}
    rooms._last.clear()
    assert client.post(f"/class/{room.code}/vote", json=vote).json() == {"error": "twice"}


def test_a_device_that_sends_too_fast_is_slowed(client, room):
    device = client.post(f"/class/{room.code}/join", json={}).json()["device"]
    answers = [client.post(f"/class/{room.code}/sentence", json={"device": device, "text": "A."}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 429]


def test_a_device_votes_at_most_once_a_second(client, room):
    device = client.post(f"/class/{room.code}/join", json={}).json()["device"]
    vote = {"device": device, "question": "q#1", "vote": "1"}
    answers = [client.post(f"/class/{room.code}/vote", json=vote).json() for _ in range(2)]
    assert answers == [{"vote": "1"}, {"error": "fast"}]


def test_nothing_that_a_phone_gets_holds_the_key_or_what_it_is_kept_as(client):
    opened, key = Room.open(hub().store, most_devices=3)
    opened.show({"packet": "p"}, packet=b"bytes")
    answers = [client.get(f"/class/{opened.code}{path}") for path in ("", "/screen", "/count", "/qr", "/packet/p")]
    assert {answer.status_code for answer in answers} == {200}

    async def first() -> bytes:
        return await anext(rooms._stream(opened.code))

    for sent in (*(answer.content for answer in answers), finished(first())):
        assert key.encode() not in sent and opened.fields()["secret"].encode() not in sent


RUBBISH = [
    b"", b"{", b"[]", b"null", b'"x"', b"{}", b"\xff\xfe",
    json.dumps({"device": 1, "vote": [], "question": {}}).encode(),
    json.dumps({"device": "x" * 50, "question": "q#1", "vote": "1"}).encode(),
]  # fmt: skip


@pytest.mark.parametrize("body", RUBBISH)
@pytest.mark.parametrize("what", ["vote", "sentence"])
def test_rubbish_is_refused_and_changes_nothing(client, room, body, what):
    answer = client.post(f"/class/{room.code}/{what}", content=body)
    assert answer.status_code in (400, 403)
    assert room.tally("q#1") == {} and room.sentences() == []


def test_bodies_over_two_kilobytes_are_refused(client, room):
    answer = client.post(f"/class/{room.code}/sentence", content=b"x" * 3_000)
    assert answer.status_code == 413 and answer.json() == {"error": "large"}


def test_a_full_room_and_a_room_that_is_none_say_so(client, room):
    for _ in range(3):
        assert client.post(f"/class/{room.code}/join", json={}).status_code == 200
    assert client.post(f"/class/{room.code}/join", json={}).json() == {"error": "full"}
    for path in ("AAAAAA/events", "xx/packet/y", "..%2f/events"):
        assert client.get(f"/class/{path}").status_code == 404
    assert client.post("/class/AAAAAA/join", json={}).json() == {"error": "gone"}


def test_no_route_lets_a_student_act_as_the_teacher(client, room):
    device = client.post(f"/class/{room.code}/join", json={}).json()["device"]
    before = room.fields()
    for what in ("reveal", "ask", "pause", "close", "show"):
        assert client.post(f"/class/{room.code}/{what}", json={"device": device, "key": "x"}).status_code in (404, 405)
    assert room.fields() == before


def test_events_bring_what_is_shown_and_say_when_the_room_ends(client, room):
    room.show({"packet": "p", "state": {}}, packet=b"bytes")
    threading.Timer(0.5, room.close).start()
    answer = client.get(f"/class/{room.code}/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    packet, first, *_, last = [part for part in answer.text.split("\n\n") if part]
    name, encoded = packet.removeprefix("event: packet\ndata: ").split(" ")
    assert name == "p" and gzip.decompress(b64decode(encoded)) == b"bytes"
    said = json.loads(first.removeprefix("data: "))
    assert said["shown"]["packet"] == "p" and "right" not in said["question"]
    assert last.startswith("event: gone")
    assert client.get(f"/class/{room.code}/packet/p").status_code == 404


def test_a_packet_is_sent_compressed_and_may_be_kept(client, room):
    room.show({"packet": "p", "state": {}}, packet=b"bytes" * 1_000)
    answer = client.get(f"/class/{room.code}/packet/p")
    assert answer.content == b"bytes" * 1_000
    assert answer.headers["content-encoding"] == "gzip" and "immutable" in answer.headers["cache-control"]


def test_a_packet_ends_with_its_room_also_where_nobody_listens(client, room):
    room.show({"packet": "p", "state": {}}, packet=b"bytes")
    assert client.get(f"/class/{room.code.lower()}/packet/p").status_code == 200
    room.close()
    assert client.get(f"/class/{room.code}/packet/p").status_code == 404


def test_the_second_screen_counts_answers_and_joins_nothing(client, room):
    device = client.post(f"/class/{room.code}/join", json={}).json()["device"]
    assert client.get(f"/class/{room.code}/screen").status_code == 200
    client.post(f"/class/{room.code}/vote", json={"device": device, "question": "q#1", "vote": "1"})
    assert client.get(f"/class/{room.code}/count").json() == {"phones": 1, "answers": 1}
    picture = client.get(f"/class/{room.code}/qr", headers={"X-Forwarded-Proto": "https"})
    assert picture.headers["content-type"].startswith("image/svg") and b"<svg" in picture.content
    assert client.get("/class/AAAAAA/count").status_code == 404


def test_a_phone_that_slept_gets_what_it_missed_and_nothing_twice(client, room):
    room.show({"packet": "one", "state": {}}, packet=b"one")
    room.show({"packet": "two", "state": {}}, packet=b"two")
    room.reveal()
    threading.Timer(0.5, room.close).start()
    parts = client.get(f"/class/{room.code}/events").text.split("\n\n")
    (only,) = [json.loads(part.removeprefix("data: ")) for part in parts if part.startswith("data: ")]
    (packet,) = [part for part in parts if part.startswith("event: packet")]
    assert packet.startswith("event: packet\ndata: two ")
    assert only["shown"]["packet"] == "two" and only["question"]["revealed"]


def test_rooms_that_cannot_be_reached_are_a_503_that_a_phone_answers_by_trying_again(client, room, monkeypatch):
    def away(*given: object) -> None:
        raise StoreError("Redis does not answer: ConnectionError")

    monkeypatch.setattr(hub().store, "get", away)
    for answer in (client.get(f"/class/{room.code}/events"), client.post(f"/class/{room.code}/join", json={})):
        assert answer.status_code == 503 and answer.json() == {"error": "offline"}


def test_a_packet_comes_once_over_a_connection_and_again_only_when_it_is_another(room):
    async def follow() -> list[bytes]:
        stream = rooms._stream(room.code)
        room.show({"packet": "one", "state": {}}, packet=b"one")
        parts = [await anext(stream)]
        room.show({"packet": "one", "state": {"head": 1}})
        parts.append(await anext(stream))
        room.show({"packet": "two", "state": {}}, packet=b"two")
        parts.append(await anext(stream))
        room.close()
        return [*parts, await anext(stream)]

    parts = finished(follow())
    assert [re.findall(rb"event: (\w+)", part) for part in parts] == [[b"packet"], [], [b"packet"], [b"gone"]]
    assert b"data: two " in parts[2] and b'"head":1' in parts[1]
