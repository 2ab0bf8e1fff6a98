"""Reads a pickle as data: a small machine follows its instructions, which can build values and call nothing.

Numbers, strings, lists and dicts come out as they are. A tensor comes out as a ``StoredTensor``, which says where its
numbers lie; an object of any other class as a ``PickledObject``, the class's name and its fields. No class is looked
up and no function is called, so there is nothing for a file to run. Depth, number of instructions and kinds of keys
are bounded (pickle's instructions: the docstrings of ``pickletools`` in Python's library).
"""

from __future__ import annotations

import io
import math
import pickletools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from model.checkpoints.errors import LimitError, UnsafeFileError

MAX_INSTRUCTIONS = 2_000_000
MAX_DEPTH = 64
CONVERT = (
    "nothing of it was run. Convert it where it was made: load it there, then "
    "torch.save(model.state_dict(), 'weights.pt'), or "
    "safetensors.torch.save_file(model.state_dict(), 'weights.safetensors')"
)
DATA_PACKAGES = frozenset({"argparse", "collections", "enum", "fairseq", "functools", "numpy", "omegaconf", "onmt",
                           "pathlib", "torchtext", "typing"})  # fmt: skip
"""Packages whose objects are settings and vocabularies: a call that would make one is kept as a ``PickledObject``."""
_SCALARS = (str, int, float, bool, bytes, type(None))


@dataclass(frozen=True, slots=True)
class ClassName:
    """A class or function that a pickle names; it is never looked up."""

    module: str
    name: str

    def __str__(self) -> str:
        return f"{self.module}.{self.name}"


@dataclass(slots=True, eq=False)
class PickledObject:
    """An object of a class that is not known here, as data."""

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
    """A run of numbers that the file says it holds elsewhere."""

    kind: str
    """The name of its class, such as ``FloatStorage``."""
    key: str
    n_numbers: int
    first: int = 0
    """Where a view of an older storage begins."""


@dataclass(frozen=True, slots=True, eq=False)
class StoredTensor:
    """Where a tensor's numbers lie; nothing has been read yet."""

    storage: Storage
    first: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many numbers it claims."""
        return math.prod(self.shape)


def read_pickle(content: bytes | BinaryIO, where: str) -> Any:
    """The value that one pickle describes.

    Args:
        content: the pickle, or a file that stands at its beginning and is left after its end.

    Raises:
        UnsafeFileError: when it would have to call something to be read, or is damaged.
        LimitError: when it is too deep or too long.
    """
    file = io.BytesIO(content) if isinstance(content, bytes) else content
    machine = _Machine(where)
    try:
        for count, (opcode, argument, _) in enumerate(pickletools.genops(file)):
            if count > MAX_INSTRUCTIONS:
                raise LimitError(f"{where} has more than {MAX_INSTRUCTIONS:,} pickle instructions: too many")
            if opcode.name == "STOP":
                break
            machine.step(opcode.name, argument)
        found = machine.pop()
    except (ValueError, IndexError, KeyError, TypeError, AttributeError, OverflowError) as error:
        if isinstance(error, UnsafeFileError | LimitError):
            raise
        raise UnsafeFileError(f"{where} is damaged or no pickle ({str(error)[:80]}): copy it again") from error
    _check_depth(found, where)
    return found


class _Mark:
    """Marks on the stack where a group of values begins."""


_MARK = _Mark()


class _Machine:
    """The stack and the memory while one pickle is read."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.stack: list[Any] = []
        self.memory: dict[int, Any] = {}
        self.copied = 0

    def charge(self, n_values: int) -> None:
        """Count what is copied: a few bytes may copy one large table again and again."""
        self.copied += n_values
        if self.copied > MAX_INSTRUCTIONS:
            raise LimitError(f"{self.where} copies more than {MAX_INSTRUCTIONS:,} values: too many")

    def pop(self) -> Any:
        value = self.stack.pop()
        if value is _MARK:
            raise ValueError("a group where a value should be")
        return value

    def step(self, name: str, argument: Any) -> None:
        if name in _LITERALS:
            if type(argument) is int and argument.bit_length() > 128:
                raise ValueError("a number of more than 128 bits")
            self.stack.append(argument)
        elif name in _CONSTANTS:
            self.stack.append(_CONSTANTS[name]())
        elif name in _IGNORED:
            return
        elif name in _ACTIONS:
            _ACTIONS[name](self, argument)
        else:
            raise UnsafeFileError(f"{self.where} holds a pickled object ({name}): {CONVERT}")

    def group(self) -> list[Any]:
        """The values above the last mark; they and the mark are removed."""
        for place in range(len(self.stack) - 1, -1, -1):
            if self.stack[place] is _MARK:
                values = self.stack[place + 1 :]
                del self.stack[place:]
                return values
        raise ValueError("a group without a beginning")

    def keyed(self, keys_and_values: list[Any]) -> dict[Any, Any]:
        """A dict of what alternates as key and value."""
        if len(keys_and_values) % 2:
            raise ValueError("a key without a value")
        keys = [self.key(key) for key in keys_and_values[::2]]
        return dict(zip(keys, keys_and_values[1::2], strict=True))

    def key(self, value: Any) -> Any:
        """A value that may be a key: hashing a deeply nested one could crash the process."""
        is_flat = isinstance(value, tuple) and len(value) <= 16 and all(isinstance(part, _SCALARS) for part in value)
        if isinstance(value, _SCALARS) or is_flat:
            return value
        if isinstance(value, ClassName):
            return str(value)
        raise UnsafeFileError(f"{self.where} has a {type(value).__name__} as the key of a table: {CONVERT}")


