"""Runs an untrusted tokenizer in a child process, because a text may make its rules run forever."""

from __future__ import annotations

import json
import shutil
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from model.checkpoints.basis.errors import CheckpointError, LimitError
from model.checkpoints.basis.limits import limits
from model.checkpoints.sandbox import client
from model.checkpoints.vocabularies.packed_tokenizer import content_of, write_packed
from model.files.workspace import workspace
from model.text.chat import LONGEST_RENDERED
from model.text.tokenizer import Tokenizer, TokenizerError
from model.text.word_tokenizer import WordTokenizer
from model.trace import TokenSequence

_BEYOND = "the tokenizer answered an id beyond its vocabulary: give the file that was trained"
_CLOSED = "this model was closed: open its file again"
_TEXTS_AT_ONCE = 200
_REMEDY = "the tokenizer was stopped: try a shorter text, or another tokenizer"


def sandboxed_tokenizers(folder: Path, stored: dict[str, Any]) -> tuple[Tokenizer | None, Tokenizer | None]:
    """The tokenizers of a result. Lists of words are opened here; all others run in a child with the same lifetime.

    Args:
        folder: the folder with their files, which is removed together with them.
        stored: the description of each side's stored tokenizer, from the child that wrote it.
    """
    service = Service(folder, stored)
    made: dict[str, Tokenizer] = {}
    opened: list[Tokenizer | None] = []
    for side in ("source", "target"):
        place = stored.get(side)
        if place is None:
            opened.append(None)
            continue
        key = json.dumps(place)
        if key not in made:
            made[key] = _words(folder, place) if place.get("is_plain") else SandboxedTokenizer(service, side, place)
        opened.append(made[key])
    return opened[0], opened[1]


class SandboxedTokenizer:
    """One side's tokenizer, in a child."""

    def __init__(self, service: Service, side: str, place: dict[str, Any]) -> None:
        self._service, self._side, self._place = service, side, place
        facts = service.facts(side)
        self.size = int(facts["size"])
        self.unknown_id: int | None = facts["unknown_id"]
        self.tokens = tuple(map(str, facts["tokens"] or ()))
        self.language: str | None = place.get("language")
        self.has_chat = facts.get("has_chat") is True
        self.languages = {str(code)[:16]: int(index) for code, index in facts["languages"].items()}
        if isinstance(facts["special_ids"], dict):
            self.special_ids = {str(role): int(index) for role, index in facts["special_ids"].items()}

    @property
    def content(self) -> bytes:
        """The bytes of its files."""
        if "library" in self._place:
            return content_of(self._files(), self._side, self.language)
        return b"".join(self._files().values())

    def _files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self._service.files(self._place)}

    def encode(self, text: str) -> TokenSequence:
        """The text's tokens."""
        tokens = self._sequence("encode", text)
        if any(not 0 <= index < self.size for index in tokens.ids):
            raise TokenizerError(_BEYOND)
        return tokens

    def describe(self, ids: Sequence[int]) -> TokenSequence:
        """The tokens of ids."""
        expected = tuple(int(index) for index in ids)
        tokens = self._sequence("describe", list(expected))
        if tokens.ids != expected:
            raise TokenizerError(_BEYOND)
        return tokens

    def encode_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Only the ids, for many texts, in chunks so that each call stays within its time limit."""
        ids_of_texts: list[list[int]] = []
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            part = list(texts[start : start + _TEXTS_AT_ONCE])
            answer = self._service.call(self._side, "encode_ids", part)
            ids_of_texts += [[int(index) for index in ids] for ids in answer]
        if len(ids_of_texts) != len(texts) or any(not 0 <= index < self.size for ids in ids_of_texts for index in ids):
            raise TokenizerError(_BEYOND)
        return ids_of_texts

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids."""
        return str(self._service.call(self._side, "decode", [int(index) for index in ids]))

    def chat(self, messages: Sequence[Mapping[str, str]]) -> str:
        """Apply the chat template to messages, in the child."""
        return str(self._service.call(self._side, "chat", [dict(message) for message in messages]))[:LONGEST_RENDERED]

    def save(self, folder: Path, stem: str) -> str:
        """Write its file and return the name."""
        if "library" in self._place:
            return write_packed(self._files(), self._side, self.language, folder, stem)
        (path,) = self._service.files(self._place)
        shutil.copyfile(path, folder / f"{stem}{path.suffix}")
        return f"{stem}{path.suffix}"

    def _sequence(self, name: str, argument: Any) -> TokenSequence:
        sent = self._service.call(self._side, name, argument)
        try:
            spans = tuple(None if span is None else (int(span[0]), int(span[1])) for span in sent["spans"])
            sequence = TokenSequence(
                tuple(map(int, sent["ids"])), tuple(map(str, sent["pieces"])), tuple(map(int, sent["words"])), spans
            )
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise TokenizerError(f"the tokenizer did not return tokens ({str(error)[:80]!a})") from error
        return sequence


