"""Translation quality and speed by source length: BLEU and seconds per sentence."""

import itertools
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sacrebleu

from model.bundle import Bundle
from model.checkpoints.basis.errors import CheckpointError
from model.checkpoints.recurrent import SHIPPED
from model.inference.translation import translate_texts
from model.text.language_codes import bleu_tokenizer
from model.text.pairs import Pair
from model.training.data import references

EDGES = (1, 4, 6, 8, 10, 13, 17, 61)
"""Bin edges in source words."""


@dataclass(frozen=True, slots=True)
class LengthScore:
    """Scores of greedy translations in one length bin."""

    shortest: int
    """In source words."""
    longest: int
    n_sentences: int
    bleu: float
    """Corpus BLEU with all references, 0 to 100."""
    seconds: float
    """Per sentence, measured in batches."""


def read_scores() -> dict[str, tuple[LengthScore, ...]]:
    """Scores by model, measured when the shipped recurrent models were trained; empty if there are none.

    Raises:
        CheckpointError: when the file is damaged.
    """
    path = SHIPPED / "scores.json"
    try:
        saved = json.loads(path.read_text("utf-8"))
        return {name: tuple(LengthScore(**row) for row in rows) for name, rows in saved.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise CheckpointError(f"cannot read {path} ({error}): copy it again") from error


def bleu_by_length(bundle: Bundle, pairs: Sequence[Pair]) -> tuple[LengthScore, ...]:
    """Scores of each non-empty length bin, shortest first. Length is counted in space-separated words."""
    grouped = references(pairs)
    scores = []
    for low, high in itertools.pairwise(EDGES):
        texts = [text for text in grouped if low <= len(text.split()) < high]
        if not texts:
            continue
        started = time.perf_counter()
        translated = [text for _, text in sorted(translate_texts(bundle, texts))]
        seconds = (time.perf_counter() - started) / len(texts)
        metric: Any = sacrebleu.BLEU(tokenize=bleu_tokenizer(bundle.target_language))
        bleu = metric.corpus_score(translated, [*itertools.zip_longest(*(grouped[text] for text in texts))]).score
        scores.append(LengthScore(low, high - 1, len(texts), bleu, seconds))
    return tuple(scores)
