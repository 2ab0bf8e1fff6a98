"""Bounds of uploads: sizes, timeouts, and each visitor's share."""

import asyncio
import errno

import pytest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from tests.loops import run_coroutine
from viz.server import upload_bound
from viz.server.middleware import middleware


@pytest.fixture
def uploads(monkeypatch):
    """An application that accepts uploads, and the sizes of the accepted ones."""
    sizes = []

    async def take(request):
        sizes.append(len(await request.body()))
        return Response()

    monkeypatch.setenv("REGARD_MAX_UPLOAD_MB", "1")
    route = Route("/_stcore/upload_file/{session}/{file}", take, methods=["PUT"])
    return Starlette(routes=[route], middleware=middleware()), sizes


FILE = "/_stcore/upload_file/session/file"


def test_an_upload_is_refused_by_its_announced_size_before_it_is_read(uploads, monkeypatch):
    client, sizes = TestClient(uploads[0]), uploads[1]
    assert client.put(FILE, content=bytes(1 << 20)).status_code == 200
    answer = client.put(FILE, content=bytes(2 << 20))
    assert answer.status_code == 413 and "the limit is 1 MiB" in answer.text
    assert client.put(FILE, content=iter([b"x"])).status_code == 411
    monkeypatch.setattr(upload_bound, "held_bytes", lambda session=None: 0 if session else 3 << 20)
    monkeypatch.setenv("REGARD_UPLOADS_MB", "3")
    answer = client.put(FILE, content=b"x")
    assert answer.status_code == 413 and "3 MiB of 3 MiB" in answer.text
    monkeypatch.setattr(upload_bound, "held_bytes", lambda session=None: 2 << 20 if session == "session" else 0)
    monkeypatch.setenv("REGARD_SESSION_UPLOADS_MB", "2")
    answer = client.put(FILE, content=b"x")
    assert answer.status_code == 413 and "the 2 MiB of one visitor" in answer.text
    assert sizes == [1 << 20]


@pytest.mark.parametrize(
    ("headers", "parts", "status"),
    [
        ({"content-length": "10", "transfer-encoding": "chunked"}, [b"x" * 10], 400),
        ({"content-length": "10"}, [b"x" * 6, b"x" * 6], 400),
        ({"content-length": "-1"}, [b"x"], 411),
        ({"content-length": "٣"}, [b"x"], 411),
        ({"content-length": "9" * 15}, [b"x"], 413),
        ({"content-length": "9" * 16}, [b"x"], 411),
        ({"content-length": "10"}, [b"x" * 10], 200),
    ],
)
def test_an_upload_has_the_bytes_that_it_announced(uploads, headers, parts, status):
    assert upload_status(uploads[0], headers, parts) == status
    assert uploads[1] == ([10] if status == 200 else [])


def test_a_silent_upload_is_aborted(uploads, monkeypatch):
    monkeypatch.setattr(upload_bound, "SILENCE_SECONDS", 0.05)
    assert upload_status(uploads[0], {"content-length": "100"}, [b"x" * 10], is_complete=False) == 408


def test_uploads_that_announce_much_and_send_nothing_block_nobody(uploads, monkeypatch):
    monkeypatch.setenv("REGARD_UPLOADS_MB", "2")
    app = uploads[0]

    async def several() -> int:
        headers = {"content-length": str(1 << 20)}
        stalled = [asyncio.create_task(async_upload_status(app, f"/_stcore/upload_file/s{n}/f", headers, []))
                   for n in range(8)]  # fmt: skip
        await asyncio.sleep(0)
        status = await async_upload_status(app, FILE, {"content-length": "10"}, [b"x" * 10])
        for task in stalled:
            task.cancel()
        return status

    assert run_coroutine(several()) == 200


def test_sessions_of_one_address_leave_half_of_all_uploads_to_others(uploads, monkeypatch):
    monkeypatch.setenv("REGARD_UPLOADS_MB", "4")
    reserved = {"a": 1 << 20, "b": 1 << 20}
    monkeypatch.setattr(
        upload_bound, "held_bytes", lambda name=None: reserved.get(name, 0) if name else sum(reserved.values())
    )
    bound = upload_bound.UploadBound(uploads[0])
    bound._addresses |= {"a": "8.8.8.8", "b": "8.8.8.8"}
    with pytest.raises(HTTPException) as refused:
        bound.check(100, "c", "8.8.8.8")
    assert refused.value.status_code == 413 and "Your network's files have more than 2 MiB" in refused.value.detail
    bound.check(100, "c", "9.9.9.9")


def test_a_full_disk_is_an_error_of_one_line():
    async def take(request):
        raise OSError(errno.ENOSPC, "No space left on device")

    route = Route("/_stcore/upload_file/{session}/{file}", take, methods=["PUT"])
    answer = TestClient(Starlette(routes=[route], middleware=middleware())).put(FILE, content=b"x")
    assert answer.status_code == 507 and answer.text == "The server's disk is full: try again later."


def upload_status(app, headers: dict[str, str], parts: list[bytes], *, is_complete: bool = True) -> int:
    """The status of an upload whose parts arrive one by one and then stop."""
    return run_coroutine(async_upload_status(app, FILE, headers, parts, is_complete=is_complete))


async def async_upload_status(
    app, path: str, headers: dict[str, str], parts: list[bytes], *, is_complete: bool = True
) -> int:
    """The status of an upload in the running event loop, which stalls after its parts."""
    remaining, status = list(parts), []

    async def receive() -> dict[str, object]:
        if remaining:
            return {"type": "http.request", "body": remaining.pop(0), "more_body": bool(remaining) or not is_complete}
        return await asyncio.get_running_loop().create_future()

    async def send(message: dict[str, object]) -> None:
        if message["type"] == "http.response.start":
            status.append(message["status"])

    scope = {"type": "http", "method": "PUT", "path": path, "query_string": b"", "client": ("8.8.8.8", 5),
             "server": ("testserver", 80), "scheme": "http",
             "headers": [(name.encode(), value.encode()) for name, value in headers.items()]}  # fmt: skip
    await app(scope, receive, send)
    return status[0]
