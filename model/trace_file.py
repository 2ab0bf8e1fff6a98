"""A Trace as an .npz file that NumPy, and every other program that reads one, can open.

    schema           "regard-attention/1"
    source_text, text, model, fingerprint                    strings
    source_tokens (S,), prefix_tokens (T,), target_tokens (T,)  strings
    log_probs (T,)                                           float32, natural logarithm
    encoder_self (L, H, S, S), decoder_self (L, H, T, T), cross (L, H, T, S)   float32, after softmax

Row t of decoder_self and cross is fed prefix_tokens[t] and predicts target_tokens[t]. A kind that the model does not
have is absent. Nothing in it is pickled.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from model.atomic import write_atomically
from model.trace import Trace

SCHEMA = "regard-attention/1"


def npz_bytes(trace: Trace, *, model: str = "", fingerprint: str = "") -> bytes:
    """The trace as the bytes of a compressed .npz."""
    arrays: dict[str, Any] = {
        "schema": SCHEMA,
        "source_text": trace.source_text,
        "text": trace.text,
        "model": model,
        "fingerprint": fingerprint,
        "source_tokens": np.array(trace.source_tokens, dtype=np.str_),
        "prefix_tokens": np.array(trace.prefix_tokens, dtype=np.str_),
        "target_tokens": np.array(trace.target_tokens, dtype=np.str_),
        "log_probs": trace.log_probs,
    }
    for kind in trace.attention.kinds:
        arrays[kind] = trace.attention.of(kind)
    buffer = BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def write_npz(trace: Trace, path: Path | str, *, model: str = "", fingerprint: str = "") -> Path:
    """Write the trace, whole or not at all.

    Raises:
        OSError: when the file cannot be written; what was there before stays.
    """
    write_atomically(Path(path), npz_bytes(trace, model=model, fingerprint=fingerprint))
    return Path(path)
