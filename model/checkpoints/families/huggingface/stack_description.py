"""A single stack of ``transformers`` under our names, and what its families have in common."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor

from model.checkpoints.families.huggingface.parts import ACTIVATIONS
from model.checkpoints.families.renaming import Table
from model.checkpoints.families.tables import FUSED, by_group
from model.errors import RegardError
from model.layer_spec import LayerSpec, Rotary
from model.nn.rotary import with_turns

Tensors = dict[str, Tensor]
_FIXED_ROPE = ("default", "linear", "llama3", "yarn", "proportional")
"""Rotary positions whose frequencies do not depend on the length of the text."""


class NotOursError(RegardError, ValueError):
    """A switch of a configuration that our layers do not have."""


@dataclass(frozen=True, slots=True)
class Described:
    """A single stack under our names."""

    layers: tuple[LayerSpec, ...]
    table: Table
    fields: dict[str, Any] = field(default_factory=dict)
    """Further fields of TransformerConfig."""
    prepared: Callable[[Tensors], Tensors] = dict
    """The library's tensors with fused matrices taken apart."""
    ignored: tuple[str, ...] = ()


def heads_of(config: Any) -> tuple[int, int, int]:
    """Heads, heads of keys, and width of one."""
    n_heads = config.num_attention_heads
    width = getattr(config, "head_dim", None) or config.hidden_size // n_heads
    return n_heads, getattr(config, "num_key_value_heads", None) or n_heads, width


def activation_of(name: str) -> Any:
    """Our name of an activation.

    Raises:
        NotOursError: when ours has none.
    """
    if name not in ACTIVATIONS:
        raise NotOursError(f"the activation {name}")
    return ACTIVATIONS[name]


def rotary_of(network: Any, kind: str = "", *, interleaved: bool = False) -> Rotary:
    """The rotary positions that a network computes, from its own frequencies.

    Args:
        kind: of layer, where the layers differ.
    """
    module = next((m for name, m in network.named_modules() if name.rpartition(".")[2] == "rotary_emb"), None)
    if module is None:
        raise NotOursError("rotary positions without frequencies")
    settings = network.config.rope_parameters
    settings = settings[kind] if kind and kind in settings else settings
    if settings.get("rope_type", "default") not in _FIXED_ROPE:
        raise NotOursError(f"rotary positions of the type {settings['rope_type']}")
    prefix = f"{kind}_" if hasattr(module, f"{kind}_inv_freq") else ""
    turned = getattr(module, f"{prefix}inv_freq").float().cpu()
    factor = float(getattr(module, f"{prefix}attention_scaling", 1.0))
    plain = Rotary(width=2 * len(turned), base=float(settings["rope_theta"]), interleaved=interleaved, factor=factor)
    return with_turns(plain, turned)


def split_fused(tensors: Mapping[str, Tensor], name: str, split: Callable[[Tensor], tuple[Tensor, ...]]) -> Tensors:
    """Each fused matrix or bias of this name as three under ``fused``: queries', keys' and values'."""
    separate: Tensors = {}
    for key, tensor in tensors.items():
        place, _, end = key.rpartition(f".{name}.")
        if place:
            separate |= {f"{place}.{side}.{end}": part for side, part in zip(FUSED, split(tensor), strict=True)}
        else:
            separate[key] = tensor
    return separate


def by_head(n_heads: int) -> Callable[[Tensor], tuple[Tensor, ...]]:
    """A fused matrix in which each head's query, key and value stand together."""
    return lambda x: by_group(x, n_heads, len(x) // (3 * n_heads))
