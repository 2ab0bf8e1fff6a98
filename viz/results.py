"""Results that all sessions share, limited in bytes: the least recently used are removed first.

Their keys are computed, never written by hand: a sixteen-byte digest of each value that a result depends on.
"""

import dataclasses
import hashlib
import sys
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

Result = TypeVar("Result")
MAX_ENTRIES = 700
"""Values that are kept. A sentence takes about three: with forty visitors the table is full after a minute and the
server's memory stays where it is, while long sentences still have all the bytes."""
OVERHEAD = 200
"""Bytes that an entry takes besides its value: its key and its places in the tables."""


_SINGLE = frozenset({str, bytes, int, float, bool, type(None), np.ndarray})
"""Types of values without parts."""


class LruCache:
    """A least-recently-used table of frozen values. Simultaneous requests for the same key are computed once."""

    def __init__(self, max_bytes: int, *, max_entries: int = MAX_ENTRIES) -> None:
        self.max_bytes, self.max_entries = max_bytes, max_entries
        self._guard = threading.Lock()
        self._entries: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._making: dict[Hashable, threading.Lock] = {}
        self._bytes = 0

    @property
    def used_bytes(self) -> int:
        """The bytes of all values in the table."""
        return self._bytes

    def __len__(self) -> int:
        return len(self._entries)

    def names(self) -> list[Any]:
        """The stored keys, the least recently used first."""
        with self._guard:
            return list(self._entries)

    def find(self, key: Hashable) -> Any | None:
        """The value of a key, or None."""
        with self._guard:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return entry[0]

    def keep(self, key: Hashable, make: Callable[[], Result]) -> Result:
        """The value of a key, computed at the first request; nothing is stored if the computation raises.

        A value that is larger than the whole table is returned but not stored.
        """
        cached = self.find(key)
        if cached is not None:
            return cached
        with self._guard:
            making = self._making.setdefault(key, threading.Lock())
        try:
            with making:
                cached = self.find(key)
                return self.put(key, make()) if cached is None else cached
        finally:
            with self._guard:
                if not making.locked():
                    self._making.pop(key, None)

    def put(self, key: Hashable, value: Result) -> Result:
        """Store a value under a key, replacing the old one."""
        size = size_of((key, frozen(value))) + OVERHEAD
        with self._guard:
            self._bytes -= self._entries.pop(key, (None, 0))[1]
            if size <= self.max_bytes:
                self._entries[key] = (value, size)
                self._bytes += size
            while self._bytes > self.max_bytes or len(self._entries) > self.max_entries:
                self._bytes -= self._entries.popitem(last=False)[1][1]
        return value

    def clear(self) -> None:
        """Forget everything."""
        with self._guard:
            self._entries.clear()
            self._bytes = 0


def size_of(value: Any) -> int:
    """Bytes that a value holds; a view counts as its base array, and each base array once."""
    seen: set[int] = set()
    total, waiting = 0, [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, np.ndarray):
            while isinstance(item.base, np.ndarray):
                item = item.base
        if id(item) not in seen:
            seen.add(id(item))
            total += _bytes_of(item)
            waiting.extend(_parts(item))
    return total


def _bytes_of(item: Any) -> int:
    if type(item) in _SINGLE:
        return item.nbytes if isinstance(item, np.ndarray) else sys.getsizeof(item)
    if hasattr(item, "memory_usage"):  # a data frame, whose texts sys.getsizeof does not count
        return int(item.memory_usage(index=True, deep=True).sum())
    return max(sys.getsizeof(item, 64), int(getattr(item, "nbytes", 0)))  # a tensor knows its own


def frozen(value: Result) -> Result:
    """The value itself, with every array inside it made read-only."""
    waiting: list[Any] = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, np.ndarray):
            item.setflags(write=False)
        waiting.extend(_parts(item))
    return value


def _parts(value: Any) -> Iterable[Any]:
    """What a value holds; an array's elements and those of a single value are no parts."""
    kind = type(value)
    if kind in _SINGLE:
        return ()
    if names := _fields_of(kind):
        return [getattr(value, name) for name in names]
    if isinstance(value, tuple | list | set | frozenset):
        return value
    return [*value.keys(), *value.values()] if isinstance(value, Mapping) else ()


@lru_cache(maxsize=1024)
def _fields_of(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind)) if dataclasses.is_dataclass(kind) else ()


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
    content = hashlib.blake2b(digest_size=16)
    _write(value, content.update)
    return content.digest()


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
    stored = _arrays.get(id(array)) if is_fixed else None
    if stored is not None and stored[0]() is array:
        return stored[1]
    content = hashlib.blake2b(f"{array.dtype.str}{array.shape}".encode(), digest_size=16)
    content.update(np.ascontiguousarray(array).data)
    if is_fixed:
        key = id(array)
        _arrays[key] = (weakref.ref(array, lambda _: _arrays.pop(key, None)), content.digest())
    return content.digest()
