"""Puts the frame's style sheet into the page itself: with the first run it would come late, and move what is drawn."""

import re
from functools import lru_cache
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SHEET = Path(__file__).parents[1] / "frame/frame.css"
_END_OF_HEAD = b"</head>"


@lru_cache(maxsize=1)
def style() -> bytes:
    """The style sheet as an element, without comments and line breaks."""
    sheet = re.sub(r"/\*.*?\*/", "", _SHEET.read_text("utf-8"), flags=re.DOTALL)
    return f"<style>{' '.join(sheet.split())}</style>".encode()


class FirstStyle:
    """ASGI middleware that adds ``style`` to the head of Streamlit's HTML page."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; where it asks for a page, pass the answer on with the style in its head."""
        is_get = scope["type"] == "http" and scope["method"] == "GET"
        if not is_get or "text/html" not in Headers(scope=scope).get("accept", ""):
            return await self.app(scope, receive, send)
        uncompressed = dict(scope)
        uncompressed["headers"] = [header for header in scope["headers"] if header[0].lower() != b"accept-encoding"]
        return await self.app(uncompressed, receive, _Styled(send))


class _Styled:
    """Forwards a response; a page's is buffered until its head is complete."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self._body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_page(message):
            self._start = message
            return
        if self._start is None or message["type"] != "http.response.body":
            await self._send(message)
            return
        self._body += message.get("body", b"")
        if message.get("more_body"):
            return
        body = self._body.replace(_END_OF_HEAD, style() + _END_OF_HEAD, 1)
        headers = MutableHeaders(scope=self._start)
        headers["content-length"] = str(len(body))
        for name in ("etag", "last-modified"):  # they speak of the page without the style
            del headers[name]
        await self._send(self._start)
        self._start = None
        await self._send({**message, "body": body})


def _is_page(message: Message) -> bool:
    headers = Headers(raw=message["headers"])
    is_html = headers.get("content-type", "").startswith("text/html")
    return message["status"] == 200 and is_html and "content-encoding" not in headers
