"""Character spans of pieces: found without the tokenizer's help, and read from SentencePiece's answer."""

import pytest
import sentencepiece

from model.checkpoints.loading import PRETRAINED
from model.text import sentencepiece_proto
from model.text.places import found_spans


@pytest.mark.parametrize(
    ("text", "pieces", "cut"),
    [
        ("the cat .", ["▁the", "▁c", "at", "▁", "."], ["the", "c", "at", "", "."]),
        ("the  cat.", ["▁the", "▁cat", "."], ["the", "cat", "."]),
        ("a 猫 cat", ["▁a", "<unk>", "▁cat"], ["a", "猫", "cat"]),
        ("a 猫 c", ["▁a", "▁", "<unk>", "<unk>", "▁c"], ["a", "", "猫", "猫", "c"]),
        ("cab 猫b b", ["▁c", "ab", "<unk>", "▁b"], ["c", "ab", "猫b", "b"]),
        ("2½ cups", ["▁2", "1⁄2", "▁cups"], ["2", "½", "cups"]),
        ("playing now", ["play", "##ing", "now"], ["play", "ing", "now"]),
        ("playing now", ["play@@", "ing", "now"], ["play", "ing", "now"]),
        ("a 猫", ["▁a", "<unk>"], ["a", "猫"]),
        ("", [], []),
    ],
)
def test_each_piece_stands_where_it_is_written(text: str, pieces: list[str], cut: list[str]) -> None:
    spans = found_spans(text, pieces, [False] * len(pieces))
    assert [text[span[0] : span[1]] for span in spans if span is not None] == cut
    begins = [span[0] for span in spans if span is not None]
    assert begins == sorted(begins)


def test_a_special_token_stands_nowhere() -> None:
    assert found_spans("a b", [">>fr<<", "▁a", "▁b", "</s>"], [True, False, False, True]) == [
        None, (0, 1), (2, 3), None
    ]  # fmt: skip


@pytest.fixture(scope="module")
def processor() -> sentencepiece.SentencePieceProcessor:
    return sentencepiece.SentencePieceProcessor(model_file=str(PRETRAINED / "en-fr" / "tokenizer.model"))


@pytest.mark.parametrize("text", ["", "The cat is sleeping.", "  two  spaces ", "猫 😀 Łódź", "e\u0301té", "x" * 700])
def test_pieces_ids_and_places_are_those_that_protobuf_reads(processor, text):
    expected = processor.encode(text, return_type="proto")
    found, pieces = sentencepiece_proto.read(processor.encode(text, return_type="serialized_proto"))
    assert found == expected.text
    assert [(each.piece, each.id, each.begin, each.end) for each in pieces] == [
        (piece.piece, piece.id, piece.begin, piece.end) for piece in expected.pieces
    ]
    ids = [piece.id for piece in expected.pieces]
    back = processor.decode(ids, return_type="proto")
    found, pieces = sentencepiece_proto.read(processor.decode(ids, return_type="serialized_proto"))
    assert found == back.text
    assert [(each.begin, each.end) for each in pieces] == [(piece.begin, piece.end) for piece in back.pieces]
