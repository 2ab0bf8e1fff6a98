"""Head metrics averaged over a set of sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from model.analysis.measures import measure
from model.analysis.metrics import HeadMetrics, mean_over_sentences
from model.bundle import Bundle
from model.corpus.batches import Row, Skipped, batches, forced_pass
from model.corpus.tables import axes_of
from model.errors import RegardError
from model.inference.translation import translate
from model.interventions import AttentionKind
from model.progress import Progress, ignore_progress
from model.text.pairs import Pair
from model.text.tokens import TextError

SENTENCES = Path(__file__).with_name("sentences.txt")
MAX_SENTENCES = 1000
MAX_BYTES = 1_000_000
MAX_LINE = 10_000
"""Maximum characters of a sentence, as on the page."""
SENTENCES_PER_BATCH = 8
"""Number of sentences between two reports of progress."""


class SentencesError(RegardError, ValueError):
    """A file of sentences cannot be used."""


@dataclass(frozen=True, slots=True)
class CorpusMetrics:
    """Mean metrics over the sentences that were translated."""

    by_kind: dict[AttentionKind, HeadMetrics]
    """Empty if no sentence was measured."""
    n_sentences: int
    """Number of measured sentences."""
    skipped: tuple[Skipped, ...]


def example_sentences() -> tuple[str, ...]:
    """Forty plain English sentences written for this purpose: statements, questions, relative clauses, negations."""
    return read_sentences(SENTENCES.read_bytes())


def read_sentences(data: bytes) -> tuple[str, ...]:
    """Sentences of a UTF-8 text, one per line; empty lines are skipped.

    Raises:
        SentencesError: when the file is too large, is not UTF-8 text or has no sentence.
    """
    if len(data) > MAX_BYTES:
        raise SentencesError(f"the file has {len(data):,} bytes: give at most {MAX_BYTES:,}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SentencesError(f"byte {error.start} is not UTF-8: save the file as UTF-8 text") from error
    lines = tuple(line.strip() for line in text.splitlines() if line.strip())
    if not lines:
        raise SentencesError("the file has no sentence: write one on each line")
    longest = max(lines, key=len)
    if len(longest) > MAX_LINE:
        message = f"the sentence “{longest[:20]}…” has {len(longest):,} characters: give at most {MAX_LINE:,}"
        raise SentencesError(message)
    if len(lines) > MAX_SENTENCES:
        raise SentencesError(f"the file has {len(lines):,} sentences: give at most {MAX_SENTENCES:,}")
    return lines


@torch.inference_mode()
def corpus_metrics(
    bundle: Bundle, sentences: Sequence[str], *, on_progress: Progress = ignore_progress
) -> CorpusMetrics:
    """Translate every sentence greedily and average each head's metrics over sentences.

    Sentences are measured in batches, as in a survey.

    Args:
        on_progress: called after each batch with the number of finished sentences and the total.
    """
    measured: dict[AttentionKind, list[dict[str, NDArray]]] = {}
    skipped: list[Skipped] = []
    done = 0
    for start in range(0, len(sentences), SENTENCES_PER_BATCH):
        rows, part = [], list(sentences[start : start + SENTENCES_PER_BATCH])
        for index, read in enumerate(translate(bundle, part, n_candidates=1), start):
            if isinstance(read, TextError):
                skipped.append(Skipped(index, str(read)))
            else:
                rows.append(Row(index, Pair(read.source_text, read.text), read.source, read.prefix, read.target))
        for chosen in batches(bundle, rows):
            batch = forced_pass(bundle, chosen)
            axes = axes_of(batch)
            for kind, layers in batch.weights.items():
                values = measure(layers, axes[kind], is_cross=kind == "cross")  # (B, L, H) each
                measured.setdefault(kind, []).append({name: value.cpu().numpy() for name, value in values.items()})
        done += len(part)
        on_progress(done, len(sentences))
    by_kind = {
        kind: mean_over_sentences({name: np.concatenate([part[name] for part in parts]) for name in parts[0]})
        for kind, parts in measured.items()
    }
    return CorpusMetrics(by_kind, done - len(skipped), tuple(skipped))
