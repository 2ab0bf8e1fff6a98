"""Escapes control characters: a terminal acts on them, and names of tensors and words in a file may contain them."""

_OBEYED = (code for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t")
_WRITTEN_OUT = {code: f"\\u{code:04x}" for code in _OBEYED}


def printable(text: str) -> str:
    """The text with its control characters written out, as JSON does: ``\\u001b``."""
    return text.translate(_WRITTEN_OUT)
