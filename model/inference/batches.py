"""Many texts at once with all their attention: texts of equal length share a pass, and an invalid text does not affect
the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeGuard, TypeVar

from model.inference.memory import TooLargeError
from model.text.tokens import Source, TextError
from model.trace import Trace

Texts = list[str] | list[list[int]] | tuple[str, ...]
"""Several texts, or several rows of ids."""
BATCH = 32
"""Texts decoded together: the weights of each step are kept for all of them."""
T = TypeVar("T")
Read = TypeVar("Read")


def is_many(text: Source | Texts) -> TypeGuard[Texts]:
    """Whether a list of texts is given rather than a text or the ids of one."""
    return isinstance(text, list | tuple) and (not text or not _is_number(text[0]))


def in_batches(
    given: Sequence[Any],
    read: Callable[[Any], Read],
    sizes: Callable[[Read], tuple[int, ...]],
    run: Callable[[list[Any], list[Read]], list[Trace]],
    *,
    size: int = BATCH,
) -> list[Trace | TextError]:
    """Run texts of equal size together, and give the traces in the order of the texts.

    Args:
        read: turns one text into its tokens; where it raises TextError, that error takes the place of the trace.
        sizes: the sizes that texts must have in common to share a pass.
        run: the traces of several texts and their tokens.
    """
    found: list[Trace | TextError | None] = [None] * len(given)
    groups: dict[tuple[int, ...], list[tuple[int, Read]]] = {}
    for place, one in enumerate(given):
        try:
            tokens = read(one)
        except TextError as error:
            found[place] = error
        else:
            groups.setdefault(sizes(tokens), []).append((place, tokens))
    for group in groups.values():
        parts = [group[start : start + size] for start in range(0, len(group), size)]
        while parts:
            part = parts.pop()
            places, tokens = zip(*part, strict=True)
            try:
                traces = run([given[place] for place in places], list(tokens))
            except TooLargeError as error:
                if len(part) == 1:
                    found[places[0]] = error
                else:  # half of the texts may fit
                    parts += [part[: len(part) // 2], part[len(part) // 2 :]]
                continue
            for place, trace in zip(places, traces, strict=True):
                found[place] = trace
    return [trace for trace in found if trace is not None]


def _is_number(item: object) -> bool:
    return hasattr(item, "__index__")
