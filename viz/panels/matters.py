"""Which heads change the translation of the sentence on screen when they are switched off, measured layer by layer and
cached for every visitor: on the reader's request, or in the background while reader and server are idle.

In the background the browser requests one layer at a time, so another sentence or page ends the measurement.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from model.interventions import AttentionKind, attention_shapes
from model.teaching.removal import Removals, removals_as_they_come
from model.teaching.sentences import Front, front_of
from viz import cache
from viz.digests import digest
from viz.panels.reading import Reading, find_bundle, is_alone
from viz.state import session
from viz.state.turns import TURNS

_REQUESTED, _DUE, _SLOW = "matters.asked", "matters.due", "matters.slow"
LONGEST = 0.5
"""Seconds of processor time for one layer; a model that takes longer is measured only when somebody asks."""


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
        selection, front, text = reading.selection, front_of(reading.bundle), reading.fitted.text
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
            if time.thread_time() - began > LONGEST:
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
        n_layers = self.shapes[kind][0]
        removals, is_requested = self._removals(kind), session.recall(_REQUESTED, tuple) == self._key(kind)
        about = {
            "of": self.name,
            "kind": kind,
            "isAsked": is_requested,
            "isQuiet": self._is_quiet(kind),
            "isSlow": self._is_slow(kind),
        }
        if removals is None:
            return about | {"done": 0, "layers": n_layers, "text": "", "changing": []}
        return about | {
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
