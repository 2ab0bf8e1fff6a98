"""Creates the folder of a new run: its initial model, its training and held-out pairs, and its job."""

import hashlib
import math
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from model.checkpoints import Bundle, save
from model.checkpoints.basis.assembly import skeleton
from model.files.atomic import write_atomically
from model.nn.transformer import Transformer
from model.runs.errors import running
from model.runs.folder import JobFolder
from model.runs.limits import VARIABLE, Limits
from model.runs.status import new_folder, read_status
from model.text.pairs import Pair, as_lines
from model.training.data import wording
from model.training.jobs.job import Job, open_of_run, read_job
from model.training.jobs.probe import MAX_FRAMES, MAX_PIECES, bundle_at, recorded_steps, trained_bytes
from model.training.preparation import NewModel
from model.training.settings import TrainingConfig, TrainingError
from model.training.trainer import trainable_names
from model.training.vocabularies.extension import check_spelling

MIN_PAIRS = 4


def create(
    root: Path,
    beginning: Bundle | NewModel,
    pairs: Sequence[Pair],
    config: TrainingConfig,
    limits: Limits,
    *,
    held_out_share: float = 0.15,
    probe: str = "",
    lesson: str = "",
) -> JobFolder:
    """Create a run's folder, ready for the queue. On failure nothing is left on disk.

    Args:
        beginning: a trained model to continue, which is copied and never changed, or the shape of a new one.
        held_out_share: share of the distinct sources to hold out, in [0, 0.9].
        probe: the sentence to record.
        lesson: name of the lesson that the pairs belong to.

    Raises:
        TrainingError: when the model cannot be trained, its vocabulary cannot spell the pairs, or a limit is exceeded.
        CheckpointError: when the model cannot be written.
    """
    _check(beginning, pairs, config, limits, probe)
    _check_size(root, beginning, limits)
    job = _job(beginning, config, limits, probe=probe, lesson=lesson)
    with new_folder(root) as folder:
        if isinstance(beginning, Bundle):
            save(beginning, folder.initial)
        train, held_out = hold_out(pairs, held_out_share, seed=config.seed)
        folder.train.write_text(as_lines(train), "utf-8")
        if held_out:
            folder.held_out.write_text(as_lines(held_out), "utf-8")
        write_atomically(folder.job, job.to_json().encode())
    return folder


def continue_with(folder: JobFolder, config: TrainingConfig, limits: Limits) -> None:
    """Change the settings of a finished run, which then continues from its last snapshot.

    Raises:
        TrainingError: when the settings do not fit the optimiser's state, or a limit is exceeded.
    """
    job = read_job(folder)
    if job is None:
        raise TrainingError(
            "this run was started from the command line: continue it there with --resume", "command_line"
        )
    if job.config.trains != config.trains:
        raise TrainingError(
            f"trains ({config.trains}) must stay {job.config.trains}: start a new run to change it", "trains"
        )
    _check_config(config, limits)
    if read_status(folder).is_alive:
        raise running()
    for name in (folder.comparison, folder.comparison_maps):
        name.unlink(missing_ok=True)
    changed = replace(job, config=config, max_seconds=job.max_seconds + limits.max_seconds)
    write_atomically(folder.job, changed.to_json().encode())


def result_of(folder: JobFolder) -> Bundle:
    """The model of a run: its result, or its last recorded step.

    Raises:
        TrainingError: when nothing was recorded.
        CheckpointError: when it cannot be opened.
    """
    if folder.result.is_dir():
        return open_of_run(folder, folder.result)
    if not (steps := recorded_steps(folder)):
        raise TrainingError("the run ended before anything was recorded: start it again", "nothing")
    return bundle_at(folder, steps[-1])


