"""A process with PyTorch loaded that forks a child for each request: a new interpreter would take seconds.

Run as ``python -m model.checkpoints.sandbox.zygote``; its standard input is a socket on which each request arrives as
the file descriptor of the child's connection. A byte without a descriptor asks for the ``transformers`` library, which
is then loaded part by part while no child is requested. The process ends when that socket closes. It never reads from
the connections, so nothing of an untrusted file reaches it.
"""

import array
import contextlib
import importlib
import os
import select
import signal
import socket
import sys

LIBRARY = (
    "transformers", "transformers.models.auto.tokenization_auto", "transformers.models.marian.tokenization_marian",
    "transformers.models.marian.configuration_marian", "torch._dynamo", "torch.distributed.tensor",
    "transformers.generation", "model.checkpoints.families.huggingface.adapter",
)  # fmt: skip
"""Parts of the library in the order of loading: an encoder-decoder needs the first four, a single stack needs all. A
request that arrives while a part is loading waits about half a second."""
_QUIET_SECONDS = 0.5
_NO_DESCRIPTOR = -1


def main() -> int:
    """Load what children need, then serve until the other side closes."""
    from model.checkpoints.sandbox import child
    from model.files.linux_rules import hide_memory

    hide_memory()
    child.preload()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no zombies
    control = socket.socket(fileno=sys.stdin.fileno())
    parts: list[str] = []
    while True:
        if parts and not _has_request(control):
            with contextlib.suppress(ImportError):
                importlib.import_module(parts.pop(0))
            continue
        descriptor = _next(control)
        if descriptor is None:
            return 0
        if descriptor == _NO_DESCRIPTOR:
            parts = list(LIBRARY)
            continue
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            control.close()
            os._exit(child.serve(socket.socket(fileno=descriptor)))
        os.close(descriptor)


def _has_request(control: socket.socket) -> bool:
    """Whether a request arrives before this process counts as idle."""
    return bool(select.select([control], [], [], _QUIET_SECONDS)[0])


def _next(control: socket.socket) -> int | None:
    """The descriptor of the next connection; -1 for a request to load the library; None when the socket has closed."""
    content, ancillary, _, _ = control.recvmsg(1, socket.CMSG_SPACE(array.array("i").itemsize))
    for level, kind, packed in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors = array.array("i")
            descriptors.frombytes(packed[: descriptors.itemsize])
            return descriptors[0]
    return _NO_DESCRIPTOR if content else None


if __name__ == "__main__":
    sys.exit(main())
