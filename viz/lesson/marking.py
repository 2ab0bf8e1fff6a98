"""Marks the words in which the translations before and after a change differ."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from viz.plain_text import emphasise, escape_markdown

_UNSPACED = "぀-ヿ㐀-鿿"
"""Kana and Han characters, which are compared one by one because no spaces stand between their words."""
_WORD = re.compile(rf"(?:[{_UNSPACED}]|[^\s{_UNSPACED}]+)\s*")
_EDGES = re.compile(r"^[^\w]+|[^\w]+$")


Part = tuple[str, bool]
"""A part of a text, and whether only this text has it."""


def differences(before: str, after: str) -> tuple[list[Part], list[Part]]:
    """Two texts split into parts that both have and parts that only one has.

    Punctuation at the edge of a word counts only where nothing else differs.
    """
    old, new = _WORD.findall(before), _WORD.findall(after)
    keys = [_bare(word) for word in old], [_bare(word) for word in new]
    if keys[0] == keys[1]:
        keys = [word.rstrip() for word in old], [word.rstrip() for word in new]
    lost: list[Part] = []
    added: list[Part] = []
    for kind, a, b, c, d in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        lost += [("".join(old[a:b]), kind != "equal")] if b > a else []
        added += [("".join(new[c:d]), kind != "equal")] if d > c else []
    return lost, added


def marked(before: str, after: str) -> tuple[str, str]:
    """Two texts as Markdown: lost words struck out, new words in bold."""
    lost, added = differences(before, after)
    return _joined(lost, "~~"), _joined(added, "**")


def _joined(parts: Sequence[Part], sign: str) -> str:
    return "".join(_marked_part(text, sign if is_changed else "") for text, is_changed in parts).strip()


def _bare(word: str) -> str:
    return _EDGES.sub("", word) or word.rstrip()


def _marked_part(text: str, sign: str) -> str:
    body = text.rstrip()
    return (emphasise(sign, body) if sign else escape_markdown(body)) + text[len(body) :] if body else ""
