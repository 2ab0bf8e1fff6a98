"""Many texts at once with all their attention: texts of like length share a pass, and an invalid text does not affect
the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeGuard, TypeVar

from model.inference.memory import TooLargeError
from model.text.tokens import TextError
from model.trace import Trace

Texts = list[str] | list[list[int]] | tuple[str, ...]
"""Several texts, or several rows of ids."""
BATCH = 64
"""Texts that share a pass at most: the weights of each step are kept for all of them."""
LEAST_FULL = 0.7
"""Least part of a pass that is tokens rather than padding."""
T = TypeVar("T")
Read = TypeVar("Read")


def is_many(text: object) -> TypeGuard[Texts]:
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
    """Run texts of like size together, and give the traces in the order of the texts.

    Args:
        read: turns one text into its tokens; where it raises TextError, that error takes the place of the trace.
        sizes: the lengths of a text.
        run: the traces of several texts and their tokens.
    """
    found: list[Trace | TextError | None] = [None] * len(given)
    readable: list[tuple[int, Read]] = []
    for place, one in enumerate(given):
        try:
            readable.append((place, read(one)))
        except TextError as error:
            found[place] = error
    lengths = {place: sizes(tokens) for place, tokens in readable}
    parts = [[readable[index] for index in part] for part in _shared([lengths[place] for place, _ in readable], size)]
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


def _shared(sizes: Sequence[tuple[int, ...]], size: int) -> Iterator[list[int]]:
    """Indexes of the texts of each pass, shortest first."""
    part: list[int] = []
    most: tuple[int, ...] = ()
    real = 0
    for index in sorted(range(len(sizes)), key=sizes.__getitem__):
        own = sizes[index]
        longest = tuple(map(max, most, own)) if part else own
        fits = own == most or real + sum(own) >= LEAST_FULL * (len(part) + 1) * sum(longest)
        if part and (len(part) == size or not fits):
            yield part
            part, longest, real = [], own, 0
        part.append(index)
        most, real = longest, real + sum(own)
    if part:
        yield part


def _is_number(item: object) -> bool:
    return hasattr(item, "__index__")
