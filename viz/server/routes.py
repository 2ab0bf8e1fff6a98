"""The routes beside Streamlit's own, below ``server.baseUrlPath``."""

from starlette.routing import BaseRoute, Mount
from streamlit import config

from viz.components.code import serve_from
from viz.server import code, engine, rooms


def routes() -> list[BaseRoute]:
    """All routes. From now on components load their code through them."""
    ours: list[BaseRoute] = [*code.routes(), *engine.routes(), *rooms.routes()]
    base = (config.get_option("server.baseUrlPath") or "").strip("/")
    serve_from(f"/{base}" if base else "")
    return [Mount(f"/{base}", routes=ours)] if base else ours
