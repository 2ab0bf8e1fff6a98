"""The effect of an intervention on a sentence: the new translation, and the old one's log-probability under it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from model.bundle import Bundle
from model.inference.teacher_forcing import token_log_probs
from model.inference.translation import translate
from model.interventions import NONE, Interventions
from model.trace import Floats, Trace


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A translation before and after an intervention."""

    before: Trace
    after: Trace
    old_log_probs: Floats
    """(T,) each token of the old translation, under the interventions, by teacher forcing."""
    kept_before: tuple[bool, ...]
    """Which tokens of the old translation the new one keeps, in order."""
    kept_after: tuple[bool, ...]

    @property
    def change(self) -> float:
        """Change in the old translation's log-probability, in nats; negative where it became less likely."""
        return float(self.old_log_probs.sum() - self.before.log_probs.sum())

    @property
    def is_same(self) -> bool:
        """Whether the translation is the same, token by token."""
        return self.before.target.ids == self.after.target.ids


def what_if(
    bundle: Bundle,
    text: str,
    *,
    interventions: Interventions,
    prefix: str | Sequence[int] = (),
    before: Trace | None = None,
    **options: Any,
) -> WhatIf:
    """Decode with and without interventions and a forced prefix. Options are those of ``translate``.

    Args:
        before: the trace without them, where it is known already.
    """
    old = before or translate(bundle, text, interventions=NONE, **options)
    new = translate(bundle, text, interventions=interventions, prefix=prefix, **options)
    kept_before, kept_after = _in_both(old.target.ids, new.target.ids)
    return WhatIf(old, new, log_probs_under(bundle, old, interventions), kept_before, kept_after)


def log_probs_under(bundle: Bundle, trace: Trace, interventions: Interventions) -> Floats:
    """Log-probability of each of the trace's T tokens under other interventions, (T,)."""
    return token_log_probs(bundle, trace.source.ids, trace.prefix.ids, trace.target.ids, interventions=interventions)


def _in_both(old: Sequence[int], new: Sequence[int]) -> tuple[tuple[bool, ...], tuple[bool, ...]]:
    in_old, in_new = [False] * len(old), [False] * len(new)
    for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        for offset in range(block.size):
            in_old[block.a + offset] = in_new[block.b + offset] = True
    return tuple(in_old), tuple(in_new)
