"""Runs pairs through the model with teacher forcing, in batches of similar length, and keeps every head's weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from model.bundle import Bundle
from model.corpus.gold import MAX_LINE, CorpusError, Pair, is_too_long
from model.inference.alone import kinds_of
from model.inference.memory import check_forced
from model.interpret.attribution import value_names
from model.interventions import AttentionKind, Interventions
from model.nn.padding import pad
from model.nn.passes import Decoded, Encoded
from model.nn.transformer import Transformer
from model.text.tokens import TextError, source_tokens, target_tokens
from model.trace import TokenSequence

MAX_ROWS = 64
ROWS_OF_LOGITS = 128
"""Tokens whose logits are computed together: few enough for a processor's cache."""
MAX_WEIGHTS = 48_000_000
"""Attention weights of one batch at most: 192 MB in float32."""


@dataclass(frozen=True, slots=True)
class Row:
    """A pair as tokens."""

    id: int
    """Its place in the corpus, from 0."""
    pair: Pair
    source: TokenSequence
    """S tokens."""
    target: TokenSequence
    """T tokens to be predicted, end of sentence included."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A pair that this model cannot read."""

    id: int
    reason: str


@dataclass(frozen=True, slots=True)
class Pass:
    """One batch of B rows, padded to S and T."""

    rows: tuple[Row, ...]
    source_is_real: Tensor
    """bool (B, S)"""
    target_is_real: Tensor
    """bool (B, T)"""
    weights: dict[AttentionKind, tuple[Tensor, ...]]
    """Of each layer (B, H, Q, K)."""
    log_probs: Tensor
    """(B, T) natural logarithm of each target token's probability; 0 where it is padding."""
    encoded: Encoded
    decoded: Decoded
    fed: Tensor
    """int64 (B, T)"""
    said: Tensor
    """int64 (B, T)"""


def check_translates(bundle: Bundle) -> None:
    """Raise CorpusError for a model that has no cross-attention."""
    if "cross" not in kinds_of(bundle):
        raise CorpusError(f"{bundle.name} does not translate: choose an encoder-decoder model")


def read_rows(bundle: Bundle, pairs: Sequence[Pair], *, first_id: int = 0) -> tuple[list[Row], list[Skipped]]:
    """Tokens of every pair, and the pairs that the model cannot read with the reason."""
    rows, skipped = [], []
    for index, pair in enumerate(pairs, start=first_id):
        try:
            if is_too_long(pair.source, pair.target):
                n = len(pair.source) + len(pair.target)
                raise TextError(
                    f"the pair has {n:,} characters and the limit is {MAX_LINE:,}: write one sentence a line"
                )
            if not pair.target.strip():
                raise TextError("the target is empty: write its translation")
            if not pair.source.strip():
                raise TextError("the source is empty: write a sentence")
            row = Row(index, pair, source_tokens(bundle, pair.source), target_tokens(bundle, pair.target))
            check_forced(bundle.config, n_source=len(row.source), n_target=len(row.target))
            rows.append(row)
        except TextError as error:
            skipped.append(Skipped(index, str(error)))
    return rows, skipped


def is_readable(bundle: Bundle, pair: Pair) -> bool:
    """Whether the model can read a pair's source."""
    if is_too_long(pair.source, pair.target):
        return False
    try:
        source_tokens(bundle, pair.source)
    except TextError:
        return False
    return True


def batches(
    bundle: Bundle, rows: Sequence[Row], *, max_rows: int = MAX_ROWS, max_weights: int = MAX_WEIGHTS
) -> Iterator[tuple[Row, ...]]:
    """The rows, longest first by the longer of their sides, as many together as memory allows: sorted by one side
    alone, a third of the other would be padding."""
    ordered = sorted(rows, key=lambda row: (-max(_lengths(row)), -sum(_lengths(row)), row.id))
    config, start = bundle.config, 0
    heads = config.n_encoder_layers * config.n_encoder_heads + 2 * config.n_decoder_layers * config.n_decoder_heads
    while start < len(ordered):
        longest = max(_lengths(ordered[start]))
        count = max(1, min(max_rows, max_weights // (heads * longest**2)))
        yield tuple(ordered[start : start + count])
        start += count


def _lengths(row: Row) -> tuple[int, int]:
    return len(row.source), len(row.target)


def forced(
    bundle: Bundle,
    rows: Sequence[Row],
    *,
    interventions: Interventions | Sequence[Interventions] | None = None,
    with_values: bool = False,
) -> Pass:
    """Run the model on the rows' own targets and keep every weight.

    Args:
        with_values: also keep what ``value_norms`` needs, where the model exposes it.
    """
    config, run = bundle.config, bundle.model
    device = next(run.parameters()).device
    source = pad([row.source.ids for row in rows], config.source_pad_id).to(device)
    said = pad([row.target.ids for row in rows], config.target_pad_id).to(device)
    fed = pad([(config.bos_id, *row.target.ids[:-1]) for row in rows], config.target_pad_id).to(device)
    target_is_real = pad([[1] * len(row.target) for row in rows], 0).bool().to(device)
    source_is_real = pad([[1] * len(row.source) for row in rows], 0).bool().to(device)
    read: dict[str, Any] = {"capture": True, "interventions": interventions}
    said_by = dict(read)
    if with_values and isinstance(run, Transformer):
        read["record"], said_by["record"] = value_names(run, "encoder"), value_names(run, "decoder")
    encoded = run.encode(source, **read)
    decoded = run.decode(fed, encoded, **said_by)
    captured: dict[AttentionKind, tuple[Tensor, ...]] = {
        "encoder_self": encoded.attention,
        "decoder_self": decoded.self_attention,
        "cross": decoded.cross,
    }
    log_probs = spoken(bundle, decoded, said, target_is_real)
    weights: dict[AttentionKind, tuple[Tensor, ...]] = {kind: captured[kind] for kind in kinds_of(bundle)}
    return Pass(tuple(rows), source_is_real, target_is_real, weights, log_probs, encoded, decoded, fed, said)


def spoken(bundle: Bundle, decoded: Decoded, said: Tensor, is_real: Tensor) -> Tensor:
    """Log-probability of each target token, int64 (B, T) -> (B, T); 0 at padding."""
    parts = zip(decoded.hidden[is_real].split(ROWS_OF_LOGITS), said[is_real].split(ROWS_OF_LOGITS), strict=True)
    chosen = torch.cat([_of_chosen(bundle.model.project(hidden).float(), ids) for hidden, ids in parts])  # (N,)
    return torch.zeros(said.shape, dtype=chosen.dtype, device=chosen.device).masked_scatter(is_real, chosen)


def _of_chosen(logits: Tensor, ids: Tensor) -> Tensor:
    """Log-probabilities of ids (N,) under logits (N, V), which are overwritten when no gradient is needed."""
    chosen = logits.gather(1, ids[:, None])[:, 0]
    if torch.is_grad_enabled():
        return chosen - logits.logsumexp(-1)
    peak = logits.amax(-1, keepdim=True)
    return chosen - peak[:, 0] - logits.sub_(peak).exp_().sum(-1).log_()
