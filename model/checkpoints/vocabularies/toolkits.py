"""Reads the vocabularies of JoeyNMT, fairseq, Marian and CTranslate2, and the SentencePiece models beside them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from model.checkpoints.basis.limits import limits
from model.checkpoints.formats.source import read_json
from model.checkpoints.vocabularies.piece_tokenizer import PieceTokenizer
from model.checkpoints.vocabularies.reading import lines_of, probe
from model.text.tokenizer import WORD_MARK, Tokenizer
from model.text.word_tokenizer import WordTokenizer

_PREFIXES = {"source": ("source", "src"), "target": ("target", "tgt", "trg")}


def joey_tokenizers(
    files: Mapping[str, Path], described: Mapping[str, Any]
) -> tuple[Tokenizer | None, Tokenizer | None]:
    """The vocabularies of a JoeyNMT run, with their SentencePiece models if the folder has them."""
    data = described.get("data")
    tokenizers: list[Tokenizer | None] = []
    for side in ("src", "trg"):
        path = files.get(f"{side}_vocab.txt")
        if path is None:
            tokenizers.append(None)
            continue
        tokens = lines_of(path)
        section = data.get(side) if isinstance(data, dict) else None
        settings = section.get("tokenizer_cfg") if isinstance(section, dict) else None
        named = settings.get("model_file") if isinstance(settings, dict) else None
        model = files.get(Path(named).name) if isinstance(named, str) else None
        if model is None:
            tokenizers.append(WordTokenizer(tokens))
        else:
            probe(model, "sentencepiece")
            tokenizers.append(PieceTokenizer(tokens, model.read_bytes()))
    return tokenizers[0], tokenizers[1]


def fairseq_dictionary(path: Path, files: Mapping[str, Path]) -> WordTokenizer | None:
    """A dict.xx.txt: the four special tokens, then a token and its count on each line; None for other files.

    If exactly one SentencePiece model is beside it, that model splits the text.
    """
    if path.stat().st_size > limits().max_json_bytes:
        return None
    tokens = ["<s>", "<pad>", "</s>", "<unk>"]
    for line in lines_of(path):
        token, _, count = line.removesuffix(" #fairseq:overwrite").rpartition(" ")
        if not token or not count.isdigit():
            return None
        tokens.append(token)
    return with_pieces(tokens, files)


def list_of_tokens(path: Path) -> list[str] | None:
    """The tokens of a .json list, or of a text with one token on each line; None for other files.

    Raises:
        CheckpointError: when the file is too large or damaged.
    """
    if path.suffix != ".json":
        return lines_of(path) if path.stat().st_size <= limits().max_json_bytes else None
    tokens = read_json(path)
    return tokens if isinstance(tokens, list) and all(isinstance(token, str) for token in tokens) else None


def marian_tokens(path: Path) -> list[str] | None:
    """Marian's vocab.yml: a token and its id on each line, the token in quotes if it needs them; None for other files.

    A YAML reader cannot read it, because it does not escape tokens that YAML requires to be escaped.
    """
    if path.stat().st_size > limits().max_json_bytes:
        return None
    ids: dict[int, str] = {}
    for line in lines_of(path):
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
    """A tokenizer with this vocabulary, and the SentencePiece model beside it if there is one for this side, or only
    one."""
    pieces = {name: path for name, path in sorted(files.items()) if path.suffix in (".spm", ".model")}
    named = [path for name, path in pieces.items() if name.startswith(_PREFIXES.get(side, ()))]
    chosen = named or list(pieces.values())
    if len(chosen) != 1 or not any(token.startswith(WORD_MARK) for token in tokens):
        return WordTokenizer(tokens)
    probe(chosen[0], "sentencepiece")
    return PieceTokenizer(tokens, chosen[0].read_bytes())
