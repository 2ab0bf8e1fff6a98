"""Records as bytes of .npz and .json files; the schema is documented in docs/attention-files.md."""

import json
from io import BytesIO
from typing import Any

import numpy as np

from model.attention_files.record import TEXT_FIELDS, AttentionRecord
from model.trace import Floats

SCHEMA = "regard-attention/1"
UNITS = {
    "raw": "weight after softmax; a row sums to 1",
    "value_weighted": "norm of the weighted, transformed value vector (Kobayashi et al. 2020), residual-stream units",
    "rollout": "attention rollout (Abnar & Zuidema 2020); one map per layer, heads averaged",
    "gradient": "weight times gradient of the chosen word's log-probability, in nats, signed",
}
SIGNIFICANT_DIGITS = 6
"""Significant digits of float32."""


def npz_bytes(record: AttentionRecord) -> bytes:
    """A compressed .npz that NumPy reads without pickle."""
    arrays: dict[str, Any] = {name: np.array(value) for name, value in _words(record).items()}
    arrays["is_causal"] = np.array(record.is_causal)
    for name, tokens in _tokens(record).items():
        arrays[name] = np.array(tokens, dtype=np.str_)
    if record.log_probs is not None:
        arrays["log_probs"] = record.log_probs.astype(np.float32)
    for kind in record.maps.kinds:
        arrays[kind] = record.maps.of(kind)
    buffer = BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def json_bytes(record: AttentionRecord) -> bytes:
    """The same as UTF-8 JSON, weights as nested lists of six significant digits."""
    fields: dict[str, Any] = {**_words(record), "is_causal": record.is_causal}
    fields["axes"] = ["layer", "head", "query", "key"]
    fields.update({name: list(tokens) for name, tokens in _tokens(record).items()})
    if record.log_probs is not None:
        fields["log_probs"] = _rounded(record.log_probs)
        fields["log_probs_units"] = "natural logarithm"
    for kind in record.maps.kinds:
        weights = record.maps.of(kind)
        assert weights is not None
        fields[kind] = _rounded(weights)
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "backslashreplace")


def _words(record: AttentionRecord) -> dict[str, str]:
    return {"schema": SCHEMA, **{name: getattr(record, name) for name in TEXT_FIELDS}, "units": UNITS[record.weighting]}


def _tokens(record: AttentionRecord) -> dict[str, tuple[str, ...]]:
    tokens = {"source_tokens": record.source_tokens, "target_tokens": record.target_tokens}
    return tokens if record.prefix_tokens is None else {**tokens, "prefix_tokens": record.prefix_tokens}


def _rounded(values: Floats) -> list[Any]:
    flat = [float(f"{value:.{SIGNIFICANT_DIGITS}g}") for value in values.ravel().tolist()]
    return np.array(flat, dtype=object).reshape(values.shape).tolist()
