"""The route of the components' code: ``/code/<digest>/attention/js/entry.js``."""

from pathlib import PurePosixPath

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from viz.components import code

TYPES = {".js": "text/javascript", ".css": "text/css"}
FOR_EVER = "public, max-age=31536000, immutable"


def routes() -> list[Route]:
    """The route that serves this code."""
    return [Route(f"/{code.PREFIX}/{{digest}}/{{path:path}}", _answer)]


async def _answer(request: Request) -> Response:
    path = request.path_params["path"]
    text = code.text_of(path) if request.path_params["digest"] == code.digest() else None
    if text is None:
        return PlainTextResponse("This code is not part of this version: reload the page.", status_code=404)
    return Response(text, media_type=TYPES[PurePosixPath(path).suffix], headers={"Cache-Control": FOR_EVER})
