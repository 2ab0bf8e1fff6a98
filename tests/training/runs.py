"""Short runs on the small grammar."""

import dataclasses
from pathlib import Path
from typing import Any

from model.runs.folder import RunFolder
from model.training.preparation import NewModel, prepare
from model.training.settings import TrainingConfig
from model.training.trainer import Trainer
from tests.training.corpus import pairs

SMALL = NewModel(vocab_size=80, d_model=32, d_feed_forward=64, n_encoder_layers=2, n_decoder_layers=2, n_heads=4)
SETTINGS = TrainingConfig(
    steps=12, batch_tokens=300, accumulation=2, warmup_steps=4, validate_every=6, keep_last=2,
    device="cpu", precision="float32",
)  # fmt: skip


def trainer(folder: Path, **changes: Any) -> Trainer:
    """A trainer of a 32-wide model, two layers a side, ready to run."""
    return prepare(SMALL, pairs(), dataclasses.replace(SETTINGS, **changes), RunFolder(folder))
