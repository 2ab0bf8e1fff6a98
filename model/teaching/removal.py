"""Translates a sentence without each head in turn, to find the heads that change words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from model.bundle import Bundle
from model.decoding.strategies import DecodingOptions, greedy
from model.inference.trace_building import best_hypotheses
from model.interventions import NONE, AttentionKind, HeadAblation, Interventions, attention_shapes
from model.text.tokens import source_tokens, text_of


@dataclass(frozen=True, slots=True)
class Removals:
    """The greedy translation of a sentence, and those without each head of one kind."""

    kind: AttentionKind
    text: str
    """With every head."""
    without: tuple[tuple[str, ...], ...]
    """Translations by layer and head, for the layers tried so far."""
    n_layers: int

    @property
    def is_whole(self) -> bool:
        """Whether every layer was tried."""
        return len(self.without) == self.n_layers

    @property
    def changing(self) -> tuple[tuple[int, int, str], ...]:
        """(layer, head, translation) of every head whose removal changes the translation."""
        return tuple(
            (layer, head, text)
            for layer, row in enumerate(self.without) for head, text in enumerate(row) if text != self.text
        )  # fmt: skip


def removals(bundle: Bundle, text: str, kind: AttentionKind = "cross") -> Removals:
    """Try every head of a kind.

    Raises:
        TextError: when the text cannot be read by this model.
    """
    *_, last = removals_as_they_come(bundle, text, kind)
    return last


def removals_as_they_come(
    bundle: Bundle, text: str, kind: AttentionKind, *, before: Removals | None = None
) -> Iterator[Removals]:
    """The same after each layer, whose heads share a batch; stop iterating to cancel.

    Args:
        before: earlier results, which are continued.
    """
    layers, heads = attention_shapes(bundle.config)[kind]
    plain, without = ("", ()) if before is None else (before.text, before.without)
    for layer in range(len(without), layers):
        variants = [Interventions(heads_off=(HeadAblation(kind, layer, head),)) for head in range(heads)]
        if not plain:
            plain, *translations = greedy_under(bundle, text, [NONE, *variants])
        else:
            translations = greedy_under(bundle, text, variants)
        without = (*without, tuple(translations))
        yield Removals(kind, plain, without, layers)


def greedy_under(bundle: Bundle, text: str, variants: Sequence[Interventions]) -> list[str]:
    """The greedy translation under each set of interventions, in one batch."""
    source = source_tokens(bundle, text).ids
    options = DecodingOptions(
        max_length=2 * len(source) + 16, n_candidates=1, capture=False, stop_loops=True,
        interventions=list(variants) if any(variants) else NONE,
    )  # fmt: skip
    rows = torch.tensor([source] * len(variants), device=bundle.device)
    steps = list(greedy(bundle.model, rows, options))
    return [text_of(bundle, hypothesis.ids) for hypothesis in best_hypotheses(steps, len(variants))]
