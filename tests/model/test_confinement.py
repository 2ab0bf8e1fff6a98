"""What a process that reads a stranger's file cannot do, tried on this system."""

import ctypes
import os
import struct
import sys

import pytest

from model.files import confined, linux_rules
from model.files.confinement import CAN_CONFINE

pytestmark = pytest.mark.skipif(not CAN_CONFINE, reason="this system confines no process")
_FILES = {name for name in confined.ATTEMPTS if "files of others" in name or "outside its folder" in name}
_LIMITS = {"take more memory than its limit", "write a larger file than its limit"}


@pytest.fixture(scope="module")
def attempts() -> dict[str, bool]:
    return confined.try_operations()


def test_a_confined_process_can_read_a_file(attempts: dict[str, bool]) -> None:
    assert not [name for name in confined.NEEDED if attempts[name]]


def test_memory_and_size_of_files_are_limited_everywhere(attempts: dict[str, bool]) -> None:
    assert all(
        attempts[name] for name in (_LIMITS if sys.platform == "linux" else {"write a larger file than its limit"})
    )


@pytest.mark.skipif(not linux_rules.landlock_version(), reason="this kernel has no Landlock")
def test_landlock_keeps_it_from_the_files_of_others_and_from_programs(attempts: dict[str, bool]) -> None:
    assert not [name for name in (*_FILES, "read the memory of its parent", "start a program") if not attempts[name]]


@pytest.mark.skipif(not linux_rules.has_seccomp(), reason="system calls cannot be refused here")
def test_seccomp_keeps_it_from_programs_processes_sockets_and_signals(attempts: dict[str, bool]) -> None:
    rest = [name for name in confined.ATTEMPTS if name not in (*_FILES, *_LIMITS)]
    assert not [name for name in rest if not attempts[name]]


@pytest.mark.nightly("6.2", "6.10")
@pytest.mark.skipif(not linux_rules.landlock_version(), reason="this kernel has no Landlock")
@pytest.mark.parametrize("version", [0, 1, 3, 5], ids=["none", "5.13", "6.2", "6.10"])
def test_confinement_falls_back_on_older_kernels(version: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """docs/security.md has this table."""
    monkeypatch.setattr(linux_rules, "landlock_version", lambda: version)
    attempts = confined.try_operations()
    of_parent = {"read the memory of its parent", "read the environment of its parent"}
    expected = set(confined.ATTEMPTS) - (set() if version else _FILES | of_parent)
    assert {name for name, is_refused in attempts.items() if is_refused} >= expected
    assert not any(attempts[name] for name in confined.NEEDED)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are dumpable on Linux")
def test_memory_that_is_hidden_is_not_dumpable() -> None:
    process = os.fork()
    if process == 0:
        linux_rules.hide_memory()
        os._exit(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_each_instruction_of_the_filter_jumps_within_it_and_every_way_ends(machine: str) -> None:
    """The kernel refuses a filter that does not, so the one of the other processor is checked here."""
    steps = [struct.unpack("=HBBI", step) for step in linux_rules._filter(machine, 1_234)]
    for place, (code, if_true, if_false, _) in enumerate(steps):
        if code != linux_rules._RETURN:
            assert place + 1 + max(if_true, if_false) < len(steps)
    assert steps[-1][0] == linux_rules._RETURN and steps[-1][3] == linux_rules._ALLOW


def test_the_command_prints_each_attempt_and_fails_where_one_is_allowed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for is_refused in (True, False):
        attempts = dict.fromkeys(confined.ATTEMPTS, is_refused) | dict.fromkeys(confined.NEEDED, False)
        monkeypatch.setattr(confined, "try_operations", lambda attempts=attempts: attempts)
        assert confined.main() == (0 if is_refused else 1)
        printed = capsys.readouterr().out
        assert f"{'refused' if is_refused else 'allowed'}  signal its parent".replace("  ", " ") in printed.replace(
            "  ", " "
        )
