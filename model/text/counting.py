"""Counts with their noun, for messages and the command line."""


def format_count(n: int, noun: str) -> str:
    """``1 pair``, ``2,000 pairs``: for nouns whose plural adds an s."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
