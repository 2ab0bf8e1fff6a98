"""Harm stays in the child that reads: it is ended, reaches no network, and gives way to others."""

import json
import os
import shutil
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import mkdtemp
from types import SimpleNamespace
from typing import Any

import pytest

import model
from model.checkpoints.basis.errors import CheckpointError, LimitError
from model.checkpoints.sandbox import child, client, examine_sandboxed, zygote
from model.checkpoints.sandbox.tokenizer import sandboxed_tokenizers
from model.files.workspace import workspace
from model.text.tokenizer import Tokenizer, TokenizerError
from tests.checkpoint import tiny_bundle
from tests.checkpoints.leavings import children_of, nothing_is_left

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
        monkeypatch.setattr(child, "_examine", lambda request, folder: harm())
        zygotes.append(_Forking())
        monkeypatch.setattr(client, "_ZYGOTE", zygotes[-1])

    yield arrange
    for process in zygotes:
        process.wait()


class _Forking:
    """Forks children from the test's own process, so that they run what the test patched."""

    _process = None

    def __init__(self) -> None:
        self.started: list[int] = []

    def connect(self) -> client.Connection:
        parent_end, child_end = socket.socketpair()
        process = os.fork()
        if process == 0:
            parent_end.close()
            os._exit(child.serve(child_end))
        child_end.close()
        self.started.append(process)
        parent_end.settimeout(60)
        return client.Connection(parent_end, int(client.messages.receive(parent_end)["process"]))

    def wait(self) -> None:
        for process in self.started:
            os.waitpid(process, 0)


@pytest.mark.parametrize("kind", HARM)
def test_a_child_that_dies_hangs_or_is_greedy_is_one_clear_message(kind: str, harmful, tmp_path: Path) -> None:
    harmful(HARM[kind])
    path = tmp_path / "model.pt"
    path.write_bytes(b"x")
    with pytest.raises(LimitError, match=r"model\.pt .*(ended before|took more than|more memory).*REGARD_SANDBOX"):
        examine_sandboxed(path)


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
            examine_sandboxed(tmp_path / "model.pt")
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
        bundle: Any = examine_sandboxed(folder).bundle
    except CheckpointError:
        return  # refused when it was opened, which would be fine too
    except TokenizerError:
        return
    with pytest.raises(TokenizerError, match="the tokenizer"):
        bundle.source_tokenizer.encode("T" * 2000)
    assert bundle.source_tokenizer.encode("cat").ids == (1,)


def _open_tokenizer() -> Tokenizer:
    """A tokenizer in C++, as if it were a stranger's."""
    place = Path(mkdtemp(prefix="tokenizers-", dir=workspace()))
    shutil.copyfile(Path(model.__file__).parents[1] / "pretrained/tiny/tokenizer.model", place / "tokenizer.model")
    result, _ = sandboxed_tokenizers(place, {"source": {"file": "tokenizer.model"}})
    assert result is not None
    return result


def test_a_tokenizers_process_and_files_end_when_its_owner_leaves() -> None:
    result, zygote = _open_tokenizer(), client._ZYGOTE._process
    assert result.encode("the cat").ids and zygote is not None
    _wait_for(lambda: len(children_of(zygote.pid)) == 1)  # what has tried the file ends by itself
    folder = result._service._folder  # type: ignore[attr-defined]
    result._service.close()  # type: ignore[attr-defined]
    _wait_for(lambda: not children_of(zygote.pid))
    assert not folder.exists()
    with pytest.raises(TokenizerError, match="was closed: open its file again"):
        result.encode("the cat")


def test_few_tokenizers_wait_at_once_and_one_that_rested_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGARD_TOKENIZER_CHILDREN", "2")
    results = [_open_tokenizer() for _ in range(4)]
    zygote: Any = client._ZYGOTE._process
    _wait_for(lambda: len(children_of(zygote.pid)) == 2)
    expected = results[3].encode("the cat").ids
    assert [result.encode("the cat").ids for result in results] == [expected] * 4
    _wait_for(lambda: len(children_of(zygote.pid)) == 2)


