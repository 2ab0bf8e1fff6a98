"""A patch: one activation replaced or changed in a forward pass, as plain data (Vig et al. 2020; Meng et al. 2022)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np

from model.activations import Shape, activation_shapes, n_heads, unknown, width
from model.arrays import InterventionError, Numbers, times

Function = Callable[[Any], Any]
"""A function from a tensor to a tensor of the same shape."""
NUMBERS = ("value", "add", "project_out")
"""The fields with an array."""


@dataclass(frozen=True, slots=True)
class Patch:
    """One activation replaced or changed.

    It is replaced by ``value``, by that of another text, by its mean or by zero; or changed by noise, by adding a
    vector, by scaling, by removing its component along a direction, or by a function.

    Exactly one of ``value``, ``from_text``, ``mean``, ``zero``, ``noise``, ``add``, ``scale``, ``project_out`` and
    ``apply`` must be set.
    """

    name: str
    """A name of ``model.activation_names``."""
    positions: tuple[int, ...] | None = None
    """Indexes into the second-to-last axis; None: all."""
    heads: tuple[int, ...] | None = None
    """Heads, if the activation has them; None: all."""
    value: Any = None
    """An array that broadcasts to (head, position, width), or (position, width) without heads: a whole recorded
    activation, or only the named heads and positions."""
    from_text: str | None = None
    """Take the unchanged model's activation for this text; in the decoder, with the same decoder input. Positions that
    the other text lacks stay unchanged."""
    mean: bool = False
    """The mean over the source's positions; in the decoder over the positions so far, since it sees no later ones."""
    zero: bool = False
    noise: int | None = None
    """A seed: Gaussian noise is added, ``noise_scale`` times the standard deviation of the activation at each position.
    """
    noise_scale: float = 3.0
    """As in Meng et al. (2022, section 2.1) for embeddings."""
    from_ids: tuple[int, ...] | None = None
    """The ids of ``from_text``, set when a tokenizer is available."""
    add: Any = None
    """An array like ``value``, added with the factor ``strength`` (Turner et al. 2023; Rimsky et al. 2024)."""
    strength: float = 1.0
    """Within ±1e6."""
    scale: float | None = None
    """A factor on the activation, within ±1e6."""
    project_out: Any = None
    """A direction, or one for each head or position, not zero: the component along it is removed (Arditi et al. 2024,
    section 2.4)."""
    apply: Function | None = None
    """A function from a tensor to one of the same shape, such as a sparse autoencoder. It is called per position, with
    (1, width) or (heads, 1, width), so that it gives the same in a batch and with a cache; for weights and scores, with
    the visible keys. It is not written into links or files."""

    def __post_init__(self) -> None:
        for name, kind, wanted in (
            ("name", str, "a name that model.activation_names lists"), ("from_text", str | None, "a text"),
            ("noise", Integral | None, "a whole number, the seed"), ("noise_scale", Real, "a number"),
            ("mean", bool | np.bool_, "True or False"), ("zero", bool | np.bool_, "True or False"),
            ("strength", Real, "a number"), ("scale", Real | None, "a number"),
        ):  # fmt: skip
            if not isinstance(getattr(self, name), kind):
                raise InterventionError(f"a patch's {name} is {getattr(self, name)!r:.60}: give {wanted}")
        if self.apply is not None and not callable(self.apply):
            raise InterventionError(f"a patch's apply is {self.apply!r:.60}: give a function")
        for name in ("positions", "heads"):
            object.__setattr__(self, name, _indices(name, getattr(self, name)))
        for name in NUMBERS:
            value = getattr(self, name)
            if value is not None and not isinstance(value, Numbers):
                object.__setattr__(self, name, Numbers.of(value))
        self._check_choice()
        for name, low in (("noise_scale", 0.0), ("strength", -1e6), ("scale", -1e6)):
            number = getattr(self, name)
            if number is not None and not low <= number <= 1e6:
                raise InterventionError(f"{name} ({number}) must be between {low:g} and 1e6")
        if self.project_out is not None and not np.linalg.norm(np.atleast_1d(self.project_out), axis=-1).all():
            raise InterventionError(f"project_out of the patch of {self.name} is zero: give a direction")

    def _check_choice(self) -> None:
        choices = {
            "value": self.value is not None, "from_text": (self.from_text, self.from_ids) != (None, None),
            "mean": self.mean, "zero": self.zero, "noise": self.noise is not None, "add": self.add is not None,
            "scale": self.scale is not None, "project_out": self.project_out is not None,
            "apply": self.apply is not None,
        }  # fmt: skip
        chosen = [name for name, is_set in choices.items() if is_set]
        if len(chosen) != 1:
            listed = " and ".join(chosen) or "nothing"
            raise InterventionError(
                f"the patch of {self.name} has {listed}: give exactly one of value, from_text, mean=True, zero=True, "
                "noise=seed, add, scale, project_out, apply"
            )

    @property
    def stack(self) -> str:
        """ "encoder" or "decoder"."""
        return self.name.partition(".")[0]

    @property
    def names_tokens(self) -> bool:
        """Whether the patch refers to token positions of one sentence or to another text."""
        return self.positions is not None or self.from_text is not None

    @property
    def numbers(self) -> Numbers | None:
        """The patch's array, if any."""
        return next((numbers for name in NUMBERS if (numbers := getattr(self, name)) is not None), None)

    @property
    def needs_every_position(self) -> bool:
        """Whether the replacement needs all positions at once, which excludes cached decoding."""
        return self.mean and self.stack == "decoder"

    def check(self, config: Any, *, n_source: int | None = None, n_target: int | None = None) -> None:
        """Check the patch against a model, and against a sentence if its lengths are given.

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
        if self.project_out is not None and wide is None:
            raise InterventionError(
                f"project_out needs a vector, and {self.name} is a row over tokens: take query, key or value"
            )
        if self.numbers is not None:
            self._check_numbers(self.numbers.shape, shape, heads, wide)
        self._check_donor(shape, n_source)

    def within(self, *, n_source: int, n_target: int) -> Patch | None:
        """A copy without the positions that a shorter sentence lacks; None if no position remains."""
        if self.positions is None:
            return self
        is_source = self.stack == "encoder" or self.name.endswith((".cross.key", ".cross.value"))
        positions = tuple(place for place in self.positions if place < (n_source if is_source else n_target))
        if len(positions) == len(self.positions):
            return self
        if not positions:
            return None
        numbers, cut = self.numbers, {}
        if numbers is not None and len(numbers.shape) > 1 and numbers.shape[-2] == len(self.positions):
            rows = [self.positions.index(place) for place in positions]
            field = next(name for name in NUMBERS if getattr(self, name) is not None)
            cut = {field: Numbers.of(np.take(numbers.array(), rows, axis=-2))}
        return dataclasses.replace(self, positions=positions, **cut)

    def _check_numbers(self, sizes: tuple[int, ...], shape: Shape, heads: int, wide: int | None) -> None:
        field, whole = next(name for name in NUMBERS if getattr(self, name) is not None), sizes
        if len(sizes) == len(shape) and sizes[0] == 1:
            sizes = sizes[1:]
        full = ("head", "position", "width") if "H" in shape else ("position", "width")
        allowed = {
            "head": {1, heads, heads if self.heads is None else len(self.heads)},
            "position": None if self.positions is None else {1, len(self.positions)},
            "width": None if wide is None else {wide} if field == "project_out" else {1, wide},
        }
        fits = len(sizes) <= len(full) and (bool(sizes) or field != "project_out")
        for axis, size in zip(reversed(full), reversed(sizes), strict=False):
            choices = allowed[axis]
            reaches_all = axis == "position" and self.positions is not None and size > max(self.positions)
            fits = fits and (choices is None or size in choices or reaches_all)
        if not fits:
            wanted = ", ".join(str(_most(allowed[axis])) for axis in full)
            what = "the value" if field == "value" else field
            raise InterventionError(
                f"{what} of the patch of {self.name} is {times(whole)}: give ({wanted}) for "
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


def _indices(name: str, value: Any) -> tuple[int, ...] | None:
    if value is None:
        return None
    plain = value.tolist() if hasattr(value, "tolist") else value  # of an array or a tensor
    items = tuple(plain) if isinstance(plain, tuple | list | range) else (plain,)
    are_indices = all(isinstance(item, Integral) and not isinstance(item, bool) and int(item) >= 0 for item in items)
    if not items or not are_indices or len(set(items)) < len(items):
        raise InterventionError(f"{name} ({value!r:.60}) must be whole numbers from 0, without repeats")
    return tuple(int(item) for item in items)


def _check_within(name: str, what: str, indices: tuple[int, ...] | None, count: int | None) -> None:
    if indices is not None and count is not None and max(indices) >= count:
        raise InterventionError(f"{name} has no {what} {max(indices)}: choose 0 to {count - 1}")


def _most(choices: set[int] | None) -> int | str:
    return max(choices) if choices else "any"
