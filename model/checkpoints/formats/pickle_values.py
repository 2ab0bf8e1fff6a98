"""The content of a pickle as data, and the stack and the memo while it is read.

Classes are names, objects fields, tensors views of a storage. Copies between stack and memo are limited. A few calls
have a result that is known without making them: dictionaries, sets, bytes, tensors.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from model.checkpoints.basis.errors import CodeError, LimitError

CONVERT = (
    "none of it was run. Convert it where it was made: load it there, then "
    "torch.save(model.state_dict(), 'weights.pt'), or "
    "safetensors.torch.save_file(model.state_dict(), 'weights.safetensors')"
)
SCALARS = (str, int, float, bool, bytes, type(None))


@dataclass(frozen=True, slots=True)
class ClassName:
    """A class or function that a pickle names; it is never looked up."""

    module: str
    name: str

    def __str__(self) -> str:
        return f"{self.module}.{self.name}"


@dataclass(slots=True, eq=False)
class PickledObject:
    """An object of any other class, as data."""

    kind: str
    """The class's full name, such as ``argparse.Namespace``."""
    arguments: tuple[Any, ...] = ()
    """What it would have been made with."""
    fields: dict[str, Any] = field(default_factory=dict)
    """Its attributes."""
    items: list[Any] = field(default_factory=list)
    """Its elements, where it is a list of its own kind."""
    entries: dict[Any, Any] = field(default_factory=dict)
    """Its entries, where it is a dict of its own kind."""
    state: Any = None
    """Its state, where that is not a dict of attributes."""


@dataclass(frozen=True, slots=True)
class Storage:
    """A storage: numbers that are stored elsewhere in the file."""

    kind: str
    """The name of its class, such as ``FloatStorage``."""
    key: str
    n_numbers: int
    first: int = 0
    """Where a view of an older storage begins."""


@dataclass(frozen=True, slots=True, eq=False)
class StoredTensor:
    """A tensor as a view of a storage; no numbers have been read yet."""

    storage: Storage
    first: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of elements that its shape claims."""
        return math.prod(self.shape)


def parts(value: Any) -> list[Any]:
    """The values directly inside one value."""
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, list | tuple):
        return list(value)
    if isinstance(value, PickledObject):
        held = (value.arguments, value.fields, value.items, value.entries, value.state)
        return [part for part in held if not isinstance(part, SCALARS)]
    return []


def is_count(value: object) -> bool:
    """Whether a value is valid as a size or an offset."""
    return type(value) is int and 0 <= value < 2**48


MAX_INSTRUCTIONS = 2_000_000


class _Mark:
    """Marks the start of a group of values on the stack."""


MARK = _Mark()


class Machine:
    """The stack and the memo while one pickle is read."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.stack: list[Any] = []
        self.memory: dict[int, Any] = {}
        self.copied = 0

    def charge(self, n_values: int) -> None:
        """Count copied items, because a few bytes can copy one large dictionary many times."""
        self.copied += n_values
        if self.copied > MAX_INSTRUCTIONS:
            raise LimitError(
                f"{self.where} copies more than {MAX_INSTRUCTIONS:,} values, which is the limit: {CONVERT}"
            )

    def push(self, value: Any) -> None:
        """Push a value."""
        self.stack.append(value)

    def memorise(self, index: int) -> None:
        """Store the top value in the memo under an index."""
        self.memory[index] = self.stack[-1]

    def pop(self) -> Any:
        """Pop a value."""
        value = self.stack.pop()
        if value is MARK:
            raise ValueError("a mark where a value should be")
        return value

    def pops(self, count: int) -> list[Any]:
        """Pop that many values; the top one comes last."""
        return [self.pop() for _ in range(count)][::-1]

    def group(self) -> list[Any]:
        """Pop the values above the last mark, and the mark itself."""
        for place in range(len(self.stack) - 1, -1, -1):
            if self.stack[place] is MARK:
                values = self.stack[place + 1 :]
                del self.stack[place:]
                return values
        raise ValueError("a group without its mark")

    def keyed(self, keys_and_values: list[Any]) -> dict[Any, Any]:
        """A dict from alternating keys and values."""
        if len(keys_and_values) % 2:
            raise ValueError("a key without a value")
        keys = [self.key(key) for key in keys_and_values[::2]]
        return dict(zip(keys, keys_and_values[1::2], strict=True))

    def key(self, value: Any) -> Any:
        """The value, if it can safely be a dict key: hashing a deeply nested one could crash the process."""
        is_flat = isinstance(value, tuple) and len(value) <= 16 and all(isinstance(part, SCALARS) for part in value)
        if isinstance(value, SCALARS) or is_flat:
            return value
        if isinstance(value, ClassName):
            return str(value)
        raise CodeError(f"{self.where} has a {type(value).__name__} as a dictionary key: {CONVERT}")


def new_object(machine: Machine, kind: Any, arguments: Any) -> Any:
    """An object that is created by its class's ``__new__`` alone."""
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


def _make_dict(machine: Machine, arguments: tuple[Any, ...]) -> dict[Any, Any]:
    """OrderedDict and Counter: made empty, from a dictionary, or from pairs."""
    content = arguments[0] if arguments else {}
    if isinstance(content, dict):
        return content
    pairs = content if isinstance(content, list | tuple) else ()
    if not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in pairs):
        raise ValueError("a dictionary without pairs")
    machine.charge(len(pairs))
    return {machine.key(key): value for key, value in pairs}


def _set(machine: Machine, arguments: tuple[Any, ...]) -> set[Any]:
    content = arguments[0] if arguments else ()
    if not isinstance(content, list | tuple | set | frozenset):
        raise ValueError("a set without elements")
    machine.charge(len(content))
    return set(map(machine.key, content))


def _bytes(machine: Machine, arguments: tuple[Any, ...]) -> bytes:
    """How the older protocols write bytes: as text to be encoded."""
    if not arguments or not isinstance(arguments[0], str):
        raise ValueError("bytes without text")
    machine.charge(len(arguments[0]) // 64)
    return arguments[0].encode("latin1")


def _make_object(machine: Machine, arguments: tuple[Any, ...]) -> Any:
    if not arguments or not isinstance(arguments[0], ClassName):
        raise ValueError("an object without a class")
    return new_object(machine, arguments[0], ())


KNOWN: dict[str, Callable[[Machine, tuple[Any, ...]], Any]] = {
    **dict.fromkeys(("collections.OrderedDict", "collections.Counter"), _make_dict),
    "collections.defaultdict": lambda machine, arguments: {},
    **dict.fromkeys(("torch._utils._rebuild_tensor", "torch._utils._rebuild_tensor_v2"), _rebuild),
    **dict.fromkeys(("torch._utils._rebuild_parameter", "torch._utils._rebuild_parameter_with_state",
                     "torch.nn.parameter.Parameter"), _parameter),
    "torch.Size": lambda machine, arguments: next((each for each in arguments[:1] if isinstance(each, tuple)), ()),
    "torch.device": lambda machine, arguments: ":".join(str(part)[:20] for part in arguments[:2]),
    **dict.fromkeys(("builtins.set", "__builtin__.set"), _set),
    **dict.fromkeys(("builtins.frozenset", "__builtin__.frozenset"),
                    lambda machine, arguments: frozenset(_set(machine, arguments))),
    "_codecs.encode": _bytes,
    **dict.fromkeys(("copy_reg._reconstructor", "copyreg._reconstructor"), _make_object),
}  # fmt: skip
