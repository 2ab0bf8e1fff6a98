"""Compares two checkpoints of the same shape over a corpus, such as before and after fine-tuning.

It measures how far each head's attention moved and how each sentence's probability changed. Both models read the same
tokens, so that every attention row has a counterpart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from model.analysis.intervals import Interval, intervals
from model.bundle import Bundle
from model.corpus.batches import Pass, Row, batches, forced_pass, read_rows, translates
from model.inference.reading import kinds_of
from model.interventions import AttentionKind, attention_shapes
from model.lazy import pandas
from model.progress import Progress, ignore_progress
from model.text.links import CorpusError
from model.text.pairs import Pair, as_pairs, as_texts
from model.trace import Floats


@dataclass(frozen=True, slots=True)
class ModelDifference:
    """The differences between two checkpoints on M sentences."""

    before: str
    """The first checkpoint's name."""
    after: str
    pairs: tuple[Pair, ...]
    """The M sentences; targets are empty for a model that reads texts."""
    moved: Mapping[AttentionKind, Floats]
    """(M, L, H) by kind: the total variation distance between both models' rows, mean over a sentence's queries, in
    [0, 1]."""
    log_probs: Floats
    """(M, 2): the log-probability of each sentence's target before and after, in nats; NaN for an encoder-only
    model."""
    n_tokens: Floats
    """(M,): number of predicted tokens."""
    skipped: tuple[str, ...]
    """Reasons for skipped pairs."""

    @property
    def change(self) -> Floats:
        """(M,): the log-probability after minus before, in nats; positive if the sentence became more probable."""
        return self.log_probs[:, 1] - self.log_probs[:, 0]

    def of_heads(self, kind: AttentionKind, *, seed: int = 0) -> tuple[tuple[Interval, ...], ...]:
        """L rows of H means of ``moved`` over sentences, with 95 % bootstrap intervals (1,000 resamples)."""
        n_sentences, n_layers, n_heads = self.moved[kind].shape
        means = list(intervals(self.moved[kind].reshape(n_sentences, -1).T.astype(np.float64), seed=seed))
        return tuple(tuple(means[layer * n_heads : (layer + 1) * n_heads]) for layer in range(n_layers))

    def mean_change(self, *, seed: int = 0) -> Interval:
        """The mean change of a sentence, in nats, with its interval."""
        return next(intervals(self.change[None].astype(np.float64), seed=seed))

    def head_rows(self) -> list[dict[str, Any]]:
        """For each head: kind, layer, head, moved, low, high."""
        return [
            {
                "kind": kind,
                "layer": layer,
                "head": head,
                "moved": interval.mean,
                "low": interval.low,
                "high": interval.high,
            }
            for kind in self.moved
            for layer, row in enumerate(self.of_heads(kind))
            for head, interval in enumerate(row)
        ]

    def sentence_rows(self) -> list[dict[str, Any]]:
        """For each sentence: source, target, tokens, before, after, change."""
        columns = (self.n_tokens, self.log_probs, self.change)
        values = zip(self.pairs, *(column.tolist() for column in columns), strict=True)
        return [
            {"source": pair.source, "target": pair.target, "tokens": int(n), "before": was, "after": now,
             "change": change}
            for pair, n, (was, now), change in values
        ]  # fmt: skip

    def heads_frame(self) -> pandas.DataFrame:
        """``head_rows`` as a table; needs pandas."""
        return pandas.DataFrame(self.head_rows())

    def sentences_frame(self) -> pandas.DataFrame:
        """``sentence_rows`` as a table; needs pandas."""
        return pandas.DataFrame(self.sentence_rows())


