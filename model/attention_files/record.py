"""The attention of one sentence or sentence pair, with its tokens and provenance."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from model.analysis.agreement import WeightKind
from model.bundle import Bundle
from model.errors import RegardError
from model.intervention_text import write_changes
from model.interventions import AttentionKind
from model.trace import AttentionMaps, Floats, Trace

TEXT_FIELDS = ("source_text", "text", "model", "target_language", "fingerprint", "weighting", "changes")
"""Fields of a record that are text."""
MAX_FILE_TOKENS = 4096
MAX_TOKEN_CHARACTERS = 100_000
ROW_TOLERANCE = 0.02
"""Tolerance of a row's sum above 1: the error of half precision over a thousand keys is smaller."""


class RecordError(RegardError, ValueError):
    """Weights and tokens differ in size, or values cannot be attention weights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionRecord:
    """Weights and tokens of any model, with one to three kinds of attention.

    Row t of ``decoder_self`` and ``cross`` is fed ``prefix_tokens[t]`` and predicts ``target_tokens[t]``.

    Raises:
        RecordError: when shapes and tokens do not fit, or weights are not finite or not weights.
    """

    maps: AttentionMaps
    source_tokens: tuple[str, ...] = ()
    """S pieces."""
    target_tokens: tuple[str, ...] = ()
    """T pieces as predicted; the tokens themselves for a model that does not translate."""
    prefix_tokens: tuple[str, ...] | None = None
    """T pieces as fed; None if they are unknown or equal."""
    source_text: str = ""
    text: str = ""
    model: str = ""
    """Name of the model."""
    target_language: str = ""
    """Language code of the target, such as "fr" or "fra_Latn", if known."""
    fingerprint: str = ""
    """Hex SHA-256 of the model's weights, if known."""
    weighting: WeightKind = "raw"
    """The meaning of the numbers: weights after softmax, or another weighting."""
    log_probs: Floats | None = None
    """(T,) natural logarithm of each predicted token's probability, if known."""
    is_causal: bool = True
    """Whether decoder self-attention sees no later token."""
    changes: str = ""
    """The interventions in force, as ``model.intervention_text`` writes them; empty for none."""

    def __post_init__(self) -> None:
        if not self.maps.kinds:
            raise RecordError("there is no attention: give encoder_self, decoder_self or cross")
        for name in ("source_tokens", "target_tokens", "prefix_tokens"):
            self._check_tokens(name, getattr(self, name))
        for kind in self.maps.kinds:
            weights = self.maps.of(kind)
            assert weights is not None
            self._check_shape(kind, weights)
            check_weights(kind, weights, weighting=self.weighting)
        n_target = len(self.target_tokens)
        if self.prefix_tokens is not None and len(self.prefix_tokens) != n_target:
            raise RecordError(f"{len(self.prefix_tokens)} prefix_tokens for {n_target} target_tokens: give one each")
        if self.log_probs is not None and self.log_probs.shape != (n_target,):
            raise RecordError(f"log_probs is {self.log_probs.shape} for {n_target} target_tokens: give one each")

    @classmethod
    def of(
        cls,
        trace: Trace,
        *,
        bundle: Bundle | None = None,
        maps: AttentionMaps | None = None,
        weighting: WeightKind = "raw",
        n_forced: int = 0,
        n_given: int | None = None,
    ) -> AttentionRecord:
        """The record of a trace.

        Args:
            maps: another weighting that replaces the raw weights.
            n_forced: number of forced tokens at the beginning of the translation.
            n_given: ``n_forced`` under its name in earlier versions.
        """
        if n_given is not None:
            warnings.warn("n_given of AttentionRecord.of is now called n_forced", DeprecationWarning, stacklevel=2)
            n_forced = n_given
        return cls(
            maps=trace.attention if maps is None else maps,
            source_tokens=trace.source_tokens,
            target_tokens=trace.target_tokens,
            prefix_tokens=trace.prefix_tokens,
            source_text=trace.source_text,
            text=trace.text,
            model="" if bundle is None else bundle.name,
            target_language="" if bundle is None else bundle.target_language or "",
            fingerprint="" if bundle is None else bundle.fingerprint,
            weighting=weighting,
            log_probs=trace.log_probs,
            is_causal=not trace.interventions.lift_causal_mask,
            changes=write_changes(trace.interventions, n_forced),
        )

    def tokens(self, kind: AttentionKind) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Query and key tokens of a kind; decoder queries are labelled by the tokens that they predict."""
        queries = self.source_tokens if kind == "encoder_self" else self.target_tokens
        fed = self.target_tokens if self.prefix_tokens is None else self.prefix_tokens
        return queries, fed if kind == "decoder_self" else self.source_tokens

    def without(self, token: str) -> AttentionRecord:
        """The record without the rows and columns of one token, such as the padding of a batch.

        Raises:
            RecordError: when no token remains.
        """
        source, target = (
            [i for i, piece in enumerate(tokens) if piece != token]
            for tokens in (self.source_tokens, self.target_tokens)
        )
        if not (source or target):
            raise RecordError(f"every token is “{token[:40]}”: name another as padding")
        places = {"encoder_self": (source, source), "decoder_self": (target, target), "cross": (target, source)}
        maps = {kind: None if (weights := getattr(self.maps, kind)) is None else weights[:, :, rows][:, :, :, columns]
                for kind, (rows, columns) in places.items()}  # fmt: skip
        prefix, scores = self.prefix_tokens, self.log_probs
        return replace(
            self, maps=AttentionMaps(**maps), source_tokens=tuple(self.source_tokens[i] for i in source),
            target_tokens=tuple(self.target_tokens[i] for i in target),
            prefix_tokens=None if prefix is None else tuple(prefix[i] for i in target),
            log_probs=None if scores is None else scores[target],
        )  # fmt: skip

    def _check_tokens(self, name: str, tokens: Sequence[str] | None) -> None:
        if tokens is None:
            return
        if len(tokens) > MAX_FILE_TOKENS:
            raise RecordError(f"{len(tokens):,} {name}: the limit is {MAX_FILE_TOKENS:,}")
        for index, token in enumerate(tokens):
            if not isinstance(token, str):
                raise RecordError(f"{name}[{index}] is {type(token).__name__}: give text")
            if len(token) > MAX_TOKEN_CHARACTERS:
                raise RecordError(f"{name}[{index}] has {len(token):,} characters: is this one token?")

    def _check_shape(self, kind: AttentionKind, weights: Floats) -> None:
        queries, keys = self.tokens(kind)
        if 0 in weights.shape:
            raise RecordError(f"{kind} is empty, {weights.shape}: leave it out instead")
        if weights.shape[2:] != (len(queries), len(keys)):
            raise RecordError(
                f"{kind} has maps of {weights.shape[2]} × {weights.shape[3]} for {len(queries)} query and "
                f"{len(keys)} key tokens: give as many tokens as the maps have rows and columns"
            )


def check_weights(kind: str, weights: Floats, *, weighting: WeightKind) -> None:
    """Raise RecordError for invalid weights."""
    if not np.isfinite(weights).all():
        layer, head, query, key = (int(i) for i in np.argwhere(~np.isfinite(weights))[0])
        raise RecordError(
            f"{kind} is {weights[layer, head, query, key]} at layer {layer}, head {head}, query {query}, key {key}: "
            "the model's weights are probably broken"
        )
    if weighting == "gradient":
        return
    if weights.min() < 0:
        raise RecordError(f"{kind} has {weights.min():.4g}, but weights cannot be negative: give them after softmax")
    if weighting == "value_weighted":
        return
    largest = float(weights.sum(-1).max())
    if largest > 1 + ROW_TOLERANCE:
        raise RecordError(f"a row of {kind} sums to {largest:.4g}, more than 1: give weights after softmax")
