"""The base of every error that a user of the library can cause."""

from __future__ import annotations


class RegardError(Exception):
    """The base of this library's errors; the message says why and what to do. Each kind is also a ValueError."""


class TextError(RegardError, ValueError):
    """A text or a picture that the model cannot read; the message says why and what to do."""


class EmptyTextError(TextError):
    """The text is empty, or the picture has no ink."""
