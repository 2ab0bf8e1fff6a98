"""Which heads matter for the sentence on screen, measured layer by layer and stored for every visitor: when the reader
asks, and unasked while neither the reader nor the server has anything else to do.

The browser asks for each unasked layer once its reader has rested, so another sentence or page ends the measurement.
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

_ASKED, _DUE, _SLOW = "matters.asked", "matters.due", "matters.slow"
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
        session.remember(_ASKED, self._key(kind))

    def ask_quietly(self, kind: AttentionKind) -> None:
        """Measure one layer in the next run if the server is quiet: the reader rests."""
        session.remember(_DUE, self._key(kind))

    def advance_quietly(self, kind: AttentionKind) -> None:
        """Measure the layer that the resting reader's browser has asked for."""
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
        """Measure one more layer if that was asked for; whether there is news to draw. Another sentence ends it."""
        if not self.is_offered or session.recall(_ASKED, tuple) != self._key(kind):
            return False
        return self._measure(kind)

    def _measure(self, kind: AttentionKind) -> bool:
        """Measure one more layer; whether there was one."""
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
        """Of what is measured, for the stage to know its own sentence by."""
        return digest(self.fingerprint, self.text)

    def shown(self, kind: AttentionKind) -> dict[str, Any] | None:
        """What the browser draws: how many layers were tried, and the heads without which the translation changes."""
        if not self.is_offered:
            return None
        n_layers = self.shapes[kind][0]
        removals, is_asked = self._removals(kind), session.recall(_ASKED, tuple) == self._key(kind)
        about = {
            "of": self.name,
            "kind": kind,
            "isAsked": is_asked,
            "isQuiet": self._is_quiet(kind),
            "isSlow": self._is_slow(kind),
        }
        if removals is None:
            return about | {"done": 0, "layers": n_layers, "text": "", "changing": []}
        return about | {
            "done": len(removals.without),
            "layers": removals.n_layers,
            "text": removals.text,
            "changing": [list(each) for each in removals.changing],
        }

    def _removals(self, kind: AttentionKind) -> Removals | None:
        """What was measured, for the sentence of the front page when it was chosen."""
        front = self.front
        if kind != "cross" or front is None:
            return cache.find(self._key(kind))
        layers, heads = self.shapes[kind]
        changing = {(each.layer, each.head): each.translation for each in front.removals}
        rows = tuple(
            tuple(changing.get((layer, head), front.translation) for head in range(heads)) for layer in range(layers)
        )
        return Removals(kind, front.translation, rows, layers)

    def _key(self, kind: AttentionKind) -> tuple:
        return ("removals", self.fingerprint, self.text, kind)
