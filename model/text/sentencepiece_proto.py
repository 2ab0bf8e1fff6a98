"""Parses SentencePiece's serialised result, which has the span of each piece.

It is a SentencePieceText of sentencepiece.proto. The library needs the package protobuf to read it, which it does not
install; so this module parses it (https://protobuf.dev/programming-guides/encoding/).
"""

from typing import Any, NamedTuple

_TEXT, _PIECES = 1, 2
_PIECE, _ID, _BEGIN, _END = 1, 2, 4, 5
_VARINT = 0
_FIXED = {1: 8, 5: 4}
"""Bytes of the wire types with a fixed length."""
_MORE = 0x80
"""The continuation bit of a varint."""


class PlacedPiece(NamedTuple):
    """One piece; its span is in bytes of the text."""

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
    """(number, value) of each field. A corpus has many, so one-byte varints are read without a call."""
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
