"""Reads the vocabularies of JoeyNMT, fairseq, Marian and CTranslate2, with the SentencePiece models beside them; and
vocabularies in a weights file or a pickle, as ``stoi``, ``itos``, ``word2idx``, torchtext's ``Vocab`` and ``Field``."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from model.checkpoints.basis.limits import limits
from model.checkpoints.formats.pickle_values import PickledObject
from model.checkpoints.formats.settings import section_of
from model.checkpoints.formats.source import read_json
from model.checkpoints.formats.torch_file import read_plain
from model.checkpoints.vocabularies.piece_tokenizer import PieceTokenizer
from model.checkpoints.vocabularies.reading import lines_of, probe
from model.text.tokenizer import WORD_MARK, Tokenizer
from model.text.word_tokenizer import WordTokenizer

_PREFIXES = {"source": ("source", "src"), "target": ("target", "tgt", "trg")}


def joey_tokenizers(
    files: Mapping[str, Path], described: Mapping[str, Any]
) -> tuple[Tokenizer | None, Tokenizer | None]:
    """The vocabularies of a JoeyNMT run, with their SentencePiece models if the folder has them."""
    tokenizers: list[Tokenizer | None] = []
    for side in ("src", "trg"):
        path = files.get(f"{side}_vocab.txt")
        if path is None:
            tokenizers.append(None)
            continue
        tokens = lines_of(path)
        named = section_of(section_of(section_of(described, "data"), side), "tokenizer_cfg").get("model_file")
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
        ids[int(index)] = _unquote(token.strip())
    return [ids[index] for index in range(len(ids))] if ids and sorted(ids) == list(range(len(ids))) else None


def _unquote(token: str) -> str:
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


_LEAST, _MOST, _DEEPEST = 4, 64, 10
_CONTAINERS = 20_000


def vocabularies_in(value: Any) -> Iterator[tuple[str, list[str]]]:
    """The lists of tokens in a value: the path of each, and its tokens in the order of their ids."""
    waiting, seen, n_found, n_seen = [("", value, 0)], set(), 0, 0
    while waiting and n_found < _MOST and n_seen < _CONTAINERS:
        name, item, depth = waiting.pop(0)
        if id(item) in seen or not isinstance(item, dict | list | tuple | PickledObject):
            continue
        seen.add(id(item))
        n_seen += 1
        tokens = _tokens(item)
        if tokens is not None:
            n_found += 1
            yield name, tokens
        elif depth < _DEEPEST:
            waiting += [(f"{name}.{key}" if name else key, inner, depth + 1) for key, inner in _inner(item)]


def vocabularies_of_pickle(path: Path) -> list[tuple[str, list[str]]]:
    """The vocabularies of a pickle, or of a file of ``torch.save`` without tensors; nothing in it is run.

    Raises:
        CheckpointError: when it cannot be read as data.
    """
    return list(vocabularies_in(read_plain(path)))


def _tokens(value: Any) -> list[str] | None:
    if isinstance(value, list | tuple):
        is_list = len(value) >= _LEAST and all(isinstance(token, str) for token in value)
        return list(value) if is_list and len(set(value)) > 0.9 * len(value) else None
    held = value.entries if isinstance(value, PickledObject) else value
    if not isinstance(held, Mapping) or len(held) < _LEAST:
        return None
    if all(isinstance(token, str) and type(index) is int for token, index in held.items()):
        return _in_order_of_ids((index, token) for token, index in held.items())
    if all(type(index) is int and isinstance(token, str) for index, token in held.items()):
        return _in_order_of_ids(held.items())
    return None


def _in_order_of_ids(pairs: Any) -> list[str] | None:
    """Tokens in the order of their ids; None if the numbers are not ids but, for example, counts."""
    by_id = dict(pairs)
    size = max(by_id) + 1
    if min(by_id) < 0 or size > limits().max_vocabulary or size > 1.1 * len(by_id) + 8:
        return None
    return [by_id.get(index, f"#{index}") for index in range(size)]


def _inner(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, PickledObject):
        yield from value.fields.items()
        for part in (value.entries, value.items, value.arguments, value.state):
            yield "", part
    elif isinstance(value, dict):
        yield from ((str(key)[:80], inner) for key, inner in list(value.items())[:1000])
    else:
        yield from ((str(index), inner) for index, inner in enumerate(value[:64]))
