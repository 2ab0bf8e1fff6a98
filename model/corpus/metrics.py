"""Head metrics over a set of sentences: what a head does in general rather than on one sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from model.analysis.metrics import HeadMetrics, mean_metrics, trace_metrics
from model.bundle import Bundle
from model.inference.translation import translate
from model.interventions import KINDS, NONE, AttentionKind, Interventions
from model.text.tokens import TextError

SENTENCES = Path(__file__).with_name("sentences.txt")
MAX_SENTENCES = 1000
MAX_BYTES = 1_000_000


class SentencesError(ValueError):
    """A file of sentences that cannot be used."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A sentence that this model cannot read."""

    index: int
    reason: str


@dataclass(frozen=True, slots=True)
class CorpusMetrics:
    """Mean metrics over the sentences that were translated."""

    by_kind: dict[AttentionKind, HeadMetrics]
    """Empty when not one sentence was measured."""
    n_sentences: int
    """Sentences measured."""
    skipped: tuple[Skipped, ...]
    is_complete: bool
    """False when it was cancelled before the last sentence."""


def example_sentences() -> tuple[str, ...]:
    """Forty plain English sentences written for this purpose: statements, questions, relative clauses, negations."""
    return read_sentences(SENTENCES.read_bytes())


def read_sentences(data: bytes) -> tuple[str, ...]:
    """One sentence a line from UTF-8 text; empty lines are left out.

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
    if len(lines) > MAX_SENTENCES:
        raise SentencesError(f"the file has {len(lines):,} sentences: give at most {MAX_SENTENCES:,}")
    return lines


def corpus_metrics(
    bundle: Bundle,
    sentences: Sequence[str],
    *,
    interventions: Interventions = NONE,
    on_progress: Callable[[int, int], None] | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> CorpusMetrics:
    """Translate every sentence greedily and average each head's metrics, each sentence counting once.

    Args:
        on_progress: told how many of how many sentences are done, after each.
        is_cancelled: asked before each; True ends the work with what there is.
    """
    measured: dict[AttentionKind, list[HeadMetrics]] = {kind: [] for kind in KINDS}
    skipped: list[Skipped] = []
    done = 0
    for index, sentence in enumerate(sentences):
        if is_cancelled is not None and is_cancelled():
            break
        try:
            trace = translate(bundle, sentence, n_candidates=1, interventions=interventions)
        except TextError as error:
            skipped.append(Skipped(index, str(error)))
        else:
            for kind in trace.attention.kinds:
                measured[kind].append(trace_metrics(trace, kind))
        done = index + 1
        if on_progress is not None:
            on_progress(done, len(sentences))
    return CorpusMetrics(
        {kind: mean_metrics(metrics) for kind, metrics in measured.items() if metrics},
        done - len(skipped),
        tuple(skipped),
        done == len(sentences),
    )
