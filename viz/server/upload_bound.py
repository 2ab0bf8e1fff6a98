"""Limits uploads by the bytes received, not those announced: Streamlit keeps files in memory until a session ends."""

from __future__ import annotations

import asyncio
import errno
import logging
import threading
from collections import Counter

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime import Runtime

from viz import imports
from viz.rooms.opener import rate_limit_key

log = logging.getLogger(__name__)
_PATH = "/_stcore/upload_file/"
_MIB = 1 << 20
_OVERHEAD = 1 << 16
"""Bytes that a browser adds around a file."""
SILENCE_SECONDS = 10.0
"""Timeout between two parts of an upload."""
SHARE = 0.5
"""The share of all uploads that the sessions of one network address may hold together. On a public server 256 MiB: a
class of 30 may upload 8 MiB each."""
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class UploadBound:
    """ASGI middleware that counts each upload's bytes against the limits of a file, a visitor, an address and all."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._guard = threading.Lock()
        self._received: Counter[str] = Counter()  # bytes of uploads in progress, by session
        self._addresses: dict[str, str] = {}  # of each session that has uploaded

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and refuse it as soon as it exceeds a limit."""
        if scope["type"] != "http" or scope["method"] not in ("PUT", "POST") or _PATH not in scope["path"]:
            await self.app(scope, receive, send)
            return
        await asyncio.to_thread(imports.import_all)  # the limits import PyTorch: too slow for the server's start
        size, refusal = _announced_size(Headers(scope=scope))
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        session = scope["path"].partition(_PATH)[2].partition("/")[0]
        address = rate_limit_key((scope.get("client") or ("", 0))[0])
        upload = _Upload(self, session, address, size, receive)
        try:
            self.check(size, session, address)
            await self.app(scope, upload.receive, send)
        except HTTPException as error:
            await PlainTextResponse(error.detail, error.status_code)(scope, receive, send)
        except ClientDisconnect:
            return  # a visitor who leaves during an upload is no error
        except OSError as error:
            if error.errno not in _NO_ROOM:
                raise
            log.warning("an upload was refused: %s", error.strerror)
            await PlainTextResponse("The server's disk is full: try again later.", 507)(scope, receive, send)
        finally:
            self._release(upload)

    def check(self, size: int, session: str, address: str, *, take: bool = False) -> None:
        """Raise HTTPException when a session may not have ``size`` bytes more; with ``take`` they are counted."""
        from model.checkpoints.basis.limits import limits

        bounds = limits()
        with self._guard:
            used = held_bytes(session) + self._received[session]
            if used + size > bounds.session_uploads_mb * _MIB:
                raise HTTPException(413, f"Your files have {used // _MIB:,} MiB, and with this one more than the "
                                    f"{bounds.session_uploads_mb:,} MiB of one visitor: remove some.")  # fmt: skip
            self._addresses[session] = address
            alike = [name for name, session_address in self._addresses.items() if session_address == address]
            if sum(held_bytes(name) + self._received[name] for name in alike) + size > SHARE * bounds.uploads_mb * _MIB:
                raise HTTPException(413, f"Your network's files have more than {SHARE * bounds.uploads_mb:,.0f} MiB "
                                    "together: close pages that you no longer need, or try again later.")  # fmt: skip
            total = held_bytes() + self._received.total()
            if total + size > bounds.uploads_mb * _MIB:
                raise HTTPException(413, f"All visitors' files have {total // _MIB:,} MiB of {bounds.uploads_mb:,} "
                                    "MiB: try again later.")  # fmt: skip
            if take:
                self._received[session] += size

    def _release(self, upload: _Upload) -> None:
        with self._guard:
            self._received[upload.session] -= upload.n_received
            self._received += Counter()  # removes sessions without an upload in progress
            for session in [name for name in self._addresses if not self._received[name] and not held_bytes(name)]:
                del self._addresses[session]


class _Upload:
    """One upload in progress: its bytes are counted as they are received."""

    def __init__(self, bound: UploadBound, session: str, address: str, size: int, receive: Receive) -> None:
        self.session, self.n_received, self.is_complete = session, 0, False
        self._bound, self._address, self._size, self._receive = bound, address, size, receive

    async def receive(self) -> Message:
        """The next part; raises HTTPException when it is late, or exceeds the announced size or a limit."""
        if self.is_complete:
            return await self._receive()
        try:
            async with asyncio.timeout(SILENCE_SECONDS):
                message = await self._receive()
        except TimeoutError:
            raise HTTPException(408, f"Nothing came for {SILENCE_SECONDS:.0f} s: upload the file again.") from None
        n = len(message.get("body", b""))
        if self.n_received + n > self._size:
            raise HTTPException(400, "The upload has more bytes than it announced.")
        self._bound.check(n, self.session, self._address, take=True)
        self.n_received += n
        self.is_complete = not message.get("more_body", False)
        return message


def _announced_size(headers: Headers) -> tuple[int, PlainTextResponse | None]:
    """The announced size of an upload, or the response that refuses it before it is read."""
    from model.checkpoints.basis.limits import limits

    lengths = set(headers.getlist("content-length"))
    if lengths and "transfer-encoding" in headers:
        return 0, PlainTextResponse("An upload says its size or comes in chunks, not both.", 400)
    length = lengths.pop() if len(lengths) == 1 else ""
    if not (length.isascii() and length.isdigit()) or len(length) > 15:
        return 0, PlainTextResponse("An upload must say its size.", 411)
    bounds = limits()
    if int(length) > bounds.max_upload_bytes + _OVERHEAD:
        words = f"The file has {int(length) // _MIB:,} MiB, and the limit is {bounds.max_upload_mb:,} MiB."
        return 0, PlainTextResponse(words, 413)
    return int(length), None


def held_bytes(session: str | None = None) -> int:
    """The memory that the files of one session, or of all sessions, take."""
    if not Runtime.exists():
        return 0
    storage = getattr(Runtime.instance().uploaded_file_mgr, "file_storage", {})
    sessions = list(storage.values()) if session is None else [storage.get(session, {})]
    return sum(len(file.data) for files in sessions for file in list(files.values()))