def _wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_process_that_does_not_answer_in_time_is_called_slow_and_the_next_file_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slow = client._Zygote()
    monkeypatch.setattr(client, "_START_SECONDS", 0.001)
    with pytest.raises(CheckpointError, match="the server is busy, try again"):
        slow.connect()
    monkeypatch.undo()
    slow.connect().close()
    slow._stop()


class _Loading:
    """A stand-in for the process that children are forked from, and for its socket."""

    def __init__(self) -> None:
        self.is_running, self.sent = True, list[bytes]()

    def send(self, content: bytes) -> None:
        self.sent.append(content)

    def poll(self) -> int | None:
        return None if self.is_running else 0

    def kill(self) -> None:
        self.is_running = False

    def wait(self) -> int:
        return 0

    def close(self) -> None:
        pass


def test_the_library_is_preloaded_once_per_process_and_only_after_the_page_was_opened(monkeypatch) -> None:
    started: list[_Loading] = []

    def start() -> tuple[_Loading, _Loading]:
        started.append(_Loading())
        return started[-1], started[-1]

    monkeypatch.setattr(client, "_start_zygote", start)
    monkeypatch.setattr(client, "_fork_child", lambda control: control)
    process = client._Zygote()
    process.connect()
    assert started[0].sent == []
    process.is_warm = True
    process.connect()
    process.connect()
    assert started[0].sent == [b"l"]
    started[0].is_running = False
    process.connect()
    assert [item.sent for item in started] == [[b"l"], [b"l"]]


def test_parts_of_the_library_are_loaded_while_nobody_asks_and_a_child_comes_between_two(monkeypatch) -> None:
    done: list[str] = []
    parent_end, child_end = socket.socketpair()
    descriptors = iter([zygote._NO_DESCRIPTOR, os.dup(parent_end.fileno()), None])
    requested = iter([False, True, False, False, True])
    monkeypatch.setattr(zygote, "LIBRARY", ("first", "absent", "third"))
    monkeypatch.setattr(zygote, "_next", lambda control: next(descriptors))
    monkeypatch.setattr(zygote, "_has_request", lambda control: next(requested))
    monkeypatch.setattr(zygote.signal, "signal", lambda *_: None)
    monkeypatch.setattr(zygote.sys, "stdin", SimpleNamespace(fileno=lambda: os.dup(child_end.fileno())))
    monkeypatch.setattr("model.checkpoints.sandbox.child.preload", lambda: done.append("ready"))
    monkeypatch.setattr(zygote.os, "fork", lambda: done.append("child") or 1)

    def load(name: str) -> None:
        done.append(name)
        if name == "absent":
            raise ImportError(name)

    monkeypatch.setattr(zygote.importlib, "import_module", load)
    assert zygote.main() == 0
    assert done == ["ready", "first", "child", "absent", "third"]


@pytest.mark.parametrize(("is_long", "niceness"), [(False, 0), (True, 5)], ids=["short", "long"])
def test_long_work_gives_way_and_short_work_does_not(is_long, niceness, harmful, monkeypatch, tmp_path: Path) -> None:
    def niceness_above() -> dict[str, int]:
        while is_long and os.getpriority(os.PRIO_PROCESS, 0) == before:
            time.sleep(0.01)
        return {"niceness": os.getpriority(os.PRIO_PROCESS, 0) - before}

    before = os.getpriority(os.PRIO_PROCESS, 0)
    monkeypatch.setattr(client, "_NICENESS", before + 5)
    monkeypatch.setattr(client, "_SHORT_SECONDS", 0.01 if is_long else 3600)
    harmful(niceness_above)
    (tmp_path / "model.pt").write_bytes(b"")
    (tmp_path / "work").mkdir()
    assert client.examine(tmp_path / "model.pt", {}, tmp_path / "work") == {"niceness": niceness}
