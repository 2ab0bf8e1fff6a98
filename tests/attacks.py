"""The attacks of ``python -m tests.attack_server``: one visitor at full speed.

Each runs in a process with the lowest priority, from another local address than the visitor whose clicks are
timed, and returns its result in a few words.
"""

import contextlib
import http.client
import json
import os
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from websockets.exceptions import WebSocketException

from model.files.size import size_of
from tests.checkpoints.blows import drop
from tests.serving import ROOT, descendants
from tests.session import connect_session, upload_head
from viz.rooms.redis_store import RedisStore
from viz.rooms.room import Room

SOURCE, ANOTHER = "127.0.0.2", "127.0.0.3"
"""The attacker's addresses, of which one may exhaust its quota; the visitor has 127.0.0.1."""
FAILED = "FAILED: "
"""The prefix of results in which another visitor was affected."""
MESSAGES = 3_000
"""Messages per second of one websocket."""
LEAVES_WITHIN = 170.0
"""Seconds after which a visitor's data are gone: two minutes in which they may reconnect, and the next collection."""
CLIENTS = 40
Ask = tuple[str, str, bytes, Mapping[str, str]]
"""Method, path, body and headers of a request."""


@dataclass(frozen=True, slots=True)
class Target:
    """The server under attack and the room of a class."""

    address: str
    redis: str
    code: str
    seconds: float
    process: int = 0
    """The server's."""
    folder: Path = Path()
    """Where it keeps its files."""
    most_bytes: int = 0
    """What all runs may take of the disk."""

    @property
    def room(self) -> Room:
        """The room, whose contents are counted."""
        return Room(_store(self.redis), self.code)


@cache
def _store(address: str) -> RedisStore:
    return RedisStore(address)


def flood(target: Target, asks: Callable[[int], Ask], clients: int = CLIENTS) -> Counter[str]:
    """Send requests over many connections as fast as they are answered; returns the count of each status."""
    statuses: Counter[str] = Counter()
    until = time.monotonic() + target.seconds

    def work(first: int) -> None:
        number, line = first, open_connection(target.address)
        while time.monotonic() < until:
            method, path, body, headers = asks(number)
            try:
                line.request(method, path, body or None, dict(headers))
                answer = line.getresponse()
                answer.read()
                statuses[str(answer.status)] += 1
            except (OSError, http.client.HTTPException) as error:
                statuses[type(error).__name__] += 1
                line.close()
                line = open_connection(target.address)
            number += clients

    run_in_threads(work, range(clients))
    return statuses


def run_in_threads(work: Callable[[Any], None], arguments: Iterable[Any]) -> None:
    threads = [threading.Thread(target=work, args=(argument,), daemon=True) for argument in arguments]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def open_connection(address: str, patience: float = 60.0) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(urlsplit(address).netloc, timeout=patience, source_address=(SOURCE, 0))


def format_counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {times:,} times" for name, times in sorted(counts.items())) or "nothing"


def pictures_of_no_room(target: Target) -> str:
    """QR codes for long codes of no room."""
    return format_counts(flood(target, lambda n: ("GET", f"/class/{'ABCDEFGHJ'[n % 9] * 2_250}/qr", b"", {})))


def pictures_for_host_names(target: Target) -> str:
    """QR codes of a room for always new host names."""
    at = f"/class/{target.code}/qr"
    return format_counts(flood(target, lambda n: ("GET", at, b"", {"Host": f"{n}.{'a' * 60}.{'b' * 60}.example"})))


def joining(target: Target) -> str:
    """Join a room repeatedly."""
    before, at = target.room.n_devices(), f"/class/{target.code}/join"
    counts = format_counts(flood(target, lambda n: ("POST", at, b"{}", {})))
    return f"{counts}; {target.room.n_devices() - before} phones more"


def stuffing(target: Target) -> str:
    """Phones that join, follow briefly, vote for many names of questions, and send sentences."""
    room, at = target.room, f"/class/{target.code}"
    until, names, question = time.monotonic() + target.seconds, [], room.question()
    question_id = question.id if question else ""

    def enter(_: int) -> None:
        line = open_connection(target.address, 10)
        while time.monotonic() < until - target.seconds / 2:
            line.request("POST", f"{at}/join", b"{}")
            answer = line.getresponse()
            counts = answer.read()
            if answer.status == 200:
                device = json.loads(counts)["device"]
                with contextlib.suppress(OSError), _raw(target.address) as stream:
                    stream.sendall(f"GET {at}/events HTTP/1.1\r\nHost: x\r\nRegard-Device: {device}\r\n\r\n".encode())
                    stream.recv(4_096)
                names.append(device)

    run_in_threads(enter, range(8))

    def send(n: int) -> Ask:
        device = names[n % len(names)]
        if n % 3:
            body = {"device": device, "question": question_id if n % 2 else f"quiz.{n}", "vote": "0"}
            return "POST", f"{at}/vote", json.dumps(body).encode(), {}
        return "POST", f"{at}/sentence", json.dumps({"device": device, "text": f"Stuffed {n}"}).encode(), {}

    counts = format_counts(flood(replace(target, seconds=target.seconds / 2), send))
    spam = [device for sentence in room.sentences() for device in room.senders(sentence.key)]
    room.remove({*names, *spam})
    return f"{len(set(names))} phones; {counts}; removed with all they sent"


