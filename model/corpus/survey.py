"""Runs a corpus through the model and stores tables: every head's metrics on every sentence, and each token's links.

    import regard
    survey = regard.survey(bundle, pairs, "survey/")
    survey.query("SELECT layer, head, avg(entropy) FROM heads WHERE kind = 'cross' GROUP BY ALL")

The decoder is fed the pairs' targets, in batches of similar length. Every thousand pairs make a shard of Parquet files.
A pair's results do not depend on the pairs in its batch, so several processes write the same tables as one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from model.analysis.intervals import intervals
from model.bundle import Bundle
from model.corpus.batches import translates
from model.corpus.plan import BatchExecutor, Plan, write_missing
from model.corpus.shards import OPTIONAL_TABLES, TABLES, Stamp, path_of, stamps
from model.corpus.sql.query import SECONDS, Frame, run_query
from model.corpus.surveying import Options
from model.inference.fitting import with_donors
from model.interventions import NONE, Interventions
from model.lazy import pandas
from model.progress import Progress, ignore_progress
from model.provenance import provenance
from model.text.links import CorpusError
from model.text.pairs import Pair, as_pairs, as_texts

_WITH_TEXTS = """
SELECT l.*,
    CASE WHEN l.kind = 'encoder_self' THEN s.source_tokens ELSE s.target_tokens END[l.query + 1] AS query_token,
    CASE WHEN l.kind = 'encoder_self' THEN NULL WHEN l.query = 0 THEN '<s>' ELSE s.target_tokens[l.query] END
        AS fed_token,
    CASE WHEN l.kind <> 'decoder_self' THEN s.source_tokens[l.key + 1]
        WHEN l.key = 0 THEN '<s>' ELSE s.target_tokens[l.key] END AS key_token
FROM {files} l JOIN sentences s USING (id)
"""
"""SQL that joins the links of a slim survey with the texts of their tokens."""


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
        """Pairs of the shards written so far."""
        size = self.stamps[0].shard_size
        return sum(min(size, self.n_pairs - stamp.shard * size) for stamp in self.stamps)

    @property
    def is_complete(self) -> bool:
        """Whether every shard is written."""
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
        """Fingerprint of that model's weights."""
        return self.stamps[0].fingerprint

    @property
    def has_own_targets(self) -> bool:
        """Whether the targets are the model's own translations."""
        return bool(self.stamps[0].options.get("own_targets"))

    @property
    def language(self) -> str:
        """Language of the targets, if the model states it; else empty."""
        return self.stamps[0].language

    @property
    def identity(self) -> tuple[str, ...]:
        """Identifies the content of the tables: the model, the options and the pairs of every shard."""
        return (self.stamps[0].run, *(stamp.pairs for stamp in self.stamps))

    @cached_property
    def tables(self) -> Mapping[str, tuple[Path, ...]]:
        """Each table's files; ``maps`` and ``states`` only if they were requested."""
        tables = {}
        for name in (*TABLES, *OPTIONAL_TABLES):
            files = tuple(path_of(self.folder, name, stamp.shard) for stamp in self.stamps)
            if all(path.is_file() for path in files):
                tables[name] = files
        return tables

    @property
    def views(self) -> Mapping[str, str]:
        """SQL of views that are not just their files, as for ``run_query``."""
        return {"links": _WITH_TEXTS} if self.stamps[0].options.get("slim") else {}

    def query(
        self, sql: str, parameters: Sequence[object] = (), *, seconds: float = SECONDS, most_rows: int | None = None
    ) -> Frame:
        """The rows of one SELECT over ``sentences``, ``heads`` and ``links``.

        Raises:
            QueryError: for anything else, for an error in it, and when time runs out.
        """
        return run_query(self.tables, sql, parameters, views=self.views, seconds=seconds, most_rows=most_rows)

    def of_heads(self, measure: str, *, seed: int = 0) -> Frame:
        """Each head's mean of a measure over sentences, with a 95 % bootstrap interval (1,000 resamples).

        Args:
            measure: a column of ``heads``, such as "entropy".

        Returns:
            A row for each head: kind, layer, head, mean, low, high, and ``sentences``, the number of defined values.

        Raises:
            QueryError: when there is no such column.
        """
        name = measure.replace('"', '""')
        rows = self.query(f'SELECT id, kind, layer, head, "{name}" AS value FROM heads WHERE "{name}" IS NOT NULL')
        table = rows.pivot(index=["kind", "layer", "head"], columns="id", values="value")
        values = table.to_numpy(np.float64)  # (heads, sentences), NaN where a sentence has no such measure
        known = ~np.isnan(values)
        rows = []
        for pattern in np.unique(known, axis=0):
            chosen = np.flatnonzero((known == pattern).all(1))  # heads with the same sentences share their resamples
            for place, interval in zip(chosen, intervals(values[chosen][:, pattern], seed=seed), strict=True):
                kind, layer, head = table.index[place]
                rows.append((str(kind), layer, head, *astuple(interval), int(pattern.sum())))
        frame = pandas.DataFrame(rows, columns=["kind", "layer", "head", "mean", "low", "high", "sentences"])
        return frame.sort_values(["kind", "layer", "head"], ignore_index=True)

    def __repr__(self) -> str:
        return f"Survey({str(self.folder)!r}: {self.model}, {self.n_done:,} of {self.n_pairs:,} pairs)"


