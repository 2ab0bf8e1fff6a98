"""The events that a training run yields, and the two errors with which a step can fail."""

from dataclasses import dataclass

from model.training.settings import TrainingError


@dataclass(frozen=True, slots=True)
class StepDone:
    """One optimiser step."""

    step: int
    loss: float
    """Smoothed cross-entropy per target token, nats."""
    learning_rate: float
    gradient_norm: float
    tokens_per_second: float
    """Real target tokens, over the last steps."""
    seconds: float
    """Training time since the run began, without pauses between sessions."""
    n_halved: int = 0
    """How often a batch of this step was split in halves because it did not fit in the device's memory."""


@dataclass(frozen=True, slots=True)
class Validated:
    """Scores on the held-out pairs."""

    step: int
    loss: float
    """Cross-entropy per target token without smoothing, nats."""
    bleu: float
    """NaN for a decoder-only model, which is evaluated by its loss."""
    chrf: float
    is_best: bool


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of a run, whose result is written."""

    step: int
    chosen: str
    """"average" of the last snapshots or "best" snapshot, whichever scored higher."""
    bleu: float
    loss: float


Event = StepDone | Validated | Finished


class NotFiniteError(TrainingError):
    """The loss or its gradient is not finite; the weights are still those of the previous step."""

    fault = "not_finite"


class DeviceMemoryError(TrainingError):
    """A single sentence does not fit in the device's memory."""

    fault = "device_memory"
