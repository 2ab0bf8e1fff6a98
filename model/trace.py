"""What leaves ``model/``: frozen values of NumPy arrays and strings, their shapes checked when they are built."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.interventions import KINDS, NONE, AttentionKind, Interventions

Floats = NDArray[np.float32]


class ShapeError(ValueError):
    """Arrays that do not belong together."""


@dataclass(frozen=True, slots=True)
class TokenSequence:
    """N tokens and what is known of each."""

    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    """As the vocabulary writes them, word boundary marks included."""
    words: tuple[int, ...]
    """Index of the word that each piece belongs to; -1 for a special token."""
    spans: tuple[tuple[int, int] | None, ...]
    """Character range of each piece in the text; None where there is none."""

    def __post_init__(self) -> None:
        lengths = {len(self.ids), len(self.pieces), len(self.words), len(self.spans)}
        if len(lengths) != 1:
            raise ShapeError(f"ids, pieces, words and spans differ in length: {sorted(lengths)}")

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def is_special(self) -> tuple[bool, ...]:
        """Begin, end, padding: tokens that stand for no text."""
        return tuple(word < 0 for word in self.words)


@dataclass(frozen=True, slots=True)
class AttentionMaps:
    """Every weight of one sentence pair. A kind that the model does not have is None."""

    encoder_self: Floats | None
    """(L, H, S, S)"""
    decoder_self: Floats | None
    """(L, H, T, T)"""
    cross: Floats | None
    """(L, H, T, S)"""

    def __post_init__(self) -> None:
        for kind in KINDS:
            weights = self.of(kind)
            if weights is not None and weights.ndim != 4:
                raise ShapeError(f"{kind} must be (layer, head, query, key), not {weights.shape}")

    def of(self, kind: AttentionKind) -> Floats | None:
        """The weights of one kind, (L, H, query, key)."""
        return getattr(self, kind)

    @property
    def kinds(self) -> tuple[AttentionKind, ...]:
        """The kinds of attention that this model has."""
        return tuple(kind for kind in KINDS if self.of(kind) is not None)


@dataclass(frozen=True, slots=True)
class BatchAttention:
    """What ``attend`` returns for a padded batch."""

    encoder_self: Floats | None
    """(B, L, H, S, S)"""
    decoder_self: Floats | None
    """(B, L, H, T, T)"""
    cross: Floats | None
    """(B, L, H, T, S)"""
    logits: Floats | None
    """(B, T, V); log-probabilities where the original gives those."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The most probable next tokens at each of T steps, best first."""

    ids: NDArray[np.int64]
    """(T, C)"""
    log_probs: Floats
    """(T, C), natural logarithm."""
    pieces: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        if self.ids.shape != self.log_probs.shape or len(self.pieces) != len(self.ids):
            raise ShapeError(f"candidates: ids {self.ids.shape}, log_probs {self.log_probs.shape}")


@dataclass(frozen=True, slots=True)
class Trace:
    """One translation, and everything the model attended to while making it.

    Row ``t`` of ``decoder_self`` and ``cross`` is the step that is fed ``prefix_tokens[t]`` and predicts
    ``target_tokens[t]``.
    """

    source_text: str
    text: str
    """The translation, detokenised."""
    source: TokenSequence
    """S tokens as the encoder reads them."""
    target: TokenSequence
    """T tokens as predicted, end of sentence included."""
    prefix: TokenSequence
    """T tokens as fed to the decoder: begin of sentence and the first T-1 predictions."""
    log_probs: Floats
    """(T,) natural logarithm of each predicted token's probability."""
    attention: AttentionMaps
    positional: Floats | None
    """(max(S, T), D) the encoding in use."""
    candidates: Candidates | None = None
    is_truncated: bool = False
    """The length limit ended the translation before the model did."""
    interventions: Interventions = NONE

    def __post_init__(self) -> None:
        s, t = len(self.source), len(self.target)
        if len(self.prefix) != t or self.log_probs.shape != (t,):
            raise ShapeError(f"{t} predicted tokens, {len(self.prefix)} fed, log_probs {self.log_probs.shape}")
        shapes: dict[AttentionKind, tuple[int, int]] = {"encoder_self": (s, s), "decoder_self": (t, t), "cross": (t, s)}
        for kind, expected in shapes.items():
            weights = self.attention.of(kind)
            if weights is not None and weights.shape[2:] != expected:
                raise ShapeError(f"{kind} is {weights.shape[2:]} for {expected} tokens")

    @property
    def is_cut(self) -> bool:
        """``is_truncated`` under its earlier name."""
        return self.is_truncated

    @property
    def source_tokens(self) -> tuple[str, ...]:
        """S pieces."""
        return self.source.pieces

    @property
    def target_tokens(self) -> tuple[str, ...]:
        """T pieces as predicted."""
        return self.target.pieces

    @property
    def prefix_tokens(self) -> tuple[str, ...]:
        """T pieces as fed."""
        return self.prefix.pieces
