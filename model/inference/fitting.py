"""One set of interventions per sentence of a batch, with the patches' donor texts tokenized and every index checked."""

from collections.abc import Sequence
from typing import Any, overload

from model.bundle import Bundle
from model.interventions import NONE, InterventionError, Interventions, as_interventions
from model.text.tokens import source_tokens


@overload
def with_donors(bundle: Bundle, interventions: Interventions) -> Interventions: ...
@overload
def with_donors(
    bundle: Bundle, interventions: Interventions | Sequence[Interventions]
) -> Interventions | list[Interventions]: ...
def with_donors(
    bundle: Bundle, interventions: Interventions | Sequence[Interventions]
) -> Interventions | list[Interventions]:
    """The interventions with the token ids of each ``from_text``; a single change becomes a set.

    Raises:
        TextError: when a text cannot be read by this model.
        InterventionError: when the argument is neither a set of interventions nor a change.
    """

    def ids_of(text: str) -> tuple[int, ...]:
        return source_tokens(bundle, text).ids

    rows: Any = interventions
    if not isinstance(rows, list | tuple) or not any(isinstance(row, Interventions) for row in rows):
        return as_interventions(rows).reading(ids_of)
    for row in rows:
        if not isinstance(row, Interventions):
            raise InterventionError(f"interventions contains {row!r:.60}: give it inside Interventions(…)")
    return [row.reading(ids_of) for row in rows]


def interventions_per_sentence(
    bundle: Bundle,
    interventions: Interventions | Sequence[Interventions],
    lengths: Sequence[tuple[int, int]],
    *,
    is_strict: bool = False,
) -> list[Interventions]:
    """The interventions of each of B sentences.

    Args:
        interventions: one set for all, or one for each.
        lengths: for each sentence, its source tokens and the most tokens that its decoder is fed.
        is_strict: raise for a query, key or position that a sentence does not have, instead of dropping that item.

    Raises:
        InterventionError: when an intervention names what the model or a sentence does not have, or the number of sets
            is not the number of sentences.
        TextError: when a text that a patch copies from cannot be read by this model.
    """
    if interventions == NONE:
        return [NONE] * len(lengths)
    changes = with_donors(bundle, interventions)
    rows = [changes] * len(lengths) if isinstance(changes, Interventions) else changes
    if len(rows) != len(lengths):
        raise InterventionError(
            f"{len(rows)} sets of interventions for {len(lengths)} sentences: give one set, or one for each sentence"
        )
    checked: dict[tuple[int, tuple[int, int]], Interventions] = {}
    for row, (n_source, n_target) in zip(rows, lengths, strict=True):
        if (id(row), (n_source, n_target)) in checked:  # by identity, since comparing many heads takes long
            continue
        applicable = row if is_strict else row.within(n_source=n_source, n_target=n_target)
        if applicable:
            applicable.check(bundle.config, n_source=n_source, n_target=n_target)
        checked[id(row), (n_source, n_target)] = applicable
    return [checked[id(row), pair] for row, pair in zip(rows, lengths, strict=True)]
