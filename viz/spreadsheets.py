"""Texts of visitors and tokens in tables that a spreadsheet opens."""

from __future__ import annotations

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def plain(text: str) -> str:
    """A text that no spreadsheet runs as a formula; a sign alone is none."""
    return f"'{text}" if len(text) > 1 and text.startswith(_FORMULA) else text
