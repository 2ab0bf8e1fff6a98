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
"""The components of a decoder-only model."""
MAX_PASS_TOKENS = 1024
"""Maximum positions per batch, over all its rows."""


Fed: TypeAlias = tuple[Sequence[int], Sequence[int]]
"""Encoder and decoder input ids."""


class CausalError(RegardError, ValueError):
    """A pair of sentences cannot be traced; the message says why and what to do."""


class SameTranslationError(CausalError):
    """The model gives both sentences of a pair the same translation."""


@dataclass(frozen=True, slots=True)
class PairReading:
    """Two sentences, their translations, and the first step at which these differ."""

    first: Trace
    second: Trace
    step: int
    """The first step at which the translations differ; the decoder inputs before it are equal."""
    word_id: int
    """The first translation's token at that step."""
    rival_id: int
    """The second translation's token at that step."""
    margin_first: float
    """log p(word) - log p(rival) when the first sentence is read, in nats."""
    margin_second: float
    alignment: tuple[int | None, ...]
    """For each of the second sentence's S positions, the aligned position of the first, or None. For a decoder-only
    model, for each of ``step`` + 1 input positions."""

    @property
    def distance(self) -> float:
        """The effect of patching everything, in nats: the first margin minus the second."""
        return self.margin_first - self.margin_second

    @property
    def fed(self) -> tuple[Fed, Fed]:
        """Encoder and decoder inputs of the first and the second sentence up to ``step``; both decoder inputs are the
        first's translation."""
        end = self.step + 1
        if len(self.second.source):
            prefix = self.first.prefix.ids[:end]
            return (self.first.source.ids, prefix), (self.second.source.ids, prefix)
        last = self.alignment[-1]
        assert last is not None
        return ((), self.first.prefix.ids[: last + 1]), ((), self.second.prefix.ids[:end])

    def places(self, stack: str) -> list[tuple[int, int]]:
        """(position in the second, aligned position in the first) for each position that is patched in a stack."""
        if stack == "decoder" and len(self.second.source):
            return [(place, place) for place in range(self.step + 1)]
        return [(place, source) for place, source in enumerate(self.alignment) if source is not None]

    @property
    def changed(self) -> tuple[int, ...]:
        """Positions of the second sentence whose token differs from the first's."""
        sides = (self.first, self.second)
        first, second = (trace.source.ids if len(trace.source) else trace.prefix.ids for trace in sides)
        return tuple(i for i, j in enumerate(self.alignment) if j is None or first[j] != second[i])


@dataclass(frozen=True, slots=True)
class CausalMap:
    """The change of the second sentence's margin by each activation patched from the first, in nats."""

    pair: PairReading
    effects: Mapping[str, Floats]
    """(layers, positions) by component: S positions in the encoder, step + 1 in the decoder. A residual stream has an
    additional first row, the input of layer 0. NaN: not computed yet, or no aligned position."""
    heads: Mapping[AttentionKind, Floats]
    """(L, H) by kind: one head's output at all positions."""
    is_exact: bool
    """Whether each activation was patched in turn; otherwise effects are estimated from one gradient."""
    done: int
    total: int

    def shares(self, component: str) -> Floats:
        """Effects as shares of ``pair.distance``, the distance from the second margin to the first."""
        return self.effects[component] / np.float32(self.pair.distance)


def components_of(config: Any) -> tuple[str, ...]:
    """The components of a model with this TransformerConfig."""
    return SINGLE_STACK_COMPONENTS if config.is_single_stack else COMPONENTS


def name_of_cell(component: str, row: int) -> str:
    """The name of the activation in a row of a component's map."""
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
    """For each position of the second sentence, the aligned position of the first: equal beginnings and equal ends are
    aligned, and the middle in order."""
    shorter = min(len(first), len(second))
    start = next((i for i in range(shorter) if first[i] != second[i]), shorter)
    most = shorter - start
    end = next((i for i in range(most) if first[-1 - i] != second[-1 - i]), most)
    alignment: list[int | None] = list(range(start))
    middle_first, middle_second = len(first) - start - end, len(second) - start - end
    alignment += [start + i if i < middle_first else None for i in range(middle_second)]
    return (*alignment, *range(len(first) - end, len(first)))
