"""The routes beside Streamlit's own, below ``server.baseUrlPath``: rooms, components' code, and the model for phones.

The model in ``/engine/…`` is what phones of a class run themselves. Each fetches it once, when its owner asks for it.
Names of files, and the addresses of code, contain a digest, so browsers may cache them.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import PurePosixPath

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from streamlit import config

from viz import imports
from viz.components import code
from viz.server import rooms

TYPES = {".js": "text/javascript", ".css": "text/css"}
FOR_EVER = "public, max-age=31536000, immutable"
CHUNK = 1 << 16
"""Bytes that are sent at once."""


def routes() -> list[BaseRoute]:
    """All routes. From now on components load their code through them."""
    ours: list[BaseRoute] = [
        Route(f"/{code.PREFIX}/{{digest}}/{{path:path}}", _code), Route("/engine/setup/{language}", _setup),
        Route("/engine/model/{name}", _model_file), *rooms.routes(),
    ]  # fmt: skip
    base = (config.get_option("server.baseUrlPath") or "").strip("/")
    code.serve_from(f"/{base}" if base else "")
    return [Mount(f"/{base}", routes=ours)] if base else ours


async def _code(request: Request) -> Response:
    path = request.path_params["path"]
    text = code.text_of(path) if request.path_params["digest"] == code.digest() else None
    if text is None:
        return _missing("This code is not part of this version: reload the page.")
    return Response(text, media_type=TYPES[PurePosixPath(path).suffix], headers={"Cache-Control": FOR_EVER})


async def _setup(request: Request) -> Response:
    """The setup in a language."""
    await asyncio.to_thread(imports.import_all)
    from viz.export.engine import EngineError
    from viz.i18n import LANGUAGES
    from viz.server import phone

    language = request.path_params["language"]
    try:
        text = await phone.in_its_thread(phone.setup, language) if language in LANGUAGES else None
    except EngineError as error:
        return _missing(f"No model of this server runs on a phone: {error}")
    if text is None:
        return _missing("This language is not spoken here.")
    return Response(text, media_type="application/json", headers={"Cache-Control": "no-cache"})


async def _model_file(request: Request) -> Response:
    await asyncio.to_thread(imports.import_all)
    from viz.export.engine import EngineError
    from viz.server import phone

    name = request.path_params["name"]
    try:
        _, files = await phone.in_its_thread(phone.files)
    except EngineError:
        files = {}
    if name not in files:
        return _missing("This file is not served any more: reload the page.")
    cache_control = "no-cache" if name == "model.json" else FOR_EVER
    # Without an encoding, the server would compress the ten megabytes again for every phone.
    headers = {"Cache-Control": cache_control, "Content-Length": str(len(files[name])), "Content-Encoding": "identity"}
    body = chunks(b"" if request.method == "HEAD" else files[name])
    return StreamingResponse(body, media_type="application/octet-stream", headers=headers)


async def chunks(content: bytes) -> AsyncIterator[memoryview]:
    """The content in chunks, so that the server does not hold all that a slow phone has not read yet."""
    whole = memoryview(content)
    for start in range(0, len(whole), CHUNK):
        yield whole[start : start + CHUNK]


def _missing(reason: str) -> Response:
    return PlainTextResponse(reason, status_code=404)
