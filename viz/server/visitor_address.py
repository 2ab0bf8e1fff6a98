"""Puts the visitor's own network address and scheme into every request, from what the proxies in front have seen."""

import logging
import os

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from viz.environment import PROXIES_VARIABLE
from viz.rooms.opener import rate_limit_key, visitor_address

log = logging.getLogger(__name__)
THIS_MACHINE = "::ffff:127.0.0.1"
"""Loopback in a form that Streamlit does not report as "no address", so that visitors of this machine are counted."""

_LOOPBACK = (rate_limit_key("127.0.0.1"), rate_limit_key("::1"))


class VisitorAddress:
    """ASGI middleware that sets ``client`` and ``scheme`` to the visitor's, for every limit that counts by address.

    Without ``REGARD_PROXIES`` the headers of proxies are not read, because then anybody can send them; uvicorn does not
    read them either (viz/server/outside.py).
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        given = os.environ.get(PROXIES_VARIABLE, "")
        self.n_proxies = int(given) if given.isdigit() else 0
        self._is_warned = bool(given)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with the visitor's address."""
        if scope["type"] in ("http", "websocket"):
            headers = Headers(scope=scope)
            forwarded = ",".join(headers.getlist("x-forwarded-for"))
            if forwarded and not self._is_warned:
                self._is_warned = True
                log.warning("A proxy seems to be in front of this server, and its visitors share one address: set %s.",
                            PROXIES_VARIABLE)  # fmt: skip
            scope = {**scope, "client": self._client(scope, forwarded), "scheme": self._scheme(scope, headers)}
        await self.app(scope, receive, send)

    def _client(self, scope: Scope, forwarded: str) -> tuple[str, int]:
        host, port = scope.get("client") or ("", 0)
        address = visitor_address(host, forwarded, self.n_proxies)
        return (THIS_MACHINE if rate_limit_key(address) in _LOOPBACK else address), port

    def _scheme(self, scope: Scope, headers: Headers) -> str:
        told = headers.get("x-forwarded-proto", "").partition(",")[0].strip().lower()
        if not self.n_proxies or told not in ("http", "https"):
            return scope["scheme"]
        return told if scope["type"] == "http" else {"http": "ws", "https": "wss"}[told]
