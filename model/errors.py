"""The base of every error that a user of the library can cause."""

from __future__ import annotations


class RegardError(Exception):
    """What the library refuses; the message says why and what to do. Each kind is also a ValueError."""
