"""What a confined process can do on this system, found by trying it: ``python -m model.files.confined``.

A process is confined as the one that reads strangers' files, and then tries each thing that such a file might make it
do. docs/security.md names what is refused where.
"""

import contextlib
import json
import os
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from model.files import linux_rules
from model.files.confinement import CAN_CONFINE, confine

MEMORY_MB, FILE_MB = 256, 1


@dataclass(frozen=True, slots=True)
class Outside:
    """Targets outside the confined process: a folder with a file, two listening sockets, and its parent."""

    folder: Path
    port: int
    parent: int

    @property
    def file(self) -> Path:
        """A file of somebody else."""
        return self.folder / "file"

    @property
    def socket(self) -> Path:
        """A socket in the file system, as Redis may have one."""
        return self.folder / "socket"


def _run(*words: str) -> None:
    process = os.fork()
    if process == 0:
        with contextlib.suppress(OSError):
            os.execv(words[0], words)
        os._exit(1)
    if os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]):
        raise PermissionError


def _fork_many() -> None:
    for _ in range(200):
        if os.fork() == 0:
            os._exit(0)


def _connect(place: str) -> None:
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(place)


def _write_much(path: Path) -> None:
    with path.open("wb") as file:
        file.write(bytes(2 * FILE_MB << 20))


ATTEMPTS: Mapping[str, Callable[[Outside], object]] = {
    "write into the files of others": lambda outside: outside.file.write_text("changed"),
    "make a file outside its folder": lambda outside: (outside.folder / "new").write_text("new"),
    "remove the files of others": lambda outside: outside.file.unlink(),
    "read the files of others": lambda outside: outside.file.read_text("utf-8"),
    "read the environment of its parent": lambda outside: Path(f"/proc/{outside.parent}/environ").read_bytes(),
    "read the memory of its parent": lambda outside: os.open(f"/proc/{outside.parent}/mem", os.O_RDONLY),
    "signal its parent": lambda outside: os.kill(outside.parent, signal.SIGURG),
    "start 200 processes": lambda outside: _fork_many(),
    "start a program": lambda outside: _run("/bin/true"),
    "replace itself by a program": lambda outside: os.execv("/bin/false", ("/bin/false",)),
    "connect to the network": lambda outside: socket.create_connection(("127.0.0.1", outside.port), 2).close(),
    "connect to a socket in the file system": lambda outside: _connect(str(outside.socket)),
    "take more memory than its limit": lambda outside: bytearray(2 * MEMORY_MB << 20),
    "write a larger file than its limit": lambda outside: _write_much(Path("large")),
}  # fmt: skip
"""The attempts, in this order."""
NEEDED: Mapping[str, Callable[[Outside], object]] = {
    "write in its folder": lambda outside: Path("own").write_text("own"),
    "read the installed packages": lambda outside: Path(json.__file__).read_bytes(),
    "start a thread": lambda outside: threading.Thread(target=str).start(),
    "end itself with a signal": lambda outside: os.kill(os.getpid(), 0),
}
"""What it must be able to do."""


def try_operations() -> dict[str, bool]:
    """Try each operation in a process of its own; returns whether it was refused."""
    if not CAN_CONFINE:
        raise OSError("this system cannot confine a process: uploads and visitors' SQL are refused")
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="regard-confined-")))
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        outside = Outside(folder / "outside", listener.getsockname()[1], os.getpid())
        outside.folder.mkdir()
        place = stack.enter_context(socket.socket(socket.AF_UNIX))
        place.bind(str(outside.socket))
        place.listen()
        found = {}
        for number, (name, attempt) in enumerate({**ATTEMPTS, **NEEDED}.items()):
            subfolder = folder / str(number)
            subfolder.mkdir()
            outside.file.write_text("of somebody else")
            found[name] = _is_refused(attempt, outside, subfolder)
        return found


def _is_refused(attempt: Callable[[Outside], object], outside: Outside, place: Path) -> bool:
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) != 0
    try:
        confine(place, memory_mb=MEMORY_MB, seconds=10, wall_seconds=20, file_mb=FILE_MB)
        attempt(outside)
        os._exit(0)
    except BaseException:
        os._exit(1)


def main() -> int:
    """Print a line for each attempt; 0 when all are refused and everything needed is allowed."""
    linux_rules.hide_memory()
    try:
        found = try_operations()
    except OSError as error:
        sys.stdout.write(f"{error}\n")
        return 1
    version = linux_rules.landlock_version()
    sys.stdout.write(f"Landlock: {f'version {version}' if version else 'none'}; "
                     f"seccomp: {'yes' if linux_rules.has_seccomp() else 'no'}\n")  # fmt: skip
    for name, is_refused in found.items():
        sys.stdout.write(f"{'refused' if is_refused else 'allowed':8} {name}\n")
    return 0 if found == {name: name in ATTEMPTS for name in found} else 1


if __name__ == "__main__":
    sys.exit(main())
