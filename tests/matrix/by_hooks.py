"""Interventions done by hand: plain PyTorch hooks on a model that runs without any, written from their definitions."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor

from model.interventions import AttentionKind, Interventions
from model.nn.transformer import Transformer
from model.patch import Patch

_HEAD = ("query", "key", "value", "scores", "weights", "mixed", "output")
PATCHED = ("residual.after", *(f"self.{part}" for part in _HEAD), "feed_forward.output")
PATCHED_CROSS = tuple(f"cross.{part}" for part in _HEAD)
"""The activations that hooks reach, of a layer."""


@dataclass
class Pass:
    """What one pass over one sentence gave."""

    weights: dict[tuple[AttentionKind, int], Tensor] = field(default_factory=dict)
    """(H, Q, K)"""
    activations: dict[str, Tensor] = field(default_factory=dict)
    """Without the batch."""
    logits: Tensor = field(default_factory=lambda: torch.zeros(0))
    """(T, V)"""


@torch.no_grad()
def run(network: Transformer, edits: Interventions, source: Sequence[int], fed: Sequence[int]) -> Pass:
    """A pass of S source tokens and T that the decoder is fed."""
    result = Pass()
    ids = torch.tensor([source], dtype=torch.long).reshape(1, len(source), *np.shape(source)[1:])
    donors = {
        patch: run(network, Interventions(), *((patch.from_ids, fed) if len(ids[0]) else ((), patch.from_ids)))
        for patch in edits.patches
        if patch.from_ids is not None
    }
    with _install_hooks(network, edits, result, donors):
        encoded = network.encode(ids, capture=True)
        hidden = network.decode(torch.tensor([fed], dtype=torch.long).reshape(1, -1), encoded, capture=True).hidden
    result.logits = network.project(hidden if network.config.n_decoder_layers else encoded.memory)[0]
    return result


@contextmanager
def _install_hooks(network: Any, edits: Interventions, result: Pass, donors: dict[Patch, Pass]) -> Iterator[None]:
    def patched(name: str, x: Tensor, visible: Tensor | None = None) -> Tensor:
        """An activation without its batch, (…, positions, width), with its patches."""
        for patch in edits.patches:
            if patch.name == name:
                x = _apply_patch(patch, x, donors.get(patch), visible)
                x = x * visible if visible is not None and name.endswith("weights") else x
        result.activations[name] = x
        return x

    with ExitStack() as hooks:

        def after(module: Any, change: Callable[..., Any]) -> None:
            handle = module.register_forward_hook(change, with_kwargs=True)
            hooks.callback(handle.remove)

        if edits.source_positions is not None:
            after(
                network.encoder.positions,
                lambda m, args, kwargs, out: _move_positions(m, edits.source_positions, args, out),
            )
        for stack, layers in (("encoder", network.encoder.layers), ("decoder", network.decoder.layers)):
            for index, layer in enumerate(layers):
                place = f"{stack}.{index}"
                after(layer, lambda m, a, k, out, p=place: (patched(f"{p}.residual.after", out[0][0])[None], *out[1:]))
                after(
                    layer.feed_forward, lambda m, a, k, out, p=place: patched(f"{p}.feed_forward.output", out[0])[None]
                )
                for part in ("self", "cross") if layer.cross_attention is not None else ("self",):
                    kind = "cross" if part == "cross" else "encoder_self" if stack == "encoder" else "decoder_self"
                    attention = layer.cross_attention if part == "cross" else layer.self_attention
                    after(
                        attention,
                        lambda m, args, kwargs, out, place=(kind, index), name=f"{place}.{part}": _attend(
                            m, args, edits, place, result, lambda what, x, v=None: patched(f"{name}.{what}", x, v)
                        ),
                    )
        yield


def _attend(
    module: Any, args: Any, edits: Interventions, place: tuple[Any, int], result: Pass, patched: Callable[..., Tensor]
) -> tuple[Tensor, Tensor]:
    """Attention of one sentence, query by query and head by head."""
    x, keys, values, attn_mask = args
    (kind, layer), n_queries, n_keys = place, x.shape[1], keys.shape[2]
    keys, values = patched("key", keys[0])[None], patched("value", values[0])[None]
    query = patched("query", module.queries(x)[0])[None]
    scores = query @ keys.transpose(-2, -1) * (query.shape[-1] ** -0.5 if module.scale is None else module.scale)
    if module.spec.cap is not None:
        scores = (scores / module.spec.cap).tanh() * module.spec.cap
    bias = module.position_bias(n_queries, n_keys, 0, None, None)
    scores = (scores if bias is None else scores + bias)[0]  # (H, Q, K)
    if kind == "decoder_self" and edits.lift_causal_mask:
        attn_mask = None
    mask = module.visible(attn_mask, n_queries, n_keys, 0)
    seen = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask[0].expand_as(scores).clone()
    by_network = seen.clone()
    for block in edits.blocked_keys:
        if block.kind == kind and block.layer in (None, layer):
            heads = range(len(scores)) if block.head is None else [block.head]
            for head in heads:
                for q in range(n_queries):
                    if block.query in (None, q) and block.key < n_keys:
                        seen[head, q, block.key] = False
    scores = patched("scores", scores, seen)
    weights = torch.zeros_like(scores)
    for head in range(len(scores)):
        for q in range(n_queries):
            if seen[head, q].any():
                weights[head, q, seen[head, q]] = scores[head, q, seen[head, q]].softmax(-1)
    for off in edits.heads_off:
        if (off.kind, off.layer, off.mode) == (kind, layer, "uniform"):
            weights[off.head] = seen[off.head] / seen[off.head].sum(-1, keepdim=True).clamp(min=1)
    for row in edits.forced_rows:
        if (row.kind, row.layer) == (kind, layer) and row.query < n_queries:
            value = torch.zeros(n_keys, dtype=weights.dtype)
            value[: len(row.weights)] = torch.tensor(row.weights[:n_keys], dtype=weights.dtype)
            value = value * seen[row.head, row.query]
            weights[row.head, row.query] = value / value.sum()
    weights = patched("weights", weights, by_network)
    result.weights[kind, layer] = weights
    mixed = weights @ values[0]  # (H, Q, M)
    for off in edits.heads_off:
        if (off.kind, off.layer, off.mode) == (kind, layer, "zero"):
            mixed[off.head] = 0
    mixed = patched("mixed", mixed)
    return patched("output", module.write(mixed[None])[0])[None], weights[None]


def _move_positions(positions: Any, edit: Any, args: Any, out: Any) -> Any:
    """Encodings (1, S, D) where the source's positions are moved; a table's rows begin at the position offset."""
    if not isinstance(out, Tensor):
        return out
    n = out.shape[1]
    if edit.mode == "zero":
        return torch.zeros_like(out)
    order = list(range(n))
    if edit.mode == "reverse":
        order.reverse()
    elif edit.mode == "shuffle":
        order = torch.randperm(n, generator=torch.Generator().manual_seed(edit.amount)).tolist()
    else:
        order = [max(0, place + edit.amount) for place in order]
    return positions.table[[place + positions.offset for place in order]][None]


def _apply_patch(patch: Patch, x: Tensor, donor: Pass | None, visible: Tensor | None) -> Tensor:
    """One patch on an activation of one sentence (…, positions, width), position by position."""
    changed, heads = x.clone(), [None] if x.dim() == 2 else range(len(x)) if patch.heads is None else patch.heads
    is_source_side = patch.name.startswith("encoder") or patch.name.endswith((".cross.key", ".cross.value"))
    for place in range(x.shape[-2]) if patch.positions is None else filter(lambda i: i < x.shape[-2], patch.positions):
        for head in heads:
            at = (place,) if head is None else (head, place)
            changed[at] = _replacement(
                patch, x if head is None else x[head], place, head, donor, is_source_side, visible
            )
    return changed


def _replacement(
    patch: Patch, x: Tensor, place: int, head: int | None, donor: Pass | None, is_source_side: bool,
    visible: Tensor | None,
) -> Tensor:  # fmt: skip
    """What stands at one position of x (positions, width)."""
    old = x[place]
    if patch.zero:
        return torch.zeros_like(old)
    if patch.mean:
        return x.mean(0) if is_source_side else x[: place + 1].mean(0)
    if patch.scale is not None:
        return old * patch.scale
    if donor is not None:
        other = donor.activations[patch.name]
        other = other if head is None else other[head]
        return other[place] if place < len(other) else old
    if patch.apply is not None:
        assert patch.apply is not None
        if visible is None:
            return patch.apply(old[None])[0]
        retained = old.clone()
        seen = visible.any(0)[place]
        retained[seen] = patch.apply(old[None, None, seen])[0, 0]
        return retained
    assert patch.numbers is not None
    numbers = torch.tensor(patch.numbers.array(), dtype=old.dtype).reshape(-1)
    if patch.value is not None:
        return numbers.expand_as(old)
    if patch.add is not None:
        return old + patch.strength * numbers
    unit = numbers / numbers.norm()
    return old - (old @ unit) * unit
