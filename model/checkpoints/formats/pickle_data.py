"""Reads a pickle as data: a small interpreter of its instructions that can build values but call nothing.

Numbers, strings, lists and dicts come out as they are. A tensor becomes a ``StoredTensor``, which says where its
numbers are; an object of any other class becomes a ``PickledObject`` with the class's name and its fields. No class is
looked up and no function is called, so a file cannot run anything. Depth, number of instructions and kinds of keys are
bounded (pickle's instructions: the docstrings of ``pickletools`` in Python's library).
"""

from __future__ import annotations

import io
import pickletools
from collections.abc import Callable
from typing import Any, BinaryIO

from model.checkpoints.basis.errors import CodeError, LimitError, UnsafeFileError
from model.checkpoints.formats.pickle_calls import KNOWN, new_object
from model.checkpoints.formats.pickle_machine import MARK, MAX_INSTRUCTIONS, Machine
from model.checkpoints.formats.pickle_values import CONVERT, SCALARS, ClassName, PickledObject, Storage, is_count, parts

MAX_DEPTH = 64
DATA_PACKAGES = frozenset({"argparse", "collections", "datetime", "enum", "fairseq", "functools", "numpy", "omegaconf",
                           "onmt", "pathlib", "torchtext", "typing"})  # fmt: skip
"""Packages whose objects are settings and vocabularies: a call that would make one is kept as a ``PickledObject``."""


def read_pickle(content: bytes | BinaryIO, where: str) -> Any:
    """The value that one pickle describes.

    Args:
        content: the pickle, or a file positioned at its beginning, which is left at its end.

    Raises:
        UnsafeFileError: when reading it requires a call, or it is damaged.
        LimitError: when it is too deep or too long.
    """
    file = io.BytesIO(content) if isinstance(content, bytes) else content
    machine = Machine(where)
    try:
        for count, (opcode, argument, _) in enumerate(pickletools.genops(file)):
            if count > MAX_INSTRUCTIONS:
                raise LimitError(
                    f"{where} has more than {MAX_INSTRUCTIONS:,} pickle instructions, which is the limit: {CONVERT}"
                )
            if opcode.name == "STOP":
                break
            _step(machine, opcode.name, argument)
        loaded = machine.pop()
    except (ValueError, IndexError, KeyError, TypeError, AttributeError, OverflowError) as error:
        if isinstance(error, UnsafeFileError | LimitError):
            raise
        raise UnsafeFileError(f"{where} is damaged or not a pickle ({str(error)[:80]}): copy it again") from error
    _check_depth(loaded, where)
    return loaded


def _step(machine: Machine, name: str, argument: Any) -> None:
    if name in _LITERALS:
        if type(argument) is int and argument.bit_length() > 128:
            raise ValueError("a number of more than 128 bits")
        machine.stack.append(argument)
    elif name in _CONSTANTS:
        machine.stack.append(_CONSTANTS[name]())
    elif name in _IGNORED:
        return
    elif name in _ACTIONS:
        _ACTIONS[name](machine, argument)
    else:
        raise CodeError(f"{machine.where} holds a pickled object ({name}): {CONVERT}")


def _put(machine: Machine, index: int) -> None:
    machine.memory[index] = machine.stack[-1]


def _memoize(machine: Machine, _: Any) -> None:
    machine.memory[len(machine.memory)] = machine.stack[-1]


def _get(machine: Machine, index: int) -> None:
    machine.stack.append(machine.memory[int(index)])


def _global(machine: Machine, named: str) -> None:
    module, _, name = named.partition(" ")
    machine.stack.append(ClassName(module, name))


def _stack_global(machine: Machine, _: Any) -> None:
    name, module = machine.pop(), machine.pop()
    if not isinstance(name, str) or not isinstance(module, str):
        raise ValueError("a class without a name")
    machine.stack.append(ClassName(module, name))


def _tuple_of(count: int) -> Callable[[Machine, Any], None]:
    def action(machine: Machine, _: Any) -> None:
        values = [machine.pop() for _ in range(count)]
        machine.stack.append(tuple(reversed(values)))

    return action


def _append(machine: Machine, _: Any) -> None:
    value = machine.pop()
    _extend(machine, [value])


def _appends(machine: Machine, _: Any) -> None:
    _extend(machine, machine.group())


def _extend(machine: Machine, values: list[Any]) -> None:
    target = machine.stack[-1]
    target = target.items if isinstance(target, PickledObject) else target
    if not isinstance(target, list):
        raise ValueError("elements for something that is not a list")
    target.extend(values)


def _set_item(machine: Machine, _: Any) -> None:
    value, key = machine.pop(), machine.pop()
    _update(machine, [key, value])


def _set_items(machine: Machine, _: Any) -> None:
    _update(machine, machine.group())


def _update(machine: Machine, keys_and_values: list[Any]) -> None:
    target = machine.stack[-1]
    target = target.entries if isinstance(target, PickledObject) else target
    if not isinstance(target, dict):
        raise ValueError("entries for something that is not a dictionary")
    target.update(machine.keyed(keys_and_values))


def _add_items(machine: Machine, _: Any) -> None:
    values = machine.group()
    target = machine.stack[-1]
    if not isinstance(target, set):
        raise ValueError("elements for something that is not a set")
    target.update(map(machine.key, values))


