"""A corpus through the model, kept as tables: what every head does on every sentence, and where each token looks.

    survey = model.survey(bundle, pairs, "survey/")
    survey.query("SELECT layer, head, avg(entropy) FROM heads WHERE kind = 'cross' GROUP BY ALL")

The pairs' own targets are forced through the decoder, in batches of like length. Every thousand pairs make a shard of
Parquet files; a shard depends on its pairs alone, so that several processes write the same tables as one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from model.bundle import Bundle
from model.corpus.batches import Row, batches
from model.corpus.gold import CorpusError, Pair
from model.corpus.pairs import as_pairs
from model.corpus.query import SECONDS, Frame, run_query
from model.corpus.shards import OPTIONAL_TABLES, TABLES, Stamp, is_whole, path_of, stamps, write_shard
from model.corpus.surveying import Options, Part, Shard, measure_batch, read_shard, tables_of
from model.corpus.threads import Crew
from model.inference.alone import kinds_of

VERSION = 1
"""Of the tables' columns."""
Progress = Callable[[int, int], object]
_WITH_TEXTS = """
SELECT l.*,
    CASE WHEN l.kind = 'encoder_self' THEN s.source_tokens ELSE s.target_tokens END[l.query + 1] AS query_token,
    CASE WHEN l.kind = 'encoder_self' THEN NULL WHEN l.query = 0 THEN '<s>' ELSE s.target_tokens[l.query] END
        AS fed_token,
    CASE WHEN l.kind <> 'decoder_self' THEN s.source_tokens[l.key + 1]
        WHEN l.key = 0 THEN '<s>' ELSE s.target_tokens[l.key] END AS key_token
FROM {files} l JOIN sentences s USING (id)
"""
"""The links of a slim survey with the texts of their tokens."""


@dataclass(frozen=True)
class Survey:
    """The tables of a corpus."""

    folder: Path
    stamps: tuple[Stamp, ...]

    @property
    def n_pairs(self) -> int:
        """Pairs of the corpus."""
        return self.stamps[0].n_pairs

    @property
    def n_done(self) -> int:
        """Pairs of the shards that are there."""
        size = self.stamps[0].shard_size
        return sum(min(size, self.n_pairs - stamp.shard * size) for stamp in self.stamps)

    @property
    def is_complete(self) -> bool:
        """Whether every shard is there."""
        return self.n_done == self.n_pairs

    @property
    def skipped(self) -> tuple[tuple[int, str], ...]:
        """Pairs that the model could not read: id and reason."""
        return tuple(skip for stamp in self.stamps for skip in stamp.skipped)

    @property
    def model(self) -> str:
        """Name of the model that was surveyed."""
        return self.stamps[0].model

    @property
    def fingerprint(self) -> str:
        """Of that model's weights."""
        return self.stamps[0].fingerprint

    @property
    def identity(self) -> tuple[str, ...]:
        """Says which answers it gives: the model, the options and the pairs of every shard."""
        return (self.stamps[0].run, *(stamp.pairs for stamp in self.stamps))

    @cached_property
    def tables(self) -> Mapping[str, tuple[Path, ...]]:
        """Each table's files; ``maps`` and ``states`` where they were asked for."""
        found = {}
        for name in (*TABLES, *OPTIONAL_TABLES):
            files = tuple(path_of(self.folder, name, stamp.shard) for stamp in self.stamps)
            if all(path.is_file() for path in files):
                found[name] = files
        return found

    def query(
        self, sql: str, parameters: Sequence[object] = (), *, seconds: float = SECONDS, most_rows: int | None = None
    ) -> Frame:
        """The rows of one SELECT over ``sentences``, ``heads`` and ``links``.

        Raises:
            QueryError: for anything else, for a mistake in it, and when time runs out.
        """
        views = {"links": _WITH_TEXTS} if self.stamps[0].options.get("slim") else {}
        return run_query(self.tables, sql, parameters, views=views, seconds=seconds, most_rows=most_rows)

    def __repr__(self) -> str:
        return f"Survey({str(self.folder)!r}: {self.model}, {self.n_done:,} of {self.n_pairs:,} pairs)"


def open_survey(folder: Path | str) -> Survey:
    """A survey that was written before.

    Raises:
        CorpusError: when there is none, a file is damaged, or files of several surveys are mixed.
    """
    return Survey(Path(folder), tuple(stamps(Path(folder))))


