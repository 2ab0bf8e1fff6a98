"""Codes of languages: models write "fr", "fr-CA", "fr_XX" or "fra_Latn"; a survey, a lesson and BLEU ask for "fr"."""

_THREE_LETTERS = {
    "arb": "ar", "cmn": "zh", "deu": "de", "ell": "el", "eng": "en", "fra": "fr", "heb": "he", "hin": "hi", "jpn": "ja",
    "khm": "km", "kor": "ko", "lao": "lo", "mya": "my", "rus": "ru", "spa": "es", "tha": "th", "ukr": "uk", "zho": "zh",
}  # fmt: skip
"""The two letters of BCP 47 for the three of NLLB: of the languages that something here treats apart."""
_COUNTED_BY_CHARACTER = ("ja", "th", "lo", "km", "my")
"""Languages without spaces between words, of which BLEU counts characters."""


def main_language(code: str | None) -> str:
    """The language of a code without its script and country: "fr" of "fra_Latn"; empty where there is none."""
    first = (code or "").replace("_", "-").split("-")[0].lower()
    return _THREE_LETTERS.get(first, first)


def bcp47(code: str | None) -> str:
    """The code as a page's ``lang`` attribute has it: "zh-Hans" of "zho_Hans"; empty where there is none."""
    return "-".join((main_language(code), *(code or "").replace("_", "-").split("-")[1:]))


def bleu_tokenizer(language: str | None) -> str:
    """sacreBLEU's name of the tokenizer for a language (BCP 47): "zh", "char", or "13a" for all others."""
    code = main_language(language)
    if code in ("zh", "yue"):
        return "zh"
    return "char" if code in _COUNTED_BY_CHARACTER else "13a"
