"""Adds headers to every response."""

import os
import secrets

from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from viz.environment import METRICS_VARIABLE, REPLICA_VARIABLE, VISITOR_COOKIE
from viz.server.first_style import FirstStyle
from viz.server.limits.sockets import Sockets
from viz.server.limits.upload_bound import UploadBound
from viz.server.visitor_address import VisitorAddress

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


def middleware() -> list[Middleware]:
    """Middleware around Streamlit's own, outermost first."""
    ours = (VisitorAddress, SecurityHeaders, ClosedMetrics, Sockets, UploadBound, Visitors, FirstStyle)
    return [Middleware(each) for each in ours]


DAYS = 400
"""As long as browsers keep a cookie at most."""


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
                    headers.append("Set-Cookie", _cookie(is_secure=scope["scheme"] == "https"))
            await send(message)

        await self.app(scope, receive, named)


def _cookie(*, is_secure: bool) -> str:
    parts = [f"{VISITOR_COOKIE}={secrets.token_urlsafe(24)}", "Path=/", f"Max-Age={DAYS * 86_400}", "HttpOnly",
             "SameSite=Lax", *(["Secure"] if is_secure else [])]  # fmt: skip
    return "; ".join(parts)
