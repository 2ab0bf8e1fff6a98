"""The students' routes: a small page, its events, and what a phone may send. No route here can act as the teacher."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from io import BytesIO
from typing import Any
from urllib.parse import parse_qs

import segno
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from viz.rooms.hub import hub
from viz.rooms.room import Room, RoomError, tidy_code
from viz.rooms.store import StoreError

log = logging.getLogger(__name__)
PREFIX = "class"
MOST_BYTES = 2_048
"""The largest body of a request, in bytes."""
SIGN_OF_LIFE = b": here\n\n"
SECONDS_BETWEEN = 1.0
"""Seconds between two requests of a device; faster ones are refused."""
_STATUS = {"gone": 404, "full": 409, "twice": 409, "closed": 409, "invalid": 400, "empty": 400, "fast": 429,
           "large": 413, "stranger": 403, "offline": 503}  # fmt: skip
_last: dict[tuple[str, str], float] = {}

Answer = Callable[[Request, Room, dict[str, Any]], Awaitable[Response]]


def routes() -> list[Route]:
    """The routes for the page, its events, and what phones send."""
    at = f"/{PREFIX}/{{code}}"
    return [
        Route(f"/{PREFIX}", _door),
        Route(at, _page),
        Route(f"{at}/screen", _page),
        Route(f"{at}/qr", _qr),
        Route(f"{at}/count", _reaching(_count)),
        Route(f"{at}/events", _reaching(_events)),
        Route(f"{at}/packet/{{name}}", _reaching(_packet)),
        Route(f"{at}/join", _taking(_join), methods=["POST"]),
        Route(f"{at}/vote", _taking(_vote), methods=["POST"]),
        Route(f"{at}/sentence", _taking(_sentence), methods=["POST"]),
    ]


async def _door(request: Request) -> Response:
    code = _asked(request, "code").strip().upper()
    if code:
        return RedirectResponse(f"{PREFIX}/{code}" if code.isalnum() else PREFIX, status_code=303)
    return await _written(request)


async def _page(request: Request) -> Response:
    return await _written(request)


async def _written(request: Request) -> Response:
    from viz.server import phone

    language = phone.language_of(request.headers.get("accept-language", ""), _asked(request, "language"))
    headers = {"Content-Security-Policy": phone.POLICY, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return HTMLResponse(await asyncio.to_thread(phone.page, language), headers=headers)
    packed = await asyncio.to_thread(phone.packed_page, language)
    return HTMLResponse(packed, headers=headers | {"Content-Encoding": "gzip"})


async def _events(request: Request) -> Response:
    room = await _room(request)
    if room is None:
        return _refused("gone")
    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    return StreamingResponse(_stream(room.code), media_type="text/event-stream", headers=headers)


async def _stream(code: str) -> AsyncIterator[bytes]:
    seat, last, brought = hub().enter(code), b"", ""
    try:
        while (news := await seat.take()) is not None:
            # If every phone of a class requested each new packet, the server would answer the teacher late.
            event = news.event if news.packet == brought else news.whole
            yield event if news.event != last else SIGN_OF_LIFE
            if news.is_last:
                return
            last, brought = news.event, news.packet
    finally:
        hub().leave(code, seat)


async def _packet(request: Request) -> Response:
    # A whole class requests it at once; anyone who knows the room and the name can read it.
    code = tidy_code(request.path_params["code"])
    blob = await hub().packet(code, request.path_params["name"]) if code else None
    if blob is None:
        return _refused("gone")
    headers = {"Content-Encoding": "gzip", "Cache-Control": "private, max-age=43200, immutable"}
    return Response(blob, media_type="application/octet-stream", headers=headers)


async def _count(request: Request) -> Response:
    """How many phones there are and how many have answered, without the answers."""
    room = await _room(request)
    if room is None:
        return _refused("gone")
    phones, answers = await asyncio.to_thread(room.counted)
    return JSONResponse({"phones": phones, "answers": answers}, headers={"Cache-Control": "no-store"})


async def _qr(request: Request) -> Response:
    """The room's address as a QR code, with the host name of this request."""
    scheme = request.headers.get("x-forwarded-proto", request.url.scheme).partition(",")[0].strip()
    address = str(request.url.replace(scheme=scheme, query="")).removesuffix("/qr")
    stream = BytesIO()
    segno.make(address, error="m").save(stream, kind="svg", scale=8, border=3, dark="#111", light="#fff")
    return Response(stream.getvalue(), media_type="image/svg+xml", headers={"Cache-Control": "no-store"})


def _reaching(answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """A route that reports when the store of rooms does not answer; a phone then tries again."""

    async def route(request: Request) -> Response:
        try:
            return await answer(request)
        except StoreError as error:
            log.warning("rooms: %s", error)
            return _refused("offline")

    return route


def _taking(answer: Answer) -> Callable[[Request], Awaitable[Response]]:
    """A route that receives data. It checks size, room, rate and shape, and refuses with one word as the reason."""

    async def route(request: Request) -> Response:
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > MOST_BYTES:
                return _refused("large")
        try:
            sent = json.loads(body or b"{}")
        except ValueError:
            return _refused("invalid")
        room = await _room(request)
        if room is None:
            return _refused("gone")
        if not isinstance(sent, dict):
            return _refused("invalid")
        try:
            return await answer(request, room, sent)
        except RoomError as error:
            return _refused(error.reason)

    return _reaching(route)


async def _join(request: Request, room: Room, sent: dict[str, Any]) -> Response:
    known = sent.get("device")
    if isinstance(known, str) and await asyncio.to_thread(room.has, known):
        return JSONResponse({"device": known})
    return JSONResponse({"device": await asyncio.to_thread(room.join)})


async def _vote(request: Request, room: Room, sent: dict[str, Any]) -> Response:
    device, question, vote = (sent.get(name) for name in ("device", "question", "vote"))
    if not (isinstance(device, str) and isinstance(question, str) and isinstance(vote, str)):
        return _refused("invalid")
    await _admit(room, device, f"vote {vote.partition('.')[0]}" if question.startswith("quiz.") else "vote")
    await asyncio.to_thread(room.vote, device, question, vote)
    return JSONResponse({"vote": vote})


async def _sentence(request: Request, room: Room, sent: dict[str, Any]) -> Response:
    device, text = sent.get("device"), sent.get("text")
    if not (isinstance(device, str) and isinstance(text, str)):
        return _refused("invalid")
    await _admit(room, device, "sentence")
    return JSONResponse({"text": await asyncio.to_thread(room.send, device, text)})


async def _admit(room: Room, device: str, what: str) -> None:
    """Raises RoomError: "stranger" for a device that has not joined, "fast" for one that sends too often."""
    if not await asyncio.to_thread(room.has, device):
        raise RoomError("stranger")
    now, key = time.monotonic(), (f"{room.code} {device}", what)
    if now - _last.get(key, -SECONDS_BETWEEN) < SECONDS_BETWEEN:
        raise RoomError("fast")
    if len(_last) > 50_000:
        for old in [old for old, when in _last.items() if now - when > SECONDS_BETWEEN]:
            del _last[old]
    _last[key] = now


def _asked(request: Request, name: str) -> str:
    return parse_qs(request.url.query).get(name, [""])[0]


async def _room(request: Request) -> Room | None:
    return await asyncio.to_thread(Room.find, hub().store, request.path_params["code"])


def _refused(reason: str) -> JSONResponse:
    return JSONResponse({"error": reason}, status_code=_STATUS[reason], headers={"Cache-Control": "no-store"})
