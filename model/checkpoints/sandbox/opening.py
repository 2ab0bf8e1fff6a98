"""Opens untrusted checkpoints and attention files: a child reads them, and this process opens what the child wrote."""

import dataclasses
import json
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
from safetensors.numpy import save_file

from model.attention_files.formats import AttentionFileError, read_attention
from model.attention_files.record import TEXT_FIELDS, AttentionRecord, RecordError
from model.bundle import Bundle
from model.checkpoints.answers.kinds import ADVICE, Suspicion
from model.checkpoints.answers.mapping import Line
from model.checkpoints.basis.assembly import fingerprint_of
from model.checkpoints.basis.errors import CheckpointError, LimitError
from model.checkpoints.basis.hints import parse_hints
from model.checkpoints.basis.identity import with_vocabularies
from model.checkpoints.basis.limits import limits
from model.checkpoints.formats.safetensors_file import read_safetensors
from model.checkpoints.loading import PRETRAINED
from model.checkpoints.native_format import load_native
from model.checkpoints.sandbox import client
from model.checkpoints.sandbox.results import RESULT, TOKENIZERS, from_json, open_model
from model.checkpoints.sandbox.tokenizer import is_word_list, sandboxed_tokenizers
from model.checkpoints.vocabularies.reading import read_tokenizer_file
from model.files.size import size_of
from model.files.workspace import workspace
from model.interventions import KINDS
from model.nn.transformer import Transformer
from model.text.tokenizer import Tokenizer
from model.trace import AttentionMaps


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
    with client.work_folder("open-") as work:
        answer = client.examine(path, hints, work)
        (check_room or client.check_size)(size_of(work / RESULT))
        bundle = open_model(work / RESULT, str(answer["diagnosis"]["bundle"]["name"]))
        folder = Path(mkdtemp(prefix="tokenizers-", dir=workspace()))
        shutil.copytree(work / RESULT / TOKENIZERS, folder, dirs_exist_ok=True)
        source, target = sandboxed_tokenizers(folder, answer["tokenizers"])
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
    with client.work_folder("open-") as work:
        answer = client.examine(path, {}, work, task="names")
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
    return load_native(folder, _tokenizers_sandboxed)


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


_INPUT, _NUMBERS, _TEXTS = "input", "numbers.safetensors", "texts.json"
_SEQUENCES = ("source_tokens", "target_tokens", "prefix_tokens")
_MOST_TEXT_BYTES = 8 << 20
_SECONDS = 20
_MIB = 1 << 20


def read_attention_sandboxed(content: bytes, *, check_room: Callable[[int], None] | None = None) -> AttentionRecord:
    """Like ``read_attention``, for an untrusted file: a child process reads it.

    Args:
        check_room: called with the weights' size in bytes before they are opened here; raises if they do not fit.

    Raises:
        AttentionFileError, RecordError: as ``read_attention``.
        LimitError: when the child exceeded its limits, or died.
    """
    bounds = limits()
    memory = client.memory_mb(bounds, len(content))
    with client.work_folder("attention-") as work:
        (work / _INPUT).write_bytes(content)
        with closing(client.connect()) as child:
            child.ask(
                {"task": "attention", "folder": str(work), "memory_mb": memory, "seconds": _SECONDS,
                 "wall_seconds": 3 * _SECONDS, "file_mb": bounds.attention_mb + 1, "most_mb": bounds.attention_mb},
                seconds=3 * _SECONDS, what="the file of attention",
                remedy=f"its limits are {memory:,} MiB of memory and {_SECONDS} s of processor time",
            )  # fmt: skip
        if check_room is not None:
            check_room(size_of(work / _NUMBERS))
        return _open_result(work, bounds.attention_mb)


def convert_attention(request: dict[str, Any], folder: Path) -> bool:
    """Read the file in a folder and write its arrays and texts beside it. Only the child calls this."""
    record, most_mb = read_attention(folder / _INPUT), int(request["most_mb"])
    arrays: dict[str, Any] = {kind: np.ascontiguousarray(record.maps.of(kind)) for kind in record.maps.kinds}
    if record.log_probs is not None:
        arrays["log_probs"] = np.ascontiguousarray(record.log_probs)
    n_bytes = sum(array.nbytes for array in arrays.values())
    if n_bytes > most_mb * _MIB:
        raise LimitError(
            f"its weights take {n_bytes / _MIB:,.0f} MiB, but the limit is {most_mb:,} MiB: leave out layers or kinds, "
            "or raise REGARD_ATTENTION_MB on a server of your own"
        )
    texts = {name: getattr(record, name) for name in (*_SEQUENCES, *TEXT_FIELDS, "is_causal")}
    written = json.dumps(texts).encode()
    if len(written) > _MOST_TEXT_BYTES:
        raise AttentionFileError(f"its tokens and texts have {len(written):,} bytes: the limit is {_MOST_TEXT_BYTES:,}")
    save_file(arrays, folder / _NUMBERS)
    (folder / _TEXTS).write_bytes(written)
    return True


def _open_result(folder: Path, most_mb: int) -> AttentionRecord:
    for name, most in ((_NUMBERS, (most_mb + 1) * _MIB), (_TEXTS, _MOST_TEXT_BYTES)):
        path = folder / name
        if path.is_symlink() or not path.is_file() or path.stat().st_size > most:
            raise AttentionFileError("the attention file could not be converted: save it again")
    numbers = {name: tensor.numpy() for name, tensor in read_safetensors(folder / _NUMBERS).items()}
    try:
        texts: dict[str, Any] = json.loads((folder / _TEXTS).read_text("utf-8"))
        prefix = texts["prefix_tokens"]
        fields: dict[str, Any] = {name: str(texts[name]) for name in TEXT_FIELDS}
        return AttentionRecord(
            maps=AttentionMaps(*(numbers.get(kind) for kind in KINDS)),
            source_tokens=tuple(map(str, texts["source_tokens"])),
            target_tokens=tuple(map(str, texts["target_tokens"])),
            prefix_tokens=None if prefix is None else tuple(map(str, prefix)),
            log_probs=numbers.get("log_probs"),
            is_causal=bool(texts["is_causal"]),
            **fields,
        )
    except RecordError:
        raise
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise AttentionFileError(f"the conversion wrote no attention ({str(error)[:80]!a})") from error
