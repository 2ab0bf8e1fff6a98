"""A hundred everyday sentences, and the content words of a right translation in French, German and Chinese.

Some of them may be among the training pairs: they measure whether a model knows everyday words, not whether it
generalises.
"""

import re
from pathlib import Path

from model.bundle import Bundle
from model.inference.translation import translate_texts

LANGUAGES = ("fr", "de", "zh")
_SPACELESS = ("zh",)


def sentences(language: str) -> list[tuple[str, list[list[str]]]]:
    """Each English sentence with its words in a language, each word as a list of alternatives."""
    lines = (Path(__file__).parent / "sentences.tsv").read_text("utf-8").splitlines()
    column = 1 + LANGUAGES.index(language)
    return [(cells[0], [word.split("|") for word in cells[column].split()]) for cells in (s.split("\t") for s in lines)]


def missing(translation: str, words: list[list[str]], language: str) -> list[str]:
    """The words of which a translation has no alternative. Case is ignored; Chinese words are found anywhere."""
    edge = "" if language in _SPACELESS else r"\b"
    return [
        "|".join(alternatives)
        for alternatives in words
        if not any(re.search(f"{edge}{re.escape(each)}{edge}", translation, re.IGNORECASE) for each in alternatives)
    ]


def lacking(bundle: Bundle, language: str) -> list[tuple[str, str, list[str]]]:
    """What a model gets wrong: each sentence, its greedy translation, and the words that this lacks."""
    asked = sentences(language)
    found = dict(translate_texts(bundle, [text for text, _ in asked]))
    lost = [missing(found[i], words, language) for i, (_, words) in enumerate(asked)]
    return [(asked[i][0], found[i], lost[i]) for i in range(len(asked)) if lost[i]]
