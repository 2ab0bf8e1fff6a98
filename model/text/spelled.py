"""SentencePiece's answer with the place of each piece, read from its bytes.

They are a SentencePieceText of sentencepiece.proto. The library reads them with the package protobuf, which it does not
install; this module parses them itself (https://protobuf.dev/programming-guides/encoding/).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

_TEXT, _PIECES = 1, 2
_PIECE, _ID, _BEGIN, _END = 1, 2, 4, 5
_VARINT, _FIXED64, _LENGTH, _FIXED32 = 0, 1, 2, 5


class Spelled(NamedTuple):
    """One piece; its span counts the bytes of the text."""

    piece: str
    id: int
    begin: int
    end: int


def read(serialized: bytes) -> tuple[str, list[Spelled]]:
    """The text and its pieces."""
    text, pieces = "", []
    for number, value in _fields(serialized):
        if number == _TEXT and isinstance(value, bytes):
            text = value.decode("utf-8", "replace")
        elif number == _PIECES and isinstance(value, bytes):
            found = dict(_fields(value))
            piece = found.get(_PIECE, b"")
            assert isinstance(piece, bytes)
            numbers = (int(found.get(each, 0)) for each in (_ID, _BEGIN, _END))
            pieces.append(Spelled(piece.decode("utf-8", "replace"), *numbers))
    return text, pieces


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Each field's number and value."""
    place = 0
    while place < len(message):
        key, place = _varint(message, place)
        kind = key & 7
        if kind == _VARINT:
            value, place = _varint(message, place)
            yield key >> 3, value
            continue
        if kind == _LENGTH:
            length, place = _varint(message, place)
        else:
            length = {_FIXED64: 8, _FIXED32: 4}[kind]
        yield key >> 3, message[place : place + length]
        place += length


def _varint(message: bytes, place: int) -> tuple[int, int]:
    if message[place] < 0x80:  # nearly every number of a sentence
        return message[place], place + 1
    value = shift = 0
    while True:
        byte = message[place]
        value |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if byte < 0x80:
            return value, place