class Service:
    """The child that runs the tokenizers of both sides. It is restarted if it has died or was ended for others."""

    def __init__(self, folder: Path, stored: dict[str, Any]) -> None:
        self._folder, self._stored = folder, stored
        self._guard = threading.Lock()
        self._child: list[client.Connection] = []
        self._facts: dict[str, Any] = {}
        self._end = weakref.finalize(self, _end, self._child, folder)
        on_begin(self)

    def close(self) -> None:
        """End the child and remove the files, when their owner has left. Later calls raise TokenizerError."""
        self._end()

    def rest(self) -> None:
        """End the child until the next call, unless it is working."""
        if self._guard.acquire(blocking=False):
            try:
                while self._child:
                    self._child.pop().close()
            finally:
                self._guard.release()

    def facts(self, side: str) -> dict[str, Any]:
        """The static properties of one side's tokenizer."""
        with self._guard:
            self._started()
            return self._facts[side]

    def files(self, place: dict[str, Any]) -> list[Path]:
        """The files of one tokenizer."""
        if "library" in place:
            return sorted((self._folder / place["library"]).iterdir())
        return [self._folder / Path(place["file"]).name]

    def call(self, side: str, name: str, argument: Any) -> Any:
        """Call a method of one side's tokenizer in the child and return its answer."""
        message = {"side": side, "name": name, "argument": argument}
        with self._guard:
            try:
                return self._asked(self._started(), message, limits().tokenizer_seconds)["done"]
            except LimitError as error:
                self._child.clear()
                raise TokenizerError(str(error)) from error
            except CheckpointError as error:
                raise TokenizerError(str(error)) from error

    def _started(self) -> client.Connection:
        if not self._end.alive:
            raise TokenizerError(_CLOSED)
        _RUNNING.use(self)
        if self._child:
            return self._child[0]
        bounds = limits()
        work = Path(mkdtemp(prefix="tokenizer-child-", dir=workspace()))
        shutil.copytree(self._folder, work, dirs_exist_ok=True)
        native = {side: place for side, place in self._stored.items() if not place.get("is_plain")}
        child = client.connect()
        try:
            answer = self._asked(
                child,
                {
                    "task": "tokenizers", "folder": str(work), "tokenizers": native,
                    "memory_mb": bounds.tokenizer_memory_mb, "seconds": 24 * 3600, "file_mb": bounds.max_json_mb,
                    "wall_seconds": 6 * bounds.tokenizer_seconds, "call_seconds": bounds.tokenizer_seconds,
                },
                6 * bounds.tokenizer_seconds,
            )  # fmt: skip
        finally:
            shutil.rmtree(work, ignore_errors=True)
        self._facts = answer["done"]
        self._child.append(child)
        return child

    @staticmethod
    def _asked(child: client.Connection, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        return child.ask(message, seconds=seconds, what="the tokenizer", remedy=_REMEDY)


class _Running:
    """The services with a running child, least recently used first."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._services: list[weakref.ref[Service]] = []

    def use(self, service: Service) -> None:
        """Mark a service as used; if too many run, the least recently used ones ``rest``."""
        with self._guard:
            others = [each for each in self._services if each() not in (service, None)]
            first = len(others) + 1 - limits().tokenizer_children
            resting, self._services = others[: max(0, first)], [*others[max(0, first) :], weakref.ref(service)]
        for each in resting:
            if (other := each()) is not None:
                other.rest()


_RUNNING = _Running()
on_begin: Callable[[Service], object] = lambda service: None  # noqa: E731
"""Called with each new service: an application records its owner, and closes it when the owner leaves."""


def is_word_list(path: Path) -> bool:
    """Whether a tokenizer file is a JSON list: words in the order of their ids."""
    with path.open("rb") as file:
        return path.suffix == ".json" and file.read(64).lstrip()[:1] == b"["


def _end(child: list[client.Connection], folder: Path) -> None:
    for connection in child:
        connection.close()
    shutil.rmtree(folder, ignore_errors=True)


def _words(folder: Path, place: dict[str, Any]) -> WordTokenizer:
    try:
        words = json.loads((folder / Path(place["file"]).name).read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise TokenizerError(f"the conversion wrote no list of words ({str(error)[:80]!a})") from error
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise TokenizerError("the conversion wrote no list of words")
    return WordTokenizer(words)
