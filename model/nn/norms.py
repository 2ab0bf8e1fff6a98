"""The kinds of norm: PyTorch's LayerNorm, the Annotated Transformer's, and RMSNorm."""

import torch
from torch import Tensor, nn

from model.layer_spec import NormKind

_LOW = (torch.bfloat16, torch.float16)


class AnnotatedNorm(nn.Module):
    """The Annotated Transformer's LayerNorm: (x - mean) / (std + eps).

    Args:
        correction: 1 for the standard deviation with Bessel's correction, 0 for that of the population.
    """

    def __init__(self, d_model: int, eps: float, *, correction: int = 1) -> None:
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))
        self.eps, self.correction = eps, correction

    def forward(self, x: Tensor) -> Tensor:
        """(…, D) -> (…, D)"""
        mean, deviation = moments(self, x)
        return self.weight * (x - mean) / deviation + self.bias


class RootMeanSquareNorm(nn.Module):
    """x / sqrt(mean(x²) + eps), without mean and without shift (Zhang & Sennrich 2019); T5's norm."""

    def __init__(self, d_model: int, eps: float) -> None:
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(d_model)), None
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        """(…, D) -> (…, D); with 16-bit weights the result is 16-bit even if x is float32."""
        wide = x.float() if x.dtype in _LOW else x
        normed = wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + self.eps)
        return self.weight * normed.to(self.weight.dtype if self.weight.dtype in _LOW else x.dtype)


Norm = nn.LayerNorm | AnnotatedNorm | RootMeanSquareNorm


def make_norm(kind: NormKind, width: int, epsilon: float) -> nn.Module:
    """A norm of vectors of this width."""
    if kind in ("annotated", "population"):
        return AnnotatedNorm(width, epsilon, correction=int(kind == "annotated"))
    if kind == "rms":
        return RootMeanSquareNorm(width, epsilon)
    return nn.LayerNorm(width, eps=epsilon)


def moments(norm: nn.Module, x: Tensor) -> tuple[Tensor, Tensor]:
    """The mean that a norm subtracts from x (…, D), and the deviation with epsilon that it divides by: (…, 1) each."""
    if isinstance(norm, nn.Identity):
        return torch.zeros_like(x[..., :1]), torch.ones_like(x[..., :1])
    assert isinstance(norm, Norm)
    if isinstance(norm, RootMeanSquareNorm):
        return torch.zeros_like(x[..., :1]), (x.square().mean(-1, keepdim=True) + norm.eps).sqrt()
    mean = x.mean(-1, keepdim=True)
    if isinstance(norm, AnnotatedNorm):
        return mean, x.std(-1, correction=norm.correction, keepdim=True) + norm.eps
    return mean, (x.var(-1, correction=0, keepdim=True) + norm.eps).sqrt()


def centre(norm: nn.Module, x: Tensor) -> Tensor:
    """x minus its mean if the norm subtracts one: (…, D) in and out."""
    return x if isinstance(norm, RootMeanSquareNorm | nn.Identity) else x - x.mean(-1, keepdim=True)


def gain_and_shift(norm: nn.Module, like: Tensor) -> tuple[Tensor, Tensor]:
    """A norm's weight and bias, (D,) each, in the dtype and width of ``like`` (…, D)."""
    plain = torch.ones_like(like[(0,) * (like.dim() - 1)])
    if isinstance(norm, nn.Identity):
        return plain, torch.zeros_like(plain)
    shift = norm.bias.to(plain) if isinstance(norm.bias, Tensor) else torch.zeros_like(plain)
    return norm.get_parameter("weight").to(plain), shift


def part_of_norm(norm: nn.Module, part: Tensor, whole: Tensor) -> Tensor:
    """A norm applied to one summand ``part`` of ``whole`` (…, D), with the deviation of ``whole`` and no shift."""
    return centre(norm, part) * (gain_and_shift(norm, whole)[0] / moments(norm, whole)[1])
