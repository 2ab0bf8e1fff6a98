"""ASGI middleware around Streamlit's own: headers, the visitor's cookie, and the frame's style sheet in the page."""

import os
import re
import secrets
from functools import lru_cache
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from viz.environment import METRICS_VARIABLE, REPLICA_VARIABLE, VISITOR_COOKIE
from viz.server.sockets import Sockets
from viz.server.upload_bound import UploadBound
from viz.server.visitors import VisitorAddress

CONTENT_SECURITY = "; ".join(
    (
        "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    )
)
"""The browser may load only from this server. Streamlit needs inline code, but no page needs another address."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": CONTENT_SECURITY,
}
"""Set on responses that do not have their own."""
REPLICA_HEADER = "X-Regard-Replica"
"""Names this server to the proxy in front of it, which keeps a visitor with one replica (deploy/nginx)."""


class SecurityHeaders:
    """ASGI middleware that adds ``HEADERS`` to every HTTP response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        replica = os.environ.get(REPLICA_VARIABLE, "")
        # The proxy puts the name into a cookie, so it is a plain word or nothing.
        self.headers = {**HEADERS, REPLICA_HEADER: replica} if replica.isalnum() else HEADERS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and add the missing headers to the response."""

        async def completed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, completed if scope["type"] == "http" else send)


class ClosedMetrics:
    """ASGI middleware that closes Streamlit's metrics, which show the number of visitors and their memory."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.is_open = os.environ.get(METRICS_VARIABLE) == "1"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or respond that there is no such page."""
        is_asked = scope["type"] == "http" and scope["path"].rstrip("/").endswith("/_stcore/metrics")
        answer = PlainTextResponse("Not Found", 404) if is_asked and not self.is_open else self.app
        await answer(scope, receive, send)


_COOKIE = ("Path=/", f"Max-Age={400 * 86_400}", "HttpOnly", "SameSite=Lax")
"""400 days are the most that browsers keep a cookie."""


class Visitors:
    """ASGI middleware that gives a browser its name with the first page that it requests."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; add the cookie to the response if the browser has none."""
        if scope["type"] != "http" or VISITOR_COOKIE in HTTPConnection(scope).cookies:
            await self.app(scope, receive, send)
            return

        async def named(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    secure = ("Secure",) if scope["scheme"] == "https" else ()
                    cookie = (f"{VISITOR_COOKIE}={secrets.token_urlsafe(24)}", *_COOKIE, *secure)
                    headers.append("Set-Cookie", "; ".join(cookie))
            await send(message)

        await self.app(scope, receive, named)


_SHEET = Path(__file__).parents[1] / "frame/frame.css"
_END_OF_HEAD = b"</head>"


@lru_cache(maxsize=1)
def style() -> bytes:
    """The style sheet as an element, without comments and line breaks."""
    sheet = re.sub(r"/\*.*?\*/", "", _SHEET.read_text("utf-8"), flags=re.DOTALL)
    return f"<style>{' '.join(sheet.split())}</style>".encode()


class FirstStyle:
    """ASGI middleware that adds ``style`` to the head of Streamlit's page: from the first run it would come late, and
    move what is drawn."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; where it asks for a page, pass the answer on with the style in its head."""
        is_get = scope["type"] == "http" and scope["method"] == "GET"
        if not is_get or "text/html" not in Headers(scope=scope).get("accept", ""):
            return await self.app(scope, receive, send)
        uncompressed = dict(scope)
        uncompressed["headers"] = [header for header in scope["headers"] if header[0].lower() != b"accept-encoding"]
        start: Message | None = None
        body = b""

        async def styled(message: Message) -> None:
            """Forward a response; a page is buffered until it is complete."""
            nonlocal start, body
            if message["type"] == "http.response.start" and _is_page(message):
                start = message
                return
            if start is None or message["type"] != "http.response.body":
                await send(message)
                return
            body += message.get("body", b"")
            if message.get("more_body"):
                return
            body = body.replace(_END_OF_HEAD, style() + _END_OF_HEAD, 1)
            headers = MutableHeaders(scope=start)
            headers["content-length"] = str(len(body))
            for name in ("etag", "last-modified"):  # of the page without the style
                del headers[name]
            await send(start)
            start = None
            await send({**message, "body": body})

        return await self.app(uncompressed, receive, styled)


def _is_page(message: Message) -> bool:
    headers = Headers(raw=message["headers"])
    is_html = headers.get("content-type", "").startswith("text/html")
    return message["status"] == 200 and is_html and "content-encoding" not in headers


def middleware() -> list[Middleware]:
    """Middleware around Streamlit's own, outermost first."""
    ours = (VisitorAddress, SecurityHeaders, ClosedMetrics, Sockets, UploadBound, Visitors, FirstStyle)
    return [Middleware(layer) for layer in ours]