def _frozen_set(machine: Machine, _: Any) -> None:
    machine.stack.append(frozenset(map(machine.key, machine.group())))


def _pop(machine: Machine, _: Any) -> None:
    machine.stack.pop()


def _pop_group(machine: Machine, _: Any) -> None:
    machine.group()


def _duplicate(machine: Machine, _: Any) -> None:
    machine.stack.append(machine.stack[-1])


def _new_object(machine: Machine, _: Any) -> None:
    arguments, kind = machine.pop(), machine.pop()
    machine.stack.append(new_object(machine, kind, arguments))


def _new_object_with_keywords(machine: Machine, _: Any) -> None:
    keywords, arguments, kind = machine.pop(), machine.pop(), machine.pop()
    created = new_object(machine, kind, arguments)
    if isinstance(created, PickledObject) and isinstance(keywords, dict):
        _take_fields(machine, created, keywords)
    machine.stack.append(created)


def _reduce(machine: Machine, _: Any) -> None:
    arguments, function = machine.pop(), machine.pop()
    if not isinstance(function, ClassName) or not isinstance(arguments, tuple):
        raise CodeError(f"{machine.where} holds a pickled object that calls another object: {CONVERT}")
    known = KNOWN.get(str(function))
    if known:
        machine.stack.append(known(machine, arguments))
    elif function.module.partition(".")[0] in DATA_PACKAGES:
        machine.stack.append(PickledObject(str(function), arguments))
    else:
        raise CodeError(f"{machine.where} cannot be read without running {str(function)[:120]}; {CONVERT}")


def _build(machine: Machine, _: Any) -> None:
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


def _take_fields(machine: Machine, target: PickledObject, fields: dict[Any, Any]) -> None:
    machine.charge(len(fields))
    target.fields.update({name: value for name, value in fields.items() if isinstance(name, str)})


def _persistent(machine: Machine, _: Any) -> None:
    identifier = machine.pop()
    values: list[Any] = list(identifier) if isinstance(identifier, tuple) else []
    if len(values) == 4 and values[0] == "module" and isinstance(values[1], ClassName):
        machine.stack.append(values[1])  # older files store a class's source with its name
        return
    if not 5 <= len(values) <= 6 or values[0] != "storage":
        raise ValueError("a reference to something outside the pickle that is not a storage")
    _, kind, key, _, n_numbers, *views = values
    if not isinstance(kind, ClassName) or not isinstance(key, str) or not is_count(n_numbers):
        raise ValueError("a storage without a type, a key or a size")
    first = 0
    if views and views[0] is not None:
        view = views[0]
        if not isinstance(view, tuple) or len(view) != 3 or not is_count(view[1]):
            raise ValueError("a view of a storage without an offset")
        first = view[1]
    machine.stack.append(Storage(kind.name, key, n_numbers, first))


_LITERALS = frozenset({"INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "STRING", "BINSTRING",
                       "SHORT_BINSTRING", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BYTEARRAY8", "UNICODE",
                       "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8", "FLOAT", "BINFLOAT"})  # fmt: skip
_CONSTANTS: dict[str, Callable[[], Any]] = {
    "NONE": lambda: None, "NEWTRUE": lambda: True, "NEWFALSE": lambda: False, "EMPTY_LIST": list, "EMPTY_DICT": dict,
    "EMPTY_SET": set, "EMPTY_TUPLE": tuple, "MARK": lambda: MARK,
}  # fmt: skip
_IGNORED = frozenset({"PROTO", "FRAME"})
_ACTIONS: dict[str, Callable[[Machine, Any], None]] = {
    "PUT": _put, "BINPUT": _put, "LONG_BINPUT": _put, "MEMOIZE": _memoize,
    "GET": _get, "BINGET": _get, "LONG_BINGET": _get,
    "GLOBAL": _global, "STACK_GLOBAL": _stack_global,
    "TUPLE": lambda machine, _: machine.stack.append(tuple(machine.group())),
    "TUPLE1": _tuple_of(1), "TUPLE2": _tuple_of(2), "TUPLE3": _tuple_of(3),
    "LIST": lambda machine, _: machine.stack.append(machine.group()),
    "DICT": lambda machine, _: machine.stack.append(machine.keyed(machine.group())),
    "APPEND": _append, "APPENDS": _appends, "SETITEM": _set_item, "SETITEMS": _set_items,
    "ADDITEMS": _add_items, "FROZENSET": _frozen_set, "POP": _pop, "POPMARK": _pop_group, "DUP": _duplicate,
    "NEWOBJ": _new_object, "NEWOBJ_EX": _new_object_with_keywords, "REDUCE": _reduce, "BUILD": _build,
    "BINPERSID": _persistent,
}  # fmt: skip


def _check_depth(loaded: Any, where: str) -> None:
    """Refuse nesting too deep for later code, which is recursive; each container is visited once."""
    level, seen = [loaded], set()
    for _ in range(MAX_DEPTH):
        following = []
        for value in level:
            if isinstance(value, SCALARS) or id(value) in seen:
                continue
            seen.add(id(value))
            following += parts(value)
        if not following:
            return
        level = following
    raise LimitError(f"{where} is nested more than {MAX_DEPTH} deep: {CONVERT}")
