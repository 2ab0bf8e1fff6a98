"""The findings on a checkpoint as plain values, ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

WITHOUT_TOKENS = "ids_only"
"""The limitation of a checkpoint without a vocabulary."""
_SCORES = {"head_rows": "nats behind the best", "fused_rows": "nats behind the best", "own_loss": "loss per token",
           "text_loss": "loss per token"}  # fmt: skip
"""Evidence that gives each answer a number, and what that number is."""


@dataclass(frozen=True, slots=True)
class Question:
    """A setting that the file lacks, with the value assumed for now and the evidence for it."""

    hint: str
    """The name by which ``load`` takes the answer, such as ``n_heads``."""
    value: Any
    """The likely answer, which is in use unless a hint said otherwise."""
    choices: tuple[Any, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    is_answered: bool = False
    """A hint or the file gave the value; otherwise it is assumed."""
    is_close: bool = False
    """Another answer is nearly as good, so a person should choose before anything is drawn."""

    def tried(self) -> str:
        """The answers that were tried, each with its number: "nats 4: 0.0, 8: 2.1"; else those to choose from."""
        scores: dict[str, list[str]] = {}
        for reason in self.evidence:
            values = tuple(value for _, value in reason.values)
            if reason.key in _SCORES:
                scores.setdefault(_SCORES[reason.key], []).append(f"{values[0]}: {values[1]}")
        told = "; ".join(f"{unit} {', '.join(numbers)}" for unit, numbers in scores.items())
        return told or f"choose from {', '.join(map(str, self.choices))}"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason, as a key for translation and its values."""

    key: str
    values: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class FileUse:
    """How one file that came with a checkpoint was used."""

    name: str
    use: str
    """One of ``USES``."""
    key: str
    """Why, as one of ``FILE_REASONS``."""
    values: tuple[tuple[str, str], ...] = ()


USES = ("used", "ignored", "not_understood")
FILE_REASONS = ("weights", "settings", "tokens_source", "tokens_target", "tokens_both", "settings_unread", "length",
                "undecided", "spare", "empty", "data", "not_of_format", "unread")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Report:
    """How a checkpoint was recognised, and which of its tensors and files were used."""

    family: str
    recognised_by: tuple[str, ...] = ()
    """Names of tensors or files that gave the family away."""
    ignored: tuple[str, ...] = ()
    """Tensors that carry nothing the model needs, such as a table that is computed."""
    filled: tuple[str, ...] = ()
    """Tensors that the file lacks and that have one neutral value."""
    questions: tuple[Question, ...] = ()
    """What the file does not tell."""
    limitations: tuple[str, ...] = ()
    """Keys of what this family cannot do here."""
    files: tuple[FileUse, ...] = ()
    """What became of each file."""
    outside: tuple[str, ...] = ()
    """Tensors that belong to the training and not to the model: counters, the weights of a loss."""
    assumed: tuple[str, ...] = ()
    """Switches of the original code that would change what it computes and leave no trace in the file, each with the
    value that is read: the original's default, in its own words, such as ``attn_qk_norm=False``."""

    told: tuple[str, ...] = ()
    """Answers that stand in the file or beside it, each with its place: ``n_heads=4 (config.num_heads)``."""
    left_to_choose: tuple[str, ...] = ()
    """Settings of generation_config.json that decoding follows only with ``generation="model"``."""
    not_followed: tuple[str, ...] = ()
    """Settings of generation_config.json that nothing here follows, such as ``guidance_scale=2.0``."""
    lines: tuple[str, ...] = ()
    """The table of names by which a file of no known family was opened, as lines of a mapping."""

    @property
    def close(self) -> tuple[Question, ...]:
        """The questions that a person should answer, because several answers are nearly as good."""
        return tuple(question for question in self.questions if question.is_close and not question.is_answered)

    def asking(self) -> str:
        """What the answers to ``close`` are needed for, with what was tried; empty where there is nothing to ask."""
        asked = "; ".join(f"{question.hint} ({question.tried()})" for question in self.close)
        return f"it does not say {asked}" if asked else ""

    def proposed(self) -> str:
        """The likely answers to ``close``, as arguments of ``load``: "n_heads=4, norm_first=False"."""
        return ", ".join(f"{question.hint}={question.value!r}" for question in self.close)

    @property
    def guesses(self) -> tuple[str, ...]:
        """The hints of questions that nobody has answered: their values are guesses."""
        return tuple(question.hint for question in self.questions if not question.is_answered)
