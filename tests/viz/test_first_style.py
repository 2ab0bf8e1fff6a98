"""The style in the head of the page: there for a browser, and nothing else is touched."""

import asyncio
from typing import Any

import pytest

from viz.server.first_style import FirstStyle, style

PAGE = [b"<html><head><title>x</title></he", b"ad><body></body></html>"]


def answered(headers: dict[str, str], parts: list[bytes], accept: str = "text/html") -> tuple[dict[str, str], bytes]:
    """Headers and body that a browser gets through the middleware, of an answer in parts."""
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        assert "accept-encoding" not in dict(scope["headers"]) or "html" not in accept
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 200, "headers": raw})
        for place, part in enumerate(parts):
            await send({"type": "http.response.body", "body": part, "more_body": place + 1 < len(parts)})

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"accept", accept.encode())]}
    receive: Any = None
    asyncio.run(FirstStyle(app)(scope, receive, send))
    received = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return received, b"".join(message["body"] for message in sent[1:])


def test_a_page_that_comes_in_parts_has_the_style_in_its_head_and_says_its_length() -> None:
    length = str(sum(map(len, PAGE)))
    headers, body = answered({"content-type": "text/html", "content-length": length, "etag": "x"}, PAGE)
    assert body == b"".join(PAGE).replace(b"</head>", style() + b"</head>")
    assert headers["content-length"] == str(len(body)) and "etag" not in headers
    assert b".st-key-top_bar" in style() and b"/*" not in style()


@pytest.mark.parametrize(
    ("headers", "accept"),
    [({"content-type": "application/javascript"}, "text/html"), ({"content-type": "text/html"}, "*/*"),
     ({"content-type": "text/html", "content-encoding": "gzip"}, "text/html")],
)  # fmt: skip
def test_any_other_answer_passes_unchanged(headers: dict[str, str], accept: str) -> None:
    assert answered(headers, PAGE, accept) == (headers, b"".join(PAGE))
