"""Batches rows of similar length; an invalid text does not affect the others."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeGuard, TypeVar

from model.inference.memory import TooLargeError
from model.text.tokens import TextError
from model.trace import Trace

Texts = list[str] | list[list[int]] | tuple[str, ...]
"""Several texts, or several rows of ids."""
MAX_BATCH_ROWS = 64
"""Largest batch when all attention is kept."""
WIDE_BATCH = 256
"""Largest batch when no attention is kept: larger ones take more memory and are no faster."""
LEAST_FULL = 0.7
"""Minimum share of real tokens, rather than padding, in a batch."""
T = TypeVar("T")
Read = TypeVar("Read")


def is_many(text: object) -> TypeGuard[Texts]:
    """Whether the argument is a list of texts rather than one text or its ids."""
    return isinstance(text, list | tuple) and (not text or not hasattr(text[0], "__index__"))


def in_batches(
    texts: Sequence[Any],
    read: Callable[[Any], Read],
    sizes: Callable[[Read], tuple[int, ...]],
    run: Callable[[list[Any], list[Read]], list[Trace]],
    *,
    size: int = MAX_BATCH_ROWS,
) -> list[Trace | TextError]:
    """Run texts of similar length together, and return the traces in the order of the texts.

    Args:
        read: tokenizes one text; a TextError that it raises is returned in the place of the trace.
        sizes: the lengths of a tokenized text.
        run: maps several texts and their tokens to their traces.
    """
    outcomes: list[Trace | TextError | None] = [None] * len(texts)
    readable: list[tuple[int, Read]] = []
    for place, text in enumerate(texts):
        try:
            readable.append((place, read(text)))
        except TextError as error:
            outcomes[place] = error
    lengths = {place: sizes(tokens) for place, tokens in readable}
    together = group_by_length([lengths[place] for place, _ in readable], size, least_full=LEAST_FULL)
    parts = [[readable[index] for index in part] for part in together]
    while parts:
        part = parts.pop()
        places, tokens = zip(*part, strict=True)
        try:
            traces = run([texts[place] for place in places], list(tokens))
        except TooLargeError as error:
            if len(part) == 1:
                outcomes[places[0]] = error
            else:  # half of the texts may fit
                parts += [part[: len(part) // 2], part[len(part) // 2 :]]
            continue
        for place, trace in zip(places, traces, strict=True):
            outcomes[place] = trace
    return [trace for trace in outcomes if trace is not None]


def group_by_length(
    sizes: Sequence[tuple[int, ...]],
    max_rows: int | Callable[[tuple[int, ...]], int],
    *,
    longest_first: bool = False,
    least_full: float = 0.0,
) -> Iterator[list[int]]:
    """Yield the row indexes of each batch; rows of similar length share one, so that little of it is padding.

    Args:
        sizes: the lengths of each row; rows are sorted by them.
        max_rows: largest number of rows of a batch, at least 1; or a function from the greatest lengths in the batch to
            that number.
        least_full: minimum share of real tokens, rather than padding, in a batch, 0 to 1.
    """
    part: list[int] = []
    longest: tuple[int, ...] = ()
    real = 0
    for index in sorted(range(len(sizes)), key=sizes.__getitem__, reverse=longest_first):
        lengths = sizes[index]
        padded = tuple(map(max, longest, lengths)) if part else lengths
        fits = lengths == longest or real + sum(lengths) >= least_full * (len(part) + 1) * sum(padded)
        if part and (len(part) >= (max_rows if isinstance(max_rows, int) else max_rows(longest)) or not fits):
            yield part
            part, padded, real = [], lengths, 0
        part.append(index)
        longest, real = padded, real + sum(lengths)
    if part:
        yield part
