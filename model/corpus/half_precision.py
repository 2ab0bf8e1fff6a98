"""States as float16 and an exponent, since a residual stream may go beyond what float16 holds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from torch import Tensor


def scaled(states: Tensor) -> tuple[NDArray[np.float16], NDArray[np.int8]]:
    """States (…, D) as float16 and an exponent of 2 each, int8 (…,), by which they are multiplied again.

    The exponent is 0 wherever float16 can hold the state's numbers, up to 65,504.
    """
    whole = states.float().cpu().numpy()
    _, exponents = np.frexp(np.abs(whole).max(-1))  # the largest number lies below 2 ** exponent
    exponents = np.maximum(exponents - 15, 0).astype(np.int8)
    return np.ldexp(whole, -exponents[..., None].astype(np.int32)).astype(np.float16), exponents


def unscaled(halves: NDArray[np.float16], exponents: NDArray[np.int8]) -> NDArray[np.floating]:
    """The states (N, D) of ``scaled``: float16 as they are where every exponent is 0, otherwise float32."""
    return np.ldexp(halves.astype(np.float32), exponents[:, None].astype(np.int32)) if exponents.any() else halves
