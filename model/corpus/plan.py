"""The plan of a survey, the code that writes its missing shards, and the threads that do it.

Batches are measured with one thread each: matrices of a sentence are too small for two threads. PyTorch and pyarrow
release the GIL while they work. The results do not depend on the number of threads.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import torch

from model.bundle import Bundle
from model.corpus.arrow import tables_of
from model.corpus.batches import Row, batches
from model.corpus.shards import TABLES, Stamp, is_whole, write_shard
from model.corpus.surveying import Options, Part, Shard, measure_batch, read_shard
from model.text.links import CorpusError
from model.text.pairs import Pair

VERSION = 1
"""Version of the tables' columns."""
T = TypeVar("T")
A = TypeVar("A")
MOST = 8
"""Maximum threads; each holds a batch in memory."""


@dataclass(frozen=True)
class Plan:
    """The model and pairs of a survey, and where and how its tables are written."""

    bundle: Bundle
    pairs: Sequence[Pair]
    folder: Path
    options: Options
    shard_size: int
    made_by: Mapping[str, Any] = field(default_factory=dict)
    """Provenance, written to the files; not part of the survey's identity."""

    def checked(self) -> Plan:
        """This plan, checked against the model.

        Raises:
            CorpusError: for states that the model lacks, and for sizes below 1.
        """
        self.options.checked(self.bundle)
        if self.shard_size < 1:
            raise CorpusError(f"shard_size ({self.shard_size}) must be at least 1")
        return self

    @cached_property
    def run(self) -> str:
        """Hex digest of the model and the options."""
        return _digest([self.bundle.fingerprint, VERSION, self.shard_size, self.options.described])

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables of each shard."""
        optional = (("maps", self.options.maps), ("states", self.options.states))
        return (*TABLES, *(name for name, is_kept in optional if is_kept))

    def missing(self, share: tuple[int, int]) -> Iterator[Task]:
        """The missing or incomplete shards of one process; ``share`` is (its index, number of processes).

        Raises:
            CorpusError: when an existing shard belongs to another survey.
        """
        for shard in self.shards_of(share):
            first = shard * self.shard_size
            chunk = self.pairs[first : first + self.shard_size]
            fields = [[pair.source, pair.target, pair.links.pharaoh if pair.links else ""] for pair in chunk]
            stamp = Stamp(
                run=self.run, shard=shard, pairs=_digest(fields), model=self.bundle.name,
                fingerprint=self.bundle.fingerprint, n_pairs=len(self.pairs), shard_size=self.shard_size,
                options=self.options.described, language=self.bundle.target_language or "",
                made_by=self.made_by,
            )  # fmt: skip
            if not is_whole(self.folder, shard, self.tables, run=self.run, pairs=stamp.pairs):
                yield Task(stamp, chunk, first)

    def shards_of(self, share: tuple[int, int]) -> list[int]:
        """The shards of one process; ``share`` is (its index, number of processes).

        The longest shard first, each goes to the process with the least text so far, because sentence lengths may
        differ by a factor of two between parts of a corpus.
        """
        starts = range(0, len(self.pairs), self.shard_size)
        lengths = [
            sum(len(pair.source) + len(pair.target) for pair in self.pairs[start : start + self.shard_size])
            for start in starts
        ]
        loads, mine = [0] * share[1], []
        for shard in sorted(range(len(lengths)), key=lambda shard: -lengths[shard]):
            process = loads.index(min(loads))
            loads[process] += lengths[shard]
            if process == share[0]:
                mine.append(shard)
        return sorted(mine)

    def n_pairs_of(self, share: tuple[int, int]) -> int:
        """Pairs of one process's shards."""
        return sum(min(self.shard_size, len(self.pairs) - shard * self.shard_size) for shard in self.shards_of(share))


@dataclass(frozen=True, slots=True)
class Task:
    """A shard to write."""

    stamp: Stamp
    pairs: Sequence[Pair]
    first_id: int


