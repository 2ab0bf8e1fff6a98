"""A survey in the queue of trainings: its folder, and its options.

survey.json     the SurveyJob        pairs.tsv    the pairs        initial/    the model        result/    the tables
"""

import json
import shutil
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from model.bundle import Bundle
from model.checkpoints import save
from model.corpus.batches import check_translates
from model.corpus.survey import Survey, open_survey
from model.corpus.surveying import Options
from model.files.atomic import write_atomically
from model.runs.folder import MAX_BYTES, JobFolder
from model.runs.limits import Limits
from model.runs.status import new_folder
from model.text.counting import format_count
from model.text.links import CorpusError
from model.text.pairs import Pair, as_lines, is_too_long

SHARD_SIZE = 100
"""Shard size: a stopped survey has results after this many pairs."""
BYTES_OF_PAIR = 100_000
"""Rough upper bound of the bytes of a pair's tables, without maps."""
CHARACTERS_OF_TOKEN = 3
MOST_OF_STATES = 500_000_000
"""Maximum bytes of states that a survey may store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyJob:
    """The work of a queued survey."""

    title: str
    """The name shown to the person who started it: the name of the file."""
    model: str
    fingerprint: str
    n_pairs: int
    states: tuple[str, ...] = ()
    own_targets: bool = False
    shard_size: int = SHARD_SIZE
    device: str = "cpu"
    threads: int = 1
    niceness: int = 10
    max_seconds: float = 1_800.0
    max_bytes: int = MAX_BYTES
    """Estimated maximum size of its folder on disk."""
    created: float = field(default_factory=time.time)
    """Seconds since 1970."""


def create_survey(
    root: Path,
    bundle: Bundle,
    pairs: Sequence[Pair],
    limits: Limits,
    *,
    title: str,
    states: Sequence[str] = (),
    own_targets: bool = False,
) -> JobFolder:
    """Create a survey's folder, ready for the queue. On failure nothing is left on disk.

    Args:
        bundle: the model, which is copied.
        pairs: an encoder-only or decoder-only model reads only the sources.
        states: residual streams to store, as in ``model.survey``.
        own_targets: measure the model's own translations, as in ``model.survey``.

    Raises:
        CorpusError: for ``own_targets`` with a model that does not translate, or too many pairs or states for this
            installation.
        CheckpointError: when the model cannot be written.
    """
    if own_targets:
        check_translates(bundle)
    root.mkdir(parents=True, exist_ok=True)
    needed = bytes_of_survey(root, bundle, pairs, states, limits)
    job = SurveyJob(
        title=title, model=bundle.name, fingerprint=bundle.fingerprint, n_pairs=len(pairs), states=tuple(states),
        own_targets=own_targets,
        threads=limits.threads, niceness=limits.niceness, max_seconds=limits.max_seconds, max_bytes=needed,
    )  # fmt: skip
    with new_folder(root) as folder:
        save(bundle, folder.initial)
        write_atomically(pairs_of(folder), as_lines(pairs).encode())
        write_atomically(folder.survey, json.dumps(asdict(job), ensure_ascii=False).encode())
    return folder


def bytes_of_survey(root: Path, bundle: Bundle, pairs: Sequence[Pair], states: Sequence[str], limits: Limits) -> int:
    """Estimate the bytes that a survey writes.

    Raises:
        CorpusError: when it exceeds the limits on pairs or states, or the free disk space.
    """
    if len(pairs) > limits.max_pairs:
        raise CorpusError(
            f"{len(pairs):,} pairs are more than the {limits.max_pairs:,} allowed here: give fewer",
            "too_many", n=f"{len(pairs):,}", most=f"{limits.max_pairs:,}",
        )  # fmt: skip
    Options(translate=True, maps=False, states=tuple(states), batch_size=1).checked(bundle)
    state_bytes = bytes_of_states(bundle, pairs, states)
    if state_bytes > MOST_OF_STATES:
        raise CorpusError(
            f"the states of {format_count(len(pairs), 'pair')} take about {state_bytes:,} bytes, more than the "
            f"{MOST_OF_STATES:,} allowed: keep fewer layers or give fewer pairs",
            "states", n=f"{len(pairs):,}", mb=f"{state_bytes / 1e6:,.0f}", most=f"{MOST_OF_STATES / 1e6:,.0f}",
        )  # fmt: skip
    needed = 4 * sum(p.numel() for p in bundle.model.parameters()) + BYTES_OF_PAIR * len(pairs) + state_bytes
    if needed > shutil.disk_usage(root).free:
        raise CorpusError(
            f"the survey may write {needed:,} bytes, more than the free space on its disk: make room",
            "disk", mb=f"{needed / 1e6:,.0f}",
        )  # fmt: skip
    return needed


def bytes_of_states(bundle: Bundle, pairs: Sequence[Pair], states: Sequence[str]) -> int:
    """Estimate the bytes of the pairs' states as float16, before the pairs are tokenized."""
    read = [pair for pair in pairs if not is_too_long(pair.source, pair.target)]
    sides = {"encoder": sum(len(pair.source) for pair in read), "decoder": sum(len(pair.target) for pair in read)}
    tokens = sum(sides[name.partition(".")[0]] // CHARACTERS_OF_TOKEN + len(pairs) for name in states)
    return 2 * bundle.config.d_model * tokens


def read_survey_job(folder: JobFolder) -> SurveyJob | None:
    """The job of a folder's survey; None if there is none, or it cannot be read."""
    try:
        fields: dict[str, Any] = json.loads(folder.survey.read_text("utf-8"))
        fields["states"] = tuple(fields["states"])
        return SurveyJob(**fields)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def result_of(folder: JobFolder) -> Survey | None:
    """The tables written so far; None before the first shard."""
    has_shard = any(folder.result.glob("sentences-*.parquet"))
    return open_survey(folder.result) if has_shard else None


def n_written(folder: JobFolder, job: SurveyJob) -> int:
    """Pairs whose tables are written; a restarted survey continues after them."""
    n_shards = len(list(folder.result.glob("sentences-*.parquet")))
    return min(n_shards * job.shard_size, job.n_pairs)


def pairs_of(folder: JobFolder) -> Path:
    """The file of pairs."""
    return folder.path / "pairs.tsv"
