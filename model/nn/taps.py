"""Named activations of one forward pass: recorded if requested, replaced or changed if a patch names them.

A pass without taps has no extra cost. A pass with taps calls ``tap(part, x)`` at each named point and continues with
the returned value. Nothing is stored on a module (docs/decisions/0002).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor
from torch.nn import functional

from model.arrays import InterventionError
from model.patch import Patch

PatchSources = Mapping[tuple[int, ...], Mapping[str, Tensor]]
"""Recorded activations of the texts that patches copy from: by token ids, then by name."""
_SOURCE_SIDE = (".cross.key", ".cross.value")


@dataclass(slots=True)
class Taps:
    """The taps of one pass of one stack; each pass has its own."""

    patches: Mapping[str, tuple[tuple[int, Patch], ...]]
    """(batch row, patch) by activation name."""
    wanted: frozenset[str]
    """Names to be recorded."""
    patch_sources: PatchSources
    source_is_real: Tensor
    """bool (B, S)"""
    first: int = 0
    """Absolute position of the first query."""
    query_is_real: Tensor | None = None
    """bool (B, Q); None: all."""
    recorded: dict[str, Tensor] = field(default_factory=dict)
    """The recorded activations by name."""

    def at(self, *place: object) -> Tap:
        """The taps at one place, such as ``at("encoder", 2)``."""
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
        """Record x and apply its patches: (B, …, positions, width) in and out.

        Args:
            visible: for weights and scores, the attention mask, broadcastable to x: no patch lets a query attend to
                padding or to a later token.
        """
        name, taps = f"{self.place}.{part}", self.taps
        patches = taps.patches.get(name)
        if patches:
            x = _apply_patches(taps, name, x, patches, visible)
            x = x if visible is None or part != "weights" else x.masked_fill(~visible, 0.0)
        if name in taps.wanted:
            if torch.is_grad_enabled() and not x.requires_grad:
                x = x.detach().requires_grad_()
            taps.recorded[name] = x
        return x


def apply_tap(tap: Tap | None, part: str, x: Tensor, visible: Tensor | None = None) -> Tensor:
    """``tap(part, x, visible)``, or x if there is no tap."""
    return x if tap is None else tap(part, x, visible)


def _apply_patches(
    taps: Taps, name: str, x: Tensor, patches: Sequence[tuple[int, Patch]], visible: Tensor | None
) -> Tensor:
    changed = x.clone()
    is_source_side = name.startswith("encoder") or name.endswith(_SOURCE_SIDE)
    first = 0 if is_source_side else taps.first
    for row, patch in patches:
        places = range(first, first + x.shape[-2]) if patch.positions is None else patch.positions
        places = [place for place in places if first <= place < first + x.shape[-2]]
        if patch.apply is not None:
            real = taps.source_is_real if is_source_side else taps.query_is_real
            places = [place for place in places if real is None or real[row, place - first]]
        if not places:
            continue
        if patch.numbers is not None:
            donated, places = _from_numbers(patch, changed[row], places, first)
        elif patch.from_ids is not None:
            donated, places = _from_patch_source(taps.patch_sources[patch.from_ids][name], row, patch, places, first)
            donated = _as_wide(donated, x.shape[-1])
        elif patch.apply is not None:
            seen = None if visible is None else visible.expand_as(x)[row].any(0)  # (positions, keys)
            original = _of_heads(patch, changed[row])
            donated = torch.cat([_apply_function(patch, original, place - first, seen) for place in places], -2)
        else:
            donated = _patched_value(taps, patch, changed[row], row, places, first, is_source_side)
        columns = torch.tensor(places, dtype=torch.long, device=x.device) - first
        heads = () if x.dim() == 3 else (_heads(patch, x)[:, None],)
        changed[(row, *heads, columns)] = donated.to(x.dtype)
    return changed


def _of_heads(patch: Patch, x: Tensor) -> Tensor:
    """The patched heads of one row's activation, (…, positions, width)."""
    return x if x.dim() == 2 else x[_heads(patch, x)]


def _heads(patch: Patch, x: Tensor) -> Tensor:
    """The heads that are patched, int64 (heads,), of an activation (…, H, positions, width)."""
    return torch.tensor(range(x.shape[-3]) if patch.heads is None else patch.heads, device=x.device)


