"""Opens a checkpoint: recognises the family by its content, then calls that family's module."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from model.bundle import Bundle
from model.checkpoints import hub, native_format
from model.checkpoints.answers import mapped, mapping
from model.checkpoints.answers.by_names import NAME as NAMED
from model.checkpoints.answers.by_names import family_of
from model.checkpoints.answers.evidence import settle
from model.checkpoints.answers.words import COUNTS, HINTS, IDS, Words, read_words
from model.checkpoints.basis.assembly import assemble, fingerprint_of
from model.checkpoints.basis.conversion import Answers, Conversion, Tokenizers
from model.checkpoints.basis.errors import (
    AnswerWarning,
    ChangedCodeError,
    FamilyError,
    HintError,
    TensorsError,
    UnrecognisedError,
    UnshownError,
)
from model.checkpoints.basis.hints import Hints, parse_hints
from model.checkpoints.basis.identity import name_of
from model.checkpoints.basis.precision import WeightDtypePolicy
from model.checkpoints.basis.report import Question, Report
from model.checkpoints.families import FAMILIES, Family, huggingface
from model.checkpoints.formats.refusals import refuse_packed
from model.checkpoints.formats.source import Source, is_part, list_files, opened_folder, read_source
from model.checkpoints.formats.wrapping import unwrappings
from model.checkpoints.native_format import is_native, load_native
from model.checkpoints.room import check_memory
from model.checkpoints.vocabularies.reading import check_fit, find_tokenizers
from model.checkpoints.vocabularies.sidecars import Sidecar, better_tokens, file_uses, read_sidecars, uses_by_name
from model.checkpoints.vocabularies.target_language import with_target_language
from model.config import ConfigError
from model.device import device_named, type_named

if TYPE_CHECKING:
    from transformers import PreTrainedModel

_KNOWN_BY_SETTINGS = frozenset({"jadore", "fairseq", "opennmt", "joeynmt", "ctranslate2", "marian", mapping.NAME})
"""Families that read their own settings files, or whose mapping contains all settings."""
PRETRAINED = Path(__file__).resolve().parents[2] / "pretrained"
DEFAULT = "en-fr"


def load(
    path: Path | str | PreTrainedModel | None = None,
    *,
    device: torch.device | str = "cpu",
    dtype: torch.dtype | str | None = None,
    **hints: Any,
) -> Bundle:
    """Open a checkpoint; without a path, the shipped one. A bare name is looked up in ``pretrained/``.

    Args:
        path: a folder, file or .zip of any known family, which is recognised by the content. With REGARD_ALLOW_HUB=1
            also a name on the Hugging Face hub, such as "Helsinki-NLP/opus-mt-en-fr". Or a model of the transformers
            library in memory, of which a copy is opened; pass ``tokenizer=`` with it.
        device: the model's device, such as "cuda" or "cuda:1"; "auto" means the GPU if there is one.
        dtype: the dtype of weights and computation: "float32", "float64", "bfloat16" or "float16"; "auto" means the
            file's. None means float32, or the file's dtype for more than 500 million parameters.
        hints: settings that the file lacks, such as ``n_heads=8``; see ``Hints``.

    Raises:
        CheckpointError: when it cannot be opened; the message says why and what to do. An inconsistent configuration
            raises ConfigError, an unusable vocabulary TokenizerError, and an unavailable device DeviceError.

    Warns:
        AnswerWarning: when the file lacks a setting and several answers fit nearly equally.
    """
    place, policy = device_named(device), _policy_of(dtype)
    parsed = dataclasses.replace(parse_hints(hints), dtype_policy=policy)
    if path is not None and not isinstance(path, str | Path):
        return _with_tables_in(policy, huggingface.load_network(path, parsed)).to(place)
    if parsed.tokenizer is not None:
        raise HintError("tokenizer is for a model in memory; for files give source_tokens and target_tokens")
    located = locate(path)
    with opened_folder(located) as opened:
        check_memory(opened, policy)
        bundle = _with_tables_in(policy, _open(opened, parsed.name or name_of(located, opened), parsed)).to(place)
    if bundle.report is not None and bundle.report.close:
        proposed = bundle.report.proposed()
        warnings.warn(
            f"{located.name}: {bundle.report.asking()}. {proposed} is used until you answer, and the attention may be "
            f"wrong: model.load(…, {proposed})", AnswerWarning, stacklevel=2,
        )  # fmt: skip
    return bundle


def _policy_of(dtype: torch.dtype | str | None) -> WeightDtypePolicy:
    if dtype is None or dtype == "auto":
        return WeightDtypePolicy(as_stored=dtype == "auto", is_mapped=True)
    return WeightDtypePolicy(type_named(dtype), is_mapped=True)


def _with_tables_in(policy: WeightDtypePolicy, bundle: Bundle) -> Bundle:
    """The bundle with position tables in the requested dtype, like its weights."""
    if policy.dtype is not None:
        bundle.model.to(policy.dtype)
    return bundle


def locate(path: Path | str | None) -> Path:
    """The file or folder of a path, of a shipped checkpoint's name, or of a name on the hub.

    Raises:
        UnrecognisedError: when there is none.
        CheckpointError: when a name on the hub cannot be fetched.
    """
    named_path = Path(DEFAULT if path is None else path)
    if path is not None and named_path.exists():
        return named_path
    shipped = {place.parent.name: place.parent for place in PRETRAINED.glob("*/config.json")}
    if str(named_path) in shipped:
        return shipped[str(named_path)]
    is_name = hub.is_name(str(path))
    if is_name and hub.is_allowed():
        return hub.folder_of(str(path))
    names = ", ".join(sorted(shipped)) or "none"
    message = f"there is no checkpoint {named_path}: give a file or folder, or a shipped name ({names})"
    if is_name and not hub.is_allowed():
        message += (
            f". A model of the Hugging Face hub opens by its name where {hub.VARIABLE}=1 is set, "
            "or from the folder in which it was saved"
        )
    raise UnrecognisedError(message)


def _open(path: Path, name: str, hints: Hints) -> Bundle:
    is_its_folder = path.is_file() and (
        path.name in huggingface.WEIGHTS or is_part(path.name) or huggingface.is_only_weights(path)
    )
    folder = path.parent if is_its_folder and (path.parent / "config.json").is_file() else path
    if hints.mapping is None and folder.is_dir() and is_native(folder):
        opened = with_target_language(load_native(folder, dtype_policy=hints.dtype_policy), hints.target_language)
        return _with_files(opened, path, folder, native_format.roles(folder))
    if hints.mapping is None and folder.is_dir() and huggingface.is_huggingface(folder):
        opened = huggingface.load_huggingface(folder, name, hints)
        return _with_files(opened, path, folder, huggingface.roles(folder, opened))
    huggingface.refuse_adapter(folder)
    source = read_source(path, hints.weights, hints.dtype_policy)
    refuse_packed(source.tensors, source.where)
    if hints.weights is not None and hints.weights not in source.sets:
        known = f"try {', '.join(source.sets)}" if source.sets else "leave the hint out"
        raise HintError(f"weights ({hints.weights[:80]!r}) is not one of the copies in {source.where}: {known}")
    family, marks, source = (*_mapped_family(Path(hints.mapping)), source) if hints.mapping else _recognise(source)
    sidecars = read_sidecars(source)
    words = Words() if family.name in _KNOWN_BY_SETTINGS else read_words(source)
    try:
        conversion, words = _convert(family, source, hints, words, sidecars)
    except TensorsError as error:
        if hints.mapping is not None or family.name.startswith(NAMED):
            raise
        family, marks, conversion, words = _by_its_names(source, hints, sidecars, error)
    config = conversion.config
    check_fit(conversion.source_tokenizer, config.source_vocab_size, "source")
    check_fit(conversion.target_tokenizer, config.target_vocab_size, "target")
    model = assemble(
        config, conversion.tensors, where=source.where, tables=conversion.tables, dtype_policy=hints.dtype_policy
    )
    model, questions = settle(model, conversion.questions, conversion.source_tokenizer)
    config = model.config
    report = Report(
        family.name, marks, conversion.ignored, conversion.filled, (*_which_copy(source, hints), *questions),
        conversion.limitations, file_uses(source, family.name, conversion, sidecars), source.outside,
        conversion.assumed, words.used(hints, questions), lines=conversion.lines,
    )  # fmt: skip
    return Bundle(
        name=name or family.name.removesuffix("_alone"),
        model=model,
        config=config,
        source_tokenizer=conversion.source_tokenizer,
        target_tokenizer=conversion.target_tokenizer,
        family=family.name,
        fingerprint=fingerprint_of(model, conversion.source_tokenizer, conversion.target_tokenizer),
        source_language=hints.source_language or conversion.source_language,
        target_language=hints.target_language or conversion.target_language,
        report=report,
    )


def _convert(
    family: Family, source: Source, hints: Hints, words: Words, sidecars: Sequence[Sidecar]
) -> tuple[Conversion, Words]:
    """The conversion with the settings in the file that fit the tensors, and those settings."""
    tokenizers = Tokenizers(*find_tokenizers(source.files, hints))
    for dropped in (frozenset[str](), COUNTS, IDS, HINTS):
        matching = words.without(dropped)
        try:
            conversion = family.convert(source, Answers(matching.hints(hints)), tokenizers)
            better = better_tokens(conversion, sidecars, hints)
            if better is not None:
                conversion = family.convert(source, Answers(matching.hints(hints)), better)
            has_table = conversion.tables != (None, None)
            config = matching.config(conversion.config, has_table=has_table)
            return dataclasses.replace(conversion, config=config), matching
        except (HintError, ConfigError):
            if dropped == HINTS or not words.answers:
                raise
    raise AssertionError("the last round returns or raises")


def _by_its_names(
    source: Source, hints: Hints, sidecars: Sequence[Sidecar], error: TensorsError
) -> tuple[Family, tuple[str, ...], Conversion, Words]:
    """Open a file by names that is recognised as a family but has other tensors, as after changes to its code."""
    try:
        family, marks = family_of(source)
        return family, marks, *_convert(family, source, hints, read_words(source), sidecars)
    except (FamilyError, TensorsError, UnshownError) as refusal:
        if isinstance(refusal, UnshownError) and any(name in str(refusal) for name in error.unexpected):
            raise
        rows = () if isinstance(refusal, UnshownError) else refusal.rows
        unexpected = error.unexpected or tuple(name for name in rows if name in source.tensors)
        raise ChangedCodeError(
            source.where, missing=error.missing, unexpected=unexpected, misshapen=error.misshapen
        ) from None


def _with_files(bundle: Bundle, path: Path, folder: Path, roles: Mapping[str, str]) -> Bundle:
    """The bundle, with a report of how each file was used."""
    assert bundle.report is not None
    names = list_files(folder) if path.is_dir() else set(roles) & set(list_files(folder))
    return bundle.but(report=dataclasses.replace(bundle.report, files=uses_by_name(names, roles)))


def _mapped_family(path: Path) -> tuple[Family, tuple[str, ...]]:
    """A family for one checkpoint, defined by the user's mapping."""
    user_mapping = mapping.read_mapping(path)
    return Family(mapping.NAME, lambda _: (), partial(mapped.convert, user_mapping)), (path.name,)


def _which_copy(source: Source, hints: Hints) -> tuple[Question, ...]:
    """The question which of several copies of the weights to use, such as an average of them."""
    if not source.sets:
        return ()
    return (Question("weights", source.sets[0], source.sets, is_answered=hints.weights is not None),)


def _recognise(source: Source) -> tuple[Family, tuple[str, ...], Source]:
    """The family, the tensors by which it was recognised, and the source with the names that the family uses.

    Raises:
        FamilyError: when no family knows the names.
    """
    for inner in unwrappings(source.tensors):
        for family in FAMILIES:
            marks = family.recognise(inner)
            if marks:
                return family, marks, dataclasses.replace(source, tensors=inner)
    family, marks = family_of(source)
    return family, marks, source
