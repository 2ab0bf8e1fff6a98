"""The students' routes: responses to phones, accepted requests and refusals."""

import asyncio
import gzip
import json
import re
import threading
from base64 import b64decode
from collections.abc import Callable

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.loops import run_coroutine
from tests.questions import make_question, make_quiz
from viz.environment import ROOM_SIZE_VARIABLE
from viz.rooms import hub as connections
from viz.rooms.hub import hub
from viz.rooms.room import Room
from viz.rooms.store import StoreError
from viz.server import qr, rooms, streams
from viz.server.visitors import Rate


@pytest.fixture
def client(monkeypatch):
    monkeypatch.setattr(connections, "FRESH_SECONDS", 0.05)
    monkeypatch.setattr(rooms, "sending", Rate(at_once=1, per_second=1, clock=lambda: 0.0))
    monkeypatch.setattr(qr, "_drawing", Rate(at_once=6, per_second=0.1, clock=lambda: 0.0))
    return TestClient(Starlette(routes=[*rooms.routes()]))


@pytest.fixture
def room() -> Room:
    room, _ = Room.open(hub().store, most_devices=3)
    room.ask(make_question())
    return room


@pytest.mark.parametrize(("accepted", "word"), [("fr-CA,fr;q=0.9", "Suivre"), ("zh-CN", "跟随老师"), ("xx", "Follow")])
def test_the_page_is_one_file_in_the_phones_language(client, room, accepted, word):
    answer = client.get(f"/class/{room.code}", headers={"Accept-Language": accepted})
    assert answer.status_code == 200 and word in answer.text
    assert "connect-src 'self'" in answer.headers["content-security-policy"]
    assert "src=" not in answer.text.split("<script", 1)[0]
    assert "import {" not in answer.text and 'from "' not in answer.text.split("</style>")[1].split("begin(")[0]


def send(client, room, route: str, **body):
    """Send a phone's request."""
    return client.post(f"/class/{room.code}/{route}", json=body)


def vote(client, room, device: str, choice: str = "1", question: str = "q#1"):
    return send(client, room, "vote", device=device, question=question, vote=choice)


def join(client, room) -> str:
    """Join the room; returns the name of the device."""
    return send(client, room, "join").json()["device"]


def join_and_follow(client, room) -> str:
    """Join the room and open its event stream; returns the device name."""
    device = join(client, room)
    assert follow_status(client, room, device) == 200
    return device


def follow_status(client, room, device: str) -> int:
    """The status of the event stream, which is closed after its first event."""
    status: list[int] = []
    is_heard = asyncio.Event()

    async def receive() -> dict[str, object]:
        await is_heard.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, object]) -> None:
        if message["type"] == "http.response.start":
            status.append(int(str(message["status"])))
        else:
            is_heard.set()

    headers = [(b"host", b"testserver"), *([(b"regard-device", device.encode())] if device else [])]
    scope = {"type": "http", "method": "GET", "path": f"/class/{room.code}/events", "query_string": b"",
             "headers": headers, "client": ("testclient", 1), "server": ("testserver", 80), "scheme": "http",
             "asgi": {"spec_version": "2.3"}}  # fmt: skip
    run_coroutine(client.app(scope, receive, send))
    return status[0]


