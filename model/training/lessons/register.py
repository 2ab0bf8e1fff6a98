"""Whether a French sentence says tu or vous."""

from __future__ import annotations

import re
from typing import Literal

Register = Literal["tu", "vous", "both", "none"]

_TU = re.compile(r"\b(?:tu|te|toi|ton|ta|tes|tien|tienne|tiens|tiennes)\b|\bt'(?!il\b|elle\b|on\b)", re.IGNORECASE)
_VOUS = re.compile(r"\b(?:vous|votre|vos|vôtre|vôtres)\b|(?:^|[,;:.!?…]\s*)\w+ez\b", re.IGNORECASE)


def register_of(text: str) -> Register:
    """The form of address, recognised by pronouns, possessives, and a plural imperative at the beginning of a clause.

    A plural "you" (vous) cannot be distinguished from a polite one.
    """
    says_tu, says_vous = bool(_TU.search(text)), bool(_VOUS.search(text))
    if says_tu and says_vous:
        return "both"
    return "tu" if says_tu else "vous" if says_vous else "none"
