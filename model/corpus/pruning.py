"""Which heads a corpus does not need: each head removed, only one head kept, and heads removed one after another.

The measure is the log-probability of the pairs' own translations. A head is removed by zeroing its output or by
replacing it with its mean over the corpus. Michel et al. (2019, "Are Sixteen Heads Really Better than One?") rank
heads by the sensitivity of the loss to a gate on each, computed in one backward pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.func import functional_call

from model.bundle import Bundle
from model.corpus.batches import Pass, Row, batches, forced, read_rows, spoken
from model.corpus.gold import CorpusError, Pair
from model.corpus.head_means import Head, attention_of, mean_outputs
from model.interventions import NONE, AttentionKind, HeadAblation, Interventions, attention_shapes

RemovalMode = Literal["zero", "mean"]
Progress = Callable[[int, int], object]
N_RESAMPLES = 1_000


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over sentences, and where 95 % of its bootstrap resamples lie (Efron 1979)."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Removals:
    """What a corpus loses when each head is removed, or when it is the only one kept in its layer."""

    heads: tuple[Head, ...]
    changes: NDArray[np.float64]
    """(heads, sentences) change in the log-probability of a token, in nats; negative where the head helped."""
    before: float
    """Log-probability of a token with every head, mean over sentences."""

    def intervals(self, *, seed: int = 0) -> tuple[Interval, ...]:
        """Each head's mean change."""
        return tuple(intervals(self.changes, seed=seed))


@dataclass(frozen=True, slots=True)
class Curve:
    """Scores while heads are removed one after another in an order, until all are removed."""

    order: tuple[Head, ...]
    removed: tuple[int, ...]
    """Number of removed heads at each point, from 0."""
    log_probs: tuple[float, ...]
    """Log-probability of a token at each point, mean over sentences."""

    def interventions(self, point: int) -> Interventions:
        """The pruned model of a point, to be opened on a sentence."""
        return without(self.order[: self.removed[point]])


def heads_of(bundle: Bundle) -> tuple[Head, ...]:
    """Every head, by kind, layer and number."""
    return tuple(
        (kind, layer, head)
        for kind, (n_layers, n_heads) in attention_shapes(bundle.config).items()
        for layer in range(n_layers)
        for head in range(n_heads)
    )


def without(heads: Sequence[Head]) -> Interventions:
    """Interventions that switch all of these heads off."""
    return Interventions(heads_off=tuple(HeadAblation(*head) for head in heads)) if heads else NONE


def alone_in_its_layer(heads: Sequence[Head], head: Head) -> Interventions:
    """Interventions that switch off all other heads of its layer and kind."""
    return without([other for other in heads if other[:2] == head[:2] and other != head])


def remove_each(
    bundle: Bundle,
    pairs: Sequence[Pair],
    *,
    mode: RemovalMode = "zero",
    on_progress: Progress = lambda done, total: None,
) -> Removals:
    """Remove every head in turn.

    Raises:
        CorpusError: when the model can read no pair, or does not expose the values for the mean.
    """
    heads, rows = heads_of(bundle), readable(bundle, pairs)
    if mode == "zero":
        scores = score_variants(bundle, rows, [NONE, *(without([head]) for head in heads)], on_progress)
    else:
        scores = _with_means(bundle, rows, heads, on_progress)
    return Removals(heads, scores[1:] - scores[0], float(scores[0].mean()))


def keep_one(bundle: Bundle, pairs: Sequence[Pair], *, on_progress: Progress = lambda done, total: None) -> Removals:
    """Keep every head in turn as the only one of its layer and kind."""
    heads, rows = heads_of(bundle), readable(bundle, pairs)
    variants = [alone_in_its_layer(heads, head) for head in heads]
    scores = score_variants(bundle, rows, [NONE, *variants], on_progress)
    return Removals(heads, scores[1:] - scores[0], float(scores[0].mean()))


def importance(bundle: Bundle, pairs: Sequence[Pair]) -> dict[Head, float]:
    """Sensitivity of each sentence's log-probability to a gate on each head, mean of absolute values over sentences.

    A gate on a head's output scales its weights, so that its derivative is the sum of weight times gradient: one
    backward pass gives all heads of a batch. Each layer's are divided by their Euclidean norm, as Michel et al. do.

    Raises:
        CorpusError: when the model can read no pair or cannot be differentiated.
    """
    totals: dict[tuple[AttentionKind, int], Tensor] = {}
    with torch.enable_grad():
        for chosen in batches(bundle, readable(bundle, pairs)):
            found = forced(bundle, chosen)
            aim = (found.log_probs.sum(-1) / found.target_is_real.sum(-1)).sum()
            places: list[tuple[AttentionKind, int]] = [
                (kind, layer) for kind, layers in found.weights.items() for layer in range(len(layers))
            ]
            captured = [found.weights[kind][layer] for kind, layer in places]
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
    on_progress: Progress = lambda done, total: None,
) -> Curve:
    """Remove more and more heads in an order.

    Raises:
        CorpusError: when the model can read no pair.
    """
    removed = sorted({round(share) for share in np.linspace(0, len(order), min(n_points, len(order)) + 1)})
    variants = [without(order[:count]) for count in removed]
    scores = score_variants(bundle, readable(bundle, pairs), variants, on_progress)
    return Curve(tuple(order), tuple(removed), tuple(float(score) for score in scores.mean(1)))


