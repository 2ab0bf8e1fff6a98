"""The Arrow tables of a survey's shard, from the columns of all its batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from model.corpus.batches import Row
from model.corpus.surveying import Options, Part, Shard
from model.corpus.tables import TEXTS_OF_LINKS, TOKEN_KINDS, Columns, concatenate
from model.interventions import KINDS
from model.lazy import sacrebleu
from model.text.language_codes import bleu_tokenizer


def tables_of(shard: Shard, parts: Sequence[Part], options: Options) -> dict[str, pa.Table]:
    """The tables of a shard, from the columns of all its batches."""
    scores = {number: value for part in parts for number, value in part.scores.items()}
    own_texts = {number: text for part in parts for number, text in part.own_texts.items()}
    tables = {"sentences": _sentences(shard.rows, scores, own_texts, language=shard.language)}
    texts = pa.array(list(shard.code), pa.string())
    for name in ("heads", "links", *(["maps"] if options.maps else []), *(["states"] if options.states else [])):
        columns = concatenate(name, [part.tables[name] for part in parts])
        tables[name] = _arrow(columns, texts, slim=options.slim)
    return tables


def _sentences(
    rows: Sequence[Row],
    scores: Mapping[int, tuple[float | None, float | None]],
    own_texts: dict[int, str],
    *,
    language: str | None,
) -> pa.Table:
    bleu, chrf = sacrebleu.BLEU(effective_order=True, tokenize=bleu_tokenizer(language)), sacrebleu.CHRF()
    translated = [own_texts.get(row.id) for row in rows]
    columns = {
        "id": pa.array([row.id for row in rows], pa.int64()),
        "source": pa.array([row.pair.source for row in rows], pa.string()),
        "target": pa.array([row.pair.target for row in rows], pa.string()),
        "translation": pa.array(translated, pa.string()),
        "links": pa.array([row.pair.links.pharaoh if row.pair.links else None for row in rows], pa.string()),
        "log_prob": pa.array([scores[row.id][0] for row in rows], pa.float32()),
        "log_prob_per_token": pa.array([_ratio(scores[row.id][0], len(row.target)) for row in rows], pa.float32()),
        "chrf": pa.array(_score_sentences(chrf, rows, translated), pa.float32()),
        "bleu": pa.array(_score_sentences(bleu, rows, translated), pa.float32()),
        "source_contribution": pa.array([scores[row.id][1] for row in rows], pa.float32()),
        "n_source": pa.array([len(row.source) for row in rows], pa.int32()),
        "n_target": pa.array([len(row.target) for row in rows], pa.int32()),
        "length_ratio": pa.array([_ratio(len(row.target), len(row.source)) for row in rows], pa.float32()),
        "source_tokens": pa.array([list(row.source.pieces) for row in rows], pa.list_(pa.string())),
        "target_tokens": pa.array([list(row.target.pieces) for row in rows], pa.list_(pa.string())),
    }
    return pa.table(columns)


def _ratio(value: float | None, count: int) -> float | None:
    """The value per count; None for a single-stack model, which has no such side."""
    return value / count if value is not None and count else None


def _score_sentences(
    metric: sacrebleu.BLEU | sacrebleu.CHRF, rows: Sequence[Row], translated: Sequence[str | None]
) -> list[float | None]:
    return [
        None if text is None else metric.sentence_score(text, [row.pair.target]).score
        for row, text in zip(rows, translated, strict=True)
    ]


def _arrow(columns: Columns, texts: pa.Array, *, slim: bool) -> pa.Table:
    """Sort columns by head, then in corpus order; codes become texts, and undefined values become null."""
    order = _order([columns[name] for name in ("kind", "layer", "head", "id", "query") if name in columns])
    if slim:
        columns = {
            name: np.round(column, 2) if column.dtype == np.float32 else column
            for name, column in columns.items()
            if name not in TEXTS_OF_LINKS
        }
    return pa.table({name: _column(name, column[order], texts) for name, column in columns.items()})


def _order(keys: Sequence[NDArray]) -> NDArray[np.int64]:
    """The sorted order of rows, by the first key, then the next. Sorting by one number that combines all keys is far
    faster. The rows of heads are unique, so they do not need a stable sort, which is slower."""
    whole = np.zeros(len(keys[0]), np.int64)
    for key in keys if len(whole) else ():
        low = int(key.min())
        whole = whole * (int(key.max()) - low + 1) + (key - low)
    return np.argsort(whole, kind="stable" if len(keys) == 1 else None)


def _column(name: str, values: NDArray, texts: pa.Array) -> pa.Array:
    if name == "kind":
        return pa.DictionaryArray.from_arrays(pa.array(values), pa.array(KINDS))
    if name == "token_kind":
        return pa.DictionaryArray.from_arrays(pa.array(values), pa.array(TOKEN_KINDS))
    if name.endswith("token"):
        return pa.DictionaryArray.from_arrays(pa.array(values, mask=values < 0), texts)
    if name == "states":
        return pa.array(values, pa.string())
    if values.dtype == np.float32:
        return pa.array(values, mask=np.isnan(values))
    return pa.array(values, pa.binary()) if name in ("weights", "state") else pa.array(values)
