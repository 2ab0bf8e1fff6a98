"""SentencePiece segmentation with the ids of a separate vocabulary, as in several toolkits."""

import base64
import json
from collections.abc import Sequence
from pathlib import Path

from model.text.tokenizer import WORD_MARK, SentencePieceTokenizer
from model.text.word_tokenizer import WordTokenizer
from model.trace import TokenSequence


class PieceTokenizer(WordTokenizer):
    """SentencePiece segmentation with the ids of a separate vocabulary."""

    def __init__(self, tokens: Sequence[str], pieces: bytes) -> None:
        super().__init__(tokens)
        self._bytes, self._pieces = pieces, SentencePieceTokenizer(pieces)

    @property
    def content(self) -> bytes:
        """Every token in the order of the ids, and the SentencePiece model."""
        return super().content + self._bytes

    def encode(self, text: str) -> TokenSequence:
        """The text's pieces under the vocabulary's ids."""
        tokens = self._pieces.encode(text)
        unknown = 0 if self.unknown_id is None else self.unknown_id
        ids = tuple(self._ids.get(piece, unknown) for piece in tokens.pieces)
        return TokenSequence(ids, tokens.pieces, tokens.words, tokens.spans)

    def describe(self, ids: Sequence[int]) -> TokenSequence:
        """The pieces of ids; spans refer to ``decode(ids)``."""
        pieces = [self.tokens[i] if i < len(self.tokens) else f"#{i}" for i in map(int, ids)]
        words: list[int] = []
        spans: list[tuple[int, int] | None] = []
        word, place = -1, 0
        for piece in pieces:
            if piece in self.SPECIAL:
                words.append(-1)
                spans.append(None)
                continue
            begins = piece.startswith(WORD_MARK) or word < 0
            word += begins
            body = piece.removeprefix(WORD_MARK)
            place += begins and place > 0
            words.append(word)
            spans.append((place, place + len(body)))
            place += len(body)
        return TokenSequence(tuple(map(int, ids)), tuple(pieces), tuple(words), tuple(spans))

    def decode(self, ids: Sequence[int]) -> str:
        """The decoded text."""
        pieces = [self.tokens[i] if i < len(self.tokens) else f"#{i}" for i in map(int, ids)]
        return "".join(piece for piece in pieces if piece not in self.SPECIAL).replace(WORD_MARK, " ").strip()

    def save(self, folder: Path, stem: str) -> str:
        """Write ``stem.json``, tokens and SentencePiece model, and return its name."""
        name = f"{stem}.json"
        packed = {"tokens": self.tokens, "sentencepiece": base64.b64encode(self._bytes).decode("ascii")}
        (folder / name).write_text(json.dumps(packed, ensure_ascii=False), "utf-8")
        return name
