"""A tiny checkpoint on disk for tests of the application, with seeded weights and a vocabulary of plain words."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import model
from tests.tiny import tiny_model

WORDS = (
    "<pad>", "<unk>", "<s>", "</s>", "the", "cat", "dog", "is", "on", "sofa", "sleeping", ".",
    "le", "chat", "chien", "dort", "sur", "canapé", "est", "un",
)  # fmt: skip


def zip_folder(folder: Path, compression: int = zipfile.ZIP_STORED) -> bytes:
    """A checkpoint's folder as one file, as a visitor drops it."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for path in sorted(folder.iterdir()):
            archive.write(path, path.name)
    return stream.getvalue()


def tiny_bundle(name: str = "tiny", *, seed: int = 135, **changes: Any) -> model.Bundle:
    """A model with random weights and the vocabulary ``WORDS``; with this seed it happens to end its sentences."""
    untied = {"tie_output": False, "tie_embeddings": False, "embedding_scale": 8.0}
    transformer = tiny_model(seed, **untied | changes)
    return model.Bundle(
        name=name,
        model=transformer,
        config=transformer.config,
        source_tokenizer=model.WordTokenizer(WORDS),
        target_tokenizer=model.WordTokenizer(WORDS),
        fingerprint=f"tiny-{seed}-{sorted(changes.items())}",
        source_language="en",
        target_language="fr",
        normalisation="plain",
    )


def rewrite_json(path: Path, **changes: Any) -> None:
    """Change fields of a JSON file."""
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def save_tiny(folder: Path, **changes: Any) -> Path:
    """Write the checkpoint and return its folder."""
    model.save(tiny_bundle(**changes), folder)
    return folder
