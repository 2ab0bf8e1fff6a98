"""Starts several servers of the application, Redis for their rooms and nginx in front, and keeps them running.

Python runs the pages of one process one after the other, so one process serves eight new sentences a second, however
many processors the machine has. A visitor's session is in the memory of one process, so nginx sends a browser to the
same one by a cookie.
"""

import ctypes
import logging
import math
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from viz.environment import PROXIES_VARIABLE, REDIS_VARIABLE, REPLICA_VARIABLE
from viz.serve import nginx

log = logging.getLogger(__name__)
APP_FOLDER = Path(__file__).parents[2]
"""The folder of app.py and of Streamlit's configuration."""
START_SECONDS = 120.0
"""Timeout of a start: several processes that load PyTorch at once on a small machine take tens of seconds."""
END_SECONDS = 20.0
"""Timeout of an end, in which a training run saves its last snapshot."""
POLL_SECONDS = 1.0
STEADY_SECONDS = 60.0
"""Seconds after which a program counts as running; one that ends sooner has failed to start."""
MAX_STARTS = 6
"""Starts in a row that may fail before a program is given up."""
MAX_PAUSE = 30.0
"""Seconds; the pause after a failed start doubles from one second up to this."""
MAX_WORKERS = 64
MAX_FILES = 32_768
_SYSTEM_PROGRAMS = os.pathsep + "/usr/sbin" + os.pathsep + "/usr/local/sbin"
"""Where Debian installs nginx, which is not in the PATH of ordinary users."""
_PR_SET_PDEATHSIG = 1  # prctl(2)


class ServeError(OSError):
    """The servers cannot start; the message says what to do."""


@dataclass
class Program:
    """A child process that is restarted when it ends; times are those of ``time.monotonic``."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    started: float = -math.inf
    n_failed: int = 0
    """Starts in a row after which it ended within ``STEADY_SECONDS``."""
    due: float = -math.inf
    """When it may be restarted; infinite once it was given up."""

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended."""
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Start it in its own process group: on Ctrl-C the parent ends its children in order."""
        self.process = subprocess.Popen(
            self.command, cwd=APP_FOLDER, env={**os.environ, **self.environment}, start_new_session=True,
            stdin=subprocess.DEVNULL, preexec_fn=_end_with_parent,
        )  # fmt: skip
        self.started, self.due = time.monotonic(), -math.inf

    @property
    def status(self) -> int | None:
        """Its exit status; None before it has ended."""
        return None if self.process is None else self.process.returncode

    @property
    def is_given_up(self) -> bool:
        """Whether it has ended so often that it is not restarted."""
        return self.due == math.inf

    def restart(self, now: float) -> bool:
        """Restart it if it has ended: at once after a steady run, else with growing pauses; whether it was started."""
        if self.is_running or now < self.due:
            return False
        if self.due == -math.inf:  # it has ended since the last poll
            self.n_failed = self.n_failed + 1 if now - self.started < STEADY_SECONDS else 0
            if self.n_failed >= MAX_STARTS:
                self.due = math.inf
                log.error(
                    "%s has ended %d times within %.0f seconds of its start (status %s) and is given up. What it wrote "
                    "before it ended says why; after that is mended, start the command again.",
                    self.name, self.n_failed, STEADY_SECONDS, self.status,
                )  # fmt: skip
                return False
            pause = min(MAX_PAUSE, 2.0 ** (self.n_failed - 1)) if self.n_failed > 1 else 0.0
            self.due = now + pause
            log.warning("%s has ended (status %s) and is started again in %.0f s.", self.name, self.status, pause)
            if pause:
                return False
        self.start()
        return True

    def end(self) -> None:
        """Terminate it, and kill it after ``END_SECONDS``."""
        if not self.is_running or self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _end_with_parent() -> None:
    """On Linux, end this child also when the parent is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


