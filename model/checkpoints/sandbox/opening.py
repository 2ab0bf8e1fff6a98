"""A stranger's file as a diagnosis: read by a child, opened here from what the child wrote."""

from __future__ import annotations

import dataclasses
import shutil
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from model.checkpoints.assembly import fingerprint_of
from model.checkpoints.errors import CheckpointError
from model.checkpoints.hints import parse_hints
from model.checkpoints.identity import with_vocabularies
from model.checkpoints.proposal import Line
from model.checkpoints.sandbox import client
from model.checkpoints.sandbox.child import RESULT
from model.checkpoints.sandbox.results import copy_tokenizers, from_json, open_model
from model.checkpoints.sandbox.tokenizer import apart
from model.checkpoints.suspicion import ADVICE, Suspicion
from model.files.workspace import workspace
from model.nn.transformer import Transformer


def examine_apart(path: Path, **hints: Any) -> Any:
    """What ``doctor.examine`` says of a stranger's file or folder, read by a child; raises as ``load`` does.

    The model is opened here from what the child wrote: safetensors and JSON. Its tokenizers, unless they are plain
    lists of words, stay in a child of their own.

    Raises:
        LimitError: when the child took more than its limits allow, or died.
    """
    parse_hints(hints)
    with client.CHILDREN:
        work = Path(mkdtemp(prefix="open-", dir=workspace()))
        try:
            answer = client.examined(path, hints, work)
            client.check_size(work / RESULT)
            name = str(answer["diagnosis"]["bundle"]["name"])
            bundle = open_model(work / RESULT, name)
            kept = Path(mkdtemp(prefix="tokenizers-", dir=workspace()))
            copy_tokenizers(work / RESULT, kept)
            source, target = apart(kept, answer["tokenizers"])
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
    """What the names and shapes of a file's tensors tell where nothing knows it."""

    lines: tuple[Line, ...]
    suspicion: Suspicion | None


def names_apart(path: Path) -> Names:
    """A mapping proposed for a stranger's file, read by a child; raises as ``examine_apart`` does."""
    with client.CHILDREN:
        work = Path(mkdtemp(prefix="open-", dir=workspace()))
        try:
            found = client.examined(path, {}, work, task="names")
        finally:
            shutil.rmtree(work, ignore_errors=True)
    try:
        lines = tuple(
            Line(str(theirs), tuple(map(int, shape)), int(count), tuple(map(str, ours)), bool(turned))
            for theirs, shape, count, ours, turned in found["lines"]
        )
        suspicion = found["suspicion"] and Suspicion(*map(str, found["suspicion"]))
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"the reading answered what is no list of names ({str(error)[:80]!a})") from error
    return Names(lines, suspicion if suspicion and suspicion.advice in ADVICE else None)
