"""The events that a run reports while it trains, and the two ways in which a step can fail."""

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
    """Since the run began, pauses between sessions left out."""
    n_halved: int = 0
    """How often a batch of this step was too large for the device's memory and was taken in two halves."""


@dataclass(frozen=True, slots=True)
class Validated:
    """Scores on the held-out pairs."""

    step: int
    loss: float
    """Cross-entropy per target token without smoothing, nats."""
    bleu: float
    """NaN for a decoder-only model, which is judged by its loss."""
    chrf: float
    is_best: bool


@dataclass(frozen=True, slots=True)
class Finished:
    """The run has ended and its result is written."""

    step: int
    chosen: str
    """"average" of the last snapshots or "best" snapshot, whichever scored higher."""
    bleu: float
    loss: float


Event = StepDone | Validated | Finished


class NotFiniteError(TrainingError):
    """The loss or its gradient is not finite; the weights are those of the step before."""

    fault = "not_finite"


class DeviceMemoryError(TrainingError):
    """One sentence alone does not fit in the device's memory."""

    fault = "device_memory"
