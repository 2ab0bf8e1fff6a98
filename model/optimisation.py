"""What makes a Transformer trainable, measured: first weights, smoothed targets, dropout, the place of the norm."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from model.checkpoints.bundle import Bundle
from model.inspection import transformer_of
from model.trace import Floats
from model.transformer import Transformer

_VOCABULARY, _SENTENCES, _TOKENS = 256, 8, 12


@dataclass(frozen=True, slots=True)
class LayerGradients:
    """Norms of the loss's gradient at the first step, layer by layer, encoder first."""

    names: tuple[str, ...]
    """"encoder.0", …, "decoder.3"."""
    post_norm: Floats
    """(layers,), of all weights of the layer."""
    pre_norm: Floats


def gradient_norms(bundle: Bundle, *, seed: int) -> LayerGradients:
    """Build the model's shape twice, post-norm and pre-norm, with equal first weights, and take one gradient.

    The vocabulary is small and the sentences random: what is compared is the flow through the layers (Xiong et al.
    2020, figure 3).

    Raises:
        InspectionError: for a model that runs in its original implementation.
    """
    config = transformer_of(bundle).config
    norms, names = [], ()
    for norm_first in (False, True):
        changed = dataclasses.replace(
            config, source_vocab_size=_VOCABULARY, target_vocab_size=_VOCABULARY, encoder_norm_first=norm_first,
            decoder_norm_first=norm_first, encoder_final_norm=norm_first, decoder_final_norm=norm_first,
            source_pad_id=0, target_pad_id=0, bos_id=2, eos_id=3, dropout=0.0,
            source_position_order=None, target_position_order=None,
        )  # fmt: skip
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            model = Transformer(changed)
            source, target = torch.randint(4, _VOCABULARY, (2, _SENTENCES, _TOKENS))
        with torch.inference_mode(False), torch.enable_grad():
            logits = model(source, target).logits
            torch.nn.functional.cross_entropy(logits.flatten(0, 1), target.roll(-1, 1).flatten()).backward()
        stacks = (("encoder", model.encoder), ("decoder", model.decoder))
        layers = [(f"{name}.{i}", layer) for name, stack in stacks for i, layer in enumerate(stack.layers)]
        names = tuple(name for name, _ in layers)
        norms.append(np.array([_norm(layer) for _, layer in layers], np.float32))
    return LayerGradients(names, norms[0], norms[1])


def xavier_bound(n_in: int, n_out: int) -> float:
    """First weights are uniform within ± this: sqrt(6 / (in + out)), so that variance neither grows nor fades."""
    return math.sqrt(6 / (n_in + n_out))


@dataclass(frozen=True, slots=True)
class DepthSpread:
    """Standard deviation of a signal after each of a chain of linear layers."""

    xavier: Floats
    """(depth + 1,)"""
    small: Floats
    """The same with weights of a fifth of the size."""
    large: Floats
    """With weights of twice the size."""


def depth_spread(*, width: int, depth: int, seed: int) -> DepthSpread:
    """Send a random signal through ``depth`` linear layers, first weights drawn three ways."""
    random = np.random.default_rng(seed)
    found = []
    signal = random.normal(size=(64, width))
    bound = xavier_bound(width, width)
    matrices = random.uniform(-bound, bound, (depth, width, width))
    for factor in (1.0, 0.2, 2.0):
        x, spread = signal, [float(signal.std())]
        for matrix in matrices:
            x = x @ (matrix * factor)
            spread.append(float(x.std()))
        found.append(np.array(spread, np.float32))
    return DepthSpread(*found)


def smoothed_target(n_entries: int, target: int, smoothing: float) -> NDArray[np.float64]:
    """The distribution that training aims at, (V,): ``smoothing`` spread evenly over all, the rest on the target."""
    wished = np.full(n_entries, smoothing / n_entries)
    wished[target] += 1 - smoothing
    return wished


def dropped(weights: Floats, probability: float, *, seed: int) -> Floats:
    """Attention weights after dropout: some 0, the rest divided by 1 - p, so that a row no longer sums to 1."""
    keep = np.random.default_rng(seed).random(weights.shape) >= probability
    return (weights * keep / (1 - probability)).astype(np.float32)


def _norm(layer: torch.nn.Module) -> float:
    squares = sum(float(weight.grad.square().sum()) for weight in layer.parameters() if weight.grad is not None)
    return math.sqrt(squares)
