"""Shared by the readers of single stacks: configuration, special tokens, and the questions that are left."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from torch import Tensor

from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers, special_id
from model.checkpoints.basis.errors import HintError
from model.checkpoints.basis.report import WITHOUT_TOKENS, Evidence, Question
from model.checkpoints.families.renaming import Table
from model.checkpoints.families.tables import from_table
from model.checkpoints.formats.settings import plain_value
from model.checkpoints.formats.source import Source, read_json
from model.config import TransformerConfig
from model.text.tokenizer import Tokenizer

_USUAL_WIDTH = 64
"""Numbers of a head, in most models that are wide enough for several."""
_CAUSAL = re.compile(r"gpt|dec(oder)?(?![a-z])|causal|autoregress|(^|[^a-z])lm([^a-z]|$)|next", re.IGNORECASE)
_BOTH_WAYS = re.compile(r"enc(oder)?(?![a-z])|bert|mlm|mask|classif|sentiment", re.IGNORECASE)
_SURELY_BOTH_WAYS = re.compile(r"bert|mlm|mask|sentiment", re.IGNORECASE)
"""A decoder too may be written around ``nn.TransformerEncoder``, and its output be called a classifier."""
_HEAD = re.compile(
    r"out|proj|fc|head|linear|lin|logit|vocab|pred|cls|class|generator|mlm|nsp|pool|dense|score|(^|\.)decoder(\.\d+)?\Z",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"emb|(^|[._])(in|input|prefix|prompt|adapter)([._]|$)|cl(s|ass)_tok", re.IGNORECASE)


def is_head(name: str) -> bool:
    """Whether a tensor belongs to a module after the layers, by the module's name. A parameter without a module, such
    as a token in front of the text, does not, nor what its name places before the layers."""
    module, _, kind = name.replace("/", ".").rpartition(".")
    return (
        kind in ("weight", "bias", "kernel", "gamma", "beta")
        and bool(_HEAD.search(module))
        and not _BEFORE.search(module)
    )


def single_vocabulary(tokenizers: Tokenizers) -> Tokenizers:
    """The one vocabulary of a single stack, as both sides."""
    tokenizer = tokenizers.source or tokenizers.target
    return Tokenizers(tokenizer, tokenizer)


def ids_of(answers: Answers, tokenizer: Tokenizer | None, size: int, **usual: int) -> dict[str, Any]:
    """Padding, begin and end. A decoder-only model may have none of them: the id one past the vocabulary, which it
    never writes, stands for each that is missing.

    Args:
        usual: ``pad``, ``bos`` and ``eos`` where the form has usual ones, which become questions.
    """
    hints = answers.hints
    pad = hints.target_pad_id if hints.source_pad_id is None else hints.source_pad_id
    ids: dict[str, int] = {}
    for role, name, hint in (
        ("pad", "source_pad_id", pad), ("bos", "bos_id", hints.bos_id), ("eos", "eos_id", hints.eos_id)
    ):  # fmt: skip
        known = special_id(tokenizer, role, is_single_stack=True)
        if hint is not None:
            ids[role] = hint
        elif known is not None and known < size:
            ids[role] = known
        else:
            ids[role] = answers.ask(name, usual[role]) if usual.get(role, size) < size else size
    return {
        "source_pad_id": ids["pad"], "target_pad_id": ids["pad"], "bos_id": ids["bos"], "eos_id": ids["eos"],
        "starts_from_zero": size in ids.values(),
        "source_has_bos": bool(hints.source_has_bos), "source_has_eos": bool(hints.source_has_eos),
    }  # fmt: skip


def shared_heads(answers: Answers, queries: int, keys: int) -> int:
    """Heads of queries, such that keys, which may have fewer, have a whole number of them of the same width.

    Args:
        queries: numbers that all heads of queries have together.
        keys: likewise.

    Raises:
        HintError: when the number in a hint does not fit.
    """
    choices = tuple(n for n in range(1, 129) if queries % n == 0 and keys % (queries // n) == 0)
    n_heads = answers.hints.n_decoder_heads or answers.hints.n_encoder_heads or answers.hints.n_heads
    usual = queries // _USUAL_WIDTH
    likely = (
        usual
        if usual in choices
        else max((n for n in choices if n <= (8 if queries >= 128 else 4)), default=choices[0])
    )
    reason = Evidence("heads_divide", (("width", keys),))
    answers.questions.append(
        Question("n_heads", n_heads or likely, choices, (reason,), is_answered=n_heads is not None)
    )
    if n_heads is not None and n_heads not in choices:
        raise HintError(f"n_heads ({n_heads}) must divide queries and keys ({queries} and {keys} numbers) into heads "
                        f"of one width: try {', '.join(map(str, choices))}")  # fmt: skip
    return n_heads or likely


def is_causal(answers: Answers, source: Source, names: Iterable[str], *, predicts: bool) -> bool:
    """Whether a stack is a decoder, whose tokens see only those before them. Names and shapes are the same in both
    cases, so it is a question; what the file and its modules are called may answer it.

    Args:
        names: of modules around the layers that may tell.
        predicts: whether there is a projection to the vocabulary.
    """
    words = " ".join((source.where, source.around, *map(str, source.beside), *names))
    marks = tuple(bool(pattern.search(words)) for pattern in (_CAUSAL, _BOTH_WAYS))
    likely = marks[0] if marks[0] != marks[1] else predicts
    reason = Evidence("causal_names" if marks[0] != marks[1] else "causal_silent")
    is_open = predicts and (marks[0] == marks[1] or not (marks[0] or _SURELY_BOTH_WAYS.search(words)))
    return bool(answers.ask("causal", likely, choices=(False, True), evidence=(reason,), is_close=is_open))


def single_stack(
    source: Source,
    tensors: Mapping[str, Tensor],
    table: Table,
    config: TransformerConfig,
    answers: Answers,
    tokenizers: Tokenizers,
    *,
    table_of_positions: Tensor | None = None,
    **notes: Any,
) -> Conversion:
    """The conversion of a single stack, whose absent biases are zeros."""
    limitations = (WITHOUT_TOKENS,) if tokenizers.source is None else ()
    return from_table(tensors, table, config, answers, tokenizers, where=source.where, fill=True,
                     limitations=limitations, tables=(table_of_positions, table_of_positions), **notes)  # fmt: skip


def settings_of(source: Source, *names: str) -> dict[str, Any]:
    """The settings in the file under one of these keys, or in a JSON file of that name beside it."""
    for name in names:
        settings = plain_value(source.beside[name]) if name in source.beside else None
        if name in source.files:
            settings = read_json(source.files[name])
        if isinstance(settings, dict):
            return settings
    return {}
