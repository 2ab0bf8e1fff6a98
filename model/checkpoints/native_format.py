"""This project's own checkpoint format: a folder with config.json, model.safetensors and the tokenizer.

config.json has the format, the Transformer's configuration, the languages and the names of the tokenizer files. Tied
weights are stored once. Weights may be stored as float16 and are loaded as float32.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import Tensor

from model.bundle import Bundle
from model.calibration import CONFIDENCE, Calibration, CalibrationError, read_calibration
from model.checkpoints.basis.assembly import TABLES, assemble, fingerprint_of, stored_names, stored_position_tables
from model.checkpoints.basis.errors import CheckpointError, SaveError, UnrecognisedError
from model.checkpoints.basis.identity import at_first_use
from model.checkpoints.basis.precision import USUAL, WeightDtypePolicy, bytes_of
from model.checkpoints.basis.report import Report
from model.checkpoints.formats.safetensors_file import read_weights
from model.checkpoints.vocabularies.reading import read_tokenizer_file
from model.config import TransformerConfig
from model.decoding.generation import generation_of
from model.nn.transformer import Transformer
from model.text.tokenizer import Tokenizer

FORMAT = "regard"
VERSION = 1
CONFIG, WEIGHTS = "config.json", "model.safetensors"
TokenizerOpener = Callable[[Path | None, Path | None], tuple[Tokenizer | None, Tokenizer | None]]
_OURS = frozenset({CONFIG, WEIGHTS, "tokenizer.model", "tokenizer.json", "source.model", "source.json",
                   "target.model", "target.json"})  # fmt: skip


def save(bundle: Bundle, folder: Path | str, *, dtype: Literal["float32", "float16"] = "float32") -> Path:
    """Write a bundle as a folder, atomically: the old folder is replaced only at the end.

    Other files in the folder, such as a README, are kept.

    Args:
        dtype: the dtype of stored weights; float16 halves the file and rounds to 3 digits.

    Raises:
        SaveError: when the disk is full, the folder has other files, or the model is not a Transformer.
    """
    folder = Path(folder)
    if not isinstance(bundle.model, Transformer):
        raise SaveError(
            f"a model of the family {bundle.family} cannot be saved in this project's format: keep its original files"
        )
    if folder.exists() and not is_native(folder) and (not folder.is_dir() or any(folder.iterdir())):
        raise SaveError(f"{folder} already holds other files: choose a new or an empty folder")
    tensors = _storable(bundle.model, getattr(torch, dtype))
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise SaveError(f"cannot write in {folder.parent}: {error.strerror}") from error
    try:
        _write(bundle, tensors, partial)
        _keep_strangers(folder, partial)
        _swap(partial, folder)
    except (OSError, SafetensorError) as error:
        shutil.rmtree(partial, ignore_errors=True)
        reason = getattr(error, "strerror", None) or str(error)
        raise SaveError(f"could not write {folder} ({reason}): make room, or choose another disk") from error
    return folder


def is_native(folder: Path) -> bool:
    """Whether a folder's config.json declares this format."""
    try:
        if (folder / CONFIG).stat().st_size > 1 << 20:
            return False
        config = json.loads((folder / CONFIG).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(config, dict) and config.get("format") == FORMAT


def load_native(
    folder: Path, open_tokenizers: TokenizerOpener | None = None, *, dtype_policy: WeightDtypePolicy = USUAL
) -> Bundle:
    """Open a folder of this format.

    Args:
        open_tokenizers: opens the files of both sides' tokenizers; None opens them in this process.

    Raises:
        CheckpointError: when a file is missing, damaged, or does not fit the others.
    """
    described = _read_config(folder / CONFIG)
    config = TransformerConfig.from_mapping(described["transformer"])
    weights = folder / WEIGHTS
    tensors = {_current(stored): tensor for stored, tensor in read_weights([weights], dtype_policy).items()}
    tables = (tensors.pop(TABLES[0], None), tensors.pop(TABLES[1], None))
    model = assemble(config, tensors, where=WEIGHTS, tables=tables, dtype_policy=dtype_policy)
    source, target = (open_tokenizers or _read_tokenizers)(*_tokenizer_files(folder, described.get("tokenizers")))
    source_language, target_language = languages_of(described)
    name = described.get("name")
    digest = at_first_use(lambda: fingerprint_of(model, source, target), bytes_of(model.state_dict().values()))
    return Bundle(
        name=name if isinstance(name, str) and name else folder.name,
        model=model,
        config=config,
        source_tokenizer=source,
        target_tokenizer=target,
        fingerprint=digest,
        source_language=source_language,
        target_language=target_language,
        normalisation=_normalisation(described),
        report=Report("own", recognised_by=(f'{CONFIG}: "format": "{FORMAT}"',)),
        calibration=_calibration(folder, digest),
        generation=generation_of(settings) if isinstance(settings := described.get("generation"), dict) else None,
    )


def languages_of(described: dict[str, Any]) -> tuple[str | None, str | None]:
    """The languages of source and target in a configuration, or None."""
    languages = described.get("languages") or {}
    if not isinstance(languages, dict):
        raise CheckpointError(f"{CONFIG}: languages must be an object with source and target")
    for side in ("source", "target"):
        code = languages.get(side)
        if code is not None and not isinstance(code, str):
            raise CheckpointError(
                f'{CONFIG}: languages.{side} is {json.dumps(code)[:40]}, and must be a code such as "en", or null'
            )
    return languages.get("source"), languages.get("target")


def _normalisation(described: dict[str, Any]) -> Literal["plain"] | None:
    """The normalisation before tokenization; a file without the field is of a model trained on normalised text."""
    normalisation = described.get("text_normalisation", "plain")
    if normalisation not in ("plain", None):
        raise CheckpointError(
            f'{CONFIG}: text_normalisation is {json.dumps(normalisation)[:40]}, and must be "plain" or null'
        )
    return normalisation


def load_weights(folder: Path) -> Bundle:
    """Open a folder of this format without its tokenizers. Raises as ``load_native``."""
    return load_native(folder, lambda *_: (None, None))


def roles(folder: Path) -> dict[str, str]:
    """The use of each of the format's files in an opened folder: name -> a key of the report."""
    named = _read_config(folder / CONFIG).get("tokenizers")
    sides = named if isinstance(named, dict) else {}
    source, target = sides.get("source"), sides.get("target")
    pairs = ((source, "tokens_source"), (target, "tokens_both" if source == target else "tokens_target"))
    tokens = {name: role for name, role in pairs if name is not None}
    return {WEIGHTS: "weights", CONFIG: "settings", CONFIDENCE: "settings"} | tokens


def _calibration(folder: Path, digest: str | Callable[[], str]) -> Calibration | None:
    if not (folder / CONFIDENCE).exists():
        return None
    digest = digest() if callable(digest) else digest
    try:
        return read_calibration(folder, digest)
    except CalibrationError as error:
        raise CheckpointError(str(error)) from error


def _current(name: str) -> str:
    """The current name of a stored tensor: earlier files have other names for ``fc1`` and ``fc2``."""
    return name.replace(".feed_forward.expand.", ".feed_forward.fc1.").replace(
        ".feed_forward.contract.", ".feed_forward.fc2."
    )


def _read_config(path: Path) -> dict[str, Any]:
    try:
        config = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CheckpointError(f"cannot read {path.name} ({error}): copy the file that was saved") from error
    if not isinstance(config, dict) or config.get("format") != FORMAT:
        raise UnrecognisedError(f'{path.name} lacks "format": "{FORMAT}"')
    if config.get("version") != VERSION:
        raise CheckpointError(
            f"{path.name} has version {config.get('version')}, but this release reads version {VERSION}: use a newer "
            "release"
        )
    if not isinstance(config.get("transformer"), dict):
        raise CheckpointError(f"{path.name} lacks the Transformer's configuration under “transformer”")
    return config


def _tokenizer_files(folder: Path, named: object) -> tuple[Path | None, Path | None]:
    """The file of each side's tokenizer."""
    sides = named if isinstance(named, dict) else {}
    paths: list[Path | None] = []
    for name in (sides.get("source"), sides.get("target")):
        if name is not None and not (isinstance(name, str) and name in _OURS):
            raise CheckpointError(f"the tokenizer {str(name)[:80]!r} is not a file name that this format uses")
        paths.append(None if name is None else folder / name)
    return paths[0], paths[1]


def _read_tokenizers(source: Path | None, target: Path | None) -> tuple[Tokenizer | None, Tokenizer | None]:
    """Both sides' tokenizers; the same object if they share a file."""
    first = None if source is None else read_tokenizer_file(source)
    if target is None or target == source:
        return first, None if target is None else first
    return first, read_tokenizer_file(target)


def _storable(model: Transformer, dtype: torch.dtype) -> dict[str, Tensor]:
    tensors = {}
    for name, tensor in stored_names(model).items():
        stored = tensor.detach().cpu().to(dtype).contiguous()
        if not stored.isfinite().all() and tensor.isfinite().all():
            raise SaveError(f"{name} holds values above 65504, the largest in float16: store float32")
        is_shared = any(stored.data_ptr() == other.data_ptr() for other in tensors.values())
        tensors[name] = stored.clone() if is_shared else stored  # safetensors refuses two names for the same memory
    tables = stored_position_tables(model).items()
    return tensors | {name: table.clone(memory_format=torch.contiguous_format) for name, table in tables}


def _write(bundle: Bundle, tensors: Mapping[str, Tensor], folder: Path) -> None:
    names: dict[str, str | None] = {"source": None, "target": None}
    source, target = bundle.source_tokenizer, bundle.target_tokenizer
    if source is not None and source is target:
        names["source"] = names["target"] = source.save(folder, "tokenizer")
    else:
        for side, tokenizer in (("source", source), ("target", target)):
            if tokenizer is not None:
                names[side] = tokenizer.save(folder, side)
    described = {
        "format": FORMAT,
        "version": VERSION,
        "name": bundle.name,
        "languages": {"source": bundle.source_language, "target": bundle.target_language},
        "tokenizers": names,
        "text_normalisation": bundle.normalisation,
        "transformer": json.loads(bundle.config.to_json()),
    }
    if bundle.generation is not None:
        described["generation"] = bundle.generation.to_json()
    (folder / CONFIG).write_text(json.dumps(described, indent=2, ensure_ascii=False) + "\n", "utf-8")
    save_file(dict(tensors), folder / WEIGHTS, metadata={"format": "pt"})
    for path in folder.iterdir():
        path.chmod(0o644)  # safetensors makes files that only their owner can read
        with path.open("rb") as written:
            os.fsync(written.fileno())
    folder.chmod(0o755)


def _keep_strangers(folder: Path, partial: Path) -> None:
    if not folder.exists():
        return
    for path in folder.iterdir():
        if path.name in _OURS:
            continue
        if path.is_dir():
            shutil.copytree(path, partial / path.name, symlinks=True)
        else:
            shutil.copy2(path, partial / path.name, follow_symlinks=False)


def _swap(partial: Path, folder: Path) -> None:
    """Put the new folder in the old one's place, and the old one back if that fails."""
    if not folder.exists():
        partial.rename(folder)
        return
    old = partial.with_name(f"{partial.name}-old")
    folder.rename(old)
    try:
        partial.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)
