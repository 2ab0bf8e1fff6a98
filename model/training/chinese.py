"""Chinese typography: full-width punctuation next to ideographs."""

import re

_SIGNS: dict[str, str] = dict(zip(",!?:;", "，！？：；", strict=True))
_HAN = r"[\u3400-\u9fff\uf900-\ufaff，。！？：；、”’）》]"
_AFTER = re.compile(rf"(?<={_HAN})\s*([,!?:;])\s*")
_BEFORE = re.compile(r"(?<=\w)\s*([,!?:;])\s*(?=[\u3400-\u9fff“‘《])")
_FINAL = re.compile(rf"(?<={_HAN})\s*\.(?=[”’）]?$)")
_DOTS = re.compile(rf"(?<={_HAN})\s*(?:\.{{3,}}|。{{2,}}|…+)")
_BRACKETS = re.compile(r"\(([^()]*[\u3400-\u9fff][^()]*)\)")
_QUOTES = re.compile(r'"([^"]*)"')
_SPACES = re.compile(r"(?<=[\u3400-\u9fff，。！？：；、“”（）])\s+(?=[\u3400-\u9fff，。！？：；、“”（）])")


def full_width(text: str) -> str:
    """Replace punctuation by full-width forms: ``你好,汤姆.`` becomes ``你好，汤姆。``

    Punctuation in numbers, addresses and English stays. A text without ideographs is unchanged.
    """
    if not re.search(r"[\u3400-\u9fff]", text):
        return text
    text = _BRACKETS.sub(r"（\1）", _SPACES.sub("", text))
    text = _DOTS.sub("……", text)
    text = _FINAL.sub("。", text)
    for pattern in (_AFTER, _BEFORE):
        text = pattern.sub(lambda sign: _SIGNS[sign[1]], text)
    return _QUOTES.sub(r"“\1”", text)
