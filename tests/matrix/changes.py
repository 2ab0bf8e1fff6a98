"""The changes of the matrix, each at a place that a number chooses, and why a kind of model cannot have one."""

import random
from collections.abc import Callable
from typing import Any, get_args

import numpy as np
import torch

import model
from model.activations import activation_shapes
from model.inference.fitting import with_donors
from model.interventions import (
    BlockedKey,
    ForcedRow,
    HeadAblation,
    Interventions,
    PositionEdit,
    PositionMode,
    attention_shapes,
)
from model.patch import Patch
from tests.matrix.by_hooks import PATCHED, PATCHED_CROSS
from tests.matrix.kinds import picture_of

DONOR = (9, 14, 5, 3)
N_KEYS = 3
"""Tokens that every sentence of the matrix has at least, on each side."""
PATCH_KINDS = ("value", "zero", "mean", "add", "scale", "project_out", "apply", "from_ids")


def _place(config: Any, draw: random.Random) -> dict[str, Any]:
    kinds = [(kind, shape) for kind, shape in attention_shapes(config).items() if shape[0]]
    kind, (n_layers, n_heads) = draw.choice(kinds)
    return {"kind": kind, "layer": draw.randrange(n_layers), "head": draw.randrange(n_heads)}


def _row(config: Any, draw: random.Random) -> Interventions:
    place = _place(config, draw)
    return Interventions(forced_rows=ForcedRow(**place, query=draw.randrange(N_KEYS), weights=(0.2, 0.5, 1.0)))


def _key(config: Any, draw: random.Random) -> Interventions:
    place = _place(config, draw)
    place["head"], place["layer"] = draw.choice([None, place["head"]]), draw.choice([None, place["layer"]])
    query = draw.choice([None, draw.randrange(N_KEYS)])
    return Interventions(blocked_keys=BlockedKey(**place, key=draw.randrange(N_KEYS), query=query))


def _patch(how: str) -> Callable[[Any, random.Random], Interventions]:
    def made(config: Any, draw: random.Random) -> Interventions:
        names = [name for name in activation_shapes(config) if name.partition(".")[2].partition(".")[2] in PATCHED]
        names += [
            name for name in activation_shapes(config) if name.partition(".")[2].partition(".")[2] in PATCHED_CROSS
        ]
        is_vector = how in ("project_out", "from_ids")
        names = [name for name in names if not (is_vector and name.endswith(("weights", "scores")))]
        name = draw.choice(names)
        shape = activation_shapes(config)[name]
        heads: dict[str, Any] = {"heads": draw.choice([None, (1,)])} if "H" in shape else {}
        positions = draw.choice([None, (0,), (1, 2)])
        numbers = np.random.default_rng(draw.randrange(99)).normal(size={"D": 16, "K": 8, "M": 8}.get(shape[-1], 1))
        fields: dict[str, Any] = {how: numbers if how in ("value", "add", "project_out") else True}
        if how == "from_ids" and config.picture is not None:
            fields = {"from_text": picture_of(DONOR).text}
        elif how == "from_ids":
            fields = {how: DONOR}
        elif how == "scale":
            fields = {how: -0.4}
        elif how == "apply":
            fields = {how: torch.tanh}
        return Interventions(patches=Patch(name, positions=positions, **heads, **fields))

    return made


CHANGES: dict[str, Callable[[Any, random.Random], Interventions]] = {
    "nothing": lambda config, draw: Interventions(),
    "head off": lambda config, draw: Interventions(HeadAblation(**_place(config, draw))),
    "head uniform": lambda config, draw: Interventions(HeadAblation(**_place(config, draw), mode="uniform")),
    "row forced": _row,
    "key blocked": _key,
    "mask lifted": lambda config, draw: Interventions(lift_causal_mask=True),
    **{f"positions {mode}": (lambda config, draw, mode=mode: Interventions(source_positions=PositionEdit(mode, -2)))
       for mode in get_args(PositionMode)},
    **{f"patch {how}": _patch(how) for how in PATCH_KINDS},
}  # fmt: skip


def change_of(kind_of_model: str, bundle: model.Bundle, change: str, seed: int) -> Interventions:
    """A change at the place that a seed chooses."""
    config = bundle.config
    if kind_of_model == "adapter" and change.startswith("patch"):
        return Interventions(patches=Patch("encoder.0.residual.after", zero=True))
    return with_donors(bundle, CHANGES[change](config, random.Random(f"{change} {seed}")))


def refusal(kind_of_model: str, change: str) -> str:
    """What the sentence says in which a kind of model refuses a change; empty where it takes it."""
    if kind_of_model == "adapter" and (change.startswith("positions") or change == "mask lifted"):
        return "positions and the causal mask"
    if kind_of_model == "adapter" and change.startswith("patch"):
        return "cannot be patched"
    return ""
