"""Path patching: the effect of a sender on a receiver by the direct path alone (Goldowsky-Dill et al. 2023; Wang et al.
2023, section 3.1).

A path takes two passes. In the first, the sender's output is that for another sentence, the outputs of all later
sublayers of its stack are frozen, norms are recomputed, and the receiver's input is recorded. In the second, only the
receiver's input is replaced by that, and everything after it is recomputed. Unlike ``circuit``, which cuts any set of
edges of a pre-norm encoder-decoder, it follows one path in any of our Transformers, post-norm and decoder-only ones
included.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from model.activations import activation_shapes, matching
from model.bundle import Bundle
from model.inference.teacher_forcing import teacher_forced
from model.interpret.inspection import transformer_of
from model.interpret.sweeping import EffectTable, Place, as_places, effect_table, places_of, read_runs
from model.interpret.tracing.sweep_passes import (
    TOKENS_AT_ONCE,
    Applied,
    Metric,
    Run,
    SweepError,
    change_is,
    edit_of,
    effects_of_edits,
    means_of,
    reads_source,
)
from model.interventions import Interventions
from model.lazy import pandas
from model.patch import Patch
from model.progress import Progress, ignore_progress
from model.text.tokens import Source
from model.trace import Floats, Trace

_EXAMPLE = "a head is named as decoder.1.cross.0, a network as decoder.1.feed_forward, and the end is logits"
ROLES = ("query", "key", "value")
_RANKS = ("before", "self", "middle", "cross", "after_cross", "feed_forward", "after")
"""The order of a layer's computation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathEffects(EffectTable):
    """The effect of each path from N senders to R receivers, in each of M sentences; NaN if there is no direct path."""

    senders: tuple[str, ...]
    receivers: tuple[str, ...]

    def to_frame(self) -> pandas.DataFrame:
        """One row for each sentence and path; needs pandas."""
        return self._frame(
            lambda _, n, r: {"sender": [self.senders[i] for i in n], "receiver": [self.receivers[i] for i in r]}
        )


def path_effects(
    bundle: Bundle,
    pairs: Sequence[Source | Trace | tuple[Source | Trace, Source | Trace]],
    *,
    senders: str | Sequence[str],
    receivers: str | Sequence[str] = "logits",
    positions: int | str | Sequence[Place] | None = None,
    receiver_positions: int | str | Sequence[Place] | None = None,
    change: Applied = "patch",
    metric: Metric | None = None,
    on_progress: Progress = ignore_progress,
) -> PathEffects:
    """Patch the output of each sender only on the direct path to each receiver, and measure the effect on a metric.

    ``path_effects(bundle, pairs, senders="encoder.*.self.*", receivers="decoder.*.cross.*.value")`` shows through which
    values of cross-attention each encoder head acts.

    Args:
        pairs: as in ``sweep``: the second sentence is read with the sender's output for the first. Single texts or
            traces for a change that needs no other sentence.
        senders: names or patterns: heads such as "decoder.1.cross.0", networks such as "decoder.1.feed_forward",
            streams such as "decoder.1.residual.after", "encoder.embedding" or "encoder.final_norm".
        receivers: names or patterns of later nodes: a head's "decoder.1.cross.0.query", "….key" or "….value"; the input
            of a network; streams; "logits". A path from the encoder into the decoder ends at keys and values of
            cross-attention, since the decoder reads nothing else of the encoder.
        positions: the senders' positions, all patched at once: numbers (negative from the end) or phrases; None: all.
        receiver_positions: the receivers' positions, in the same forms.
        change: as in ``sweep``, except a function.
        metric: as in ``sweep``.

    Raises:
        SweepError: for no sentences, no path between any of the nodes, or an unsuitable change or metric.
        RecordingError: when there is no such node.
        CausalError: for a pair whose translations do not differ.
        InspectionError: for a model that runs in its original code.
    """
    transformer_of(bundle)
    if callable(change):
        raise SweepError("a path begins with a changed activation: give patch, zero, mean or an array")
    first = _choose_nodes(senders, sender_nodes(bundle), "sender")
    last = _choose_nodes(receivers, receiver_nodes(bundle), "receiver")
    paths = [(i, j) for i, sender in enumerate(first) for j, end in enumerate(last) if has_path(bundle, sender, end)]
    if not paths:
        raise SweepError(
            f"no direct path leads from {first[0].label} to {last[0].label}: a receiver comes later than its sender, "
            "and from the encoder it is a key or a value of cross-attention, such as decoder.0.cross.0.key"
        )
    runs, chosen = read_runs(bundle, pairs, metric, change)
    names = tuple(dict.fromkeys(sender.name for sender in first))
    means = means_of(bundle, runs, names) if change_is(change, "mean") else {}

    def measure(run: Run) -> tuple[Floats, float, float]:
        edits = _edits(bundle, run, first, positions, change, means)
        ends = [_positions(bundle, run, end, receiver_positions) for end in last]
        known = [(i, j) for i, j in paths if edits[i] is not None and ends[j]]
        cells = _receiver_inputs(bundle, run, first, last, known, edits, ends)
        return effects_of_edits(bundle, run, cells, (len(first), len(last)), chosen)

    table = effect_table(runs, chosen, map(measure, runs), on_progress)
    if not np.isfinite(table["effects"]).any():
        raise SweepError("no sentence has these positions: phrases are those of the source for the encoder, and of the "
                         "translation for the decoder")  # fmt: skip
    return PathEffects(
        senders=tuple(node.label for node in first), receivers=tuple(node.label for node in last), **table
    )


