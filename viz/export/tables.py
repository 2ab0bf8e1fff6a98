"""Attention as a tidy table: one row per weight."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from model.attention_files import AttentionRecord
from model.interventions import AttentionKind
from viz.spreadsheets import plain

COLUMNS = ("kind", "layer", "head", "query_index", "query_token", "key_index", "key_token", "weight")


def csv_bytes(
    record: AttentionRecord,
    *,
    kinds: Sequence[AttentionKind] | None = None,
    heads: Iterable[tuple[int, int]] | None = None,
) -> bytes:
    """UTF-8 CSV with a header, indexes from 0, weights to six significant digits.

    Cells under a causal mask do not exist and have no row. A token that a spreadsheet would run as a formula is
    written with an apostrophe before it; the indexes say which token it is in any case.

    Args:
        kinds: which to write; None means all.
        heads: (layer, head) to write; None means all.
    """
    buffer = StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    chosen = None if heads is None else set(heads)
    for kind in record.maps.kinds if kinds is None else kinds:
        writer.writerows(_rows(record, kind, chosen))
    return buffer.getvalue().encode("utf-8", "backslashreplace")


def _rows(record: AttentionRecord, kind: AttentionKind, heads: set[tuple[int, int]] | None) -> Iterable[tuple]:
    weights = record.maps.of(kind)
    if weights is None:
        return
    queries, keys = (tuple(map(plain, tokens)) for tokens in record.tokens(kind))
    masked = kind == "decoder_self" and record.is_causal
    for layer, in_layer in enumerate(weights.tolist()):
        for head, rows in enumerate(in_layer):
            if heads is not None and (layer, head) not in heads:
                continue
            for query, row in enumerate(rows):
                for key, weight in enumerate(row[: query + 1] if masked else row):
                    yield kind, layer, head, query, queries[query], key, keys[key], f"{weight:.6g}"
