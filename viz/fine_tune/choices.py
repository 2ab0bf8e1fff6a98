"""The Fine-tune page's choices, and the settings that the chosen set suggests."""

import dataclasses
from dataclasses import dataclass
from typing import Any

from model.training.lessons import LESSONS, Lesson, find_lesson
from model.training.settings import TrainingConfig
from viz.state import session
from viz.state.rules import bounded, one_of, words

AREA = "tune"
SETS = (*(lesson.name for lesson in LESSONS), "paste", "upload")
VISITOR_CONFIG = TrainingConfig(
    steps=100, batch_tokens=2_000, learning_rate=5e-5, schedule="constant", warmup_steps=10, bare_share=0.0,
    validate_every=25, keep_last=2,
)  # fmt: skip
"""For a visitor's own pairs: half the learning rate of a lesson, and more steps (docs/training.md has the results)."""
VALIDATIONS = 5


@dataclass(frozen=True, slots=True)
class Choices:
    """One field for each control; 0 or "" stands for the value that the data set suggests."""

    run: str = words(longest=64)
    """The run on screen; empty for the form."""
    data: str = one_of(SETS[0], *SETS[1:])
    probe: str = words(longest=400)
    steps: int = bounded(0, 0, 1_000_000)
    batch_tokens: int = bounded(0, 0, 100_000)
    learning_rate: float = bounded(0.0, 0.0, 1.0)
    schedule: str = one_of("", "constant", "noam", "cosine", "trapezoid")
    warmup_steps: int = bounded(0, 0, 100_000)
    trains: str = one_of("everything", "cross-attention", "last-layers")
    label_smoothing: float = bounded(-1.0, -1.0, 0.9)
    dropout: float = bounded(-1.0, -1.0, 0.9)
    """-1 takes the set's value, or else the model's."""
    held_out: int = bounded(15, 0, 50)
    """Per cent of the sources."""
    seed: int = bounded(1, 0, 2**31 - 1)
    device: str = words("auto", longest=16)

    @property
    def lesson(self) -> Lesson | None:
        """The lesson whose set is chosen."""
        return find_lesson(self.data)


PAGE = session.Area(Choices, AREA)
bind = PAGE.bind


def read() -> Choices:
    """The page's choices; when another set is chosen, its settings replace the reader's."""
    choices = PAGE.read()
    if session.recall("tune_set", lambda: choices.data) != choices.data:
        session.remember("tune_set", choices.data)
        fields = {name: getattr(choices, name) for name in ("run", "data", "seed", "device", "held_out")}
        choices = Choices(**fields)
        session.write_part(choices, AREA)
    return choices


def suggested_settings(choices: Choices) -> TrainingConfig:
    """The settings that suit the chosen set."""
    return choices.lesson.config if choices.lesson else VISITOR_CONFIG


def values_of(choices: Choices, *, max_steps: int) -> dict[str, Any]:
    """The settings with a suggestion: the reader's value, else the chosen set's; not yet checked."""
    base = suggested_settings(choices)
    return {
        "steps": min(choices.steps or base.steps, max_steps),
        "batch_tokens": choices.batch_tokens or base.batch_tokens,
        "learning_rate": choices.learning_rate or base.learning_rate,
        "schedule": choices.schedule or base.schedule,
        "warmup_steps": choices.warmup_steps or base.warmup_steps,
        "label_smoothing": base.label_smoothing if choices.label_smoothing < 0 else choices.label_smoothing,
        "dropout": base.dropout if choices.dropout < 0 else choices.dropout,
    }


def config_of(choices: Choices, *, max_steps: int) -> TrainingConfig:
    """The settings of the run that the form describes.

    Raises:
        TrainingError: when they are out of range.
    """
    values = values_of(choices, max_steps=max_steps)
    values |= {name: getattr(choices, name) for name in ("trains", "seed", "device")}
    return dataclasses.replace(
        suggested_settings(choices), **values, validate_every=max(1, values["steps"] // VALIDATIONS)
    )


def show_run(run_id: str) -> None:
    """Put a run, or with an empty name the form, on screen and in the link."""
    PAGE.change(run=run_id)
