"""Slow measurements of heads: their effect on this sentence, and their metrics over a set of sentences."""

import hashlib

import streamlit as st

from model.analysis import HeadMetrics
from model.corpus.metrics import CorpusMetrics, corpus_metrics, example_sentences, read_sentences
from model.interpret.ablation import HeadEffects, head_effects_as_they_come
from model.interventions import AttentionKind
from model.teaching.written_words import written_words
from model.trace import Floats
from viz import cache, processors
from viz.i18n import tr
from viz.panels import errors
from viz.panels.progress import progress
from viz.panels.reading import Reading, is_alone
from viz.state import clicks, session

_MEMORY = "corpus_metrics"


def choices(reading: Reading) -> None:
    """Draw the controls of both measurements, and measure the set when its button is pressed."""
    refused = is_alone(reading.bundle)
    why = tr("frame.alone") if refused else tr("explore.effects_help")
    st.toggle(tr("explore.effects"), help=why, disabled=refused, **session.bind("effects"))
    st.caption(tr("explore.corpus_help"))
    pictures = tuple(word.picture for word in written_words(reading.bundle))
    file = None
    if not pictures:
        file = st.file_uploader(tr("explore.corpus_file"), type=["txt"], key="corpus_file", max_upload_size=5)
    if clicks.button(tr("explore.corpus_start"), key="corpus_start", about=reading.bundle.fingerprint):
        with errors.explained():
            examples = pictures or example_sentences()
            _measure(reading, examples if file is None else read_sentences(file.getvalue()))
    metrics = _stored_metrics(reading)
    if metrics is not None:
        st.caption(tr("explore.corpus_done", n=metrics.n_sentences, skipped=len(metrics.skipped)))


def effects(reading: Reading) -> HeadEffects | None:
    """The effect of each head on this sentence, if the reader requested it and there is a translation."""
    if not reading.selection.effects or is_alone(reading.bundle):
        return None
    key = ("effects", *reading.key)
    measured = cache.find(key)
    if measured is None:
        with progress(
            key="effects_cancel", help=tr("explore.cancel_effects"), on_cancel=lambda: session.change(effects=False)
        ) as show:
            for measured in head_effects_as_they_come(reading.bundle, reading.trace):
                n_done, total = measured.done, measured.total
                show(n_done / total, tr("explore.effects_running", done=n_done, total=total))
        cache.put(key, measured)
    return measured


def totals(measured: HeadEffects | None) -> dict[AttentionKind, Floats]:
    """(L, H) change of the translation's log-probability for each kind, in nats; empty when nothing was measured."""
    return {} if measured is None else {kind: measured.totals(kind) for kind in measured.changes}


def corpus(reading: Reading) -> dict[AttentionKind, HeadMetrics]:
    """Metrics of the heads over the set of sentences; empty until measured for this model."""
    metrics = _stored_metrics(reading)
    return {} if metrics is None else metrics.by_kind


def _stored_metrics(reading: Reading) -> CorpusMetrics | None:
    return session.recall(_MEMORY, dict).get(reading.bundle.fingerprint)


def _measure(reading: Reading, sentences: tuple[str, ...]) -> None:
    """A rerun in the middle, by any click, cancels it."""
    digest = hashlib.sha256("\n".join(sentences).encode("utf-8", "replace")).hexdigest()

    key = ("corpus", reading.bundle.fingerprint, digest)
    metrics = cache.find(key)
    if metrics is None:
        bar = st.empty()

        def show(n_done: int, total: int) -> None:
            bar.progress(n_done / total, tr("explore.corpus_running", done=n_done, total=total))

        with processors.all_processors():
            metrics = cache.put(key, corpus_metrics(reading.bundle, sentences, on_progress=show))
        bar.empty()
    session.remember(_MEMORY, {reading.bundle.fingerprint: metrics})
