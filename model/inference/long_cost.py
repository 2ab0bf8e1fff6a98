"""Estimates the cost of a pass over a long text: memory from shapes, time from two short passes."""

import time
from dataclasses import dataclass
from typing import cast

import torch

from model.bundle import Bundle
from model.interventions import KINDS, attention_shapes
from model.nn.attention_selection import AttentionSelection
from model.nn.transformer import Transformer

_PROBES = (256, 1024)
"""Lengths of the two short passes, from which the linear and the quadratic term of a layer's time follow."""
_BLOCKS, _FLOAT = 48, 4
_WORKING = 64 << 20
"""Bytes of the attention weights and products that a pass holds at once."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The estimated memory and time of a pass."""

    seconds: float
    n_bytes: int
    """Peak memory in addition to the model's."""


@dataclass(frozen=True, slots=True)
class Speed:
    """The speed of one layer on this machine: n tokens take ``n * of_token + n² * of_pair`` seconds."""

    of_token: float
    of_pair: float

    def of_layer(self, n_tokens: int) -> float:
        """Seconds for ``n_tokens`` tokens."""
        return n_tokens * self.of_token + n_tokens**2 * self.of_pair


def layers_to_run(bundle: Bundle, layers: tuple[int, ...] | None) -> tuple[int, int]:
    """How many encoder and decoder layers must run to reach ``layers``; the decoder needs the whole encoder."""
    model = cast(Transformer, bundle.model)
    n_encoder, n_decoder = len(model.encoder.layers), len(model.decoder.layers)
    if layers is None:
        return n_encoder, n_decoder
    depth = max(layers) + 1
    return n_encoder if n_decoder else min(depth, n_encoder), min(depth, n_decoder)


def operations(bundle: Bundle, n_source: int, n_target: int, layers: tuple[int, ...] | None = None) -> float:
    """FLOPs of a pass: two per layer weight and token, and the products of each pair of tokens."""
    model = cast(Transformer, bundle.model)
    n_encoder, n_decoder = layers_to_run(bundle, layers)
    total = 0.0
    for stack, n_layers, n_tokens, n_keys in (
        (model.encoder, n_encoder, n_source, n_source), (model.decoder, n_decoder, n_target, n_target + n_source)
    ):  # fmt: skip
        for layer in list(stack.layers)[:n_layers]:
            total += 2 * n_tokens * sum(parameter.numel() for parameter in layer.parameters())
            total += 4 * n_tokens * n_keys * model.config.d_model
    return total


def long_bytes(bundle: Bundle, n_source: int, n_target: int, layers: tuple[int, ...] | None = None) -> int:
    """Memory of a pass without the model's: every layer's input, one layer's intermediates, and the block means."""
    model = cast(Transformer, bundle.model)
    config, number = model.config, next(model.parameters()).element_size()
    n_encoder, n_decoder = layers_to_run(bundle, layers)
    states = n_encoder * n_source + n_decoder * n_target
    wide = max(spec.d_feed_forward for encoder in (True, False) for spec in config.layers(encoder=encoder))
    working = max(n_source, n_target) * (6 * config.d_model + 3 * wide)
    means = sum(
        (n_layers if layers is None else len(layers)) * n_heads * _BLOCKS**2
        for n_layers, n_heads in (attention_shapes(config)[kind] for kind in KINDS)
    )
    return number * (config.d_model * states + working) + 2 * _FLOAT * means + n_target**2 + _WORKING


@torch.inference_mode()
def speed(bundle: Bundle) -> Speed:
    """Time one layer of a model on two short texts, with the current number of threads."""
    short, long = _PROBES
    first, second = (_seconds(bundle, n) for n in _PROBES)
    of_pair = max(0.0, (second / long - first / short) / (long - short))
    return Speed(max(0.0, second / long - long * of_pair), of_pair)


def estimate_cost(
    bundle: Bundle, n_source: int, n_target: int, measured: Speed, layers: tuple[int, ...] | None = None
) -> Expected:
    """Estimate a pass over S source tokens and T tokens of the decoder."""
    n_encoder, n_decoder = layers_to_run(bundle, layers)
    both = n_source + n_target  # decoder queries attend to target and source tokens
    of_decoder = n_target * measured.of_token + n_target * both * measured.of_pair
    seconds = n_encoder * measured.of_layer(n_source) + n_decoder * of_decoder
    return Expected(seconds, long_bytes(bundle, n_source, n_target, layers))


def _seconds(bundle: Bundle, n_tokens: int) -> float:
    """The time of the first layer over ``n_tokens`` tokens with block-averaged weights; the faster of two runs."""
    model = cast(Transformer, bundle.model)
    layer = (model.encoder if model.config.n_encoder_layers else model.decoder).layers[0]
    parameter = next(layer.parameters())
    x = torch.zeros(1, n_tokens, model.config.d_model, dtype=parameter.dtype, device=parameter.device)
    x[..., ::2] = 1
    masks = (None,) if model.config.n_encoder_layers else (None, None, None)
    times = []
    for _ in range(2):
        began = time.perf_counter()
        layer(x, *masks, capture=AttentionSelection(block=max(1, n_tokens // _BLOCKS)))
        times.append(time.perf_counter() - began)
    return min(times)
