"""A tiny checkpoint on disk for tests of the application: seeded weights, a vocabulary of plain words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import model
from tests.tiny import tiny_model

WORDS = (
    "<pad>", "<unk>", "<s>", "</s>", "the", "cat", "dog", "is", "on", "sofa", "sleeping", ".",
    "le", "chat", "chien", "dort", "sur", "canapé", "est", "un",
)  # fmt: skip


def tiny_bundle(name: str = "tiny", *, seed: int = 135, **changes: Any) -> model.Bundle:
    """A model of random weights that reads and writes ``WORDS``, and by luck of its seed ends its sentences."""
    wild = {"tie_output": False, "tie_embeddings": False, "embedding_scale": 8.0}
    made = tiny_model(seed, **wild | changes)
    return model.Bundle(
        name=name,
        model=made,
        config=made.config,
        source_tokenizer=model.WordTokenizer(WORDS),
        target_tokenizer=model.WordTokenizer(WORDS),
        fingerprint=f"tiny-{seed}-{sorted(changes.items())}",
        source_language="en",
        target_language="fr",
    )


def save_tiny(folder: Path, **changes: Any) -> Path:
    """Write such a checkpoint and return its folder."""
    model.save(tiny_bundle(**changes), folder)
    return folder
