"""Which pages may talk to this server: its own, and those of sites that its owner has named."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from streamlit import config


def is_own_page(headers: Headers) -> bool:
    """Whether a page of this server sends a request. A browser says whose page it is, and other programs may not.

    The answer comes from the request and the configuration alone. Streamlit would also compare the origin with this
    machine's address on the internet, for which it asks another server while every visitor waits.
    """
    origin = headers.get("origin")
    if origin is None or not config.get_option("server.enableCORS"):
        return True
    own = {headers.get("host", "").lower()} - {""}
    return _place(origin) in own or origin.rstrip("/").lower() in _named()


def _named() -> set[str]:
    """The origins in ``server.corsAllowedOrigins``."""
    return {origin.strip().rstrip("/").lower() for origin in config.get_option("server.corsAllowedOrigins")}


def _place(origin: str) -> str:
    """Host and port of an origin; empty when it is none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""
