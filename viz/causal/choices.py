"""The Causal page's choices."""

from dataclasses import dataclass

from model.interpret.minimal_pairs import minimal_pairs
from model.picture import is_picture
from model.teaching.sentences import collections
from viz.panels.handwriting import without_a_letter
from viz.state import session
from viz.state.rules import LONGEST_PICTURE, bounded, one_of, words, yes_no
from viz.state.selection import DEFAULT_TEXT

AREA = "causal"
PARTS = ("map", "circuit", "tokens", "direct", "group", "steer")
METHODS = ("alti", "raw", "rollout", "value_weighted", "gradient_input", "integrated_gradients", "erasure")
WHAT = ("residual", "attention", "feed_forward", "heads")
EXAMPLES = ("past", "formal")
LONGEST_LIST = 1_800
LONGEST_FIRST = 500
MAX_STRENGTH = 12.0
EXAMPLE_STRENGTH = 99.0
"""In place of a strength: the example's default."""
DEFAULT_FIRST = "The dog is sleeping on the sofa."
"""The partner of the default sentence."""
PROMPT_PAIRS = (
    ("The little boy wanted to", "The little girl wanted to"),
    ("He is eating", "He is drinking"),
    ("The boy", "The boys"),
    ("He drank a cup of", "He drank a glass of"),
    ("She reads the", "She plays the"),
    ("He put on his", "She put on her"),
)
"""Pairs of prompts for which the shipped decoder predicts different next tokens."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Kept in the link under ``causal.``."""

    part: str = one_of(*PARTS)
    first: str = words(longest=LONGEST_PICTURE)
    """The sentence, or the picture's text form, that activations are patched from; empty for the partner of the
    sentence on the stage, a space for none."""
    what: str = one_of(*WHAT)
    values: str = one_of("exact", "estimated")
    step: int = bounded(0, 0, 1024)
    rival: int = bounded(-1, -1, 10_000_000)
    """Id of a token to compare with; -1 for none."""
    method: str = one_of(*METHODS)
    whole_words: bool = yes_no()
    """Whether the attributions of tokens are summed to words."""
    size: int = bounded(50, 1, 10_000)
    """Edges of the circuit that are drawn."""
    group: str = one_of("number", "gender", "polarity")
    example: str = one_of(*EXAMPLES)
    positives: str = words(longest=LONGEST_LIST)
    """One sentence per line, its translation after a bar; empty for the example's."""
    negatives: str = words(longest=LONGEST_LIST)
    place: str = words(longest=40)
    """The activation that is steered; empty for the example's."""
    strength: float = bounded(EXAMPLE_STRENGTH, -MAX_STRENGTH, EXAMPLE_STRENGTH)


PAGE = session.Area(Choices, AREA)
choices, choose, bind = PAGE.read, PAGE.change, PAGE.bind
"""Read, replace and tie a widget to this page's choices."""


def other_sentence(text: str) -> str:
    """The sentence to compare with: the reader's, or the text's minimal-pair partner. For a picture, another picture as
    text."""
    first = choices().first
    if is_picture(text):
        return first if is_picture(first) else without_a_letter(text)
    fronts = {group.front.text: group.front.partner for group in collections() if group.front is not None}
    partners = {DEFAULT_TEXT: DEFAULT_FIRST} | {pair.second: pair.first for pair in minimal_pairs()} | fronts
    partners |= {second: first for first, second in PROMPT_PAIRS}
    return first.strip() if first and not is_picture(first) else partners.get(text, "")
