"""The result of a child: weights in safetensors, numbers and names in JSON, and the original tokenizer files."""

import dataclasses
import json
from pathlib import Path
from types import UnionType
from typing import Any, cast, get_args, get_origin, get_type_hints

from safetensors.torch import save_file

from model.bundle import Bundle
from model.checkpoints.basis.errors import CheckpointError
from model.checkpoints.basis.hints import Hints
from model.checkpoints.basis.report import FILE_REASONS, USES
from model.checkpoints.doctor import Diagnosis
from model.checkpoints.native_format import CONFIG, WEIGHTS, load_native, save
from model.nn.transformer import Transformer
from model.text.tokenizer import Tokenizer
from model.text.word_tokenizer import WordTokenizer

RESULT, TOKENIZERS, PROCESSOR = "result", "tokenizers", "preprocessor_config.json"
_NAMES, _LANGUAGES = ("name", "family"), ("source_language", "target_language")
_LONGEST = 1_000
"""Maximum characters of a test sentence to show."""


def write_result(bundle: Bundle, path: Path, folder: Path) -> dict[str, Any]:
    """Write a bundle that was opened from ``path``, and return a description of its stored tokenizers."""
    if isinstance(bundle.model, Transformer):
        save(dataclasses.replace(bundle, source_tokenizer=None, target_tokenizer=None), folder)
    else:
        _write_library_model(bundle, folder)
    return _write_tokenizers(bundle, folder / TOKENIZERS)


def _write_library_model(bundle: Bundle, folder: Path) -> None:
    """Write the tensors under the library's names, and the allowed fields of its configuration."""
    from model.checkpoints.families.huggingface.config import allowed_fields

    folder.mkdir()
    network = bundle.model.network
    described = allowed_fields({name: value for name, value in network.config.to_dict().items() if value is not None})
    if bundle.generation is not None:  # which the library's configuration does not keep
        ends: tuple[int, ...] = bundle.config.end_ids
        first: tuple[int, ...] = bundle.config.target_prefix
        described.pop("forced_eos_token_id", None)  # the library's default, which the model's own file may lack
        described |= {"eos_token_id": ends[0] if len(ends) == 1 else list(ends), **bundle.generation.to_json()}
        if first:
            described["forced_bos_token_id"] = first[0]
    (folder / CONFIG).write_text(json.dumps(described), "utf-8")
    if bundle.grid is not None:
        (folder / PROCESSOR).write_text(json.dumps(bundle.grid.settings), "utf-8")
    seen: set[int] = set()
    tensors = {}
    for name, tensor in network.state_dict().items():
        if tensor.data_ptr() not in seen or not tensor.numel():
            seen.add(tensor.data_ptr())
            tensors[name] = tensor.detach().contiguous().clone()
    save_file(tensors, folder / WEIGHTS, metadata={"format": "pt"})


def _write_tokenizers(bundle: Bundle, folder: Path) -> dict[str, Any]:
    folder.mkdir()
    source, target = bundle.source_tokenizer, bundle.target_tokenizer
    stored: dict[str, Any] = {}
    for side, tokenizer in (("source", source), ("target", target)):
        files = getattr(tokenizer, "files", None)
        if tokenizer is None:
            continue
        if tokenizer is source and side == "target":
            stored[side] = stored["source"]
        elif files is not None:  # the transformers library's own, which is a folder of files
            (folder / side).mkdir()
            for name, content in files.items():
                (folder / side / name).write_bytes(content)
            stored[side] = {"library": side, "language": getattr(tokenizer, "language", None)}
        else:
            stored[side] = {"file": tokenizer.save(folder, side), "is_plain": type(tokenizer) is WordTokenizer}
    return stored


def read_tokenizers(folder: Path, stored: dict[str, Any]) -> dict[str, Tokenizer | None]:
    """Open the tokenizers of a result with their libraries. Only the child calls this."""
    from model.checkpoints.vocabularies.reading import read_tokenizer_file

    opened: dict[str, Tokenizer | None] = {}
    files: dict[str, Tokenizer] = {}
    for side, place in stored.items():
        if "library" in place:
            from model.checkpoints.vocabularies.library_tokenizer import read_tokenizers as read_library

            language = place.get("language") if side == "source" else None
            source, target = read_library(folder / place["library"], language, has_decoder=True)
            opened[side] = source if side == "source" else target
        else:
            if place["file"] not in files:
                files[place["file"]] = read_tokenizer_file(folder / place["file"])
            opened[side] = files[place["file"]]
    return opened


def open_model(folder: Path, name: str) -> Bundle:
    """Open the model of a result, without its tokenizers; unexpected files are refused."""
    allowed_names = {CONFIG, WEIGHTS, TOKENIZERS, PROCESSOR}
    for path in folder.iterdir():
        if path.name not in allowed_names or path.is_symlink():
            raise CheckpointError(f"the conversion wrote {path.name[:40]!a}, which is not part of a result")
    if json.loads((folder / CONFIG).read_text("utf-8")).get("format"):
        return load_native(folder)
    from model.checkpoints.families.huggingface.folder import load_huggingface

    return load_huggingface(folder, name, Hints())


def to_json(diagnosis: Diagnosis) -> dict[str, Any]:
    """A diagnosis as JSON, without its model."""
    plain = dataclasses.asdict(dataclasses.replace(diagnosis, bundle=cast(Any, None)))
    return plain | {"bundle": {name: getattr(diagnosis.bundle, name) for name in (*_NAMES, *_LANGUAGES)}}


def from_json(sent: dict[str, Any], bundle: Bundle) -> Diagnosis:
    """The inverse of ``to_json``, joined with the model."""
    try:
        kinds = get_type_hints(Diagnosis)
        fields = {name: _as_type(kind, sent[name]) for name, kind in kinds.items() if name != "bundle"}
        report, trial = fields["report"], fields["trial"]
        if any(use.use not in USES or use.key not in FILE_REASONS for use in report.files):
            raise ValueError("an unknown use of a file")
        if trial is not None:
            fields["trial"] = dataclasses.replace(
                trial, source=trial.source[:_LONGEST], target=trial.target[:_LONGEST],
                probability=min(1.0, max(0.0, trial.probability)),
            )  # fmt: skip
        named: dict[str, Any] = {name: str(sent["bundle"][name]) for name in _NAMES}
        codes = {name: sent["bundle"][name] for name in _LANGUAGES}
        named |= {name: None if code is None else str(code)[:35] for name, code in codes.items()}
        return Diagnosis(bundle=dataclasses.replace(bundle, report=report, **named), **fields)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise CheckpointError(f"the conversion did not return a report ({str(error)[:80]!a})") from error


def _as_type(kind: Any, sent: Any) -> Any:
    """A JSON value as the type that a field has: plain values, tuples, dataclasses, or None."""
    of = get_args(kind)
    if kind is Any:
        return sent
    if dataclasses.is_dataclass(kind):
        kinds = get_type_hints(kind)
        return kind(**{field.name: _as_type(kinds[field.name], sent[field.name]) for field in dataclasses.fields(kind)})
    if get_origin(kind) is tuple:
        kinds = of if of[-1] is not ... else of[:1] * len(sent)
        return tuple(_as_type(item_kind, item) for item_kind, item in zip(kinds, sent, strict=True))
    if get_origin(kind) is UnionType:
        return None if sent is None else _as_type(of[0], sent)
    return kind(sent)
