"""Properties of sinusoidal positions (Vaswani et al. 2017, section 3.5), as numbers that can be checked.

Everything here is computed in float64: at position 500 a float32 angle is already wrong in the fifth digit.
"""

import math
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from model.bundle import Bundle
from model.errors import RegardError
from model.inference.teacher_forcing import token_log_probs
from model.interventions import NONE, Interventions, PositionEdit
from model.text.tokens import source_tokens, target_tokens
from model.trace import Floats

Doubles = NDArray[np.float64]
BASE = 10_000.0


class PositionError(RegardError, ValueError):
    """Invalid numbers for positions; the message gives the value, the rule and the remedy."""


def frequencies(d_model: int) -> Doubles:
    """Radians per position of each of D/2 pairs, from 1 down to nearly 1/10000.

    Raises:
        PositionError: when d_model is odd or not positive.
    """
    if d_model < 2 or d_model % 2:
        raise PositionError(f"d_model ({d_model}) must be even and at least 2: sines and cosines come in pairs")
    return BASE ** (-np.arange(0, d_model, 2) / d_model)


def wavelengths(d_model: int) -> Doubles:
    """Positions until each pair repeats, (D/2,): from 2π to nearly 10000 · 2π."""
    return 2 * math.pi / frequencies(d_model)


def encoding(positions: Doubles | NDArray[np.int64], d_model: int, *, halves: bool = False) -> Doubles:
    """PE of any positions (P,) -> (P, D), interleaved or all sines first."""
    angle = np.asarray(positions, np.float64)[:, None] * frequencies(d_model)  # (P, D/2)
    if halves:
        return np.concatenate((np.sin(angle), np.cos(angle)), 1)  # (P, D)
    return np.stack((np.sin(angle), np.cos(angle)), 2).reshape(len(angle), d_model)  # (P, D)


def rotation(offset: float, d_model: int) -> Doubles:
    """The matrices (D/2, 2, 2) that turn each (sin, cos) pair of PE(pos) into that of PE(pos + offset).

    sin(a + b) = sin a · cos b + cos a · sin b, and cos(a + b) = cos a · cos b - sin a · sin b.
    """
    angle = offset * frequencies(d_model)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.stack((np.stack((cos, sin), 1), np.stack((-sin, cos), 1)), 1)  # (D/2, 2, 2)


def rotate(encodings: Doubles, offset: float) -> Doubles:
    """Interleaved encodings (P, D) after the rotation: those of positions further by ``offset``."""
    pairs = encodings.reshape(len(encodings), -1, 2)  # (P, D/2, 2)
    turned = np.einsum("dij,pdj->pdi", rotation(offset, encodings.shape[1]), pairs)
    return turned.reshape(encodings.shape)


def rotation_error(n_positions: int, d_model: int, offset: int) -> float:
    """Largest difference between a rotated PE(pos) and PE(pos + offset), over all positions and dimensions."""
    positions = np.arange(n_positions)
    return float(np.abs(rotate(encoding(positions, d_model), offset) - encoding(positions + offset, d_model)).max())


def dot_by_offset(d_model: int, offsets: NDArray[np.int64]) -> Doubles:
    """PE(pos) · PE(pos + k) for offsets (O,): Σ cos(k ω), whatever pos is."""
    return np.cos(np.asarray(offsets)[:, None] * frequencies(d_model)).sum(1)


def similarity(table: Floats | Doubles) -> Doubles:
    """Cosine of every two rows of any position table, (P, D) -> (P, P); a row of zeros has similarity 0 to all rows."""
    table = np.asarray(table, np.float64)
    length = np.linalg.norm(table, axis=1, keepdims=True)
    unit = np.divide(table, length, out=np.zeros_like(table), where=length > 0)
    return unit @ unit.T


@dataclass(frozen=True, slots=True)
class OrderEffect:
    """The encoder's attention to a sentence and to the same words shuffled, rows and columns put back in order."""

    order: tuple[int, ...]
    """Which token stands at each place of the shuffled sentence."""
    with_positions: tuple[Floats, Floats]
    """In order and shuffled, each (L, H, S, S)."""
    without_positions: tuple[Floats, Floats]

    @property
    def change(self) -> tuple[float, float]:
        """Largest difference of a weight between the two orders, with positions and without."""
        with_, without = (float(np.abs(a - b).max()) for a, b in (self.with_positions, self.without_positions))
        return with_, without


@torch.inference_mode()
def order_effect(bundle: Bundle, *, source_ids: tuple[int, ...], n_fixed: int, seed: int) -> OrderEffect:
    """Shuffle all but the last ``n_fixed`` tokens, and read the encoder with positions and without."""
    movable = len(source_ids) - n_fixed
    order = (*np.random.default_rng(seed).permutation(movable).tolist(), *range(movable, len(source_ids)))
    ids = torch.tensor([source_ids, [source_ids[i] for i in order]], device=bundle.device)
    back = np.argsort(order)
    maps = []
    for changed in (None, Interventions(source_positions=PositionEdit("zero"))):
        layers = bundle.model.encode(ids, capture=True, interventions=changed).attention
        weights = torch.stack(layers, 1).float().cpu().numpy()  # (2, L, H, S, S)
        maps.append((weights[0], weights[1][:, :, back][:, :, :, back]))
    return OrderEffect(order, maps[0], maps[1])


@dataclass(frozen=True, slots=True)
class ShiftEffect:
    """How probable a translation remains as the source's positions are shifted."""

    shifts: tuple[int, ...]
    log_probs: Floats
    """(shifts,), mean natural logarithm of the translation's tokens."""


def shift_effect(bundle: Bundle, *, source: str, target: str, shifts: tuple[int, ...]) -> ShiftEffect:
    """Score one translation with the source's positions moved by each of ``shifts``.

    Raises:
        TextError: when the text cannot be read.
        InterventionError: when a learned table has no row so far along.
    """
    read, target_read = source_tokens(bundle, source), target_tokens(bundle, target)
    edits = [Interventions(source_positions=PositionEdit("shift", amount)) if amount else NONE for amount in shifts]
    prefix_ids = (bundle.config.bos_id, *target_read.ids[:-1])
    log_probs = token_log_probs(bundle, read.ids, prefix_ids, target_read.ids, interventions=edits)  # (shifts, T)
    return ShiftEffect(shifts, log_probs.mean(1))
