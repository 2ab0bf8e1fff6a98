"""Reads tokenizers that come with a checkpoint or are added later: lists, text, JSON, SentencePiece, Hugging Face."""

import base64
import binascii
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from model.checkpoints.basis.errors import CheckpointError, HintError, LimitError
from model.checkpoints.basis.hints import Hints, Tokens
from model.checkpoints.basis.limits import check_json_size, limits
from model.checkpoints.formats.source import read_json
from model.checkpoints.vocabularies import packed_tokenizer
from model.checkpoints.vocabularies.piece_tokenizer import PieceTokenizer
from model.checkpoints.vocabularies.probing import probe
from model.text.tokenizer import SentencePieceTokenizer, Tokenizer, TokenizerError
from model.text.word_tokenizer import WordTokenizer

_SHARED = ("tokenizer.model", "tokenizer.json", "spm.model", "sentencepiece.model", "sentencepiece.bpe.model",
           "vocab.txt", "vocab.json")  # fmt: skip
_SIDES = {
    "source": ("source.model", "source.spm", "source.json", "src.model", "src_vocab.txt", "source_vocab.txt",
               "src.txt"),
    "target": ("target.model", "target.spm", "target.json", "trg.model", "tgt.model", "trg_vocab.txt", "tgt_vocab.txt",
               "target_vocab.txt", "trg.txt", "tgt.txt"),
}  # fmt: skip


def read_tokenizer_file(path: Path) -> Tokenizer:
    """Read a tokenizer from a file and recognise its kind by its content."""
    try:
        with path.open("rb") as file:
            beginning = file.read(64)
        check_json_size(path)
    except OSError as error:
        raise TokenizerError(f"cannot read the tokenizer {path.name}: {error.strerror}") from error
    is_pieces = beginning[:1] == beginning[2:3] == b"\n"  # a first piece, and in it a string
    if path.suffix in (".model", ".spm") or is_pieces:
        probe(path, "sentencepiece")
        return SentencePieceTokenizer.load(path)
    if beginning.lstrip()[:1] in (b"{", b"["):
        return _from_json(path, read_json(path))
    return WordTokenizer(lines_of(path))


def find_tokenizers(files: Mapping[str, Path], hints: Hints) -> tuple[Tokenizer | None, Tokenizer | None]:
    """The tokenizers of both sides: from hints, or else from files with well-known names."""
    shared = next((name for name in _SHARED if name in files), None)
    opened: dict[str, Tokenizer] = {}
    tokenizers: list[Tokenizer | None] = []
    for side, tokens in (("source", hints.source_tokens), ("target", hints.target_tokens)):
        if tokens is not None:
            tokenizers.append(_open_argument(tokens, opened))
            continue
        name = next((name for name in _SIDES[side] if name in files), shared)
        tokenizers.append(_beside(files[name], opened) if name else None)
    return tokenizers[0], tokenizers[1]


def _beside(path: Path, opened: dict[str, Tokenizer]) -> Tokenizer | None:
    """A vocabulary file that no hint names; None if it cannot be read, since it may only look like a vocabulary."""
    try:
        return _open_argument(path, opened)
    except (TokenizerError, CheckpointError):
        return None


def check_fit(tokenizer: Tokenizer | None, n_embeddings: int, side: str) -> None:
    """Raise HintError if there are more tokens than embeddings."""
    if tokenizer is not None and tokenizer.size > n_embeddings:
        raise HintError(
            f"the {side} tokens ({tokenizer.size:,}) must not be more than the {n_embeddings:,} embeddings: "
            "give the vocabulary that was trained with these weights"
        )


def _open_argument(tokens: Tokens, opened: dict[str, Tokenizer]) -> Tokenizer:
    if not isinstance(tokens, str | Path):
        if not all(isinstance(token, str) for token in tokens):
            raise HintError("source_tokens and target_tokens must be lists of strings, or files")
        return WordTokenizer(list(tokens))
    if str(tokens) not in opened:
        opened[str(tokens)] = read_tokenizer_file(Path(tokens))
    return opened[str(tokens)]


def _from_json(path: Path, content: Any) -> Tokenizer:
    if isinstance(content, dict) and {"tokens", "sentencepiece"} == set(content):
        return _pieces(path, content)
    if isinstance(content, dict) and set(content) == packed_tokenizer.KEYS:
        from model.checkpoints.vocabularies.library_tokenizer import read_packed

        return read_packed(content, path.name)
    if isinstance(content, dict) and isinstance(content.get("model"), dict):
        from model.checkpoints.vocabularies.fast_tokenizer import FastTokenizer

        probe(path, "tokenizers")
        return FastTokenizer.load(path)
    if isinstance(content, list) and all(isinstance(token, str) for token in content):
        return WordTokenizer(content)
    if isinstance(content, dict) and all(type(index) is int for index in content.values()):
        return WordTokenizer(_by_id(path, content))
    raise TokenizerError(f"{path.name} must be a list of tokens, or tokens with their ids, or a tokenizer.json")


def _by_id(path: Path, ids: Mapping[str, int]) -> list[str]:
    if not ids or min(ids.values()) < 0 or max(ids.values()) >= limits().max_vocabulary:
        raise TokenizerError(f"the ids in {path.name} must lie between 0 and {limits().max_vocabulary:,}")
    tokens = [f"#{index}" for index in range(max(ids.values()) + 1)]
    for token, index in ids.items():
        tokens[index] = token
    return tokens


def _pieces(path: Path, content: Mapping[str, Any]) -> PieceTokenizer:
    tokens, packed = content["tokens"], content["sentencepiece"]
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


def lines_of(path: Path) -> list[str]:
    """The lines of a text file, one token each."""
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
        raise LimitError(
            f"{path.name} has {len(tokens):,} lines: the limit is {limits().max_vocabulary:,} (REGARD_MAX_VOCABULARY)"
        )
    return tokens