def test_the_page_is_compressed_once_for_all(client, room):
    packed = client.get(f"/class/{room.code}", headers={"Accept-Encoding": "gzip"})
    plain = client.get(f"/class/{room.code}", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip" and "content-encoding" not in plain.headers
    assert packed.text == plain.text
    assert int(packed.headers["content-length"]) < 100_000


def test_a_device_joins_once_and_votes_once(client, room):
    device = join_and_follow(client, room)
    assert send(client, room, "join", device=device).json() == {"device": device}
    assert room.n_devices() == 1
    assert vote(client, room, device).json() == {"vote": "1"}
    rooms.sending.clear()
    assert vote(client, room, device, "0").json() == {"error": "twice", "vote": "1"}
    rooms.sending.clear()
    room.reveal()
    assert vote(client, room, device, "0").json() == {"error": "closed", "vote": "1"}
    assert vote(client, room, join_and_follow(client, room), "0").json() == {"error": "closed"}
    assert room.tally("q#1") == {"1": 1}


def test_a_device_that_sends_too_fast_is_slowed(client, room):
    device = join_and_follow(client, room)
    answers = [send(client, room, "sentence", device=device, text="A.") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 429]


def test_a_device_votes_at_most_once_a_second(client, room):
    device = join_and_follow(client, room)
    answers = [vote(client, room, device).json() for _ in range(2)]
    assert answers == [{"vote": "1"}, {"error": "fast", "vote": "1"}]


@pytest.mark.parametrize("names", [[f"quiz.{n}" for n in range(9)], [f"q#{n}" for n in range(9)]])
def test_names_of_questions_that_are_not_open_share_one_second(client, room, names):
    device = join_and_follow(client, room)
    answers = [vote(client, room, device, f"{n}.0", name) for n, name in enumerate(names)]
    assert [answer.status_code for answer in answers] == [409, *[429] * 8]


def test_the_items_of_a_quiz_may_be_answered_within_one_second(client, room):
    room.ask(make_quiz("quiz.before", "i0", "i1", "i2"))
    device = join_and_follow(client, room)
    answers = [vote(client, room, device, f"{n}.1", "quiz.before") for n in (0, 1, 2, 2, 7)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 400]


def test_a_name_that_never_followed_the_room_counts_as_no_phone_and_cannot_vote(client, room):
    device = join(client, room)
    assert room.n_devices() == 0
    assert vote(client, room, device).json() == {"error": "stranger"}
    assert send(client, room, "sentence", device=device, text="A.").status_code == 403
    assert room.tally("q#1") == {} and room.sentences() == []
    assert follow_status(client, room, "made-up") == 403 and room.n_devices() == 0
    assert follow_status(client, room, device) == 200 and room.n_devices() == 1
    assert vote(client, room, device).json() == {"vote": "1"}


def test_a_classroom_joins_at_once_and_one_address_no_faster_than_its_rate(client, monkeypatch):
    at_one_moment = Rate(rooms.JOINS, rooms.JOINS / 60, clock=lambda: 0.0)
    monkeypatch.setattr(rooms, "joining", lambda: at_one_moment)
    room, _ = Room.open(hub().store, most_devices=500)
    answers = [send(client, room, "join").status_code for _ in range(rooms.JOINS + 10)]
    assert answers[:40] == [200] * 40, "a class of 40 behind one address"
    assert answers.count(200) == rooms.JOINS and answers[-1] == 429
    other_room, _ = Room.open(hub().store, most_devices=500)
    assert send(client, other_room, "join").status_code == 200, "each room has its own count"


def test_a_closed_door_keeps_out_new_phones_and_lets_those_inside_come_back(client, room):
    device, joined = join_and_follow(client, room), join(client, room)
    room.shut(True)
    assert send(client, room, "join").json() == {"error": "door"}
    assert follow_status(client, room, joined) == 403 and follow_status(client, room, device) == 200
    assert send(client, room, "join", device=device).json() == {"device": device}
    room.shut(False)
    assert follow_status(client, room, joined) == 200


def test_a_removed_phone_loses_its_votes_and_its_stream_and_cannot_come_back(client, room):
    device, other_device = join_and_follow(client, room), join_and_follow(client, room)
    for phone_name in (device, other_device):
        vote(client, room, phone_name)
    send(client, room, "sentence", device=device, text="Spam.")

    async def until_removed() -> list[bytes]:
        stream = streams.events(room.code, device)
        parts = [await anext(stream)]
        room.remove(room.senders(room.sentences()[0].key))
        return parts + [part async for part in stream]

    assert run_coroutine(until_removed())[-1].startswith(b"event: gone")
    assert room.tally("q#1") == {"1": 1} and room.sentences() == [] and room.n_devices() == 1
    assert follow_status(client, room, device) == 404 and follow_status(client, room, other_device) == 200
    assert vote(client, room, device).json() == {"error": "stranger"}
    assert send(client, room, "join", device=device).json()["device"] != device


def test_a_page_of_another_site_cannot_send_and_deep_json_is_no_error_of_the_server(client, room):
    at = f"/class/{room.code}/join"
    for origin in ("http://evil.example", "null"):
        answer = client.post(at, json={}, headers={"Origin": origin})
        assert (answer.status_code, answer.json()) == (403, {"error": "foreign"})
    assert client.post(at, json={}, headers={"Origin": "http://testserver"}).status_code == 200
    for body in (b"[" * 2_000, b'{"device":' * 200, b'{"a":' + b"[" * 2_000):
        answer = client.post(at, content=body)
        assert (answer.status_code, answer.json()) == (400, {"error": "invalid"})
    surrogates = json.dumps(dict.fromkeys(("device", "question", "vote"), "\ud800"))
    assert client.post(f"/class/{room.code}/vote", content=surrogates).status_code == 400


def test_a_malformed_code_is_answered_without_work(client, room, monkeypatch):
    def fail(*args: object) -> None:
        raise AssertionError("work")

    monkeypatch.setattr(qr, "_draw", fail)
    assert client.get("/class/AAAAAA/qr").status_code == 404
    monkeypatch.setattr(Room, "find", fail)
    for code in ("A" * 2_250, "A" * 3_000, "AAAAA0", "é" * 6, "A"):
        answers = [
            client.get(f"/class/{code}{path}") for path in ("", "/qr", "/screen", "/count", "/events", "/packet/p")
        ]
        answers += [client.post(f"/class/{code}/{path}", json={}) for path in ("join", "vote", "sentence", "writing")]
        assert {answer.status_code for answer in answers} == {404}


def test_a_rooms_picture_is_drawn_once_and_not_for_every_host_name(client, room, monkeypatch):
    calls, draw = [], qr._draw
    monkeypatch.setattr(qr, "_draw", lambda address: calls.append(address) or draw(address))
    assert {client.get(f"/class/{code}/qr").status_code for code in [room.code, room.code.lower()] * 20} == {200}
    assert calls == [f"http://testserver/class/{room.code}"]
    hosts = [f"{n}.example" for n in range(40)] + ["a" * 400]
    answers = [client.get(f"/class/{room.code}/qr", headers={"Host": host}).status_code for host in hosts]
    assert len(calls) < 8 and answers[-1] == 429
    assert client.get(f"/class/{room.code}/qr").status_code == 200


def test_one_address_opens_no_more_streams_than_a_room_and_its_screens_need(client, room, monkeypatch):
    monkeypatch.setenv(ROOM_SIZE_VARIABLE, "3")
    monkeypatch.setattr(streams, "SPARE", 1)
    open_streams = streams.Counter({("", True): 4, ("", False): streams.MAX_SCREENS})
    monkeypatch.setattr(streams, "_open", open_streams)
    assert follow_status(client, room, join(client, room)) == 429 and follow_status(client, room, "") == 429
    open_streams.clear()
    assert follow_status(client, room, "") == 200 and not open_streams


def test_the_oldest_stream_of_a_phone_ends_when_it_opens_too_many(client, room):
    device = join_and_follow(client, room)

    async def open_many() -> list[bytes]:
        streams_ = [streams.events(room.code, device) for _ in range(streams.MAX_PER_PHONE + 1)]
        for stream in streams_:
            await anext(stream)
        remaining = [part async for part in streams_[0]]
        for stream in streams_[1:]:
            await stream.aclose()
        return remaining

    assert run_coroutine(open_many()) == []
    assert not streams._seats


def test_no_response_contains_the_teachers_key_or_its_stored_form(client):
    room, key = Room.open(hub().store, most_devices=3)
    room.show({"packet": "p"}, packet=b"bytes")
    answers = [client.get(f"/class/{room.code}{path}") for path in ("", "/screen", "/count", "/qr", "/packet/p")]
    assert {answer.status_code for answer in answers} == {200}
    for content in (*(answer.content for answer in answers), *events_after(room, lambda: None)):
        assert key.encode() not in content and room.fields()["secret"].encode() not in content


MALFORMED = [
    b"", b"{", b"[]", b"null", b'"x"', b"{}", b"\xff\xfe",
    json.dumps({"device": 1, "vote": [], "question": {}}).encode(),
    json.dumps({"device": "x" * 50, "question": "q#1", "vote": "1"}).encode(),
]  # fmt: skip


@pytest.mark.parametrize("body", MALFORMED)
@pytest.mark.parametrize("path", ["vote", "sentence"])
def test_malformed_bodies_are_refused_and_change_nothing(client, room, body, path):
    answer = client.post(f"/class/{room.code}/{path}", content=body)
    assert answer.status_code in (400, 403)
    assert room.tally("q#1") == {} and room.sentences() == []


def test_bodies_over_two_kilobytes_are_refused(client, room):
    answer = client.post(f"/class/{room.code}/sentence", content=b"x" * 3_000)
    assert answer.status_code == 413 and answer.json() == {"error": "large"}


def test_a_full_room_and_a_missing_room_are_errors(client, room):
    for _ in range(3):
        join_and_follow(client, room)
    assert send(client, room, "join").json() == {"error": "full"}
    for path in ("AAAAAA/events", "xx/packet/y", "..%2f/events"):
        assert client.get(f"/class/{path}").status_code == 404
    assert client.post("/class/AAAAAA/join", json={}).json() == {"error": "gone"}


def test_no_route_lets_a_student_act_as_the_teacher(client, room):
    device = join_and_follow(client, room)
    before = room.fields()
    for action in ("reveal", "ask", "pause", "close", "show"):
        assert send(client, room, action, device=device, key="x").status_code in (404, 405)
    assert room.fields() == before


def test_events_carry_the_explorer_and_the_end_of_the_room(client, room):
    room.show({"packet": "p", "state": {}}, packet=b"bytes")
    threading.Timer(0.5, room.close).start()
    answer = client.get(f"/class/{room.code}/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    packet, first, *_, last = [part for part in answer.text.split("\n\n") if part]
    name, encoded = packet.removeprefix("event: packet\ndata: ").split(" ")
    assert name == "p" and gzip.decompress(b64decode(encoded)) == b"bytes"
    event = json.loads(first.removeprefix("data: "))
    assert event["shown"]["packet"] == "p" and "right" not in event["question"]
    assert last.startswith("event: gone")
    assert client.get(f"/class/{room.code}/packet/p").status_code == 404


def test_a_packet_is_sent_compressed_and_may_be_cached(client, room):
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
    device = join_and_follow(client, room)
    assert client.get(f"/class/{room.code}/screen").status_code == 200
    vote(client, room, device)
    assert client.get(f"/class/{room.code}/count").json() == {"phones": 1, "answers": 1}
    picture = client.get(f"/class/{room.code}/qr", headers={"X-Forwarded-Proto": "https"})
    assert picture.headers["content-type"].startswith("image/svg") and b"<svg" in picture.content
    assert client.get("/class/AAAAAA/count").status_code == 404


def test_a_phone_that_slept_gets_missed_events_once(client, room):
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
    def raise_unreachable(*args: object) -> None:
        raise StoreError("Redis does not answer: ConnectionError")

    monkeypatch.setattr(hub().store, "get", raise_unreachable)
    for answer in (client.get(f"/class/{room.code}/events"), send(client, room, "join")):
        assert answer.status_code == 503 and answer.json() == {"error": "offline"}


def events_after(room: Room, *changes: Callable[[], object]) -> list[bytes]:
    """What one connection gets after each change of its room."""

    async def follow() -> list[bytes]:
        stream, parts = streams.events(room.code), []
        for change in changes:
            change()
            parts.append(await anext(stream))
        await stream.aclose()
        return parts

    return run_coroutine(follow())


def test_a_connection_sends_each_packet_once(room):
    parts = events_after(
        room,
        lambda: room.show({"packet": "one", "state": {}}, packet=b"one"),
        lambda: room.show({"packet": "one", "state": {"head": 1}}),
        lambda: room.show({"packet": "two", "state": {}}, packet=b"two"),
        room.close,
    )
    assert [re.findall(rb"event: (\w+)", part) for part in parts] == [[b"packet"], [], [b"packet"], [b"gone"]]
    assert b"data: two " in parts[2] and b'"head":1' in parts[1]


def test_a_connection_sends_an_experiments_picture_once_even_if_it_is_shown_again(room):
    with_picture = {"packet": "one", "experiment": "picture-a"}
    parts = events_after(
        room,
        lambda: room.show({"packet": "one"}, packet=b"one"),
        lambda: room.show(with_picture, picture=b"the picture"),
        room.reveal,
        lambda: room.show({"packet": "one"}),
        lambda: room.show(with_picture),
    )
    parts += events_after(room, lambda: None)
    brought = [re.findall(rb"data: (one|picture-a) ", part) for part in parts]
    assert brought == [[b"one"], [b"picture-a"], [], [], [], [b"one", b"picture-a"]]
    assert all(b'"experiment":"picture-a"' in parts[place] for place in (1, 2, 4, 5))
