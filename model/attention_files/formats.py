"""Writes .npz and .json files of attention, and reads them from untrusted sources (docs/attention-files.md).

Nothing is unpickled. Sizes are checked from the headers before anything is decompressed or allocated.
"""

import json
import math
import tokenize
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any, get_args

import numpy as np

from model.analysis.agreement import WeightKind
from model.attention_files.outputs import from_tensors
from model.attention_files.record import MAX_FILE_TOKENS, TEXT_FIELDS, AttentionRecord, RecordError
from model.errors import RegardError
from model.files.zip_damage import ZIP_DAMAGE
from model.interventions import KINDS
from model.trace import AttentionMaps, Floats

SCHEMA = "regard-attention/1"
UNITS = {
    "raw": "weight after softmax; a row sums to 1",
    "value_weighted": "norm of the weighted, transformed value vector (Kobayashi et al. 2020), residual-stream units",
    "rollout": "attention rollout (Abnar & Zuidema 2020); one map per layer, heads averaged",
    "gradient": "weight times gradient of the chosen word's log-probability, in nats, signed",
}
SIGNIFICANT_DIGITS = 6
"""Significant digits of float32."""
MAX_FILE_BYTES = 64 << 20
MAX_UNPACKED_BYTES = 512 << 20
MAX_RATIO = 40
"""Maximum compression ratio of a large array: weights compress to a third at best."""
_ALWAYS_UNPACKED = 8 << 20
MAX_NESTING = 8
_TOKENS = ("source_tokens", "target_tokens", "prefix_tokens")
_UNREADABLE = (ValueError, EOFError, SyntaxError, TypeError, KeyError, OverflowError, RecursionError, MemoryError,
               tokenize.TokenError)  # fmt: skip
"""Errors of NumPy for an invalid header."""
KNOWN = frozenset((*KINDS, *_TOKENS, *TEXT_FIELDS, "reading", "schema", "units", "log_probs", "is_causal"))
_NUMERIC = "biuf"


def npz_bytes(record: AttentionRecord) -> bytes:
    """A compressed .npz that NumPy reads without pickle."""
    arrays: dict[str, Any] = {name: np.array(value) for name, value in _words(record).items()}
    arrays["is_causal"] = np.array(record.is_causal)
    for name, tokens in _tokens(record).items():
        arrays[name] = np.array(tokens, dtype=np.str_)
    if record.log_probs is not None:
        arrays["log_probs"] = record.log_probs.astype(np.float32)
    for kind in record.maps.kinds:
        arrays[kind] = record.maps.of(kind)
    buffer = BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def json_bytes(record: AttentionRecord) -> bytes:
    """The same as UTF-8 JSON, weights as nested lists of six significant digits."""
    fields: dict[str, Any] = {**_words(record), "is_causal": record.is_causal}
    fields["axes"] = ["layer", "head", "query", "key"]
    fields.update({name: list(tokens) for name, tokens in _tokens(record).items()})
    if record.log_probs is not None:
        fields["log_probs"] = _round(record.log_probs)
        fields["log_probs_units"] = "natural logarithm"
    for kind in record.maps.kinds:
        weights = record.maps.of(kind)
        assert weights is not None
        fields[kind] = _round(weights)
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "backslashreplace")


def _words(record: AttentionRecord) -> dict[str, str]:
    return {"schema": SCHEMA, **{name: getattr(record, name) for name in TEXT_FIELDS}, "units": UNITS[record.weighting]}


def _tokens(record: AttentionRecord) -> dict[str, tuple[str, ...]]:
    tokens = {"source_tokens": record.source_tokens, "target_tokens": record.target_tokens}
    return tokens if record.prefix_tokens is None else {**tokens, "prefix_tokens": record.prefix_tokens}


def _round(values: Floats) -> list[Any]:
    flat = [float(f"{value:.{SIGNIFICANT_DIGITS}g}") for value in values.ravel().tolist()]
    return np.array(flat, dtype=object).reshape(values.shape).tolist()


class AttentionFileError(RegardError, ValueError):
    """An attention file cannot be opened; the message says why and what to do."""


