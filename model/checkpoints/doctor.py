"""The checkpoint doctor opens a file and reports its family with the evidence, missing settings, and faults."""

import dataclasses
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from model.bundle import Bundle
from model.checkpoints.answers.evidence import OWN_LOSS, TEXT_LOSS, head_evidence, with_losses
from model.checkpoints.answers.trial import Trial, try_sentence
from model.checkpoints.basis.conversion import special_id
from model.checkpoints.basis.report import Question, Report
from model.checkpoints.loading import load
from model.inference.attending import attend
from model.inference.reading import kinds_of
from model.interventions import KINDS
from model.nn.transformer import Transformer
from model.text.tokenizer import Tokenizer
from model.text.tokens import TextError, source_tokens

_ENCODER_FIELDS = ("source_vocab_size", "n_encoder_layers", "n_encoder_heads", "source_pad_id")
_DECODER_FIELDS = ("target_vocab_size", "n_decoder_layers", "n_decoder_heads", "target_pad_id", "bos_id", "eos_id")
SAMPLE = "The cat sat on the mat."


@dataclass(frozen=True, slots=True)
class TokenizerFit:
    """Whether one side's tokenizer fits its embeddings."""

    side: str
    n_tokens: int | None
    """None without a tokenizer."""
    n_embeddings: int
    disagreements: tuple[str, ...] = ()
    """Special tokens whose ids differ from the configuration: "pad", "bos", "eos"."""

    @property
    def is_good(self) -> bool:
        """Whether there are as many tokens as embeddings, and the special tokens have the right ids."""
        return self.n_tokens == self.n_embeddings and not self.disagreements


@dataclass(frozen=True, slots=True)
class FirstPass:
    """Results of a first forward pass."""

    n_rows: int
    """Number of attention rows whose sums were checked."""
    largest_error: float
    """The largest deviation of a row's sum from 1."""
    is_finite: bool
    """Whether all logits and weights are finite."""
    seconds: float

    @property
    def is_good(self) -> bool:
        """Whether all rows sum to 1 within 1e-4 and everything is finite."""
        return self.is_finite and self.largest_error < 1e-4


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The doctor's findings on a checkpoint that opens."""

    bundle: Bundle
    report: Report
    configuration: tuple[tuple[str, Any], ...]
    n_parameters: int
    n_bytes: int
    """Memory of the weights."""
    not_finite: tuple[str, ...]
    """Tensors with NaN or infinity."""
    tokenizers: tuple[TokenizerFit, ...]
    first_pass: FirstPass
    questions: tuple[Question, ...]
    """Settings that the file lacks, with the values in use and the evidence for them."""
    trial: Trial | None = None
    """A test sentence and its translation; None if the model does not translate."""

    @property
    def guesses(self) -> tuple[str, ...]:
        """The hints of unanswered questions."""
        return self.report.guesses


def examine(path: Path | str, **hints: Any) -> Diagnosis:
    """Open a checkpoint and examine it. Raises as ``load`` does."""
    return diagnose(load(path, **hints))


def diagnose(bundle: Bundle) -> Diagnosis:
    """Examine an open checkpoint."""
    report = bundle.report or Report(bundle.family)
    tensors = bundle.model.state_dict()
    not_finite = tuple(name for name, tensor in tensors.items() if not bool(torch.isfinite(tensor).all()))
    first = first_pass(bundle)
    return Diagnosis(
        bundle=bundle,
        report=report,
        configuration=configuration_of(bundle),
        n_parameters=sum(parameter.numel() for parameter in bundle.model.parameters()),
        n_bytes=weight_bytes(bundle),
        not_finite=not_finite,
        tokenizers=_fits(bundle),
        first_pass=first,
        questions=tuple(_with_evidence(bundle, report.questions)) if not not_finite else report.questions,
        trial=try_sentence(bundle, first.seconds) if first.is_finite else None,
    )


