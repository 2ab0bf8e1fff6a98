"""What a prediction depends on, measured by hiding tokens: one source token from one head, the source, or the prefix.

``contrast`` explains why this word and not another (Yin & Neubig 2022) by removal rather than by gradient: a token is
masked before the softmax, so the head's other weights still sum to 1. ``source_contribution`` masks all of
cross-attention, or feeds each position the begin-of-sentence token and lets it attend only to itself; the change of a
prediction is the Kullback-Leibler divergence of the whole distribution.
"""

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch

from model.bundle import Bundle
from model.decoding.step import DecodingError, needs_every_position
from model.inference.batches import WIDE_BATCH, group_by_length
from model.inference.reading import check_step
from model.inference.teacher_forcing import chosen_log_probs, teacher_forced
from model.interventions import BlockedKey, ForcedRow, Interventions, attention_shapes
from model.trace import Floats, Trace


@dataclass(frozen=True, slots=True)
class Contrast:
    """How much each source token, seen by each head, favours one token over another."""

    step: int
    word_id: int
    rival_id: int
    margin: float
    """log p(word) - log p(rival) with everything in place, in nats."""
    by_head: Floats
    """(L, H, S) change in the margin when that head does not see that token; negative where it favoured the word."""
    by_token: Floats
    """(S,) change when no head of any layer sees the token at this step."""


@torch.inference_mode()
def contrast(bundle: Bundle, trace: Trace, *, step: int, rival_id: int, word_id: int | None = None) -> Contrast:
    """Hide every source token from every head in turn while one word is predicted.

    Args:
        step: the row that predicts the word.
        word_id: the word; None means the predicted one.

    Raises:
        DecodingError: when the step or a word does not exist, or both words are the same.
    """
    check_step(bundle, trace, step, word_id, rival_id)
    word = trace.target.ids[step] if word_id is None else word_id
    if word == rival_id:
        raise DecodingError(f"the word and its rival are both {word}: choose another rival")
    n_source, config = len(trace.source), bundle.config
    layers, heads = attention_shapes(config)["cross"]
    blocks = [BlockedKey("cross", key, query=step) for key in range(n_source)]
    blocks += [
        BlockedKey("cross", key, layer=layer, head=head, query=step)
        for layer in range(layers)
        for head in range(heads)
        for key in range(n_source)
    ]
    edits = [trace.interventions] + [_also(trace.interventions, block) for block in blocks]
    margins = _margins(bundle, trace, step, edits, word, rival_id)
    changes = margins[1:] - margins[0]
    by_head = changes[n_source:].reshape(layers, heads, n_source)
    return Contrast(step, word, rival_id, float(margins[0]), by_head, changes[:n_source])


def _also(base: Interventions, block: BlockedKey) -> Interventions:
    """The interventions with one more blocked key; a row forced onto only that key is no longer forced."""

    def is_emptied(row: ForcedRow) -> bool:
        is_met = row.kind == block.kind and row.query == block.query
        is_met = is_met and block.layer in (None, row.layer) and block.head in (None, row.head)
        return is_met and not any(weight for key, weight in enumerate(row.weights) if key != block.key)

    forced_rows = tuple(row for row in base.forced_rows if not is_emptied(row))
    return dataclasses.replace(base, forced_rows=forced_rows, blocked_keys=(*base.blocked_keys, block))


def _margins(bundle: Bundle, trace: Trace, step: int, edits: list[Interventions], word: int, rival: int) -> Floats:
    """log p(word) - log p(rival) at one step under each of N interventions, (N,).

    All share the encoder and the positions before the step, because they differ in only one query.
    """
    model, base = bundle.model, trace.interventions or None
    device = bundle.device
    encoded = model.encode(torch.tensor([trace.source.ids], device=device), interventions=base)
    fed = torch.tensor([trace.prefix.ids[: step + 1]], device=device)
    is_cached = step > 0 and not needs_every_position(bundle.config, (trace.interventions,), fed)
    cache = None
    if is_cached:
        cache = model.decode(fed[:, :-1], encoded, keep_cache=True, interventions=base).cache
        fed = fed[:, -1:]
    margins = []
    for part in group_by_length([(1,)] * len(edits), 2 * WIDE_BATCH):  # with a cache, one token per row
        rows = [edits[index] for index in part]
        same = torch.zeros(len(rows), dtype=torch.long, device=device)
        wide = dataclasses.replace(encoded, memory=encoded.memory[same], attn_mask=encoded.attn_mask[same])
        decoded = model.decode(
            fed[same], wide, cache=cache.reorder(same) if cache is not None else None, interventions=rows
        )
        logits = model.project(decoded.hidden[:, -1]).float()
        margins.append((logits[:, word] - logits[:, rival]).cpu().numpy())
    return np.concatenate(margins)


@dataclass(frozen=True, slots=True)
class SourceContribution:
    """How much each of T predictions depends on the source and on the tokens already written."""

    TOKEN_AXES: ClassVar = dict.fromkeys(("source", "prefix", "without_source", "without_prefix"), ("target",))
    source: Floats
    """(T,) divergence in nats when the source is removed."""
    prefix: Floats
    """(T,) divergence in nats when the prefix is removed."""
    without_source: Floats
    """(T,) change in the predicted token's log-probability."""
    without_prefix: Floats

    @property
    def source_share(self) -> Floats:
        """(T,) source / (source + prefix), in [0, 1]; 1/2 if neither changes the prediction."""
        total = self.source + self.prefix
        half = np.full_like(total, 0.5)
        return np.divide(self.source, total, out=half, where=total > 1e-6)


@torch.inference_mode()
def source_contribution(bundle: Bundle, trace: Trace) -> SourceContribution:
    """Measure it with three teacher-forced rows in one batch: unchanged, without source, without prefix."""
    n_source, length = len(trace.source), len(trace.target)
    base = trace.interventions
    no_source = base.hiding(BlockedKey("cross", key) for key in range(n_source))
    no_prefix = base.hiding(
        BlockedKey("decoder_self", key, query=query) for query in range(length) for key in range(query)
    )
    edits = [base, no_source, no_prefix]
    begin = [bundle.config.bos_id] * length
    rows = [(trace.source.ids, fed) for fed in (trace.prefix.ids, trace.prefix.ids, begin)]
    log_probs = teacher_forced(bundle, rows, interventions=edits).logits.log_softmax(-1)  # (3, T, V)
    divergence = (log_probs[0].exp() * (log_probs[0] - log_probs[1:])).nan_to_num(0.0).sum(-1)  # (2, T)
    chosen = chosen_log_probs(log_probs, torch.tensor([trace.target.ids], device=bundle.device))  # (3, T)
    moved, changed = divergence.clamp(min=0).cpu().numpy(), (chosen[1:] - chosen[0]).cpu().numpy()
    return SourceContribution(moved[0], moved[1], changed[0], changed[1])
