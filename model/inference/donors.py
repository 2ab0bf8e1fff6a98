"""Tokenizes the texts that patches take activations from, before the model runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from model.bundle import Bundle
from model.interventions import InterventionError, Interventions
from model.text.tokens import source_tokens


@overload
def with_donors(bundle: Bundle, interventions: Interventions) -> Interventions: ...
@overload
def with_donors(bundle: Bundle, interventions: Sequence[Interventions]) -> list[Interventions]: ...
@overload
def with_donors(
    bundle: Bundle, interventions: Interventions | Sequence[Interventions]
) -> Interventions | list[Interventions]: ...
def with_donors(
    bundle: Bundle, interventions: Interventions | Sequence[Interventions]
) -> Interventions | list[Interventions]:
    """The same interventions, the tokens of each ``from_text`` filled in.

    Raises:
        TextError: when a text cannot be read by this model.
        InterventionError: when something else than Interventions is given.
    """
    if isinstance(interventions, Interventions):
        return interventions.reading(lambda text: source_tokens(bundle, text).ids)
    rows: tuple[Any, ...] = tuple(interventions) if isinstance(interventions, list | tuple) else (interventions,)
    for row in rows:
        if not isinstance(row, Interventions):
            raise InterventionError(f"interventions contains {row!r:.60}: give it inside Interventions(…)")
    return [row.reading(lambda text: source_tokens(bundle, text).ids) for row in rows]
