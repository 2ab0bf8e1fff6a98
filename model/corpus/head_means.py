"""The mean output of each head over a corpus, which replaces the head when it is removed by its mean."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from model.bundle import Bundle
from model.corpus.batches import Pass, Row, batches, forced
from model.corpus.gold import CorpusError
from model.interventions import AttentionKind
from model.nn.attention import MultiHeadAttention
from model.nn.transformer import Transformer

Head = tuple[AttentionKind, int, int]


def has_means(bundle: Bundle) -> bool:
    """Whether a head of this model can be replaced by its mean."""
    return isinstance(bundle.model, Transformer) and bundle.config.attention_bias


@torch.inference_mode()
def mean_outputs(bundle: Bundle, rows: Sequence[Row]) -> dict[Head, Tensor]:
    """What each head adds to the residual stream on average over the corpus's queries, (D,) each.

    Raises:
        CorpusError: when the model does not expose its values, or has no bias to which the mean can be added.
    """
    if not isinstance(bundle.model, Transformer) or not has_means(bundle):
        raise CorpusError(f"a head of {bundle.name} cannot be replaced by its mean: remove heads by zeroing")
    sums: dict[Head, Tensor] = {}
    counts: dict[AttentionKind, int] = {}
    for chosen in batches(bundle, rows):
        found = forced(bundle, chosen)
        for kind, layers in found.weights.items():
            real = found.source_is_real if kind == "encoder_self" else found.target_is_real
            counts[kind] = counts.get(kind, 0) + int(real.sum())
            for layer, weights in enumerate(layers):
                _, attention = attention_of(bundle.model, kind, layer)
                values = attention.split(attention.value(_keys(bundle.model, kind, layer, found)))
                mixed = ((weights @ values) * real[:, None, :, None]).sum((0, 2))  # (H, M)
                projection = attention.output.weight.unflatten(1, (attention.n_heads, attention.d_value))
                moved = torch.einsum("hm,dhm->hd", mixed, projection)
                for head in range(attention.n_heads):
                    place: Head = (kind, layer, head)
                    sums[place] = sums.get(place, torch.zeros_like(moved[head])) + moved[head]
    return {head: total / counts[head[0]] for head, total in sums.items()}


def _keys(model: Transformer, kind: AttentionKind, layer: int, found: Pass) -> Tensor:
    if kind == "cross":
        return found.encoded.memory
    stack = model.encoder if kind == "encoder_self" else model.decoder
    states = found.encoded.hidden_states if kind == "encoder_self" else found.decoded.hidden_states
    block, state = stack.layers[layer], states[layer]
    return block.self_attention_norm(state) if block.norm_first else state  # pyright: ignore


def attention_of(model: Transformer, kind: AttentionKind, layer: int) -> tuple[str, MultiHeadAttention]:
    """A layer's attention of one kind, and its name in the model."""
    stack = "encoder" if kind == "encoder_self" else "decoder"
    part = "cross_attention" if kind == "cross" else "self_attention"
    name = f"{stack}.layers.{layer}.{part}"
    return name, model.get_submodule(name)  # pyright: ignore[reportReturnType]
