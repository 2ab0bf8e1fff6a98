"""Measures how well attention explains predictions: compares each weighting with the effect of removing a token.

Cross-attention: for each predicted token, source tokens are ranked by a weighting and by the fall of the token's
log-probability when each of them is removed from the sentence (erasure: Li et al. 2016; Jain & Wallace 2019; Serrano &
Smith 2019). Encoder self-attention: source tokens are ranked by the weight that they receive, and by the mean of that
fall over the translation. Decoder self-attention: earlier target tokens are masked in turn. The agreement is Spearman's
rank correlation, mean over tokens, then over sentences.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.analysis.agreement import rank_agreement
from model.analysis.intervals import intervals
from model.bundle import Bundle
from model.corpus.alignment.aligners import weightings
from model.corpus.batches import Pass, Row, forced_pass, read_rows
from model.inference.scoring import score
from model.inference.teacher_forcing import teacher_forced
from model.interpret.attribution import value_norms
from model.interpret.token_attribution import Method, token_attribution
from model.interventions import KINDS, AttentionKind
from model.nn.transformer import Transformer
from model.progress import Progress, ignore_progress
from model.text.links import CorpusError
from model.text.pairs import Pair

MOST_TOKENS = 40
"""Maximum tokens of a sentence; longer ones are skipped, since each token costs a pass."""
WHOLE: tuple[Method, ...] = ("rollout", "alti", "gradient_input")
"""Methods that attribute to input tokens through all layers; the last two need access to the model's layers."""
Place = tuple[str, AttentionKind, int | None]
"""(weighting, kind, layer); layer None means all layers together."""


def agreement_table(
    bundle: Bundle, pairs: Sequence[Pair], *, on_progress: Progress = ignore_progress
) -> dict[str, Any]:
    """Compare every weighting that the model allows with erasure.

    Returns:
        JSON values: ``n_sentences``, and ``rows`` with the ``weighting`` ("raw", "value_weighted", "gradient"; for all
        layers also "rollout", "alti" and "gradient_input"), its ``kind``, its ``layer`` (None for all together), and
        the ``agreement``: Spearman's correlation in [-1, 1], mean over sentences, with its interval.

    Raises:
        CorpusError: when no pair has at least three source tokens that the model can read.
    """
    rows, _ = read_rows(bundle, pairs)
    rows = [row for row in rows if 4 <= len(row.source) <= MOST_TOKENS and len(row.target) <= MOST_TOKENS]
    correlations: dict[Place, list[float]] = {}
    for done, row in enumerate(rows, start=1):
        for place, correlation in _of_pair(bundle, row):
            correlations.setdefault(place, []).append(correlation)
        on_progress(done, len(rows))
    if not correlations:
        raise CorpusError("no sentence has between 3 and 39 source tokens: give other pairs")
    table = []
    for (weighting, kind, layer), agreements in correlations.items():
        if len(values := np.array(agreements)[np.isfinite(agreements)]):
            agreement = asdict(next(intervals(values[None])))
            table.append({"weighting": weighting, "kind": kind, "layer": layer, "agreement": agreement})
    return {"n_sentences": len(rows), "rows": table}


def _of_pair(bundle: Bundle, row: Row) -> Iterator[tuple[Place, float]]:
    """Every weighting's agreement on one pair; NaN if there are too few tokens to rank."""
    trace = score(bundle, row.pair.source, row.pair.target)
    source = _erasure(bundle, row)  # (T, S - 1)
    prefix = token_attribution(bundle, trace, method="erasure").prefix  # (T, T)
    n_source, before = source.shape[1], [slice(0, step) for step in range(len(prefix))]  # a step's own input is kept

    def agreement(values: NDArray[np.floating], kind: AttentionKind) -> float:
        if kind == "encoder_self":
            return _mean([rank_agreement(values[:n_source], source.mean(0)).correlation])
        if kind == "cross":
            return _mean([rank_agreement(*two).correlation for two in zip(values[:, :n_source], source, strict=True)])
        pairs = zip(values, prefix, before, strict=True)
        return _mean([rank_agreement(first[seen], other[seen]).correlation for first, other, seen in pairs])

    for place, values in _weightings(bundle, row).items():
        yield place, agreement(values, place[1])
    for method in WHOLE if isinstance(bundle.model, Transformer) else WHOLE[:1]:
        attribution = token_attribution(bundle, trace, method=method)
        yield (method, "cross", None), agreement(np.abs(attribution.source), "cross")
        yield (method, "decoder_self", None), agreement(np.abs(attribution.prefix), "decoder_self")


