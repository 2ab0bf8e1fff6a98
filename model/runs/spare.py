"""A spare child process that has imported the libraries of a run and waits for one: importing PyTorch takes seconds.

    python -m model.runs.spare model.training.jobs.worker 600

Its standard input is a socket. Until it receives a run over it, it has no visitor's data. It ends when the socket
closes, as when the server ends, and after ten minutes without a run.
"""

from __future__ import annotations

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
        self._socket.settimeout(_SECONDS_TO_ANSWER)
        try:
            socket.send_fds(self._socket, [len(message).to_bytes(4, "big")], [log, lock])
            self._socket.sendall(message)
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
        header, descriptors, *_ = socket.recv_fds(connection, 4, 2)
        if not header:  # the server has ended
            return 0
        connection.settimeout(None)  # the worker's watch waits on the same socket
        log, _ = descriptors  # the lock stays open until the process ends
        message = json.loads(connection.recv(int.from_bytes(header, "big"), socket.MSG_WAITALL))
        os.dup2(log, sys.stderr.fileno())
        os.environ.clear()
        os.environ.update(message["environment"])
        connection.send(b"k")
        connection.detach()
        return worker.main([message["folder"]])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
