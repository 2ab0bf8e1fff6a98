"""Checks the names of tensors in a file: only names that can be shown, stored and compared are accepted."""

from __future__ import annotations

from model.checkpoints.basis.errors import UnsafeFileError

_LONGEST = 512


def check_name(name: str, where: str) -> None:
    """Raise UnsafeFileError for a name that is too long, or that is not text."""
    if len(name) > _LONGEST or not name.isprintable():
        raise UnsafeFileError(
            f"{where} names a tensor {name[:40]!a}, which is not a printable name of at most {_LONGEST} characters: "
            "copy it again"
        )
