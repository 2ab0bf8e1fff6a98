"""Websockets: allowed origins, connections per address, message rates, and no requests to other servers."""

import contextlib
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit.config import get_option, set_option
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.resolver import silent_resolver
from tests.serving import server
from tests.session import connect_session
from viz.server import sockets
from viz.server.middleware import middleware
from viz.server.visitors import Rate


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(sockets, "Rate", lambda *args: Rate(*args, clock=lambda: now[0]))
    return now


@pytest.fixture
def received():
    return []


@pytest.fixture
def client(clock, received):
    async def echo(socket: WebSocket) -> None:
        await socket.accept()
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                received.append(await socket.receive_bytes())
                await socket.send_bytes(b"ok")

    app = Starlette(routes=[WebSocketRoute("/_stcore/stream", echo)], middleware=middleware())
    return TestClient(app, client=("8.8.8.8", 1))


def send_message(socket, number: int, message: bytes = b"x") -> None:
    for _ in range(number):
        socket.send_bytes(message)
        socket.receive_bytes()


def test_a_socket_that_sends_too_fast_is_closed_with_the_reason(client, clock, received):
    with client.websocket_connect("/_stcore/stream") as socket:
        send_message(socket, sockets.AT_ONCE)
        clock[0] += 1
        send_message(socket, sockets.PER_SECOND)
        socket.send_bytes(b"too much")
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_bytes()
    assert (closed.value.code, closed.value.reason) == (1008, sockets.TOO_FAST)
    assert b"too much" not in received and len(received) == sockets.AT_ONCE + sockets.PER_SECOND
    with client.websocket_connect("/_stcore/stream") as another:
        send_message(another, 1)


def test_the_log_names_only_the_first_sockets_that_were_closed(client, caplog):
    for _ in range(20):
        with client.websocket_connect("/_stcore/stream") as socket, contextlib.suppress(WebSocketDisconnect):
            send_message(socket, sockets.AT_ONCE + 1)
    assert len([record for record in caplog.records if "was closed" in record.message]) == 5


def test_large_messages_count_for_many(client, received):
    with client.websocket_connect("/_stcore/stream") as socket:
        send_message(socket, 4, bytes(sockets.UNIT * 24))
        socket.send_bytes(bytes(sockets.UNIT * 24))
        with pytest.raises(WebSocketDisconnect):
            socket.receive_bytes()
    assert len(received) == 4


def test_one_address_opens_so_many_and_more_later(client, clock, monkeypatch):
    for _ in range(sockets.OPENED_AT_ONCE):
        with client.websocket_connect("/_stcore/stream"):
            pass
    with pytest.raises(WebSocketDenialResponse) as refused, client.websocket_connect("/_stcore/stream"):
        pass
    assert (refused.value.status_code, refused.value.text) == (429, sockets.TOO_MANY)
    clock[0] += 1 / sockets.OPENED_PER_SECOND
    with client.websocket_connect("/_stcore/stream") as socket:
        send_message(socket, 1)
    clock[0] += 100
    monkeypatch.setattr(sockets, "MAX_OPEN", 2)
    with (
        client.websocket_connect("/_stcore/stream"),
        client.websocket_connect("/_stcore/stream"),
        pytest.raises(WebSocketDenialResponse),
        client.websocket_connect("/_stcore/stream"),
    ):
        pass
    with client.websocket_connect("/_stcore/stream"):
        pass


@pytest.mark.nightly
def test_programs_on_this_machine_open_as_many_as_they_like(client):
    local_client = TestClient(client.app, client=("127.0.0.1", 1))
    for _ in range(sockets.OPENED_AT_ONCE + 1):
        with local_client.websocket_connect("/_stcore/stream"):
            pass


@pytest.mark.parametrize(
    ("origin", "is_taken"),
    [
        (None, True),
        ("http://testserver", True),
        ("https://TESTSERVER", True),
        ("https://named.example", True),
        ("http://named.example", False),
        ("http://testserver:81", False),
        ("http://evil.example", False),
        ("http://localhost", False),
        ("null", False),
        ("", False),
        ("http://[", False),
        ("http://testserver.evil.example", False),
        ("http://evil.example/testserver", False),
    ],
)
def test_pages_of_this_server_and_of_named_sites_open_a_socket_and_no_others(client, origin, is_taken):
    before = get_option("server.corsAllowedOrigins")
    set_option("server.corsAllowedOrigins", ["https://named.example/"])
    try:
        headers = {} if origin is None else {"Origin": origin}
        with contextlib.ExitStack() as stack:
            if not is_taken:
                stack.enter_context(
                    pytest.raises(WebSocketDenialResponse, check=lambda error: error.status_code == 403)
                )
            with client.websocket_connect("/_stcore/stream", headers=headers) as socket:
                send_message(socket, 1)
    finally:
        set_option("server.corsAllowedOrigins", before)


def test_no_server_outside_is_asked_at_the_start_nor_by_a_foreign_page(tmp_path: Path, capfd):
    """Without internet: DNS queries are never answered."""
    environment, log = silent_resolver(tmp_path)
    with server(environment=environment, bind="0.0.0.0") as (address, _):
        place = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
        for _ in range(3):
            with pytest.raises(InvalidStatus) as refused:
                connect(place, origin="http://evil.example", open_timeout=60)  # type: ignore[arg-type]
            assert refused.value.response.status_code == 403
        with connect_session(address, patience=120) as visitor:
            visitor.open("", {})
            assert "sentence" in visitor.widget_ids
    assert not log.exists(), log.read_text("utf-8")
    assert "handshake" not in "".join(capfd.readouterr())  # a refusal is not logged as an error
