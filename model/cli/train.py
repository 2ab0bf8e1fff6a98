"""``train``: a new Transformer from sentence pairs, or a checkpoint trained further."""

from __future__ import annotations

import argparse
import dataclasses
import json
import logging
import math
import re
import signal
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, get_args

import torch
from accelerate import Accelerator
from rich.logging import RichHandler

from model.checkpoints import Bundle, load
from model.cli.output import errors, say
from model.cli.training_display import TrainingDisplay
from model.runs.folder import JobFolder, RunFolder
from model.text.pairs import Pair
from model.text.tokenizer import SentencePieceTokenizer
from model.training.data import Split, read_pairs, read_texts
from model.training.jobs.probe import MAX_FRAMES, PROBE_SHARE, ProbeRecorder, forget_after
from model.training.mixing import read_mixture
from model.training.preparation import Kind, NewModel, prepare
from model.training.settings import Precision, Schedule, Trainable, TrainingConfig, TrainingError
from model.training.trainer import Trainer, average

SUMMARY = "train a Transformer on sentence pairs"
EPILOGUE = """\
examples:
  python -m model train pairs.tsv --run runs/mine                          a new model
  python -m model train pairs.tsv --run runs/mine --resume                 continue after Ctrl-C or a crash
  python -m model train pairs.tsv --run runs/more --from runs/mine/result --learning-rate 1e-4
  python -m model train mixed/ --run runs/more --from en-fr --tokenizer mixed/tokenizer.model   another vocabulary
  python -m model train en-de/ --run runs/en-de --from en-fr --tokenizer en-de/tokenizer.model --target-language de
  python -m model train texts.txt --run runs/decoder --kind decoder --source-language en    a decoder-only model
  python -m model train drawn.tsv --run runs/hand --from reader --learning-rate 3e-4        a model of pictures
  accelerate launch --num_processes 2 -m model train pairs.tsv --run runs/mine   several GPUs or machines

A decoder reads texts, one a line, or the first column of a TSV, and holds some out in the same way.
pairs.tsv has one source<TAB>target a line, UTF-8. 2,000 sentences are kept for testing and 1,000 for validation
(a tenth each where there are few), chosen by a hash, the same for everyone; they are never trained on.
Ctrl-C finishes the step, saves, and ends. The run's folder holds settings.json, metrics.jsonl, the newest
snapshots, and at the end result/, which every other command opens with --checkpoint.
With --probe, and the folder inside runs/, the Fine-tune page shows the heads changing: open the run there by name.
"""

SETTINGS_HELP = {
    "steps": "optimiser steps",
    "batch_tokens": "tokens of one micro-batch, padding included",
    "accumulation": "micro-batches per step, divided among the processes",
    "learning_rate": "the peak; 1e-3 to train, 1e-4 to train further",
    "schedule": "noam is the paper's equation 3; the others end at zero, except constant",
    "warmup_steps": "steps over which the rate climbs; with cosine at most half of all steps",
    "decay_share": "share of the steps over which trapezoid falls to zero",
    "label_smoothing": "share of the target spread over the vocabulary",
    "dropout": "replaces the model's own",
    "weight_decay": "AdamW's",
    "max_gradient_norm": "longer gradients are scaled down",
    "bare_share": "share of sources lower-cased and without final punctuation",
    "resplit_share": "share of the words of sources cut into other pieces than usual (Kudo 2018)",
    "max_length": "pairs with more pieces on either side are left out",
    "trains": "the part of the model that is trained",
    "seed": "the same seed, the same run",
    "device": "auto, cpu, cuda, or one GPU as cuda:1",
    "precision": "auto measures which is faster",
    "validate_every": "steps between validations, each with a snapshot",
    "keep_last": "snapshots kept, and averaged at the end",
    "keep_curve": "keep the weights at 0, 1, 4, 15, 50 and 100 %% of the steps in curve/",
}
CHOICES: dict[str, tuple[str, ...]] = {
    "Schedule": get_args(Schedule),
    "Precision": get_args(Precision),
    "Trainable": get_args(Trainable),
    "Kind": get_args(Kind),
}
MODEL_HELP = {
    "name": "what the model is called",
    "vocab_size": "pieces of the shared vocabulary",
    "d_model": "width",
    "d_feed_forward": "width inside the feed-forward network",
    "kind": "a decoder learns to continue texts, one a line; a reader to read pictures that draw made",
    "n_encoder_layers": "encoder layers",
    "n_decoder_layers": "decoder layers",
    "n_heads": "heads of every attention",
    "n_key_heads": "of a decoder: heads of keys and values, shared by groups of heads",
    "source_language": "BCP 47, such as en; with --from too",
    "target_language": "BCP 47, such as fr; with --from too",
}
NEW_NAMES = ("name", "source_language", "target_language")
"""What a run may call its model although --from decides its shape."""
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pairs", type=Path, help="a TSV of source and target, or a folder that prepare wrote")
    parser.add_argument("--run", type=Path, required=True, dest="folder", metavar="DIR", help="the run's folder")
    parser.add_argument("--resume", action="store_true", help="continue the run in DIR, with its settings")
    parser.add_argument(
        "--from",
        dest="checkpoints",
        metavar="PATH",
        action="append",
        help="train this checkpoint further; repeated, the mean of the weights of several",
    )
    parser.add_argument("--probe", metavar="SENTENCE", help="record its translation and attention through training")
    parser.add_argument(
        "--tokenizer", type=Path, metavar="FILE.model", help="use this SentencePiece vocabulary, with --from too"
    )
    _add_fields(parser.add_argument_group("the new model"), NewModel, MODEL_HELP)
    parser.add_argument("--post-norm", action="store_true", help="normalise after each sublayer, as in the paper")
    _add_fields(parser.add_argument_group("settings"), TrainingConfig, SETTINGS_HELP)


