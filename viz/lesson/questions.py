"""The questions of the lesson as data: the page draws them, and a classroom counts the votes on them.

The words are in the catalogue: ``lesson.<id>_title``, ``lesson.<id>_question`` and ``lesson.<id>_options``,
whose three options are separated by ``|``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """One scene's question."""

    id: str
    """Also the scene's name; it stays the same when scenes move, so it may be stored."""
    right: int
    """Which option is right, from 0."""

    @property
    def title(self) -> str:
        """Key of the scene's name."""
        return f"lesson.{self.id}_title"

    @property
    def words(self) -> str:
        """Key of the question."""
        return f"lesson.{self.id}_question"

    @property
    def options(self) -> str:
        """Key of the options, separated by ``|``."""
        return f"lesson.{self.id}_options"


N_OPTIONS = 3

QUESTIONS: tuple[Question, ...] = (
    Question("box", right=0),
    Question("pieces", right=1),
    Question("positions", right=2),
    Question("head", right=0),
    Question("heads", right=2),
    Question("layer", right=0),
    Question("encoder", right=1),
    Question("mask", right=0),
    Question("loss", right=2),
    Question("cross", right=1),
    Question("beam", right=2),
    Question("train", right=1),
    Question("explain", right=0),
    Question("share", right=2),
)


def question_named(name: str) -> Question:
    """The question with an existing id."""
    return next(question for question in QUESTIONS if question.id == name)
