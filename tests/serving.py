"""Starts the application and the servers beside it, for benchmarks and tests, and reads what processes use."""

from __future__ import annotations

import http.server
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
STARTS_WITHIN = 120
"""Seconds; on two busy cores a server may need tens of them to start."""


@contextmanager
def application(**environment: str) -> Iterator[str]:
    """``server`` of the application alone, with these variables."""
    with server(environment=environment) as (address, _):
        yield address


@contextmanager
def server(
    script: str = "app.py", *, root: Path = ROOT, environment: Mapping[str, str] | None = None,
    bind: str | None = "127.0.0.1", port: int = 0,
) -> Iterator[tuple[str, int]]:  # fmt: skip
    """Start a Streamlit server, yield its address and process id, and end it afterwards.

    Args:
        script: the argument of ``streamlit run``.
        root: the folder to run it in; another checkout to compare with.
        environment: variables to add to those of this process.
        bind: the address to listen on; None leaves it to the server's configuration.
        port: the port of an earlier server, to start a new one there.

    Raises:
        RuntimeError: when it ends before it is ready, or is not ready in time.
    """
    port = port or free_port()
    command = [
        sys.executable, "-m", "streamlit", "run", script, "--server.headless", "true",
        "--server.fileWatcherType", "none", "--server.port", str(port),
        *(() if bind is None else ("--server.address", bind)),
    ]  # fmt: skip
    process = start(command, cwd=root, env={**os.environ, **(environment or {})})
    try:
        wait_until_healthy(process, f"http://127.0.0.1:{port}/_stcore/health")
        yield f"http://127.0.0.1:{port}", process.pid
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


@contextmanager
def redis_server(folder: Path, port: int = 0, *, is_kept: bool = False, end: int = signal.SIGTERM) -> Iterator[str]:
    """Start a Redis, yield its address, and end it afterwards.

    Args:
        folder: its working folder.
        port: the port of an earlier one, to start a new one there.
        is_kept: write every change to a file, as deploy/compose.yaml does; otherwise nothing is stored on disk.
        end: the signal that ends it.

    Raises:
        RuntimeError: when it is not ready in time.
    """
    port = port or free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder),
               *(("--appendonly", "yes", "--appendfsync", "everysec") if is_kept else ())]  # fmt: skip
    process = start(command, stdout=subprocess.DEVNULL)
    try:
        _wait(process, lambda: socket.create_connection(("127.0.0.1", port), timeout=5).close())
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.send_signal(end)
        process.wait(timeout=10)


def start(command: Sequence[str], **options: Any) -> subprocess.Popen[Any]:
    """Start a process in a session of its own, for the caller to end. From then on SIGTERM raises KeyboardInterrupt in
    this process, as Ctrl+C does, so that the caller can."""
    is_main = threading.current_thread() is threading.main_thread()
    if is_main and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    return subprocess.Popen(command, start_new_session=True, **options)


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """Check out a commit of the repository into a folder that is removed afterwards."""
    worktree = partial(subprocess.run, cwd=ROOT, check=True, capture_output=True)
    with tempfile.TemporaryDirectory(prefix="regard-commit-") as place:
        folder = Path(place) / "tree"
        worktree(["git", "worktree", "add", "--detach", str(folder), commit])
        try:
            yield folder
        finally:
            worktree(["git", "worktree", "remove", "--force", str(folder)])


def free_port() -> int:
    """A free port on the loopback interface."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_healthy(process: subprocess.Popen[bytes], address: str) -> None:
    """Return when ``address`` answers.

    Raises:
        RuntimeError: when the process ends before, or does not answer in time.
    """
    _wait(process, lambda: urllib.request.urlopen(address, timeout=5).close())


def _wait(process: subprocess.Popen[bytes], probe: Callable[[], object]) -> None:
    deadline = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with status {process.returncode} before it was ready")
        try:
            probe()
            return
        except OSError:  # urllib.error.URLError is one
            time.sleep(0.1)
    raise RuntimeError(f"the server was not ready within {STARTS_WITHIN} s")


@contextmanager
def serving(folder: Path, handler: type[QuietHandler] | None = None) -> Iterator[str]:
    """A web server on a free port of this machine; ``handler`` may send the files in another form."""
    answering = partial(handler or QuietHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), answering) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Sends the files of a folder and prints nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def memory(processes: Sequence[int]) -> float:
    """Memory of processes and all their descendants in MiB, shared pages counted once (PSS)."""
    return sum(pss(one) for process in processes for one in (process, *descendants(process)))


def pss(process: int) -> float:
    """Memory of one process without its descendants, as in ``memory``; 0 when it has ended."""
    with suppress(OSError):
        return kibibytes(process, "smaps_rollup", "Pss") / 1024
    return 0.0


def kibibytes(process: int, file: str, fields: str) -> int:
    """The sum of the fields of a process's file in /proc whose names match a regular expression."""
    text = Path(f"/proc/{process}/{file}").read_text("utf-8")
    return sum(map(int, re.findall(rf"^{fields}:\s+(\d+)", text, re.MULTILINE)))


def processor_seconds(processes: Sequence[int]) -> float:
    """Processor time of the processes, without their children."""
    stats = (Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split() for process in processes)
    return sum(int(fields[11]) + int(fields[12]) for fields in stats) / os.sysconf("SC_CLK_TCK")


def descendants(process: int) -> Iterator[int]:
    """All descendants of a process."""
    with suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            for child in (thread / "children").read_text("utf-8").split():
                yield int(child)
                yield from descendants(int(child))
