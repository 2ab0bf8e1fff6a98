"""Tokens that come with a checkpoint or are added later: lists, text, JSON, SentencePiece, Hugging Face."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from model.checkpoints import packed_tokenizer
from model.checkpoints.errors import CheckpointError, HintError, LimitError
from model.checkpoints.hints import Hints, Tokens
from model.checkpoints.limits import limits
from model.checkpoints.probing import probe
from model.checkpoints.source import read_json
from model.text.tokenizer import WORD_MARK, SentencePieceTokenizer, Tokenizer, TokenizerError, WordTokenizer
from model.trace import TokenSequence

_SHARED = ("tokenizer.model", "tokenizer.json", "spm.model", "sentencepiece.model", "sentencepiece.bpe.model",
           "vocab.txt", "vocab.json")  # fmt: skip
_SIDES = {
    "source": ("source.model", "source.spm", "source.json", "src.model", "src_vocab.txt", "source_vocab.txt",
               "src.txt"),
    "target": ("target.model", "target.spm", "target.json", "trg.model", "tgt.model", "trg_vocab.txt", "tgt_vocab.txt",
               "target_vocab.txt", "trg.txt", "tgt.txt"),
}  # fmt: skip
_PREFIXES = {"source": ("source", "src"), "target": ("target", "tgt", "trg")}


class PieceTokenizer(WordTokenizer):
    """SentencePiece pieces numbered by a vocabulary of its own, as JoeyNMT has them."""

    def __init__(self, tokens: Sequence[str], pieces: bytes) -> None:
        super().__init__(tokens)
        self._bytes, self._pieces = pieces, SentencePieceTokenizer(pieces)

    @property
    def content(self) -> bytes:
        """Every token in the order of the ids, and the model that cuts text into them."""
        return super().content + self._bytes

    def encode(self, text: str) -> TokenSequence:
        """The text's pieces under the vocabulary's ids."""
        found = self._pieces.encode(text)
        unknown = 0 if self.unknown_id is None else self.unknown_id
        ids = tuple(self._ids.get(piece, unknown) for piece in found.pieces)
        return TokenSequence(ids, found.pieces, found.words, found.spans)

    def describe(self, ids: Sequence[int]) -> TokenSequence:
        """Pieces of given ids; spans count characters of ``decode(ids)``."""
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
        """Text of given ids."""
        pieces = [self.tokens[i] if i < len(self.tokens) else f"#{i}" for i in map(int, ids)]
        return "".join(piece for piece in pieces if piece not in self.SPECIAL).replace(WORD_MARK, " ").strip()

    def save(self, folder: Path, stem: str) -> str:
        """Write ``stem.json``, tokens and SentencePiece model, and return its name."""
        name = f"{stem}.json"
        packed = {"tokens": self.tokens, "sentencepiece": base64.b64encode(self._bytes).decode("ascii")}
        (folder / name).write_text(json.dumps(packed, ensure_ascii=False), "utf-8")
        return name


def read_tokenizer_file(path: Path) -> Tokenizer:
    """A tokenizer from a file, its kind told by its content.

    Raises:
        TokenizerError: when it is missing, damaged, or of no known kind.
        LimitError: when it is too large, or takes too long to parse.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            beginning = file.read(64)
    except OSError as error:
        raise TokenizerError(f"cannot read the tokenizer {path.name}: {error.strerror}") from error
    if size > limits().max_json_bytes:
        raise LimitError(f"{path.name} has {size:,} bytes, and {limits().max_json_bytes:,} are read here")
    is_pieces = beginning[:1] == beginning[2:3] == b"\n"  # a first piece, and in it a string
    if path.suffix in (".model", ".spm") or is_pieces:
        return _sentencepiece(path)
    if beginning.lstrip()[:1] in (b"{", b"["):
        return _from_json(path, read_json(path))
    return WordTokenizer(_lines(path))


