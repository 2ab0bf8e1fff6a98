"""Guesses which of two languages a sentence is in, by script and frequent words, to detect swapped columns."""

import re
import unicodedata

from model.text.language_codes import main_language

_COMMONEST = {
    "en": (
        "the a an is are was were i you he she it we they my your his her our their of to in on at and or not do does "
        "did have has had will would can could this that what where who when why how with for from be been don't i'm "
        "it's he's let's there if but"
    ),
    "fr": (
        "le la les un une des est sont était je tu il elle on nous vous ils elles mon ton son ma ta sa mes tes ses "
        "votre notre de du au aux à en dans sur et ou ne pas que qui quoi où quand pourquoi comment avec pour ai as a "
        "avez ont suis es ce cette ces c'est j'ai n'est qu'il si mais y se me te lui leur être avoir fait"
    ),
    "de": (
        "der die das ein eine einen ist sind war ich du er sie es wir ihr mein dein sein nicht und oder in im an auf "
        "mit für von zu zum dem den des was wo wer wann warum wie habe hat haben kann wird bin bist aber wenn"
    ),
    "es": (
        "el la los las un una es son era yo tú él ella nosotros ustedes mi tu su de del al en con por para y o no que "
        "qué dónde quién cuándo cómo está están soy eres tengo tiene ha he se me te le lo pero si"
    ),
}
_WORDS = {code: frozenset(words.split()) for code, words in _COMMONEST.items()}
_MARKS: dict[str, str] = {"fr": "àâçèéêëîïôœùû", "de": "äöüß", "es": "ñ¿¡áíóú"}
_SCRIPTS: dict[str, tuple[str, ...]] = {
    "zh": ("CJK",), "ja": ("HIRAGANA", "KATAKANA", "CJK"), "ko": ("HANGUL",), "ru": ("CYRILLIC",), "uk": ("CYRILLIC",),
    "ar": ("ARABIC",), "he": ("HEBREW",), "el": ("GREEK",), "hi": ("DEVANAGARI",),
}  # fmt: skip


def looks_like(text: str, language: str, rather_than: str) -> bool:
    """Whether the text has more signs of one language than of the other; False without signs of either."""
    return _evidence(text, language) > _evidence(text, rather_than)


def _evidence(text: str, language: str) -> int:
    code = main_language(language)
    if code in _SCRIPTS:
        return sum(unicodedata.name(c, "").startswith(_SCRIPTS[code]) for c in text if c.isalpha())
    lowered = text.lower()
    words = re.findall(r"\w+(?:'\w+)*", lowered)
    parts = [part for word in words for part in {word, *word.split("'")}]
    known = sum(part in _WORDS.get(code, ()) for part in parts)
    marks = sum(character in _MARKS.get(code, "") for character in lowered)
    latin = sum(unicodedata.name(c, "").startswith("LATIN") for c in text) if code not in _WORDS else 0
    return known + marks + latin
