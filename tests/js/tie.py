"""Writes tie.json: a vocabulary in which two ways to cut a text score the same, and how SentencePiece cuts it.

python -m tests.js.tie
"""

import base64
import json
from pathlib import Path

import sentencepiece
from sentencepiece import sentencepiece_model_pb2 as proto

WHERE = Path(__file__).with_name("tie.json")
PIECES = (("▁", -3.0), ("▁ab", -2.0), ("▁a", -1.0), ("b", -1.0), ("c", -1.5), ("bc", -2.5), ("▁abc", -3.5), ("a", -4.0))
"""In halves, so that sums of float32 are exact: ▁ab = ▁a + b, and ▁abc = ▁ab + c = ▁a + bc = ▁a + b + c."""
TEXTS = ("ab", "abc", "ab abc", "abab")


def vocabulary() -> bytes:
    """The SentencePiece file."""
    model_proto = proto.ModelProto()  # pyrefly: ignore[missing-attribute]
    for piece, kind in (("<unk>", 2), ("<s>", 3), ("</s>", 3)):
        model_proto.pieces.add(piece=piece, score=0.0, type=kind)
    for piece, score in PIECES:
        model_proto.pieces.add(piece=piece, score=score, type=1)
    model_proto.trainer_spec.model_type = 1
    model_proto.normalizer_spec.name = "identity"
    return model_proto.SerializeToString()


def segment(file: bytes) -> dict[str, list[int]]:
    """The ids of each text."""
    processor = sentencepiece.SentencePieceProcessor(model_proto=file)
    return {text: processor.encode(text) for text in TEXTS}


if __name__ == "__main__":
    file = vocabulary()
    WHERE.write_text(
        json.dumps({"file": base64.b64encode(file).decode(), "ids": segment(file)}, indent=1) + "\n", "utf-8"
    )