@torch.inference_mode()
def _erasure(bundle: Bundle, row: Row) -> NDArray[np.float32]:
    """Fall of each target token's log-probability without each source token, (T, S - 1); the end token always stays."""
    ids, n_source = row.source.ids, len(row.source) - int(bundle.config.source_has_eos)
    shorter = [ids, *((*ids[:i], *ids[i + 1 :]) for i in range(n_source))]
    rows = [(source, row.prefix.ids, row.target.ids) for source in shorter]
    log_probs = teacher_forced(bundle, rows).log_probs  # (1 + S, T)
    return (log_probs[0] - log_probs[1:]).T.cpu().numpy()


@torch.enable_grad()
def _weightings(bundle: Bundle, row: Row) -> dict[Place, NDArray[np.floating]]:
    """Each weighting's mean over a layer's heads, and over all layers: (T, S) for cross-attention, (T, T) for the
    decoder, and the weight that each token receives, (S,), for the encoder."""
    table: dict[Place, NDArray[np.floating]] = {}
    batch = forced_pass(bundle, [row])
    maps: dict[tuple[str, AttentionKind], list[Tensor]] = {
        ("raw", kind): [weights.detach()[0].mean(0) for weights in layers] for kind, layers in batch.weights.items()
    }
    if "value_weighted" in weightings(bundle):
        for kind, layers in batch.weights.items():
            norms: Any = value_norms(bundle.model, kind, batch.recorded)
            moved = [(weights * norm).detach()[0].mean(0) for weights, norm in zip(layers, norms, strict=True)]
            maps["value_weighted", kind] = moved
    maps |= {("gradient", kind): list(slopes) for kind, slopes in _gradients(batch).items()}
    for (name, kind), layers in maps.items():
        stacked = torch.stack(layers).cpu().numpy()  # (L, Q, K)
        stacked = stacked.mean(1) if kind == "encoder_self" else stacked
        table |= {(name, kind, layer): values for layer, values in enumerate(stacked)}
        table[name, kind, None] = stacked.mean(0)
    return table


def _gradients(batch: Pass) -> dict[AttentionKind, Tensor]:
    """Absolute gradient × weight for each predicted token, summed over heads: (L, Q, K) by kind.

    A decoder row belongs to its own prediction. All predictions depend on the encoder's rows, so those are means over
    predictions.
    """
    places: list[tuple[AttentionKind, int]] = [
        (kind, layer) for kind in KINDS if kind in batch.weights for layer in range(len(batch.weights[kind]))
    ]
    captured = [batch.weights[kind][layer] for kind, layer in places]
    n_steps = batch.log_probs.shape[1]
    sums = [torch.zeros_like(weights[0, 0]).detach() for weights in captured]  # (Q, K)
    for step in range(n_steps):
        slopes = torch.autograd.grad(batch.log_probs[0, step], captured, retain_graph=True)
        for (kind, _), total, weights, slope in zip(places, sums, captured, slopes, strict=True):
            size = (weights.detach() * slope)[0].abs().sum(0)
            if kind == "encoder_self":
                total += size / n_steps
            else:
                total[step] = size[step]
    return {
        kind: torch.stack([total for (of, _), total in zip(places, sums, strict=True) if of == kind])
        for kind in batch.weights
    }


def _mean(correlations: Sequence[float | None]) -> float:
    known = [value for value in correlations if value is not None]
    return float(np.mean(known)) if known else float("nan")
