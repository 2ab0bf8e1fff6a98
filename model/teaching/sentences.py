"""The sentences that were chosen for a model: one for each scene of the lesson, and those to try, by phenomenon.

What a sentence shows depends on the model, so each collection names the one on which its sentences were tried
(``sentences/<source>-<target>.json``). Other models of the same languages are offered the sentences without the claims.
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
"""The collection whose model the lesson's expected answers were measured on."""
OF_ONE_MODEL = ("head_matters", "beam_differs")
"""Phenomena that say something of a model and nothing of its languages."""


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence of the gallery."""

    phenomenon: str
    text: str
    shows: str
    """What stands in the model's translation of such a sentence."""
    name: str = ""
    """Its own name where the application explains what to look for in it."""


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
    """Of the opening head, in cross-attention."""
    head: int
    weight: float
    """The least weight of the opening head on a word's own source word, 0 to 1."""
    removals: tuple[Removal, ...]
    """Every head of cross-attention whose removal changes the translation."""
    partner: str = ""
    """A sentence that differs in one word and is translated otherwise; empty where none was found."""


@dataclass(frozen=True, slots=True)
class Collection:
    """Sentences for the models of two languages."""

    pair: str
    model: str
    """Name of the model on which they were tried."""
    fingerprint: str
    """That of its weights and vocabulary."""
    scenes: Mapping[str, str]
    gallery: tuple[Example, ...]
    front: Front | None = None
    """That of the front page, where one was found (``choosing``)."""
    references: Mapping[str, str] = field(default_factory=dict)
    """Right translations of sentences, where a scene needs one that a person wrote."""

    def is_tried_on(self, bundle: Bundle) -> bool:
        """Whether what the sentences show was checked on this very model."""
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
    """The sentences for a model: those of its two languages, or of the one that it reads; None where it reads another,
    or pictures.

    A model that does not say what it reads may try English.
    """
    if bundle.picture is not None:
        return None
    source, target = map(main_language, (bundle.source_language or "en", bundle.target_language))
    read = [each for each in collections() if each.pair.startswith(f"{source}-")]
    return next((each for each in read if each.pair == f"{source}-{target}"), next(iter(read), None))


def front_of(bundle: Bundle) -> Front | None:
    """The front page's measurements on exactly this model; None where there are none."""
    collection = collection_for(bundle)
    return collection.front if collection is not None and collection.is_tried_on(bundle) else None


def scene_sentence(bundle: Bundle, scene: str) -> str:
    """The sentence of a scene for a model; empty where none was chosen."""
    collection = collection_for(bundle)
    return collection.scenes.get(scene, "") if collection else ""


def reference_of(bundle: Bundle, text: str) -> str:
    """A person's translation of a sentence into the model's language; empty where none was written."""
    collection = collection_for(bundle)
    source, target = map(main_language, (bundle.source_language or "en", bundle.target_language))
    return collection.references.get(text, "") if collection and collection.pair == f"{source}-{target}" else ""
