"""A copy of a model to train: its dropout, and the parameters that a choice names."""

from __future__ import annotations

import copy
from typing import Any

from model.nn.dropout import Dropout
from model.nn.protocol import EncoderDecoder
from model.nn.transformer import Transformer
from model.training.settings import Trainable, TrainingConfig


def trainable_copy(model: EncoderDecoder, config: TrainingConfig) -> Transformer:
    """A copy to train, so that the original stays as it is: dropout set, and only what is to be trained trainable."""
    copied: Any = copy.deepcopy(model)
    for module in copied.modules():
        if isinstance(module, Dropout) and config.dropout is not None:
            module.p = config.dropout
    trained = trainable_names(copied, config.trains)
    for name, parameter in copied.named_parameters():
        parameter.requires_grad_(name in trained)
    return copied


def trainable_names(model: EncoderDecoder, trains: Trainable) -> set[str]:
    """Names of the parameters that a choice of what trains means."""
    last = (
        f"encoder.layers.{model.config.n_encoder_layers - 1}.",
        f"decoder.layers.{model.config.n_decoder_layers - 1}.",
    )
    return {
        name
        for name, _ in model.named_parameters()
        if trains == "everything"
        or (trains == "cross-attention" and "cross_attention" in name)
        or (trains == "last-layers" and name.startswith(last))
    }
