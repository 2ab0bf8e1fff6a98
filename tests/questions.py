"""Questions to a class."""

from typing import Any

from viz.rooms.questions import Item, Question

WORDS: dict[str, str] = dict.fromkeys(("en", "zh", "fr"), "which?")
OPTIONS: dict[str, tuple[str, ...]] = dict.fromkeys(WORDS, ("a", "b", "c"))


def make_question(name: str = "q#1", **changes: Any) -> Question:
    """A question with three options, of which the second is right."""
    fields: dict[str, Any] = {"id": name, "words": WORDS, "options": OPTIONS, "n": 3, "right": "1"}
    return Question(**fields | changes)


def make_quiz(name: str, *items: str) -> Question:
    """A quiz whose items have three options, of which the second is right."""
    made = tuple(Item(id=item, words=WORDS, options=OPTIONS, right=1, why=WORDS) for item in items)
    return Question(id=name, kind="quiz", words=WORDS, items=made)
