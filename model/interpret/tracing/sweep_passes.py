"""The passes of a sweep: each cell's change, the layer at which its pass begins, and its metric."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from model.bundle import Bundle
from model.errors import RegardError
from model.inference.teacher_forcing import TeacherForced, teacher_forced
from model.interpret.inspection import transformer_of
from model.interpret.tracing.pair_reading import PairReading
from model.interpret.tracing.partial_forward import PartialForward
from model.interventions import Change, Interventions, as_interventions
from model.patch import Patch
from model.trace import Floats, TokenSequence

TOKENS_AT_ONCE = 2048
"""Maximum positions per batch, over all its rows."""
Metric = Literal["margin", "log_prob", "kl"] | Callable[[Tensor], Tensor]
Applied = Literal["patch", "zero", "mean"] | Floats | Callable[[str, int], "Change | Sequence[Change]"]


Cell = tuple[int, int, str, Interventions]
"""(row, column, name of the changed activation, change)."""


class SweepError(RegardError, ValueError):
    """A sweep cannot be run; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Run:
    """A sentence to change, and optionally the pair whose first sentence's activations are patched in."""

    text: str
    ids: tuple[Sequence[int], ...]
    """Ids of the source, of the decoder's input, and of the target."""
    source: TokenSequence
    prefix: TokenSequence
    written: str
    """The text that the spans of ``prefix`` refer to."""
    base: Interventions
    pair: PairReading | None


def reads_source(name: str) -> bool:
    """Whether the positions of a decoder's activation are those of the source."""
    return name.endswith((".cross.key", ".cross.value"))


@torch.inference_mode()
def effects_on(
    bundle: Bundle,
    run: Run,
    places: Mapping[str, Sequence[tuple[int, ...]]],
    columns: int,
    change: Applied,
    metric: Metric,
    means: Mapping[str, Floats],
) -> tuple[Floats, float, float]:
    """The effects (N, P) on one sentence, its metric, and the distance to the other sentence's metric."""
    other = None
    if run.pair is not None:
        other = teacher_forced(bundle, [run.pair.fed[0]], record=list(places) if change_is(change, "patch") else ())
    donated = {} if other is None else other.recorded
    cells: list[Cell] = []
    for row, (name, of_name) in enumerate(places.items()):
        for column, at in enumerate(of_name):
            edit = edit_of(run, name, at, change, donated, means) if at else None
            if edit is not None:
                cells.append((row, column, name, edit))
    return effects_of_edits(bundle, run, cells, (len(places), columns), metric, other)


@torch.inference_mode()
def effects_of_edits(
    bundle: Bundle, run: Run, cells: Sequence[Cell], shape: tuple[int, int], metric: Metric,
    other: TeacherForced | None = None,
) -> tuple[Floats, float, float]:  # fmt: skip
    """The effects of cells on one sentence, in an array of this shape, its metric, and the distance to the other
    sentence's metric.

    Args:
        other: the pass over the other sentence, if there is one already.
    """
    plain = teacher_forced(bundle, [run.ids], interventions=run.base)
    measure = _measure(run, metric, plain.logits)
    base, distance = float(measure(plain.logits)[0]), float("nan")
    if run.pair is not None and isinstance(metric, str) and metric != "kl":
        other = other or teacher_forced(bundle, [run.pair.fed[0]])
        distance = float(measure(other.logits[:, -1:])[0]) - base
    effects = np.full(shape, np.nan, np.float32)
    reads_last = run.pair is not None and isinstance(metric, str)
    for part, logits in _passes(bundle, run, cells, needs_all=not reads_last):
        measured = measure(logits).cpu().numpy()
        for (row, column, *_), value in zip(part, measured, strict=True):
            effects[row, column] = value - base
    return effects, base, distance


def change_is(change: Applied, name: str) -> bool:
    """Whether a change is the string ``name``; ``==`` would compare arrays by element."""
    return isinstance(change, str) and change == name


