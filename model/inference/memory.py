"""Estimates the memory of a computation from shapes alone, before it begins.

Attention grows with layers × heads × length²: a model of a few megabytes with hundreds of narrow layers needs
gigabytes for one sentence. The estimates are upper bounds of the peak.
"""

import os
from typing import Any

from model.interventions import attention_shapes
from model.text.tokens import TextError

VARIABLE = "REGARD_COMPUTATION_MB"
"""Default limit for one computation in MiB; the application sets 1024."""
_DEFAULT_MB = 4096
_FLOAT = 4
_COPIES = 3
"""Copies of each weight: the layer's, the stack of all layers, and the returned array."""
_MIB = 1 << 20


class TooLargeError(TextError):
    """The attention of a text would take more memory than the limit."""


def most_mb() -> int:
    """The limit for one computation in MiB."""
    limit = os.environ.get(VARIABLE, "")
    return int(limit) if limit.isdigit() and int(limit) > 0 else _DEFAULT_MB


def forced_bytes(config: Any, *, n_source: int, n_target: int, batch: int = 1) -> int:
    """Memory in bytes of one teacher-forced pass over B translations of T tokens, with every head's attention."""
    encoder, decoder, cross = _weights(config, n_source, n_target)
    return batch * (_FLOAT * _COPIES * (encoder + decoder + cross) + _beside(config, n_source, n_target))


def decoding_bytes(config: Any, *, n_source: int, n_target: int, batch: int = 1, beam: int = 1) -> int:
    """Memory in bytes of decoding up to T tokens with a beam, with every step's attention."""
    encoder, decoder, cross = _weights(config, n_source, n_target)
    steps = beam * (decoder // 2 + cross)  # row t of decoder self-attention has t keys
    total = _COPIES * encoder + steps + 2 * (decoder + cross)
    return batch * (_FLOAT * total + beam * _beside(config, n_source, 1) + n_source**2)


def check(n_bytes: int, what: str, *, remedy: str = "take a shorter text") -> None:
    """Raise TooLargeError, with both numbers, if a computation needs more memory than the limit."""
    most = most_mb()
    if n_bytes > most * _MIB:
        raise TooLargeError(
            f"{what} would take about {n_bytes / _MIB:,.0f} MiB of memory, but one computation may use "
            f"{most:,} MiB: {remedy}, or raise REGARD_COMPUTATION_MB on a machine of your own"
        )


def check_forced(config: Any, *, n_source: int, n_target: int, batch: int = 1) -> None:
    """``check`` a teacher-forced pass."""
    needed = forced_bytes(config, n_source=n_source, n_target=n_target, batch=batch)
    remedy = "take shorter texts, or fewer at once" if batch > 1 else "take a shorter text"
    check(needed, f"the attention of {_describe(config, n_source, n_target, batch)}", remedy=remedy)


def check_decoding(config: Any, *, n_source: int, n_target: int, batch: int = 1, beam: int = 1) -> None:
    """``check`` decoding at its largest possible length."""
    needed = decoding_bytes(config, n_source=n_source, n_target=n_target, batch=batch, beam=beam)
    what = f"translating {_describe(config, n_source, n_target, batch)}" + (f", beam {beam}," if beam > 1 else "")
    remedy = "take a shorter text, a smaller max_length" + (" or a smaller beam" if beam > 1 else "")
    check(needed, what, remedy=remedy)


def check_texts(config: Any, *, n_source: int, n_target: int, batch: int, beam: int = 1) -> None:
    """``check`` translating a batch of texts without attention."""
    needed = batch * beam * _beside(config, n_source, n_target)
    check(needed, f"translating {batch} texts of up to {n_source:,} tokens", remedy="take shorter texts")


def _weights(config: Any, n_source: int, n_target: int) -> tuple[int, int, int]:
    """Number of weights of each kind of attention."""
    encoder, decoder, cross = (layers * heads for layers, heads in attention_shapes(config).values())
    return encoder * n_source**2, decoder * n_target**2, cross * n_target * n_source


def _beside(config: Any, n_source: int, n_target: int) -> int:
    """Memory beside attention: logits, the residual stream captured with it, and masks."""
    logits = 2 * n_target * config.target_vocab_size
    stream = 2 * config.d_model * (config.n_encoder_layers * n_source + config.n_decoder_layers * n_target)
    return _FLOAT * (logits + stream) + n_source**2 + n_target**2


def _describe(config: Any, n_source: int, n_target: int, batch: int) -> str:
    (encoder, encoder_heads), (decoder, decoder_heads), _ = attention_shapes(config).values()
    many = f"{batch} × " if batch > 1 else ""
    return (
        f"{many}{n_source:,} and up to {n_target:,} tokens in {encoder} layers of {encoder_heads} heads "
        f"and {decoder} of {decoder_heads}"
    )