def _put(machine: _Machine, index: int) -> None:
    machine.memory[index] = machine.stack[-1]


def _memoize(machine: _Machine, _: Any) -> None:
    machine.memory[len(machine.memory)] = machine.stack[-1]


def _get(machine: _Machine, index: int) -> None:
    machine.stack.append(machine.memory[int(index)])


def _global(machine: _Machine, named: str) -> None:
    module, _, name = named.partition(" ")
    machine.stack.append(ClassName(module, name))


def _stack_global(machine: _Machine, _: Any) -> None:
    name, module = machine.pop(), machine.pop()
    if not isinstance(name, str) or not isinstance(module, str):
        raise ValueError("a class without a name")
    machine.stack.append(ClassName(module, name))


def _tuple_of(count: int) -> Callable[[_Machine, Any], None]:
    def action(machine: _Machine, _: Any) -> None:
        values = [machine.pop() for _ in range(count)]
        machine.stack.append(tuple(reversed(values)))

    return action


def _append(machine: _Machine, _: Any) -> None:
    value = machine.pop()
    _extend(machine, [value])


def _appends(machine: _Machine, _: Any) -> None:
    _extend(machine, machine.group())


def _extend(machine: _Machine, values: list[Any]) -> None:
    target = machine.stack[-1]
    target = target.items if isinstance(target, PickledObject) else target
    if not isinstance(target, list):
        raise ValueError("elements of what is no list")
    target.extend(values)


def _set_item(machine: _Machine, _: Any) -> None:
    value, key = machine.pop(), machine.pop()
    _update(machine, [key, value])


def _set_items(machine: _Machine, _: Any) -> None:
    _update(machine, machine.group())


def _update(machine: _Machine, keys_and_values: list[Any]) -> None:
    target = machine.stack[-1]
    target = target.entries if isinstance(target, PickledObject) else target
    if not isinstance(target, dict):
        raise ValueError("entries of what is no table")
    target.update(machine.keyed(keys_and_values))


def _add_items(machine: _Machine, _: Any) -> None:
    values = machine.group()
    target = machine.stack[-1]
    if not isinstance(target, set):
        raise ValueError("elements of what is no set")
    target.update(map(machine.key, values))


def _frozen_set(machine: _Machine, _: Any) -> None:
    machine.stack.append(frozenset(map(machine.key, machine.group())))


def _pop(machine: _Machine, _: Any) -> None:
    machine.stack.pop()


def _pop_group(machine: _Machine, _: Any) -> None:
    machine.group()


def _duplicate(machine: _Machine, _: Any) -> None:
    machine.stack.append(machine.stack[-1])


def _new_object(machine: _Machine, _: Any) -> None:
    arguments, kind = machine.pop(), machine.pop()
    machine.stack.append(_made(machine, kind, arguments))


