"""The player's data from a Trace or a BeamTree: hypotheses as nodes, and a row for each node that was fed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model import Bundle, Trace
from model.decoding.beam_tree import BeamTree
from model.text.tokens import pieces_of
from model.trace import Floats

MAX_WEIGHTS = 1_500_000
"""Weights sent at most, two bytes each: beyond it heads are averaged."""


@dataclass(frozen=True, slots=True)
class PlayNode:
    """One token of a hypothesis; the first node is the beginning of the sentence."""

    parent: int
    depth: int
    token_id: int
    piece: str
    log_prob: float
    score: float
    normalised: float
    fate: str
    """begin, kept, pruned, ended or cut."""
    search: int
    is_best: bool
    row: int
    """The row that was fed this token; -1 when none was."""


@dataclass(frozen=True, slots=True)
class PlayRow:
    """One step of one hypothesis: the candidates and the attention."""

    candidates: tuple[tuple[int, str, float], ...]
    """(id, piece, log-probability), best first."""
    cross: Floats
    """(L, H, S)"""
    decoder_self: Floats
    """(L, H, prefix)"""


@dataclass(frozen=True, slots=True)
class Play:
    """Everything that can be stepped through."""

    source: tuple[str, ...]
    nodes: tuple[PlayNode, ...]
    rows: tuple[PlayRow, ...]
    path: tuple[int, ...]
    """Nodes of the translation shown first, from the beginning to its end."""
    stage: tuple[int, ...]
    """Nodes of the translation on the stage."""
    is_tree: bool
    is_averaged: bool
    """Whether heads are averaged per layer, because all of them would be too many to send."""
    vocabulary_size: int


def play_of_trace(bundle: Bundle, trace: Trace) -> Play:
    """A single hypothesis, step by step."""
    candidates, cross, decoder_self = trace.candidates, trace.attention.cross, trace.attention.decoder_self
    assert candidates is not None and decoder_self is not None
    cross = _empty_cross(decoder_self) if cross is None else cross
    total, nodes = 0.0, []
    pieces = (trace.prefix.pieces[0], *trace.target.pieces)
    ids = (trace.prefix.ids[0], *trace.target.ids)
    values = (0.0, *map(float, trace.log_probs))
    for depth, (index, piece, value) in enumerate(zip(ids, pieces, values, strict=True)):
        total += value
        is_last = depth == len(trace.target)
        fate = "begin" if not depth else ("cut" if trace.is_truncated else "ended") if is_last else "kept"
        row = -1 if is_last else depth
        nodes.append(PlayNode(depth - 1, depth, index, piece, value, total, total, fate, 0, True, row))
    is_averaged = _is_large(len(trace.target), len(trace.source), cross.shape[0] * cross.shape[1])
    rows = tuple(
        _row(candidates.ids[t], candidates.pieces[t], candidates.log_probs[t], cross[:, :, t],
             decoder_self[:, :, t, : t + 1], is_averaged)
        for t in range(len(trace.target))
    )  # fmt: skip
    size = bundle.config.target_vocab_size
    path = tuple(range(len(nodes)))
    return Play(trace.source.pieces, tuple(nodes), rows, path, path, False, is_averaged, size)


def play_of_tree(bundle: Bundle, tree: BeamTree) -> Play:
    """All hypotheses of a beam search and its forks; the last fork's best translation is shown first."""
    rows: list[PlayRow] = []
    nodes: list[PlayNode] = []
    fed = [node for node in tree.nodes if node.seen is not None]
    first = tree.searches[0][0].decoder_self
    assert first is not None
    is_averaged = _is_large(len(fed), len(tree.source), first.shape[1] * first.shape[2])
    steps = [tree.step_of(node.index) for node in fed]
    names = pieces_of(bundle, {int(i) for at in steps if at for i in at[0].candidate_ids[at[1]]})
    row_of = {}
    for node, at in zip(fed, steps, strict=True):
        assert at is not None
        step, row = at
        assert step.decoder_self is not None
        cross = _empty_cross(step.decoder_self) if step.cross is None else step.cross
        row_of[node.index] = len(rows)
        ids = step.candidate_ids[row]
        pieces = [names[int(i)] for i in ids]
        rows.append(_row(ids, pieces, step.candidate_log_probs[row], cross[row], step.decoder_self[row], is_averaged))
    for node in tree.nodes:
        nodes.append(
            PlayNode(
                node.parent, node.depth, node.token_id, node.piece, node.log_prob, node.score, node.normalised,
                node.fate, node.search, node.is_best, row_of.get(node.index, -1),
            )
        )  # fmt: skip
    size = bundle.config.target_vocab_size
    last, first = _path(tree, tree.best[-1]), _path(tree, tree.best[0])
    return Play(tree.source.pieces, tuple(nodes), tuple(rows), last, first, True, is_averaged, size)


def _empty_cross(decoder_self: Floats) -> Floats:
    """The cross-attention of a decoder-only model, over zero source tokens."""
    return np.zeros((*decoder_self.shape[:-1], 0), np.float32)


def _path(tree: BeamTree, index: int) -> tuple[int, ...]:
    path = [index]
    while path[-1] > 0:
        path.append(tree.nodes[path[-1]].parent)
    return tuple(reversed(path))


def _is_large(n_rows: int, n_source: int, n_heads: int) -> bool:
    return n_rows * (n_source + n_rows // 2) * n_heads > MAX_WEIGHTS


def _row(
    ids: Sequence[int] | np.ndarray,
    pieces: Sequence[str],
    log_probs: Floats,
    cross: Floats,
    decoder_self: Floats,
    is_averaged: bool,
) -> PlayRow:
    if is_averaged:
        cross, decoder_self = cross.mean(1, keepdims=True), decoder_self.mean(1, keepdims=True)
    candidates = tuple((int(i), piece, float(value)) for i, piece, value in zip(ids, pieces, log_probs, strict=True))
    return PlayRow(candidates[:10], cross, decoder_self)
