"""Rotary positions (Su et al. 2021): each pair of numbers of a query or key is rotated by position × frequency.

The product of a query rotated for position m and a key rotated for position n depends only on m - n, so scores depend
only on distances.
"""

from dataclasses import replace

import torch
from torch import Tensor

from model.layer_spec import Rotary


def frequencies(rotary: Rotary) -> Tensor:
    """Radians per position of each pair, float32 (width / 2,)."""
    if rotary.frequencies:
        return torch.tensor(rotary.frequencies, dtype=torch.float32)
    exponents = torch.arange(0, rotary.width, 2, dtype=torch.int64).float() / rotary.width
    return 1.0 / (rotary.base**exponents)


def with_turns(plain: Rotary, turns: Tensor) -> Rotary:
    """``plain`` with the frequencies ``turns``, radians per position (width / 2,), stored if its formula differs."""
    turns = turns.float()
    return plain if torch.equal(frequencies(plain), turns) else replace(plain, frequencies=tuple(turns.tolist()))


def angles(places: Tensor, rotary: Rotary) -> Tensor:
    """Radians by which each pair is rotated at positions (…,): float32 (…, width / 2)."""
    return places.float()[..., None] * frequencies(rotary).to(places.device)


def rotate(x: Tensor, places: Tensor, rotary: Rotary, *, back: bool = False) -> Tensor:
    """Rotate queries or keys (B, H, T, K) for positions (1 or B, T); ``back`` undoes it. The same shape."""
    turn = angles(places, rotary)[:, None]  # (B, 1, T, width / 2)
    wide = x.double() if x.dtype == torch.float64 else x.float()
    sine = turn.sin().to(wide.dtype)
    cosine, sine = turn.cos().to(wide.dtype), -sine if back else sine
    factor = 1 / rotary.factor if back else rotary.factor
    if factor != 1.0:
        cosine, sine = cosine * factor, sine * factor
    first, second = rotary_pairs(wide, rotary)
    turned = (first * cosine - second * sine, second * cosine + first * sine)
    joined = torch.stack(turned, -1).flatten(-2) if rotary.interleaved else torch.cat(turned, -1)
    return torch.cat((joined, wide[..., rotary.width :]), -1).to(x.dtype)


def rotary_pairs(x: Tensor, rotary: Rotary) -> tuple[Tensor, Tensor]:
    """The two numbers of each rotated pair of x (…, K): (…, width / 2) each."""
    if rotary.interleaved:
        return x[..., 0 : rotary.width : 2], x[..., 1 : rotary.width : 2]
    half = rotary.width // 2
    return x[..., :half], x[..., half : rotary.width]
