"""Measurements of heads that take a moment: their effect on this sentence, their behaviour on a set of them."""

from __future__ import annotations

import hashlib

import streamlit as st

from model.analysis import HeadMetrics
from model.corpus.metrics import CorpusMetrics, corpus_metrics, example_sentences, read_sentences
from model.interpret.ablation import HeadEffects, head_effects_as_they_come
from model.interventions import AttentionKind
from model.trace import Floats
from viz import cache, processors
from viz.i18n import tr
from viz.panels import errors
from viz.panels.progress import progress
from viz.panels.reading import Reading, is_alone
from viz.state import clicks, session

_MEMORY = "corpus_metrics"


def choices(here: Reading) -> None:
    """Offer the measurements, and make them when asked."""
    refused = is_alone(here.bundle)
    why = tr("frame.alone") if refused else tr("explore.effects_help")
    st.toggle(tr("explore.effects"), help=why, disabled=refused, **session.bind("effects"))
    st.caption(tr("explore.corpus_help"))
    file = st.file_uploader(tr("explore.corpus_file"), type=["txt"], key="corpus_file", max_upload_size=5)
    if clicks.button(tr("explore.corpus_start"), key="corpus_start", about=here.bundle.fingerprint):
        with errors.explained():
            _measure(here, example_sentences() if file is None else read_sentences(file.getvalue()))
    found = _kept(here)
    if found is not None:
        st.caption(tr("explore.corpus_done", n=found.n_sentences, skipped=len(found.skipped)))


def effects(here: Reading) -> HeadEffects | None:
    """The effect of each head on this sentence, if the reader requested it and there is a translation."""
    if not here.selection.effects or is_alone(here.bundle):
        return None
    key = ("effects", *here.key)
    found = cache.find(key)
    if found is None:
        with progress(key="effects_cancel", help=tr("explore.cancel_effects"), on_cancel=_off) as show:
            for found in head_effects_as_they_come(here.bundle, here.trace):
                done, total = found.done, found.total
                show(done / total, tr("explore.effects_running", done=done, total=total))
        cache.put(key, found)
    return found


def _off() -> None:
    session.change(effects=False)


def totals(found: HeadEffects | None) -> dict[AttentionKind, Floats]:
    """(L, H) change of the translation's log-probability for each kind, in nats; empty when nothing was measured."""
    return {} if found is None else {kind: found.totals(kind) for kind in found.changes}


def corpus(here: Reading) -> dict[AttentionKind, HeadMetrics]:
    """How the heads behave on the set of sentences; empty until it has been measured for this model."""
    found = _kept(here)
    return {} if found is None else found.by_kind


def _kept(here: Reading) -> CorpusMetrics | None:
    return session.recall(_MEMORY, dict).get(here.bundle.fingerprint)


def _measure(here: Reading, sentences: tuple[str, ...]) -> None:
    """A rerun in the middle, by any click, cancels it."""
    digest = hashlib.sha256("\n".join(sentences).encode("utf-8", "replace")).hexdigest()

    key = ("corpus", here.bundle.fingerprint, digest)
    found = cache.find(key)
    if found is None:
        bar = st.empty()

        def show(done: int, total: int) -> None:
            bar.progress(done / total, tr("explore.corpus_running", done=done, total=total))

        with processors.all_processors():
            found = cache.put(key, corpus_metrics(here.bundle, sentences, on_progress=show))
        bar.empty()
    session.remember(_MEMORY, {here.bundle.fingerprint: found})
