"""Vocabularies inside a weights file or a pickle, as data: ``stoi``, ``itos``, ``word2idx``, torchtext's ``Vocab`` and
``Field``. Whatever holds one token for each id is one, whatever it is called."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from model.checkpoints.basis.limits import limits
from model.checkpoints.formats.pickle_values import PickledObject
from model.checkpoints.formats.torch_file import read_plain

_LEAST, _MOST, _DEEPEST = 4, 64, 10
_CONTAINERS = 20_000


def vocabularies_in(value: Any, where: str = "") -> Iterator[tuple[str, list[str]]]:
    """The lists of tokens in a value: the path of each, and its tokens in the order of their ids."""
    waiting, seen, n_found, n_seen = [(where, value, 0)], set(), 0, 0
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
        return _ordered((index, token) for token, index in held.items())
    if all(type(index) is int and isinstance(token, str) for index, token in held.items()):
        return _ordered(held.items())
    return None


def _ordered(pairs: Any) -> list[str] | None:
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
