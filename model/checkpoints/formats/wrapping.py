"""Removes the prefixes that wrappers and trainers add, so that tensors have the names of the model's code.

Compiled, sharded and checkpointed modules add a word to names, averages keep a second copy of every tensor, and a
training loop leaves counters and the weights of its loss. Copies are recognised only by their names, and the reader is
asked which one to open.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from torch import Tensor

T = TypeVar("T")

_AROUND = re.compile(r"^(?:module\.|model\.|net\.)+")
_WITHIN = re.compile(r"(?<![^.])(?:_orig_mod|_fsdp_wrapped_module|_checkpoint_wrapped_module)\.")
_COUNTERS = frozenset({"n_averaged", "initted", "step", "steps", "global_step", "epoch", "num_updates", "decay"})
_LOSSES = re.compile(r"^(?:criterion|loss|loss_fn|\w+_loss|metrics?|\w+_metrics?|\w*accuracy|\w*bleu)\.")
_LEAST_MATRICES = 4
MAIN = ("model", "state_dict", "model_state_dict", "model_state", "module", "net", "network", "params", "weights")
"""Names that training loops give to the weights that they train. Other names are averages or an optimizer's state."""


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """A model's tensors without wrappers' prefixes in their names."""

    tensors: dict[str, Tensor]
    sets: tuple[str, ...] = ()
    """Names of the copies of the tensors, the one in use first; empty when there is only one."""
    outside: tuple[str, ...] = field(default=())
    """Tensors that belong to the training, not to the model."""
    around: str = ""
    """What stood before every name."""


def unwrap(by_name: Mapping[str, Tensor], wanted: str | None = None) -> Unwrapped:
    """The tensors without wrappers' prefixes and the training's tensors; of several copies, the requested one."""
    outside = tuple(name for name, tensor in by_name.items() if is_outside(name, tensor.numel()))
    tensors = strip_prefixes({name: tensor for name, tensor in by_name.items() if name not in outside})
    copies = _copies(tensors)
    if not copies:
        return Unwrapped(tensors, (), outside, _shared_prefix(by_name))
    chosen = in_use(tuple(copies), wanted)
    return Unwrapped(strip_prefixes(copies[chosen]), chosen_first(tuple(copies), chosen), outside)


def _shared_prefix(names: Iterable[str]) -> str:
    prefixes = {match[0] if (match := _AROUND.match(name)) else "" for name in names}
    return prefixes.pop() if len(prefixes) == 1 else ""


def strip_prefixes(tensors: Mapping[str, T]) -> dict[str, T]:
    """The names without the parts that wrappers insert."""
    inner = {_WITHIN.sub("", name): tensor for name, tensor in tensors.items()}
    inner = inner if len(inner) == len(tensors) else dict(tensors)
    prefix = _shared_prefix(inner)
    return {name.removeprefix(prefix): tensor for name, tensor in inner.items()}


def unwrappings(tensors: Mapping[str, T]) -> Iterator[dict[str, T]]:
    """The names without the parts of compilers and samplers, then without each prefix that all share.

    Every route takes off its prefixes here, and keeps the names that it knows: ``module.``, ``model.``, ``net.``,
    ``transformer.``, ``base_model.model.`` and any others, one in another.
    """
    within = {_WITHIN.sub("", name): tensor for name, tensor in tensors.items()}
    inner: dict[str, T] | None = within if len(within) == len(tensors) else dict(tensors)
    while inner is not None:
        yield inner
        inner = without_shared_prefix(inner)


def best_named(tensors: Mapping[str, T], expected: Collection[str], base: str) -> dict[str, T]:
    """The tensors without the prefixes that hide a model's names.

    Args:
        expected: the model's names.
        base: the module that files saved without a head leave out of their names.
    """

    def n_known(inner: Mapping[str, T]) -> int:
        return sum(name in expected or f"{base}.{name}" in expected for name in inner)

    return max(unwrappings(tensors), key=n_known)  # the first of equals


def without_shared_prefix(tensors: Mapping[str, T]) -> dict[str, T] | None:
    """The tensors without the first part that all their names share; None if they share none."""
    words = {name.partition(".")[0] if "." in name else "" for name in tensors}
    word = words.pop() if len(words) == 1 else ""
    return {name.removeprefix(f"{word}."): tensor for name, tensor in tensors.items()} if word else None


def in_use(sets: tuple[str, ...], wanted: str | None) -> str:
    """The set to read: the requested one, by default the raw weights rather than an average."""
    if wanted in sets:
        return wanted
    return min(sets, key=lambda name: (_rank(name), sets.index(name)))


def chosen_first(sets: tuple[str, ...], chosen: str) -> tuple[str, ...]:
    """The sets, the chosen one first."""
    return (chosen, *(name for name in sets if name != chosen))


def _rank(name: str) -> int:
    words = name.lower().split(".")
    return 0 if words[-1] in MAIN else 2 if re.search(r"ema|averag|shadow|online|teacher", words[-1]) else 1


def is_outside(name: str, n_numbers: int) -> bool:
    """Whether a tensor is a counter of the training or belongs to its loss."""
    return (name in _COUNTERS and n_numbers <= 1) or _LOSSES.match(name) is not None


def _copies(tensors: Mapping[str, Tensor]) -> dict[str, dict[str, Tensor]]:
    """Sets of tensors whose names differ only in the first part: part -> tensors; empty if any name does not fit."""
    inner = without_shared_prefix(tensors)
    if inner is not None:
        return {} if len(inner) < _LEAST_MATRICES else _copies(inner)
    copies: dict[str, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        word, _, rest = name.partition(".")
        if not rest or word[-1:].isdigit():
            return {}
        copies.setdefault(word, {})[rest] = tensor
    names = {frozenset(rest for rest, tensor in copy.items() if tensor.dim() > 1) for copy in copies.values()}
    is_copied = len(copies) > 1 and len(names) == 1 and len(next(iter(names))) >= _LEAST_MATRICES
    return copies if is_copied else {}