def run(chosen: argparse.Namespace) -> int:
    """Prepare, train, and show; 130 when interrupted after saving."""
    folder = RunFolder(chosen.folder)
    config = _settings(chosen, folder)
    beginning = _beginning(chosen)
    tokenizer = SentencePieceTokenizer.load(chosen.tokenizer) if chosen.tokenizer else None
    if chosen.resume:
        _check_resumed(chosen, folder, tokenizer)
    logging.basicConfig(force=True, format="%(message)s", handlers=[RichHandler(console=errors(), show_path=False)])
    logging.getLogger(__name__.partition(".cli.")[0]).setLevel(logging.INFO)
    trainer = prepare(beginning, _read_data(chosen.pairs, beginning, folder), config, folder, tokenizer=tokenizer)
    if not trainer.is_main:
        logging.getLogger(__name__.partition(".cli.")[0]).setLevel(logging.WARNING)
    interrupted = _Interrupt()
    recorder = _recorder(chosen, trainer)
    with TrainingDisplay(config, is_shown=trainer.is_main) as display:
        for event in trainer.run(should_stop=agreed_stop(trainer.accelerator, interrupted)):
            display.show(event)
            if recorder is not None:
                recorder.follow(event, trainer.model)
    if recorder is not None and recorder.last != trainer.step:
        recorder.record(trainer.model, trainer.step)
    if trainer.step < config.steps:
        if trainer.is_main:
            errors().print(f"stopped after step {trainer.step} and saved: add --resume to continue")
        return 130
    if trainer.is_main:
        say(str(folder.result))
    return 0


def _read_data(path: Path, beginning: NewModel | Bundle, folder: RunFolder) -> Split | tuple[Pair, ...]:
    """The pairs to train on, or the texts that a decoder-only model learns from."""
    if folder.initial.exists():
        beginning = load(folder.initial)
    is_new = isinstance(beginning, NewModel)
    is_single_stack = beginning.kind == "decoder" if is_new else beginning.config.is_single_stack
    if is_single_stack and path.is_dir():
        raise TrainingError(f"{path} is a folder of pairs, and a decoder learns from a file of texts, one a line")
    if is_single_stack:
        return read_texts(path)
    return read_mixture(path) if path.is_dir() else read_pairs(path)


def _recorder(chosen: argparse.Namespace, trainer: Trainer) -> ProbeRecorder | None:
    """The recorder of the probe sentence: in the main process, when one was given."""
    if not chosen.probe or not trainer.is_main or trainer.bundle.config.is_single_stack:
        return None
    folder = JobFolder(chosen.folder)
    forget_after(folder, trainer.step)
    every = math.ceil(trainer.config.steps / MAX_FRAMES)
    recorder = ProbeRecorder(folder, trainer.bundle, chosen.probe, every=every, share=PROBE_SHARE)
    recorder.record(trainer.model, trainer.step)
    return recorder


def _add_fields(group: Any, dataclass: type, words: dict[str, str]) -> None:
    """One option for each field that has a help text; an option not given is None, so that a resumed run keeps its own
    value."""
    for field in dataclasses.fields(dataclass):
        if field.name not in words:
            continue
        kind = str(field.type).removesuffix(" | None")
        default = "" if field.default is None else f" (default: {field.default})"
        option = f"--{field.name.removeprefix('n_').replace('_', '-')}"
        if kind in CHOICES:
            group.add_argument(option, dest=field.name, choices=CHOICES[kind], help=words[field.name] + default)
        elif kind == "bool":
            group.add_argument(option, dest=field.name, action=argparse.BooleanOptionalAction, help=words[field.name])
        else:
            convert = {"int": int, "float": float, "str": str}[kind]
            metavar = {"int": "N", "float": "X", "str": "NAME"}[kind]
            group.add_argument(option, dest=field.name, type=convert, metavar=metavar, help=words[field.name] + default)