def edit_of(
    run: Run,
    name: str,
    at: tuple[int, ...],
    change: Applied,
    donated: Mapping[str, Tensor],
    means: Mapping[str, Floats],
) -> Interventions | None:
    """The interventions of one cell; None if no position of the other sentence is aligned with it."""
    if isinstance(change, str):
        if change == "zero":
            patch = Patch(name, at, zero=True)
        elif change == "mean":
            patch = Patch(name, at, value=means[name])
        else:
            assert run.pair is not None
            there = dict(run.pair.places("encoder" if reads_source(name) else name.partition(".")[0]))
            sources = [there.get(place) for place in at]
            if any(source is None for source in sources):
                return None
            value = donated[name][0][..., sources, :].float().cpu().numpy()
            patch = Patch(name, at, value=value)
        return Interventions(patches=patch)
    if callable(change):
        return as_interventions(change(name, at[0]))
    return Interventions(patches=Patch(name, at, add=change))


def _passes(
    bundle: Bundle, run: Run, cells: Sequence[Cell], *, needs_all: bool
) -> Iterator[tuple[Sequence[Any], Tensor]]:
    """Yield the cells of each batch and their logits (B, T, V), or (B, 1, V) if only the last position is needed."""
    config, model = bundle.config, transformer_of(bundle)
    n_tokens = max(len(run.ids[0]), len(run.ids[1]))
    at_once = max(1, TOKENS_AT_ONCE // n_tokens)
    by_start: dict[tuple[str, int] | None, list[Cell]] = {}
    for cell in cells:
        cell[3].check(config, n_source=len(run.ids[0]), n_target=len(run.ids[1]))
        by_start.setdefault(_start(bundle, run, cell), []).append(cell)
    passes = None
    for start, group in by_start.items():
        for first in range(0, len(group), at_once):
            part = group[first : first + at_once]
            edits = [cell[3] for cell in part]
            if start is None:
                both = [run.base.joined(edit) for edit in edits]
                forced = teacher_forced(bundle, [run.ids] * len(both), interventions=both, has_bound=False)
                hidden = forced.decoded.hidden
            else:
                passes = passes or PartialForward(bundle, run.ids[0], run.ids[1])
                hidden = passes.under(*start, edits)
            yield part, model.project(hidden if needs_all else hidden[:, -1:]).float()


def _start(bundle: Bundle, run: Run, cell: Cell) -> tuple[str, int] | None:
    """The stack and layer at which a variant first differs; None if the whole pass is needed."""
    name, edit = cell[2], cell[3]
    stack, _, rest = name.partition(".")
    layer = rest.partition(".")[0]
    is_plain = not run.base and edit == Interventions(patches=edit.patches)
    ours = all(patch.name == name for patch in edit.patches)
    if bundle.config.is_single_stack or not is_plain or not ours or not layer.isdigit() or reads_source(name):
        return None
    return stack, int(layer)


def _measure(run: Run, metric: Metric, plain: Tensor) -> Callable[[Tensor], Tensor]:
    """The metric of one sentence as a function from logits (B, T, V) to (B,); for a pair it reads the last position."""
    if callable(metric):
        return metric
    pair = run.pair
    if metric == "margin":
        assert pair is not None
        return lambda logits: logits[:, -1, pair.word_id] - logits[:, -1, pair.rival_id]
    if metric == "kl":
        base = (plain[:, -1:] if pair else plain).log_softmax(-1)
        return lambda logits: (
            (base.exp() * (base - (logits[:, -1:] if pair else logits).log_softmax(-1))).sum(-1).mean(-1)
        )
    if pair is not None:
        return lambda logits: logits[:, -1].log_softmax(-1)[:, pair.word_id]
    target = torch.tensor(run.ids[2], device=plain.device)
    return lambda logits: (
        logits.log_softmax(-1).gather(2, target.expand(len(logits), -1)[..., None])[..., 0].sum(-1)
    )  # fmt: skip


@torch.inference_mode()
def means_of(bundle: Bundle, runs: Sequence[Run], names: Sequence[str]) -> dict[str, Floats]:
    """Each site's mean over all positions of all sentences: (1, width), or (heads, 1, width)."""
    totals: dict[str, Any] = dict.fromkeys(names, 0.0)
    counts = dict.fromkeys(names, 0)
    for run in runs:
        recorded = teacher_forced(bundle, [run.ids], interventions=run.base, record=names).recorded
        for name in names:
            values = recorded[name][0].double()
            totals[name] = totals[name] + values.sum(-2, keepdim=True)
            counts[name] += values.shape[-2]
    try:
        return {name: (totals[name] / counts[name]).float().cpu().numpy() for name in names}
    except RuntimeError as error:
        raise SweepError(
            "rows over tokens have no mean over sentences: choose vectors, such as residual.after"
        ) from error