def find_tokenizers(files: Mapping[str, Path], hints: Hints) -> tuple[Tokenizer | None, Tokenizer | None]:
    """The tokens of both sides: from hints, else from files with well-known names."""
    shared = next((name for name in _SHARED if name in files), None)
    opened: dict[str, Tokenizer] = {}
    found: list[Tokenizer | None] = []
    for side, given in (("source", hints.source_tokens), ("target", hints.target_tokens)):
        if given is not None:
            found.append(_given(given, opened))
            continue
        name = next((name for name in _SIDES[side] if name in files), shared)
        found.append(_beside(files[name], opened) if name else None)
    return found[0], found[1]


def _beside(path: Path, opened: dict[str, Tokenizer]) -> Tokenizer | None:
    """A vocabulary that nobody named: a file that only looks like one must not keep the model from opening."""
    try:
        return _given(path, opened)
    except (TokenizerError, CheckpointError):
        return None


def joey_tokenizers(
    files: Mapping[str, Path], described: Mapping[str, Any]
) -> tuple[Tokenizer | None, Tokenizer | None]:
    """A JoeyNMT run's vocabularies, with their SentencePiece models where the folder has them."""
    data = described.get("data")
    found: list[Tokenizer | None] = []
    for side in ("src", "trg"):
        path = files.get(f"{side}_vocab.txt")
        if path is None:
            found.append(None)
            continue
        tokens = _lines(path)
        section = data.get(side) if isinstance(data, dict) else None
        settings = section.get("tokenizer_cfg") if isinstance(section, dict) else None
        named = settings.get("model_file") if isinstance(settings, dict) else None
        model = files.get(Path(named).name) if isinstance(named, str) else None
        if model is None:
            found.append(WordTokenizer(tokens))
        else:
            probe(model, "sentencepiece")
            found.append(PieceTokenizer(tokens, model.read_bytes()))
    return found[0], found[1]


def fairseq_dictionary(path: Path, files: Mapping[str, Path]) -> WordTokenizer | None:
    """A dict.xx.txt: the four special tokens, then a token and its count a line; None where it is none.

    Where exactly one SentencePiece model lies beside it, text is cut by that model.
    """
    if path.stat().st_size > limits().max_json_bytes:
        return None
    tokens = ["<s>", "<pad>", "</s>", "<unk>"]
    for line in _lines(path):
        token, _, count = line.removesuffix(" #fairseq:overwrite").rpartition(" ")
        if not token or not count.isdigit():
            return None
        tokens.append(token)
    return with_pieces(tokens, files)


def list_of_tokens(path: Path) -> list[str] | None:
    """The tokens of a .json list, or of a text of one token a line; None where it is neither.

    Raises:
        CheckpointError: when the file is too large or damaged.
    """
    if path.suffix != ".json":
        return _lines(path) if path.stat().st_size <= limits().max_json_bytes else None
    found = read_json(path)
    return found if isinstance(found, list) and all(isinstance(token, str) for token in found) else None


def marian_tokens(path: Path) -> list[str] | None:
    """Marian's vocab.yml: a token and its id a line, the token in quotes where it needs them; None where it is none.

    It is no YAML that a YAML reader takes: some tokens would have to be escaped, and are not.
    """
    if path.stat().st_size > limits().max_json_bytes:
        return None
    ids: dict[int, str] = {}
    for line in _lines(path):
        token, colon, index = line.rpartition(":")
        if not line.strip():
            continue
        if not colon or not index.strip().isdigit() or len(index) > 9:
            return None
        ids[int(index)] = _unquoted(token.strip())
    return [ids[index] for index in range(len(ids))] if ids and sorted(ids) == list(range(len(ids))) else None


def _unquoted(token: str) -> str:
    if len(token) >= 2 and token[0] == token[-1] == "'":
        return token[1:-1].replace("''", "'")
    if len(token) < 2 or not token[0] == token[-1] == '"':
        return token
    try:
        return json.loads(token)
    except ValueError:
        return token[1:-1].replace('\\"', '"').replace("\\\\", "\\")


def with_pieces(tokens: Sequence[str], files: Mapping[str, Path], side: str = "") -> WordTokenizer:
    """A vocabulary, cut by the SentencePiece model beside it where there is one for this side, or only one."""
    found = {name: path for name, path in sorted(files.items()) if path.suffix in (".spm", ".model")}
    named = [path for name, path in found.items() if name.startswith(_PREFIXES.get(side, ()))]
    chosen = named or list(found.values())
    if len(chosen) != 1 or not any(token.startswith(WORD_MARK) for token in tokens):
        return WordTokenizer(tokens)
    probe(chosen[0], "sentencepiece")
    return PieceTokenizer(tokens, chosen[0].read_bytes())


