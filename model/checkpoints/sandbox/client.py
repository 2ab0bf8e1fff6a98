"""The parent's side: passes an untrusted file to a child process, waits up to the time limit, and opens the result."""

import array
import logging
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from model.attention_files.formats import AttentionFileError
from model.attention_files.record import RecordError
from model.checkpoints.basis import errors
from model.checkpoints.basis.errors import CheckpointError, ConfinementError, FamilyError, LimitError, TensorsError
from model.checkpoints.basis.limits import Limits, limits
from model.checkpoints.families.huggingface.kinds import DECODERS, ENCODERS
from model.checkpoints.sandbox import messages
from model.config import ConfigError
from model.files.confinement import CAN_CONFINE
from model.files.size import size_of
from model.files.workspace import workspace
from model.lazy import code_folder
from model.text.tokenizer import TokenizerError

log = logging.getLogger(__name__)
_MIB = 1 << 20
_START_SECONDS = 60
_MOST_PROBES = 16
"""Maximum tokenizer files that one child may have tried; a checkpoint has two."""
_SHORT_SECONDS, _NICENESS = 3, 10
"""Seconds after which reading a file continues at low priority, so that other visitors' clicks come first."""
_SINGLE_STACK = re.compile(rb'"model_type"\s*:\s*"(?:' + "|".join((*ENCODERS, *DECODERS)).encode() + rb')"')
_GONE = (OSError, messages.ConnectionEnded)
_KINDS: dict[str, type[Exception]] = {
    "ConfigError": ConfigError,
    "TokenizerError": TokenizerError,
    "AttentionFileError": AttentionFileError,
    "RecordError": RecordError,
    **{name: kind for name, kind in vars(errors).items() if isinstance(kind, type)},
}
CHILDREN = threading.BoundedSemaphore(limits().sandbox_children)
"""Limits the number of children that read a file at the same time; further visitors wait."""


@contextmanager
def work_folder(prefix: str) -> Iterator[Path]:
    """A folder for a child that reads one file, removed afterwards; waits while too many children read files."""
    with CHILDREN:
        folder = Path(mkdtemp(prefix=prefix, dir=workspace()))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def warm() -> None:
    """Start the zygote before the first file arrives, so that no visitor waits for it.

    It is ready after a second or two, and then loads parts of the ``transformers`` library while it is idle.
    """
    with _WARMING:
        if _ZYGOTE.is_warm or not CAN_CONFINE:
            return
        _ZYGOTE.is_warm = True
    threading.Thread(target=_ZYGOTE.connect_once, name="sandbox").start()


class Connection:
    """A child process and the socket to it. Closing the socket ends the child."""

    def __init__(self, socket_of_child: socket.socket, process: int) -> None:
        self.socket, self.process = socket_of_child, process

    def ask(self, message: dict[str, Any], *, seconds: float, what: str, remedy: str) -> dict[str, Any]:
        """Send a message and return the child's answer.

        Raises:
            LimitError: when no answer comes in time, or the child has ended.
            CheckpointError: or another of our errors, as raised in the child.
        """
        self.socket.settimeout(seconds)
        try:
            messages.send(self.socket, message)
            if not self._answers_within(_SHORT_SECONDS):
                self.give_way()
            answer = messages.receive(self.socket)
            for _ in range(_MOST_PROBES):
                if "probe" not in answer:
                    break
                messages.send(self.socket, _probe_tokenizer(answer["probe"], message))
                answer = messages.receive(self.socket)
        except TimeoutError as error:
            self.kill()
            raise LimitError(f"{what} took more than {seconds:.0f} s and was stopped: {remedy}") from error
        except _GONE as error:
            self.close()
            raise LimitError(f"the process that read {what} ended before it was done: {remedy}") from error
        if "error" in answer:
            raise _error_of(answer["error"], what, remedy)
        return answer

    def _answers_within(self, seconds: float) -> bool:
        waiting = select.poll()  # unlike select.select it takes any number of open files
        waiting.register(self.socket, select.POLLIN)
        return bool(waiting.poll(1000 * seconds))

    def give_way(self) -> None:
        """Lower the child's priority, because its work is long and other visitors' clicks come first."""
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, self.process, _NICENESS)

    def close(self) -> None:
        """Close the socket. The child ends when it next reads it, or at its time limit."""
        self.socket.close()

    def kill(self) -> None:
        """Kill a running child."""
        with suppress(OSError):
            os.kill(self.process, signal.SIGKILL)
        self.close()


