"""Two ways in which Linux keeps a process from what it does not need: Landlock for files, seccomp for system calls.

Landlock (kernel 5.13 and later) allows reading and writing beneath named folders only, and from kernel 6.12 on no
signal to other processes. A seccomp filter refuses system calls by number, here those that start programs and
processes, open sockets, send signals to others, read others' memory, and enter other parts of the kernel. Neither can
be lifted again. Both are asked for with ctypes: https://docs.kernel.org/userspace-api/landlock.html and
https://docs.kernel.org/userspace-api/seccomp_filter.html.
"""

import contextlib
import ctypes
import errno
import os
import platform
import stat
import struct
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

NOT_DUMPABLE, NO_NEW_PRIVILEGES = 4, 38
"""PR_SET_DUMPABLE and PR_SET_NO_NEW_PRIVS of prctl(2)."""
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF, _SECCOMP = 444, 445, 446, {"x86_64": 317, "aarch64": 277}
_ASK_VERSION, _BENEATH = 1, 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | 1 << 14 | 1 << 15
"""The rights that a rule for a file, and not a folder, may name: also to truncate it, and to control a device."""
_SPECIAL_FILES = 1 << 6 | 1 << 9 | 1 << 10 | 1 << 11
"""To make devices, sockets and pipes, which no folder allows."""
_N_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
"""Rights by version of Landlock; 16 from version 5 on."""
_TCP, _SCOPES = 0b11, 0b11
"""To bind and connect (version 4); abstract sockets and signals of processes outside (version 6)."""
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_ALLOW, _REFUSE, _UNKNOWN = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
_LOAD, _IS, _HAS, _AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16
_X32 = 0x40000000
_THREAD = 0x00010000
"""CLONE_THREAD of clone(2): a thread of this process, and no process of its own."""
_CALLS = {
    # name: (x86_64, aarch64); None where the architecture has no such call
    "execve": (59, 221), "execveat": (322, 281), "fork": (57, None), "vfork": (58, None),
    "socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201),
    "accept": (43, 202), "accept4": (288, 242), "tkill": (200, 130), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "pidfd_send_signal": (424, 424), "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438), "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "bpf": (321, 280),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "unshare": (272, 97), "setns": (308, 268),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "keyctl": (250, 219),
    "add_key": (248, 217), "request_key": (249, 218), "open_by_handle_at": (304, 265), "kexec_load": (246, 104),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
}  # fmt: skip
_CLONE, _CLONE3, _KILL, _TGKILL = (56, 220), (435, 435), (62, 129), (234, 131)


def landlock_version() -> int:
    """The version of Landlock that this kernel enforces; 0 where it has none."""
    return max(0, _call(_CREATE_RULESET, None, 0, _ASK_VERSION)) if sys.platform == "linux" else 0


def has_seccomp() -> bool:
    """Whether system calls can be refused here: on Linux, on a processor whose numbers are known."""
    return sys.platform == "linux" and platform.machine() in _ARCHITECTURE and _prctl(21, 0) == 0


def hide_memory() -> None:
    """Keep this process's memory, environment and open files from other processes of the same user."""
    if sys.platform == "linux":
        _prctl(NOT_DUMPABLE, 0)


def allow_files_beneath(readable: Iterable[Path], writable: Iterable[Path]) -> bool:
    """From now on this process reads and writes beneath these paths only; False where the kernel has no Landlock.

    Files that are open stay open. No program may be started, and no special file made, anywhere.
    """
    version = landlock_version()
    if not version:
        return False
    handled = (1 << _N_RIGHTS.get(version, 16)) - 1
    attributes = struct.pack("=QQQ", handled, _TCP if version >= 4 else 0, _SCOPES if version >= 6 else 0)
    attributes = attributes[: 8 if version < 4 else 16 if version < 6 else 24]
    rules = _call(_CREATE_RULESET, attributes, len(attributes), 0)
    if rules < 0:
        return False
    try:
        for path in readable:
            _allow(rules, path, _READ_FILE | _READ_FOLDER)
        for path in writable:
            _allow(rules, path, handled & ~_EXECUTE & ~_SPECIAL_FILES)
        return _call(_RESTRICT_SELF, rules, 0) == 0
    finally:
        os.close(rules)


def _allow(rules: int, path: Path, rights: int) -> None:
    with contextlib.suppress(OSError):  # what is not there needs no rule
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
                rights &= _OF_FILES
            _call(_ADD_RULE, rules, _BENEATH, struct.pack("=Qi", rights, descriptor), 0)
        finally:
            os.close(descriptor)


def refuse_calls() -> bool:
    """From now on this process starts no program and no other process, opens no socket and signals nobody else.

    Returns whether the kernel enforces it.
    """
    if not has_seccomp():
        return False
    filters = b"".join(_filter(platform.machine(), os.getpid()))
    held = ctypes.create_string_buffer(filters)
    program = struct.pack("=HxxxxxxQ", len(filters) // 8, ctypes.addressof(held))
    every_thread = 1
    return _call(_SECCOMP[platform.machine()], 1, every_thread, program) == 0


def _filter(machine: str, process: int) -> Iterator[bytes]:
    """The instructions of the filter, as ``struct sock_filter``."""
    column = 0 if machine == "x86_64" else 1
    yield _step(_LOAD, _ARCHITECTURE_AT)
    yield _step(_IS, _ARCHITECTURE[machine], 1, 0)
    yield _step(_RETURN, _REFUSE)
    yield _step(_LOAD, _NUMBER_AT)
    if machine == "x86_64":
        yield _step(_AT_LEAST, _X32, 0, 1)
        yield _step(_RETURN, _REFUSE)
    for numbers, instruction, value in (
        (_KILL, _IS, process), (_TGKILL, _IS, process), (_CLONE, _HAS, _THREAD),
    ):  # fmt: skip
        yield _step(_IS, numbers[column], 0, 4)
        yield _step(_LOAD, _FIRST_ARGUMENT_AT)
        yield _step(instruction, value, 0, 1)
        yield _step(_RETURN, _ALLOW)
        yield _step(_RETURN, _REFUSE)
    yield _step(_IS, _CLONE3[column], 0, 1)
    yield _step(_RETURN, _UNKNOWN)  # the C library then asks for a thread with clone
    for numbers in _CALLS.values():
        if (number := numbers[column]) is not None:
            yield _step(_IS, number, 0, 1)
            yield _step(_RETURN, _REFUSE)
    yield _step(_RETURN, _ALLOW)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _call(number: int, *arguments: object) -> int:
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    return library.syscall(ctypes.c_long(number), *(ctypes.c_long(each) if isinstance(each, int) else each
                                                     for each in arguments))  # fmt: skip


def _prctl(option: int, value: int) -> int:
    return ctypes.CDLL(None, use_errno=True).prctl(option, *map(ctypes.c_ulong, (value, 0, 0, 0)))
