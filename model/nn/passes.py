"""The values that a pass through encoder and decoder returns, and the key-value cache between decoding steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from torch import Tensor

from model.nn.incremental import Layout
from model.nn.layers import KeysValues


@dataclass(frozen=True, slots=True)
class Routed:
    """The router's choices in one mixture-of-experts layer."""

    layer: int
    logits: Tensor
    """The router's score of each of E experts, (B, T, E)."""
    experts: Tensor
    """The experts chosen for each token, best first, int64 (B, T, k); -1 if the expert was at capacity."""
    weights: Tensor
    """The factors on the experts' outputs, (B, T, k)."""

    def of(self, n_rows: int) -> Routed:
        """The same split by batch row, for routers that flatten the batch: (B · T, …) -> (B, T, …)."""
        logits, experts, weights = (
            x if x.dim() == 3 else x.unflatten(0, (n_rows, -1)) for x in (self.logits, self.experts, self.weights)
        )
        return Routed(self.layer, logits, experts, weights)


@dataclass(frozen=True, slots=True)
class Encoded:
    """The encoder's output, with the mask and activations that the decoder needs."""

    memory: Tensor
    """The residual stream after the last layer and norm, (B, S, D)."""
    attn_mask: Tensor
    """True where a source token is not padding, bool (B, 1, 1, S)."""
    attention: tuple[Tensor, ...]
    """Each layer's weights (B, H, S, S); empty without capture."""
    hidden_states: tuple[Tensor, ...]
    """The residual stream before each layer and after the last, (B, S, D); empty without capture."""
    recorded: Mapping[str, Tensor] = field(default_factory=dict)
    """The activations that were asked for, by name."""
    patch_sources: Mapping[tuple[int, ...], Encoded] = field(default_factory=dict)
    """Encodings of the other texts that patches copy from, by their ids; one row each."""
    routed: tuple[Routed, ...] = ()
    """For each layer with experts; empty without capture."""

    def repeated(self, n_rows: int) -> Encoded:
        """Expand one sentence to n batch rows."""
        return Encoded(self.memory.expand(n_rows, -1, -1), self.attn_mask.expand(n_rows, -1, -1, -1), (), ())


@dataclass(frozen=True, slots=True)
class Cache:
    """Keys and values of the decoder so far; a step returns a new one and does not change this one."""

    self_attention: tuple[KeysValues, ...]
    """Per layer: keys (B, H, T, K) and values (B, H, T, M) of the tokens so far."""
    cross: tuple[KeysValues, ...]
    """Per layer: keys (B, H, S, K) and values (B, H, S, M) of the encoder's output."""
    attn_mask: Tensor
    """True where a target token so far is not padding, bool (B, T)."""
    layout: Layout | None = None
    """The packed weights; None before the second token, and for another library's model."""
    patch_sources: Mapping[tuple[int, ...], Cache] = field(default_factory=dict)
    """The caches of the same tokens over the texts that patches copy from, by their ids."""

    def reorder(self, rows: Tensor, *, is_same_source: bool = False) -> Cache:
        """The cache of the batch rows ``rows``, int64 (B',), for beam search.

        Args:
            is_same_source: whether each row keeps its source, so that cross-attention's keys and values stay.
        """
        return Cache(
            tuple((key[rows], value[rows]) for key, value in self.self_attention),
            self.cross if is_same_source else tuple((key[rows], value[rows]) for key, value in self.cross),
            self.attn_mask[rows],
            self.layout,
            {ids: cache.reorder(rows, is_same_source=is_same_source) for ids, cache in self.patch_sources.items()},
        )


@dataclass(frozen=True, slots=True)
class Decoded:
    """The decoder's output for the tokens it was fed."""

    hidden: Tensor
    """(B, T, D), after the last norm and before the output projection."""
    self_attention: tuple[Tensor, ...]
    """Each layer's weights (B, H, T, keys so far); empty without capture."""
    cross: tuple[Tensor, ...]
    """Each layer's weights (B, H, T, S); empty without capture."""
    hidden_states: tuple[Tensor, ...]
    """The residual stream before each layer and after the last, (B, T, D); empty without capture."""
    cache: Cache | None
    """The cache for the next step; None without ``keep_cache``."""
    recorded: Mapping[str, Tensor] = field(default_factory=dict)
    """The activations that were asked for, by name."""
    routed: tuple[Routed, ...] = ()
    """For each layer with experts; empty without capture."""


@dataclass(frozen=True, slots=True)
class Output:
    """One teacher-forced pass."""

    logits: Tensor
    """(B, T, V); log-probabilities where the configuration says so."""
    encoder_self: tuple[Tensor, ...]
    decoder_self: tuple[Tensor, ...]
    cross: tuple[Tensor, ...]
    """Per layer (B, H, query, key); empty without capture."""
