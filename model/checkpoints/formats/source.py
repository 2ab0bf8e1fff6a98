"""The tensors at a path and the files beside them, read safely and not yet interpreted."""

import itertools
import json
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from torch import Tensor

from model.checkpoints.basis.errors import (
    CheckpointError,
    LackingPartError,
    LimitError,
    UnrecognisedError,
    UnsafeFileError,
)
from model.checkpoints.basis.limits import check_json_size, limits
from model.checkpoints.basis.precision import USUAL, WeightDtypePolicy
from model.checkpoints.formats.archives import is_zip, unpack
from model.checkpoints.formats.ctranslate2_file import looks_like_ctranslate2, read_ctranslate2
from model.checkpoints.formats.llama2c_file import looks_like_llama2c, read_llama2c
from model.checkpoints.formats.npz_file import is_npz, read_npz
from model.checkpoints.formats.refusals import first_described, is_other
from model.checkpoints.formats.safetensors_file import looks_like_safetensors, read_weights
from model.checkpoints.formats.torch_file import is_legacy, is_torch_zip, read_torch
from model.checkpoints.formats.wrapping import StateDict, unwrap
from model.files.zip_damage import ZIP_DAMAGE

BEGINNING = 80
"""The first bytes of each kind of file."""
_PREFERRED = ("best.ckpt", "model.safetensors", "checkpoint_best.pt", "params.best", "model.npz")
"""File names that toolkits give to the weights to use when a folder contains several."""
_PART = re.compile(r"(.+)-\d{5}-of-(\d{5})\.(\w+)")
_VOCABULARY = re.compile(r"\.pkl\Z|^(src|tgt|trg|source|target)?[._-]?(vocab|tokenizer|itos|stoi)", re.IGNORECASE)
"""Names of vocabularies and data sets that stand beside weights: ``torch.save``'s own files do not end in .pkl, and the
Annotated Transformer saves its vocabularies as vocab.pt."""
_SETTINGS = ("config.yaml", "config.json", "model_config.yaml", "lit_config.json", "params.json")
"""Names of settings that stand beside weights: with one of them, a file's folder belongs to it."""
_TORCH = frozenset({".pt", ".pth", ".chkpt", ".ckpt", ".params", ".bin"})


@dataclass(frozen=True, slots=True)
class Source:
    """The contents of a file or folder."""

    path: Path
    """The name of the file or folder, for messages."""
    tensors: dict[str, Tensor]
    beside: dict[str, Any] = field(default_factory=dict)
    """Other content of the file, such as settings."""
    files: dict[str, Path] = field(default_factory=dict)
    """The files of the folder, by name."""
    weights: tuple[str, ...] = ()
    """The names of the files that hold the tensors: one, or numbered parts."""
    sets: tuple[str, ...] = ()
    """Names of the copies of the tensors in the file, such as an average; the one in use comes first."""
    outside: tuple[str, ...] = ()
    """Tensors that belong to the training and not to the model."""
    around: str = ""
    """What stood before every name, such as ``net.``."""

    @property
    def where(self) -> str:
        """The path, for messages."""
        return self.path.name


@contextmanager
def opened_folder(path: Path) -> Iterator[Path]:
    """The path itself; for an archive of a folder, a temporary folder with its contents."""
    if path.is_file() and is_zip(path):
        try:
            with zipfile.ZipFile(path) as archive:
                names = archive.namelist()
        except ZIP_DAMAGE as error:
            raise UnsafeFileError(f"{path.name} is damaged or cut short ({error}): copy it again") from error
        if any(name.endswith("archive_format") for name in names):
            raise UnrecognisedError(
                f"{path.name} is an exported program of torch.export, which cannot be read: give the weights that it "
                "was exported from, torch.save(program.state_dict, 'weights.pt')"
            )
        if not is_torch_zip(names) and not is_npz(names):
            with TemporaryDirectory(prefix="regard-") as temporary:
                place = Path(temporary) / path.name  # messages name the folder that is read
                place.mkdir()
                yield _with_weights(unpack(path, place), path.name)
            return
    yield path