def _probe_tokenizer(probe: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """Try a tokenizer file in another child, which may read the same files as the requesting one.

    Returns:
        Its output and exit code: negative if it died, None if it took too long.
    """
    bounds, output, code = limits(), [], None
    with closing(connect()) as child:
        try:
            child.socket.settimeout(6 * bounds.tokenizer_seconds)
            messages.send(child.socket, {
                "task": "probe", "folder": request["folder"], "path": str(probe.get("path")),
                "kind": str(probe.get("kind")), "memory_mb": bounds.tokenizer_memory_mb,
                "seconds": bounds.tokenizer_seconds, "wall_seconds": 6 * bounds.tokenizer_seconds, "file_mb": 0,
                "of": {name: request[name] for name in ("path", "hints") if name in request},
            })  # fmt: skip
            while "code" not in (answer := messages.receive(child.socket)):
                output.append(str(answer.get("output")))
            code = int(answer["code"])
        except TimeoutError:
            child.kill()
        except _GONE:
            code = -signal.SIGKILL
    return {"output": "\n".join(output), "code": code}


class _Zygote:
    """The process from which children are forked, started on first use and restarted if it has ended."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self.is_warm = False
        """Whether the process should load the ``transformers`` library while it is idle."""
        self._has_asked = False

    def connect_once(self) -> None:
        """Fork a child that ends at once, after which everything is loaded."""
        with suppress(CheckpointError):
            self.connect().close()

    def connect(self) -> Connection:
        """Fork a new child."""
        slow = None
        with self._guard:
            for _ in range(2):
                if self._process is None or self._process.poll() is not None:
                    self._process, self._control = _start_zygote()
                    self._has_asked = False
                try:
                    assert self._control is not None
                    child = _fork_child(self._control)
                    if self.is_warm and not self._has_asked:
                        self._control.send(b"l")
                        self._has_asked = True
                    return child
                except TimeoutError as error:
                    slow = error
                    self._stop()
                except _GONE:
                    self._stop()
        if slow is not None:
            raise CheckpointError(
                f"the process that reads files did not start within {_START_SECONDS} s: the server is busy, try again"
            ) from slow
        raise CheckpointError("no process could be started to read the file: the server is out of memory or processes")

    def _stop(self) -> None:
        if self._process is not None and self._control is not None:
            self._control.close()
            self._process.kill()
            self._process.wait()
        self._process = self._control = None


def _start_zygote() -> tuple[subprocess.Popen[bytes], socket.socket]:
    parent_end, child_end = socket.socketpair()
    environment = os.environ | {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1",
                                "CUDA_VISIBLE_DEVICES": ""}  # fmt: skip
    command = [sys.executable, "-m", "model.checkpoints.sandbox.zygote"]
    with child_end:
        process = subprocess.Popen(
            command, cwd=code_folder(), env=environment, stdin=child_end.fileno(), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
    return process, parent_end


def _fork_child(control: socket.socket) -> Connection:
    parent_end, child_end = socket.socketpair()
    with child_end:
        packed = array.array("i", [child_end.fileno()])
        control.sendmsg([b"f"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, packed)])
    parent_end.settimeout(_START_SECONDS)
    return Connection(parent_end, int(messages.receive(parent_end)["process"]))


_ZYGOTE = _Zygote()
_WARMING = threading.Lock()


def connect() -> Connection:
    """Fork a new child.

    Raises:
        ConfinementError: on a system without the needed limits, such as Windows.
        CheckpointError: when no process can be started.
    """
    if not CAN_CONFINE:
        raise ConfinementError(
            "an uploaded file is read in a process without rights, which this system cannot make: start Regard on "
            "Linux, on macOS, or on Windows in WSL; python -m model opens files of your own"
        )
    return _ZYGOTE.connect()


def examine(path: Path, hints: dict[str, Any], work: Path, task: str = "examine") -> dict[str, Any]:
    bounds = limits()
    memory = memory_mb(
        bounds, size_of(path) + sum(size_of(value) for value in hints.values() if isinstance(value, Path))
    )
    if _names_a_single_stack(path):
        threading.Thread(target=_import_adapter, name="library").start()
    with closing(connect()) as child:
        return child.ask(
            {
                "task": task, "folder": str(work), "path": str(path.resolve()), "memory_mb": memory,
                "seconds": bounds.sandbox_seconds, "wall_seconds": 3 * bounds.sandbox_seconds,
                "file_mb": bounds.max_expanded_mb,
                "hints": {name: {"path": str(value.resolve())} if isinstance(value, Path) else value
                          for name, value in hints.items()},
            },
            seconds=3 * bounds.sandbox_seconds, what=path.name,
            remedy=f"its limits are {memory:,} MiB of memory and {bounds.sandbox_seconds} s of processor time; on a "
            "server of your own, raise REGARD_SANDBOX_MEMORY_MB and REGARD_SANDBOX_SECONDS",
        )["done"]  # fmt: skip


def _names_a_single_stack(path: Path) -> bool:
    """Whether a folder's config.json looks like that of an encoder-only or decoder-only model, without parsing it."""
    config = (path if path.is_dir() else path.parent) / "config.json"
    try:
        return config.stat().st_size <= _MIB and bool(_SINGLE_STACK.search(config.read_bytes()))
    except OSError:
        return False


def _import_adapter() -> None:
    """Import the adapter for such a model in this process, while a child reads its file."""
    with suppress(ImportError):
        import model.checkpoints.families.huggingface.adapter  # noqa: F401


def memory_mb(bounds: Limits, n_bytes: int) -> int:
    """The memory limit, in MiB, of a child that reads this many bytes: a small file needs little."""
    return min(bounds.sandbox_memory_mb, bounds.sandbox_base_mb + 12 * n_bytes // _MIB)


def check_size(n_bytes: int) -> None:
    """Raise LimitError if a model would take more memory than one session may use."""
    most = limits().session_memory_mb
    mib = n_bytes // _MIB
    if mib > most:
        raise LimitError(
            f"the model would take {mib:,} MiB of memory, but one session may use {most:,} MiB: on a server of your "
            "own, raise REGARD_SESSION_MEMORY_MB"
        )


def _error_of(described: dict[str, Any], what: str, remedy: str) -> Exception:
    kind, message = _KINDS.get(str(described.get("kind"))), str(described.get("message"))
    if kind is not None and issubclass(kind, TensorsError):
        error = kind(what, **{name: tuple(map(str, tensor_names)) for name, tensor_names in described["names"].items()})
        error.args = (message,)
        return error
    if kind is not None:
        error = kind(message)
        if isinstance(error, FamilyError):
            error.rows = tuple(map(str, described.get("rows", ())))
        return error
    if described.get("kind") == "MemoryError":
        return LimitError(f"{what} needs more memory than its process may take: {remedy}")
    log.warning("reading %a raised %s: %a", what, described.get("kind"), message)
    return CheckpointError(f"{what} is damaged or of no known form ({message[:160]}): copy it again")
