"""A tokenizer whose vocabulary is a plain list of words."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from model.text.tokenizer import TokenizerError
from model.trace import TokenSequence


class WordTokenizer:
    """A list of words, with one id each."""

    _SPLIT = re.compile(r"\w+(?:['-]\w+)*|[^\w\s]")
    _CHARACTER = re.compile(r".", re.DOTALL)
    SPECIAL = frozenset(
        {"<pad>", "<s>", "</s>", "<bos>", "<eos>", "<blank>", "<sos>", "<start>", "<end>", "[PAD]", "[CLS]", "[SEP]",
         "[SOS]", "[BOS]", "[EOS]", "<PAD>", "<SOS>", "<BOS>", "<EOS>", "<START>", "<END>"}
    )  # fmt: skip
    UNKNOWN = ("<unk>", "[UNK]", "<UNK>", "UNK", "unk")

    def __init__(self, tokens: Sequence[str]) -> None:
        if not tokens:
            raise TokenizerError("the vocabulary is empty: give one token a line, in the order of their ids")
        self.tokens = tuple(tokens)
        self._ids: dict[str, int] = {}
        for index, token in enumerate(tokens):
            self._ids.setdefault(token, index)
        self._is_of_characters = _is_of_characters(self.tokens)
        self.unknown_id = next((self._ids[token] for token in self.UNKNOWN if token in self._ids), None)

    @property
    def size(self) -> int:
        """Entries in the vocabulary."""
        return len(self.tokens)

    @property
    def content(self) -> bytes:
        """Every token in the order of the ids."""
        return json.dumps(self.tokens).encode()

    def encode(self, text: str) -> TokenSequence:
        """One token per word or punctuation mark; words outside the vocabulary become its unknown token.

        Raises:
            TokenizerError: when a word is missing and the vocabulary has no unknown token.
        """
        ids, spans = [], []
        for match in (self._CHARACTER if self._is_of_characters else self._SPLIT).finditer(text):
            index = self._lookup(match.group())
            if index in (None, self.unknown_id) and match.group().isspace():
                continue
            if index is None:
                raise TokenizerError(f"the vocabulary has neither “{match.group()}” nor an unknown token")
            ids.append(index)
            spans.append(match.span())
        pieces = tuple(self.tokens[index] for index in ids)
        return TokenSequence(tuple(ids), pieces, tuple(range(len(ids))), tuple(spans))

    def describe(self, ids: Sequence[int]) -> TokenSequence:
        """The tokens of ids; spans are in characters of ``decode(ids)``."""
        pieces = [self.tokens[i] if i < len(self.tokens) else f"#{i}" for i in map(int, ids)]
        words, spans, word, place = [], [], -1, 0
        for piece in pieces:
            if piece in self.SPECIAL:
                words.append(-1)
                spans.append(None)
                continue
            word += 1
            words.append(word)
            spans.append((place, place + len(piece)))
            place += len(piece) + (not self._is_of_characters)
        return TokenSequence(tuple(map(int, ids)), tuple(pieces), tuple(words), tuple(spans))

    def decode(self, ids: Sequence[int]) -> str:
        """Words of given ids, joined by spaces."""
        pieces = (self.tokens[i] if i < len(self.tokens) else f"#{i}" for i in map(int, ids))
        return ("" if self._is_of_characters else " ").join(piece for piece in pieces if piece not in self.SPECIAL)

    def save(self, folder: Path, stem: str) -> str:
        """Write ``stem.json``, the list of tokens, and return its name."""
        name = f"{stem}.json"
        (folder / name).write_text(json.dumps(self.tokens, ensure_ascii=False, indent=0), "utf-8")
        return name

    def _lookup(self, word: str) -> int | None:
        return self._ids.get(word, self._ids.get(word.lower(), self.unknown_id))


def _is_of_characters(tokens: Sequence[str]) -> bool:
    """Whether a vocabulary consists of characters: nearly all tokens except special ones are single characters."""
    ordinary = [token for token in tokens if not (len(token) > 1 and not token.isalnum())]
    n_single = sum(len(token) == 1 for token in ordinary)
    return n_single >= 10 and n_single >= 0.9 * len(ordinary)
