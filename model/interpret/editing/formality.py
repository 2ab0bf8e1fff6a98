"""Measures whether the shipped steering direction turns "tu" into "vous", and what else it changes.

Each sentence that the model translates with "tu" is translated again at growing strengths of the direction. The rest of
the translation counts as unchanged if only second-person pronouns and possessives, and the verb's ending, differ.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.analysis.intervals import Interval, intervals
from model.bundle import Bundle
from model.inference.translation import translate_texts
from model.inference.variants import translate_variants
from model.interpret.editing.steering import SteeringError, steering_examples, steering_vector
from model.interventions import Interventions
from model.patch import Patch
from model.progress import Progress, ignore_progress

TU = re.compile(r"\b(tu|te|toi|ton|ta|tes)\b|\bt['’]", re.IGNORECASE)
VOUS = re.compile(r"\b(vous|votre|vos)\b", re.IGNORECASE)
PERSON = frozenset(["tu", "te", "toi", "t", "ton", "ta", "tes", "vous", "votre", "vos"])
STRENGTHS = tuple(np.arange(0.5, 5.01, 0.25).tolist())
LONGEST = 7
"""Maximum number of words of a sentence."""
_TRIED = 10
"""Sentences to translate per requested case: few translations contain "tu"."""

Case = tuple[str, str]
"""A sentence, and its translation with "tu"."""


@dataclass(frozen=True, slots=True)
class Formality:
    """N sentences translated at each of K strengths."""

    at: str
    strengths: tuple[float, ...]
    cases: tuple[Case, ...]
    texts: tuple[tuple[str, ...], ...]
    """K rows of N translations."""

    @property
    def is_formal(self) -> NDArray[np.bool_]:
        """(K, N): whether a translation contains "vous" and no "tu"."""
        return np.array([[is_formal(text) for text in row] for row in self.texts])

    @property
    def keeps(self) -> NDArray[np.bool_]:
        """(K, N): whether a translation differs from the unsteered one only in the person."""
        return np.array(
            [
                [keeps_the_rest(before, after) for (_, before), after in zip(self.cases, row, strict=True)]
                for row in self.texts
            ]
        )

    @property
    def first(self) -> tuple[int | None, ...]:
        """For each sentence, the index of the lowest strength that gives "vous"; None if none does."""
        return tuple(int(column.argmax()) if column.any() else None for column in self.is_formal.T)

    def shares(self, *, seed: int = 0) -> dict[str, tuple[Interval, ...]]:
        """The share of translations with "vous", and of those otherwise unchanged, at each strength, with 95 %
        bootstrap intervals."""
        rows = {"formal": self.is_formal, "keeps": self.keeps}
        return {name: tuple(intervals(values.astype(np.float64), seed=seed)) for name, values in rows.items()}

    def at_lowest(self, *, seed: int = 0) -> dict[str, Interval]:
        """The same shares with each sentence at its lowest strength (``first``)."""
        keeps, first = self.keeps, self.first
        formal = np.array([place is not None for place in first], np.float64)
        unchanged = [place is not None and keeps[place, index] for index, place in enumerate(first)]
        bounds = intervals(np.array([formal, unchanged], np.float64), seed=seed)
        return dict(zip(("formal", "keeps"), bounds, strict=True))


def is_formal(text: str) -> bool:
    """Whether a translation contains "vous" and no "tu"."""
    return bool(VOUS.search(text)) and not TU.search(text)


def keeps_the_rest(before: str, after: str) -> bool:
    """Whether two translations differ only in the person."""
    old, new = (
        [word for word in re.findall(r"\w+", text.lower()) if word not in PERSON] for text in (before, after)
    )  # fmt: skip

    def is_same(word: str, other: str) -> bool:
        is_formal_verb = other.endswith("ez") or other in ("êtes", "faites", "dites")
        first, second = (unicodedata.normalize("NFD", text)[0] for text in (word, other))
        return word == other or (is_formal_verb and (first == second or (word, other) == ("vas", "allez")))

    return len(old) == len(new) and all(map(is_same, old, new))


def cases(bundle: Bundle, texts: Sequence[str], most: int) -> list[Case]:
    """Sentences with "you" whose translation contains "tu", with those translations."""
    short = [text for text in texts if re.search(r"\byou", text, re.IGNORECASE) and len(text.split()) <= LONGEST]
    tried = list(dict.fromkeys(short))[: _TRIED * most]
    translations = dict(translate_texts(bundle, tried))
    translated = [(text, translations[index]) for index, text in enumerate(tried)]
    return [case for case in translated if TU.search(case[1]) and not VOUS.search(case[1])][:most]


def formality(
    bundle: Bundle,
    cases: Sequence[Case],
    *,
    at: str | None = None,
    strengths: Sequence[float] = STRENGTHS,
    on_progress: Progress = ignore_progress,
) -> Formality:
    """Translate sentences at each strength of the direction from "tu" to "vous".

    Args:
        cases: as returned by ``cases``.
        at: the activation that the direction is added to; None: that of the shipped lists.

    Raises:
        SteeringError: when there are no sentences.
        RecordingError: when the model has no such activation.
    """
    if not cases:
        raise SteeringError('no sentence with "you" is translated with "tu": give other pairs, or a model into French')
    example = steering_examples()["formal"]
    where = at or example.at
    vector = steering_vector(bundle, example.positives, example.negatives, at=where)
    edits = [Interventions(patches=Patch(where, add=vector, strength=strength)) for strength in strengths]
    texts = translate_variants(bundle, [text for text, _ in cases], edits, on_progress=on_progress)
    return Formality(where, tuple(map(float, strengths)), tuple(cases), tuple(map(tuple, texts)))
