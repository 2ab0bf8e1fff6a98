"""Hides POSIX modules and calls, which Windows lacks, from the modules of this repository.

A process with this folder on PYTHONPATH runs it at its start. Python's standard library still sees these modules,
because without them it would choose system calls of Windows.
"""

import builtins
import fcntl
import os
import select
import signal
import types

OURS = ("model", "viz", "app")
ABSENT = ("fcntl", "resource", "pwd", "grp", "termios")
CALLS = (
    (os, "fork"), (os, "getuid"), (os, "geteuid"), (os, "nice"), (os, "setpriority"), (os, "sysconf"), (os, "killpg"),
    (select, "poll"), (signal, "alarm"), (signal, "SIGKILL"), (signal, "SIGALRM"), (signal, "SIGCHLD"),
)  # fmt: skip
_import = builtins.__import__


def _locking(descriptor, mode, count):
    """Like ``msvcrt.locking``: an exclusive lock, or PermissionError if it is held."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise PermissionError("taken") from error


_msvcrt = types.ModuleType("msvcrt")
vars(_msvcrt).update(locking=_locking, LK_NBLCK=2)


def _imported(name, globals=None, locals=None, fromlist=(), level=0):
    ours = str((globals or {}).get("__name__", "")).partition(".")[0] in OURS
    if ours and name == "msvcrt":
        return _msvcrt
    if ours and name in ABSENT:
        raise ImportError(f"No module named {name!r}")
    return _import(name, globals, locals, fromlist, level)


builtins.__import__ = _imported
for module, call in CALLS:
    delattr(module, call)
