"""Reads settings that a file stores as plain values beside its weights, under their usual names.

A training script saves its settings with the model (``config``, ``args``, ``hparams``, Lightning's
``hyper_parameters``) or beside it as JSON or YAML. Every value is checked; values that do not fit are skipped, because
a setting of the optimizer may have the same name as one of the model.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from model.checkpoints.basis.errors import CheckpointError
from model.checkpoints.basis.hints import Hints
from model.checkpoints.basis.report import Question
from model.checkpoints.formats.settings import plain_value
from model.checkpoints.formats.source import Source, read_json
from model.config import SINUSOIDAL, TransformerConfig

_HEADS = (
    "num_?heads?|n_?heads?|heads|head_?num|nb_?heads|num_attention_heads|n_attention_heads|attention_heads|attn_heads|h"
)
_ID = "_?(?:id|idx|index|token_?id|token_?idx|token)?"
_SOURCE, _TARGET = "(?:src|source|enc|encoder|input)_?", "(?:tgt|trg|target|dec|decoder|output)_?"
_MUST = "_?(?:id|idx|index|token|token_?id|token_?idx|symbol)"
_PAD, _BOS = "pad(?:ding)?", f"(?:(?:bos|sos){_ID}|(?:start|begin|go){_MUST})"
_EOS = f"(?:eos{_ID}|(?:end|stop){_MUST})"
_USUAL_NAMES: tuple[tuple[str, str], ...] = (
    ("n_heads", _HEADS),
    ("n_encoder_heads", f"{_SOURCE}(?:{_HEADS})|(?:n|num)_?enc(?:oder)?_?heads"),
    ("n_decoder_heads", f"{_TARGET}(?:{_HEADS})|(?:n|num)_?dec(?:oder)?_?heads"),
    ("source_pad_id", f"(?:{_SOURCE})?{_PAD}{_ID}"), ("target_pad_id", f"(?:{_TARGET})?{_PAD}{_ID}"),
    ("bos_id", f"(?:{_TARGET})?{_BOS}"), ("eos_id", f"(?:{_TARGET})?{_EOS}"),
    ("norm_first", "norm_?first|pre_?(?:layer_?)?norm|pre_?ln|normalize_before|norm_?(?:position|order|place|type)"),
    ("activation", "activation(?:_function|_fn)?|act(?:_fn)?|hidden_act|ff_?activation"),
    ("dropout", "dropout(?:_?(?:rate|p|prob))?|p_?drop(?:out)?|drop_?(?:rate|prob)"),
    ("max_positions", "max_?(?:seq(?:uence)?_?)?len(?:gth)?|max_?positions?|max_position_embeddings|seq_?len(?:gth)?"
                      "|block_size|context_length"),
)  # fmt: skip
_PATTERNS = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _USUAL_NAMES}
_OTHER = re.compile(r"optim|sched|state|scaler|rng|metric|loss|history|tokenizer|vocab|stoi|itos", re.IGNORECASE)
"""Keys of dictionaries without settings of the model."""
_FILES = re.compile(
    r"(config|hparams|args|params|settings|hyper\w*|model|opt(ions)?)[\w.-]*\.(json|ya?ml)", re.IGNORECASE
)
_DEEPEST, _MOST_FILES, _LEAST_POSITIONS, _MOST_HEADS = 4, 8, 64, 64
HINTS = frozenset(item.name for item in dataclasses.fields(Hints))
IDS = frozenset({"source_pad_id", "target_pad_id", "bos_id", "eos_id"})
COUNTS = frozenset({"n_heads", "n_encoder_heads", "n_decoder_heads"})


@dataclass(frozen=True, slots=True)
class Words:
    """Answers found in the file or beside it."""

    answers: dict[str, Any] = field(default_factory=dict)
    """By hint name; also ``dropout`` and ``max_positions``."""
    found_in: dict[str, str] = field(default_factory=dict)
    """The place of each answer, such as ``config.num_heads``."""

    def hints(self, hints: Hints) -> Hints:
        """The user's hints, completed by the file's answers."""
        fresh = {name: value for name, value in self.answers.items()
                 if name in HINTS and getattr(hints, name) is None}  # fmt: skip
        return dataclasses.replace(hints, **fresh)

    def without(self, names: frozenset[str]) -> Words:
        """A copy without the answers ``names``, which do not fit the tensors."""
        return Words({name: value for name, value in self.answers.items() if name not in names},
                     {name: where for name, where in self.found_in.items() if name not in names})  # fmt: skip

    def config(self, config: TransformerConfig, *, has_table: bool) -> TransformerConfig:
        """The configuration with dropout and the number of positions, which only training and long texts need."""
        fields = {name: self.answers[name] for name in ("dropout", "max_positions") if name in self.answers}
        if has_table or config.positions not in SINUSOIDAL or fields.get("max_positions", 0) < _LEAST_POSITIONS:
            fields.pop("max_positions", None)
        return dataclasses.replace(config, **fields)

    def used(self, hints: Hints, questions: Iterable[Question]) -> tuple[str, ...]:
        """The answers in use, each with its place."""
        hint_names = {question.hint for question in questions} | {"n_encoder_heads", "n_decoder_heads", "dropout"}
        return tuple(f"{name}={self.answers[name]} ({where})" for name, where in self.found_in.items()
                     if name in hint_names and getattr(hints, name, None) is None)  # fmt: skip


def read_words(source: Source) -> Words:
    """Read the answers in a source's plain values and in settings files beside it; the first of each name counts."""
    words = Words()
    for where, name, value in _values(source):
        for answer, pattern in _PATTERNS.items():
            if answer not in words.answers and pattern.fullmatch(name.strip("<>[]")):
                read = _convert_value(answer, value)
                if read is not None:
                    words.answers[answer], words.found_in[answer] = read, where
    return words


