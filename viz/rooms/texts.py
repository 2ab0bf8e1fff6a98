"""Cleans text from visitors' phones so that it can be shown: one line of letters, whatever was sent."""

import unicodedata

LONGEST = 500
"""The longest sentence, in characters."""
MOST_MARKS = 3
"""The most combining marks on one letter."""


def clean(text: str) -> str:
    """The text as one line without control and direction characters, with few marks on a letter, cut at ``LONGEST``."""
    kept, marks = [], 0
    for letter in unicodedata.normalize("NFC", text[: 8 * LONGEST]):
        kind = unicodedata.category(letter)
        if kind in ("Mn", "Me"):
            marks += 1
            if marks > MOST_MARKS:
                continue
        else:
            marks = 0
        if kind in ("Cc", "Zl", "Zp", "Zs"):
            kept.append(" ")
        elif kind not in ("Cf", "Cs", "Co", "Cn"):
            kept.append(letter)
    return " ".join("".join(kept).split())[:LONGEST].strip()


def same(text: str) -> str:
    """A form that is equal for sentences that differ only in case, spaces and final punctuation."""
    return clean(text).casefold().rstrip(" .!?…。！？")
