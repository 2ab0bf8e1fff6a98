"""Two sentences whose translations differ from some token on, and the causal map of that difference."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from torch import Tensor

from model.errors import RegardError
from model.interventions import AttentionKind
from model.trace import Floats, Trace

COMPONENTS = (
    "encoder.residual", "encoder.self", "encoder.feed_forward",
    "decoder.residual", "decoder.self", "decoder.cross", "decoder.feed_forward",
)  # fmt: skip
"""The activation taken from the first sentence: the residual stream at a position, or one sublayer's output."""
SINGLE_STACK_COMPONENTS = ("decoder.residual", "decoder.self", "decoder.feed_forward")
"""Those of a decoder-only model."""
MAX_PASS_TOKENS = 1024
"""Most positions that are computed at once, over all rows of a batch."""


Fed: TypeAlias = tuple[Sequence[int], Sequence[int]]
"""The ids that the encoder reads and those that the decoder is fed."""


class CausalError(RegardError, ValueError):
    """A pair of sentences whose translations cannot be traced; the message says why and what to do."""


class SameTranslationError(CausalError):
    """A model translates both sentences of a pair in the same way."""


@dataclass(frozen=True, slots=True)
class PairReading:
    """Two sentences, their translations, and the first step at which these differ."""

    first: Trace
    second: Trace
    step: int
    """The first step at which the translations differ; before it both are fed the same tokens."""
    word_id: int
    """The first translation's token at that step."""
    rival_id: int
    """The second translation's token at that step."""
    margin_first: float
    """log p(word) - log p(rival) when the first sentence is read, in nats."""
    margin_second: float
    alignment: tuple[int | None, ...]
    """For each of the second sentence's S positions, the position of the first that is put there, or None. Of a
    decoder-only model for each position that it was fed, ``step`` + 1."""

    @property
    def distance(self) -> float:
        """The effect of a patch that restores everything, in nats."""
        return self.margin_first - self.margin_second

    @property
    def fed(self) -> tuple[Fed, Fed]:
        """Encoder and decoder input of the first and of the second, up to that step; both decoders are fed the first's
        translation."""
        end = self.step + 1
        if len(self.second.source):
            prefix = self.first.prefix.ids[:end]
            return (self.first.source.ids, prefix), (self.second.source.ids, prefix)
        last = self.alignment[-1]
        assert last is not None
        return ((), self.first.prefix.ids[: last + 1]), ((), self.second.prefix.ids[:end])

    def places(self, stack: str) -> list[tuple[int, int]]:
        """Positions of the second that are patched in a stack, each with that of the first which is put there."""
        if stack == "decoder" and len(self.second.source):
            return [(place, place) for place in range(self.step + 1)]
        return [(place, source) for place, source in enumerate(self.alignment) if source is not None]

    @property
    def changed(self) -> tuple[int, ...]:
        """Positions of the second sentence whose token is not the first's."""
        sides = (self.first, self.second)
        first, second = (trace.source.ids if len(trace.source) else trace.prefix.ids for trace in sides)
        return tuple(i for i, j in enumerate(self.alignment) if j is None or first[j] != second[i])


@dataclass(frozen=True, slots=True)
class CausalMap:
    """How far each activation of the first sentence moves the margin of the second, in nats."""

    pair: PairReading
    effects: Mapping[str, Floats]
    """By component (layers, positions): S positions in the encoder, step + 1 in the decoder. A residual stream has one
    row more, the first being what enters the first layer. NaN: not computed yet, or nothing to put there."""
    heads: Mapping[AttentionKind, Floats]
    """By kind (L, H): one head's output at all positions."""
    is_exact: bool
    """Each activation patched in turn; otherwise estimated from one gradient."""
    done: int
    total: int

    def shares(self, component: str) -> Floats:
        """Effects as shares of the way from the second margin to the first; 1 restores all of it."""
        return self.effects[component] / np.float32(self.pair.distance)


def components_of(config: Any) -> tuple[str, ...]:
    """The components that a model has, of its TransformerConfig."""
    return SINGLE_STACK_COMPONENTS if config.is_single_stack else COMPONENTS


def name_of_cell(component: str, row: int) -> str:
    """The activation that a row of a component's map stands for."""
    stack, sublayer = component.split(".")
    if sublayer != "residual":
        return f"{stack}.{row}.{sublayer}.output"
    return f"{stack}.{row - 1}.residual.after" if row else f"{stack}.0.residual.before"


def margins_of(logits: Tensor, word: int, rival: int) -> Tensor:
    """log p(word) - log p(rival) at the last position: (B, T, V) -> (B,)."""
    last = logits[:, -1].float()
    return last[:, word] - last[:, rival]


def first_difference(first: Sequence[int], other: Sequence[int]) -> int | None:
    """The first position at which two translations differ."""
    return next((i for i, (a, b) in enumerate(zip(first, other, strict=False)) if a != b), None)


def align_positions(first: Sequence[int], second: Sequence[int]) -> tuple[int | None, ...]:
    """For each position of the second sentence, that of the first: equal beginnings, equal ends, the middle in
    order."""
    shorter = min(len(first), len(second))
    start = next((i for i in range(shorter) if first[i] != second[i]), shorter)
    most = shorter - start
    end = next((i for i in range(most) if first[-1 - i] != second[-1 - i]), most)
    alignment: list[int | None] = list(range(start))
    middle_first, middle_second = len(first) - start - end, len(second) - start - end
    alignment += [start + i if i < middle_first else None for i in range(middle_second)]
    return (*alignment, *range(len(first) - end, len(first)))
