"""All settings of a training run, as one value that is stored in its folder, and the learning rate that follows from
them."""

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
"""Shares of a training's steps: what changes first changes early, so they grow about fourfold."""


class TrainingError(RunError):
    """Why a training cannot start or continue, and what to change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingConfig:
    """Settings of one run. Batches are counted in tokens, padding included, of the longer side.

    Raises:
        TrainingError: when a setting is out of its range.
    """

    steps: int = 4_000
    """Optimiser steps."""
    batch_tokens: int = 6_000
    """Tokens of one micro-batch, padding included."""
    accumulation: int = 1
    """Micro-batches a step, shared out among the processes."""
    learning_rate: float = 1e-3
    """The peak; "noam" takes its own from d_model and warmup_steps (equation 3) and multiplies it by this over 1e-3."""
    schedule: Schedule = "trapezoid"
    warmup_steps: int = 800
    decay_share: float = 0.3
    """Share of the steps over which "trapezoid" falls to zero."""
    label_smoothing: float = 0.1
    dropout: float | None = None
    """Replaces the model's own where given."""
    weight_decay: float = 0.0
    max_gradient_norm: float = 1.0
    bare_share: float = 0.15
    """Share of sources lower-cased and without final punctuation, as people type them."""
    resplit_share: float = 0.0
    """Share of the words of sources that are cut into other pieces than usual; needs a SentencePiece vocabulary."""
    max_length: int = 60
    """Pairs with more pieces on either side are left out."""
    trains: Trainable = "everything"
    seed: int = 1
    device: str = "auto"
    precision: Precision = "auto"
    validate_every: int = 500
    keep_last: int = 5
    """Snapshots kept, and averaged at the end."""
    keep_curve: bool = False
    """Whether the weights at CURVE's shares of the steps are kept too, to show how the model came to be."""

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
        """Steps whose weights are kept for the curve of learning; none unless ``keep_curve``."""
        return tuple(dict.fromkeys(round(share * self.steps) for share in CURVE)) if self.keep_curve else ()

    def to_json(self) -> str:
        """The settings as JSON, one a line."""
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
    """The rate of optimiser step ``step``, counted from 1 (Vaswani et al. 2017, section 5.3, and schedules that end at
    zero).

    "noam" is equation 3, d_model^-0.5 · min(step^-0.5, step · warmup^-1.5). "trapezoid" climbs, stays, and falls in a
    straight line over the last ``decay_share`` of the steps (Hägele et al. 2024): until then, a run does not depend on
    its planned length. "cosine" climbs and falls to zero; its warm-up takes at most half of the steps, so that the rate
    also falls in a short run.
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
