"""Finds a model's tensors in a file, and gives them the names of the model's code.

A file of ``torch.save`` is a state dict, a dict that holds one, or the model itself. A training loop also saves
averages, counters, the weights of its loss, the state of an optimizer or settings, and may save encoder and decoder
separately. Compiled, sharded and checkpointed modules add a word to names. Copies are recognised only by their names,
and the reader is asked which one to open.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, TypeVar

from torch import Tensor

from model.checkpoints.basis.limits import limits
from model.checkpoints.formats.pickle_values import PickledObject, StoredTensor

T = TypeVar("T")

_AROUND = re.compile(r"^(?:module\.|model\.|net\.)+")
_WITHIN = re.compile(r"(?<![^.])(?:_orig_mod|_fsdp_wrapped_module|_checkpoint_wrapped_module)\.")
_COUNTERS = frozenset({"n_averaged", "initted", "step", "steps", "global_step", "epoch", "num_updates", "decay"})
_LOSSES = re.compile(r"^(?:criterion|loss|loss_fn|\w+_loss|metrics?|\w+_metrics?|\w*accuracy|\w*bleu)\.")
_LEAST_MATRICES = 4
MAIN = ("model", "state_dict", "model_state_dict", "model_state", "module", "net", "network", "params", "weights")
"""Names that training loops give to the weights that they train. Other names are averages or an optimizer's state."""


@dataclass(frozen=True, slots=True)
class StateDict:
    """The tensors in a file, however it is wrapped, and the other values in the file."""

    tensors: dict[str, Tensor]
    beside: dict[str, Any] = field(default_factory=dict)
    """The mapping that contained the tensors (settings, epoch), without them; objects as ``PickledObject``."""
    sets: tuple[str, ...] = ()
    """Names of the copies of the tensors in the file, the one in use first; empty when there is only one."""
    outside: tuple[str, ...] = ()
    """Tensors that belong to the training, not to the model."""
    around: str = ""
    """What stood before every name."""


def unwrap(read: StateDict, copy_name: str | None = None) -> StateDict:
    """The tensors without wrappers' prefixes and the training's tensors; of several copies, the requested one."""
    outside = tuple(name for name, tensor in read.tensors.items() if is_outside(name, tensor.numel()))
    tensors = strip_prefixes({name: tensor for name, tensor in read.tensors.items() if name not in outside})
    copies = _copies(tensors)
    if not copies:
        return replace(read, tensors=tensors, outside=outside, around=_shared_prefix(read.tensors))
    sets = in_use_first(tuple(copies), copy_name)
    return replace(read, tensors=strip_prefixes(copies[sets[0]]), sets=read.sets or sets, outside=outside)


def _shared_prefix(names: Iterable[str]) -> str:
    prefixes = {match[0] if (match := _AROUND.match(name)) else "" for name in names}
    return prefixes.pop() if len(prefixes) == 1 else ""


def strip_prefixes(tensors: Mapping[str, T]) -> dict[str, T]:
    """The names without the parts that wrappers insert."""
    inner = next(unwrappings(tensors))
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


def in_use_first(sets: tuple[str, ...], copy_name: str | None) -> tuple[str, ...]:
    """The sets, the one to read first: the requested one, by default the raw weights rather than an average."""
    chosen = copy_name if copy_name in sets else min(sets, key=lambda name: (_rank(name), sets.index(name)))
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


