"""A sweep: one change at many sites and positions of many sentences, each measured by one number.

It generalises ``causal_map`` from one pair and its margin to any activation, change, metric and number of pairs. Each
variant of a pass begins at the layer where it first differs, and variants of a pair share a batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from model.activations import activation_shapes
from model.analysis.aggregation import positions_of
from model.analysis.intervals import Interval, intervals
from model.bundle import Bundle
from model.inference.translation import translate
from model.interpret.causal import read_pair
from model.interpret.inspection import transformer_of
from model.interpret.recording import chosen_names
from model.interpret.tracing.sweep_passes import (
    Applied,
    Metric,
    Run,
    SweepError,
    change_is,
    effects_on,
    means_of,
    reads_source,
)
from model.interventions import NONE
from model.lazy import pandas
from model.progress import Progress, ignore_progress
from model.text.tokens import Source
from model.trace import Floats, ShapeError, Trace

Place = int | str


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectTable:
    """The effects of changes in each of M sentences: N rows of P columns."""

    effects: Floats
    """(M, N, P), the metric with the change minus the metric without; NaN where a sentence has no such change."""
    base: Floats
    """(M,), the metric without the change."""
    distance: Floats
    """(M,), the metric of the first sentence minus that of the second, the effect of patching everything. NaN without
    pairs, or with a custom metric."""
    texts: tuple[str, ...]
    """The M changed sentences."""
    metric: str

    @property
    def mean(self) -> Floats:
        """(N, P), over the sentences that have the change."""
        return mean_of_cells(self.effects)

    def interval(self, *, seed: int = 0) -> tuple[tuple[Interval | None, ...], ...]:
        """N rows of P bootstrap intervals (95 %, 1,000 resamples of the sentences) of the mean."""
        return intervals_of_cells(self.effects, seed=seed)

    def _frame(self, name_columns: Callable[..., Mapping[str, Sequence[str]]]) -> pandas.DataFrame:
        """One row for each effect; ``name_columns`` maps sentences, rows and columns to columns of names."""
        m, n, p = np.nonzero(np.isfinite(self.effects))
        return pandas.DataFrame(
            {
                "sentence": m, "text": [self.texts[index] for index in m], **name_columns(m, n, p),
                "effect": self.effects[m, n, p], "base": self.base[m], "distance": self.distance[m],
            }
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep(EffectTable):
    """The effect of a change at N sites and P positions of each of M sentences; NaN if a sentence has no such position,
    or no position of the other sentence is aligned with it."""

    sites: tuple[str, ...]
    """N names of activations."""
    positions: tuple[str, ...]
    """P names of positions: the requested phrases or numbers, otherwise 0, 1, 2 …"""
    tokens: tuple[Mapping[str, tuple[str, ...]], ...] = field(default=(), repr=False)
    """For each sentence its tokens, by "encoder" and "decoder"."""

    def to_frame(self) -> pandas.DataFrame:
        """One row for each computed sentence, site and position; needs pandas."""
        return self._frame(
            lambda m, n, p: {
                "site": [self.sites[index] for index in n], "position": [self.positions[index] for index in p],
                "token": [self._token(*cell) for cell in zip(m.tolist(), n.tolist(), p.tolist(), strict=True)],
            }
        )  # fmt: skip

    def _token(self, sentence: int, site: int, place: int) -> str:
        name = self.positions[place]
        if not name.lstrip("-").isdigit():
            return name
        side = "encoder" if self.sites[site].startswith("encoder") or reads_source(self.sites[site]) else "decoder"
        tokens = self.tokens[sentence].get(side, ()) if self.tokens else ()
        return tokens[int(name)] if -len(tokens) <= int(name) < len(tokens) else ""


def mean_of_cells(effects: Floats) -> Floats:
    """The mean of effects (M, N, P) over sentences, ignoring NaN: (N, P); NaN where all are NaN."""
    known = np.isfinite(effects)
    total = np.where(known, effects, 0).sum(0)
    return np.where(known.any(0), total / np.maximum(known.sum(0), 1), np.nan).astype(np.float32)


def intervals_of_cells(effects: Floats, *, seed: int) -> tuple[tuple[Interval | None, ...], ...]:
    """The bootstrap intervals of the means of ``mean_of_cells``, N rows of P."""
    rows = []
    for of_row in effects.swapaxes(0, 1):
        known = (column[np.isfinite(column)].astype(np.float64) for column in of_row.T)
        rows.append(tuple(next(intervals(values[None], seed=seed)) if len(values) else None for values in known))
    return tuple(rows)


def sweep(
    bundle: Bundle,
    pairs: Sequence[Source | Trace | tuple[Source | Trace, Source | Trace]],
    *,
    sites: str | Sequence[str] = "decoder.*.residual.after",
    positions: int | str | Sequence[Place] | None = None,
    change: Applied = "patch",
    metric: Metric | None = None,
    on_progress: Progress = ignore_progress,
) -> Sweep:
    """Make one change at each site and position of each sentence in turn, and measure the effect on a metric.

    ``sweep(bundle, [("She is tired.", "He is tired."), …])`` patches the first sentence's residual stream into the
    second, position by position, and measures the change of the margin between their translations.

    Args:
        pairs: pairs of sentences, as for ``causal_map``: the second is read with activations of the first, at the first
            step where their outputs differ. For a change that needs no other sentence, also single texts or traces,
            which are scored over their whole translation.
        sites: names or patterns of activations, such as "decoder.*.residual.after".
        positions: integers (negative from the end) or phrases of the text; None: all, by number.
        change: "patch", the first sentence's activation; "zero"; "mean", the site's mean over all sentences and
            positions; an array, added to the activation; or a function from site and position to interventions.
        metric: "margin", log p(first's token) - log p(second's), in nats; "log_prob", of the first's token, or summed
            over the translation of a single text; "kl", the divergence from the unchanged distribution in nats, mean
            over the scored positions; or a function from logits (B, T, V) to (B,). None is "margin" for pairs and
            "log_prob" for single texts.

    Raises:
        SweepError: for no sentences, a metric or change that needs pairs, or a site that cannot be changed.
        RecordingError: when no activation fits a pattern.
        CausalError: for a pair whose translations do not differ.
        InterventionError: when a change does not fit the model.
    """
    transformer_of(bundle)
    names = chosen_names(bundle, (sites,) if isinstance(sites, str) else sites)
    if "logits" in names:
        raise SweepError("logits can be recorded but not changed: choose decoder.final_norm instead")
    runs, chosen = read_runs(bundle, pairs, metric, change)
    requested = as_places(positions)
    places = [{name: places_of(bundle, run, name, requested) for name in names} for run in runs]
    if requested is not None:
        _check_phrases(requested, places)
    columns = max(len(of_name) for of_run in places for of_name in of_run.values())
    means = means_of(bundle, runs, names) if change_is(change, "mean") else {}
    measured = (
        effects_on(bundle, run, of_run, columns, change, chosen, means)
        for run, of_run in zip(runs, places, strict=True)
    )  # fmt: skip
    table = effect_table(runs, chosen, measured, on_progress)
    labels = tuple(map(str, range(columns) if requested is None else requested))
    tokens = tuple({"encoder": run.source.pieces, "decoder": run.prefix.pieces} for run in runs)
    return Sweep(sites=names, positions=labels, tokens=tokens, **table)


def effect_table(
    runs: Sequence[Run], metric: Metric, measured: Iterable[tuple[Floats, float, float]], on_progress: Progress
) -> dict[str, Any]:
    """The fields of an ``EffectTable``, from each run's effects, metric and distance."""
    values_of_runs = []
    for values in measured:
        values_of_runs.append(values)
        on_progress(len(values_of_runs), len(runs))
    effects, base, distance = (np.array(values, np.float32) for values in zip(*values_of_runs, strict=True))
    name = metric if isinstance(metric, str) else getattr(metric, "__name__", "a function")
    return {
        "effects": effects, "base": base, "distance": distance, "texts": tuple(run.text for run in runs),
        "metric": name,
    }  # fmt: skip