def deep_json(target: Target) -> str:
    """Nested JSON, and requests from a page of another site."""
    at, body = f"/class/{target.code}/join", b"[" * 2_000
    return format_counts(
        flood(target, lambda n: ("POST", at, body, {"Origin": "http://evil.example"} if n % 2 else {}))
    )


def streams(target: Target) -> str:
    """800 event streams from one client."""
    at = f"GET /class/{target.code}/events HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    return hold_connections(target, 800, at, lambda line: line.recv(12)[9:12].decode() or "closed")


def silent_connections(target: Target) -> str:
    """2,000 connections that send half a request."""
    return hold_connections(target, 2_000, b"GET /class HTTP/1.1\r\nHo", lambda line: "open")


def slow_readers(target: Target) -> str:
    """100 connections that request the phones' model and do not read the response."""
    line = open_connection(target.address)
    line.request("GET", "/engine/model/model.json")
    files = json.loads(line.getresponse().read())
    name = next(text for text in texts_in(files) if text.endswith(".safetensors"))
    ask = f"GET /engine/model/{name} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    return hold_connections(target, 100, ask, lambda line: line.recv(12)[9:12].decode() or "closed")


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts_in(item)


@contextlib.contextmanager
def _raw(address: str, source: str = SOURCE) -> Iterator[socket.socket]:
    url = urlsplit(address)
    with socket.create_connection((url.hostname or "", url.port or 80), 60, (source, 0)) as line:
        yield line


def hold_connections(target: Target, count: int, request: bytes, answer_of: Callable[[socket.socket], str]) -> str:
    """Open connections, send the same request on each, and hold them until the time is over."""
    answers: Counter[str] = Counter()
    until = time.monotonic() + target.seconds
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            try:
                line = stack.enter_context(_raw(target.address))
                line.sendall(request)
                answers[answer_of(line)] += 1
            except OSError as error:
                answers[type(error).__name__] += 1
        time.sleep(max(0.0, until - time.monotonic()))
    return format_counts(answers)


def contradictory_upload(target: Target) -> str:
    """450 MB in chunks under a Content-Length of 10."""
    with connect_session(target.address, source=SOURCE, patience=60) as visitor:
        visitor.open("", {})
        n_sent, status, url = 0, b"", visitor.upload_place("model.pt").upload_url
        with _raw(target.address) as line:
            try:
                line.sendall(upload_head(url, "Content-Length: 10", "Transfer-Encoding: chunked"))
                for _ in range(450):
                    line.sendall(b"100000\r\n" + bytes(1 << 20) + b"\r\n")
                    n_sent += 1
            except OSError:
                pass
            with contextlib.suppress(OSError):
                status = line.recv(12)[9:12]
    return f"{status.decode() or 'closed'} after {n_sent} MB"


def silent_uploads(target: Target) -> str:
    """Announce uploads of 60 MB in eight sessions without sending them, while another visitor uploads."""
    with contextlib.ExitStack() as stack:
        for _ in range(8):
            visitor = stack.enter_context(connect_session(target.address, source=SOURCE, patience=60))
            visitor.open("", {})
            url = visitor.upload_place("model.pt").upload_url
            line = stack.enter_context(_raw(target.address))
            line.sendall(upload_head(url, f"Content-Length: {60 << 20}"))
        took = upload_as_another_visitor(target)
        time.sleep(max(0.0, target.seconds - took))
    return f"another visitor's 8 MB came in {took:.1f} s"


def upload_as_another_visitor(target: Target) -> float:
    """Upload 8 MB; returns the seconds that it took."""
    with connect_session(target.address, patience=60) as visitor:
        visitor.open("", {})
        start = time.monotonic()
        visitor._sent("other.pt", bytes(8 << 20))
        return time.monotonic() - start


def many_uploads(target: Target) -> str:
    """Upload 60 MB in as many sessions as possible, while another visitor uploads."""
    until, n_accepted, n_refused = time.monotonic() + target.seconds, 0, 0
    with contextlib.ExitStack() as stack:
        while time.monotonic() < until and n_refused < 5:
            visitor = stack.enter_context(connect_session(target.address, source=SOURCE, patience=60))
            visitor.open("", {})
            try:
                visitor._sent("model.pt", bytes(60 << 20))
                n_accepted += 1
            except (RuntimeError, OSError):
                n_refused += 1
        upload_as_another_visitor(target)
    return f"{n_accepted} files taken, {n_refused} refused; another visitor's 8 MB came"