def _choose_nodes(labels: str | Sequence[str], nodes: Mapping[str, Node], what: str) -> list[Node]:
    try:
        return [nodes[label] for label in matching((labels,) if isinstance(labels, str) else labels, nodes)]
    except KeyError as error:
        message = str(error.args[0]).replace("activation", what, 1)
        raise SweepError(message.replace("model.activation_names(bundle) lists those there are", _EXAMPLE)) from None


def _positions(
    bundle: Bundle, run: Run, node: Node, positions: int | str | Sequence[Place] | None
) -> tuple[int, ...]:  # fmt: skip
    """All requested positions of a node in one sentence."""
    if node.name == "logits":
        return (-1,)
    places = places_of(bundle, run, node.name, as_places(positions))
    return tuple(sorted({index for place in places for index in place}))


def _edits(
    bundle: Bundle, run: Run, senders: Sequence[Node], positions: int | str | Sequence[Place] | None,
    change: Applied, means: Mapping[str, Floats],
) -> list[Interventions | None]:  # fmt: skip
    """The patch of each sender; None if it has no such position, or there is no value to patch in."""
    donated = {}
    if change_is(change, "patch"):
        assert run.pair is not None
        names = {sender.name for sender in senders}
        with torch.inference_mode():
            donated = teacher_forced(bundle, [run.pair.fed[0]], record=names).recorded
    edits: list[Interventions | None] = []
    for sender in senders:
        at = _positions(bundle, run, sender, positions)
        if change_is(change, "patch") and run.pair is not None:
            aligned = dict(run.pair.places("encoder" if reads_source(sender.name) else sender.stack))
            at = tuple(place for place in at if place in aligned)
        edit = edit_of(run, sender.name, at, change, donated, means) if at else None
        if edit is not None and sender.head is not None:
            edit = Interventions(patches=dataclasses.replace(edit.patches[0], heads=(sender.head,)))
        edits.append(edit)
    return edits


