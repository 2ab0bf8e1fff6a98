"""The example sentences of a model: one for each scene of the lesson, and a gallery by phenomenon.

The effect of a sentence depends on the model, so each collection names the model on which its sentences were tested
(``sentences/<source>-<target>.json``). Other models of the same languages get the sentences without the claims.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from model.bundle import Bundle
from model.text.language_codes import main_language

FOLDER = Path(__file__).with_name("sentences")
FIRST = "en-fr"
"""The collection of the model on which the lesson's expected answers were measured."""
OF_ONE_MODEL = ("head_matters", "beam_differs")
"""Phenomena of a model rather than of its languages."""


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence of the gallery."""

    phenomenon: str
    text: str
    shows: str
    """Text that the model's translation of such a sentence contains."""
    name: str = ""
    """The name of the example's explanation in the application, if there is one."""


@dataclass(frozen=True, slots=True)
class Removal:
    """The translation without one head of cross-attention."""

    layer: int
    head: int
    translation: str


@dataclass(frozen=True, slots=True)
class Front:
    """A sentence that fits the front page, and its measurements."""

    text: str
    translation: str
    layer: int
    """Layer of the opening head, in cross-attention."""
    head: int
    weight: float
    """The smallest weight of the opening head on an aligned source word, 0 to 1."""
    removals: tuple[Removal, ...]
    """Every head of cross-attention whose removal changes the translation."""
    partner: str = ""
    """A sentence that differs in one word and has another translation; empty if none was found."""


@dataclass(frozen=True, slots=True)
class Collection:
    """Sentences for the models of two languages."""

    pair: str
    model: str
    """Name of the model on which they were tested."""
    fingerprint: str
    """Fingerprint of its weights and vocabulary."""
    scenes: Mapping[str, str]
    gallery: tuple[Example, ...]
    front: Front | None = None
    """The sentence of the front page, if one was found (``choosing``)."""
    references: Mapping[str, str] = field(default_factory=dict)
    """Human translations of sentences, for scenes that need them."""

    def is_tried_on(self, bundle: Bundle) -> bool:
        """Whether the sentences were tested on exactly this model."""
        return bundle.fingerprint == self.fingerprint

    def examples(self, bundle: Bundle) -> tuple[Example, ...]:
        """The sentences to offer for a model."""
        if self.is_tried_on(bundle):
            return self.gallery
        return tuple(example for example in self.gallery if example.phenomenon not in OF_ONE_MODEL)


@cache
def collection(pair: str = FIRST) -> Collection:
    """The sentences for two languages, such as "en-fr"."""
    fields = json.loads((FOLDER / f"{pair}.json").read_text("utf-8"))
    examples = tuple(Example(**each) for each in fields.pop("gallery"))
    front = fields.pop("front", None)
    if front is not None:
        front = Front(**front | {"removals": tuple(Removal(**each) for each in front["removals"])})
    return Collection(pair=pair, gallery=examples, front=front, **fields)


@cache
def collections() -> tuple[Collection, ...]:
    """All of them, the first one first."""
    pairs = sorted((path.stem for path in FOLDER.glob("*.json")), key=lambda pair: (pair != FIRST, pair))
    return tuple(map(collection, pairs))


def collection_for(bundle: Bundle) -> Collection | None:
    """The sentences for a model by its two languages, or by its source language; None for other languages or pictures.

    A model with an unknown source language gets English sentences.
    """
    if bundle.picture is not None:
        return None
    source, target = map(main_language, (bundle.source_language or "en", bundle.target_language))
    read = [each for each in collections() if each.pair.startswith(f"{source}-")]
    return next((each for each in read if each.pair == f"{source}-{target}"), next(iter(read), None))


def front_of(bundle: Bundle) -> Front | None:
    """The front page's sentence and measurements for exactly this model; None if there are none."""
    collection = collection_for(bundle)
    return collection.front if collection is not None and collection.is_tried_on(bundle) else None


def scene_sentence(bundle: Bundle, scene: str) -> str:
    """The sentence of a scene for a model; empty if none was chosen."""
    collection = collection_for(bundle)
    return collection.scenes.get(scene, "") if collection else ""


def reference_of(bundle: Bundle, text: str) -> str:
    """A human translation of a sentence into the model's target language; empty if there is none."""
    collection = collection_for(bundle)
    source, target = map(main_language, (bundle.source_language or "en", bundle.target_language))
    return collection.references.get(text, "") if collection and collection.pair == f"{source}-{target}" else ""