def _with_weights(folder: Path, where: str) -> Path:
    """The folder, or the subfolder with the weights, to which files around it, such as a vocabulary, are added."""
    weights = [path for path in sorted(folder.rglob("*")) if path.is_file() and _may_be_weights(path)]
    places = list(dict.fromkeys(path.parent for path in weights))
    if not places or folder in places:
        return folder
    if len(places) > 1:
        names = ", ".join(place.relative_to(folder).as_posix() for place in places[:8])
        raise UnrecognisedError(f"{where} holds weights in several folders ({names}): pack one of them")
    for around in itertools.takewhile(lambda parent: parent != folder.parent, places[0].parents):
        for path in list_files(around).values():
            if not (places[0] / path.name).exists():
                path.rename(places[0] / path.name)
    return places[0]


def _may_be_weights(path: Path) -> bool:
    """Whether a file may hold a model's weights; a pickled vocabulary can have the same suffix."""
    return not _VOCABULARY.search(path.name) and looks_like_weights(path)


def read_source(path: Path, copy_name: str | None = None, policy: WeightDtypePolicy = USUAL) -> Source:
    """Read a weights file, or the one weights file of a folder.

    Args:
        copy_name: which copy to read when the file holds several: one of the names in ``Source.sets``.

    Raises:
        CheckpointError: when there is none, or it cannot be read safely.
    """
    if path.is_file():
        if match := _PART.fullmatch(path.name):
            raise LackingPartError(
                f"{path.name} is one of {int(match[2])} parts of the weights: give them all, in one folder with their "
                "configuration"
            )
        is_run = any((path.parent / name).is_file() for name in _SETTINGS) or _kind(path) == "npz"
        files = list_files(path.parent) if is_run else {}
        return _read_weights(path, path, files, copy_name, policy)
    files = list_files(path)
    weights = [name for name, file in sorted(files.items()) if _kind(file)]
    if not weights:
        other = first_described(files[name] for name in sorted(files))
        kinds = ".safetensors, .pt, .pth, .chkpt, .ckpt, .params or .npz"
        raise UnrecognisedError(other or f"{path.name or path} holds no weights: give a {kinds} file")
    weights = [name for name in weights if not _VOCABULARY.search(name)] or weights
    if parts := parts_of(weights, path.name):
        return _read_parts(path, files, parts, copy_name, policy)
    chosen = next((name for name in _PREFERRED if name in weights), weights[0])
    if len(weights) > 1 and chosen not in _PREFERRED:
        raise UnrecognisedError(f"{path.name} holds several weights files ({', '.join(weights[:8])}): give one of them")
    return _read_weights(files[chosen], path, files, copy_name, policy)


def is_part(name: str) -> bool:
    """Whether a file is named like a shard of a checkpoint."""
    return _PART.fullmatch(name) is not None


def parts_of(weights: list[str], where: str) -> list[str]:
    """The names if they are the shards of one checkpoint, otherwise nothing."""
    matches = [_PART.fullmatch(name) for name in weights]
    kinds = {match.group(1, 2, 3) for match in matches if match is not None}
    if None in matches or len(kinds) != 1:
        return []
    stem, count, ending = kinds.pop()
    if len(weights) != int(count):
        raise LackingPartError(
            f"{where} holds {len(weights)} of the {int(count)} parts of {stem[:60]}.{ending}: add the others"
        )
    return sorted(weights)


def _read_parts(
    path: Path, files: dict[str, Path], parts: list[str], copy_name: str | None, policy: WeightDtypePolicy
) -> Source:
    safe = [files[name] for name in parts if _kind(files[name]) == "safetensors"]
    tensors = read_weights(safe, policy)
    for name in parts:
        if files[name] not in safe:
            tensors |= read_torch(files[name]).tensors
    return _source(path, StateDict(tensors), files, tuple(parts), copy_name)