def configuration_of(bundle: Bundle) -> tuple[tuple[str, Any], ...]:
    """The fields of a configuration with their values, without those of a missing stack.

    For a model that the library runs, only the fields that the library provides.
    """
    config = dataclasses.asdict(bundle.config) | {"positions": positions_of(bundle)}
    if isinstance(bundle.model, Transformer):
        is_single = bundle.config.is_single_stack
        absent = ("decoder" if bundle.config.n_encoder_layers else "encoder") if is_single else None
        return tuple((name, value) for name, value in config.items() if absent is None or absent not in name)
    kinds = kinds_of(bundle)
    relevant = ("d_model", "d_feed_forward", "positions", "max_positions",
                *(_ENCODER_FIELDS if "encoder_self" in kinds else ()),
                *(_DECODER_FIELDS if "decoder_self" in kinds else ()))  # fmt: skip
    return tuple((name, value) for name, value in config.items() if name in relevant)


def positions_of(bundle: Bundle) -> str:
    """The kind of positions; a model of the library with a position table has learned positions."""
    n_positions = getattr(bundle.model, "n_positions", None)
    return bundle.config.positions if n_positions is None or bundle.config.positions != "none" else "learned"


def weight_bytes(bundle: Bundle) -> int:
    """Memory of a model's parameters and tables; shared tensors count once."""
    storages = {}
    for tensor in (*bundle.model.parameters(), *bundle.model.buffers()):
        storages[tensor.untyped_storage().data_ptr()] = tensor.untyped_storage().nbytes()
    return sum(storages.values())


def first_pass(bundle: Bundle) -> FirstPass:
    """Run one short sentence, or the first ids if there is no tokenizer, and sum every attention row."""
    config = bundle.config
    try:
        source = source_tokens(bundle, SAMPLE).ids if bundle.source_tokenizer is not None else ()
    except (TextError, ValueError):  # the vocabulary may lack every word of the sample
        source = ()
    real: list[Any] = [index for index in range(config.source_vocab_size) if index != config.source_pad_id]
    if bundle.picture is not None:
        real = [(level,) * bundle.picture.n_pixels for level in range(5)]
    if bundle.grid is not None:
        source = tuple(map(tuple, bundle.grid.probe("cpu")[0].tolist()))
    else:
        source = (tuple(source) or tuple(real[:5]))[: config.max_positions]
    target = [config.bos_id, *(index for index in range(config.target_vocab_size) if index != config.target_pad_id)]
    target = target[: min(5, config.max_positions)]
    began = time.perf_counter()
    maps = attend(bundle, np.array([source]), np.array([target]))
    seconds = time.perf_counter() - began
    weights = [getattr(maps, kind) for kind in KINDS if getattr(maps, kind) is not None]
    sums = [layer.sum(-1) for layer in weights]
    arrays = [*weights, *([] if maps.logits is None else [maps.logits])]
    is_finite = all(bool(np.isfinite(array).all()) for array in arrays)
    largest = max((float(np.abs(rows - 1).max()) for rows in sums if rows.size), default=0.0) if is_finite else np.inf
    return FirstPass(sum(rows.size for rows in sums), float(largest), is_finite, seconds)


def _fits(bundle: Bundle) -> tuple[TokenizerFit, ...]:
    config = bundle.config
    return (
        _fit("source", bundle.source_tokenizer, config.source_vocab_size, (("pad", config.source_pad_id),)),
        _fit("target", bundle.target_tokenizer, config.target_vocab_size,
             (("pad", config.target_pad_id), ("bos", config.bos_id), ("eos", config.eos_id))),
    )  # fmt: skip


def _fit(side: str, tokenizer: Tokenizer | None, size: int, roles: Iterable[tuple[str, int]]) -> TokenizerFit:
    if tokenizer is None:
        return TokenizerFit(side, None, size)
    special_ids = {role: special_id(tokenizer, role) for role, _ in roles}
    # An id one past the vocabulary means that the family has no token in this role.
    wrong = tuple(role for role, index in roles if index < size and special_ids[role] not in (None, index))
    return TokenizerFit(side, tokenizer.size, size, wrong)


def _with_evidence(bundle: Bundle, questions: Iterable[Question]) -> Iterable[Question]:
    """The questions with the evidence for each answer; answered questions need none."""
    for question in questions:
        if question.is_answered or not isinstance(bundle.model, Transformer):
            yield question
        elif question.hint == "n_heads" and not any(
            reason.key in (OWN_LOSS, TEXT_LOSS) for reason in question.evidence
        ):
            yield head_evidence(bundle.model, question)
        else:
            yield with_losses(bundle.model, question, bundle.source_tokenizer)