def open_survey(folder: Path | str) -> Survey:
    """Open an existing survey.

    Raises:
        CorpusError: when there is none, a file is damaged, or files of several surveys are mixed.
    """
    return Survey(Path(folder), tuple(stamps(Path(folder))))


def survey(
    bundle: Bundle,
    pairs: Sequence[Pair | Sequence[str] | str] | Path | str,
    out: Path | str = "survey",
    *,
    translate: bool = True,
    own_targets: bool = False,
    maps: bool = False,
    states: Sequence[str] = (),
    batch_size: int = 64,
    slim: bool = False,
    shard_size: int = 1_000,
    resume: bool = False,
    share: tuple[int, int] = (0, 1),
    interventions: Interventions = NONE,
    cached: bool = True,
    stamp: Mapping[str, Any] | None = None,
    on_progress: Progress = ignore_progress,
) -> Survey:
    """Survey pairs and write the tables.

    Args:
        pairs: (source, target) or (source, target, links) each, or the path of a TSV file of these. For an encoder-only
            or decoder-only model, texts or the path of a file with a text on each line; nothing is translated then.
        out: a folder; it is created if it does not exist.
        translate: also translate each source greedily and score the translation.
        own_targets: replace the given targets, which may be in another language, by the model's own translations;
            nothing is scored then.
        maps: store every map as float16, in the table ``maps``.
        states: residual streams to store in the table ``states``, such as "encoder.2" or "decoder.4": the output of
            that layer; "encoder.0" means the embeddings. A state is float16 times 2 to the power of ``exponent``, which
            is 0 unless a value is beyond 65,504.
        slim: round to two decimals and leave token texts out of the links' files, which halves their size; queries
            still return the texts.
        resume: continue an interrupted survey; complete shards are kept.
        share: (index of this process, number of processes): write only this process's shards; the folder may already
            have shards of others.
        interventions: changes of the model for every pair, including patches; they are part of the survey's identity.
        cached: as in ``model.translate``, for the translations.
        stamp: provenance, written to the files; None: the version, the commit and the model (``provenance``).
        on_progress: called with the finished pairs of this process's shards and their total, at first with those of
            existing shards; an exception from it ends the work and keeps the shards written so far.

    Raises:
        InterventionError: when an intervention names what the model does not have.
        CorpusError: for invalid pairs, for a folder with another survey, and for options that do not apply to an
            encoder-only or decoder-only model.
        OSError: when the disk is full; the shards written so far are kept.
    """
    edits = with_donors(bundle, interventions)
    edits.check(bundle.config)
    is_pairs = translates(bundle)
    if not is_pairs and (own_targets or slim):
        raise CorpusError(f"{bundle.name} does not translate: leave out own_targets and slim")
    texts: Any = pairs
    plan = Plan(
        bundle, as_pairs(texts) if is_pairs else as_texts(texts), Path(out),
        Options(translate=translate and is_pairs and not own_targets, maps=maps, states=tuple(states),
                batch_size=batch_size, slim=slim, interventions=edits, cached=cached,
                own_targets=own_targets), shard_size, provenance(bundle) if stamp is None else stamp,
    ).checked()  # fmt: skip
    plan.folder.mkdir(parents=True, exist_ok=True)
    if not resume and share[1] == 1:
        refuse_full(plan.folder)
    with BatchExecutor(bundle.device) as crew:
        total = plan.n_pairs_of(share)
        write_missing(crew, plan, share=share, report=lambda done: on_progress(done, total))
    on_progress(total, total)
    written = sorted(plan.folder.glob("sentences-*.parquet"))
    if share[1] > 1 and len(written) * plan.shard_size < len(plan.pairs):  # others are still writing theirs
        return Survey(plan.folder, tuple(map(Stamp.of, written)))
    return open_survey(plan.folder)


def refuse_full(folder: Path) -> None:
    """Raise CorpusError if a folder already has a survey; one process checks before any process writes."""
    if any(folder.glob("sentences-*.parquet")):
        raise CorpusError(f"{folder} already holds a survey: continue it with --resume, or choose another folder")
