"""The few calls in a pickle whose result is known without making them: dictionaries, sets, bytes, tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.checkpoints.formats.pickle_machine import Machine
from model.checkpoints.formats.pickle_values import ClassName, PickledObject, Storage, StoredTensor, is_count


def new_object(machine: Machine, kind: Any, arguments: Any) -> Any:
    """An object that is created without calling more than its class's own ``__new__``."""
    if not isinstance(kind, ClassName) or not isinstance(arguments, tuple):
        raise ValueError("an object without a class")
    known = KNOWN.get(str(kind))
    return known(machine, arguments) if known else PickledObject(str(kind), arguments)


def _rebuild(machine: Machine, arguments: tuple[Any, ...]) -> StoredTensor:
    if len(arguments) < 4 or not isinstance(arguments[0], Storage):
        raise ValueError("a tensor without a storage")
    storage, first, shape, strides = arguments[:4]
    if not isinstance(shape, tuple) or not isinstance(strides, tuple) or len(shape) != len(strides) or len(shape) > 8:
        raise ValueError("a tensor without a shape")
    if not all(map(is_count, (first, *shape, *strides))):
        raise ValueError("a tensor with a wrong shape")
    return StoredTensor(storage, first + storage.first, shape, strides)


def _parameter(machine: Machine, arguments: tuple[Any, ...]) -> StoredTensor:
    if not arguments or not isinstance(arguments[0], StoredTensor):
        raise ValueError("a parameter without a tensor")
    return arguments[0]


def _ordered(machine: Machine, arguments: tuple[Any, ...]) -> dict[Any, Any]:
    """OrderedDict and Counter: made empty, from a dictionary, or from pairs."""
    content = arguments[0] if arguments else {}
    if isinstance(content, dict):
        return content
    pairs = content if isinstance(content, list | tuple) else ()
    if not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in pairs):
        raise ValueError("a dictionary without pairs")
    machine.charge(len(pairs))
    return {machine.key(key): value for key, value in pairs}


def _default(machine: Machine, arguments: tuple[Any, ...]) -> dict[Any, Any]:
    return {}


def _set(machine: Machine, arguments: tuple[Any, ...]) -> set[Any]:
    content = arguments[0] if arguments else ()
    if not isinstance(content, list | tuple | set | frozenset):
        raise ValueError("a set without elements")
    machine.charge(len(content))
    return set(map(machine.key, content))


def _frozen(machine: Machine, arguments: tuple[Any, ...]) -> frozenset[Any]:
    return frozenset(_set(machine, arguments))


def _bytes(machine: Machine, arguments: tuple[Any, ...]) -> bytes:
    """How the older protocols write bytes: as text to be encoded."""
    if not arguments or not isinstance(arguments[0], str):
        raise ValueError("bytes without text")
    machine.charge(len(arguments[0]) // 64)
    return arguments[0].encode("latin1")


def _size(machine: Machine, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    return arguments[0] if arguments and isinstance(arguments[0], tuple) else ()


def _device(machine: Machine, arguments: tuple[Any, ...]) -> str:
    return ":".join(str(part)[:20] for part in arguments[:2])


def _reconstructed(machine: Machine, arguments: tuple[Any, ...]) -> Any:
    if not arguments or not isinstance(arguments[0], ClassName):
        raise ValueError("an object without a class")
    return new_object(machine, arguments[0], ())


KNOWN: dict[str, Callable[[Machine, tuple[Any, ...]], Any]] = {
    "collections.OrderedDict": _ordered,
    "collections.Counter": _ordered,
    "collections.defaultdict": _default,
    "torch._utils._rebuild_tensor": _rebuild,
    "torch._utils._rebuild_tensor_v2": _rebuild,
    "torch._utils._rebuild_parameter": _parameter,
    "torch._utils._rebuild_parameter_with_state": _parameter,
    "torch.nn.parameter.Parameter": _parameter,
    "torch.Size": _size,
    "torch.device": _device,
    "builtins.set": _set,
    "__builtin__.set": _set,
    "builtins.frozenset": _frozen,
    "__builtin__.frozenset": _frozen,
    "_codecs.encode": _bytes,
    "copy_reg._reconstructor": _reconstructed,
    "copyreg._reconstructor": _reconstructed,
}
