"""Parquet files that are written completely or not at all, and that name their survey.

Each shard is a range of the corpus in three or more files, ``sentences-00003.parquet`` and so on. Every file has a
stamp, which identifies its survey and pairs. Damage is detected by checksums: of every page, and of each whole file
except the sentences, stored in the sentences' stamp.
"""

from __future__ import annotations

import dataclasses
import io
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from model.files.atomic import write_atomically
from model.text.links import CorpusError

TABLES = ("sentences", "heads", "links")
OPTIONAL_TABLES = ("maps", "states")
_KEY = b"regard"
_PLACE = ("kind", "layer", "head")


class DamagedShardError(CorpusError):
    """A file of a survey is damaged or missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """The survey and shard that a file belongs to."""

    run: str
    """Hex digest of the model and the options."""
    shard: int
    pairs: str
    """Hex digest of the pairs of this shard."""
    model: str
    fingerprint: str
    n_pairs: int
    """Number of pairs of the whole corpus."""
    shard_size: int
    options: Mapping[str, Any]
    skipped: tuple[tuple[int, str], ...] = ()
    """Pairs of this shard that the model cannot read: id and reason."""
    language: str = ""
    """Language of the targets, if the model states it; empty in files of earlier versions."""
    checksums: Mapping[str, int] = field(default_factory=dict)
    """In the stamp of the sentences: CRC-32 of the shard's other files by table."""
    made_by: Mapping[str, Any] = field(default_factory=dict)
    """The version, the commit and, if a command made the file, the command and its data; empty in files of earlier
    versions."""

    def to_bytes(self) -> bytes:
        """The stamp serialised for a file's metadata."""
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False).encode()

    @classmethod
    def of(cls, path: Path) -> Stamp:
        """The stamp of a file.

        Raises:
            DamagedShardError: when the file is not a complete Parquet file.
            CorpusError: when it has no stamp.
        """
        try:
            metadata = pq.read_schema(path).metadata or {}
        except (pa.ArrowException, OSError) as error:
            raise damage_error(path) from error
        try:
            fields = json.loads(metadata[_KEY])
            skipped = tuple((int(number), str(reason)) for number, reason in fields.pop("skipped"))
            return cls(**fields, skipped=skipped)
        except (KeyError, ValueError, TypeError) as error:
            raise CorpusError(
                f"{path.name} was not written by a survey: remove it from the folder", "foreign", file=path.name
            ) from error


def path_of(folder: Path, table: str, shard: int) -> Path:
    """The path of a table's file in a shard."""
    return folder / f"{table}-{shard:05d}.parquet"


def write_shard(folder: Path, tables: Mapping[str, pa.Table], stamp: Stamp) -> None:
    """Write the files of one shard; the sentences come last, because a shard without them counts as missing.

    Raises:
        OSError: when the disk is full; existing files are not changed.
    """
    checksums = {}
    for name in tables.keys() - {"sentences"}:
        content = parquet_bytes(tables[name], stamp)
        checksums[name] = zlib.crc32(content)
        write_atomically(path_of(folder, name, stamp.shard), content)
    content = parquet_bytes(tables["sentences"], dataclasses.replace(stamp, checksums=checksums))
    write_atomically(path_of(folder, "sentences", stamp.shard), content)


def parquet_bytes(table: pa.Table, stamp: Stamp) -> bytes:
    """Serialise a table to Parquet with a checksum on every page.

    The rows of each layer are a row group whose statistics contain the layer, so a query about one head reads only that
    group.
    """
    buffer, is_slim = io.BytesIO(), bool(stamp.options.get("slim"))
    # Unrounded floats rarely repeat, so dictionary encoding would only take time and space.
    repeated = [field.name for field in table.schema if is_slim or not pa.types.is_floating(field.type)]
    columns: dict[str, Any] = {"use_dictionary": repeated, "write_statistics": ["id", *_PLACE]}
    stamped = table.replace_schema_metadata({_KEY: stamp.to_bytes()})
    with pq.ParquetWriter(
        buffer,
        stamped.schema,
        compression="zstd",
        compression_level=19 if is_slim else 3,
        write_page_checksum=True,
        **columns,
    ) as writer:
        for rows in _by_layer(stamped):
            writer.write_table(rows)
    return buffer.getvalue()


