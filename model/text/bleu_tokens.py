"""How BLEU counts a language's text: by words, or by characters where no spaces stand between words."""

from __future__ import annotations

from model.text.language_codes import main_language

_CHARACTERS = ("ja", "th", "lo", "km", "my")


def bleu_tokenizer(language: str | None) -> str:
    """sacreBLEU's name of the tokenizer for a language (BCP 47): "zh", "char", or "13a" for all others."""
    code = main_language(language)
    if code in ("zh", "yue"):
        return "zh"
    return "char" if code in _CHARACTERS else "13a"
