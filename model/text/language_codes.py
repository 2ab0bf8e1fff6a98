"""Language codes: models use "fr", "fr-CA", "fr_XX" or "fra_Latn"; surveys, lessons and BLEU need "fr"."""

_THREE_LETTERS = {
    "arb": "ar", "cmn": "zh", "deu": "de", "ell": "el", "eng": "en", "fra": "fr", "heb": "he", "hin": "hi", "jpn": "ja",
    "khm": "km", "kor": "ko", "lao": "lo", "mya": "my", "rus": "ru", "spa": "es", "tha": "th", "ukr": "uk", "zho": "zh",
}  # fmt: skip
"""BCP 47's two-letter codes by NLLB's three-letter codes, for languages with special treatment here."""
_COUNTED_BY_CHARACTER = ("ja", "th", "lo", "km", "my")
"""Languages without spaces between words, for which BLEU counts characters."""


def main_language(code: str | None) -> str:
    """The language of a code without script and country: "fr" for "fra_Latn"; "" for None."""
    first = (code or "").replace("_", "-").split("-")[0].lower()
    return _THREE_LETTERS.get(first, first)


def bcp47(code: str | None) -> str:
    """The code for a ``lang`` attribute: "zh-Hans" for "zho_Hans"; "" for None."""
    return "-".join((main_language(code), *(code or "").replace("_", "-").split("-")[1:]))


def bleu_tokenizer(language: str | None) -> str:
    """sacreBLEU's name of the tokenizer for a language (BCP 47): "zh", "char", or "13a" for all others."""
    code = main_language(language)
    if code in ("zh", "yue"):
        return "zh"
    return "char" if code in _COUNTED_BY_CHARACTER else "13a"
