"""Immutable, hashable arrays for interventions."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from model.errors import RegardError

MOST_NUMBERS = 16_000_000
"""Maximum elements of a value: 64 MB."""


class InterventionError(RegardError, ValueError):
    """An intervention does not fit the model or the sentence."""


@dataclass(frozen=True, slots=True, repr=False)
class Numbers:
    """An immutable float32 array, compared by content and hashable."""

    shape: tuple[int, ...]
    content: bytes

    @classmethod
    def of(cls, values: ArrayLike) -> Numbers:
        """Copy an array.

        Raises:
            InterventionError: for values that are not finite numbers, or for too many.
        """
        plain: Any = values
        try:
            if hasattr(plain, "detach"):  # a tensor
                plain = plain.detach().cpu()
            if getattr(plain, "is_floating_point", bool)():  # of any precision
                plain = plain.float()
            if np.iscomplexobj(plain):
                raise TypeError("complex numbers would lose a part")
            with np.errstate(over="ignore"):
                array = np.ascontiguousarray(plain, np.float32)
        except (TypeError, ValueError) as error:
            raise InterventionError(f"a patch's value ({values!r:.60}) is not an array of real numbers") from error
        if array.size > MOST_NUMBERS:
            raise InterventionError(f"a patch's value has {array.size:,} numbers: the limit is {MOST_NUMBERS:,}")
        if not array.size:
            raise InterventionError(f"a patch's value is empty ({times(np.shape(plain))}): give at least one number")
        if not np.isfinite(array).all():
            raise InterventionError("a patch's value must be finite: it holds NaN or infinity")
        return cls(np.shape(plain), array.tobytes())

    def array(self) -> NDArray[np.float32]:
        """The values as a read-only array."""
        return np.frombuffer(self.content, np.float32).reshape(self.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.array(), dtype=dtype, copy=True if copy is None else copy)

    def __repr__(self) -> str:
        return f"Numbers({'×'.join(map(str, self.shape))}, {hashlib.sha256(self.content).hexdigest()[:16]})"


def times(shape: tuple[int, ...]) -> str:
    """A shape in words."""
    return "×".join(map(str, shape)) or "a number"
