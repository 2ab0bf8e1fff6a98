"""Names of models: with the language that is written, and distinct on a page and in addresses."""

import re
from collections.abc import Sequence
from itertools import chain, count


def with_language(name: str, code: str | None) -> str:
    """ "m2m_100 → fra_Latn"; the name alone where it says the language, as "en-fr" does."""
    return name if (code or "") in name else " → ".join(filter(None, (name, code)))


def distinct(names: Sequence[str], between: str = " ") -> list[str]:
    """The names; one that was there already gets a number."""
    taken: list[str] = []
    for name in names:
        numbered = (f"{name}{between}{number}" for number in count(2))
        taken.append(next(each for each in chain([name], numbered) if each not in taken))
    return taken


def addresses(names: Sequence[str]) -> list[str]:
    """The names as distinct parts of an address: letters outside a-z are dropped."""
    return distinct([re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "model" for name in names], "-")
