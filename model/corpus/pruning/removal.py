"""Head pruning on a corpus: each head removed, only one head of a layer left, and heads removed cumulatively.

The measure is the log-probability of the reference translations. A head is removed by zeroing its output or by
replacing it with its mean over the corpus. Michel et al. (2019, "Are Sixteen Heads Really Better than One?") rank
heads by the sensitivity of the loss to a gate on each, computed in one backward pass.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.analysis.intervals import Interval, intervals
from model.bundle import Bundle
from model.corpus.batches import Row, batches, forced_pass, read_rows
from model.inference.teacher_forcing import teacher_forced
from model.interventions import (
    NONE,
    SUBLAYERS,
    AttentionKind,
    HeadAblation,
    Interventions,
    attention_shapes,
    every_head,
)
from model.nn.transformer import Transformer
from model.patch import Patch
from model.progress import Progress, ignore_progress
from model.text.links import CorpusError
from model.text.pairs import Pair

Head = tuple[AttentionKind, int, int]
RemovalMode = Literal["zero", "mean"]


@dataclass(frozen=True, slots=True)
class Removals:
    """The change of log-probability over a corpus for each head, removed or left as the only one of its layer."""

    heads: tuple[Head, ...]
    changes: NDArray[np.float64]
    """(heads, sentences) change in the mean log-probability of a token, in nats; negative if the head helped."""
    before: float
    """Mean log-probability of a token with every head, mean over sentences."""

    def intervals(self, *, seed: int = 0) -> tuple[Interval, ...]:
        """Each head's mean change."""
        return tuple(intervals(self.changes, seed=seed))


@dataclass(frozen=True, slots=True)
class Curve:
    """Scores while heads are removed cumulatively in a given order, until all are removed."""

    order: tuple[Head, ...]
    removed: tuple[int, ...]
    """Number of removed heads at each point, from 0."""
    log_probs: tuple[float, ...]
    """Log-probability of a token at each point, mean over sentences."""
    bounds: tuple[Interval, ...] = ()
    """The same with 95 % bootstrap intervals (1,000 resamples of the sentences)."""

    def interventions(self, point: int) -> Interventions:
        """The interventions that prune the model as at a point of the curve."""
        return heads_off(self.order[: self.removed[point]])


def heads_off(heads: Sequence[Head]) -> Interventions:
    """Interventions that switch all of these heads off."""
    return Interventions(heads_off=tuple(HeadAblation(*head) for head in heads)) if heads else NONE


def has_means(bundle: Bundle) -> bool:
    """Whether a head of this model can be replaced by its mean."""
    return isinstance(bundle.model, Transformer)


@torch.inference_mode()
def by_means(bundle: Bundle, rows: Sequence[Row], heads: Sequence[Head]) -> list[Interventions]:
    """For each head, the interventions that replace it by its mean over the corpus's queries.

    The head's output before the output projection is replaced: the projection is linear, so it maps means to means.

    Raises:
        CorpusError: when the model runs in its original code, which does not expose that activation.
    """
    if not has_means(bundle):
        raise CorpusError(f"a head of {bundle.name} cannot be replaced by its mean: remove heads by zeroing")
    names = {
        (kind, layer): f"{SUBLAYERS[kind].format(layer)}.mixed"
        for kind, (n_layers, _) in attention_shapes(bundle.config).items() for layer in range(n_layers)
    }  # fmt: skip
    sums: dict[str, Tensor] = {}
    counts = dict.fromkeys(names.values(), 0)
    for chosen in batches(bundle, rows):
        batch = teacher_forced(bundle, chosen, record=names.values(), has_bound=False)
        for (kind, _), name in names.items():
            real = batch.source_is_real if kind == "encoder_self" else batch.target_is_real
            mixed = (batch.recorded[name] * real[:, None, :, None]).sum((0, 2))  # (H, M)
            sums[name] = sums[name] + mixed if name in sums else mixed
            counts[name] += int(real.sum())
    patches = []
    for kind, layer, head in heads:
        name = names[kind, layer]
        mean = sums[name][head] / counts[name]  # (M,)
        patches.append(Interventions(patches=Patch(name, heads=(head,), value=mean[None, None])))
    return patches


def alone_in_its_layer(heads: Sequence[Head], head: Head) -> Interventions:
    """Interventions that switch off all other heads of the head's layer and kind."""
    return heads_off([other for other in heads if other[:2] == head[:2] and other != head])


def remove_each(
    bundle: Bundle, pairs: Sequence[Pair], *, mode: RemovalMode = "zero", on_progress: Progress = ignore_progress
) -> Removals:
    """Remove every head in turn.

    Raises:
        CorpusError: when the model can read no pair, or does not expose the values for the mean.
    """
    heads, rows = every_head(bundle.config), readable_rows(bundle, pairs)
    variants = by_means(bundle, rows, heads) if mode == "mean" else [heads_off([head]) for head in heads]
    return _compare(bundle, rows, variants, on_progress)


