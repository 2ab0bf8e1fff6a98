"""Attention rollout (Abnar & Zuidema 2020, section 3): follow attention through the layers back to the input.

Each layer is half attention (mean over heads) and half residual connection, and the layers are multiplied. The paper
treats one stack. For a decoder the same rule gives two maps, to the tokens fed and, through cross-attention and the
encoder's rollout, to the source; their rows sum to 1 together.
"""

import numpy as np
from numpy.typing import NDArray

from model.trace import AttentionMaps, Floats

Exact = NDArray[np.float64]


def rollout(maps: AttentionMaps) -> AttentionMaps:
    """Rollout up to and including each layer: one map per layer, since the paper averages the heads.

    Returns:
        ``encoder_self`` (L, 1, S, S), rows sum to 1. ``decoder_self`` (L, 1, T, T) and ``cross`` (L, 1, T, S), whose
        equal rows sum to 1 together. A kind is None if its inputs are missing; without an encoder's maps, ``cross``
        refers to the encoder's output instead of the source tokens.
    """
    encoder = None if maps.encoder_self is None else _stack(maps.encoder_self)
    if maps.decoder_self is None:
        return AttentionMaps(_stack_flows(encoder), None, None)
    if maps.cross is None:
        return AttentionMaps(_stack_flows(encoder), _stack_flows(_stack(maps.decoder_self)), None)
    n_source = maps.cross.shape[-1]
    memory = np.eye(n_source) if encoder is None else encoder[-1]
    prefix, source = _decoder(maps.decoder_self, maps.cross, memory)
    return AttentionMaps(_stack_flows(encoder), _stack_flows(prefix), _stack_flows(source))


def _stack(weights: Floats) -> list[Exact]:
    flow = np.eye(weights.shape[-1])
    flows = []
    for layer in weights.astype(np.float64).mean(1):  # (N, N)
        flow = 0.5 * layer @ flow + 0.5 * flow
        flows.append(flow)
    return flows


def _decoder(self_weights: Floats, cross_weights: Floats, memory: Exact) -> tuple[list[Exact], list[Exact]]:
    prefix, source = np.eye(self_weights.shape[-1]), np.zeros(cross_weights.shape[-2:])
    prefixes, sources = [], []
    for self_attention, cross in zip(
        self_weights.astype(np.float64).mean(1), cross_weights.astype(np.float64).mean(1), strict=True
    ):
        prefix, source = 0.5 * self_attention @ prefix + 0.5 * prefix, 0.5 * self_attention @ source + 0.5 * source
        prefix, source = 0.5 * prefix, 0.5 * source + 0.5 * cross @ memory
        prefixes.append(prefix)
        sources.append(source)
    return prefixes, sources


def _stack_flows(flows: list[Exact] | None) -> Floats | None:
    return None if flows is None else np.stack(flows)[:, None].astype(np.float32)  # (L, 1, Q, K)
