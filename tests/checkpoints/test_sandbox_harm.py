"""Harm stays in the child that reads: it is ended, reaches no network, and gives way to others."""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import model
from model.checkpoints.errors import CheckpointError, LimitError
from model.checkpoints.sandbox import child, client, examine_apart
from model.text.tokenizer import TokenizerError
from tests.checkpoint import tiny_bundle
from tests.checkpoints.leavings import nothing_is_left

nothing_remains = pytest.fixture(autouse=True, name="nothing_remains")(nothing_is_left)


HARM: dict[str, Callable[[], object]] = {
    "dies": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "takes all memory": lambda: bytearray(64 << 30),
    "takes memory bit by bit": lambda: [bytearray(1 << 24) for _ in range(4096)],
    "never ends": lambda: _spin(),
    "never ends in C": lambda: "a" * 10**6 in ("a" * (10**6 - 1) + "b") * 10**4,
    "sleeps": lambda: time.sleep(600),
    "exits": lambda: os._exit(0),
}


def _spin() -> None:
    while True:
        pass


@pytest.fixture
def harmful(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[], object]], None]]:
    """Makes the next children misbehave while they read, by forking them from a process that is patched for it."""
    monkeypatch.setenv("REGARD_SANDBOX_SECONDS", "1")
    monkeypatch.setenv("REGARD_SANDBOX_BASE_MB", "256")
    zygotes: list[_Forking] = []

    def arrange(harm: Callable[[], object]) -> None:
        monkeypatch.setattr(child, "_examined", lambda request, folder: harm())
        zygotes.append(_Forking())
        monkeypatch.setattr(client, "_ZYGOTE", zygotes[-1])

    yield arrange
    for zygote in zygotes:
        zygote.wait()


class _Forking:
    """Forks children from the test's own process, so that they run what the test patched."""

    _process = None

    def __init__(self) -> None:
        self.started: list[int] = []

    def connect(self) -> client.Connection:
        own, theirs = socket.socketpair()
        process = os.fork()
        if process == 0:
            own.close()
            os._exit(child.serve(theirs))
        theirs.close()
        self.started.append(process)
        own.settimeout(60)
        return client.Connection(own, int(client.messages.receive(own)["process"]))

    def wait(self) -> None:
        for process in self.started:
            os.waitpid(process, 0)


@pytest.mark.parametrize("kind", HARM)
def test_a_child_that_dies_hangs_or_is_greedy_is_one_clear_message(kind: str, harmful, tmp_path: Path) -> None:
    harmful(HARM[kind])
    path = tmp_path / "model.pt"
    path.write_bytes(b"x")
    with pytest.raises(LimitError, match=r"model\.pt .*(ended before|took more than|more memory).*REGARD_SANDBOX"):
        examine_apart(path)


def test_a_child_reaches_no_network(harmful, tmp_path: Path) -> None:
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(3)

        def listen() -> None:
            try:
                connection, _ = listener.accept()
                heard.append(connection.recv(10))
            except TimeoutError:
                return

        thread = threading.Thread(target=listen)
        thread.start()
        address = listener.getsockname()
        harmful(lambda: socket.create_connection(address, timeout=2).send(b"out"))
        (tmp_path / "model.pt").write_bytes(b"x")
        with pytest.raises(CheckpointError):
            examine_apart(tmp_path / "model.pt")
        thread.join()
    if not _can_deny_network():
        pytest.skip("this system lets no process leave its network")
    assert not heard


def _can_deny_network() -> bool:
    process = os.fork()
    if process == 0:
        import ctypes

        library = ctypes.CDLL(None)
        os._exit(0 if library.unshare(0x40000000) == 0 or library.unshare(0x50000000) == 0 else 1)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0


def test_a_tokenizer_that_hangs_is_stopped_and_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGARD_TOKENIZER_SECONDS", "1")
    folder = model.save(tiny_bundle(), tmp_path / "own")
    replacements = [{"type": "Replace", "pattern": {"String": "T" * (1 << n)}, "content": "T" * (1 << n + 1)}
                    for n in range(24)]  # fmt: skip
    described = {
        "version": "1.0", "added_tokens": [], "pre_tokenizer": {"type": "Whitespace"}, "post_processor": None,
        "decoder": None, "truncation": None, "padding": None,
        "normalizer": {"type": "Sequence", "normalizers": replacements},
        "model": {"type": "WordLevel", "vocab": {"<unk>": 0, "cat": 1}, "unk_token": "<unk>"},
    }  # fmt: skip
    for side in ("source", "target"):
        (folder / f"{side}.json").write_text(json.dumps(described))
    try:
        bundle = examine_apart(folder).bundle
    except CheckpointError:
        return  # refused when it was opened, which would be fine too
    except TokenizerError:
        return
    assert bundle.source_tokenizer is not None
    began = time.monotonic()
    with pytest.raises(TokenizerError, match="the tokenizer"):
        bundle.source_tokenizer.encode("T" * 2000)
    assert time.monotonic() - began < 30
    assert bundle.source_tokenizer.encode("cat").ids == (1,)


class _Loading:
    """A stand-in for the process that children are forked from, and for its socket."""

    def __init__(self, with_library: bool) -> None:
        self.with_library, self.is_running = with_library, True

    def poll(self) -> int | None:
        return None if self.is_running else 0

    def kill(self) -> None:
        self.is_running = False

    def wait(self) -> int:
        return 0

    def close(self) -> None:
        pass


@pytest.mark.parametrize("is_sound", [True, False], ids=["loads", "fails"])
def test_the_first_process_serves_until_the_one_with_the_library_is_ready(is_sound, monkeypatch) -> None:
    started: list[_Loading] = []
    served: list[_Loading] = []

    def start(*, with_library: bool) -> tuple[_Loading, _Loading]:
        started.append(_Loading(with_library))
        return started[-1], started[-1]

    def fork(control: _Loading) -> _Loading:
        if control.with_library and control not in served:
            assert started[0].is_running  # the old process serves in the meantime
            if not is_sound:
                raise client.messages.ConnectionEnded
        served.append(control)
        return control

    monkeypatch.setattr(client, "_started", start)
    monkeypatch.setattr(client, "_forked", fork)
    monkeypatch.setattr(client, "_has_library", lambda: True)
    zygote = client._Zygote()
    zygote.connect()
    zygote.add_library()
    zygote.connect()
    assert [one.with_library for one in started] == [False, True]
    assert [one.is_running for one in started] == [not is_sound, is_sound]
    assert served[-1].with_library is zygote.has_library is is_sound
    zygote.add_library()
    assert len(started) == (2 if is_sound else 3)


@pytest.mark.parametrize(("takes", "niceness"), [(0.0, 0), (0.3, 5)], ids=["short", "long"])
def test_long_work_gives_way_and_short_work_does_not(takes, niceness, harmful, monkeypatch, tmp_path: Path) -> None:
    def told() -> dict[str, int]:
        time.sleep(takes)
        return {"niceness": os.getpriority(os.PRIO_PROCESS, 0) - before}

    before = os.getpriority(os.PRIO_PROCESS, 0)
    monkeypatch.setattr(client, "_NICENESS", before + 5)
    monkeypatch.setattr(client, "_SHORT_SECONDS", 30 if not takes else 0.01)
    harmful(told)
    (tmp_path / "model.pt").write_bytes(b"")
    (tmp_path / "work").mkdir()
    assert client.examined(tmp_path / "model.pt", {}, tmp_path / "work") == {"niceness": niceness}
