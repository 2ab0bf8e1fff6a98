"""A patch: one activation replaced during a forward pass, as plain data (Vig et al. 2020; Meng et al. 2022)."""

from __future__ import annotations

import dataclasses
import hashlib
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from model.activations import Shape, activation_shapes, n_heads, unknown, width

MOST_NUMBERS = 16_000_000
"""Numbers of one value at most: 64 MB."""


class InterventionError(ValueError):
    """An intervention that does not fit the model or the sentence."""


@dataclass(frozen=True, slots=True, repr=False)
class Numbers:
    """An immutable float32 array that equals another of the same content, so that it can be a dictionary key."""

    shape: tuple[int, ...]
    content: bytes

    @classmethod
    def of(cls, values: ArrayLike) -> Numbers:
        """Copy an array.

        Raises:
            InterventionError: when it is not finite numbers, or too many.
        """
        given: Any = values
        try:
            if hasattr(given, "detach"):  # a tensor
                given = given.detach().cpu()
            if getattr(given, "is_floating_point", bool)():  # of any precision
                given = given.float()
            if np.iscomplexobj(given):
                raise TypeError("complex numbers would lose a part")
            with np.errstate(over="ignore"):
                array = np.ascontiguousarray(given, np.float32)
        except (TypeError, ValueError) as error:
            raise InterventionError(f"a patch's value ({values!r:.60}) is not an array of real numbers") from error
        if array.size > MOST_NUMBERS:
            raise InterventionError(f"a patch's value has {array.size:,} numbers: the limit is {MOST_NUMBERS:,}")
        if not array.size:
            raise InterventionError(f"a patch's value is empty ({_times(np.shape(given))}): give at least one number")
        if not np.isfinite(array).all():
            raise InterventionError("a patch's value must be finite: it holds NaN or infinity")
        return cls(np.shape(given), array.tobytes())

    def array(self) -> NDArray[np.float32]:
        """The numbers, read-only."""
        return np.frombuffer(self.content, np.float32).reshape(self.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.array(), dtype=dtype, copy=True if copy is None else copy)

    def __repr__(self) -> str:
        return f"Numbers({'×'.join(map(str, self.shape))}, {hashlib.sha256(self.content).hexdigest()[:16]})"