def _chosen_fields(chosen: argparse.Namespace, words: dict[str, str]) -> dict[str, Any]:
    return {name: getattr(chosen, name) for name in words if getattr(chosen, name) is not None}


def _settings(chosen: argparse.Namespace, folder: RunFolder) -> TrainingConfig:
    """The run's own settings when it is resumed, changed by the options given now.

    Raises:
        TrainingError: when a run would be overwritten, or there is none to resume.
    """
    options = _chosen_fields(chosen, SETTINGS_HELP)
    exists = folder.settings.exists()
    if exists and not chosen.resume:
        raise TrainingError(f"{folder.path} holds a run: add --resume to continue it, or name another folder")
    if not exists and chosen.resume:
        raise TrainingError(f"{folder.path} holds no run to resume: leave out --resume to start one")
    if not exists:
        return TrainingConfig(**options)
    try:
        stored = json.loads(folder.settings.read_text("utf-8"))
    except ValueError as error:
        raise TrainingError(f"{folder.settings} is damaged ({error}): start in another folder") from error
    return TrainingConfig.from_mapping(stored | options)


def _beginning(chosen: argparse.Namespace) -> NewModel | Bundle:
    options = _chosen_fields(chosen, MODEL_HELP)
    for name in ("source_language", "target_language"):
        if name in options and not _LANGUAGE.fullmatch(options[name]):
            option = f"--{name.replace('_', '-')}"
            raise TrainingError(f"{option} {options[name]!r} is not a language code: write one such as de or pt-BR")
    if chosen.checkpoints is None:
        return NewModel(**{"name": chosen.folder.name} | options, norm_first=not chosen.post_norm)
    refused = [*(f"--{name.removeprefix('n_').replace('_', '-')}" for name in options if name not in NEW_NAMES)]
    if refused or chosen.post_norm:
        refused += ["--post-norm"] * chosen.post_norm
        raise TrainingError(f"{', '.join(refused)}: the checkpoint given with --from sets this already; leave it out")
    return dataclasses.replace(_mean_of(chosen.checkpoints), **{"name": chosen.folder.name} | options)


def _mean_of(paths: list[str]) -> Bundle:
    """The first checkpoint with the mean of the weights of all; a path given twice counts twice."""
    opened = {path: load(path) for path in paths}
    first = opened[paths[0]]
    for path, bundle in opened.items():
        if bundle.config != first.config:
            raise TrainingError(f"--from: {path} is not of the same shape as {paths[0]}, so they have no mean")
    return dataclasses.replace(first, model=average(paths, opened.__getitem__)) if len(paths) > 1 else first


def _check_resumed(chosen: argparse.Namespace, folder: RunFolder, tokenizer: SentencePieceTokenizer | None) -> None:
    """Refuse what a run has had since it began: a resumed run cannot change it, and would not say so."""
    if not folder.initial.exists():
        return
    begun = load(folder.initial)
    for name, value in _chosen_fields(chosen, dict.fromkeys(NEW_NAMES, "")).items():
        if value != getattr(begun, name):
            option = f"--{name.replace('_', '-')}"
            raise TrainingError(
                f"{option} {value}: the run in {folder.path} began with {getattr(begun, name) or 'none'}; "
                "leave it out, or name another folder to begin anew"
            )
    known = begun.source_tokenizer
    if tokenizer and isinstance(known, SentencePieceTokenizer) and tokenizer.content != known.content:
        raise TrainingError(
            f"--tokenizer {chosen.tokenizer}: the run in {folder.path} began with another vocabulary; "
            "leave it out, or name another folder to begin anew"
        )


class _Interrupt:
    """Whether Ctrl-C was pressed or SIGTERM received; a second one ends the process at once."""

    def __init__(self) -> None:
        self.is_requested = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.is_requested:
            raise KeyboardInterrupt
        self.is_requested = True

    def __call__(self) -> bool:
        return self.is_requested


def agreed_stop(accelerator: Accelerator, wants_to_stop: Callable[[], bool]) -> Callable[[], bool]:
    """Whether any process wants to stop: all must leave the loop at the same step, because the others would otherwise
    wait forever."""
    if accelerator.num_processes == 1:
        return wants_to_stop

    def any_process() -> bool:
        votes = accelerator.reduce(torch.tensor(float(wants_to_stop()), device=accelerator.device), "sum")
        return bool(votes > 0)  # type: ignore[operator]

    return any_process
