"""Diagnoses or opens an untrusted file: a child process reads it, and this process opens what the child wrote."""

import dataclasses
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from model.bundle import Bundle
from model.checkpoints.answers.kinds import ADVICE, Suspicion
from model.checkpoints.answers.proposal import Line
from model.checkpoints.basis.assembly import fingerprint_of
from model.checkpoints.basis.errors import CheckpointError
from model.checkpoints.basis.hints import parse_hints
from model.checkpoints.basis.identity import with_vocabularies
from model.checkpoints.loading import PRETRAINED
from model.checkpoints.own import load_own
from model.checkpoints.sandbox import client
from model.checkpoints.sandbox.child import RESULT
from model.checkpoints.sandbox.results import TOKENIZERS, from_json, open_model
from model.checkpoints.sandbox.tokenizer import is_word_list, sandboxed_tokenizers
from model.checkpoints.vocabularies.reading import read_tokenizer_file
from model.files.size import size_of
from model.files.workspace import workspace
from model.nn.transformer import Transformer
from model.text.tokenizer import Tokenizer


def examine_sandboxed(path: Path, *, check_room: Callable[[int], None] | None = None, **hints: Any) -> Any:
    """``doctor.examine`` for an untrusted file or folder, read by a child; raises as ``load`` does.

    The model is opened here from the child's output, safetensors and JSON. Its tokenizers, unless they are plain lists
    of words, run in another child.

    Args:
        check_room: called with the model's size in bytes before it is opened here; raises if it does not fit.

    Raises:
        LimitError: when the child exceeded its limits, or died.
    """
    parse_hints(hints)
    with client.CHILDREN:
        work = Path(mkdtemp(prefix="open-", dir=workspace()))
        try:
            answer = client.examine(path, hints, work)
            (check_room or client.check_size)(size_of(work / RESULT))
            name = str(answer["diagnosis"]["bundle"]["name"])
            bundle = open_model(work / RESULT, name)
            folder = Path(mkdtemp(prefix="tokenizers-", dir=workspace()))
            shutil.copytree(work / RESULT / TOKENIZERS, folder, dirs_exist_ok=True)
            source, target = sandboxed_tokenizers(folder, answer["tokenizers"])
        finally:
            shutil.rmtree(work, ignore_errors=True)
    mark = (
        fingerprint_of(bundle.model, source, target)
        if isinstance(bundle.model, Transformer)
        else with_vocabularies(bundle.fingerprint, source, target)
    )
    bundle = dataclasses.replace(bundle, source_tokenizer=source, target_tokenizer=target, fingerprint=mark)
    return from_json(answer["diagnosis"], bundle)


@dataclass(frozen=True, slots=True)
class Names:
    """A proposed mapping for a file that no family recognises, from names and shapes."""

    lines: tuple[Line, ...]
    suspicion: Suspicion | None


def names_sandboxed(path: Path) -> Names:
    """Propose a mapping for an untrusted file, read by a child; raises as ``examine_sandboxed`` does."""
    with client.CHILDREN:
        work = Path(mkdtemp(prefix="open-", dir=workspace()))
        try:
            answer = client.examine(path, {}, work, task="names")
        finally:
            shutil.rmtree(work, ignore_errors=True)
    try:
        lines = tuple(
            Line(str(stored), tuple(map(int, shape)), int(count), tuple(map(str, ours)), bool(turned))
            for stored, shape, count, ours, turned in answer["lines"]
        )
        suspicion = answer["suspicion"] and Suspicion(*map(str, answer["suspicion"]))
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"the reading process did not return a list of names ({str(error)[:80]!a})") from error
    return Names(lines, suspicion if suspicion and suspicion.advice in ADVICE else None)


def load_sandboxed(folder: Path) -> Bundle:
    """Open a folder of our own format with a possibly untrusted tokenizer, as in a run that started from an upload.

    Weights and configuration are opened here, and so are tokenizers that are lists of words or belong to a shipped
    model; all others run in a child.

    Raises:
        CheckpointError: or another error of ``load``.
    """
    return load_own(folder, _tokenizers_sandboxed)


def _tokenizers_sandboxed(source: Path | None, target: Path | None) -> tuple[Tokenizer | None, Tokenizer | None]:
    paths = {side: path for side, path in (("source", source), ("target", target)) if path is not None}
    is_ours = {path: _is_shipped(path) for path in set(paths.values())}
    opened = {path: read_tokenizer_file(path) for path, ours in is_ours.items() if ours}
    if len(opened) == len(is_ours):
        return opened.get(source), opened.get(target)  # type: ignore[arg-type]
    folder = Path(mkdtemp(prefix="tokenizers-", dir=workspace()))
    stored = {}
    for side, path in paths.items():
        if not is_ours[path]:
            shutil.copyfile(path, folder / path.name)
            stored[side] = {"file": path.name, "is_plain": is_word_list(path)}
    first, second = sandboxed_tokenizers(folder, stored)
    return opened.get(source, first), opened.get(target, second)  # type: ignore[arg-type]


def _is_shipped(path: Path) -> bool:
    """Whether a tokenizer file equals that of a shipped model, byte for byte."""
    size = path.stat().st_size
    return any(
        other.stat().st_size == size and other.read_bytes() == path.read_bytes()
        for other in PRETRAINED.glob("*/*.model")
    )