def _by_layer(table: pa.Table) -> list[pa.Table]:
    """Split a table into row ranges of one kind and layer; a table without heads stays whole."""
    if not table.num_rows or not {*_PLACE} <= {*table.column_names}:
        return [table]
    kind, layer = table["kind"].combine_chunks().indices.to_numpy(), table["layer"].to_numpy()
    starts = [0, *(np.flatnonzero((np.diff(kind) != 0) | (np.diff(layer) != 0)) + 1), table.num_rows]
    return [table.slice(start, stop - start) for start, stop in pairwise(starts)]


def is_whole(folder: Path, shard: int, names: Sequence[str], *, run: str, pairs: str) -> bool:
    """Whether every file of a shard exists and all its pages can be read.

    Raises:
        CorpusError: when it is complete but belongs to another survey or to other pairs.
    """
    checksums: Mapping[str, int] = {}
    for name in sorted(names, key=lambda name: name != "sentences"):
        path = path_of(folder, name, shard)
        if not path.is_file():
            return False
        try:
            stamp = Stamp.of(path)
            checksums = stamp.checksums or checksums
            if stamp.run != run:
                raise CorpusError(
                    f"{folder} holds a survey of {stamp.model} with other weights or options: choose another folder"
                )
            if stamp.pairs != pairs:
                raise CorpusError(f"{path.name} was made from other pairs: choose another folder")
        except DamagedShardError:
            return False
        if not can_be_read(path) or checksum(path) != checksums.get(name, checksum(path)):
            return False
    return True


def can_be_read(path: Path) -> bool:
    """Whether every page of a file has the right checksum."""
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            file.read()
    except (pa.ArrowException, OSError):
        return False
    return True


def checksum(path: Path) -> int:
    """CRC-32 of a file."""
    total = 0
    with path.open("rb") as file:
        for part in iter(partial(file.read, 1 << 20), b""):
            total = zlib.crc32(part, total)
    return total


def check_shard(folder: Path, stamp: Stamp) -> None:
    """Compare a shard's files with their checksums; a file is read again only after it changed.

    Args:
        stamp: the stamp of its sentences. Stamps of earlier versions have no checksums; then only the sentences are
            checked.

    Raises:
        DamagedShardError: when a checksum differs.
    """
    for name, expected in {"sentences": None, **stamp.checksums}.items():
        path = path_of(folder, name, stamp.shard)
        if path.is_file():
            about = path.stat()
            if not _is_as_written(path, expected, about.st_size, about.st_mtime_ns):
                raise damage_error(path)


@lru_cache(maxsize=100_000)
def _is_as_written(path: Path, expected: int | None, size: int, changed: int) -> bool:
    """Whether a file has this checksum; for the sentences (None), whether their pages have theirs."""
    return can_be_read(path) if expected is None else checksum(path) == expected


def damage_error(path: Path) -> DamagedShardError:
    """The error for a file that cannot be read."""
    return DamagedShardError(f"{path.name} is damaged: run the survey again with --resume", "damaged", file=path.name)


def stamps(folder: Path) -> list[Stamp]:
    """The stamps of a survey, one for each shard.

    Raises:
        CorpusError: when there is none, a shard is damaged or lacks a file, or shards belong to different surveys.
    """
    files = sorted(folder.glob("sentences-*.parquet"))
    if not files:
        raise CorpusError(
            f"{folder} holds no survey: run “python -m model survey pairs.tsv --out {folder}”", "none", folder=folder
        )
    stamps_of_files = [Stamp.of(path) for path in files]
    first = stamps_of_files[0]
    for stamp in stamps_of_files:
        for name in TABLES:
            beside = path_of(folder, name, stamp.shard)
            if not beside.is_file():
                raise DamagedShardError(
                    f"{beside.name} is missing: run the survey again with --resume", "missing", file=beside.name
                )
            if Stamp.of(beside).run != first.run or stamp.n_pairs != first.n_pairs:
                raise CorpusError(
                    f"{beside.name} and {files[0].name} come from different surveys ({stamp.model}, {first.model}): "
                    "keep the files of one of them",
                    "mixed", file=beside.name, other=files[0].name, model=stamp.model, other_model=first.model,
                )  # fmt: skip
        check_shard(folder, stamp)
    return stamps_of_files
