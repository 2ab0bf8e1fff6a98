"""Slow measurements of heads: their effect on this sentence, their metrics over a set of sentences, and which of them
change the translation.

The last is measured layer by layer and cached for every visitor: on the reader's request, or in the background while
reader and server are idle. Then the browser requests one layer at a time, so another sentence or page ends it.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from model.analysis import HeadMetrics
from model.corpus.metrics import CorpusMetrics, corpus_metrics, example_sentences, read_sentences
from model.interpret.ablation import HeadEffects, head_effects_as_they_come
from model.interventions import AttentionKind, attention_shapes
from model.teaching.experiments import Removals, removals_as_they_come
from model.teaching.measured.handwriting import written_words
from model.teaching.sentences import Front, front_of
from model.trace import Floats
from viz import cache, processors
from viz.i18n import tr
from viz.panels import errors
from viz.panels.reading import Reading, find_bundle, is_alone
from viz.panels.widgets import complete
from viz.results import digest
from viz.state import clicks, session
from viz.state.turns import TURNS

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
        measured = complete(
            head_effects_as_they_come(reading.bundle, reading.trace), "explore.effects_running",
            key="effects_cancel", help=tr("explore.cancel_effects"), on_cancel=lambda: session.change(effects=False),
        )  # fmt: skip
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


_REQUESTED, _DUE, _SLOW = "matters.asked", "matters.due", "matters.slow"
MAX_SECONDS = 0.5
"""Processor time of one layer; a slower model is measured only on request."""


@dataclass(frozen=True, slots=True)
class Matters:
    """The measurement for one sentence. It holds no model, because the browser's callbacks keep it for the session."""

    fingerprint: str
    text: str
    shapes: Mapping[AttentionKind, tuple[int, int]]
    """Layers and heads of each kind."""
    front: Front | None
    """What was measured of the sentence of the front page, where this is it."""
    is_offered: bool
    """Whether switching heads off is measured as the sentence is translated: one word after the other, greedily."""

    @classmethod
    def of(cls, reading: Reading) -> Matters:
        """The measurement of the sentence on screen."""
        selection, front, text = reading.selection, front_of(reading.bundle), reading.text
        is_offered = selection.method == "greedy" and not selection.prefix and not is_alone(reading.bundle)
        return cls(
            reading.bundle.fingerprint,
            text,
            attention_shapes(reading.bundle.config),
            front if front is not None and front.text == text else None,
            is_offered,
        )

    def ask(self, kind: AttentionKind) -> None:
        """Begin to measure the heads of a kind."""
        session.remember(_REQUESTED, self._key(kind))

    def ask_quietly(self, kind: AttentionKind) -> None:
        """Measure one layer in the next run if the server is idle; the reader is."""
        session.remember(_DUE, self._key(kind))

    def advance_quietly(self, kind: AttentionKind) -> None:
        """Measure the layer that ``ask_quietly`` requested."""
        is_due = session.recall(_DUE, tuple) == self._key(kind)
        session.remember(_DUE, ())
        if is_due and self._is_quiet(kind):
            began = time.thread_time()
            self._measure(kind)
            if time.thread_time() - began > MAX_SECONDS:
                session.remember(_SLOW, self._key(kind))

    def _is_quiet(self, kind: AttentionKind) -> bool:
        return self.is_offered and TURNS.is_quiet() and not self._is_slow(kind)

    def _is_slow(self, kind: AttentionKind) -> bool:
        return session.recall(_SLOW, tuple) == self._key(kind)

    def advance(self, kind: AttentionKind) -> bool:
        """Measure one more layer if the reader asked for it, and return whether one was measured."""
        if not self.is_offered or session.recall(_REQUESTED, tuple) != self._key(kind):
            return False
        return self._measure(kind)

    def _measure(self, kind: AttentionKind) -> bool:
        """Measure one more layer, and return whether one was left."""
        removals = self._removals(kind)
        if removals is not None and removals.is_whole:
            return False
        bundle = find_bundle()
        if bundle is None or bundle.fingerprint != self.fingerprint:
            return False
        steps = removals_as_they_come(bundle, self.text, kind, before=removals)
        cache.put(self._key(kind), next(steps))
        return True

    @property
    def name(self) -> str:
        """Digest of model and text: tells the stage whether a measurement is of its sentence."""
        return digest(self.fingerprint, self.text)

    def as_json(self, kind: AttentionKind) -> dict[str, Any] | None:
        """For the browser: how many layers are measured, and which heads change the translation when switched off."""
        if not self.is_offered:
            return None
        removals = self._removals(kind) or Removals(kind, "", (), self.shapes[kind][0])
        return {
            "of": self.name,
            "kind": kind,
            "isAsked": session.recall(_REQUESTED, tuple) == self._key(kind),
            "isQuiet": self._is_quiet(kind),
            "isSlow": self._is_slow(kind),
            "done": len(removals.without),
            "layers": removals.n_layers,
            "text": removals.text,
            "changing": [list(head) for head in removals.changing],
        }

    def _removals(self, kind: AttentionKind) -> Removals | None:
        """The measurement: stored with the front page's sentence, else from the cache."""
        front = self.front
        if kind != "cross" or front is None:
            return cache.find(self._key(kind))
        layers, heads = self.shapes[kind]
        changing = {(removal.layer, removal.head): removal.translation for removal in front.removals}
        rows = tuple(
            tuple(changing.get((layer, head), front.translation) for head in range(heads)) for layer in range(layers)
        )
        return Removals(kind, front.translation, rows, layers)

    def _key(self, kind: AttentionKind) -> tuple:
        return ("removals", self.fingerprint, self.text, kind)
