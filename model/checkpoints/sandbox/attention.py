"""Opens untrusted attention files: a child process unpacks them and writes plain numbers and JSON for this process."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
from safetensors.numpy import save_file

from model.attention_files.reading import AttentionFileError, read_attention
from model.attention_files.record import TEXT_FIELDS, AttentionRecord, RecordError
from model.checkpoints.basis.errors import LimitError
from model.checkpoints.basis.limits import limits
from model.checkpoints.formats.safetensors_file import read_safetensors
from model.checkpoints.sandbox import client
from model.files.size import size_of
from model.files.workspace import workspace
from model.interventions import KINDS
from model.trace import AttentionMaps

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
    with client.CHILDREN:
        work = Path(mkdtemp(prefix="attention-", dir=workspace()))
        try:
            (work / _INPUT).write_bytes(content)
            child = client.connect()
            try:
                child.ask(
                    {"task": "attention", "folder": str(work), "memory_mb": memory, "seconds": _SECONDS,
                     "wall_seconds": 3 * _SECONDS, "file_mb": bounds.attention_mb + 1, "most_mb": bounds.attention_mb},
                    seconds=3 * _SECONDS, what="the file of attention",
                    remedy=f"its limits are {memory:,} MiB of memory and {_SECONDS} s of processor time",
                )  # fmt: skip
            finally:
                child.close()
            if check_room is not None:
                check_room(size_of(work / _NUMBERS))
            return _opened(work, bounds.attention_mb)
        finally:
            shutil.rmtree(work, ignore_errors=True)


def convert_attention(folder: Path, most_mb: int) -> None:
    """Read the file in a folder and write its arrays and texts beside it. Only the child calls this."""
    record = read_attention(folder / _INPUT)
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


def _opened(folder: Path, most_mb: int) -> AttentionRecord:
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
