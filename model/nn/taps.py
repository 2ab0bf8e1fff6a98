"""Named activations of one forward pass: recorded if requested, replaced if a patch names them.

A pass without taps has no extra cost. A pass with taps calls ``tap(part, x)`` at each named point and continues with
the returned value. Nothing is stored on a module (docs/decisions/0002).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor
from torch.nn import functional

from model.patch import Patch

Donors = Mapping[tuple[int, ...], Mapping[str, Tensor]]
"""What other texts give at the names that are taken from them, by their ids."""
_SOURCE_SIDE = (".cross.key", ".cross.value")


@dataclass(slots=True)
class Taps:
    """The taps of one pass of one stack; each pass has its own."""

    patches: Mapping[str, tuple[tuple[int, Patch], ...]]
    """By name: batch row and patch."""
    wanted: frozenset[str]
    """Names to be recorded."""
    donors: Donors
    source_is_real: Tensor
    """bool (B, S)"""
    first: int = 0
    """Absolute position of the first query."""
    found: dict[str, Tensor] = field(default_factory=dict)
    """What was recorded."""

    def at(self, *place: object) -> Tap:
        """The taps of one place, such as ``at("encoder", 2)``."""
        return Tap(self, ".".join(map(str, place)))


@dataclass(frozen=True, slots=True)
class Tap:
    """The taps of one stack, layer or sublayer."""

    taps: Taps
    place: str

    def at(self, part: str) -> Tap:
        """The taps of a sublayer of this layer."""
        return Tap(self.taps, f"{self.place}.{part}")

    def wants(self, *parts: str) -> bool:
        """Whether any of these parts is recorded or patched."""
        names = [f"{self.place}.{part}" for part in parts]
        return any(name in self.taps.wanted or name in self.taps.patches for name in names)

    def __call__(self, part: str, x: Tensor, visible: Tensor | None = None) -> Tensor:
        """x with its patches applied, (B, …, positions, width) in and out.

        Args:
            visible: where weights may differ from 0, broadcastable to x: no patch lets a query attend to padding or to
                a later token.
        """
        name, taps = f"{self.place}.{part}", self.taps
        patches = taps.patches.get(name)
        if patches:
            x = _patched(taps, name, x, patches)
            x = x if visible is None else x.masked_fill(~visible, 0.0)
        if name in taps.wanted:
            if torch.is_grad_enabled() and not x.requires_grad:
                x = x.detach().requires_grad_()
            taps.found[name] = x
        return x


def tapped(tap: Tap | None, part: str, x: Tensor, visible: Tensor | None = None) -> Tensor:
    """``tap(part, x, visible)``, or x where nothing is tapped."""
    return x if tap is None else tap(part, x, visible)


def _patched(taps: Taps, name: str, x: Tensor, patches: Sequence[tuple[int, Patch]]) -> Tensor:
    changed = x.clone()
    is_source_side = name.startswith("encoder") or name.endswith(_SOURCE_SIDE)
    first = 0 if is_source_side else taps.first
    for row, patch in patches:
        places = range(first, first + x.shape[-2]) if patch.positions is None else patch.positions
        places = [place for place in places if first <= place < first + x.shape[-2]]
        if not places:
            continue
        if patch.value is not None:
            given, places = _from_value(patch, x[row], places)
        elif patch.from_ids is not None:
            given, places = _from_donor(taps.donors[patch.from_ids][name], row, patch, places, first)
            given = _as_wide(given, x.shape[-1])
        else:
            given = _made(taps, patch, x, row, places, first, is_source_side)
        here = torch.tensor(places, dtype=torch.long, device=x.device) - first
        heads = () if x.dim() == 3 else (_heads(patch, x)[:, None],)
        changed[(row, *heads, here)] = given.to(x.dtype)
    return changed


def _heads(patch: Patch, x: Tensor) -> Tensor:
    """The heads that are patched, int64 (heads,), of an activation (…, H, positions, width)."""
    return torch.tensor(range(x.shape[-3]) if patch.heads is None else patch.heads, device=x.device)


def _from_value(patch: Patch, x: Tensor, places: list[int]) -> tuple[Tensor, list[int]]:
    """The rows of a given value for these places of x (…, positions, width), and the places that it covers."""
    value = torch.tensor(patch.value.array(), device=x.device)
    value = value[0] if value.dim() > x.dim() else value
    value = value[(None,) * (x.dim() - value.dim())]  # (…, positions, width)
    if x.dim() == 3 and value.shape[0] == x.shape[0]:
        value = value[_heads(patch, x)]
    n_rows = value.shape[-2]
    if patch.positions is not None and n_rows == len(patch.positions):
        value = _at(value, [patch.positions.index(place) for place in places])
    elif n_rows > 1:
        places = [place for place in places if place < n_rows]
        value = _at(value, places)
    return _as_wide(value, x.shape[-1]), places


def _as_wide(value: Tensor, n: int) -> Tensor:
    """Weights over n keys: cut, or zeros beyond what is given; one number stands for all."""
    if value.shape[-1] in (1, n):
        return value
    return functional.pad(value[..., :n], (0, max(0, n - value.shape[-1])))


def _from_donor(donated: Tensor, row: int, patch: Patch, places: list[int], first: int) -> tuple[Tensor, list[int]]:
    """The other text's activation at the places that it has: of its one row, or of the same row of its batch."""
    x = donated[row if len(donated) > 1 else 0]
    places = [place for place in places if place - first < x.shape[-2]]
    x = x[_heads(patch, x)] if x.dim() == 3 else x
    return _at(x, [place - first for place in places]), places


def _made(taps: Taps, patch: Patch, x: Tensor, row: int, places: list[int], first: int, is_source_side: bool) -> Tensor:
    """Zeros, the mean over positions, or the activation with noise."""
    own = x[row] if x.dim() == 3 else x[row, _heads(patch, x)]  # (…, positions, width)
    here = _at(own, [place - first for place in places])
    if patch.zero:
        return torch.zeros_like(here)
    if patch.noise is not None:
        spread = patch.noise_scale * here.float().std(-1, keepdim=True, correction=0)
        drawn = [_drawn(patch.noise, place, here[..., 0, :].shape) for place in places]
        return here + spread * torch.stack(drawn, -2).to(spread)
    if is_source_side:
        real = taps.source_is_real[row].to(own.dtype)[:, None]  # (S, 1)
        return ((own * real).sum(-2, keepdim=True) / real.sum()).expand_as(here)
    counts = torch.arange(1, own.shape[-2] + 1, device=own.device, dtype=own.dtype)[:, None]
    return _at(own.cumsum(-2) / counts, places)


def _at(x: Tensor, places: Sequence[int]) -> Tensor:
    """Some positions of x (…, positions, width)."""
    return x.index_select(-2, torch.tensor(places, dtype=torch.long, device=x.device))


def _drawn(seed: int, place: int, shape: Sequence[int]) -> Tensor:
    """Normal noise for one position; the same whether positions are computed together or one by one."""
    generator = torch.Generator().manual_seed((seed * 1_000_003 + place) % 2**63)
    return torch.randn(tuple(shape), generator=generator)
