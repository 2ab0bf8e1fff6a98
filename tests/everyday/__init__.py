"""A hundred everyday sentences, and the content words of a correct translation in French, German and Chinese.

Some may be training pairs: they measure whether a model knows everyday words, not whether it generalises.
"""

import re
from pathlib import Path

from model.bundle import Bundle
from model.inference.translation import translate_texts

LANGUAGES = ("fr", "de", "zh")
_SPACELESS = ("zh",)


def sentences(language: str) -> list[tuple[str, list[list[str]]]]:
    """Each English sentence with the expected words in a language, each a list of alternatives."""
    lines = (Path(__file__).parent / "sentences.tsv").read_text("utf-8").splitlines()
    column = 1 + LANGUAGES.index(language)
    return [(cells[0], [word.split("|") for word in cells[column].split()]) for cells in (s.split("\t") for s in lines)]


def missing(translation: str, words: list[list[str]], language: str) -> list[str]:
    """The words of which a translation contains no alternative, ignoring case; Chinese words may be part of others."""
    edge = "" if language in _SPACELESS else r"\b"
    return [
        "|".join(alternatives)
        for alternatives in words
        if not any(
            re.search(f"{edge}{re.escape(alternative)}{edge}", translation, re.IGNORECASE)
            for alternative in alternatives
        )
    ]


def lacking(bundle: Bundle, language: str) -> list[tuple[str, str, list[str]]]:
    """A model's failures: each sentence, its greedy translation, and the missing words."""
    expected = sentences(language)
    translations = dict(translate_texts(bundle, [text for text, _ in expected]))
    missing_words = [missing(translations[i], words, language) for i, (_, words) in enumerate(expected)]
    return [(expected[i][0], translations[i], missing_words[i]) for i in range(len(expected)) if missing_words[i]]
