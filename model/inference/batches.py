"""Many rows at once: those of like length share a pass, and an invalid text does not affect the others."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeGuard, TypeVar

from model.inference.memory import TooLargeError
from model.text.tokens import TextError
from model.trace import Trace

Texts = list[str] | list[list[int]] | tuple[str, ...]
"""Several texts, or several rows of ids."""
MAX_BATCH_ROWS = 64
"""Rows that share a pass at most where all its attention is kept."""
WIDE_BATCH = 256
"""Rows that share a pass at most where none is: beyond it a batch gains no speed and takes memory."""
LEAST_FULL = 0.7
"""Least part of a pass that is tokens rather than padding."""
T = TypeVar("T")
Read = TypeVar("Read")


def is_many(text: object) -> TypeGuard[Texts]:
    """Whether a list of texts is given rather than a text or the ids of one."""
    return isinstance(text, list | tuple) and (not text or not hasattr(text[0], "__index__"))


def in_batches(
    texts: Sequence[Any],
    read: Callable[[Any], Read],
    sizes: Callable[[Read], tuple[int, ...]],
    run: Callable[[list[Any], list[Read]], list[Trace]],
    *,
    size: int = MAX_BATCH_ROWS,
) -> list[Trace | TextError]:
    """Run texts of like size together, and give the traces in the order of the texts.

    Args:
        read: turns one text into its tokens; where it raises TextError, that error takes the place of the trace.
        sizes: the lengths of a text.
        run: the traces of several texts and their tokens.
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
    """Indexes of the rows of each pass: rows of like length share one, so that little of it is padding.

    Args:
        sizes: the lengths of each row, in the order in which they are compared.
        max_rows: rows of a pass at most, one being always allowed; or that number by the greatest lengths among them.
        least_full: part of a pass at least that is tokens rather than padding, 0 to 1.
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
