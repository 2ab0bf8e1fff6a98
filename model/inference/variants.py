"""Translations of the same texts under several interventions, such as each head off in turn."""

from collections.abc import Sequence

from model.bundle import Bundle
from model.inference.batches import WIDE_BATCH
from model.inference.translation import translate_texts
from model.interventions import Interventions
from model.progress import Progress, ignore_progress


def translate_variants(
    bundle: Bundle, texts: Sequence[str], variants: Sequence[Interventions], *, on_progress: Progress = ignore_progress
) -> list[list[str]]:
    """Each variant's greedy translations of all texts; several variants share a batch.

    Raises:
        TextError: when a text cannot be read by this model.
        InterventionError: when a variant names what the model does not have.
    """
    translations = [[""] * len(texts) for _ in variants]
    places = [(variant, text) for text in range(len(texts)) for variant in range(len(variants))]
    rows, edits = [texts[text] for _, text in places], [variants[variant] for variant, _ in places]
    coming = translate_texts(bundle, rows, interventions=edits, batch_size=WIDE_BATCH)
    for done, (index, translation) in enumerate(coming, start=1):
        variant, text = places[index]
        translations[variant][text] = translation
        on_progress(done, len(places))
    return translations
