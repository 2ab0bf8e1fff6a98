"""Patches of Streamlit and uvicorn: they ask no other server, believe no stranger, and drop no message of a full run.

Streamlit asks another server for this machine's address on the internet: at the start, when it prints where it can be
reached (``hideWelcomeMessage`` in .streamlit/config.toml keeps it from that), and whenever a page of another site opens
a websocket. Both wait in the event loop, which a class without internet would notice in every click. uvicorn takes a
visitor's address from ``X-Forwarded-For`` when a program on this machine sends it, before any middleware of ours sees
whose connection it is.

A fragment's rerun (``st.fragment``) first drops its own messages that wait to be sent, since it sends them anew. If the
run before it was one of the whole page, its end stays in the queue without them: the browser removes the fragment, with
an open popover, typed text and uploads in progress, and shows it anew a moment later.
"""

from typing import Any

import uvicorn.config
from starlette.types import ASGIApp
from streamlit import config, net_util
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.web.server import server_util

_EVERYWHERE = ("", "0.0.0.0", "::")
"""Addresses to listen on that are no addresses to open."""


def ask_and_believe_nobody() -> None:
    """Switch both requests off. app.py calls it while it is imported, before uvicorn wraps the application."""

    def unwrapped(app: ASGIApp, trusted_hosts: object = None) -> ASGIApp:
        return app

    net_util.get_external_ip = lambda: None
    setattr(uvicorn.config, "ProxyHeadersMiddleware", unwrapped)  # noqa: B010 - types: it stands for a class


def own_addresses() -> list[str]:
    """Where the application can be opened: on this machine, and in its network if it listens there."""
    listens, hosts = config.get_option("server.address") or "", ["localhost", net_util.get_internal_ip()]
    if config.is_manually_set("browser.serverAddress"):
        hosts = [config.get_option("browser.serverAddress")]
    elif listens not in _EVERYWHERE:
        hosts = [listens]
    return [server_util.get_url(host) for host in dict.fromkeys(hosts) if host]


_clear = ForwardMsgQueue.clear


def keep_messages_of_full_runs() -> None:
    """From now on a fragment's rerun drops nothing that stands before the end of a full run in the queue."""

    def clear(
        queue: ForwardMsgQueue, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None
    ) -> None:
        if retain_lifecycle_msgs and fragment_ids_this_run is not None and any(map(_ends_a_full_run, queue._queue)):
            queue._delta_index_map = {}  # later messages follow the end, and replace none before it
        else:
            _clear(queue, retain_lifecycle_msgs, fragment_ids_this_run)

    setattr(ForwardMsgQueue, "clear", clear)  # noqa: B010 - types: it stands for the method


def _ends_a_full_run(message: Any) -> bool:
    is_end = message.WhichOneof("type") == "script_finished"
    return is_end and message.script_finished == ForwardMsg.ScriptFinishedStatus.FINISHED_SUCCESSFULLY
