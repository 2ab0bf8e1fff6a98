"""Reads a pickle as data: a small interpreter of its opcodes that builds values but calls nothing.

Numbers, strings, lists and dicts come out as they are. A tensor becomes a ``StoredTensor``, which says where its
numbers are; an object of any other class becomes a ``PickledObject`` with the class's name and its fields. No class is
looked up and no function is called, so a file cannot run anything. Depth, number of instructions and kinds of keys are
bounded (pickle's instructions: the docstrings of ``pickletools`` in Python's library).
"""

import io
import pickletools
from collections.abc import Callable
from typing import Any, BinaryIO

from model.checkpoints.basis.errors import CodeError, LimitError, UnsafeFileError
from model.checkpoints.formats.pickle_values import (
    CONVERT,
    KNOWN,
    MARK,
    MAX_INSTRUCTIONS,
    SCALARS,
    ClassName,
    Machine,
    PickledObject,
    Storage,
    is_count,
    new_object,
    parts,
)

MAX_DEPTH = 64
DATA_PACKAGES = frozenset({"argparse", "collections", "datetime", "enum", "fairseq", "functools", "numpy", "omegaconf",
                           "onmt", "pathlib", "torchtext", "typing"})  # fmt: skip
"""Packages whose objects are settings and vocabularies: a call that would make one is kept as a ``PickledObject``."""


def read_pickle(content: bytes | BinaryIO, where: str) -> Any:
    """The value that a pickle describes.

    Args:
        content: the pickle, or a file positioned at its beginning, which is left at its end.
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
        machine.push(argument)
    elif name in _ACTIONS:
        _ACTIONS[name](machine, argument)
    else:
        raise CodeError(f"{machine.where} holds a pickled object ({name}): {CONVERT}")


def _stack_global(machine: Machine, _: Any) -> None:
    module, name = machine.pops(2)
    if not isinstance(name, str) or not isinstance(module, str):
        raise ValueError("a class without a name")
    machine.push(ClassName(module, name))


def _extend(machine: Machine, values: list[Any]) -> None:
    target = machine.stack[-1]
    target = target.items if isinstance(target, PickledObject) else target
    if not isinstance(target, list):
        raise ValueError("elements for something that is not a list")
    target.extend(values)


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


def _new_object_with_keywords(machine: Machine, _: Any) -> None:
    kind, arguments, keywords = machine.pops(3)
    created = new_object(machine, kind, arguments)
    if isinstance(created, PickledObject) and isinstance(keywords, dict):
        _take_fields(machine, created, keywords)
    machine.push(created)


def _reduce(machine: Machine, _: Any) -> None:
    function, arguments = machine.pops(2)
    if not isinstance(function, ClassName) or not isinstance(arguments, tuple):
        raise CodeError(f"{machine.where} holds a pickled object that calls another object: {CONVERT}")
    known = KNOWN.get(str(function))
    if known:
        machine.push(known(machine, arguments))
    elif function.module.partition(".")[0] in DATA_PACKAGES:
        machine.push(PickledObject(str(function), arguments))
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
        machine.push(values[1])  # older files store a class's source with its name
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
    machine.push(Storage(kind.name, key, n_numbers, first))


_LITERALS = frozenset({"INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "STRING", "BINSTRING",
                       "SHORT_BINSTRING", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BYTEARRAY8", "UNICODE",
                       "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8", "FLOAT", "BINFLOAT"})  # fmt: skip
_ACTIONS: dict[str, Callable[[Machine, Any], object]] = {
    **dict.fromkeys(("PROTO", "FRAME"), lambda machine, _: None),
    "NONE": lambda machine, _: machine.push(None),
    "NEWTRUE": lambda machine, _: machine.push(True), "NEWFALSE": lambda machine, _: machine.push(False),
    "EMPTY_LIST": lambda machine, _: machine.push([]), "EMPTY_DICT": lambda machine, _: machine.push({}),
    "EMPTY_SET": lambda machine, _: machine.push(set()), "EMPTY_TUPLE": lambda machine, _: machine.push(()),
    "MARK": lambda machine, _: machine.push(MARK),
    **dict.fromkeys(("PUT", "BINPUT", "LONG_BINPUT"), Machine.memorise),
    "MEMOIZE": lambda machine, _: machine.memorise(len(machine.memory)),
    **dict.fromkeys(("GET", "BINGET", "LONG_BINGET"), lambda machine, index: machine.push(machine.memory[int(index)])),
    "GLOBAL": lambda machine, named: machine.push(ClassName(*named.partition(" ")[::2])),
    "STACK_GLOBAL": _stack_global,
    "TUPLE": lambda machine, _: machine.push(tuple(machine.group())),
    "TUPLE1": lambda machine, _: machine.push(tuple(machine.pops(1))),
    "TUPLE2": lambda machine, _: machine.push(tuple(machine.pops(2))),
    "TUPLE3": lambda machine, _: machine.push(tuple(machine.pops(3))),
    "LIST": lambda machine, _: machine.push(machine.group()),
    "DICT": lambda machine, _: machine.push(machine.keyed(machine.group())),
    "APPEND": lambda machine, _: _extend(machine, machine.pops(1)),
    "APPENDS": lambda machine, _: _extend(machine, machine.group()),
    "SETITEM": lambda machine, _: _update(machine, machine.pops(2)),
    "SETITEMS": lambda machine, _: _update(machine, machine.group()),
    "ADDITEMS": _add_items,
    "FROZENSET": lambda machine, _: machine.push(frozenset(map(machine.key, machine.group()))),
    "POP": lambda machine, _: machine.stack.pop(), "POPMARK": lambda machine, _: machine.group(),
    "DUP": lambda machine, _: machine.push(machine.stack[-1]),
    "NEWOBJ": lambda machine, _: machine.push(new_object(machine, *machine.pops(2))),
    "NEWOBJ_EX": _new_object_with_keywords, "REDUCE": _reduce, "BUILD": _build, "BINPERSID": _persistent,
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