def check_fit(tokenizer: Tokenizer | None, n_embeddings: int, side: str) -> None:
    """Raise HintError when there are more tokens than embeddings."""
    if tokenizer is not None and tokenizer.size > n_embeddings:
        raise HintError(
            f"the {side} tokens ({tokenizer.size:,}) must not be more than the {n_embeddings:,} embeddings: "
            "give the vocabulary that was trained with these weights"
        )


def _given(given: Tokens, opened: dict[str, Tokenizer]) -> Tokenizer:
    if not isinstance(given, str | Path):
        if not all(isinstance(token, str) for token in given):
            raise HintError("source_tokens and target_tokens must be lists of strings, or files")
        return WordTokenizer(list(given))
    if str(given) not in opened:
        opened[str(given)] = read_tokenizer_file(Path(given))
    return opened[str(given)]


def _sentencepiece(path: Path) -> SentencePieceTokenizer:
    probe(path, "sentencepiece")
    return SentencePieceTokenizer.load(path)


def _from_json(path: Path, found: Any) -> Tokenizer:
    if isinstance(found, dict) and {"tokens", "sentencepiece"} == set(found):
        return _pieces(path, found)
    if isinstance(found, dict) and set(found) == packed_tokenizer.KEYS:
        from model.checkpoints.families.huggingface_tokenizer import read_packed

        return read_packed(found, path.name)
    if isinstance(found, dict) and isinstance(found.get("model"), dict):
        from model.checkpoints.fast_tokenizer import FastTokenizer

        probe(path, "tokenizers")
        return FastTokenizer.load(path)
    if isinstance(found, list) and all(isinstance(token, str) for token in found):
        return WordTokenizer(found)
    if isinstance(found, dict) and all(type(index) is int for index in found.values()):
        return WordTokenizer(_by_id(path, found))
    raise TokenizerError(f"{path.name} must be a list of tokens, or tokens with their ids, or a tokenizer.json")


def _by_id(path: Path, ids: Mapping[str, int]) -> list[str]:
    if not ids or min(ids.values()) < 0 or max(ids.values()) >= limits().max_vocabulary:
        raise TokenizerError(f"the ids in {path.name} must lie between 0 and {limits().max_vocabulary:,}")
    tokens = [f"#{index}" for index in range(max(ids.values()) + 1)]
    for token, index in ids.items():
        tokens[index] = token
    return tokens


def _pieces(path: Path, found: Mapping[str, Any]) -> PieceTokenizer:
    tokens, packed = found["tokens"], found["sentencepiece"]
    if (
        not isinstance(tokens, list)
        or not all(isinstance(token, str) for token in tokens)
        or not isinstance(packed, str)
    ):
        raise TokenizerError(f"{path.name} is damaged: save the checkpoint again")
    try:
        pieces = base64.b64decode(packed, validate=True)
    except (binascii.Error, ValueError) as error:
        raise TokenizerError(f"{path.name} is damaged ({error}): save the checkpoint again") from error
    from tempfile import NamedTemporaryFile

    with NamedTemporaryFile(suffix=".model") as unpacked:
        unpacked.write(pieces)
        unpacked.flush()
        probe(Path(unpacked.name), "sentencepiece")
    return PieceTokenizer(tokens, pieces)


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TokenizerError(f"{path.name} is not UTF-8: save it as UTF-8, one token a line") from error
    except OSError as error:
        raise CheckpointError(f"cannot read {path.name}: {error.strerror}") from error
    if "\0" in text:
        raise TokenizerError(f"{path.name} is not text: give one token a line, in the order of their ids")
    lines = text.split("\n")
    tokens = [line.rstrip("\r") for line in (lines[:-1] if lines and not lines[-1] else lines)]
    if len(tokens) > limits().max_vocabulary:
        raise LimitError(f"{path.name} has {len(tokens):,} lines, and {limits().max_vocabulary:,} are read here")
    return tokens
