"""Where the class is in the lesson: its choices, which links hold."""

from dataclasses import dataclass

from viz.lesson.links import one_scene, some_scenes, votes
from viz.state import session
from viz.state.rules import names, numbers, one_of, words, yes_no

AREA = "lesson"
N_OPTIONS = 3
TIE = N_OPTIONS
"""Stands for the class's option where two have as many votes."""
TRIES = 5
"""Heads to try before the number of those that matter is said."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Where the class is; all of it travels in the link."""

    scene: int = one_scene()
    route: str = one_of("full", "short")
    votes: tuple[int, ...] = votes()
    """For each scene the option voted for, counted from 1; 0 before the vote."""
    explained: tuple[int, ...] = some_scenes()
    """Scenes whose explanation was opened."""
    changed: bool = yes_no()
    """Whether this scene's change is active."""
    is_late: bool = yes_no()
    """Whether the change was made after the explanation."""
    before: str = words()
    """The sentence before the change."""
    made_on: str = words(longest=16)
    """The beginning of the fingerprint of the model on which the change was made."""
    before_edits: str = words()
    """The interventions before the change, as in a link."""
    altered: tuple[str, ...] = names()
    """Shared choices that the change replaced, besides the sentence and the interventions."""
    earlier: str = words(longest=4_000)
    """What they were before, as link parameters."""
    tried: tuple[int, ...] = numbers()
    """Heads tried in the hunt, as layer × heads + head."""
    claim: str = words(longest=300)
    word: str = words(longest=6_100)
    """The text form of the picture of a word that the class has written."""
    letter: tuple[int, ...] = numbers(most=1)
    """Of the written word, the one that is painted out; empty where none was chosen."""
    run: str = words(longest=64)
    """The training run of the scene on training."""

    def vote(self, number: int) -> int | None:
        """The option voted for in a scene, from 0; ``TIE`` when the class was divided, None before the vote."""
        voted = self.votes[number] if number < len(self.votes) else 0
        return voted - 1 if 0 < voted <= TIE + 1 else None


def is_changed() -> bool:
    """Whether this scene's change is active."""
    return session.choices_of(Choices, AREA).changed
