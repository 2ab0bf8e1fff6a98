"""A spare child process that has imported the libraries of a run and waits for one: importing PyTorch takes seconds.

    python -m model.runs.spare model.training.jobs.worker 600

Its standard input is a socket. Until it receives a run over it, it has no visitor's data. It ends when the socket
closes, as when the server ends, and after ten minutes without a run.
"""

from __future__ import annotations

import array
import contextlib
import importlib
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from model.lazy import code_folder

WAITING_SECONDS = 600.0
_MOST_BYTES = 1 << 20
"""Maximum bytes of the message with a run's folder and environment."""
_SECONDS_TO_ANSWER = 60.0
"""Time limit for the remaining imports."""


class SpareWorker:
    """The server's handle of a spare process.

    Args:
        worker: the module that works on runs.
        environment: the environment for importing libraries, with their number of threads.
        seconds: how long it waits for a run.
    """

    def __init__(self, worker: str, environment: Mapping[str, str], seconds: float = WAITING_SECONDS) -> None:
        self.worker = worker
        self._socket, child_end = socket.socketpair()
        with child_end:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "model.runs.spare", worker, str(seconds)],
                cwd=code_folder(), env=environment, stdin=child_end.fileno(), stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        threading.Thread(target=self.process.wait, daemon=True, name="spare-worker").start()  # leaves no zombie

    @property
    def is_waiting(self) -> bool:
        """Whether it is still alive and waiting for a run."""
        return self.process.poll() is None

    def give(self, folder: Path, log: int, lock: int, environment: Mapping[str, str]) -> bool:
        """Hand it a run.

        Args:
            log: descriptor of the file for its errors.
            lock: descriptor of the lock that marks the run as alive, which it then holds.

        Returns:
            False if it has ended meanwhile.
        """
        message = json.dumps({"folder": str(folder), "environment": dict(environment)}).encode()
        descriptors = array.array("i", (log, lock))
        self._socket.settimeout(_SECONDS_TO_ANSWER)
        try:
            self._socket.sendall(len(message).to_bytes(4, "big") + message)
            self._socket.sendmsg([b"d"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, descriptors)])
            return bool(self._socket.recv(1))
        except OSError:
            return False

    def close(self) -> None:
        """Close the socket, which ends the process."""
        self._socket.close()


def main(arguments: list[str]) -> int:
    """Import the module, wait for a run, and work on it."""
    worker = importlib.import_module(arguments[0])
    connection = socket.socket(fileno=os.dup(sys.stdin.fileno()))
    connection.settimeout(float(arguments[1]))
    with contextlib.suppress(TimeoutError, ConnectionError):
        size = int.from_bytes(_read(connection, 4), "big")
        message = json.loads(_read(connection, min(size, _MOST_BYTES)))
        _, ancillary, *_ = connection.recvmsg(1, socket.CMSG_SPACE(2 * array.array("i").itemsize))
        log, _ = array.array("i", ancillary[0][2])  # the lock stays open until the process ends
        os.dup2(log, sys.stderr.fileno())
        os.environ.clear()
        os.environ.update(message["environment"])
        connection.send(b"k")
        connection.settimeout(None)  # the worker's watch waits on the same socket
        connection.detach()
        return worker.main([message["folder"]])
    return 0


def _read(connection: socket.socket, n_bytes: int) -> bytes:
    """Read exactly ``n_bytes`` bytes.

    Raises:
        ConnectionResetError: when the other side has closed.
    """
    read = b""
    while len(read) < n_bytes:
        part = connection.recv(n_bytes - len(read))
        if not part:
            raise ConnectionResetError
        read += part
    return read


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
