"""Keeps Streamlit and uvicorn from believing strangers and from asking other servers.

Streamlit asks another server for this machine's address on the internet: at the start, when it prints where it can be
reached (``hideWelcomeMessage`` in .streamlit/config.toml keeps it from that), and whenever a page of another site opens
a websocket. Both wait in the event loop, which a class without internet would notice in every click. uvicorn takes a
visitor's address from ``X-Forwarded-For`` when a program on this machine sends it, before any middleware of ours sees
whose connection it is.
"""

import uvicorn.config
from starlette.types import ASGIApp
from streamlit import config, net_util
from streamlit.web.server import server_util

_EVERYWHERE = ("", "0.0.0.0", "::")
"""Addresses to listen on that are no addresses to open."""


def ask_and_believe_nobody() -> None:
    """Replace both in this process. app.py calls it while it is imported, before uvicorn wraps the application."""
    net_util.get_external_ip = lambda: None
    setattr(uvicorn.config, "ProxyHeadersMiddleware", _as_it_is)  # noqa: B010 - types: it stands for a class


def own_addresses() -> list[str]:
    """Where the application can be opened: on this machine, and in its network if it listens there."""
    listens, hosts = config.get_option("server.address") or "", ["localhost", net_util.get_internal_ip()]
    if config.is_manually_set("browser.serverAddress"):
        hosts = [config.get_option("browser.serverAddress")]
    elif listens not in _EVERYWHERE:
        hosts = [listens]
    return [server_util.get_url(host) for host in dict.fromkeys(hosts) if host]


def _as_it_is(app: ASGIApp, trusted_hosts: object = None) -> ASGIApp:
    return app
