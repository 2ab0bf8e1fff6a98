"""Refuses uploads that are too large before reading them: Streamlit keeps files in memory until their session ends."""

from __future__ import annotations

import threading
from collections import Counter

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.runtime import Runtime

_PATH = "/_stcore/upload_file/"
_MIB = 1 << 20
_SPARE = 1 << 16
"""Bytes that a browser adds around a file."""


class UploadBound:
    """ASGI middleware that compares an upload's announced size with the limits for one file and for all files."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._guard = threading.Lock()
        self._coming: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or respond that it is too large."""
        if scope["type"] != "http" or scope["method"] not in ("PUT", "POST") or _PATH not in scope["path"]:
            await self.app(scope, receive, send)
            return
        announced = dict(scope["headers"]).get(b"content-length", b"")
        if not announced.isdigit() or len(announced) > 15:
            await PlainTextResponse("An upload must say its size.", 411)(scope, receive, send)
            return
        size = int(announced)
        who = scope["path"].partition(_PATH)[2].partition("/")[0]
        refusal = self._take(size, who)
        if refusal:
            await PlainTextResponse(refusal, 413)(scope, receive, send)
            return
        try:
            await self.app(scope, receive, send)
        finally:
            with self._guard:
                self._coming[who] -= size
                self._coming += Counter()  # sessions without an upload in progress are left out

    def _take(self, size: int, who: str) -> str:
        """Reserve room for an upload; return why there is none, or "" when it was reserved."""
        from model.checkpoints.limits import limits  # brings PyTorch, which the server's start does not wait for

        bounds = limits()
        if size > bounds.max_upload_bytes + _SPARE:
            return f"The file has {size // _MIB:,} MiB, and the limit is {bounds.max_upload_mb:,} MiB."
        with self._guard:
            own = held_bytes(who) + self._coming[who]
            if own + size > bounds.session_uploads_mb * _MIB:
                return (
                    f"Your files have {own // _MIB:,} MiB, and with this one more than the "
                    f"{bounds.session_uploads_mb:,} MiB of one visitor: remove some."
                )
            held = held_bytes() + self._coming.total()
            if held + size > bounds.uploads_mb * _MIB:
                return f"All visitors' files have {held // _MIB:,} MiB of {bounds.uploads_mb:,} MiB: try again later."
            self._coming[who] += size
        return ""


def held_bytes(session: str | None = None) -> int:
    """The memory that the files of one session, or of all sessions, take."""
    if not Runtime.exists():
        return 0
    storage = getattr(Runtime.instance().uploaded_file_mgr, "file_storage", {})
    chosen = list(storage.values()) if session is None else [storage.get(session, {})]
    return sum(len(file.data) for files in chosen for file in list(files.values()))
