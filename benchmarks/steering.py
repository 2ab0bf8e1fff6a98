"""Does the shipped direction turn "tu" into "vous", and what else does it change?

    python -m benchmarks.steering en-fr.tatoeba.tsv

Sentences of at most seven words with "you" that the shipped model translates with "tu". The layer is chosen on the
validation sentences, and the figure is of the test sentences; the lists that the direction is made of are in neither.
Each sentence counts at the lowest strength that brings "vous". The other words are kept if none but a person's words is
lost, added or changed; a verb may take the form of "vous".
"""

from __future__ import annotations

import argparse
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import model
from model.interpret.editing.steering import steering_examples, steering_vector
from model.training.data import read_pairs, split_pairs

TU = re.compile(r"\b(tu|te|toi|ton|ta|tes)\b|\bt['’]", re.IGNORECASE)
VOUS = re.compile(r"\b(vous|votre|vos)\b", re.IGNORECASE)
PERSON = frozenset(["tu", "te", "toi", "t", "ton", "ta", "tes", "vous", "votre", "vos"])
STRENGTHS = tuple(np.arange(0.5, 5.01, 0.25).tolist())
LONGEST, N_VALIDATION, N_TEST = 7, 40, 50

Case = tuple[str, str]


def is_formal(text: str) -> bool:
    """Whether a translation says vous, and nowhere tu."""
    return bool(VOUS.search(text)) and not TU.search(text)


def keeps_the_rest(before: str, after: str) -> bool:
    """Whether two translations differ in nothing but the person."""
    one, other = (_words(text) for text in (before, after))
    return len(one) == len(other) and all(map(_is_same_word, one, other))


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text.lower()) if word not in PERSON]


def _is_same_word(one: str, other: str) -> bool:
    is_formal_verb = other.endswith("ez") or other in ("êtes", "faites", "dites")
    return one == other or (is_formal_verb and (_first(one) == _first(other) or (one, other) == ("vas", "allez")))


def _first(word: str) -> str:
    return unicodedata.normalize("NFD", word)[0]


def cases(bundle: model.Bundle, texts: Sequence[str], most: int) -> list[Case]:
    """Sentences with "you" that are translated with tu, and these translations."""
    short = [text for text in texts if re.search(r"\byou", text, re.IGNORECASE) and len(text.split()) <= LONGEST]
    tried = list(dict.fromkeys(short))[: 10 * most]
    said = dict(model.translate_texts(bundle, tried))
    found = [(text, said[index]) for index, text in enumerate(tried)]
    return [case for case in found if TU.search(case[1]) and not VOUS.search(case[1])][:most]


def moved(bundle: model.Bundle, given: Sequence[Case], at: str) -> list[str | None]:
    """Each sentence's translation at the lowest strength that brings vous; None where none does."""
    example = steering_examples()["formal"]
    vector = steering_vector(bundle, example.positives, example.negatives, at=at)
    found: list[str | None] = [None] * len(given)
    for strength in STRENGTHS:
        edits = model.Interventions(patches=model.Patch(at, add=vector, strength=strength))
        for index, text in model.translate_texts(bundle, [text for text, _ in given], interventions=edits):
            if found[index] is None and is_formal(text):
                found[index] = text
    return found


def n_kept(given: Sequence[Case], found: Sequence[str | None]) -> int:
    """How many keep the rest of their words."""
    return sum(
        said is not None and keeps_the_rest(before, said) for (_, before), said in zip(given, found, strict=True)
    )


def main() -> None:
    """Choose on the validation sentences, measure on the test sentences, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=Path)
    split = split_pairs(read_pairs(parser.parse_args().pairs))
    bundle = model.load()
    chosen = cases(bundle, [pair.source for pair in split.validation], N_VALIDATION)
    kept = {}
    for layer in range(bundle.config.n_decoder_layers):
        at = f"decoder.{layer}.residual.after"
        found = moved(bundle, chosen, at)
        kept[at] = n_kept(chosen, found)
        print(f"{at}: {sum(map(bool, found))} of {len(chosen)} moved, {kept[at]} keep the rest", flush=True)
    best = max(kept, key=lambda at: kept[at])
    given = cases(bundle, [pair.source for pair in split.test], N_TEST)
    found = moved(bundle, given, best)
    print(f"test, {best}: {sum(map(bool, found))} of {len(given)} moved, {n_kept(given, found)} keep the rest")
    for (_, before), said in zip(given, found, strict=True):
        if said is None or not keeps_the_rest(before, said):
            print(f"  {before}  ->  {said}")


if __name__ == "__main__":
    main()
