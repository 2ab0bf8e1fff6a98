"""The settings of a training run, stored in its folder, and the learning-rate schedules."""

from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

from model.runs.errors import RunError

Schedule = Literal["noam", "trapezoid", "cosine", "constant"]
Precision = Literal["auto", "bfloat16", "float32"]
Trainable = Literal["everything", "cross-attention", "last-layers"]


CURVE = (0.0, 0.01, 0.04, 0.15, 0.5, 1.0)
"""Shares of a training's steps at which weights are kept. They grow about fourfold, since most changes happen early."""


class TrainingError(RunError):
    """A training cannot start or continue; the message says why and what to change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingConfig:
    """Settings of one run. Batch sizes are in tokens of the longer side, padding included.

    Raises:
        TrainingError: when a setting is out of range.
    """

    steps: int = 4_000
    """Optimiser steps."""
    batch_tokens: int = 6_000
    """Tokens of one micro-batch, padding included."""
    accumulation: int = 1
    """Micro-batches per step, distributed among the processes."""
    learning_rate: float = 1e-3
    """The peak; "noam" derives its peak from d_model and warmup_steps (equation 3), times learning_rate / 1e-3."""
    schedule: Schedule = "trapezoid"
    warmup_steps: int = 800
    decay_share: float = 0.3
    """Share of the steps over which "trapezoid" decays to zero."""
    label_smoothing: float = 0.1
    dropout: float | None = None
    """Replaces the model's dropout; None keeps it."""
    weight_decay: float = 0.0
    max_gradient_norm: float = 1.0
    bare_share: float = 0.15
    """Share of sources lower-cased and without final punctuation, as people type them."""
    resplit_share: float = 0.0
    """Share of source words with an alternative segmentation (``resplit``); needs a SentencePiece vocabulary."""
    max_length: int = 60
    """Pairs with more pieces on either side are dropped."""
    trains: Trainable = "everything"
    seed: int = 1
    device: str = "auto"
    precision: Precision = "auto"
    validate_every: int = 500
    keep_last: int = 5
    """Number of latest snapshots that are kept, and averaged at the end."""
    keep_curve: bool = False
    """Whether to keep the weights at CURVE's shares of the steps too, to show the course of training."""

    def __post_init__(self) -> None:
        for name in ("steps", "batch_tokens", "accumulation", "warmup_steps", "validate_every", "keep_last",
                     "max_length"):  # fmt: skip
            self._require(getattr(self, name) >= 1, name, "must be at least 1")
        for name in ("label_smoothing", "bare_share", "resplit_share", "dropout"):
            value = getattr(self, name)
            self._require(value is None or 0 <= value < 1, name, "must lie in [0, 1)")
        self._require(0 < self.decay_share <= 1, "decay_share", "must lie in (0, 1]")
        self._require(self.learning_rate > 0, "learning_rate", "must be positive: 1e-3 to train, 1e-4 to fine-tune")
        self._require(self.max_gradient_norm > 0, "max_gradient_norm", "must be positive")
        self._require(self.weight_decay >= 0, "weight_decay", "must not be negative")
        for name, choices in (("schedule", Schedule), ("precision", Precision), ("trains", Trainable)):
            allowed = get_args(choices)
            self._require(getattr(self, name) in allowed, name, f"must be one of {', '.join(allowed)}")

    def _require(self, holds: bool, name: str, rule: str) -> None:
        if not holds:
            raise TrainingError(f"{name} ({getattr(self, name)}) {rule}")

    def curve_steps(self) -> tuple[int, ...]:
        """Steps whose weights are kept for the training curve; none unless ``keep_curve``."""
        return tuple(dict.fromkeys(round(share * self.steps) for share in CURVE)) if self.keep_curve else ()

    def to_json(self) -> str:
        """The settings as JSON, one per line."""
        return json.dumps(dataclasses.asdict(self), indent=2)

    @classmethod
    def from_mapping(cls, fields: dict[str, Any]) -> TrainingConfig:
        """Build from parsed JSON.

        Raises:
            TrainingError: for an unknown or mistyped setting.
        """
        try:
            return cls(**fields)
        except TypeError as error:
            raise TrainingError(f"these settings are not valid: {error}") from error


def learning_rate(step: int, config: TrainingConfig, d_model: int) -> float:
    """The learning rate of optimiser step ``step``, counted from 1.

    "noam" is equation 3 of Vaswani et al. (2017), d_model^-0.5 · min(step^-0.5, step · warmup^-1.5). "trapezoid" has a
    linear warm-up, a constant phase, and a linear decay to zero over the last ``decay_share`` of the steps (Hägele et
    al. 2024), so that a run is independent of its planned length until then. "cosine" has a linear warm-up over at most
    half of the steps, then decays to zero.
    """
    if config.schedule == "noam":
        equation_3 = d_model**-0.5 * min(step**-0.5, step * config.warmup_steps**-1.5)
        return equation_3 * config.learning_rate / 1e-3
    warmup = min(1.0, step / config.warmup_steps)
    if config.schedule == "constant":
        return config.learning_rate * warmup
    if config.schedule == "trapezoid":
        fall = (config.steps + 1 - step) / max(1.0, config.steps * config.decay_share)
        return config.learning_rate * min(warmup, max(0.0, min(1.0, fall)))
    climbing = min(config.warmup_steps, max(1, config.steps // 2))
    progress = min(1.0, max(0.0, (step - climbing) / (config.steps + 1 - climbing)))
    return config.learning_rate * min(1.0, step / climbing) * 0.5 * (1 + math.cos(math.pi * progress))
