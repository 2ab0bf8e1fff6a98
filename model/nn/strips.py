"""The embedding of a picture's strips: one linear layer in place of a table."""

from __future__ import annotations

from torch import Tensor, nn

from model.config import GREY_LEVELS


class StripProjection(nn.Linear):
    """From the P pixels of a strip to a vector of the width of the model (Dosovitskiy et al. 2021)."""

    def forward(self, input: Tensor) -> Tensor:
        """Pixels from 0 to 255, int64 (B, S, P) -> (B, S, D)."""
        return super().forward(input.to(self.weight.dtype) / (GREY_LEVELS - 1))