def _values(source: Source) -> Iterator[tuple[str, str, Any]]:
    """(place, name, value) of every plain value."""
    for key, value in source.beside.items():
        if isinstance(key, str) and not _OTHER.search(key):
            try:
                yield from _flat(plain_value(value), key, key, 0)
            except CheckpointError:  # more values than the limit for settings
                continue
    for name in sorted(name for name in source.files if _FILES.fullmatch(name))[:_MOST_FILES]:
        yield from _flat(_settings(source.files[name]), name, "", 0)


def _settings(path: Path) -> Any:
    try:
        from model.checkpoints.formats.plain_yaml import read_yaml  # PyYAML is optional for the library

        return read_json(path) if path.suffix == ".json" else read_yaml(path)
    except (CheckpointError, ImportError):
        return None


def _flat(value: Any, where: str, name: str, depth: int) -> Iterator[tuple[str, str, Any]]:
    if isinstance(value, Mapping):
        inner = value.items() if depth < _DEEPEST and len(value) <= 1000 else ()
        for key, inside in inner:
            if isinstance(key, str) and not _OTHER.search(key):
                yield from _flat(inside, f"{where}.{key}", key, depth + 1)
    elif isinstance(value, bool | int | float | str):
        yield where, name, value


def _convert_value(answer: str, value: Any) -> Any:
    """A value converted to the answer of a question; None if it is of the wrong kind."""
    is_count = type(value) is int
    if answer in COUNTS:
        return value if is_count and 1 <= value <= _MOST_HEADS else None
    if answer in IDS:
        return value if is_count and 0 <= value < 1 << 24 else None
    if answer == "max_positions":
        return value if is_count and 1 < value <= 1 << 20 else None
    if answer == "dropout":
        return float(value) if isinstance(value, float | int) and type(value) is not bool and 0 <= value < 1 else None
    word = value.lower() if isinstance(value, str) else ""
    if answer == "norm_first":
        return (
            value
            if isinstance(value, bool)
            else {"pre": True, "post": False}.get(re.sub(r"[-_]?(layer)?_?(norm|ln)", "", word))
        )
    return next((kind for kind in ("gelu", "silu", "relu") if kind == word), "silu" if word == "swish" else None)
