"""Dropout whose mask costs little on a CPU.

PyTorch draws one random number an element, which is a tenth of a training step on a CPU. One 64-bit draw holds eight
independent bytes, so a mask of bytes compared with a threshold is nearly five times cheaper.
"""

import torch
from torch import Tensor, nn


class Dropout(nn.Dropout):
    """``torch.nn.Dropout``; on a CPU the probability is rounded to a multiple of 1/256, unless that is 0 or 1."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape in and out."""
        dropped = round(self.p * 256)
        if not self.training or dropped in (0, 256) or input.device.type != "cpu":
            return super().forward(input)
        draws = torch.empty((input.numel() + 7) // 8, dtype=torch.int64).random_(-(2**63), None)
        keep = draws.view(torch.uint8)[: input.numel()].view(input.shape) >= dropped
        return input * (keep.to(input.dtype) * (256 / (256 - dropped)))