def keep_one(bundle: Bundle, pairs: Sequence[Pair], *, on_progress: Progress = ignore_progress) -> Removals:
    """Leave every head in turn as the only one of its layer and kind."""
    heads, rows = every_head(bundle.config), readable_rows(bundle, pairs)
    return _compare(bundle, rows, [alone_in_its_layer(heads, head) for head in heads], on_progress)


def importance(bundle: Bundle, pairs: Sequence[Pair]) -> dict[Head, float]:
    """Sensitivity of each sentence's log-probability to a gate on each head, mean of absolute values over sentences.

    A gate on a head's output scales its weights, so its derivative is the sum of weight × gradient, and one backward
    pass gives all heads of a batch. The values of a layer are divided by their Euclidean norm, as in Michel et al.

    Raises:
        CorpusError: when the model can read no pair or cannot be differentiated.
    """
    totals: dict[tuple[AttentionKind, int], Tensor] = {}
    with torch.enable_grad():
        for chosen in batches(bundle, readable_rows(bundle, pairs)):
            batch = forced_pass(bundle, chosen)
            aim = (batch.log_probs.sum(-1) / batch.target_is_real.sum(-1)).sum()
            places: list[tuple[AttentionKind, int]] = [
                (kind, layer) for kind, layers in batch.weights.items() for layer in range(len(layers))
            ]
            captured = [batch.weights[kind][layer] for kind, layer in places]
            if not aim.requires_grad or not all(weights.requires_grad for weights in captured):
                raise CorpusError(
                    f"{bundle.name} has frozen weights and therefore no gradients: remove each head instead"
                )
            gradients = torch.autograd.grad(aim, captured)
            for place, weights, gradient in zip(places, captured, gradients, strict=True):
                gates = (weights.detach() * gradient).sum((-2, -1)).abs().sum(0)  # (H,)
                totals[place] = totals.get(place, torch.zeros_like(gates)) + gates
    return {
        (kind, layer, head): float(value)
        for (kind, layer), gates in totals.items()
        for head, value in enumerate((gates / gates.norm().clamp(min=1e-12)).tolist())
    }


def prune(
    bundle: Bundle,
    pairs: Sequence[Pair],
    order: Sequence[Head],
    *,
    n_points: int = 24,
    on_progress: Progress = ignore_progress,
) -> Curve:
    """Remove heads cumulatively in the given order.

    Raises:
        CorpusError: when the model can read no pair.
    """
    removed = sorted({round(share) for share in np.linspace(0, len(order), min(n_points, len(order)) + 1)})
    variants = [heads_off(order[:count]) for count in removed]
    scores = score_variants(bundle, readable_rows(bundle, pairs), variants, on_progress)
    means = tuple(float(score) for score in scores.mean(1))
    return Curve(tuple(order), tuple(removed), means, tuple(intervals(scores)))


def random_order(heads: Sequence[Head], *, seed: int) -> tuple[Head, ...]:
    """The heads in a seeded random order."""
    return tuple(heads[i] for i in np.random.default_rng(seed).permutation(len(heads)))


@torch.inference_mode()
def score_variants(
    bundle: Bundle, rows: Sequence[Row], variants: Sequence[Interventions], on_progress: Progress = ignore_progress
) -> NDArray[np.float64]:
    """Mean log-probability of a token in every sentence under each variant, (variants, sentences).

    The encoder runs again only for variants that change it.
    """
    scores, order, done = [], [], 0
    for chosen in batches(bundle, rows):
        plain = teacher_forced(bundle, chosen, has_bound=False)
        order.extend(row.id for row in chosen)
        column = []
        for variant in variants:
            batch = plain.under(variant) if variant else plain
            column.append((batch.log_probs.sum(-1) / batch.target_is_real.sum(-1)).double().cpu().numpy())
            done += len(chosen)
            on_progress(done, len(rows) * len(variants))
        scores.append(np.stack(column))
    return np.concatenate(scores, 1)[:, np.argsort(order)]


def _compare(bundle: Bundle, rows: Sequence[Row], variants: Sequence[Interventions], on_progress: Progress) -> Removals:
    """Compare one variant per head with the unchanged model."""
    scores = score_variants(bundle, rows, [NONE, *variants], on_progress)
    return Removals(every_head(bundle.config), scores[1:] - scores[0], float(scores[0].mean()))


def readable_rows(bundle: Bundle, pairs: Sequence[Pair]) -> list[Row]:
    """The pairs that the model can read.

    Raises:
        CorpusError: when there is none.
    """
    rows, skipped = read_rows(bundle, pairs)
    if not rows:
        reason = f": {skipped[0].reason}" if skipped else ""
        raise CorpusError(f"the model can read none of the pairs{reason}")
    return rows
