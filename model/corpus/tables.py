"""The measurements of one batch as columns: a row per sentence and head, and a row per token and head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.analysis.measures import MEASURES, Axes, measure, measure_norms
from model.analysis.sinks import sinks_of
from model.bundle import Bundle
from model.corpus.alignment.aligners import Aligner, Counts, Part, count, weightings, word_maps
from model.corpus.alignment.word_maps import ROW_MEANINGS, word_groups
from model.corpus.batches import Pass
from model.interpret.attribution import value_norms
from model.interventions import KINDS, AttentionKind
from model.nn.transformer import Transformer
from model.trace import TokenSequence

TokenKind = Literal["first", "last", "punctuation", "subword", "word", "end"]
TOKEN_KINDS: tuple[TokenKind, ...] = ("first", "last", "punctuation", "subword", "word", "end")
GOLD_MEASURES = tuple(f"{name}_{row}" for row in ROW_MEANINGS for name in ("aer", "precision", "recall", "f1"))
"""Of each sentence with links, for cross-attention: read as fed and as predicted."""
TEXTS_OF_LINKS = ("query_token", "fed_token", "key_token")
Columns = dict[str, NDArray]


_OF_PLACE = {"id": np.int64, "kind": np.int8, "layer": np.int16, "head": np.int16}
_OF_LINKS = {
    "query": np.int16, "query_token": np.int32, "fed_token": np.int32, "token_kind": np.int8, "key": np.int16,
    "key_token": np.int32, "weight": np.float32, "is_sink": np.bool_,
}  # fmt: skip
_TYPES: Mapping[str, Mapping[str, type]] = {
    "heads": _OF_PLACE | dict.fromkeys((*MEASURES, *GOLD_MEASURES), np.float32),
    "links": _OF_PLACE | _OF_LINKS,
    "maps": _OF_PLACE | {"n_queries": np.int32, "n_keys": np.int32, "weights": np.object_},
    "states": {
        "id": np.int64, "states": np.object_, "position": np.int32, "token": np.int32, "next_token": np.int32,
        "state": np.object_, "exponent": np.int8,
    },
}  # fmt: skip


def no_rows(table: str) -> Columns:
    """The columns of an empty table, for a shard of which the model could read no pair; they equal those of other
    shards."""
    return {name: np.empty(0, kind) for name, kind in _TYPES[table].items()}


def axes_of(batch: Pass) -> dict[AttentionKind, Axes]:
    """Which tokens are real and which are sinks, on both axes of each kind."""
    source_sinks = _padded([sinks_of(row.source) for row in batch.rows], batch.source_is_real)
    fed_sinks = _padded([sinks_of(row.prefix) for row in batch.rows], batch.target_is_real)
    source, target = batch.source_is_real, batch.target_is_real
    is_causal = torch.tensor([not edits.lift_causal_mask for edits in batch.interventions], device=target.device)
    nowhere = torch.zeros_like(is_causal)
    return {
        "encoder_self": Axes(source, source, source_sinks, nowhere),
        "decoder_self": Axes(target, target, fed_sinks, is_causal),
        "cross": Axes(target, source, source_sinks, nowhere),
    }


def head_columns(bundle: Bundle, batch: Pass, axes: dict[AttentionKind, Axes]) -> Columns:
    """One row per sentence and head."""
    blocks = []
    for kind, layers in batch.weights.items():
        values = measure(layers, axes[kind], is_cross=kind == "cross")
        if isinstance(bundle.model, Transformer):
            norms = value_norms(bundle.model, kind, batch.recorded)
            values |= measure_norms(layers, norms, axes[kind])
        shape = values["entropy"].shape  # (B, L, H)
        gold = _gold(bundle, batch) if kind == "cross" else {}
        numbers = {name: values[name].cpu().numpy() for name in MEASURES if name in values} | gold
        nothing = np.full(shape, np.nan, np.float32)
        places = np.indices(shape, dtype=np.int32)
        ids = np.array([row.id for row in batch.rows], np.int64)
        block = {"id": ids[places[0]], "kind": np.full(shape, KINDS.index(kind), np.int8)}
        block |= {"layer": places[1].astype(np.int16), "head": places[2].astype(np.int16)}
        block |= {name: numbers.get(name, nothing).astype(np.float32) for name in (*MEASURES, *GOLD_MEASURES)}
        blocks.append({name: column.ravel() for name, column in block.items()})
    return concatenated(blocks)


def link_columns(batch: Pass, axes: dict[AttentionKind, Axes], code: Mapping[str, int]) -> Columns:
    """One row per query token and head: its strongest key.

    Args:
        code: the number of each token text.
    """
    fed = [row.prefix for row in batch.rows]
    blocks, fed_codes = [], _codes(fed, code)
    source, target = [row.source for row in batch.rows], [row.target for row in batch.rows]
    queries = {"encoder_self": source, "decoder_self": target, "cross": target}
    keys = {"encoder_self": source, "decoder_self": fed, "cross": source}
    for kind, layers in batch.weights.items():
        largest = zip(*(weights.max(-1) for weights in layers), strict=True)
        peak, place = (torch.stack(part, 1).cpu().numpy() for part in largest)  # (B, L, H, Q)
        b, layer, head, query = np.nonzero(np.broadcast_to(_array(axes[kind].query_is_real)[:, None, None], peak.shape))
        at = (b, layer, head, query)
        key = place[at]
        query_codes = _codes(queries[kind], code)
        key_codes = fed_codes if kind == "decoder_self" else _codes(keys[kind], code)
        ids = np.array([row.id for row in batch.rows], np.int64)
        blocks.append(
            {
                "id": ids[b],
                "kind": np.full(len(b), KINDS.index(kind), np.int8),
                "layer": layer.astype(np.int16),
                "head": head.astype(np.int16),
                "query": query.astype(np.int16),
                "query_token": query_codes[b, query],
                "fed_token": fed_codes[b, query] if kind != "encoder_self" else np.full(len(b), -1, np.int32),
                "token_kind": _kinds_of(queries[kind])[b, query],
                "key": key.astype(np.int16),
                "key_token": key_codes[b, key],
                "weight": peak[at].astype(np.float32),
                "is_sink": _array(axes[kind].key_is_sink)[b, key],
            }
        )
    return concatenated(blocks)


def concatenated(blocks: Sequence[Columns]) -> Columns:
    """Blocks of rows under one another."""
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]} if blocks else {}


def token_kinds(tokens: TokenSequence) -> list[TokenKind]:
    """The kind of each token: a mark, the first or last other piece, or one inside a word."""
    sinks = sinks_of(tokens)
    plain = [place for place in range(len(tokens)) if not sinks[place]]
    kinds: list[TokenKind] = []
    for place, word in enumerate(tokens.words):
        if word < 0:
            kinds.append("end")
        elif sinks[place]:
            kinds.append("punctuation")
        elif place == plain[0]:
            kinds.append("first")
        elif place == plain[-1]:
            kinds.append("last")
        else:
            kinds.append("subword" if place and word == tokens.words[place - 1] else "word")
    return kinds


def _gold(bundle: Bundle, batch: Pass) -> Columns:
    """Each sentence's own error, precision, recall and F1 for every cross-attention head; NaN without links."""
    if all(row.pair.links is None for row in batch.rows):
        return {}
    groups = word_groups(batch)
    maps = word_maps(bundle, batch, groups, weightings(bundle)[0], ROW_MEANINGS)
    n_layers, n_heads = bundle.config.n_decoder_layers, bundle.config.n_decoder_heads
    numbers = {name: np.full((len(batch.rows), n_layers, n_heads), np.nan, np.float32) for name in GOLD_MEASURES}
    for row in ROW_MEANINGS:
        for layer in range(n_layers):
            for head in range(n_heads):
                links = Aligner((Part(row, layer, head),), "raw").links(maps, groups, n_heads)
                for index, counted in enumerate(count(links, groups).tolist()):
                    if batch.rows[index].pair.links is not None:
                        counts = Counts(*counted)
                        for name in ("aer", "precision", "recall", "f1"):
                            numbers[f"{name}_{row}"][index, layer, head] = getattr(counts, name)
    return numbers


def _kinds_of(sequences: Sequence[TokenSequence]) -> NDArray[np.int8]:
    table = np.zeros((len(sequences), max(map(len, sequences))), np.int8)
    for row, tokens in enumerate(sequences):
        table[row, : len(tokens)] = [TOKEN_KINDS.index(kind) for kind in token_kinds(tokens)]
    return table


def _codes(sequences: Sequence[TokenSequence], code: Mapping[str, int]) -> NDArray[np.int32]:
    table = np.zeros((len(sequences), max(map(len, sequences))), np.int32)
    for row, tokens in enumerate(sequences):
        table[row, : len(tokens)] = [code[piece] for piece in tokens.pieces]
    return table


def _padded(claims: Sequence[NDArray[np.bool_]], is_real: Tensor) -> Tensor:
    table = np.zeros(is_real.shape, bool)
    for row, claim in enumerate(claims):
        table[row, : len(claim)] = claim
    return torch.from_numpy(table).to(is_real.device)


def _array(tensor: Tensor) -> NDArray:
    return tensor.cpu().numpy()
