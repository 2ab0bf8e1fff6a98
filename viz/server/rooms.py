"""The students' routes: a small page, its events, and what a phone may send. No route here can act as the teacher."""

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from viz import imports
from viz.environment import JOINS_VARIABLE, positive_number
from viz.rooms.door import RoomError
from viz.rooms.hub import hub
from viz.rooms.opener import rate_limit_key
from viz.rooms.room import Room, tidy_code
from viz.rooms.store import StoreError
from viz.server import qr
from viz.server.streams import EventStream
from viz.server.visitors import Rate, is_own_page

log = logging.getLogger(__name__)
PREFIX = "class"
MAX_BYTES = 2_048
"""The largest body of a request, in bytes."""
MAX_BYTES_WRITTEN = 8_192
"""The same of one with a written word, whose text has at most 6,004 characters."""
BODY_SECONDS = 10.0
"""Timeout of a request's body."""
SECONDS_BETWEEN = 1.0
"""Seconds between two requests of a device; faster ones are refused."""
JOINS = 60
"""Phones that may join a room from one address at once, and again in each further minute. A class of 40 behind one
address joins without waiting, two classes within a minute; a hall of 300 in four minutes, while its phones try again by
themselves. One client that fills a room of 500 needs seven minutes, in which the teacher can close the door."""
DEVICE_HEADER = "Regard-Device"
"""With which a phone opens its event stream. In the address its name would be in the logs of proxies."""
_STATUS = {"gone": 404, "removed": 404, "full": 409, "twice": 409, "closed": 409, "invalid": 400, "empty": 400,
           "fast": 429, "busy": 429, "large": 413, "slow": 408, "stranger": 403, "door": 403, "foreign": 403,
           "offline": 503}  # fmt: skip
_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
_WORD = re.compile(r"[!-~]{1,80}")
sending = Rate(at_once=1, per_second=1 / SECONDS_BETWEEN)


@cache
def joining() -> Rate:
    """The rate of joining, by address and room."""
    at_once = positive_number(JOINS_VARIABLE, JOINS)
    return Rate(at_once, at_once / 60)


Answer = Callable[[Request, Room, dict[str, Any]], Awaitable[Response]]


def routes() -> list[Route]:
    """The routes for the page, its events, and what phones send."""
    at = f"/{PREFIX}/{{code}}"
    return [
        Route(f"/{PREFIX}", _door),
        Route(at, _reaching(_page)),
        Route(f"{at}/screen", _reaching(_page)),
        Route(f"{at}/qr", _reaching(_qr)),
        Route(f"{at}/count", _reaching(_count)),
        Route(f"{at}/events", _reaching(_events)),
        Route(f"{at}/packet/{{name}}", _reaching(_packet)),
        Route(f"{at}/join", _taking(_join), methods=["POST"]),
        Route(f"{at}/vote", _taking(_vote), methods=["POST"]),
        Route(f"{at}/sentence", _taking(_sentence), methods=["POST"]),
        Route(f"{at}/writing", _taking(_writing, max_bytes=MAX_BYTES_WRITTEN), methods=["POST"]),
    ]


async def _door(request: Request) -> Response:
    code = _parameter(request, "code").strip().upper()
    if code:
        return RedirectResponse(f"{PREFIX}/{code}" if code.isalnum() else PREFIX, status_code=303)
    return await _written_response(request)


async def _page(request: Request) -> Response:
    return await _written_response(request, status=404 if await _find(request) is None else 200)


