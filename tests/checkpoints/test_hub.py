"""Models of the hub by name: the size is checked before a download, one revision is used, and only safetensors and
tokenizer files are fetched. Tested against a real server.

The server answers as the hub does: ``/api/models/NAME`` with sizes, ``/NAME/resolve/REVISION/FILE`` with an ETag.
"""

import hashlib
import json
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import model
from model.checkpoints import hub
from model.checkpoints.basis.errors import CheckpointError, HintError, LimitError
from model.cli.main import main
from tests.checkpoints.fuzz import marian

SHA = "0123456789abcdef0123456789abcdef01234567"
NAME = "Helsinki-NLP/tiny-mt"


class Hub(ThreadingHTTPServer):
    """A hub with one model."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.files = {path.name: path.read_bytes() for path in folder.iterdir()}
        self.asked: list[str] = []


class Answers(BaseHTTPRequestHandler):
    """Its requests."""

    protocol_version = "HTTP/1.1"

    @property
    def hub(self) -> Hub:
        """The server that gives these answers."""
        assert isinstance(self.server, Hub)
        return self.server

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        self.hub.asked.append(f"{self.command} {path}")
        if path in (f"/api/models/{NAME}", f"/api/models/{NAME}/revision/main"):
            siblings = [{"rfilename": name, "size": len(raw), "blobId": hashlib.sha1(raw).hexdigest()}
                        for name, raw in self.hub.files.items()]  # fmt: skip
            self._send(200, json.dumps({"id": NAME, "modelId": NAME, "sha": SHA, "siblings": siblings}).encode())
        elif path.startswith(f"/{NAME}/resolve/{SHA}/") and path.rpartition("/")[2] in self.hub.files:
            raw = self.hub.files[path.rpartition("/")[2]]
            self._send(200, raw, ETag=f'"{hashlib.sha1(raw).hexdigest()}"')
        else:
            self._send(404, b"{}", **{"X-Error-Code": "RepoNotFound"})

    def _send(self, status: int, content: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), "X-Repo-Commit": SHA, **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = marian(tmp_path_factory.mktemp("hub") / "tiny")
    (made / "source.spm").write_bytes(b"s")
    for name in ("pytorch_model.bin", "run_me.py", "README.md", "tf_model.h5"):
        (made / name).write_bytes(b"never fetched")
    return made


@pytest.fixture
def served(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    server = Hub(folder)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv(hub.VARIABLE, "1")
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_address[1]}")
    yield server
    server.shutdown()
    server.server_close()


def test_the_size_is_known_before_anything_is_fetched(served: Hub) -> None:
    offer = hub.ask(NAME)
    assert (offer.name, offer.revision) == (NAME, SHA)
    assert [name for name, _ in offer.files] == [
        "config.json",
        "generation_config.json",
        "model.safetensors",
        "source.spm",
    ]
    assert offer.n_bytes == sum(len(served.files[name]) for name, _ in offer.files)
    assert not any("resolve" in requested for requested in served.asked)


def test_exactly_the_offered_files_of_one_revision_are_fetched(served: Hub, tmp_path: Path) -> None:
    offer, reported = hub.ask(NAME), []
    place = hub.fetch(offer, cache_folder=tmp_path / "cache", on_bytes=reported.append)
    assert {path.name for path in place.iterdir()} == {name for name, _ in offer.files}
    assert all(f"/resolve/{SHA}/" in requested for requested in served.asked if "resolve" in requested)
    assert not any(
        word in requested for requested in served.asked for word in ("pytorch_model", "run_me", "README", "tf_model")
    )
    assert reported == sorted(reported) and reported[-1] == offer.n_bytes
    (place / "source.spm").unlink()
    assert model.load(place).family == "huggingface/marian"


def test_a_model_missing_on_the_hub_is_reported(served: Hub) -> None:
    with pytest.raises(CheckpointError, match="the hub has no public model Helsinki-NLP/absent"):
        hub.ask("Helsinki-NLP/absent")


def test_the_error_without_safetensors_has_a_remedy(served: Hub) -> None:
    del served.files["model.safetensors"]
    with pytest.raises(CheckpointError, match=r"no safetensors weights .*pytorch_model\.bin.*@refs/pr/1"):
        hub.ask(NAME)


def test_a_model_beyond_the_limit_is_not_fetched(served: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGARD_MAX_UPLOAD_MB", "1")
    served.files["model.safetensors"] = bytes(2 << 20)
    with pytest.raises(LimitError, match="has 2 MiB, and the limit is 1 MiB"):
        hub.ask(NAME)


def test_without_a_network_the_message_has_the_way_around(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(hub.VARIABLE, "1")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(CheckpointError, match=r"Without a network, download its folder elsewhere .*model\.safetensors"):
        hub.ask(NAME)


def test_names_are_held_against_their_form(monkeypatch: pytest.MonkeyPatch) -> None:
    assert hub.parse_name(" a/b@refs/pr/3 ") == ("a/b", "refs/pr/3")
    for name in ("../../etc", "a/b/c", "http://x", "", "a/b@"):
        with pytest.raises(HintError, match="is not the name of a model"):
            hub.parse_name(name)
    monkeypatch.delenv(hub.VARIABLE, raising=False)
    with pytest.raises(CheckpointError, match="unless REGARD_ALLOW_HUB=1 is set"):
        hub.ask(NAME)


@pytest.fixture
def cached(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache of the hub's library with one model, as the library lays it out; there is no network."""
    from huggingface_hub import constants

    place = tmp_path / "hub" / f"models--{NAME.replace('/', '--')}"
    shutil.copytree(folder, place / "snapshots" / SHA, ignore=shutil.ignore_patterns("*.spm"))
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setenv(hub.VARIABLE, "1")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    return place


@pytest.mark.parametrize("has_main", [False, True])
def test_a_name_opens_from_the_cache_without_a_network(cached: Path, has_main: bool) -> None:
    if has_main:
        (cached / "refs").mkdir()
        (cached / "refs" / "main").write_text(SHA)
    bundle = model.load(NAME)
    assert bundle.family == "huggingface/marian" and bundle.name == "tiny-mt"


def test_the_command_line_opens_a_name_too(cached: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", "--checkpoint", NAME, "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["name"] == "tiny-mt" and not printed.err


def test_a_name_that_is_not_cached_is_fetched(served: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    del served.files["source.spm"]
    assert model.load(NAME).name == "tiny-mt"
    n_asked = len(served.asked)
    assert model.load(NAME).name == "tiny-mt" and len(served.asked) == n_asked


def test_errors_of_hub_names_have_the_way_around(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CheckpointError, match=r"other-owner/other could not be fetched .*hf download"):
        model.load("other-owner/other")
    with pytest.raises(CheckpointError, match=r"there is no checkpoint runs/best\.pt: give a file or folder"):
        model.load("runs/best.pt")
    monkeypatch.delenv(hub.VARIABLE)
    with pytest.raises(CheckpointError, match=r"opens by its name where REGARD_ALLOW_HUB=1 is set"):
        model.load(NAME)
