"""A process that has PyTorch loaded and forks a child for each request: a new interpreter would take seconds.

Run as ``python -m model.checkpoints.sandbox.zygote``; its standard input is a socket over which each request comes as
the descriptor of the connection that the child will speak on, and one byte: whether the child will need the
``transformers`` library. It ends when that socket closes. It never reads what the connection carries, so nothing of a
stranger's file reaches it.
"""

from __future__ import annotations

import array
import os
import signal
import socket
import sys

from model.checkpoints.sandbox.messages import WITH_LIBRARY


def main() -> int:
    """Load what children need, then serve until the other side closes."""
    from model.checkpoints.sandbox import child

    child.preload()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # ended children leave no entry behind
    control = socket.socket(fileno=sys.stdin.fileno())
    while True:
        descriptor, wish = _next(control)
        if descriptor is None:
            return 0
        if wish == WITH_LIBRARY:
            child.preload_library()
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            control.close()
            os._exit(child.serve(socket.socket(fileno=descriptor)))
        os.close(descriptor)


def _next(control: socket.socket) -> tuple[int | None, bytes]:
    """The next connection's descriptor and the byte beside it; no descriptor when there will be no more."""
    content, ancillary, _, _ = control.recvmsg(1, socket.CMSG_SPACE(array.array("i").itemsize))
    for level, kind, packed in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            found = array.array("i")
            found.frombytes(packed[: found.itemsize])
            return found[0], content
    return (None, b"") if not content else _next(control)


if __name__ == "__main__":
    sys.exit(main())