@torch.inference_mode()
def _receiver_inputs(
    bundle: Bundle, run: Run, senders: Sequence[Node], receivers: Sequence[Node], paths: Sequence[tuple[int, int]],
    edits: Sequence[Interventions | None], ends: Sequence[tuple[int, ...]],
) -> list[tuple[int, int, str, Interventions]]:  # fmt: skip
    """The receiver's input over each path, as an intervention of the second pass."""
    used = sorted({i for i, _ in paths})
    frozen = {name for i in used for name in frozen_names(bundle, senders[i])}
    plain = teacher_forced(bundle, [run.ids], interventions=run.base, record=frozen).recorded
    holds = {name: Patch(name, value=x[0].float().cpu().numpy()) for name, x in plain.items()}
    names = {j: "decoder.final_norm" if receivers[j].name == "logits" else receivers[j].name for _, j in paths}
    at_once = max(1, TOKENS_AT_ONCE // max(map(len, run.ids[:2])))
    cells: list[tuple[int, int, str, Interventions]] = []
    for start in range(0, len(used), at_once):
        part = used[start : start + at_once]
        rows = []
        for i in part:  # the sender's change, with every later sublayer of its stack frozen
            edit = edits[i]
            assert edit is not None
            later = (holds[name] for name in frozen_names(bundle, senders[i]))
            rows.append(run.base.joined(Interventions(patches=(*edit.patches, *later))))
        forced = teacher_forced(
            bundle, [run.ids] * len(rows), interventions=rows, record=names.values(), has_bound=False
        )
        for i, j in paths:
            if i not in part:
                continue
            end, name = receivers[j], names[j]
            x = forced.recorded[name][part.index(i)].float().cpu().numpy()
            if end.name == "logits":
                patch = Patch(name, value=x)
            else:
                heads = None if end.head is None else (end.head,)
                patch = Patch(name, ends[j], heads, value=x[..., list(ends[j]), :])
            cells.append((i, j, name, Interventions(patches=patch)))
    return cells


@dataclass(frozen=True, slots=True)
class Node:
    """One end of a path."""

    label: str
    name: str
    """The activation that a patch of the node replaces."""
    head: int | None = None

    @property
    def stack(self) -> str:
        """ "encoder", "decoder", or "logits"."""
        return self.name.partition(".")[0]


def sender_nodes(bundle: Bundle) -> dict[str, Node]:
    """The possible senders of a path: "encoder.embedding", "encoder.1.self.0" for a head's output,
    "decoder.1.feed_forward", "decoder.1.residual.after" and the other streams, and "encoder.final_norm"."""
    return {node.label: node for node in _nodes(bundle, "head_output", "output")}


def receiver_nodes(bundle: Bundle) -> dict[str, Node]:
    """The possible receivers of a path: query, key or value of a head, such as "decoder.1.cross.0.key";
    "decoder.1.feed_forward" for the network's input; the streams; and "logits"."""
    nodes = {node.label: node for node in _nodes(bundle, "", "hidden") if not node.name.endswith("embedding")}
    return nodes | {"logits": Node("logits", "logits")} if bundle.config.predicts else nodes


def _nodes(bundle: Bundle, of_heads: str, of_network: str) -> Iterator[Node]:
    config = bundle.config
    for name in activation_shapes(config):
        *place, part = name.split(".")
        if place and place[-1] in ("self", "cross"):
            n_heads = config.n_encoder_heads if name.startswith("encoder") else config.n_decoder_heads
            if part == of_heads or (not of_heads and part in ROLES):
                suffix = "" if of_heads else f".{part}"
                yield from (Node(f"{'.'.join(place)}.{head}{suffix}", name, head) for head in range(n_heads))
        elif place and place[-1] == "feed_forward":
            if part == of_network:
                yield Node(".".join(place), name)
        elif place:
            yield Node(name, name)


def has_path(bundle: Bundle, sender: Node, receiver: Node) -> bool:
    """Whether a sender's output reaches a receiver without passing through another head or network."""
    if reads_source(receiver.name):
        return sender.stack == "encoder"
    if sender.stack != ("decoder" if receiver.name == "logits" else receiver.stack):
        return False
    first, last = _place(sender.name), _place(receiver.name)
    spec = bundle.config.layers(encoder=sender.stack == "encoder")
    is_beside = first[0] == last[0] and first[1] == 1 and last[1] == 5 and spec[first[0]].parallel
    return first < last and not is_beside


def frozen_names(bundle: Bundle, sender: Node) -> Iterable[str]:
    """The names of the sublayer outputs after a sender in its stack."""
    depth = bundle.config.n_encoder_layers if sender.stack == "encoder" else bundle.config.n_decoder_layers
    kinds = ("self", "feed_forward") if sender.stack == "encoder" or bundle.config.is_single_stack else (
        "self", "cross", "feed_forward")  # fmt: skip
    names = (f"{sender.stack}.{layer}.{kind}.output" for layer in range(depth) for kind in kinds)
    return [name for name in names if _place(name) > _place(sender.name)]


def _place(name: str) -> tuple[int, int]:
    """Sort key of a stack's activations in the order of computation: layer, and place within it."""
    _, *rest = name.split(".")
    if not rest or rest == ["final_norm"]:
        return 1_000_000, int(not rest)
    if rest == ["embedding"]:
        return -1, 0
    return int(rest[0]), _RANKS.index(rest[2] if rest[1] == "residual" else rest[1])
