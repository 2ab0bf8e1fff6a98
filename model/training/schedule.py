"""Learning rate by step (Vaswani et al. 2017, section 5.3, and schedules that end at zero)."""

from __future__ import annotations

import math

from model.training.settings import TrainingConfig


def learning_rate(step: int, config: TrainingConfig, d_model: int) -> float:
    """The rate of optimiser step ``step``, counted from 1.

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