def survey(
    bundle: Bundle,
    pairs: Sequence[Pair | Sequence[str]] | Path | str,
    out: Path | str = "survey",
    *,
    translate: bool = True,
    maps: bool = False,
    states: Sequence[str] = (),
    batch_size: int = 64,
    slim: bool = False,
    shard_size: int = 1_000,
    resume: bool = False,
    share: tuple[int, int] = (0, 1),
    on_progress: Progress = lambda done, total: None,
) -> Survey:
    """Survey pairs and write the tables.

    Args:
        pairs: (source, target) or (source, target, links) each, or the path of a TSV of these.
        out: a folder, made where it is missing.
        translate: also translate each source greedily and score the translation.
        maps: keep every map as float16, in the table ``maps``.
        states: residual streams to keep as float16 in the table ``states``, such as "encoder.2" or "decoder.4": what
            leaves that layer, "encoder.0" being the embeddings.
        slim: round to two decimals and leave token texts out of the links' files, which halves them; a query finds
            the texts all the same.
        resume: go on with a survey that was interrupted; shards that are whole stay as they are.
        share: (this process, processes): write every so-many-th shard; the folder may hold others' shards already.
        on_progress: told how many of how many pairs are done; an exception that it raises ends the work, and the
            shards that are written stay.

    Raises:
        CorpusError: for pairs that are none, for a folder with another survey, and for a model without translation.
        OSError: when the disk is full; the shards that are written stay.
    """
    folder, everything = Path(out), as_pairs(pairs)
    if "cross" not in kinds_of(bundle):
        raise CorpusError(f"{bundle.name} does not translate: survey an encoder-decoder model")
    options = Options(translate=translate, maps=maps, states=tuple(states), batch_size=batch_size, slim=slim)
    options.checked(bundle)
    folder.mkdir(parents=True, exist_ok=True)
    if not resume and share[1] == 1:
        refuse_full(folder)
    run = _digest([bundle.fingerprint, VERSION, shard_size, asdict(options)])

    def missing() -> Iterator[_Task]:
        names = (*TABLES, *(["maps"] if maps else []), *(["states"] if states else []))
        for shard, chunk in _chunks(everything, shard_size):
            stamp = Stamp(
                run=run, shard=shard, pairs=_digest([_fields(pair) for pair in chunk]), model=bundle.name,
                fingerprint=bundle.fingerprint, n_pairs=len(everything), shard_size=shard_size, options=asdict(options),
            )  # fmt: skip
            is_ours = shard % share[1] == share[0]
            if is_ours and not is_whole(folder, shard, names, run=run, pairs=stamp.pairs):
                yield _Task(stamp, chunk, shard * shard_size)

    with Crew(bundle.device) as crew:
        _work(crew, bundle, options, missing(), folder, lambda done: on_progress(done, len(everything)))
    on_progress(len(everything), len(everything))
    if share[1] > 1 and not _are_all_there(folder, len(everything), shard_size):
        return _partial(folder)
    return open_survey(folder)


@dataclass(frozen=True, slots=True)
class _Task:
    """A shard that is to be written."""

    stamp: Stamp
    pairs: Sequence[Pair]
    first_id: int


def _work(
    crew: Crew, bundle: Bundle, options: Options, tasks: Iterator[_Task], folder: Path, report: Callable[[int], object]
) -> None:
    """Measure each shard while the one before is written and the next one is read."""

    def read(task: _Task) -> Shard:
        return read_shard(bundle, task.pairs, first_id=task.first_id)

    def measure(given: tuple[tuple[Row, ...], Shard]) -> Part:
        return measure_batch(bundle, given[0], options, given[1].code)

    def write(given: tuple[_Task, Shard, list[Part]]) -> None:
        task, shard, parts = given
        write_shard(folder, tables_of(shard, parts, options), replace(task.stamp, skipped=shard.skipped))

    written: Future[None] | None = None
    for task, shard in _read_ahead(crew, read, tasks):
        parts, done = [], task.first_id + len(shard.skipped)
        chosen = batches(bundle, shard.rows, max_rows=options.batch_size)
        for part in crew.measure(measure, ((rows, shard) for rows in chosen)):
            parts.append(part)
            done += len(part.scores)
            report(done)
        if written is not None:
            written.result()
        written = crew.write(write, (task, shard, parts))
        report(task.first_id + len(task.pairs))
    if written is not None:
        written.result()


def _read_ahead(crew: Crew, read: Callable[[_Task], Shard], tasks: Iterator[_Task]) -> Iterator[tuple[_Task, Shard]]:
    """Each task with its pairs read; those of the next one are read meanwhile."""
    task = next(tasks, None)
    coming = crew.read(read, task) if task is not None else None
    while task is not None and coming is not None:
        shard, now = coming.result(), task
        task = next(tasks, None)
        coming = crew.read(read, task) if task is not None else None
        yield now, shard


def refuse_full(folder: Path) -> None:
    """Raise CorpusError when a folder holds a survey; one of the processes checks before any of them writes."""
    if any(folder.glob("sentences-*.parquet")):
        raise CorpusError(f"{folder} holds a survey already: go on with it by --resume, or choose another folder")


def _partial(folder: Path) -> Survey:
    found = sorted(folder.glob("sentences-*.parquet"))
    return Survey(folder, tuple(Stamp.of(path) for path in found))


def _are_all_there(folder: Path, n_pairs: int, shard_size: int) -> bool:
    return len(list(folder.glob("sentences-*.parquet"))) * shard_size >= n_pairs


def _chunks(pairs: Sequence[Pair], size: int) -> Iterator[tuple[int, Sequence[Pair]]]:
    if size < 1:
        raise CorpusError(f"shard_size ({size}) must be at least 1")
    for shard, start in enumerate(range(0, len(pairs), size)):
        yield shard, pairs[start : start + size]


def _fields(pair: Pair) -> list[str]:
    return [pair.source, pair.target, pair.links.pharaoh if pair.links else ""]


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=list).encode()).hexdigest()
