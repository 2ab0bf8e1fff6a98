"""A DNS resolver that never answers, as in a class without internet, for the servers that tests start."""

from collections.abc import Mapping
from pathlib import Path

_SILENT = """
import socket, time
from pathlib import Path
resolve = socket.getaddrinfo
def silent(host, *args, **kwargs):
    name = host.decode() if isinstance(host, bytes) else str(host)
    if name == "localhost" or name.replace(".", "").isdigit() or ":" in name or host is None:
        return resolve(host, *args, **kwargs)
    with Path({log!r}).open("a") as log:
        log.write(name + "\\n")
    time.sleep(3600)
socket.getaddrinfo = silent
"""


def silent_resolver(folder: Path) -> tuple[Mapping[str, str], Path]:
    """The environment of a server that resolves no name, and the file that logs the names it asked for."""
    log = folder / "asked"
    (folder / "sitecustomize.py").write_text(_SILENT.format(log=str(log)), "utf-8")
    return {"PYTHONPATH": str(folder)}, log
