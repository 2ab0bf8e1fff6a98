"""Beam search as a tree: every hypothesis that was kept or pruned is a node, and any node can be forked.

A node is one token after its parent. A fork is one more search, forced to begin with the path to a node and one of
its candidates; its nodes join the tree where the paths agree.
"""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from model.decoding.beam_search import LengthPenalty, length_norm
from model.decoding.step import DecodingStep
from model.trace import Floats, TokenSequence

NodeStatus = Literal["begin", "kept", "pruned", "ended", "cut"]
_RANK: dict[NodeStatus, int] = {"pruned": 0, "kept": 1, "cut": 2, "ended": 3, "begin": 4}


@dataclass(frozen=True, slots=True)
class Node:
    """A hypothesis: the path from the beginning to one token."""

    index: int
    parent: int
    """-1 for the beginning."""
    depth: int
    """Tokens from the beginning; 0 there."""
    token_id: int
    piece: str
    log_prob: float
    """Natural logarithm of this token's probability after its parent."""
    score: float
    """Sum over the path, in nats."""
    normalised: float
    """The score over ``length_norm`` of its depth."""
    fate: NodeStatus
    """Whether it was continued, pruned at once, ended, or cut by the length limit."""
    search: int
    """0 for the first search, then the number of the fork that found it."""
    is_best: bool
    """Whether it lies on the path of its search's best translation."""
    seen: tuple[int, int, int] | None
    """(search, step, row) at which it was fed to the decoder; None if it never was."""


@dataclass(frozen=True, slots=True)
class BeamTree:
    """All hypotheses of one sentence, parents before children."""

    source: TokenSequence
    nodes: tuple[Node, ...]
    best: tuple[int, ...]
    """The last node of each search's best translation."""
    searches: tuple[tuple[DecodingStep, ...], ...]
    beam_size: int
    length_penalty: float | LengthPenalty

    def path(self, index: int) -> tuple[int, ...]:
        """Token ids from the beginning, itself excluded, to a node."""
        ids = []
        while index > 0:
            ids.append(self.nodes[index].token_id)
            index = self.nodes[index].parent
        return tuple(reversed(ids))

    def step_of(self, index: int) -> tuple[DecodingStep, int] | None:
        """The step, and the row in it, that was fed this node's token and predicts the next; None if there is none."""
        seen = self.nodes[index].seen
        return None if seen is None else (self.searches[seen[0]][seen[1]], seen[2])

    def cross(self, index: int) -> Floats | None:
        """(L, H, S) attention over the source of the step that predicted this node's token."""
        parent = self.nodes[index].parent
        place = self.step_of(parent) if parent >= 0 else None
        return None if place is None or place[0].cross is None else place[0].cross[place[1]]


class GrowingTree:
    """A tree to which searches are added.

    Args:
        bos_id: the token that every hypothesis begins with.
        pieces_of: writes ids as pieces of the vocabulary.
    """

    def __init__(
        self,
        *,
        bos_id: int,
        pieces_of: Callable[[Iterable[int]], dict[int, str]],
        beam_size: int,
        length_penalty: float | LengthPenalty,
    ) -> None:
        self.pieces_of, self.beam_size, self.length_penalty = pieces_of, beam_size, length_penalty
        self.nodes = [Node(0, -1, 0, bos_id, pieces_of([bos_id])[bos_id], 0.0, 0.0, 0.0, "begin", 0, True, (0, 0, 0))]
        self.children: dict[tuple[int, int], int] = {}
        self.best: list[int] = []
        self.searches: list[tuple[DecodingStep, ...]] = []

    def grown(self, source: TokenSequence) -> BeamTree:
        """A frozen copy of the tree so far."""
        return BeamTree(
            source, tuple(self.nodes), tuple(self.best), tuple(self.searches), self.beam_size, self.length_penalty
        )

    def add(self, search: int, steps: Sequence[DecodingStep]) -> None:
        """Add one search's hypotheses to the tree."""
        self.searches.append(tuple(steps))
        numbers = (ids for step in steps for ids in (step.chosen.ids, step.candidate_ids.ravel()))
        names = self.pieces_of({token for ids in numbers for token in ids.tolist()})
        at = np.zeros(1, np.int64)  # index of the node of each row
        ends = []
        for t, step in enumerate(steps):
            chosen = step.chosen
            nodes = np.zeros(len(chosen.ids), np.int64)
            for i in range(len(chosen.ids)):
                fate: NodeStatus = "cut" if chosen.is_truncated[i] else "ended" if chosen.is_final[i] else "kept"
                row = int(chosen.rows[i])
                nodes[i] = self._join(search, int(at[row]), int(chosen.ids[i]), float(chosen.log_probs[i]), fate, names)
                if chosen.is_final[i]:
                    ends.append(int(nodes[i]))
            for row, token, log_prob in self._pruned(step):
                self._join(search, int(at[row]), token, log_prob, "pruned", names)
            if t + 1 < len(steps):
                at = nodes[steps[t + 1].parents]
                for row, node in enumerate(at.tolist()):
                    if self.nodes[node].seen is None:
                        self.nodes[node] = dataclasses.replace(self.nodes[node], seen=(search, t + 1, row))
        self._finish(ends)

    def _pruned(self, step: DecodingStep) -> Iterator[tuple[int, int, float]]:
        """The best continuations that were not chosen, as many as the beam is wide: (row, token, log-probability)."""
        taken = set(zip(step.chosen.rows.tolist(), step.chosen.ids.tolist(), strict=True))
        totals = step.scores[:, None] + step.candidate_log_probs
        left = self.beam_size
        for flat in np.argsort(-totals, axis=None, kind="stable"):
            row, place = divmod(int(flat), totals.shape[1])
            token = int(step.candidate_ids[row, place])
            if left and (row, token) not in taken:
                left -= 1
                yield row, token, float(step.candidate_log_probs[row, place])

    def _join(
        self, search: int, parent: int, token: int, log_prob: float, fate: NodeStatus, names: dict[int, str]
    ) -> int:
        known = self.children.get((parent, token))
        if known is not None:
            if _RANK[fate] > _RANK[self.nodes[known].fate]:
                self.nodes[known] = dataclasses.replace(self.nodes[known], fate=fate)
            return known
        above = self.nodes[parent]
        depth, score = above.depth + 1, above.score + log_prob
        norm = length_norm(depth, self.length_penalty)
        index = len(self.nodes)
        self.nodes.append(
            Node(index, parent, depth, token, names[token], log_prob, score, score / norm, fate, search, False, None)
        )
        self.children[parent, token] = index
        return index

    def _finish(self, ends: Sequence[int]) -> None:
        """Mark the path of the search's best end."""
        index = max(ends, key=lambda end: self.nodes[end].normalised)
        self.best.append(index)
        while index > 0:
            self.nodes[index] = dataclasses.replace(self.nodes[index], is_best=True)
            index = self.nodes[index].parent