class Front:
    """The servers behind one port.

    Args:
        address, port: where visitors connect.
        folder: for the files of nginx and Redis, not shared with another front.
        arguments: of ``streamlit run app.py --``.

    Raises:
        ServeError: when a program is missing, or the port is taken.
    """

    def __init__(self, n_workers: int, *, address: str, port: int, folder: Path, arguments: Sequence[str] = ()) -> None:
        if not 1 <= n_workers <= MAX_WORKERS:
            raise ServeError(f"--workers ({n_workers}) must lie between 1 and {MAX_WORKERS}")
        self.address, self.port, self.folder = address, port, folder
        self._arguments = tuple(arguments)
        folder.chmod(0o711)  # started by root, nginx reads and writes as another user
        _check_free(address, port)
        self._socket = folder / "redis" / "rooms.sock"
        self.redis = None if os.environ.get(REDIS_VARIABLE) else self._redis()
        names = [f"w{place}" for place in range(1, n_workers + 1)]
        self.ports = dict(zip(names, _free_ports(n_workers), strict=True))
        self.workers = [self._worker(name, port) for name, port in self.ports.items()]
        self.nginx = self._nginx()

    @property
    def programs(self) -> list[Program]:
        """All programs in the order of their start."""
        return [*([self.redis] if self.redis else []), *self.workers, self.nginx]

    def start(self) -> None:
        """Start all programs, and return when the front responds; raises ServeError when one ends or is not ready in
        time."""
        for program in self.programs[:-1]:
            program.start()
        for worker in self.workers:
            url = f"http://127.0.0.1:{self.ports[worker.name]}"
            _wait(worker, f"{url}/_stcore/health")
            log.info("%s answers at %s", worker.name, url)
        self.nginx.start()
        reachable = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}.get(self.address, self.address)
        _wait(self.nginx, f"http://{reachable}:{self.port}/_stcore/health")

    def restart(self) -> list[str]:
        """Restart the programs that have ended; returns their names. Raises ServeError when a necessary one was given
        up."""
        now = time.monotonic()
        started = [program.name for program in self.programs if program.restart(now)]
        needed = [program for program in self.programs if program not in self.workers]
        lost = [program for program in needed if program.is_given_up]
        if not lost and all(worker.is_given_up for worker in self.workers):
            lost = self.workers
        if lost:
            names = ", ".join(f"{program.name} (status {program.status})" for program in lost)
            raise ServeError(f"{names}: every start failed, so nobody can be served. The messages above say why")
        return started

    def end(self) -> None:
        """End all programs: first nginx, then the servers, then Redis."""
        for program in reversed(self.programs):
            program.end()

    def _worker(self, name: str, port: int) -> Program:
        command = [
            sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true", "--server.address",
            "127.0.0.1", "--server.port", str(port), "--server.fileWatcherType", "none", "--", *self._arguments,
        ]  # fmt: skip
        rooms = {} if self.redis is None else {REDIS_VARIABLE: f"unix://{self._socket}"}
        return Program(name, command, {REPLICA_VARIABLE: name, PROXIES_VARIABLE: "1", **rooms})

    def _redis(self) -> Program:
        place = self._socket.parent
        place.mkdir(mode=0o700)
        return Program("redis", [
            _program("redis-server"), "--port", "0", "--unixsocket", str(self._socket), "--unixsocketperm", "700",
            "--save", "", "--dir", str(place), "--maxmemory", "256mb", "--maxmemory-policy", "noeviction",
            "--loglevel", "warning",
        ])  # fmt: skip

    def _nginx(self) -> Program:
        values = {
            "REGARD_LISTEN": f"{self.address}:{self.port}",
            "REGARD_MAX_UPLOAD_MB": os.environ.get("REGARD_MAX_UPLOAD_MB", "512"),
            "REGARD_OUTER_PROXY": os.environ.get("REGARD_OUTER_PROXY", "127.0.0.1"),
        }
        replicas = {name: f"127.0.0.1:{port}" for name, port in self.ports.items()}
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        files = MAX_FILES if hard == resource.RLIM_INFINITY else min(MAX_FILES, hard)
        main = nginx.write(self.folder, replicas, values, files=files)
        return Program("nginx", [_program("nginx"), "-c", str(main), "-e", str(self.folder / "error.log")])


def _program(name: str) -> str:
    path = shutil.which(name, path=os.environ.get("PATH", os.defpath) + _SYSTEM_PROGRAMS)
    if path is None:
        raise ServeError(
            f"{name} is not installed, and several servers behind one port need it: apt install nginx-light "
            f"redis-server (a Redis that is already there is named by {REDIS_VARIABLE})"
        )
    return path


def _check_free(address: str, port: int) -> None:
    kind = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(kind) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address.strip("[]"), port))
        except OSError as error:
            raise ServeError(f"{address}:{port} cannot be used ({error.strerror}): choose another --port") from None


def _free_ports(count: int) -> list[int]:
    """Ports that are free on loopback, all different."""
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
    finally:
        for probe in probes:
            probe.close()


def _wait(program: Program, address: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if not program.is_running:
            raise ServeError(f"{program.name} ended with status {program.status} before it was ready")
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise ServeError(f"{program.name} was not ready after {START_SECONDS:.0f} seconds")
