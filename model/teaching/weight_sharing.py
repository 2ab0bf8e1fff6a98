"""Which parts of a model share parameters: embeddings and output (Press & Wolf 2017), but never two layers."""

from dataclasses import dataclass
from typing import Any

import torch

from model.bundle import Bundle
from model.nn.transformer import Transformer
from model.trace import Floats, Trace

MOST_LAYERS = 8


@dataclass(frozen=True, slots=True)
class WeightSharing:
    """Which tables are shared."""

    is_input_shared: bool
    """Whether source and target share an embedding."""
    is_output_tied: bool
    """Whether the output matrix is that embedding."""
    n_entries: int
    """Number of parameters of the decoder's embedding."""
    deviation: float
    """Standard deviation of the table's entries."""
    unit: float
    """1/√d_model: the standard deviation at initialisation."""
    input_scale: float
    """Factor on embeddings."""
    output_scale: float
    """Factor on logits."""
    logit_deviation: float
    """Standard deviation of the logits at the first step of a translation."""
    cosines: Floats
    """(L, L): cosine of the flattened W_Q of every two encoder layers."""


def weight_sharing(bundle: Bundle, trace: Trace) -> WeightSharing | None:
    """Measure the sharing; None for a model that another library runs."""
    network = bundle.model
    if not isinstance(network, Transformer) or not len(network.encoder.layers):
        return None
    config = bundle.config
    with torch.inference_mode():
        table = network.decoder.embedding.weight.detach().float()
        device = table.device
        memory = network.encode(torch.tensor([trace.source.ids], device=device))
        state = network.decode(torch.tensor([trace.prefix.ids[:1]], device=device), memory).hidden[0, -1]
        logits = state @ network.output.weight.T  # (V,)
        layers: list[Any] = list(network.encoder.layers)[:MOST_LAYERS]
        queries = [layer.self_attention.query.weight.detach().float().ravel() for layer in layers]
        flat = torch.nn.functional.normalize(torch.stack(queries), dim=1)  # (L, D·D)
        cosines = (flat @ flat.T).cpu().numpy()
    return WeightSharing(
        is_input_shared=network.encoder.embedding.weight is network.decoder.embedding.weight,
        is_output_tied=network.output.weight is network.decoder.embedding.weight,
        n_entries=table.numel(),
        deviation=float(table.std()),
        unit=config.d_model**-0.5,
        input_scale=config.d_model**0.5 if config.embedding_scale is None else config.embedding_scale,
        output_scale=config.output_scale,
        logit_deviation=float(logits.std()) * config.output_scale,
        cosines=cosines,
    )