def _new_object_with_keywords(machine: _Machine, _: Any) -> None:
    keywords, arguments, kind = machine.pop(), machine.pop(), machine.pop()
    made = _made(machine, kind, arguments)
    if isinstance(made, PickledObject) and isinstance(keywords, dict):
        _take_fields(machine, made, keywords)
    machine.stack.append(made)


def _made(machine: _Machine, kind: Any, arguments: Any) -> Any:
    """An object that is created without calling more than its class's own ``__new__``."""
    if not isinstance(kind, ClassName) or not isinstance(arguments, tuple):
        raise ValueError("an object without a class")
    known = _KNOWN.get(str(kind))
    return known(machine, arguments) if known else PickledObject(str(kind), arguments)


def _reduce(machine: _Machine, _: Any) -> None:
    arguments, function = machine.pop(), machine.pop()
    if not isinstance(function, ClassName) or not isinstance(arguments, tuple):
        raise UnsafeFileError(f"{machine.where} holds a pickled object that calls another: {CONVERT}")
    known = _KNOWN.get(str(function))
    if known:
        machine.stack.append(known(machine, arguments))
    elif function.module.partition(".")[0] in DATA_PACKAGES:
        machine.stack.append(PickledObject(str(function), arguments))
    else:
        raise UnsafeFileError(f"{machine.where} would have to run {str(function)[:120]} to be read; {CONVERT}")


def _build(machine: _Machine, _: Any) -> None:
    state, target = machine.pop(), machine.stack[-1]
    if not isinstance(target, PickledObject):
        return  # attributes of a dict or of a tensor, such as a state dict's version
    slots: Any = None
    if isinstance(state, tuple) and len(state) == 2 and isinstance(state[1], dict | None):
        state, slots = state
    for part in (state, slots):
        if isinstance(part, dict):
            _take_fields(machine, target, part)
    target.state = None if isinstance(state, dict) else state


def _take_fields(machine: _Machine, target: PickledObject, found: dict[Any, Any]) -> None:
    machine.charge(len(found))
    target.fields.update({name: value for name, value in found.items() if isinstance(name, str)})


def _persistent(machine: _Machine, _: Any) -> None:
    found = machine.pop()
    if not isinstance(found, tuple) or not 5 <= len(found) <= 6 or found[0] != "storage":
        raise ValueError("a reference to something outside the pickle that is no storage")
    _, kind, key, _, n_numbers = found[:5]
    if not isinstance(kind, ClassName) or not isinstance(key, str) or not _is_count(n_numbers):
        raise ValueError("a storage without a type, a key or a size")
    first = 0
    if len(found) == 6 and found[5] is not None:
        view = found[5]
        if not isinstance(view, tuple) or len(view) != 3 or not _is_count(view[1]):
            raise ValueError("a view of a storage without a place")
        first = view[1]
    machine.stack.append(Storage(kind.name, key, n_numbers, first))


def _rebuild(machine: _Machine, arguments: tuple[Any, ...]) -> StoredTensor:
    if len(arguments) < 4 or not isinstance(arguments[0], Storage):
        raise ValueError("a tensor without a storage")
    storage, first, shape, strides = arguments[:4]
    if not isinstance(shape, tuple) or not isinstance(strides, tuple) or len(shape) != len(strides) or len(shape) > 8:
        raise ValueError("a tensor without a shape")
    if not all(map(_is_count, (first, *shape, *strides))):
        raise ValueError("a tensor with a wrong shape")
    return StoredTensor(storage, first + storage.first, shape, strides)


def _parameter(machine: _Machine, arguments: tuple[Any, ...]) -> StoredTensor:
    if not arguments or not isinstance(arguments[0], StoredTensor):
        raise ValueError("a parameter without a tensor")
    return arguments[0]


def _ordered(machine: _Machine, arguments: tuple[Any, ...]) -> dict[Any, Any]:
    """OrderedDict and Counter: made empty, from a table, or from pairs."""
    content = arguments[0] if arguments else {}
    if isinstance(content, dict):
        return content
    pairs = content if isinstance(content, list | tuple) else ()
    if not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in pairs):
        raise ValueError("a table without pairs")
    machine.charge(len(pairs))
    return {machine.key(key): value for key, value in pairs}


