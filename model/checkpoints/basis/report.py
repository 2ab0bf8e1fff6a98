"""The findings on a checkpoint as plain values, ready for display."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

WITHOUT_TOKENS = "ids_only"
"""The limitation of a checkpoint without a vocabulary."""
_SCORES = {"head_rows": "nats behind the best", "fused_rows": "nats behind the best", "own_loss": "loss per token",
           "text_loss": "loss per token"}  # fmt: skip
"""Evidence keys with a number per answer, and the meaning of that number."""


@dataclass(frozen=True, slots=True)
class Question:
    """A setting that the file lacks, with the assumed value and the evidence for it."""

    hint: str
    """The argument of ``load`` that answers it, such as ``n_heads``."""
    value: Any
    """The hint's value, else the likely answer."""
    choices: tuple[Any, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    is_answered: bool = False
    """Whether a hint or the file gave the value; otherwise it is assumed."""
    is_close: bool = False
    """Whether another answer is nearly as good, so that a person should choose before anything is shown."""

    def tried(self) -> str:
        """The tried answers, each with its number: "nats 4: 0.0, 8: 2.1"; else the choices."""
        scores: dict[str, list[str]] = {}
        for reason in self.evidence:
            values = tuple(value for _, value in reason.values)
            if reason.key in _SCORES:
                scores.setdefault(_SCORES[reason.key], []).append(f"{values[0]}: {values[1]}")
        by_unit = "; ".join(f"{unit} {', '.join(numbers)}" for unit, numbers in scores.items())
        return by_unit or f"choose from {', '.join(map(str, self.choices))}"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason, as a translation key and its values."""

    key: str
    values: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class FileUse:
    """How one file that came with a checkpoint was used."""

    name: str
    use: str
    """One of ``USES``."""
    key: str
    """The reason, one of ``FILE_REASONS``."""
    values: tuple[tuple[str, str], ...] = ()


USES = ("used", "ignored", "not_understood")
FILE_REASONS = ("weights", "settings", "tokens_source", "tokens_target", "tokens_both", "settings_unread", "length",
                "undecided", "spare", "empty", "data", "not_of_format", "unread")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Report:
    """How a checkpoint was recognised, and which of its tensors and files were used."""

    family: str
    recognised_by: tuple[str, ...] = ()
    """Names of tensors or files by which the family was recognised."""
    ignored: tuple[str, ...] = ()
    """Tensors that the model does not need, such as a computed table."""
    filled: tuple[str, ...] = ()
    """Tensors that the file lacks and that have a neutral value."""
    questions: tuple[Question, ...] = ()
    """Settings that the file lacks."""
    limitations: tuple[str, ...] = ()
    """Keys of the features that this family does not support here."""
    files: tuple[FileUse, ...] = ()
    """The use of each file."""
    outside: tuple[str, ...] = ()
    """Tensors of the training, not of the model: counters, weights of a loss."""
    assumed: tuple[str, ...] = ()
    """Switches of the original code that change the computation and leave no trace in the file, with the assumed value,
    the original's default: for example ``attn_qk_norm=False``."""

    stated: tuple[str, ...] = ()
    """Answers found in the file or beside it, each with its place: ``n_heads=4 (config.num_heads)``."""
    left_to_choose: tuple[str, ...] = ()
    """Settings of generation_config.json that apply only with ``generation="model"``."""
    not_followed: tuple[str, ...] = ()
    """Settings of generation_config.json that are not implemented, such as ``guidance_scale=2.0``."""
    lines: tuple[str, ...] = ()
    """The table of names of a file of no known family, as lines of a mapping."""

    @property
    def told(self) -> tuple[str, ...]:
        """``stated`` under its name in earlier versions."""
        warnings.warn("Report.told is now called stated", DeprecationWarning, stacklevel=2)
        return self.stated

    @property
    def close(self) -> tuple[Question, ...]:
        """The questions that a person should answer, because several answers are nearly as good."""
        return tuple(question for question in self.questions if question.is_close and not question.is_answered)

    def asking(self) -> str:
        """The questions in ``close`` with the tried answers, as one text; empty if there are none."""
        asked = "; ".join(f"{question.hint} ({question.tried()})" for question in self.close)
        return f"it does not say {asked}" if asked else ""

    def proposed(self) -> str:
        """The likely answers to ``close`` as arguments of ``load``: "n_heads=4, norm_first=False"."""
        return ", ".join(f"{question.hint}={question.value!r}" for question in self.close)

    @property
    def guesses(self) -> tuple[str, ...]:
        """The hints of unanswered questions, whose values are guesses."""
        return tuple(question.hint for question in self.questions if not question.is_answered)
