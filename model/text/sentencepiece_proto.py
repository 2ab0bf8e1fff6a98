"""SentencePiece's answer with the place of each piece, read from its bytes.

They are a SentencePieceText of sentencepiece.proto. The library reads them with the package protobuf, which it does not
install; this module parses them itself (https://protobuf.dev/programming-guides/encoding/).
"""

from typing import Any, NamedTuple

_TEXT, _PIECES = 1, 2
_PIECE, _ID, _BEGIN, _END = 1, 2, 4, 5
_VARINT = 0
_FIXED = {1: 8, 5: 4}
"""Bytes of the kinds of field that have a fixed length."""
_MORE = 0x80
"""A byte of a number from here on says that another follows."""


class PlacedPiece(NamedTuple):
    """One piece; its span counts the bytes of the text."""

    piece: str
    id: int
    begin: int
    end: int


def read(serialized: bytes) -> tuple[str, list[PlacedPiece]]:
    """The text and its pieces."""
    text, pieces = "", []
    for number, value in _fields(serialized):
        if number == _TEXT and isinstance(value, bytes):
            text = value.decode("utf-8", "replace")
        elif number == _PIECES and isinstance(value, bytes):
            fields: dict[int, Any] = dict(_fields(value))
            piece = fields.get(_PIECE, b"").decode("utf-8", "replace")
            pieces.append(PlacedPiece(piece, fields.get(_ID, 0), fields.get(_BEGIN, 0), fields.get(_END, 0)))
    return text, pieces


def _fields(message: bytes) -> list[tuple[int, int | bytes]]:
    """Each field's number and value. A corpus has many, so numbers of one byte are read without a call."""
    fields: list[tuple[int, int | bytes]] = []
    place, size = 0, len(message)
    while place < size:
        key, place = message[place], place + 1
        if key >= _MORE:
            key, place = _varint(message, place - 1)
        kind = key & 7
        length = _FIXED.get(kind)
        if length is None:
            length, place = message[place], place + 1
            if length >= _MORE:
                length, place = _varint(message, place - 1)
            if kind == _VARINT:
                fields.append((key >> 3, length))
                continue
        fields.append((key >> 3, message[place : place + length]))
        place += length
    return fields


def _varint(message: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[place]
        value |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if byte < _MORE:
            return value, place
