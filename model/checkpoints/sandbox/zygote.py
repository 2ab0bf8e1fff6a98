"""A process that has PyTorch loaded and forks a child for each request: a new interpreter would take seconds.

Run as ``python -m model.checkpoints.sandbox.zygote``; its standard input is a socket over which each request comes as
the descriptor of the connection that the child will speak on. With ``--with-library`` it has the ``transformers``
library loaded too, which takes seconds more. It ends when that socket closes. It never reads what the connection
carries, so nothing of a stranger's file reaches it.
"""

from __future__ import annotations

import array
import os
import signal
import socket
import sys


def main(arguments: list[str]) -> int:
    """Load what children need, then serve until the other side closes."""
    from model.checkpoints.sandbox import child

    child.preload()
    if "--with-library" in arguments:
        child.preload_library()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # ended children leave no entry behind
    control = socket.socket(fileno=sys.stdin.fileno())
    while True:
        descriptor = _next(control)
        if descriptor is None:
            return 0
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            control.close()
            os._exit(child.serve(socket.socket(fileno=descriptor)))
        os.close(descriptor)


def _next(control: socket.socket) -> int | None:
    """The next connection's descriptor; None when there will be no more."""
    while True:
        content, ancillary, _, _ = control.recvmsg(1, socket.CMSG_SPACE(array.array("i").itemsize))
        for level, kind, packed in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                found = array.array("i")
                found.frombytes(packed[: found.itemsize])
                return found[0]
        if not content:
            return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