def read_attention(file: Path | str | bytes) -> AttentionRecord:
    """Open a file or its bytes; the format is recognised by the content.

    Raises:
        AttentionFileError: when it is not an attention file, too large, or damaged.
        RecordError: when its weights and tokens do not fit together.
    """
    data = file if isinstance(file, bytes) else _bytes_of(Path(file))
    if len(data) > MAX_FILE_BYTES:
        raise AttentionFileError(f"the file has {len(data):,} bytes: at most {MAX_FILE_BYTES:,} are opened")
    if data[:2] == b"PK":
        fields = _npz(data)
    elif data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{":
        fields = _json(data)
    else:
        raise AttentionFileError("this file is neither .npz nor .json: see docs/attention-files.md for the two formats")
    return _record(fields)


def _bytes_of(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise AttentionFileError(
                f"{path.name} has {path.stat().st_size:,} bytes: at most {MAX_FILE_BYTES:,} are opened"
            )
        return path.read_bytes()
    except OSError as error:
        raise AttentionFileError(f"cannot read {path}: {error.strerror}") from error


def _npz(data: bytes) -> dict[str, Any]:
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            members = {member.filename.removesuffix(".npy"): member for member in archive.infolist()}
            wanted = {name: member for name, member in members.items() if name in KNOWN}
            unpacked = sum(member.file_size for member in wanted.values())
            if unpacked > MAX_UNPACKED_BYTES:
                raise AttentionFileError(
                    f"unpacked it has {unpacked:,} bytes: at most {MAX_UNPACKED_BYTES:,} are opened"
                )
            for name, member in wanted.items():
                if member.file_size > max(_ALWAYS_UNPACKED, MAX_RATIO * member.compress_size):
                    raise AttentionFileError(
                        f"{name} is compressed more than {MAX_RATIO} times, which attention weights never are: save it "
                        "again"
                    )
            return {name: _member(archive, member, name) for name, member in wanted.items()}
    except AttentionFileError:
        raise
    except ZIP_DAMAGE as error:
        raise AttentionFileError(f"the .npz is damaged: {error}") from error


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> Any:
    """Read one array; its header is compared with its size before memory is allocated."""
    with archive.open(member) as stream:
        body = BytesIO(stream.read(MAX_UNPACKED_BYTES))
    try:
        version = np.lib.format.read_magic(body)
        read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, dtype = read_header(body)
        if dtype.kind not in _NUMERIC + "U":
            raise AttentionFileError(f"{name} holds {dtype}: give numbers or text, without pickle")
        if not dtype.itemsize or min(shape, default=0) < 0:
            raise AttentionFileError(f"{name} claims the shape {shape} of {dtype}, which cannot be read: save it again")
        if dtype.kind == "U" and math.prod(shape) > MAX_FILE_TOKENS:
            raise AttentionFileError(f"{name} has {math.prod(shape):,} entries: at most {MAX_FILE_TOKENS:,} are opened")
        if math.prod(shape) * dtype.itemsize > body.getbuffer().nbytes:
            raise AttentionFileError(f"{name} claims the shape {shape}, but has fewer numbers: save it again")
        if math.prod(shape) * np.dtype(np.float32).itemsize > MAX_UNPACKED_BYTES:
            raise AttentionFileError(
                f"{name} holds {math.prod(shape):,} numbers: the limit is {MAX_UNPACKED_BYTES // 4:,}"
            )
        body.seek(0)
        return np.lib.format.read_array(body, allow_pickle=False)
    except _UNREADABLE as error:
        if isinstance(error, AttentionFileError):
            raise
        raise AttentionFileError(f"{name} in the .npz cannot be read as an array: {error}") from error


def _json(data: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise AttentionFileError(f"the JSON cannot be read: {error}") from error
    return {name: value for name, value in fields.items() if name in KNOWN}


def _record(fields: dict[str, Any]) -> AttentionRecord:
    schema = _text(fields, "schema") or SCHEMA
    if schema != SCHEMA:
        raise AttentionFileError(f"the schema is “{schema[:80]}”: only “{SCHEMA}” can be opened")
    if not any(kind in fields for kind in KINDS):
        raise AttentionFileError(f"the file has no attention: give {', '.join(KINDS)} or some of them")
    weighting: Any = _text(fields, "weighting") or _text(fields, "reading") or "raw"
    if weighting not in get_args(WeightKind):
        raise AttentionFileError(f"the weighting is “{weighting[:80]}”: choose {', '.join(get_args(WeightKind))}")
    maps = AttentionMaps(*(_weights(fields, kind) for kind in KINDS))
    log_probs = fields.get("log_probs")
    return AttentionRecord(
        maps=maps,
        source_tokens=_list(fields, "source_tokens") or (),
        target_tokens=_list(fields, "target_tokens") or (),
        prefix_tokens=_list(fields, "prefix_tokens"),
        log_probs=None if log_probs is None else _numbers(log_probs, "log_probs"),
        is_causal=_flag(fields, "is_causal"),
        weighting=weighting,
        **{name: _text(fields, name) for name in TEXT_FIELDS if name != "weighting"},
    )


def _weights(fields: dict[str, Any], kind: str) -> Any:
    if fields.get(kind) is None:
        return None
    return from_tensors(_numbers(fields[kind], kind), name=kind)


def _numbers(values: Any, name: str) -> Any:
    if isinstance(values, list) and not _is_numeric(values):
        raise RecordError(f"{name} is not an array of numbers")
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise RecordError(
            f"{name} is ragged: give lists of equal length for layers, heads, queries and keys"
        ) from error
    if array.dtype.kind not in _NUMERIC or array.ndim > MAX_NESTING:
        raise RecordError(f"{name} is not an array of numbers")
    with np.errstate(over="ignore"):  # infinite values are reported later
        return array.astype(np.float32)


def _is_numeric(values: list[Any]) -> bool:
    """Whether nested lists have only numbers; for strings, NumPy would allocate the longest length for each entry."""
    waiting = [values]
    while waiting:
        for value in waiting.pop():
            if isinstance(value, list):
                waiting.append(value)
            elif not isinstance(value, bool | int | float) or (isinstance(value, int) and abs(value) > 1 << 60):
                return False
    return True


def _text(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name, "")
    if isinstance(value, np.ndarray):
        value = value.item() if value.size == 1 else None
    if not isinstance(value, str):
        raise AttentionFileError(f"{name} must be text")
    return value


def _flag(fields: dict[str, Any], name: str) -> bool:
    value = fields.get(name, True)
    if isinstance(value, np.ndarray) and value.size == 1 and value.dtype.kind in _NUMERIC:
        value = value.item()
    if not isinstance(value, bool | int | float):
        raise AttentionFileError(f"{name} must be true or false")
    return bool(value)


def _list(fields: dict[str, Any], name: str) -> tuple[str, ...] | None:
    value = fields.get(name)
    if value is None:
        return None
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise AttentionFileError(f"{name} must be a list of text, one entry for each token")
    return tuple(value)
