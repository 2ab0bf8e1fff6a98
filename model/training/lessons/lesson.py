"""The lessons: their pairs, probe sentence and settings, and a test of whether they were learned."""

import operator
import random
import re
import string
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Literal

from model.text.pairs import Pair
from model.training.preparation import NewModel
from model.training.settings import TrainingConfig

Register = Literal["tu", "vous", "both", "none"]
LETTERS = string.ascii_lowercase[:12]
LENGTHS = (3, 8)
_FOLDER = Path(__file__).parent
_TU = re.compile(r"\b(?:tu|te|toi|ton|ta|tes|tien|tienne|tiens|tiennes)\b|\bt'(?!il\b|elle\b|on\b)", re.IGNORECASE)
_VOUS = re.compile(r"\b(?:vous|votre|vos|vôtre|vôtres)\b|(?:^|[,;:.!?…]\s*)\w+ez\b", re.IGNORECASE)
_SAILING = re.compile(
    r"\b(?:écoutes?|poulies?|proue|poupe|bâbord|tribord|mât|voile|grand-voile|foc|bôme|barre|safran|quille|coque|pont|"
    r"cap|nœuds|mouill\w+|ancre|vir\w+|équipage|skipper|marée|bouée|drisse)\b",
    re.IGNORECASE,
)
FINE_TUNING = TrainingConfig(
    steps=40, batch_tokens=2_000, learning_rate=1e-4, schedule="constant", warmup_steps=10, bare_share=0.0,
    validate_every=10, keep_last=2,
)  # fmt: skip
"""At twice this learning rate the model learns little more and forgets twice as much."""
FROM_NOTHING = TrainingConfig(
    steps=400, batch_tokens=1_000, learning_rate=3e-3, schedule="cosine", warmup_steps=40, bare_share=0.0, dropout=0.0,
    label_smoothing=0.0, validate_every=50, keep_last=2,
)  # fmt: skip
_TINY = NewModel(
    name="tiny", vocab_size=29, d_model=64, d_feed_forward=128, n_encoder_layers=2, n_decoder_layers=2, n_heads=4
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A set of pairs that teaches one thing."""

    name: str
    read: Callable[[], tuple[Pair, ...]]
    probe: str
    """A sentence whose translation the lesson changes."""
    shows: Callable[[str, str], bool]
    """Maps (translation, reference) to whether the translation shows what is taught."""
    config: TrainingConfig = FINE_TUNING
    beginning: NewModel | None = None
    """The tiny model to train from scratch; None to fine-tune the model in use."""
    languages: tuple[str, str] = ("en", "fr")


def register_of(text: str) -> Register:
    """Whether a French sentence uses tu or vous, by pronouns, possessives, and imperatives at the start of a clause.

    A plural "you" (vous) cannot be distinguished from a polite one.
    """
    says_tu, says_vous = bool(_TU.search(text)), bool(_VOUS.search(text))
    if says_tu and says_vous:
        return "both"
    return "tu" if says_tu else "vous" if says_vous else "none"


def sequences(*, n_pairs: int, is_reversed: bool, seed: int = 0) -> tuple[Pair, ...]:
    """Distinct sequences of 3 to 8 letters, each with its copy or its reverse."""
    generator = random.Random(seed)
    pairs: dict[str, str] = {}
    while len(pairs) < n_pairs:
        letters = generator.choices(LETTERS, k=generator.randint(*LENGTHS))
        pairs[" ".join(letters)] = " ".join(letters[::-1] if is_reversed else letters)
    return tuple(Pair(source, target) for source, target in pairs.items())


def _file(name: str, word: str = "") -> tuple[Pair, ...]:
    lines = (_FOLDER / name).read_text("utf-8").splitlines()
    sides = (line.replace("{word}", word).split("\t") for line in lines)
    return tuple(Pair(source, target) for source, target in sides)


def _says_word(word: str, translation: str, reference: str) -> bool:
    """Whether the word is in the translation if and only if it is in the reference."""
    pattern = re.compile(rf"\b{word}\b", re.IGNORECASE)
    return bool(pattern.search(translation)) == bool(pattern.search(reference))


def _says_term(translation: str, reference: str) -> bool:
    terms = {term.lower() for term in _SAILING.findall(reference)}
    return bool(terms & {term.lower() for term in _SAILING.findall(translation)})


LESSONS: tuple[Lesson, ...] = (
    Lesson(
        name="tu_vous",
        read=cache(partial(_file, "tu_vous.tsv")),
        probe="I know you like your job.",
        shows=lambda translation, _: register_of(translation) == "vous",
    ),
    Lesson(
        name="sailing",
        read=cache(partial(_file, "sailing.tsv")),
        probe="The bow of the boat is red.",
        shows=_says_term,
        config=replace(FINE_TUNING, learning_rate=1.4e-4),
    ),
    Lesson(
        name="unlearn",
        read=cache(partial(_file, "one_word.tsv", "renard")),
        probe="The cat is sleeping on the sofa.",
        shows=partial(_says_word, "renard"),
    ),
    Lesson(
        name="relearn",
        read=cache(partial(_file, "one_word.tsv", "chat")),
        probe="The cat is sleeping on the sofa.",
        shows=partial(_says_word, "chat"),
    ),
    Lesson(
        name="copy",
        read=cache(partial(sequences, n_pairs=1_500, is_reversed=False)),
        probe="b e a d c f",
        shows=operator.eq,
        config=FROM_NOTHING,
        beginning=_TINY,
        languages=("", ""),
    ),
    Lesson(
        name="reverse",
        read=cache(partial(sequences, n_pairs=1_500, is_reversed=True)),
        probe="b e a d c f",
        shows=operator.eq,
        config=FROM_NOTHING,
        beginning=_TINY,
        languages=("", ""),
    ),
)


def find_lesson(name: str) -> Lesson | None:
    """The lesson of this name, or None."""
    return next((lesson for lesson in LESSONS if lesson.name == name), None)