def as_places(positions: int | str | Sequence[Place] | None) -> list[Place] | None:
    """The requested positions as a list; None for all."""
    return None if positions is None else [positions] if isinstance(positions, int | str) else list(positions)


def read_runs(
    bundle: Bundle, pairs: Sequence[Any], metric: Metric | None, change: Applied
) -> tuple[list[Run], Metric]:  # fmt: skip
    """The run of each sentence, and the metric with None resolved; SweepError for an unsuitable metric or change."""
    translated = _translate_all(bundle, pairs)
    runs = [_read_run(bundle, item, translated) for item in pairs]
    if not runs:
        raise SweepError("there are no sentences: give at least one pair, or one text")
    chosen: Metric = metric or ("margin" if all(run.pair for run in runs) else "log_prob")
    _check(runs, chosen, change)
    return runs, chosen


def _is_pair(item: Any) -> bool:
    return isinstance(item, tuple) and len(item) == 2 and not any(isinstance(side, int) for side in item)


def _translate_all(bundle: Bundle, pairs: Sequence[Any]) -> dict[str, Trace]:
    """The translation of every text, batched; a decoder-only model continues texts one by one."""
    sides = [side for item in pairs for side in (item if _is_pair(item) else (item,))]
    texts = list(dict.fromkeys(side for side in sides if isinstance(side, str)))
    if bundle.config.is_single_stack or not texts:
        return {}
    traces = translate(bundle, texts)
    return {text: trace for text, trace in zip(texts, traces, strict=True) if isinstance(trace, Trace)}


