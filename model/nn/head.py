"""The prediction head of a masked language model, between last layer and output matrix (Devlin et al. 2019)."""

from __future__ import annotations

from torch import Tensor, nn

from model.config import TransformerConfig
from model.nn.layers import ACTIVATIONS
from model.nn.norms import make_norm


class PredictionHead(nn.Module):
    """A matrix to the embeddings' width, the activation, and a norm."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.fc = nn.Linear(config.d_model, config.embedding_width)
        self.norm = make_norm(config.norm_kind, config.embedding_width, config.norm_epsilon)
        self.activation = ACTIVATIONS[config.activation]

    def forward(self, x: Tensor) -> Tensor:
        """(…, D) -> (…, E)"""
        return self.norm(self.activation(self.fc(x)))