@dataclass(frozen=True, slots=True)
class Patch:
    """One activation replaced by ``value``, by that of another text, by its mean, by zero, or by itself with noise.

    Exactly one of ``value``, ``from_text``, ``mean``, ``zero`` and ``noise`` is given.
    """

    name: str
    """As ``model.names`` lists it."""
    positions: tuple[int, ...] | None = None
    """Positions of the last axis but one, from 0; None: all."""
    heads: tuple[int, ...] | None = None
    """Heads, where the activation has them; None: all."""
    value: Any = None
    """Numbers that fit (head, position, width), or (position, width) without heads: a whole recorded activation, or
    as many heads and positions as are named, or 1 for all alike."""
    from_text: str | None = None
    """What the unchanged model computes there for this text; in the decoder, while it is fed the same tokens. A
    position that the other text lacks stays as it is."""
    mean: bool = False
    """The mean over the source's positions; in the decoder over the positions so far, since it sees no later ones."""
    zero: bool = False
    noise: int | None = None
    """A seed: normal noise is added, ``noise_scale`` times as wide as the activation varies at each position."""
    noise_scale: float = 3.0
    """As Meng et al. (2022, section 2.1) blur embeddings."""
    from_ids: tuple[int, ...] | None = None
    """The ids of ``from_text``, filled in where a model is at hand."""

    def __post_init__(self) -> None:
        for name, kind, wanted in (
            ("name", str, "a name that model.names lists"), ("from_text", str | None, "a text"),
            ("noise", Integral | None, "a whole number, the seed"), ("noise_scale", Real, "a number"),
            ("mean", bool | np.bool_, "True or False"), ("zero", bool | np.bool_, "True or False"),
        ):  # fmt: skip
            if not isinstance(getattr(self, name), kind):
                raise InterventionError(f"a patch's {name} is {getattr(self, name)!r:.60}: give {wanted}")
        for name in ("positions", "heads"):
            object.__setattr__(self, name, _indices(name, getattr(self, name)))
        if self.value is not None and not isinstance(self.value, Numbers):
            object.__setattr__(self, "value", Numbers.of(self.value))
        choices = {
            "value": self.value is not None, "from_text": (self.from_text, self.from_ids) != (None, None),
            "mean": self.mean, "zero": self.zero, "noise": self.noise is not None,
        }  # fmt: skip
        given = [name for name, is_given in choices.items() if is_given]
        if len(given) != 1:
            said = " and ".join(given) or "nothing"
            raise InterventionError(
                f"the patch of {self.name} has {said}: give exactly one of value, from_text, mean=True, zero=True, "
                "noise=seed"
            )
        if not 0 <= self.noise_scale <= 1e6:
            raise InterventionError(f"noise_scale ({self.noise_scale}) must be between 0 and 1e6")

    @property
    def stack(self) -> str:
        """ "encoder" or "decoder"."""
        return self.name.partition(".")[0]

    @property
    def needs_every_position(self) -> bool:
        """Whether the replacement needs all positions at once, so that tokens cannot be decoded one by one."""
        return self.mean and self.stack == "decoder"

    def check(self, config: Any, *, n_source: int | None = None, n_target: int | None = None) -> None:
        """Check the patch against a model, and against a sentence where its lengths are given.

        Raises:
            InterventionError: when the model has no such activation, head or position, or the value does not fit.
        """
        known = activation_shapes(config)
        shape = known.get(self.name)
        if shape is None:
            raise InterventionError(unknown(self.name, known))
        if self.name == "logits":
            raise InterventionError("logits can be recorded but not patched: patch decoder.final_norm instead")
        heads, lengths = n_heads(config, self.name), {"S": n_source, "T": n_target}
        if self.heads is not None and "H" not in shape:
            raise InterventionError(f"{self.name} has no heads: leave heads out, or patch a part that has them")
        _check_within(self.name, "head", self.heads, heads)
        _check_within(self.name, "position", self.positions, lengths[shape[-2]])
        wide = width(config, self.name, shape)
        if self.noise is not None and wide is None:
            raise InterventionError(
                f"noise needs a vector, and {self.name} is a row over tokens: add noise to query or key"
            )
        if self.value is not None:
            self._check_value(shape, heads, wide)
        self._check_donor(shape, n_source)

    def within(self, *, n_source: int, n_target: int) -> Patch | None:
        """The same without the positions that a shorter sentence does not have; None when no position is left."""
        if self.positions is None:
            return self
        is_source = self.stack == "encoder" or self.name.endswith((".cross.key", ".cross.value"))
        kept = tuple(place for place in self.positions if place < (n_source if is_source else n_target))
        if len(kept) == len(self.positions):
            return self
        if not kept:
            return None
        value = self.value
        if value is not None and len(value.shape) > 1 and value.shape[-2] == len(self.positions):
            rows = [self.positions.index(place) for place in kept]
            value = Numbers.of(np.take(value.array(), rows, axis=-2))
        return dataclasses.replace(self, positions=kept, value=value)

    def _check_value(self, shape: Shape, heads: int, wide: int | None) -> None:
        given = self.value.shape
        if len(given) == len(shape) and given[0] == 1:
            given = given[1:]
        full = ("head", "position", "width") if "H" in shape else ("position", "width")
        allowed = {
            "head": {1, heads, heads if self.heads is None else len(self.heads)},
            "position": None if self.positions is None else {1, len(self.positions)},
            "width": None if wide is None else {1, wide},
        }
        fits = len(given) <= len(full)
        for axis, size in zip(reversed(full), reversed(given), strict=False):
            choices = allowed[axis]
            reaches_all = axis == "position" and self.positions is not None and size > max(self.positions)
            fits = fits and (choices is None or size in choices or reaches_all)
        if not fits:
            wanted = ", ".join(str(_most(allowed[axis])) for axis in full)
            raise InterventionError(
                f"the value of the patch of {self.name} is {_times(self.value.shape)}: give ({wanted}) for "
                f"({', '.join(full)}), or 1 for a dimension where all are equal"
            )

    def _check_donor(self, shape: Shape, n_source: int | None) -> None:
        if self.from_ids is None or n_source is None:
            return
        n_other = len(self.from_ids)
        if shape[-1] == "S" and n_other != n_source:
            raise InterventionError(
                f"{self.name} of a text of {n_other} tokens does not fit {n_source}: choose a text of equal length, "
                "or patch another activation"
            )
        if shape[-2] == "S":
            _check_within(f"{self.name} of the other text", "position", self.positions, n_other)


def _indices(name: str, given: Any) -> tuple[int, ...] | None:
    if given is None:
        return None
    plain = given.tolist() if hasattr(given, "tolist") else given  # of an array or a tensor
    items = tuple(plain) if isinstance(plain, tuple | list | range) else (plain,)
    are_indices = all(isinstance(item, Integral) and not isinstance(item, bool) and int(item) >= 0 for item in items)
    if not items or not are_indices or len(set(items)) < len(items):
        raise InterventionError(f"{name} ({given!r:.60}) must be whole numbers from 0, without repeats")
    return tuple(int(item) for item in items)


def _check_within(name: str, what: str, given: tuple[int, ...] | None, count: int | None) -> None:
    if given is not None and count is not None and max(given) >= count:
        raise InterventionError(f"{name} has no {what} {max(given)}: choose 0 to {count - 1}")


def _most(choices: set[int] | None) -> int | str:
    return max(choices) if choices else "any"


def _times(shape: tuple[int, ...]) -> str:
    return "×".join(map(str, shape)) or "a number"
