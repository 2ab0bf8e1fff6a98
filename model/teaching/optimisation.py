"""Measures what makes a Transformer trainable: initialisation, label smoothing, dropout, pre-norm or post-norm."""

import copy
import dataclasses
import math
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.bundle import Bundle
from model.interpret.inspection import encoder_decoder_of
from model.nn.layers import DecoderLayer, EncoderLayer
from model.nn.transformer import Transformer
from model.trace import Floats

_VOCABULARY, _SENTENCES, _TOKENS = 256, 4, 10


@dataclass(frozen=True, slots=True)
class LayerGradients:
    """Norms of the loss's gradient at the first step, layer by layer, encoder first."""

    names: tuple[str, ...]
    """"encoder.0", …, "decoder.3"."""
    post_norm: Floats
    """(layers,), over all weights of a layer."""
    pre_norm: Floats


def gradient_norms(bundle: Bundle, *, seed: int) -> LayerGradients:
    """Build the model's shape twice, post-norm and pre-norm, with equal initial weights, and compute one gradient.

    The vocabulary is small and the sentences random: what is compared is the flow through the layers (Xiong et al.
    2020, figure 3).

    Raises:
        InspectionError: for a model that runs in its original implementation.
    """
    config = encoder_decoder_of(bundle).config
    changed = dataclasses.replace(
        config, layer_specs=tuple(dataclasses.replace(spec, norm_place="pre") for spec in config.layer_specs),
        source_vocab_size=_VOCABULARY, target_vocab_size=_VOCABULARY, source_pad_id=0, target_pad_id=0, bos_id=2,
        eos_id=3, dropout=0.0, encoder_norm_first=True, decoder_norm_first=True, encoder_final_norm=True,
        decoder_final_norm=True, source_position_order=None, target_position_order=None,
    )  # fmt: skip
    draw = torch.Generator().manual_seed(seed)
    pre_norm = Transformer.seeded(changed, draw)
    source, target = torch.randint(4, _VOCABULARY, (2, _SENTENCES, _TOKENS), generator=draw)
    post_norm = copy.deepcopy(pre_norm)
    for stack in (post_norm.encoder, post_norm.decoder):
        stack.final_norm = None
        for layer in stack.layers:
            assert isinstance(layer, EncoderLayer | DecoderLayer)
            layer.norm_first = False
    stacks = {"encoder": pre_norm.encoder, "decoder": pre_norm.decoder}
    names = tuple(f"{name}.{i}" for name, stack in stacks.items() for i in range(len(stack.layers)))
    return LayerGradients(names, *(_first_gradient(model, source, target) for model in (post_norm, pre_norm)))


def _first_gradient(model: Transformer, source: Tensor, target: Tensor) -> Floats:
    """Norm of the gradient of each layer's weights, encoder first."""
    logits = model(source, target).logits
    torch.nn.functional.cross_entropy(logits.flatten(0, 1), target.roll(-1, 1).flatten()).backward()
    gradients = [
        [weight.grad for weight in layer.parameters() if weight.grad is not None]
        for stack in (model.encoder, model.decoder) for layer in stack.layers
    ]  # fmt: skip
    return np.array([math.sqrt(sum(float(x.square().sum()) for x in of_layer)) for of_layer in gradients], np.float32)


def xavier_bound(n_in: int, n_out: int) -> float:
    """The bound of Xavier-uniform weights, sqrt(6 / (in + out)), which preserves the variance."""
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
    """Send a random signal through ``depth`` linear layers with three scales of initial weights."""
    random = np.random.default_rng(seed)
    curves = []
    signal = random.normal(size=(64, width))
    bound = xavier_bound(width, width)
    matrices = random.uniform(-bound, bound, (depth, width, width))
    for factor in (1.0, 0.2, 2.0):
        x, spread = signal, [float(signal.std())]
        for matrix in matrices:
            x = x @ (matrix * factor)
            spread.append(float(x.std()))
        curves.append(np.array(spread, np.float32))
    return DepthSpread(*curves)


def smoothed_target(n_entries: int, target: int, smoothing: float) -> NDArray[np.float64]:
    """The label-smoothed target distribution, (V,): ``smoothing`` uniform over all entries, the rest on the target."""
    wished = np.full(n_entries, smoothing / n_entries)
    wished[target] += 1 - smoothing
    return wished


def drop_weights(weights: Floats, probability: float, *, seed: int) -> Floats:
    """Attention weights after dropout: some 0, the rest divided by 1 - p, so that a row no longer sums to 1."""
    keep = np.random.default_rng(seed).random(weights.shape) >= probability
    return (weights * keep / (1 - probability)).astype(np.float32)