def list_files(folder: Path) -> dict[str, Path]:
    """The files of a folder, by name."""
    files = {}
    for path in folder.iterdir():
        if path.is_file():
            files[path.name] = path
        if len(files) > limits().max_entries:
            raise LimitError(
                f"{folder.name} holds more than {limits().max_entries:,} files: give the folder of the checkpoint alone"
            )
    return files


def read_json(path: Path) -> Any:
    """A JSON file of bounded size."""
    try:
        check_json_size(path)
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        if isinstance(error, CheckpointError):
            raise
        raise CheckpointError(f"cannot read {path.name} ({str(error)[:120]}): it must be JSON in UTF-8") from error


def _read_weights(
    weights: Path, path: Path, files: dict[str, Path], copy_name: str | None, policy: WeightDtypePolicy
) -> Source:
    kind = _kind(weights)
    if kind == "safetensors":
        return _source(path, StateDict(read_weights([weights], policy)), files, (weights.name,), copy_name)
    if kind == "torch":
        return _source(path, read_torch(weights, copy_name), files, (weights.name,), copy_name)
    if kind == "npz":
        return Source(path, read_npz(weights), {}, files, (weights.name,))
    if kind == "ctranslate2":
        read = read_ctranslate2(weights)
        beside = {"attributes": read.attributes, "floating": read.sharp_scales}
        return Source(path, read.tensors, beside, files, (weights.name,))
    if kind == "llama2c":
        tensors, settings = read_llama2c(weights)
        return Source(path, tensors, {"model_args": settings}, files, (weights.name,))
    raise UnrecognisedError(
        first_described([weights])
        or f"{weights.name} is neither safetensors nor a file of torch.save: convert it to one of them"
    )


def _source(
    path: Path, read: StateDict, files: dict[str, Path], weights: tuple[str, ...], copy_name: str | None
) -> Source:
    inner = unwrap(read, copy_name)
    return Source(path, inner.tensors, inner.beside, files, weights, inner.sets, inner.outside, inner.around)


def looks_like_weights(path: Path) -> bool:
    """Whether a file is of a format that holds tensors, judged by its first bytes and its suffix."""
    return _kind(path) is not None


def begins_like_weights(name: str, beginning: bytes, size: int) -> bool:
    """Whether a file may hold tensors, or a folder with tensors, judged by its first 80 bytes; archives are not opened.

    A file that is named like a vocabulary or a plain pickle is none.
    """
    if _VOCABULARY.search(name):
        return False
    return beginning.startswith(b"PK\x03\x04") or _kind_of(name, beginning, size) is not None


def _kind(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            beginning = file.read(BEGINNING)
        size = path.stat().st_size
        if is_zip(path):
            with zipfile.ZipFile(path) as archive:
                names = archive.namelist()
                return "torch" if is_torch_zip(names) else "npz" if is_npz(names) else None
    except ZIP_DAMAGE:
        return None
    return _kind_of(path.name, beginning, size)


def _kind_of(name: str, beginning: bytes, size: int) -> str | None:
    """The format of a file that is not an archive, recognised by its first bytes and its suffix."""
    ending = Path(name).suffix
    if is_other(name, beginning):
        return None
    if looks_like_safetensors(beginning, size):  # its first byte is part of a length and can have any value
        return "safetensors"
    if looks_like_ctranslate2(beginning):
        return "ctranslate2"
    if ending == ".bin" and looks_like_llama2c(beginning, size):
        return "llama2c"
    if is_legacy(beginning) or beginning[:1] == b"\x80" or (ending in _TORCH and not _is_text(beginning)):
        return "torch"
    return "safetensors" if ending == ".safetensors" else None


def _is_text(beginning: bytes) -> bool:
    """Whether a file begins with text, as a vocabulary does, whatever its suffix; the last character may be cut."""
    words = beginning.decode("utf-8", "ignore")
    is_whole = len(words.encode()) > len(beginning) - 4
    return is_whole and bool(words.strip()) and "".join(words.split()).isprintable()