def many_rooms(target: Target) -> str:
    """Open 30 rooms under forged addresses."""
    opened = [can_open_room(target, SOURCE, {"X-Forwarded-For": f"8.8.{n}.8"}) for n in range(30)]
    return format_counts(Counter("opened" if is_opened else "refused" for is_opened in opened))


def fast_socket(target: Target) -> str:
    """A websocket that sends 3,000 messages per second and reconnects when it is closed."""
    closings: Counter[str] = Counter()
    until, message = time.monotonic() + target.seconds, BackMsg(rerun_script=ClientState()).SerializeToString()
    while time.monotonic() < until:
        try:
            with connect_session(target.address, source=ANOTHER, patience=60) as visitor:
                while time.monotonic() < until:
                    for _ in range(MESSAGES // 20):
                        visitor.socket.send(message)
                        closings["messages"] += 1
                    time.sleep(1 / 20)
        except (OSError, WebSocketException) as error:
            code = getattr(getattr(error, "rcvd", None), "code", None)
            closings[f"closed with {code}" if code else "refused"] += 1
            time.sleep(0.05)
    return format_counts(closings)


def foreign_origins(target: Target) -> str:
    """40 connections that open websockets with the origin of another site."""
    results: Counter[str] = Counter()
    until = time.monotonic() + target.seconds
    request = (
        f"GET /_stcore/stream HTTP/1.1\r\nHost: {urlsplit(target.address).netloc}\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nOrigin: http://evil.example\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )

    def work(_: int) -> None:
        while time.monotonic() < until:
            try:
                with _raw(target.address, ANOTHER) as line:
                    line.sendall(request.encode())
                    results[line.recv(12)[9:12].decode() or "closed"] += 1
            except OSError as error:
                results[type(error).__name__] += 1

    run_in_threads(work, range(CLIENTS))
    dns_log = target.folder / "asked"
    names = f"{FAILED}it asked for {dns_log.read_text('utf-8').split()}; " if dns_log.exists() else ""
    return f"{names}{FAILED if results['101'] else ''}{format_counts(results)}"


def visitors_address_forged(target: Target) -> str:
    """Open 40 rooms, half of them with the visitor's address in X-Forwarded-For; then another visitor opens one."""
    results: Counter[str] = Counter()
    for n in range(40):
        forged = {"X-Forwarded-For": ANOTHER} if n % 2 else {}
        results["opened" if can_open_room(target, ANOTHER, forged) else "refused"] += 1
    other_opens = can_open_room(target, "", {})
    is_bounded = results["opened"] <= 20
    verdict = f"another visitor's is {'' if other_opens else 'not '}opened"
    return f"{'' if other_opens and is_bounded else FAILED}{format_counts(results)}; {verdict}"


def can_open_room(target: Target, source: str, headers: Mapping[str, str]) -> bool:
    with connect_session(target.address, source=source, patience=60, headers=headers) as visitor:
        visitor.open("room", {})
        visitor.press("room_open")
        return "room_offer" in visitor.widget_ids or "room_ask" in visitor.widget_ids


def many_short_runs(target: Target) -> str:
    """Start short runs in always new sessions, while their disk use is watched."""
    results: Counter[str] = Counter()
    largest, is_over = [0], threading.Event()

    def watch() -> None:
        while not is_over.wait(0.2):
            largest[0] = max(largest[0], size_of(target.folder / "runs"))

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    until = time.monotonic() + 3 * target.seconds
    while time.monotonic() < until and results.total() < 40:
        with connect_session(target.address, source=ANOTHER, patience=60) as visitor:
            visitor.open("fine_tune", {"model": "tiny", "tune.steps": "10"})
            visitor.press("tune_start")
            results["queued" if "tune_stop" in visitor.widget_ids else "refused"] += 1
    is_over.set()
    watching.join()
    is_bounded = largest[0] <= target.most_bytes
    disk = f"{largest[0] >> 20:,} of {target.most_bytes >> 20:,} MiB of the disk at most"
    return f"{'' if is_bounded else FAILED}{format_counts(results)}; {disk}"


def strangers_model() -> dict[str, bytes]:
    """The files of a small model with an unknown tokenizer of a C++ library."""
    files = {path.name: path.read_bytes() for path in sorted((ROOT / "pretrained/tiny").iterdir())}
    vocabulary = bytearray(files["tokenizer.model"])
    place = vocabulary.rfind(b"es")
    vocabulary[place : place + 2] = b"XX"
    del files["README.md"]
    return files | {"tokenizer.model": bytes(vocabulary)}


def models_left_behind(target: Target) -> str:
    """Open models with C++ tokenizers in sessions that leave; count what remains three minutes later."""
    files, before = strangers_model(), count_leftovers(target)
    for _ in range(4):
        with connect_session(target.address, source=ANOTHER, patience=60) as visitor:
            drop(visitor, files)
    during, until = count_leftovers(target), time.monotonic() + LEAVES_WITHIN
    while time.monotonic() < until and any(
        last > first for last, first in zip(count_leftovers(target), before, strict=True)
    ):
        time.sleep(2)
    after = count_leftovers(target)
    is_gone = all(last <= first for last, first in zip(after, before, strict=True))
    summary = " → ".join(f"{folders} folders, {children} processes" for folders, children in (before, during, after))
    return f"{'' if is_gone else FAILED}{summary}"


def count_leftovers(target: Target) -> tuple[int, int]:
    """The numbers of folders of visitors' files and of processes, without the pre-forked one."""
    folders = [path for path in target.folder.glob("regard-*/*/*") if path.is_dir()]
    processes = list(descendants(target.process))
    return len(folders), len(processes) - any(map(_confines_files, processes))


def _confines_files(process: int) -> bool:
    """Whether a process is a sandbox for files or the process from which sandboxes are forked."""
    with contextlib.suppress(OSError):
        return b"sandbox.zygote" in Path(f"/proc/{process}/cmdline").read_bytes()
    return False


def large_answers(target: Target) -> str:
    """SELECT repeat('x', 300000000) six times, then other queries with large answers."""
    queries = ["SELECT repeat('x', 300000000)"] * 6
    queries += ["SELECT * FROM sentences a, sentences b, sentences c", "SELECT list(range(1000000)) FROM sentences",
                "SELECT * FROM (WITH s AS (SELECT 1) SELECT * FROM sqlite_master)", "SHOW ALL TABLES",
                "SELECT count(*) FROM range(1000000000000)"]  # fmt: skip
    with connect_session(target.address, source=SOURCE, patience=max(30.0, target.seconds)) as visitor:
        visitor.open("corpus", {"corpus.view": "find"})
        for query in queries:
            if "corpus_sql" not in visitor.widget_ids:
                break
            visitor.write("corpus_sql", query)
            if "corpus_sql_run" in visitor.widget_ids:
                visitor.press("corpus_sql_run")
    unnamed = f", {len(visitor.exceptions)} errors without a name" if visitor.exceptions else ""
    return f"{len(queries)} queries answered or refused{unnamed}"


def paused_run(target: Target) -> str:
    """Start and pause a run, while another visitor queues one."""
    with (
        connect_session(target.address, source=SOURCE, patience=60) as visitor,
        connect_session(target.address) as other,
    ):
        for session in (visitor, other):
            session.open("fine_tune", {"model": "tiny", "tune.steps": "500"})
        visitor.press("tune_start")
        until = time.monotonic() + 40
        while "tune_pause" not in visitor.widget_ids and time.monotonic() < until:
            time.sleep(1)
            visitor.open("fine_tune", {"model": "tiny", "tune.steps": "500"})
        is_paused = "tune_pause" in visitor.widget_ids
        if is_paused:
            visitor.press("tune_pause")
        other.press("tune_start")
        state = "queued" if "tune_stop" in other.widget_ids else f"answered with {' / '.join(other.texts)[-200:]}"
        time.sleep(target.seconds)
    return f"{'paused' if is_paused else 'not paused'}; another visitor's run {state}"


ATTACKS: dict[str, Callable[[Target], str]] = {
    "3,000 messages a second": fast_socket,
    "websockets of a foreign page": foreign_origins,
    "40 rooms, its own address forged": visitors_address_forged,
    "short runs, one after the other": many_short_runs,
    "models left behind": models_left_behind,
    "QR codes of 2,250 letters": pictures_of_no_room,
    "QR codes for new host names": pictures_for_host_names,
    "joining a room": joining,
    "votes and sentences of many phones": stuffing,
    "nested JSON, foreign pages": deep_json,
    "800 event streams": streams,
    "2,000 silent connections": silent_connections,
    "100 slow readers": slow_readers,
    "450 MB under Content-Length 10": contradictory_upload,
    "uploads announced, not sent": silent_uploads,
    "60 MB from many sessions": many_uploads,
    "30 rooms, forged addresses": many_rooms,
    "SQL with large answers": large_answers,
    "a run that is paused": paused_run,
}


def attack(name: str, target: Target, results: Any) -> None:
    """Run an attack in this process and report its result."""
    os.nice(19)
    try:
        results.put(ATTACKS[name](target))
    except Exception as error:
        results.put(f"stopped by {type(error).__name__}: {error}"[:200])
