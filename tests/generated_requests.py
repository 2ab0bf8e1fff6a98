"""Generated requests to each route of the application, while the health route is timed.

    python -m tests.generated_requests                   10,000 to each route of a server that it starts
    python -m tests.generated_requests --requests 500

Hypothesis generates paths, methods, headers and bodies. Every request must be answered within ``SLOWEST`` seconds,
without a server error, a path of the server in the response, or an unadmitted vote or phone in the room. It prints
the statuses of each route, and the health route's median and slowest time.
"""

import argparse
import http.client
import json
import statistics
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import quote, urlsplit

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.questions import make_question
from tests.serving import ROOT, redis_server, server
from viz.components.code import digest
from viz.rooms.redis_store import RedisStore
from viz.rooms.room import LETTERS, Room

SLOWEST = 60.0
"""The longest response time in seconds."""
METHODS = ("GET", "GET", "GET", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "QUERY")
LEAVES = ("", "/screen", "/qr", "/count", "/events", "/packet/{}", "/join", "/vote", "/sentence")
SUPPRESSED = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
ROUTES = ("/class", *(f"/class/{{code}}{leaf}" for leaf in LEAVES), "/code/{digest}/{path}", "/engine/setup/{}",
          "/engine/model/{}")  # fmt: skip


@dataclass
class ServerUnderTest:
    """The server under test, with its responses and health checks."""

    address: str
    room: Room
    devices: list[str]
    answers: dict[str, Counter[int]] = field(default_factory=dict)
    beats: list[float] = field(default_factory=list)


@contextmanager
def running(folder: str) -> Iterator[ServerUnderTest]:
    """A public server with a room, a question and two phones, whose health route is polled."""
    with ExitStack() as stack:
        redis = stack.enter_context(redis_server(Path(folder)))
        environment = {"REGARD_PUBLIC": "1", "REGARD_REDIS_URL": redis, "REGARD_RUNS": f"{folder}/runs"}
        address, _ = stack.enter_context(server(environment=environment))
        room, _ = Room.open(RedisStore(redis), most_devices=50)
        target = ServerUnderTest(address, room, [room.join(), room.join()])
        room.show({"packet": "p" * 16, "state": {}}, packet=b"bytes")
        room.ask(make_question())
        send_request(address, "GET", "/engine/setup/en", b"", {})  # the first visit's imports are not timed
        is_over = threading.Event()
        thread = threading.Thread(target=_beat, args=(target, is_over), daemon=True)
        thread.start()
        yield target
        is_over.set()
        thread.join()


def _beat(target: ServerUnderTest, is_over: threading.Event) -> None:
    while not is_over.wait(0.05):
        start = time.monotonic()
        line = http.client.HTTPConnection(urlsplit(target.address).netloc, timeout=60)
        line.request("GET", "/_stcore/health")
        assert line.getresponse().status == 200
        line.close()
        target.beats.append(time.monotonic() - start)


def requests(target: ServerUnderTest, route: str) -> st.SearchStrategy[tuple[str, str, bytes, dict[str, str]]]:
    """A strategy for requests to a route: method, path, body and headers."""
    text = st.text(max_size=40)
    known = st.sampled_from([target.room.code, target.room.code.lower()])
    codes = st.one_of(known, st.text(LETTERS, min_size=6, max_size=6), st.text(max_size=12),
                      st.integers(7, 3_000).map(lambda n: "A" * n))  # fmt: skip
    names = st.one_of(st.just("p" * 16), st.sampled_from(["en", "zh", "fr", "model.json"]), text)
    words = {"code": codes, "digest": st.one_of(st.just(digest()), text),
             "path": st.one_of(st.just("shared/dom.js"), st.just("../cache.py"), text)}  # fmt: skip
    parts = st.fixed_dictionaries({name: kind for name, kind in words.items() if f"{{{name}}}" in route})
    queries = st.one_of(
        st.just(""), text.map(lambda query: f"?code={quote(query)}"), text.map(lambda query: f"?{quote(query)}")
    )
    paths = st.tuples(parts, names, queries).map(
        lambda drawn: route.format(quote(drawn[1], safe=""),
                                   **{name: quote(text, safe="/") for name, text in drawn[0].items()}) + drawn[2]
    )  # fmt: skip
    return st.tuples(st.sampled_from(METHODS), paths, _bodies(target), _headers(target))


def _bodies(target: ServerUnderTest) -> st.SearchStrategy[bytes]:
    leaves = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=30),
                       st.sampled_from([*target.devices, "q#1", "quiz.before", "0", "1", "0.1", "\ud800"]))  # fmt: skip
    values = st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner)
    )
    fields = st.fixed_dictionaries({}, optional=dict.fromkeys(("device", "question", "vote", "text"), values))
    return st.one_of(
        fields.map(lambda body: json.dumps(body).encode()), values.map(lambda body: json.dumps(body).encode()),
        st.binary(max_size=3_000), st.integers(1, 2_000).map(lambda n: b"[" * n), st.just(b""),
    )  # fmt: skip


def _headers(target: ServerUnderTest) -> st.SearchStrategy[dict[str, str]]:
    plain = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=60)
    headers = {
        "Origin": st.one_of(st.just(target.address), st.just("null"), plain), "Accept-Language": plain,
        "Accept-Encoding": st.sampled_from(["gzip", "identity", "br;q=1"]), "Content-Type": plain, "Range": plain,
        "Regard-Device": st.one_of(st.sampled_from(target.devices), plain), "X-Forwarded-For": plain,
        "X-Forwarded-Proto": plain, "Cookie": plain, "Host": st.one_of(st.just("x"), plain), "If-None-Match": plain,
    }  # fmt: skip
    return st.fixed_dictionaries({}, optional=headers)


def try_route(target: ServerUnderTest, route: str, count: int) -> None:
    """Send ``count`` generated requests to a route; an assertion names one with a wrong response."""
    statuses = target.answers.setdefault(route, Counter())

    @settings(max_examples=count, deadline=None, database=None, derandomize=True, suppress_health_check=SUPPRESSED)
    @given(requests(target, route))
    def check_response(request: tuple[str, str, bytes, dict[str, str]]) -> None:
        method, path, body, headers = request
        status, response = send_request(target.address, method, path, body, headers)
        assert status < 500, request
        assert b"Traceback" not in response and str(ROOT).encode() not in response, request
        statuses[status] += 1

    check_response()
    devices = {phone.device for phone in target.room.phones()}
    assert devices == set(target.devices), "no phone that the room did not name"
    assert set(target.room.votes("q#1")) <= devices and set(target.room.tally("q#1")) <= {"0", "1"}


def send_request(address: str, method: str, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
    line = http.client.HTTPConnection(urlsplit(address).netloc, timeout=SLOWEST)
    try:
        line.request(method, path, body or None, headers)
        answer = line.getresponse()
        is_stream = answer.getheader("content-type", "").startswith("text/event-stream")
        return answer.status, b"" if is_stream else answer.read()
    finally:
        with suppress(OSError):
            line.close()


def main() -> None:
    """Send all requests and print the table."""
    import tempfile

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=10_000, help="for each route")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, running(folder) as target:
        tell = partial(print, flush=True)
        for route in ROUTES:
            first_beat = len(target.beats)
            try_route(target, route, chosen.requests)
            beats = target.beats[first_beat:] or [0.0]
            summary = ", ".join(f"{status} {times:,} times" for status, times in sorted(target.answers[route].items()))
            tell(f"| `{route}` | {summary} | {statistics.median(beats):.3f}, {max(beats):.2f} |")


if __name__ == "__main__":
    main()