def write_missing(crew: BatchExecutor, plan: Plan, *, share: tuple[int, int], report: Callable[[int], object]) -> None:
    """Measure each missing shard while the previous one is written and the next one is read.

    Args:
        report: called with the finished pairs of this process's shards, at first those of existing shards.
    """
    bundle, options = plan.bundle, plan.options

    def measure(batch: tuple[tuple[Row, ...], Shard]) -> Part:
        return measure_batch(bundle, batch[0], options, batch[1].code)

    def write(measured: tuple[Task, Shard, list[Part]]) -> None:
        task, shard, parts = measured
        write_shard(plan.folder, tables_of(shard, parts, options), replace(task.stamp, skipped=shard.skipped))

    written: Future[None] | None = None
    tasks = list(plan.missing(share))
    before = plan.n_pairs_of(share) - sum(len(task.pairs) for task in tasks)
    report(before)
    for task, shard in _read_ahead(crew, bundle, options, tasks):
        parts, done = [], before + len(shard.skipped)
        chosen = batches(bundle, shard.rows, max_rows=options.batch_size)
        for part in crew.measure(measure, ((rows, shard) for rows in chosen)):
            parts.append(part)
            done += len(part.scores)
            report(done)
        if written is not None:
            written.result()
        written = crew.write(write, (task, shard, parts))
        before += len(task.pairs)
        report(before)
    if written is not None:
        written.result()


def _read_ahead(
    crew: BatchExecutor, bundle: Bundle, options: Options, tasks: Sequence[Task]
) -> Iterator[tuple[Task, Shard]]:
    """Yield each task with its tokenized shard; the next shard is read in the background."""

    def read(task: Task) -> Shard:
        return read_shard(bundle, task.pairs, options, first_id=task.first_id)

    ahead: tuple[Task, Future[Shard]] | None = None
    for task in (*tasks, None):
        now, ahead = ahead, None if task is None else (task, crew.read(read, task))
        if now is not None:
            yield now[0], now[1].result()


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=list).encode()).hexdigest()


class BatchExecutor(AbstractContextManager["BatchExecutor"]):
    """A thread pool for batches and a thread for writing; with a single thread everything runs in sequence.

    On an exception, pending batches are dropped, and files being written are completed.
    """

    def __init__(self, device: torch.device) -> None:
        self._before = torch.get_num_threads() if device.type == "cpu" else 1
        n = min(self._before, MOST)
        self._measuring = self._writing = None
        if n > 1:
            self._measuring = ThreadPoolExecutor(n, initializer=torch.set_num_threads, initargs=(self._before // n,))
            self._writing = ThreadPoolExecutor(1, initializer=torch.set_num_threads, initargs=(1,))
        self._most_ahead = n if n > 1 else 0

    def __exit__(self, kind: type[BaseException] | None, *ended: object) -> None:
        if self._measuring and self._writing:
            self._measuring.shutdown(cancel_futures=kind is not None)
            self._writing.shutdown()
            torch.set_num_threads(self._before)  # new threads start with the process's number

    def measure(self, work: Callable[[A], T], items: Iterable[A]) -> Iterator[T]:
        """Yield each item's result in order; a few more items than threads are submitted in advance."""
        ahead: deque[Future[T]] = deque()
        for item in items:
            ahead.append(self._started(self._measuring, work, item))
            if len(ahead) > self._most_ahead:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()

    def read(self, work: Callable[[A], T], item: A) -> Future[T]:
        """Start reading the input of the next batches."""
        return self._started(self._measuring, work, item)

    def write(self, work: Callable[[A], T], item: A) -> Future[T]:
        """Start writing results, in the order of the calls."""
        return self._started(self._writing, work, item)

    @staticmethod
    def _started(pool: ThreadPoolExecutor | None, work: Callable[[A], T], item: A) -> Future[T]:
        if pool is not None:
            return pool.submit(work, item)
        done: Future[T] = Future()
        done.set_result(work(item))
        return done
