"""The player's data from a Trace or a BeamTree: hypotheses as nodes, and a row for each node that was fed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model import Bundle, Trace
from model.decoding.beam_tree import BeamTree, Node
from model.text.tokens import pieces_of
from model.trace import Floats

MAX_WEIGHTS = 1_500_000
"""Above this count of weights (two bytes each) the heads of a layer are averaged."""


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
    """A translation or a tree of hypotheses, step by step."""

    source: tuple[str, ...]
    nodes: tuple[Node, ...]
    fed_rows: tuple[int, ...]
    """For each node the row that was fed its token, or -1."""
    rows: tuple[PlayRow, ...]
    path: tuple[int, ...]
    """Nodes of the first translation to show, from the beginning to its end."""
    stage: tuple[int, ...]
    """Nodes of the translation on the stage."""
    is_tree: bool
    is_averaged: bool
    """Whether the heads of a layer are averaged, because all of them would be too many to send."""
    vocabulary_size: int


def play_of_trace(bundle: Bundle, trace: Trace) -> Play:
    """A single hypothesis, step by step."""
    candidates, cross, decoder_self = trace.candidates, trace.attention.cross, trace.attention.decoder_self
    assert candidates is not None and decoder_self is not None
    cross = _empty_cross(decoder_self) if cross is None else cross
    total, nodes, length = 0.0, [], len(trace.target)
    pieces = (trace.prefix.pieces[0], *trace.target.pieces)
    ids = (trace.prefix.ids[0], *trace.target.ids)
    values = (0.0, *map(float, trace.log_probs))
    for depth, (index, piece, value) in enumerate(zip(ids, pieces, values, strict=True)):
        total += value
        fate = "begin" if not depth else "kept" if depth < length else "cut" if trace.is_truncated else "ended"
        nodes.append(Node(depth, depth - 1, depth, index, piece, value, total, total, fate, 0, True, None))
    is_averaged = _is_large(length, len(trace.source), cross.shape[0] * cross.shape[1])
    rows = tuple(
        _row(candidates.ids[t], candidates.pieces[t], candidates.log_probs[t], cross[:, :, t],
             decoder_self[:, :, t, : t + 1], is_averaged)
        for t in range(length)
    )  # fmt: skip
    path = tuple(range(length + 1))
    return Play(
        source=trace.source.pieces, nodes=tuple(nodes), fed_rows=(*range(length), -1), rows=rows, path=path, stage=path,
        is_tree=False, is_averaged=is_averaged, vocabulary_size=bundle.config.target_vocab_size,
    )  # fmt: skip


def play_of_tree(bundle: Bundle, tree: BeamTree) -> Play:
    """All hypotheses of a beam search and its forks; the best translation of the last fork is the first to show."""
    steps = [(node.index, *place) for node in tree.nodes if (place := tree.step_of(node.index)) is not None]
    first = tree.searches[0][0].decoder_self
    assert first is not None
    is_averaged = _is_large(len(steps), len(tree.source), first.shape[1] * first.shape[2])
    names = pieces_of(bundle, {int(i) for _, step, row in steps for i in step.candidate_ids[row]})
    rows, fed_rows = [], [-1] * len(tree.nodes)
    for index, step, row in steps:
        assert step.decoder_self is not None
        cross = _empty_cross(step.decoder_self) if step.cross is None else step.cross
        fed_rows[index] = len(rows)
        ids = step.candidate_ids[row]
        pieces = [names[int(i)] for i in ids]
        rows.append(_row(ids, pieces, step.candidate_log_probs[row], cross[row], step.decoder_self[row], is_averaged))
    return Play(
        source=tree.source.pieces, nodes=tree.nodes, fed_rows=tuple(fed_rows), rows=tuple(rows),
        path=_path(tree, tree.best[-1]), stage=_path(tree, tree.best[0]), is_tree=True, is_averaged=is_averaged,
        vocabulary_size=bundle.config.target_vocab_size,
    )  # fmt: skip


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
    ids: Sequence[int] | np.ndarray, pieces: Sequence[str], log_probs: Floats, cross: Floats, decoder_self: Floats,
    is_averaged: bool,
) -> PlayRow:  # fmt: skip
    if is_averaged:
        cross, decoder_self = cross.mean(1, keepdims=True), decoder_self.mean(1, keepdims=True)
    candidates = tuple((int(i), piece, float(value)) for i, piece, value in zip(ids, pieces, log_probs, strict=True))
    return PlayRow(candidates[:10], cross, decoder_self)
