"""How much attention explains: weightings of cross-attention against what removing a source token does.

For each predicted token, the source tokens are ranked by a weighting of attention and by how far the token's
log-probability falls when each source token is taken out of the sentence (erasure: Li et al. 2016; Jain & Wallace
2019; Serrano & Smith 2019). Spearman's rank correlation of the two, mean over tokens, then over sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.analysis.agreement import rank_agreement
from model.analysis.rollout import rollout
from model.bundle import Bundle
from model.corpus.aligners import weightings
from model.corpus.batches import Pass, Row, forced, read_rows, spoken
from model.corpus.gold import CorpusError, Pair
from model.corpus.pruning import Interval, intervals
from model.interpret.attribution import value_norms
from model.nn.padding import pad
from model.trace import AttentionMaps

MOST_TOKENS = 40
"""Longer sentences are left out: each source token costs a pass."""


@dataclass(frozen=True, slots=True)
class Explained:
    """Agreement of one weighting with erasure."""

    weighting: str
    """"raw", "value_weighted", "rollout" or "gradient"."""
    layer: int | None
    """None for all layers together."""
    agreement: Interval
    """Spearman's correlation in [-1, 1], mean over sentences."""


@dataclass(frozen=True, slots=True)
class Agreements:
    """The whole table, and the sentences that it was made of."""

    rows: tuple[Explained, ...]
    n_sentences: int


def agreement_with_erasure(
    bundle: Bundle,
    pairs: Sequence[Pair],
    *,
    gradients: bool = True,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Agreements:
    """Hold every weighting that the model allows against erasure.

    Raises:
        CorpusError: when no pair has at least three source tokens that the model can read.
    """
    rows, _ = read_rows(bundle, pairs)
    rows = [row for row in rows if 4 <= len(row.source) <= MOST_TOKENS and len(row.target) <= MOST_TOKENS]
    found: dict[tuple[str, int | None], list[float]] = {}
    for done, row in enumerate(rows, start=1):
        effect = _erasure(bundle, row)  # (T, S - 1)
        for key, values in _weightings(bundle, row, gradients=gradients).items():
            found.setdefault(key, []).append(_mean_correlation(values[:, : effect.shape[1]], effect))
        on_progress(done, len(rows))
    if not found:
        raise CorpusError("no sentence has between 3 and 39 source tokens: give other pairs")
    kept = {key: np.array([value for value in values if np.isfinite(value)]) for key, values in found.items()}
    table = tuple(Explained(*key, next(intervals(values[None]))) for key, values in kept.items())
    return Agreements(table, len(rows))


@torch.inference_mode()
def _erasure(bundle: Bundle, row: Row) -> NDArray[np.float32]:
    """Fall of each target token's log-probability without each source token, (T, S - 1); the end token stays."""
    config, model = bundle.config, bundle.model
    device, n_source = next(model.parameters()).device, len(row.source) - int(config.source_has_eos)
    ids = row.source.ids
    shorter = [ids, *((*ids[:i], *ids[i + 1 :]) for i in range(n_source))]
    source = pad(shorter, config.source_pad_id).to(device)
    said = torch.tensor([row.target.ids], device=device).expand(len(shorter), -1)
    fed = torch.tensor([(config.bos_id, *row.target.ids[:-1])], device=device).expand(len(shorter), -1)
    decoded = model.decode(fed, model.encode(source))
    log_probs = spoken(bundle, decoded, said, torch.ones_like(said, dtype=torch.bool))  # (1 + S, T)
    return (log_probs[0] - log_probs[1:]).T.cpu().numpy()


def _weightings(bundle: Bundle, row: Row, *, gradients: bool) -> dict[tuple[str, int | None], NDArray[np.float32]]:
    """Each weighting as (T, S): the mean over a layer's heads, and over all layers."""
    with torch.set_grad_enabled(gradients):
        found = forced(bundle, [row])
        found_weightings = _of_weights(bundle, found)
        if gradients:
            slopes = _gradients(found)
            found_weightings |= {("gradient", layer): values for layer, values in enumerate(slopes)}
            found_weightings["gradient", None] = slopes.mean(0)
    return found_weightings


def _of_weights(bundle: Bundle, found: Pass) -> dict[tuple[str, int | None], NDArray[np.float32]]:
    cross = torch.stack(found.weights["cross"])[:, 0].detach()  # (L, H, T, S)
    kinds: dict[str, Tensor] = {"raw": cross}
    if "value_weighted" in weightings(bundle):
        norms = torch.stack(value_norms(bundle.model, "cross", found.encoded, found.decoded))[:, 0].detach()
        kinds["value_weighted"] = cross * norms
    table: dict[tuple[str, int | None], NDArray[np.float32]] = {}
    for name, maps in kinds.items():
        layers = maps.mean(1).cpu().numpy()
        table |= {(name, layer): values for layer, values in enumerate(layers)}
        table[name, None] = layers.mean(0)
    arrays = {kind: torch.stack(layers)[:, 0].detach().cpu().numpy() for kind, layers in found.weights.items()}
    rolled = rollout(AttentionMaps(**arrays)).cross
    assert rolled is not None
    table["rollout", None] = rolled[-1, 0]
    return table


def _gradients(found: Pass) -> NDArray[np.float32]:
    """Size of gradient times weight for each predicted token, summed over heads, (L, T, S)."""
    cross = found.weights["cross"]
    steps = []
    for step in range(found.log_probs.shape[1]):
        slopes = torch.autograd.grad(found.log_probs[0, step], cross, retain_graph=True)
        steps.append(
            torch.stack(
                [(weights * slope)[0, :, step].abs().sum(0) for weights, slope in zip(cross, slopes, strict=True)]
            )
        )
    return torch.stack(steps, 1).detach().cpu().numpy()


def _mean_correlation(values: NDArray[np.float32], effect: NDArray[np.float32]) -> float:
    """Mean over the target tokens of the rank correlation over source tokens; NaN where there is none."""
    found = [rank_agreement(a, b).correlation for a, b in zip(values, effect, strict=True)]
    known = [value for value in found if value is not None]
    return float(np.mean(known)) if known else float("nan")
