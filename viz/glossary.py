"""Terms of the field that the interface explains where they stand first."""

from typing import TypedDict

from viz.i18n import catalogue

TERMS = ("encoder", "decoder", "cross", "head")


class Meaning(TypedDict):
    """The forms of a term in a language, and what it means."""

    forms: list[str]
    about: str


def meanings(language: str) -> dict[str, Meaning]:
    """What each term means in a language."""
    words = catalogue(language)
    return {
        term: {"forms": words[f"first.forms_{term}"].split("|"), "about": words[f"first.about_{term}"]}
        for term in TERMS
    }
