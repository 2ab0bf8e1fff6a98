"""Who a request is from: the visitor's network address behind the proxies, whose page sends it, and how often."""

import logging
import os
import time
from collections import OrderedDict
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config

from viz.environment import PROXIES_VARIABLE, positive_number
from viz.rooms.opener import rate_limit_key, visitor_address

log = logging.getLogger(__name__)
THIS_MACHINE = "::ffff:127.0.0.1"
"""Loopback in a form that Streamlit does not report as "no address", so that visitors of this machine are counted."""

_LOOPBACK = (rate_limit_key("127.0.0.1"), rate_limit_key("::1"))


class VisitorAddress:
    """ASGI middleware that sets ``client`` and ``scheme`` to the visitor's, for every limit that counts by address.

    Without ``REGARD_PROXIES`` the headers of proxies are not read, because then anybody can send them; uvicorn does not
    read them either (viz/server/patches.py).
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.n_proxies = positive_number(PROXIES_VARIABLE, 0)
        self._is_warned = bool(os.environ.get(PROXIES_VARIABLE))

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
        scheme = headers.get("x-forwarded-proto", "").partition(",")[0].strip().lower()
        if not self.n_proxies or scheme not in ("http", "https"):
            return scope["scheme"]
        return scheme if scope["type"] == "http" else {"http": "ws", "https": "wss"}[scheme]


def is_own_page(headers: Headers) -> bool:
    """Whether a request comes from a page of this server or of an allowed origin, or carries no origin (no browser).

    Streamlit would also compare the origin with this machine's address on the internet, for which it asks another
    server while every visitor waits.
    """
    origin = headers.get("origin")
    if origin is None or not config.get_option("server.enableCORS"):
        return True
    allowed = {name.strip().rstrip("/").lower() for name in config.get_option("server.corsAllowedOrigins")}
    if origin.rstrip("/").lower() in allowed:
        return True
    try:
        host = urlsplit(origin).netloc.lower()
    except ValueError:
        return False
    return bool(host) and host == headers.get("host", "").lower()


MAX_KEYS = 20_000
"""Keys that are stored; the one that was used least recently is removed first."""


class Rate:
    """Token-bucket rate limit: a bucket for each key, which holds ``at_once`` and is filled at ``per_second``."""

    def __init__(self, at_once: float, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._at_once, self._per_second, self._clock = at_once, per_second, clock
        self._buckets: OrderedDict[object, tuple[float, float]] = OrderedDict()

    def admits(self, key: object, cost: float = 1) -> bool:
        """Take ``cost`` from the key's bucket; False when it holds less."""
        now = self._clock()
        level, since = self._buckets.pop(key, (self._at_once, now))
        level = min(self._at_once, level + (now - since) * self._per_second)
        self._buckets[key] = (level - cost, now) if level >= cost else (level, now)
        if len(self._buckets) > MAX_KEYS:
            self._buckets.popitem(last=False)
        return level >= cost

    def clear(self) -> None:
        """Fill all buckets."""
        self._buckets.clear()