def _default(machine: _Machine, arguments: tuple[Any, ...]) -> dict[Any, Any]:
    return {}


def _set(machine: _Machine, arguments: tuple[Any, ...]) -> set[Any]:
    content = arguments[0] if arguments else ()
    if not isinstance(content, list | tuple | set | frozenset):
        raise ValueError("a set without elements")
    machine.charge(len(content))
    return set(map(machine.key, content))


def _frozen(machine: _Machine, arguments: tuple[Any, ...]) -> frozenset[Any]:
    return frozenset(_set(machine, arguments))


def _bytes(machine: _Machine, arguments: tuple[Any, ...]) -> bytes:
    """How the older protocols write bytes: as text to be encoded."""
    if not arguments or not isinstance(arguments[0], str):
        raise ValueError("bytes without text")
    machine.charge(len(arguments[0]) // 64)
    return arguments[0].encode("latin1")


def _size(machine: _Machine, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    return arguments[0] if arguments and isinstance(arguments[0], tuple) else ()


def _device(machine: _Machine, arguments: tuple[Any, ...]) -> str:
    return ":".join(str(part)[:20] for part in arguments[:2])


def _reconstructed(machine: _Machine, arguments: tuple[Any, ...]) -> Any:
    if not arguments or not isinstance(arguments[0], ClassName):
        raise ValueError("an object without a class")
    return _made(machine, arguments[0], ())


_KNOWN: dict[str, Callable[[_Machine, tuple[Any, ...]], Any]] = {
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

_LITERALS = frozenset({"INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "STRING", "BINSTRING",
                       "SHORT_BINSTRING", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BYTEARRAY8", "UNICODE",
                       "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8", "FLOAT", "BINFLOAT"})  # fmt: skip
_CONSTANTS: dict[str, Callable[[], Any]] = {
    "NONE": lambda: None, "NEWTRUE": lambda: True, "NEWFALSE": lambda: False, "EMPTY_LIST": list, "EMPTY_DICT": dict,
    "EMPTY_SET": set, "EMPTY_TUPLE": tuple, "MARK": lambda: _MARK,
}  # fmt: skip
_IGNORED = frozenset({"PROTO", "FRAME"})
_ACTIONS: dict[str, Callable[[_Machine, Any], None]] = {
    "PUT": _put, "BINPUT": _put, "LONG_BINPUT": _put, "MEMOIZE": _memoize,
    "GET": _get, "BINGET": _get, "LONG_BINGET": _get,
    "GLOBAL": _global, "STACK_GLOBAL": _stack_global,
    "TUPLE": lambda machine, _: machine.stack.append(tuple(machine.group())),
    "TUPLE1": _tuple_of(1), "TUPLE2": _tuple_of(2), "TUPLE3": _tuple_of(3),
    "LIST": lambda machine, _: machine.stack.append(machine.group()),
    "DICT": lambda machine, _: machine.stack.append(machine.keyed(machine.group())),
    "APPEND": _append, "APPENDS": _appends, "SETITEM": _set_item, "SETITEMS": _set_items,
    "ADDITEMS": _add_items, "FROZENSET": _frozen_set, "POP": _pop, "POP_MARK": _pop_group, "DUP": _duplicate,
    "NEWOBJ": _new_object, "NEWOBJ_EX": _new_object_with_keywords, "REDUCE": _reduce, "BUILD": _build,
    "BINPERSID": _persistent,
}  # fmt: skip


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < 2**48


def _check_depth(found: Any, where: str) -> None:
    """Refuse what readers further on would have to follow by recursion; each container is visited once."""
    level, seen = [found], set()
    for _ in range(MAX_DEPTH):
        following = []
        for value in level:
            if isinstance(value, _SCALARS) or id(value) in seen:
                continue
            seen.add(id(value))
            following += parts(value)
        if not following:
            return
        level = following
    raise LimitError(f"{where} is nested more than {MAX_DEPTH} deep: {CONVERT}")


def parts(value: Any) -> list[Any]:
    """The values inside one value, a level deep."""
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, list | tuple):
        return list(value)
    if isinstance(value, PickledObject):
        held = (value.arguments, value.fields, value.items, value.entries, value.state)
        return [part for part in held if not isinstance(part, _SCALARS)]
    return []
