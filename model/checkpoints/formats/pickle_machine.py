"""The stack and the memo of a pickle that is being read, with limits on copies between them."""

from __future__ import annotations

from typing import Any

from model.checkpoints.basis.errors import CodeError, LimitError
from model.checkpoints.formats.pickle_values import CONVERT, SCALARS, ClassName

MAX_INSTRUCTIONS = 2_000_000


class _Mark:
    """Marks on the stack where a group of values begins."""


MARK = _Mark()


class Machine:
    """The stack and the memory while one pickle is read."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.stack: list[Any] = []
        self.memory: dict[int, Any] = {}
        self.copied = 0

    def charge(self, n_values: int) -> None:
        """Count copied items, because a few bytes may copy one large dictionary many times."""
        self.copied += n_values
        if self.copied > MAX_INSTRUCTIONS:
            raise LimitError(
                f"{self.where} copies more than {MAX_INSTRUCTIONS:,} values, which is the limit: {CONVERT}"
            )

    def pop(self) -> Any:
        """Remove and return the value on top."""
        value = self.stack.pop()
        if value is MARK:
            raise ValueError("a mark where a value should be")
        return value

    def group(self) -> list[Any]:
        """Remove and return the values above the last mark, and the mark."""
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
        """The value, if it may be a key: hashing a deeply nested one could crash the process."""
        is_flat = isinstance(value, tuple) and len(value) <= 16 and all(isinstance(part, SCALARS) for part in value)
        if isinstance(value, SCALARS) or is_flat:
            return value
        if isinstance(value, ClassName):
            return str(value)
        raise CodeError(f"{self.where} has a {type(value).__name__} as a dictionary key: {CONVERT}")
