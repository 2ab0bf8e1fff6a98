"""The checkpoint format of a recurrent translator: recurrent.json, model.safetensors and tokenizer.model.

The configuration file has another name than a Transformer's, so that the two cannot be confused.
"""

import dataclasses
import json
from pathlib import Path
from typing import Any, Literal, cast

import torch
from safetensors.torch import save_file

from model.bundle import Bundle
from model.checkpoints.basis.errors import CheckpointError, SaveError
from model.checkpoints.basis.identity import fingerprint
from model.checkpoints.formats.safetensors_file import read_safetensors
from model.checkpoints.native_format import languages_of
from model.files.atomic import write_atomically
from model.nn.recurrent import RecurrentConfig, RecurrentTranslator
from model.text.tokenizer import SentencePieceTokenizer

CONFIG, WEIGHTS = "recurrent.json", "model.safetensors"
SHIPPED = Path(__file__).parents[2] / "pretrained" / "gru-en-fr"
VARIANTS = ("attention", "without")
_TIED = "output.weight"


def shipped_folders() -> dict[str, Path]:
    """Folders of the shipped recurrent translators by variant; empty unless all exist."""
    folders = {name: SHIPPED / name for name in VARIANTS}
    return folders if all((folder / CONFIG).is_file() for folder in folders.values()) else {}


def save_recurrent(bundle: Bundle, folder: Path, *, dtype: Literal["float32", "float16"] = "float32") -> Path:
    """Write a recurrent translator, its configuration last, so that a half-written folder does not open."""
    model = bundle.model
    if not isinstance(model, RecurrentTranslator) or bundle.source_tokenizer is None:
        raise SaveError(f"{bundle.name} is not a recurrent translator with a vocabulary: save it with model.save")
    stored = {name: tensor.detach().to("cpu", getattr(torch, dtype)).contiguous()
              for name, tensor in model.state_dict().items() if name != _TIED}  # fmt: skip
    described = {
        "name": bundle.name,
        "languages": {"source": bundle.source_language, "target": bundle.target_language},
        "recurrent": dataclasses.asdict(model.config),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        bundle.source_tokenizer.save(folder, "tokenizer")
        save_file(stored, folder / WEIGHTS)
        (folder / WEIGHTS).chmod(0o644)
        write_atomically(folder / CONFIG, json.dumps(described, indent=2, ensure_ascii=False).encode() + b"\n")
    except OSError as error:
        raise SaveError(f"could not write {folder} ({error.strerror}): make room, or choose another disk") from error
    return folder


def load_recurrent(folder: Path) -> Bundle:
    """Open what ``save_recurrent`` wrote, as float32 and in eval mode."""
    try:
        described = json.loads((folder / CONFIG).read_text("utf-8"))
        config = RecurrentConfig(**described["recurrent"])
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise CheckpointError(f"cannot read {folder / CONFIG} ({error}): copy the file that was saved") from error
    tensors = read_safetensors(folder / WEIGHTS)
    model = RecurrentTranslator(config).eval()
    tensors = {name: tensor.float() for name, tensor in tensors.items()}
    try:
        model.load_state_dict(tensors | {_TIED: tensors["embedding.weight"]})
    except (RuntimeError, KeyError) as error:
        raise CheckpointError(f"{folder / WEIGHTS} does not fit {CONFIG}: copy both files again") from error
    tokenizer = SentencePieceTokenizer.load(folder / "tokenizer.model")
    source_language, target_language = languages_of(described)
    return Bundle(
        name=str(described.get("name", folder.name)),
        model=cast(Any, model),  # its configuration has the names that decoding and the views read
        config=cast(Any, config),
        source_tokenizer=tokenizer,
        target_tokenizer=tokenizer,
        family="recurrent",
        normalisation="plain",
        fingerprint=fingerprint(tensors, json.dumps(dataclasses.asdict(config)).encode(), tokenizer),
        source_language=source_language,
        target_language=target_language,
    )
