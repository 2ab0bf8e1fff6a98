"""Character spans of pieces, for tokenizers that return none: the Python tokenizers of ``transformers``.

Pieces are searched in order. A piece that does not occur literally, such as the unknown token or a character that the
tokenizer replaces, gets the span between its neighbours.
"""

from collections.abc import Sequence

from model.text.tokenizer import WORD_MARK

_CONTINUES = "##"
_IS_CONTINUED = "@@"


def found_spans(text: str, pieces: Sequence[str], special: Sequence[bool]) -> list[tuple[int, int] | None]:
    """The span of each piece without preceding spaces; None for a special token."""
    spans: list[tuple[int, int] | None] = [None] * len(pieces)
    lost: list[int] = []
    place = 0
    for index, (piece, is_special) in enumerate(zip(pieces, special, strict=True)):
        if is_special:
            continue
        body = piece.replace(WORD_MARK, " ").strip().removeprefix(_CONTINUES).removesuffix(_IS_CONTINUED)
        begins_word = piece.startswith(WORD_MARK)
        start = _find(text, body, place, is_free=bool(lost), begins_word=begins_word)
        if start is None:
            lost.append(index)
            continue
        _fill(spans, lost, text, place, start)
        lost = []
        place = start + len(body)
        spans[index] = (start, place)
    _fill(spans, lost, text, place, len(text))
    return spans


def _find(text: str, body: str, place: int, *, is_free: bool, begins_word: bool) -> int | None:
    """The start of a piece: at the next character, or after unmatched pieces; None if it is not found."""
    next_place = _skip_spaces(text, place)
    if not is_free:
        return next_place if text.startswith(body, next_place) else None
    start = text.find(body, next_place + 1) if body else -1
    while start >= 0 and begins_word and not text[start - 1].isspace():
        start = text.find(body, start + 1)
    return start if start >= 0 else None


def _fill(spans: list[tuple[int, int] | None], lost: Sequence[int], text: str, start: int, stop: int) -> None:
    """Unmatched pieces share the text between their matched neighbours."""
    start = min(_skip_spaces(text, start), stop)
    stop = start + len(text[start:stop].rstrip())
    for index in lost:
        spans[index] = (start, stop)


def _skip_spaces(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place