_MOST_KEYS = 64
_LONGEST = 512
"""The longest name, in characters. It ends the walk through a module that contains itself."""
_ENCODER, _DECODER = re.compile(r"enc", re.IGNORECASE), re.compile(r"dec", re.IGNORECASE)
_ENDINGS = re.compile(r"_(?:model_)?(?:state_dict|state|weights|params)\Z")
_AVERAGES = re.compile(r"ema|averag|shadow|optim", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Weights:
    """A set of named tensors, and the mapping that contained it."""

    name: str = ""
    """The keys that lead to it."""
    tensors: dict[str, StoredTensor] = field(default_factory=dict)
    beside: dict[Any, Any] = field(default_factory=dict)
    sets: tuple[str, ...] = ()
    """The names of all copies, this one's first, where there are several."""

    @property
    def matrices(self) -> frozenset[str]:
        """Names of its matrices, without wrappers' prefixes."""
        return frozenset(name for name, tensor in self.inner.items() if len(tensor.shape) > 1)

    @property
    def inner(self) -> dict[str, StoredTensor]:
        """The model's tensors without wrappers' prefixes; tensors of the training keep their names."""
        outside = {name: tensor for name, tensor in self.tensors.items() if is_outside(name, tensor.size)}
        return strip_prefixes({name: self.tensors[name] for name in self.tensors if name not in outside}) | outside


def find_weights(loaded: object, copy_name: str | None = None) -> Weights:
    """The set with the most matrices; of a raw and an averaged copy, the requested one, by default the raw one."""
    if isinstance(loaded, list | tuple):
        loaded = {str(index): value for index, value in enumerate(loaded)}
    candidates = list(_Search().candidates(loaded))
    if not candidates:
        return Weights()
    largest = max(candidates, key=lambda candidate: len(candidate.matrices))
    copies = {candidate.name: candidate for candidate in candidates if _is_copy(candidate.matrices, largest.matrices)}
    if len(copies) < 2:
        return largest
    sets = in_use_first(tuple(copies), copy_name)
    chosen = copies[sets[0]]
    # An average has only parameters. The tables that are not parameters are in the other copies.
    fullest = max(copies.values(), key=lambda candidate: len(candidate.tensors))
    return Weights(chosen.name, fullest.inner | chosen.inner, chosen.beside, sets)


def _is_copy(names: frozenset[str], others: frozenset[str]) -> bool:
    common = len(names & others)
    return common >= max(_LEAST_MATRICES, 0.9 * len(others))


def _within(loaded: object) -> Iterator[tuple[str, object, dict[Any, Any]]]:
    """The saved value and the values of its dicts, recursively: keys, value, and the dict that holds it."""
    yield "", loaded, {}
    if not isinstance(loaded, dict):
        return
    for key, value in islice(loaded.items(), _MOST_KEYS):
        yield str(key), value, loaded
        for inner_key, inner in islice(value.items(), _MOST_KEYS) if isinstance(value, dict) else ():
            if isinstance(inner, dict | PickledObject):
                yield f"{key}.{inner_key}", inner, value


class _Search:
    """One search, which visits each value once even if the file refers to it many times."""

    def __init__(self) -> None:
        self.known: dict[int, dict[str, StoredTensor]] = {}

    def candidates(self, loaded: object) -> Iterator[Weights]:
        """Every set of named tensors at most two levels deep; deeper ones belong to an optimizer."""
        places = list(_within(loaded))
        for name, value, parent in places:
            is_new = id(value) not in self.known
            tensors = self.named(value)
            if is_new and tensors:
                beside = {key: other for key, other in parent.items() if other is not value}
                yield Weights(name, tensors, beside)
        for name, value in {id(value): (name, value) for name, value, _ in places}.values():
            if isinstance(value, dict) and (joined := self.joined(value)):
                yield Weights(name, joined, value)

    def named(self, value: object) -> dict[str, StoredTensor]:
        """The tensors of a state dict, or of a module with the names of its ``state_dict()``."""
        if id(value) not in self.known:
            self.known[id(value)] = _state(value) if isinstance(value, PickledObject) else _tensors(value)
        return self.known[id(value)]

    def joined(self, parts: Mapping[Any, object]) -> dict[str, StoredTensor]:
        """The tensors of an encoder, a decoder and other separately saved parts, each named after its part."""
        held = {key: tensors for key, value in islice(parts.items(), _MOST_KEYS)
                if isinstance(key, str) and not _AVERAGES.search(key) and "." not in key
                and (tensors := self.named(value))}  # fmt: skip
        is_split = any(map(_ENCODER.search, held)) and any(map(_DECODER.search, held))
        if not is_split or sum(map(len, held.values())) > limits().max_tensors:
            return {}
        return {f"{_ENDINGS.sub('', key)}.{name}": tensor for key, tensors in held.items()
                for name, tensor in strip_prefixes(tensors).items()}  # fmt: skip


def _tensors(value: object) -> dict[str, StoredTensor]:
    if not isinstance(value, dict):
        return {}
    return {name: each for name, each in value.items() if isinstance(name, str) and isinstance(each, StoredTensor)}


def _state(module: PickledObject) -> dict[str, StoredTensor]:
    """The parameters and persistent buffers of a module and its submodules."""
    tensors: dict[str, StoredTensor] = {}
    waiting = [("", module)]
    n_seen = 0
    while waiting and n_seen <= 2 * limits().max_tensors:
        prefix, item = waiting.pop()
        left_out = item.fields.get("_non_persistent_buffers_set")
        left_out = left_out if isinstance(left_out, set | frozenset) else frozenset()
        for kind in ("_parameters", "_buffers"):
            held = _tensors(item.fields.get(kind))
            n_seen += len(held)
            tensors |= {f"{prefix}{name}": tensor for name, tensor in held.items() if name not in left_out}
        inner = item.fields.get("_modules")
        children = list(inner.items()) if isinstance(inner, dict) else []
        n_seen += 1 + len(children)
        waiting += [(f"{prefix}{name}.", child) for name, child in reversed(children)
                    if isinstance(child, PickledObject) and len(prefix) < _LONGEST]  # fmt: skip
    return tensors
