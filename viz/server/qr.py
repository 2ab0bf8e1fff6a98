"""Pictures of rooms' addresses as QR codes: each is drawn once, in a thread, and cached."""

import asyncio
from collections import OrderedDict
from io import BytesIO

import segno

from viz.server.visitors import Rate

MAX_ADDRESS = 300
"""Characters. A host name has 253 at most, and a longer text takes seconds to draw."""
MAX_PICTURES = 200
_drawing = Rate(at_once=6, per_second=0.1)
"""By room. A room has one address or a few (with and without a proxy), but a visitor can send any host name."""
_pictures: OrderedDict[str, asyncio.Future[bytes]] = OrderedDict()


async def picture(code: str, address: str) -> bytes | None:
    """The picture as SVG; None when this room had too many different ones drawn, or its address is too long."""
    if address not in _pictures:
        if len(address) > MAX_ADDRESS or not _drawing.admits(code):
            return None
        _pictures[address] = asyncio.ensure_future(asyncio.to_thread(_draw, address))
        while len(_pictures) > MAX_PICTURES:
            _pictures.popitem(last=False)
    return await asyncio.shield(_pictures[address])


def _draw(address: str) -> bytes:
    stream = BytesIO()
    segno.make(address, error="m").save(stream, kind="svg", scale=8, border=3, dark="#111", light="#fff")
    return stream.getvalue()
