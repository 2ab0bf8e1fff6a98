"""SentencePiece's serialised answer is parsed as protobuf parses it."""

from __future__ import annotations

import pytest
import sentencepiece

from model.checkpoints.loading import PRETRAINED
from model.text import sentencepiece_proto


@pytest.fixture(scope="module")
def processor() -> sentencepiece.SentencePieceProcessor:
    return sentencepiece.SentencePieceProcessor(model_file=str(PRETRAINED / "en-fr" / "tokenizer.model"))


@pytest.mark.parametrize("text", ["", "The cat is sleeping.", "  two  spaces ", "猫 😀 Łódź", "e\u0301té", "x" * 700])
def test_pieces_ids_and_places_are_those_that_protobuf_reads(processor, text):
    theirs = processor.encode(text, return_type="proto")
    found, pieces = sentencepiece_proto.read(processor.encode(text, return_type="serialized_proto"))
    assert found == theirs.text
    assert [(each.piece, each.id, each.begin, each.end) for each in pieces] == [
        (piece.piece, piece.id, piece.begin, piece.end) for piece in theirs.pieces
    ]
    ids = [piece.id for piece in theirs.pieces]
    back = processor.decode(ids, return_type="proto")
    found, pieces = sentencepiece_proto.read(processor.decode(ids, return_type="serialized_proto"))
    assert found == back.text
    assert [(each.begin, each.end) for each in pieces] == [(piece.begin, piece.end) for piece in back.pieces]
