"""A sixteen-byte digest of a value: keys of caches that sessions share are computed, never written by hand."""

import dataclasses
import hashlib
import weakref
from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

import numpy as np

_arrays: dict[int, tuple[weakref.ref, bytes]] = {}
"""Digests of arrays that cannot change any more, by identity, for as long as they exist."""


def digest(*values: object) -> str:
    """A digest that is equal for values of equal content, and different for all others.

    Args:
        values: None, numbers, strings, bytes, arrays, and dataclasses, mappings, sequences and sets of these.

    Raises:
        TypeError: for anything else, whose content cannot be known.
    """
    return _of(values).hex()


def _of(value: object) -> bytes:
    if isinstance(value, np.ndarray):
        return _of_array(value)
    made = hashlib.blake2b(digest_size=16)
    _write(value, made.update)
    return made.digest()


def _write(value: object, add: Callable[[bytes], Any]) -> None:
    if value is None or isinstance(value, bool | int | float | np.number):
        add(f"{type(value).__name__}:{value!r}".encode())
    elif isinstance(value, str):
        add(b"s" + value.encode("utf-8", "surrogatepass"))
    elif isinstance(value, bytes):
        add(b"b" + value)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        add(type(value).__qualname__.encode())
        for field in dataclasses.fields(value):
            add(_of(getattr(value, field.name)))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            add(b"m" + _of(key) + _of(item))
    elif isinstance(value, Sequence):
        add(b"t" + b"".join(map(_of, value)))
    elif isinstance(value, Set):
        add(b"f" + b"".join(sorted(map(_of, value))))
    else:
        raise TypeError(f"{type(value).__name__} cannot be part of a cache key: pass its values instead")


def _of_array(array: np.ndarray) -> bytes:
    """The digest of an array; computed once if the array owns its numbers and is read-only."""
    is_fixed = not array.flags.writeable and array.base is None
    known = _arrays.get(id(array)) if is_fixed else None
    if known is not None and known[0]() is array:
        return known[1]
    made = hashlib.blake2b(f"{array.dtype.str}{array.shape}".encode(), digest_size=16)
    made.update(np.ascontiguousarray(array).data)
    if is_fixed:
        key = id(array)
        _arrays[key] = (weakref.ref(array, lambda _: _arrays.pop(key, None)), made.digest())
    return made.digest()
