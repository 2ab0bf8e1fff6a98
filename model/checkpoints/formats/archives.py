"""Unpacks an untrusted zip; everything in its directory is checked before a byte is written."""

import itertools
import shutil
import stat
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO

from model.checkpoints.basis.errors import CheckpointError, LimitError, UnsafeFileError
from model.checkpoints.basis.limits import check_file_size, limits
from model.files.zip_damage import ZIP_DAMAGE

_LEFT_BY_SYSTEMS = frozenset({"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"})
_LOCAL_HEADER = 30
"""Bytes before each entry, its name not counted."""


def unpack(archive_path: Path, folder: Path) -> Path:
    """Unpack an archive and return the folder with its files, skipping a single top-level folder.

    Raises:
        UnsafeFileError: for paths that leave the folder, links, duplicates, encryption or damage.
        LimitError: for too many entries or too much data.
    """
    where = archive_path.name
    try:
        with zipfile.ZipFile(archive_path) as archive:
            check_entries(archive.infolist(), archive_path.stat().st_size, where, most=limits().max_entries)
            for entry in archive.infolist():
                if not entry.is_dir():
                    _extract(archive, entry, folder)
    except CheckpointError:
        raise
    except ZIP_DAMAGE as error:
        raise UnsafeFileError(f"{where} is damaged or cut short ({error}): pack it again") from error
    return _enter_single_folder(folder)


@contextmanager
def damage_explained(path: Path) -> Iterator[None]:
    """Turn errors of a damaged archive into UnsafeFileError."""
    try:
        yield
    except CheckpointError:
        raise
    except MemoryError as error:
        raise LimitError(f"{path.name} needs more memory than is free: it may be damaged, so copy it again") from error
    except ZIP_DAMAGE as error:
        raise UnsafeFileError(f"{path.name} is damaged or cut short ({error}): copy it again") from error


def is_zip(file: Path | BinaryIO) -> bool:
    """Whether this is a zip archive; False for one that claims to span several disks, on which zipfile raises."""
    try:
        return zipfile.is_zipfile(file)
    except ZIP_DAMAGE:
        return False


def check_entries(
    entries: Sequence[zipfile.ZipInfo], archive_size: int, where: str, *, most: int, are_paths: bool = True
) -> None:
    """Check an archive's directory against the limits.

    Args:
        are_paths: the entries will be written as files; otherwise they are only read.
    """
    bounds = limits()
    check_file_size(archive_size, where)
    if len(entries) > most:
        raise LimitError(f"{where} has {len(entries):,} entries: the limit is {most:,}")
    total = sum(entry.file_size for entry in entries)
    if total > max(
        bounds.max_expanded_bytes, archive_size
    ):  # an entry that is not compressed may have a file's largest size
        raise LimitError(
            f"{where} expands to {total:,} bytes: the limit is {bounds.max_expanded_bytes:,} (REGARD_MAX_EXPANDED_MB)"
        )
    _check_apart(entries, where)
    seen: set[str] = set()
    for entry in entries:
        if are_paths:
            _check_name(entry, where)
        name = entry.filename.casefold() if are_paths else entry.filename
        if name in seen:
            raise UnsafeFileError(f"{where} holds {entry.filename[:80]} twice: pack it again")
        seen.add(name)
        if entry.flag_bits & 0x1:
            raise UnsafeFileError(f"{where} is encrypted: pack it without a password")
        if entry.file_size > bounds.max_ratio * max(entry.compress_size, 1024):
            raise LimitError(
                f"{entry.filename[:80]} in {where} expands {entry.file_size // max(entry.compress_size, 1):,} times: "
                f"the limit is {bounds.max_ratio} (REGARD_MAX_RATIO)"
            )


def _check_apart(entries: Sequence[zipfile.ZipInfo], where: str) -> None:
    """Refuse overlapping entries: the same bytes listed a thousand times would expand to a thousand files."""
    ordered = sorted(entries, key=lambda entry: entry.header_offset)
    for entry, following in itertools.pairwise(ordered):
        if entry.header_offset + _LOCAL_HEADER + entry.compress_size > following.header_offset:
            raise UnsafeFileError(
                f"{entry.filename[:80]} and {following.filename[:80]} in {where} overlap: pack it again"
            )


def _check_name(entry: zipfile.ZipInfo, where: str) -> None:
    name = entry.filename
    path = PurePosixPath(name)
    escapes = path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name or "\0" in name
    if escapes or not path.parts or any(len(part.encode("utf-8", "replace")) > 255 for part in path.parts):
        raise UnsafeFileError(f"{where} holds the path {name[:80]!r}, which leaves its folder: pack it again")
    mode = entry.external_attr >> 16
    if mode and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_IFMT(mode) == 0):
        raise UnsafeFileError(f"{name[:80]} in {where} is a link or a device: pack the file itself")
    if len(path.parts) > limits().max_nesting + 1:
        raise LimitError(f"{name[:80]} in {where} is {len(path.parts) - 1} folders deep: pack the innermost folder")


def _extract(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path) -> None:
    target = folder.joinpath(*PurePosixPath(entry.filename).parts)
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(entry) as packed, target.open("xb") as written:
        shutil.copyfileobj(_Bounded(packed, entry.file_size), written, 1 << 20)


class _Bounded:
    """A reader that raises when a stream is longer than its directory entry states."""

    def __init__(self, stream: IO[bytes], size: int) -> None:
        self.stream, self.left = stream, size

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes."""
        block = self.stream.read(size)
        self.left -= len(block)
        if self.left < 0:
            raise UnsafeFileError("an entry is longer than the archive's directory says: pack it again")
        return block


def _enter_single_folder(folder: Path) -> Path:
    for _ in range(limits().max_nesting + 1):
        inside = [path for path in folder.iterdir() if path.name not in _LEFT_BY_SYSTEMS]
        if len(inside) != 1 or not inside[0].is_dir():
            return folder
        folder = inside[0]
    return folder
