"""Texts of visitors and tokens in tables that a spreadsheet opens."""

import unicodedata

_FORMULA = ("=", "+", "-", "@")
_UNSEEN = ("\t", "\r", "\n")
"""With which a cell may begin that a spreadsheet then reads from its second letter on."""


def plain(text: str) -> str:
    """A text that no spreadsheet runs as a formula; a sign alone is none.

    Some read signs of full width (＝, ＋, ＠), as keyboards for Chinese and Japanese write them, like those of ASCII.
    """
    if len(text) < 2:
        return text
    seen = unicodedata.normalize("NFKC", text[:16]).lstrip()
    return f"'{text}" if text.startswith(_UNSEEN) or seen.startswith(_FORMULA) else text
