"""Limits each visitor's websockets by number and message rate, so that one visitor cannot block the server.

Each message starts a thread for a run of a page. A program that sends thousands a second would fill the event loop with
the work of starting them, and the clicks of all others would wait.
"""

import logging
from collections import Counter
from contextvars import ContextVar

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from viz.rooms.opener import rate_limit_key
from viz.server.visitors import THIS_MACHINE, Rate, is_own_page

log = logging.getLogger(__name__)
AT_ONCE, PER_SECOND = 100, 20
"""Messages of one socket. A held key or a dragged slider sends ten a second, and a page sends five when it opens."""
UNIT = 1 << 18
"""Bytes that count as one more message."""
OPENED_AT_ONCE, OPENED_PER_SECOND = 100, 5
"""Sockets that one address opens: a class behind one address opens them together. nginx allows as many."""
MAX_OPEN = 400
"""Sockets that one address has open: ten classes of 40."""
_LOCAL = rate_limit_key(THIS_MACHINE)
"""Programs on this machine have no limit: its own user, and proxies, which have limits themselves."""
POLICY_VIOLATION = 1008
TOO_FAST = f"This page sent more than {PER_SECOND} messages a second: wait a moment, and reload it."
TOO_MANY = "Too many pages are opened from this network address: close some, or try again in a minute."
FOREIGN = "Pages of other sites may not use this server."
_LINES_AT_ONCE, _LINES_PER_SECOND = 5, 1 / 60
"""Log lines about closed sockets, so that nobody fills the disk by opening them."""
_refused: ContextVar[bool] = ContextVar("refused", default=False)


class Sockets:
    """ASGI middleware that refuses websockets of foreign pages, and limits them by number and rate."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._opening = Rate(OPENED_AT_ONCE, OPENED_PER_SECOND)
        self._open: Counter[str] = Counter()
        self._lines = Rate(_LINES_AT_ONCE, _LINES_PER_SECOND)
        logging.getLogger("uvicorn.error").addFilter(_is_an_error)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a socket on with its messages counted; one that sends too fast is closed with a reason."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        address = rate_limit_key((scope.get("client") or ("", 0))[0])
        if not is_own_page(Headers(scope=scope)):
            await _refuse(scope, receive, send, 403, FOREIGN)
        elif address != _LOCAL and (self._open[address] >= MAX_OPEN or not self._opening.admits(address)):
            await _refuse(scope, receive, send, 429, TOO_MANY)
        else:
            self._open[address] += 1
            try:
                await self.app(scope, self._counted(receive, send), send)
            finally:
                self._open[address] -= 1
                self._open += Counter()  # removes addresses without a socket

    def _counted(self, receive: Receive, send: Send) -> Receive:
        """The messages of one socket; a disconnect when it exceeds its rate."""
        rate = Rate(AT_ONCE, PER_SECOND)

        async def counted() -> Message:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            size = len(message.get("bytes") or message.get("text") or "")
            if rate.admits(None, 1 + size // UNIT):
                return message
            if self._lines.admits(None):
                log.warning("a websocket was closed because it sent more than %d messages a second", PER_SECOND)
            await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": TOO_FAST})
            return {"type": "websocket.disconnect", "code": POLICY_VIOLATION, "reason": TOO_FAST}

        return counted


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, reason: str) -> None:
    """Answer the request for a socket with a status and the reason."""
    socket = WebSocket(scope, receive, send)
    _refused.set(True)
    if "websocket.http.response" in scope.get("extensions", {}):
        await socket.send_denial_response(PlainTextResponse(reason, status))
    else:
        await socket.close(POLICY_VIOLATION, reason)


def _is_an_error(record: logging.LogRecord) -> bool:
    """False for uvicorn's error about a socket that was refused with a status, which it takes for no response."""
    return not (_refused.get() and "without completing handshake" in record.getMessage())
