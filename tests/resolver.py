"""A resolver that never answers, as in a class without internet, for the servers that tests start."""

from collections.abc import Mapping
from pathlib import Path

_SILENT = """
import socket, time
from pathlib import Path
known = socket.getaddrinfo
def silent(host, *given, **named):
    name = host.decode() if isinstance(host, bytes) else str(host)
    if name == "localhost" or name.replace(".", "").isdigit() or ":" in name or host is None:
        return known(host, *given, **named)
    with Path({asked!r}).open("a") as log:
        log.write(name + "\\n")
    time.sleep(3600)
socket.getaddrinfo = silent
"""


def silent_resolver(folder: Path) -> tuple[Mapping[str, str], Path]:
    """The environment of a server whose names are never resolved, and the file that names what it has asked for."""
    asked = folder / "asked"
    (folder / "sitecustomize.py").write_text(_SILENT.format(asked=str(asked)), "utf-8")
    return {"PYTHONPATH": str(folder)}, asked