async def _written_response(request: Request, status: int = 200) -> Response:
    await asyncio.to_thread(imports.import_all)
    from viz.server import phone

    language = phone.language_of(request.headers.get("accept-language", ""), _parameter(request, "language"))
    headers = {"Content-Security-Policy": phone.POLICY, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return HTMLResponse(await asyncio.to_thread(phone.page, language), status, headers)
    packed = await asyncio.to_thread(phone.packed_page, language)
    return HTMLResponse(packed, status, headers | {"Content-Encoding": "gzip"})


async def _events(request: Request) -> Response:
    room = await _room(request)
    if request.method == "HEAD":
        return Response(media_type="text/event-stream")
    device = request.headers.get(DEVICE_HEADER, "")
    if device and not _NAME.fullmatch(device):
        return _refusal("stranger")
    if device:
        await asyncio.to_thread(room.join, device)
    return EventStream(_address(request), room.code, device)


async def _packet(request: Request) -> Response:
    # A whole class requests it at once; anyone who knows the room and the name can read it.
    code, name = tidy_code(request.path_params["code"]), request.path_params["name"]
    blob = await hub().packet(code, name) if code and _NAME.fullmatch(name) else None
    if blob is None:
        return _refusal("gone")
    headers = {"Content-Encoding": "gzip", "Cache-Control": "private, max-age=43200, immutable"}
    return Response(blob, media_type="application/octet-stream", headers=headers)


async def _count(request: Request) -> Response:
    """How many phones there are and how many have answered, without the answers."""
    room = await _room(request)
    phones, answers = await asyncio.to_thread(room.counted)
    return JSONResponse({"phones": phones, "answers": answers}, headers={"Cache-Control": "no-store"})


async def _qr(request: Request) -> Response:
    """The room's address as a QR code, with the host name of this request."""
    room = await _room(request)
    address = str(request.url.replace(path=request.url.path.replace(request.path_params["code"], room.code), query=""))
    picture = await qr.picture(room.code, address.removesuffix("/qr"))
    if picture is None:
        return _refusal("fast")
    return Response(picture, media_type="image/svg+xml", headers={"Cache-Control": "private, max-age=3600"})


def _reaching(answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """A route that reports when the store of rooms does not answer; a phone then tries again."""

    async def route(request: Request) -> Response:
        try:
            return await answer(request)
        except RoomError as error:
            return _refusal(error.reason)
        except StoreError as error:
            log.warning("rooms: %s", error)
            return _refusal("offline")

    return route


def _taking(answer: Answer, *, max_bytes: int = MAX_BYTES) -> Callable[[Request], Awaitable[Response]]:
    """A route that receives data: it checks origin, size, room, rate and shape, and refuses with a one-word reason."""

    async def route(request: Request) -> Response:
        if not is_own_page(request.headers):
            return _refusal("foreign")
        room = await _room(request)
        try:
            async with asyncio.timeout(BODY_SECONDS):
                sent = await _sent_object(request, max_bytes)
        except TimeoutError:
            return _refusal("slow")
        return await answer(request, room, sent)

    return _reaching(route)


async def _sent_object(request: Request, max_bytes: int) -> dict[str, Any]:
    """The object in a request's body; raises RoomError when there is none, or it is too large or too deep."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > max_bytes:
            raise RoomError("large")
    try:
        sent = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise RoomError("invalid") from None
    if not isinstance(sent, dict):
        raise RoomError("invalid")
    return sent


async def _join(request: Request, room: Room, sent: dict[str, Any]) -> Response:
    previous = sent.get("device")
    previous = previous if isinstance(previous, str) and _NAME.fullmatch(previous) else ""
    device = await asyncio.to_thread(room.invite, previous)
    if device != previous and not joining().admits((_address(request), room.code)):
        raise RoomError("fast")
    return JSONResponse({"device": device})


async def _vote(request: Request, room: Room, sent: dict[str, Any]) -> Response:
    device, question, vote = _words(sent, "device", "question", "vote")
    if vote.startswith("ink."):  # a written word has a route of its own, which looks at it
        raise RoomError("invalid")
    try:
        await _admit(room, device, await asyncio.to_thread(_rate_name, room, question, vote))
        await asyncio.to_thread(room.vote, device, question, vote)
    except RoomError as error:
        # The vote that counts, because the answer to an earlier request may have been lost.
        counted = await asyncio.to_thread(room.counted_vote, device, question, vote)
        return _refusal(error.reason, **({} if counted is None else {"vote": counted}))
    return JSONResponse({"vote": vote})


async def _sentence(request: Request, room: Room, sent: dict[str, Any]) -> Response:
    device, text = sent.get("device"), sent.get("text")
    if not (isinstance(device, str) and _NAME.fullmatch(device) and isinstance(text, str)):
        raise RoomError("invalid")
    try:
        await _admit(room, device, "sentence")
        return JSONResponse({"text": await asyncio.to_thread(room.send, device, text)})
    except RoomError as error:
        stored = await asyncio.to_thread(room.sentence_of, device)
        return _refusal(error.reason, **({} if stored is None else {"text": stored}))


async def _writing(request: Request, room: Room, sent: dict[str, Any]) -> Response:
    device, question = _words(sent, "device", "question")
    text = sent.get("text")
    await _admit(room, device, "writing")
    await asyncio.to_thread(imports.import_all)
    if not isinstance(text, str) or not await asyncio.to_thread(_is_written, text):
        raise RoomError("invalid")
    await asyncio.to_thread(room.vote, device, question, text)
    return JSONResponse({})


def _is_written(text: str) -> bool:
    """Whether a text is the text form of a picture with ink in it."""
    from model.picture import Picture, PictureError

    try:
        return text.startswith("ink.") and bool(Picture.of_text(text).pixels.any())
    except PictureError:
        return False


def _rate_name(room: Room, question_id: str, vote: str) -> str:
    """The name of a vote's rate limit: in an open quiz one for each item, in all other cases one for all votes."""
    question = room.question()
    is_item = bool(question and question.id == question_id and question.kind == "quiz" and question.admits(vote))
    return f"vote {vote.partition('.')[0]}" if is_item else "vote"


async def _admit(room: Room, device: str, action: str) -> None:
    """Raises RoomError: "stranger" for a device that has not joined, "fast" for one that sends too often."""
    if not await asyncio.to_thread(room.has, device):
        raise RoomError("stranger")
    if not sending.admits((room.code, device, action)):
        raise RoomError("fast")


def _words(sent: dict[str, Any], *names: str) -> list[str]:
    words = [sent.get(name) for name in names]
    if not all(isinstance(word, str) and _WORD.fullmatch(word) for word in words):
        raise RoomError("invalid")
    return [str(word) for word in words]


def _parameter(request: Request, name: str) -> str:
    return parse_qs(request.url.query).get(name, [""])[0]


async def _room(request: Request) -> Room:
    """The room of the address; raises RoomError when there is none."""
    room = await _find(request)
    if room is None:
        raise RoomError("gone")
    return room


async def _find(request: Request) -> Room | None:
    """The room of the address; None without any work when the code cannot be one."""
    code = tidy_code(request.path_params["code"])
    return await asyncio.to_thread(Room.find, hub().store, code) if code else None


def _address(request: Request) -> str:
    return rate_limit_key(request.client.host if request.client else "")


def _refusal(reason: str, **more: str) -> JSONResponse:
    return JSONResponse({"error": reason, **more}, status_code=_STATUS[reason], headers={"Cache-Control": "no-store"})
