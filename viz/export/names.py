"""Names of models: with their target language, and distinct on a page and in URLs."""

import re
from collections.abc import Sequence
from itertools import chain, count


def with_language(name: str, code: str | None) -> str:
    """ "m2m_100 → fra_Latn"; only the name where it contains the language, as "en-fr" does."""
    return name if (code or "") in name else " → ".join(filter(None, (name, code)))


def distinct(names: Sequence[str], between: str = " ") -> list[str]:
    """The names, with a number after each repeated one."""
    taken: list[str] = []
    for name in names:
        numbered = (f"{name}{between}{number}" for number in count(2))
        taken.append(next(candidate for candidate in chain([name], numbered) if candidate not in taken))
    return taken


def addresses(names: Sequence[str]) -> list[str]:
    """The names as distinct URL segments: characters outside a-z and 0-9 become hyphens."""
    return distinct([re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "model" for name in names], "-")
