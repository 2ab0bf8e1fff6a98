"""A random name for each browser, in a cookie that scripts cannot read."""

import secrets

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from viz.environment import VISITOR_COOKIE

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
