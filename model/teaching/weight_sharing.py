"""Which parts of a model share their parameters: embedding and output (Press & Wolf 2017), but never two layers."""

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
    """Whether source and target tokens are looked up in one table."""
    is_output_tied: bool
    """Whether the output matrix is that table once more."""
    n_entries: int
    """Numbers in the table of the decoder."""
    deviation: float
    """Standard deviation of the table's entries."""
    unit: float
    """1/√d_model: what the entries begin with."""
    input_scale: float
    """By what an embedding is multiplied on its way in."""
    output_scale: float
    """By what the logits are multiplied."""
    logit_deviation: float
    """Standard deviation of the logits at the first step of a translation."""
    cosines: Floats
    """(L, L): of W_Q of every two layers of the encoder, all numbers of a matrix as one vector."""


def weight_sharing(bundle: Bundle, trace: Trace) -> WeightSharing | None:
    """Measure the sharing; None for a model that runs in another library."""
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