def _from_numbers(patch: Patch, x: Tensor, places: list[int], first: int) -> tuple[Tensor, list[int]]:
    """A patch's array for positions ``places`` of x (…, positions, width), and the positions that it covers."""
    assert patch.numbers is not None
    values = torch.tensor(patch.numbers.array(), device=x.device)
    values = values[0] if values.dim() > x.dim() else values
    values = values[(None,) * (x.dim() - values.dim())]  # (…, positions, width)
    if x.dim() == 3 and values.shape[0] == x.shape[0]:
        values = values[_heads(patch, x)]
    n_rows = values.shape[-2]
    if patch.positions is not None and n_rows == len(patch.positions):
        values = _at(values, [patch.positions.index(place) for place in places])
    elif n_rows > 1:
        places = [place for place in places if place < n_rows]
        values = _at(values, places)
    values = _as_wide(values, x.shape[-1])
    if patch.value is not None:
        return values, places
    original = _at(_of_heads(patch, x), [place - first for place in places])
    values = values.to(original.dtype)
    if patch.add is not None:
        return original + patch.strength * values, places
    unit = values / values.norm(dim=-1, keepdim=True)
    return original - (original * unit).sum(-1, keepdim=True) * unit, places


def _apply_function(patch: Patch, original: Tensor, place: int, seen: Tensor | None) -> Tensor:
    """Apply a patch's function to one position of an activation, (…, 1, width); for weights, only to visible keys."""
    assert patch.apply is not None
    x = original[..., place : place + 1, :].clone()
    keys = slice(None) if seen is None else seen[place]
    returned = patch.apply(x[..., keys])
    if not isinstance(returned, Tensor) or returned.shape != x[..., keys].shape:
        answer = tuple(returned.shape) if isinstance(returned, Tensor) else f"{returned!r:.60}"
        raise InterventionError(
            f"the function of the patch of {patch.name} was given {tuple(x[..., keys].shape)} and returned {answer}: "
            "return a tensor of the same shape"
        )
    if not returned.isfinite().all():
        raise InterventionError(f"the function of the patch of {patch.name} returned NaN or infinity")
    whole = x.clone()
    whole[..., keys] = returned.to(whole)
    return whole


def _as_wide(value: Tensor, n: int) -> Tensor:
    """Crop or zero-pad weights to n keys; a single number applies to all."""
    if value.shape[-1] in (1, n):
        return value
    return functional.pad(value[..., :n], (0, max(0, n - value.shape[-1])))


def _from_patch_source(
    donated: Tensor, row: int, patch: Patch, places: list[int], first: int
) -> tuple[Tensor, list[int]]:
    """The donor's activation at the positions that it has: row 0 if the donor has one row, else the matching row."""
    x = donated[row if len(donated) > 1 else 0]
    places = [place for place in places if place - first < x.shape[-2]]
    x = x[_heads(patch, x)] if x.dim() == 3 else x
    return _at(x, [place - first for place in places]), places


def _patched_value(
    taps: Taps, patch: Patch, x: Tensor, row: int, places: list[int], first: int, is_source_side: bool
) -> Tensor:
    """The patched value: zeros, the mean over positions, or x (…, positions, width) scaled or with noise."""
    whole = _of_heads(patch, x)
    original = _at(whole, [place - first for place in places])
    if patch.scale is not None:
        return original * patch.scale
    if patch.zero:
        return torch.zeros_like(original)
    if patch.noise is not None:
        spread = patch.noise_scale * original.float().std(-1, keepdim=True, correction=0)
        drawn = [_draw_noise(patch.noise, place, original[..., 0, :].shape) for place in places]
        return original + spread * torch.stack(drawn, -2).to(spread)
    if is_source_side:
        real = taps.source_is_real[row].to(whole.dtype)[:, None]  # (S, 1)
        return ((whole * real).sum(-2, keepdim=True) / real.sum()).expand_as(original)
    counts = torch.arange(1, whole.shape[-2] + 1, device=whole.device, dtype=whole.dtype)[:, None]
    return _at(whole.cumsum(-2) / counts, places)


def _at(x: Tensor, places: Sequence[int]) -> Tensor:
    """The positions ``places`` of x (…, positions, width)."""
    return x.index_select(-2, torch.tensor(places, dtype=torch.long, device=x.device))


def _draw_noise(seed: int, place: int, shape: Sequence[int]) -> Tensor:
    """Gaussian noise for one position, the same whether positions are computed together or one by one."""
    generator = torch.Generator().manual_seed((seed * 1_000_003 + place) % 2**63)
    return torch.randn(tuple(shape), generator=generator)