def random_order(heads: Sequence[Head], *, seed: int) -> tuple[Head, ...]:
    """The heads in a seeded random order."""
    return tuple(heads[i] for i in np.random.default_rng(seed).permutation(len(heads)))


@torch.inference_mode()
def score_variants(
    bundle: Bundle,
    rows: Sequence[Row],
    variants: Sequence[Interventions],
    on_progress: Progress = lambda done, total: None,
) -> NDArray[np.float64]:
    """Log-probability of a token in every sentence under each variant, (variants, sentences).

    The encoder runs again only for variants that change it.
    """
    scores, order, done = [], [], 0
    for chosen in batches(bundle, rows):
        plain = forced(bundle, chosen)
        order.extend(row.id for row in chosen)
        column = []
        for variant in variants:
            column.append(_score(bundle, plain, variant))
            done += len(chosen)
            on_progress(done, len(rows) * len(variants))
        scores.append(np.stack(column))
    return np.concatenate(scores, 1)[:, np.argsort(order)]


def intervals(values: NDArray[np.float64], *, seed: int = 0) -> Iterator[Interval]:
    """The bootstrap interval of each row's mean, (rows, sentences)."""
    generator, n = np.random.default_rng(seed), values.shape[1]
    drawn = generator.multinomial(n, np.full(n, 1 / n), size=N_RESAMPLES) / n  # (resamples, sentences)
    for row in values:
        low, high = np.percentile(drawn @ row, (2.5, 97.5))
        yield Interval(float(row.mean()), float(low), float(high))


def _score(bundle: Bundle, plain: Pass, variant: Interventions) -> NDArray[np.float64]:
    if not variant:
        return _per_token(plain.log_probs, plain)
    encoded = plain.encoded
    if any(off.kind == "encoder_self" for off in variant.heads_off):
        ids = [row.source.ids for row in plain.rows]
        source = torch.full(plain.source_is_real.shape, bundle.config.source_pad_id, device=plain.fed.device)
        for index, row in enumerate(ids):
            source[index, : len(row)] = torch.tensor(row)
        encoded = bundle.model.encode(source, interventions=variant)
    decoded = bundle.model.decode(plain.fed, encoded, interventions=variant)
    return _per_token(spoken(bundle, decoded, plain.said, plain.target_is_real), plain)


def _per_token(log_probs: Tensor, plain: Pass) -> NDArray[np.float64]:
    return (log_probs.sum(-1) / plain.target_is_real.sum(-1)).double().cpu().numpy()


def readable(bundle: Bundle, pairs: Sequence[Pair]) -> list[Row]:
    """The pairs that the model can read.

    Raises:
        CorpusError: when there is none.
    """
    rows, skipped = read_rows(bundle, pairs)
    if not rows:
        reason = f": {skipped[0].reason}" if skipped else ""
        raise CorpusError(f"the model can read none of the pairs{reason}")
    return rows


@torch.inference_mode()
def _with_means(
    bundle: Bundle, rows: Sequence[Row], heads: Sequence[Head], on_progress: Progress
) -> NDArray[np.float64]:
    """Scores with every head, then with each replaced by its mean: its output is zeroed, and the mean is added to the
    bias of the layer's output."""
    model, means = bundle.model, mean_outputs(bundle, rows)
    scores, order, done = [], [], 0
    for chosen in batches(bundle, rows):
        plain = forced(bundle, chosen)
        order.extend(row.id for row in chosen)
        source = torch.nn.utils.rnn.pad_sequence(
            [torch.tensor(row.source.ids) for row in chosen], True, bundle.config.source_pad_id
        ).to(plain.fed.device)
        column = [_per_token(plain.log_probs, plain)]
        for head in heads:
            name, attention = attention_of(model, head[0], head[1])
            with_mean = {f"{name}.output.bias": attention.output.bias + means[head]}
            logits = functional_call(model, with_mean, (source, plain.fed), {"interventions": without([head])}).logits
            logits = logits.float()
            said = plain.said.masked_fill(~plain.target_is_real, 0)  # the id of padding may be beyond the vocabulary
            chosen_logits = logits.gather(2, said[..., None])[..., 0] - logits.logsumexp(-1)
            column.append(_per_token(chosen_logits.masked_fill(~plain.target_is_real, 0.0), plain))
            done += len(chosen)
            on_progress(done, len(rows) * len(heads))
        scores.append(np.stack(column))
    return np.concatenate(scores, 1)[:, np.argsort(order)]