def hold_out(pairs: Sequence[Pair], share: float, *, seed: int) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Split pairs into training and held-out pairs: ``share`` of the distinct sources, chosen by a hash with ``seed``.

    Sources that differ only by punctuation, case or spaces count as equal, so that no variant of a held-out source is
    trained on.
    """
    first: dict[str, str] = {}
    for pair in sorted(pairs, key=lambda pair: pair.source):
        first.setdefault(wording(pair.source), pair.source)
    order = sorted(first, key=lambda words: hashlib.sha256(f"{seed} {first[words]}".encode()).digest())
    chosen = set(order[: min(round(share * len(order)), len(order) - 1)])
    return (
        tuple(pair for pair in pairs if wording(pair.source) not in chosen),
        tuple(pair for pair in pairs if wording(pair.source) in chosen),
    )


def _check(
    beginning: Bundle | NewModel, pairs: Sequence[Pair], config: TrainingConfig, limits: Limits, probe: str
) -> None:
    if isinstance(beginning, Bundle) and not isinstance(beginning.model, Transformer):
        raise TrainingError(
            f"a model of the family {beginning.family} cannot be trained: choose one that loads as our own Transformer",
            "family", family=beginning.family,
        )  # fmt: skip
    if isinstance(beginning, Bundle):
        source, target = beginning.source_tokenizer, beginning.target_tokenizer
        if source is None or target is None:
            raise TrainingError(
                f"{beginning.name} has no vocabulary to train with: add its tokenizer first",
                "no_vocabulary", model=beginning.name,
            )  # fmt: skip
        check_spelling(pairs, source, target)
    if len(pairs) < MIN_PAIRS:
        raise TrainingError(
            f"{len(pairs)} pairs are too few to learn from: give at least {MIN_PAIRS}",
            "few", n=len(pairs), least=MIN_PAIRS,
        )  # fmt: skip
    if len(pairs) > limits.max_pairs:
        raise TrainingError(
            f"{len(pairs):,} pairs are too many: give at most {limits.max_pairs:,}",
            "many", n=f"{len(pairs):,}", most=f"{limits.max_pairs:,}",
        )  # fmt: skip
    _check_config(config, limits)
    tokenizer = beginning.source_tokenizer if isinstance(beginning, Bundle) else None
    n_pieces = len(tokenizer.encode(probe)) if tokenizer and probe else 0
    if n_pieces > MAX_PIECES:
        raise TrainingError(
            f"the probe sentence has {n_pieces} pieces, but at most {MAX_PIECES} are allowed: choose a shorter one",
            "probe", n=n_pieces, most=MAX_PIECES,
        )  # fmt: skip


def n_parameters_of(beginning: Bundle | NewModel) -> int:
    """Number of parameters of a run's initial model."""
    if isinstance(beginning, Bundle):
        return sum(parameter.numel() for parameter in beginning.model.parameters())
    return sum(tensor.numel() for tensor in skeleton(beginning.config(beginning.vocab_size)).parameters())


def _check_size(root: Path, beginning: Bundle | NewModel, limits: Limits) -> None:
    """Check a model's size against the limits, and the space that the run will need against the free disk."""
    n_parameters = n_parameters_of(beginning)
    if n_parameters > limits.max_parameters:
        raise TrainingError(
            f"the model has {n_parameters:,} parameters, but this installation trains at most "
            f"{limits.max_parameters:,}: choose a smaller one, or raise max_parameters in {VARIABLE}",
            "parameters", n=f"{n_parameters:,}", most=f"{limits.max_parameters:,}", variable=VARIABLE,
        )  # fmt: skip
    root.mkdir(parents=True, exist_ok=True)
    needed, free = limits.run_bytes(n_parameters), shutil.disk_usage(root).free
    if needed > free:
        raise TrainingError(
            f"the run may write {needed:,} bytes, but its disk has {free:,} free: make room",
            "disk", mb=f"{needed / 1e6:,.0f}", free=f"{free / 1e6:,.0f}",
        )  # fmt: skip


def _check_config(config: TrainingConfig, limits: Limits) -> None:
    if config.steps > limits.max_steps:
        raise TrainingError(
            f"steps ({config.steps:,}) must be at most {limits.max_steps:,} on this installation",
            "steps", n=f"{config.steps:,}", most=f"{limits.max_steps:,}",
        )  # fmt: skip


def _job(beginning: Bundle | NewModel, config: TrainingConfig, limits: Limits, *, probe: str, lesson: str) -> Job:
    every = math.ceil(config.steps / MAX_FRAMES)
    if isinstance(beginning, Bundle):
        size = trained_bytes(beginning.model, trainable_names(beginning.model, config.trains))
        every = max(every, math.ceil(config.steps * size / limits.undo_bytes))
    return Job(
        config=config, probe=probe, record_every=every, probe_share=limits.probe_share, lesson=lesson,
        beginning=beginning if isinstance(beginning, NewModel) else None, max_seconds=limits.max_seconds,
        max_pause_seconds=limits.max_pause_seconds, max_bytes=limits.run_bytes(n_parameters_of(beginning)),
        threads=limits.threads, niceness=limits.niceness,
    )  # fmt: skip
