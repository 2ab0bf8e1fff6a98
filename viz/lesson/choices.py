"""The lesson's state, stored in links."""

from dataclasses import dataclass

from viz.lesson.links import scene_number, scene_numbers, votes
from viz.state import session
from viz.state.rules import names, numbers, one_of, words, yes_no

AREA = "lesson"
N_OPTIONS = 3
TIE = N_OPTIONS
"""In place of an option: no option has the most votes."""
TRIES = 5
"""Heads to try before the page tells how many matter."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The lesson's state; all of it is in the link."""

    scene: int = scene_number()
    route: str = one_of("full", "short")
    votes: tuple[int, ...] = votes()
    """For each scene the option voted for, counted from 1; 0 before the vote."""
    explained: tuple[int, ...] = scene_numbers()
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
    """Their previous values, as link parameters."""
    tried: tuple[int, ...] = numbers()
    """Heads tried in the hunt, as layer × heads + head."""
    claim: str = words(longest=300)
    word: str = words(longest=6_100)
    """The text form of the picture of a word that the class has written."""
    letter: tuple[int, ...] = numbers(most=1)
    """Index of the letter of the written word that is painted out; empty where none was chosen."""
    run: str = words(longest=64)
    """The training run of the scene on training."""

    def vote(self, number: int) -> int | None:
        """The option voted for in a scene, from 0; ``TIE`` when the class was divided, None before the vote."""
        voted = self.votes[number] if number < len(self.votes) else 0
        return voted - 1 if 0 < voted <= TIE + 1 else None


def is_changed() -> bool:
    """Whether this scene's change is active."""
    return session.choices_of(Choices, AREA).changed