def _read_run(bundle: Bundle, item: Any, translated: Mapping[str, Trace]) -> Run:
    if _is_pair(item):
        pair = read_pair(bundle, *(translated.get(side, side) if isinstance(side, str) else side for side in item))
        source_ids, prefix_ids = pair.fed[1]
        target = (*prefix_ids[1:], pair.word_id)
        fed = pair.first if len(pair.second.source) else pair.second
        return Run(
            pair.second.source_text, (source_ids, prefix_ids, target), pair.second.source,
            fed.prefix.part(0, len(prefix_ids)), fed.text, NONE, pair,
        )  # fmt: skip
    known = translated.get(item) if isinstance(item, str) else None
    trace = item if isinstance(item, Trace) else known or translate(bundle, item)
    if trace.interventions.patches:
        raise SweepError("a trace has patches already: give its text, or a trace without them")
    ids = (trace.source.ids, trace.prefix.ids, trace.target.ids)
    return Run(trace.source_text, ids, trace.source, trace.prefix, trace.text, trace.interventions, None)


def _check(runs: Sequence[Run], metric: Metric, change: Applied) -> None:
    if isinstance(metric, str) and metric not in ("margin", "log_prob", "kl"):
        raise SweepError(f"there is no metric {metric!r:.40}: choose margin, log_prob or kl, or give a function")
    if isinstance(change, str) and change not in ("patch", "zero", "mean"):
        raise SweepError(
            f"there is no change {change!r:.40}: choose patch, zero or mean, or give an array or a function"
        )
    alone = next((run.text for run in runs if run.pair is None), None)
    subject = f"the change {change!r}" if change_is(change, "patch") else f"the metric {metric!r}"
    if alone is not None and (metric == "margin" or change_is(change, "patch")):
        raise SweepError(f"{subject} needs two sentences, and “{alone[:60]}” stands alone: give pairs")


def _check_phrases(requested: Sequence[Place], places: Sequence[Mapping[str, Sequence[tuple[int, ...]]]]) -> None:
    """Raise SweepError for a position that no sentence has."""
    for column, place in enumerate(requested):
        if not any(of_name[column] for of_run in places for of_name in of_run.values()):
            raise SweepError(
                f"no sentence has the position {place!r:.60}: phrases are those of the source at sites of the encoder, "
                "and of the translation at sites of the decoder"
            )


def places_of(bundle: Bundle, run: Run, name: str, requested: Sequence[Place] | None) -> list[tuple[int, ...]]:
    """The positions of an activation for each requested place; empty if the sentence lacks it."""
    is_source = activation_shapes(bundle.config)[name][-2] == "S"
    tokens, text = (run.source, run.text) if is_source else (run.prefix, run.written)
    if requested is None:
        return [(place,) for place in range(len(tokens))]
    positions: list[tuple[int, ...]] = []
    for place in requested:
        if isinstance(place, str):
            try:
                positions.append(positions_of(tokens, text, place))
            except ShapeError:
                positions.append(())
        else:
            at = place + len(tokens) if place < 0 else place
            positions.append((at,) if 0 <= at < len(tokens) else ())
    return positions
