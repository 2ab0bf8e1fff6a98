"""The routes of the model that phones of a class run themselves: ``/engine/…``.

Each phone fetches it once, when its owner asks for it. A file's name contains a digest, so browsers may cache it.
"""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from viz.server.code import FOR_EVER

PREFIX = "engine"


def routes() -> list[Route]:
    """The setup in a language, and the model's files."""
    return [Route(f"/{PREFIX}/setup/{{language}}", _setup), Route(f"/{PREFIX}/model/{{name}}", _file)]


async def _setup(request: Request) -> Response:
    from viz.export.engine import EngineError
    from viz.i18n import LANGUAGES
    from viz.server import page_model

    language = request.path_params["language"]
    try:
        text = await asyncio.to_thread(page_model.setup, language) if language in LANGUAGES else None
    except EngineError as error:
        return _missing(f"No model of this server runs on a phone: {error}")
    if text is None:
        return _missing("This language is not spoken here.")
    return Response(text, media_type="application/json", headers={"Cache-Control": "no-cache"})


async def _file(request: Request) -> Response:
    from viz.server import page_model

    name = request.path_params["name"]
    _, files = await asyncio.to_thread(page_model.files)
    if name not in files:
        return _missing("This file is not served any more: reload the page.")
    kept = "no-cache" if name == "model.json" else FOR_EVER
    return Response(files[name], media_type="application/octet-stream", headers={"Cache-Control": kept})


def _missing(words: str) -> Response:
    return PlainTextResponse(words, status_code=404)