def model_difference(
    before: Bundle,
    after: Bundle,
    pairs: Sequence[Pair | Sequence[str]] | Sequence[str] | Path | str,
    *,
    on_progress: Progress = ignore_progress,
) -> ModelDifference:
    """Compare two checkpoints by head and by sentence, on the same reference translations.

    Args:
        before: a model.
        after: a model of the same shape and vocabulary, such as the same model after fine-tuning.
        pairs: sentences and their translations, or a TSV file of them; texts for an encoder-only or decoder-only model.

    Raises:
        CorpusError: when layers or heads differ, or the two models tokenize no pair alike.
    """
    shapes: list[dict[AttentionKind, tuple[int, int]]] = [
        {kind: attention_shapes(each.config)[kind] for kind in kinds_of(each)} for each in (before, after)
    ]
    if shapes[0] != shapes[1]:
        raise CorpusError(
            f"{before.name} and {after.name} have different layers or heads ({_text(shapes[0])}; {_text(shapes[1])}): "
            "compare two checkpoints of one shape, such as a model before and after a fine-tuning"
        )
    texts = as_pairs(pairs) if translates(before) else as_texts(pairs)  # type: ignore[arg-type]
    rows, skipped = _readable(before, after, texts)
    if not rows:
        raise CorpusError(f"no pair is read as the same tokens by both: {skipped[0]}")
    place = {row.id: index for index, row in enumerate(rows)}
    moved: dict[AttentionKind, Floats] = {
        kind: np.zeros((len(rows), *shape), np.float32) for kind, shape in shapes[0].items()
    }
    log_probs, n_tokens = np.full((len(rows), 2), np.nan, np.float32), np.zeros(len(rows), np.float32)
    done = 0
    for part in batches(before, rows, max_weights=MOST_WEIGHTS):
        at = [place[row.id] for row in part]
        with torch.inference_mode():
            passes = [forced_pass(each, part) for each in (before, after)]
            for kind, distances in _head_distances(*passes).items():
                moved[kind][at] = distances
            if before.config.predicts and before.config.n_decoder_layers:
                for side, each in enumerate(passes):
                    log_probs[at, side] = each.log_probs.sum(-1).float().cpu().numpy()
                n_tokens[at] = [len(row.target) for row in part]
        done += len(part)
        on_progress(done, len(rows))
    return ModelDifference(
        before.name, after.name, tuple(row.pair for row in rows), moved, log_probs, n_tokens, tuple(skipped)
    )


MOST_WEIGHTS = 16_000_000
"""Maximum attention weights per batch, held for both models at once: 128 MB in float32."""


def _readable(before: Bundle, after: Bundle, pairs: Sequence[Pair]) -> tuple[list[Row], list[str]]:
    """The pairs that both models tokenize alike, and the reasons for skipping the others."""
    rows, left_out = read_rows(before, pairs)
    others = {row.id: row for row in read_rows(after, pairs)[0]}
    skipped, same = [f"pair {item.id + 1}: {item.reason}" for item in left_out], []
    for row in rows:
        other = others.get(row.id)
        sides = [
            (item.source.pieces, item.prefix.pieces, item.target.pieces) for item in (row, other) if item is not None
        ]
        if len(sides) < 2 or sides[0] != sides[1]:
            skipped.append(f"pair {row.id + 1}: {after.name} reads other tokens than {before.name}")
        else:
            same.append(row)
    return same, skipped


def _head_distances(before: Pass, after: Pass) -> dict[AttentionKind, Floats]:
    """The distance of every head in each row of a batch, (B, L, H) by kind."""
    distances: dict[AttentionKind, Floats] = {}
    for kind, layers in before.weights.items():
        real = before.source_is_real if kind == "encoder_self" else before.target_is_real  # (B, Q)
        share = (real / real.sum(-1, keepdim=True)).float()
        of_layers = [
            torch.einsum("bhq,bq->bh", 0.5 * (weights - other).abs().sum(-1).float(), share)
            for weights, other in zip(layers, after.weights[kind], strict=True)
        ]
        distances[kind] = torch.stack(of_layers, 1).cpu().numpy()
    return distances


def _text(shapes: Mapping[AttentionKind, tuple[int, int]]) -> str:
    return ", ".join(f"{kind} {layers}×{heads}" for kind, (layers, heads) in shapes.items())
