"""Opens a checkpoint: recognises the family by its content, then calls that family's module."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model.bundle import Bundle
from model.checkpoints import mapping, own
from model.checkpoints.assembly import assemble, fingerprint_of
from model.checkpoints.conversion import Conversion, Family, Tokenizers
from model.checkpoints.errors import FamilyError, HintError, UnrecognisedError
from model.checkpoints.evidence import settle_heads, settle_norms
from model.checkpoints.families import FAMILIES, huggingface
from model.checkpoints.hints import Hints, parse_hints
from model.checkpoints.naming import name_of
from model.checkpoints.own import is_own, load_own
from model.checkpoints.report import Question, Report
from model.checkpoints.sidecars import fitting, read_sidecars, uses, uses_by_name
from model.checkpoints.source import Source, list_files, opened_folder, read_source
from model.checkpoints.target_language import speaking
from model.checkpoints.vocabularies import check_fit, find_tokenizers
from model.checkpoints.wrapping import within_one
from model.device import device_named
from model.nn.transformer import Transformer

PRETRAINED = Path(__file__).resolve().parents[2] / "pretrained"
DEFAULT = "en-fr"


def load(path: Path | str | None = None, *, device: torch.device | str = "cpu", **hints: Any) -> Bundle:
    """Open a checkpoint; without a path, the one that is shipped. A bare name is looked up in ``pretrained/``.

    Args:
        path: a folder, file or .zip of any known family; the family is recognised by the content.
        device: where the model runs, such as "cuda" or "cuda:1"; "auto" is the GPU where there is one.
        hints: answers to what the file lacks, such as ``n_heads=8``; see ``Hints``.

    Raises:
        CheckpointError: when it cannot be opened; the message says why and what to do. A configuration that
            contradicts itself raises ConfigError, an unusable vocabulary TokenizerError, and a device that this
            machine does not have DeviceError.
    """
    parsed, place = parse_hints(hints), device_named(device)
    given = locate(path)
    with opened_folder(given) as opened:
        return _open(opened, parsed.name or name_of(given, opened), parsed).to(place)


def locate(path: Path | str | None) -> Path:
    """The file or folder that a path or a shipped checkpoint's name stands for.

    Raises:
        UnrecognisedError: when there is none.
    """
    given = Path(DEFAULT if path is None else path)
    if path is not None and given.exists():
        return given
    shipped = {place.parent.name: place.parent for place in PRETRAINED.glob("*/config.json")}
    if str(given) in shipped:
        return shipped[str(given)]
    names = ", ".join(sorted(shipped)) or "none"
    raise UnrecognisedError(f"there is no checkpoint {given}: give a file or folder, or a shipped name ({names})")


def _open(path: Path, name: str, hints: Hints) -> Bundle:
    folder = path.parent if path.is_file() and path.name in huggingface.WEIGHTS else path
    if hints.mapping is None and folder.is_dir() and is_own(folder):
        opened = speaking(load_own(folder), hints.target_language)
        return _with_files(opened, path, folder, own.roles(folder))
    if hints.mapping is None and folder.is_dir() and huggingface.is_huggingface(folder):
        opened = huggingface.load_huggingface(folder, name, hints)
        return _with_files(opened, path, folder, huggingface.roles(folder, opened))
    source = read_source(path, hints.weights)
    if hints.weights is not None and hints.weights not in source.sets:
        known = f"try {', '.join(source.sets)}" if source.sets else "leave the hint out"
        raise HintError(f"weights ({hints.weights[:80]!r}) is not one of the copies in {source.where}: {known}")
    family, marks, source = (*_mapped(Path(hints.mapping)), source) if hints.mapping else _recognise(source)
    tokenizers = Tokenizers(*find_tokenizers(source.files, hints))
    conversion = family.convert(source, hints, tokenizers)
    sidecars = read_sidecars(source)
    better = fitting(conversion, sidecars, hints)
    if better is not None:
        conversion = family.convert(source, hints, better)
    config = conversion.config
    check_fit(conversion.source_tokenizer, config.source_vocab_size, "source")
    check_fit(conversion.target_tokenizer, config.target_vocab_size, "target")
    model = assemble(config, conversion.tensors, where=source.where, tables=conversion.tables)
    model, questions = _settle(model, conversion)
    config = model.config
    report = Report(
        family.name, marks, conversion.ignored, conversion.filled, (*_which_copy(source, hints), *questions),
        conversion.limitations, uses(source, family.name, conversion, sidecars), source.outside,
        conversion.assumed,
    )  # fmt: skip
    return Bundle(
        name=name or family.name,
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


def _with_files(bundle: Bundle, given: Path, folder: Path, roles: Mapping[str, str]) -> Bundle:
    """A bundle whose report says how each given file was used."""
    assert bundle.report is not None
    names = list_files(folder) if given.is_dir() else set(roles) & set(list_files(folder))
    return dataclasses.replace(bundle, report=dataclasses.replace(bundle.report, files=uses_by_name(names, roles)))


def _settle(model: Transformer, conversion: Conversion) -> tuple[Transformer, tuple[Question, ...]]:
    """If the norms' place or the number of heads is still open, find out with which answer the model works better."""
    settled = {question.hint: question for question in conversion.questions}
    norms, heads = settled.get("norm_first"), settled.get("n_heads")
    if norms is not None and not norms.is_answered:
        model, settled["norm_first"] = settle_norms(model, norms)
    if heads is not None and not heads.is_answered:
        model, settled["n_heads"] = settle_heads(model, heads, conversion.source_tokenizer)
    return model, tuple(settled.values())


def _mapped(path: Path) -> tuple[Family, tuple[str, ...]]:
    """A family for one checkpoint, defined by the user's mapping."""
    found = mapping.read_mapping(path)
    return Family(mapping.NAME, lambda _: (), partial(mapping.convert, found)), (path.name,)


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
    inner: dict[str, Tensor] | None = source.tensors
    while inner is not None:
        for family in FAMILIES:
            marks = family.recognise(inner)
            if marks:
                return family, marks, dataclasses.replace(source, tensors=inner)
        inner = within_one(inner)
    some = ", ".join(list(source.tensors)[:4])
    raise FamilyError(
        f"{source.where} belongs to no known family (its tensors begin {some[:200]}): "
        f"known are {', '.join(family.name for family in FAMILIES)}, Hugging Face folders and this project's own. "
        "For any other, give mapping=, a table of its names (docs/checkpoints.md)"
    )
