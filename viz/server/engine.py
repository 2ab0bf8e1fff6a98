"""The routes of the model that phones of a class run themselves: ``/engine/…``.

Each phone fetches it once, when its owner asks for it. A file's name contains a digest, so browsers may cache it.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from viz import imports
from viz.server.code import FOR_EVER

PREFIX = "engine"
PART = 1 << 16
"""Bytes that are sent at once."""


def routes() -> list[Route]:
    """The setup in a language, and the model's files."""
    return [Route(f"/{PREFIX}/setup/{{language}}", _setup), Route(f"/{PREFIX}/model/{{name}}", _file)]


async def _setup(request: Request) -> Response:
    await asyncio.to_thread(imports.import_all)
    from viz.export.engine import EngineError
    from viz.i18n import LANGUAGES
    from viz.server import page_model

    language = request.path_params["language"]
    try:
        text = await page_model.in_its_thread(page_model.setup, language) if language in LANGUAGES else None
    except EngineError as error:
        return _missing(f"No model of this server runs on a phone: {error}")
    if text is None:
        return _missing("This language is not spoken here.")
    return Response(text, media_type="application/json", headers={"Cache-Control": "no-cache"})


async def _file(request: Request) -> Response:
    await asyncio.to_thread(imports.import_all)
    from viz.export.engine import EngineError
    from viz.server import page_model

    name = request.path_params["name"]
    try:
        _, files = await page_model.in_its_thread(page_model.files)
    except EngineError:
        files = {}
    if name not in files:
        return _missing("This file is not served any more: reload the page.")
    cache_control = "no-cache" if name == "model.json" else FOR_EVER
    # Without an encoding, the server would compress the ten megabytes again for every phone.
    headers = {"Cache-Control": cache_control, "Content-Length": str(len(files[name])), "Content-Encoding": "identity"}
    sent = () if request.method == "HEAD" else parts(files[name])
    return StreamingResponse(_each(sent), media_type="application/octet-stream", headers=headers)


def parts(content: bytes) -> Iterator[memoryview]:
    """The content in parts, so that the server does not hold all that a slow phone has not read yet."""
    whole = memoryview(content)
    for start in range(0, len(whole), PART):
        yield whole[start : start + PART]


async def _each(sent: Iterable[memoryview]) -> AsyncIterator[memoryview]:
    for part in sent:
        yield part


def _missing(words: str) -> Response:
    return PlainTextResponse(words, status_code=404)
