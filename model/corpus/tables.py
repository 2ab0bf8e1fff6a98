"""The measurements of one batch as columns: a row per sentence and head, and a row per token and head."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.analysis.measures import MEASURES, Axes, measure, measure_norms
from model.analysis.sinks import sinks_of
from model.bundle import Bundle
from model.corpus.alignment.aligners import (
    ROW_MEANINGS,
    SCORES,
    Aligner,
    Counts,
    Part,
    count,
    weightings,
    word_groups,
    word_maps,
)
from model.corpus.batches import Pass, Row
from model.inference.teacher_forcing import TeacherForced
from model.interpret.attribution import value_norms
from model.interventions import KINDS, AttentionKind
from model.nn.masks import pad
from model.nn.transformer import Transformer
from model.trace import TokenSequence

TokenKind = Literal["first", "last", "punctuation", "subword", "word", "end"]
TOKEN_KINDS: tuple[TokenKind, ...] = ("first", "last", "punctuation", "subword", "word", "end")
GOLD_MEASURES = tuple(f"{name}_{row}" for row in ROW_MEANINGS for name in SCORES)
"""Columns of cross-attention heads for sentences with links: by fed rows and by predicting rows."""
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


def axes_of(batch: Pass) -> dict[AttentionKind, Axes]:
    """Which tokens are real and which are sinks, on both axes of each kind."""
    source, target = batch.source_is_real, batch.target_is_real
    source_sinks, fed_sinks = (
        pad([sinks_of(tokens).astype(int) for tokens in read], 0, device=source.device).bool()
        for read in ([row.source for row in batch.rows], [row.prefix for row in batch.rows])
    )
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
        row, layer, head = np.indices(shape, dtype=np.int32)
        ids = np.array([row.id for row in batch.rows], np.int64)
        block = {"id": ids[row], "kind": np.full(shape, KINDS.index(kind)), "layer": layer, "head": head}
        block |= {name: numbers.get(name, nothing) for name in (*MEASURES, *GOLD_MEASURES)}
        blocks.append({name: column.ravel() for name, column in block.items()})
    return concatenate("heads", blocks)


def link_columns(batch: Pass, axes: dict[AttentionKind, Axes], code: Mapping[str, int]) -> Columns:
    """One row per query token and head: its strongest key.

    Args:
        code: the code of each token text.
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
        key = place[b, layer, head, query]
        query_codes = _codes(queries[kind], code)
        kinds = [[TOKEN_KINDS.index(each) for each in token_kinds(tokens)] for tokens in queries[kind]]
        key_codes = fed_codes if kind == "decoder_self" else _codes(keys[kind], code)
        ids = np.array([row.id for row in batch.rows], np.int64)
        blocks.append(
            {
                "id": ids[b], "kind": np.full(len(b), KINDS.index(kind)), "layer": layer, "head": head, "query": query,
                "query_token": query_codes[b, query],
                "fed_token": fed_codes[b, query] if kind != "encoder_self" else np.full(len(b), -1),
                "token_kind": pad(kinds, 0).numpy()[b, query], "key": key, "key_token": key_codes[b, key],
                "weight": peak[b, layer, head, query], "is_sink": _array(axes[kind].key_is_sink)[b, key],
            }
        )  # fmt: skip
    return concatenate("links", blocks)


def concatenate(table: str, blocks: Sequence[Columns]) -> Columns:
    """Concatenate blocks of a table's rows; without blocks, the table's columns with no rows."""
    return {
        name: np.concatenate([block[name] for block in blocks] or [[]]).astype(dtype, copy=False)
        for name, dtype in _TYPES[table].items()
    }


def scale_to_float16(states: Tensor) -> tuple[NDArray[np.float16], NDArray[np.int8]]:
    """States (…, D) as float16, and an exponent each, int8 (…,): ``unscale`` multiplies by 2 ** exponent.

    The exponent is 0 if float16 can represent the state, up to 65,504.
    """
    whole = states.float().cpu().numpy()
    _, exponents = np.frexp(np.abs(whole).max(-1))  # the largest value is below 2 ** exponent
    exponents = np.maximum(exponents - 15, 0).astype(np.int8)
    return np.ldexp(whole, -exponents[..., None].astype(np.int32)).astype(np.float16), exponents


def unscale(halves: NDArray[np.float16], exponents: NDArray[np.int8]) -> NDArray[np.floating]:
    """The inverse of ``scale_to_float16``, (N, D): unchanged float16 if every exponent is 0, otherwise float32."""
    return np.ldexp(halves.astype(np.float32), exponents[:, None].astype(np.int32)) if exponents.any() else halves


def stack_tokens(row: Row, states: str) -> tuple[TokenSequence, tuple[str, ...]]:
    """The tokens of states such as "encoder.2", and for each the next source token or the decoder's target."""
    return (
        (row.source, (*row.source.pieces[1:], "")) if states.startswith("encoder") else (row.prefix, row.target.pieces)
    )


def hidden_states(batch: TeacherForced[Any], states: str) -> Tensor:
    """A batch's residual stream at a layer of a stack, (B, S or T, D)."""
    stack, _, layer = states.partition(".")
    return (batch.encoded if stack == "encoder" else batch.decoded).hidden_states[int(layer)]


def token_kinds(tokens: TokenSequence) -> list[TokenKind]:
    """The kind of each token: special, punctuation, first or last of the others, or inside a word."""
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
    """Each sentence's alignment error, precision, recall and F1 for every cross-attention head; NaN without links."""
    if all(row.pair.links is None for row in batch.rows):
        return {}
    groups = word_groups(batch)
    maps = word_maps(bundle, batch, groups, weightings(bundle)[0], ROW_MEANINGS)
    n_layers, n_heads = bundle.config.n_decoder_layers, bundle.config.n_decoder_heads
    numbers = {name: np.full((len(batch.rows), n_layers, n_heads), np.nan, np.float32) for name in GOLD_MEASURES}
    for row, layer, head in product(ROW_MEANINGS, range(n_layers), range(n_heads)):
        links = Aligner((Part(row, layer, head),), "raw").links(maps, groups, n_heads)
        for index, counted in enumerate(count(links, groups).tolist()):
            if batch.rows[index].pair.links is not None:
                for name in SCORES:
                    numbers[f"{name}_{row}"][index, layer, head] = getattr(Counts(*counted), name)
    return numbers


def _codes(sequences: Sequence[TokenSequence], code: Mapping[str, int]) -> NDArray:
    return pad([[code[piece] for piece in tokens.pieces] for tokens in sequences], 0).numpy()


def _array(tensor: Tensor) -> NDArray:
    return tensor.cpu().numpy()
