"""Finds similar states of the model in a corpus: nearest neighbours of a token's residual stream, and a 2-D projection.

Similarity is the cosine of two states after subtracting the corpus mean, because all states of a layer share a large
common component (Ethayarajh 2019, "How Contextual are Contextualized Word Representations?"). Searching a corpus for a
decoder's state is an idea of Seq2Seq-Vis (Strobelt et al. 2018).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import torch
from numpy.typing import NDArray

from model.bundle import Bundle
from model.corpus.batches import Row, batches, forced_pass, read_rows
from model.corpus.survey import Survey
from model.corpus.tables import hidden_states, stack_tokens, unscale
from model.inference.teacher_forcing import TeacherForced, teacher_forced
from model.progress import Progress, ignore_progress
from model.text.counting import format_count
from model.text.links import CorpusError
from model.text.pairs import Pair
from model.trace import ShapeError, Trace

EXACT = 20_000
"""Up to this number of states the search is exact; beyond it a Faiss index is used, if Faiss is installed."""
MOST_STATES = 200_000
N_CELLS, N_PROBED = 256, 16
"""Faiss's nlist and nprobe: the number of cells of the index, and how many of them are searched."""


@dataclass(frozen=True, slots=True)
class States:
    """One layer's residual stream at N tokens of a corpus."""

    name: str
    """Such as "encoder.2" or "decoder.4": the output of that layer; 0 means the embeddings."""
    vectors: NDArray[np.floating]
    """(N, D): float16, or float32 if a value is beyond ±65,504, the range of float16."""
    ids: NDArray[np.int64]
    """(N,) the sentence of each token."""
    positions: NDArray[np.int32]
    """(N,) the token's position in the source, or its step in the target."""
    tokens: tuple[str, ...]
    """The token at that position of the source, or of the decoder's input."""
    next_tokens: tuple[str, ...]
    """The next source token, or the decoder's target at that step; empty at the end of a source."""

    def __post_init__(self) -> None:
        n = len(self.vectors)
        if not n == len(self.ids) == len(self.positions) == len(self.tokens) == len(self.next_tokens):
            raise ShapeError(f"{self.name}: {n} vectors for {len(self.tokens)} tokens")


@dataclass(frozen=True, slots=True)
class Neighbours:
    """States that can be searched."""

    states: States
    mean: NDArray[np.float32]
    """(D,)"""
    directions: NDArray[np.float16]
    """(N, D) states minus their mean, normalised to length 1."""
    index: Any
    """The Faiss index, for more than ``EXACT`` states; None: exact search."""

    def nearest(self, vector: NDArray[np.floating], n: int = 20) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Indexes in ``states`` and cosines of the n nearest states, nearest first."""
        direction = _directions(vector[None].astype(np.float32) - self.mean)
        if self.index is not None:
            cosines, places = self.index.search(direction.astype(np.float32), n)
            is_place = places[0] >= 0
            return places[0][is_place], cosines[0][is_place]
        cosines = self.directions.astype(np.float32) @ direction[0].astype(np.float32)
        order = np.argsort(-cosines, kind="stable")[:n]
        return order, cosines[order]


@dataclass(frozen=True, slots=True)
class Projection:
    """States projected to their first two principal components."""

    points: NDArray[np.float32]
    """(N, 2)"""
    mean: NDArray[np.float32]
    """(D,)"""
    axes: NDArray[np.float32]
    """(2, D)"""
    share: float
    """Share of the variance that the two components explain, in [0, 1]."""

    def place(self, vector: NDArray[np.floating]) -> NDArray[np.float32]:
        """The projection of another state, (2,)."""
        return ((vector.astype(np.float32) - self.mean) @ self.axes.T).astype(np.float32)


def state_names(bundle: Bundle) -> tuple[str, ...]:
    """The names of the residual streams: for each stack, the embeddings and the output of each layer."""
    depths = {"encoder": bundle.config.n_encoder_layers, "decoder": bundle.config.n_decoder_layers}
    return tuple(f"{stack}.{layer}" for stack, depth in depths.items() for layer in range(depth + 1))


def stored_states(survey: Survey) -> tuple[str, ...]:
    """The names of the states stored in a survey; none if it was made without ``--states``."""
    return tuple(survey.stamps[0].options.get("states", ())) if "states" in survey.tables else ()


def read_states(survey: Survey, name: str) -> States:
    """The states stored in a survey, at most ``MOST_STATES`` of them.

    Raises:
        CorpusError: when it was made without them, or an earlier version could not store values of this size.
    """
    if name not in stored_states(survey):
        raise CorpusError(f"the survey has no states “{name}”: survey again with --states {name}")
    scaled = {"exponent" in pq.read_schema(path).names for path in survey.tables["states"]}
    if len(scaled) > 1:
        raise CorpusError("a part of the survey's states was written by an earlier version: survey again")
    frame = survey.query(
        f"SELECT id, position, token, next_token, state, {'exponent' if scaled == {True} else '0 AS exponent'} "
        f"FROM states WHERE states = ? ORDER BY id, position LIMIT {MOST_STATES}",
        [name],
    )
    halves = np.frombuffer(b"".join(frame["state"]), np.float16).reshape(len(frame), -1)
    vectors = unscale(halves, frame["exponent"].to_numpy(np.int8))
    if not np.isfinite(vectors).all():
        raise CorpusError(f"numbers of the states “{name}” were too large for an earlier version: survey again")
    return States(
        name, vectors, frame["id"].to_numpy(np.int64), frame["position"].to_numpy(np.int32),
        tuple(frame["token"]), tuple(frame["next_token"]),
    )  # fmt: skip


def gather_states(
    bundle: Bundle, pairs: Sequence[Pair], names: Sequence[str], *, on_progress: Progress = ignore_progress
) -> dict[str, States]:
    """Compute the states that a survey of these pairs would store.

    Raises:
        CorpusError: when the model can read no pair.
    """
    rows, _ = read_rows(bundle, pairs)
    if not rows:
        raise CorpusError("the model can read none of the pairs")
    parts: dict[str, list[tuple[Row, NDArray[np.floating]]]] = {name: [] for name in names}
    done = 0
    for chosen in batches(bundle, rows):
        with torch.inference_mode():
            captured = forced_pass(bundle, chosen)
            for name in names:
                for row, vectors in zip(chosen, _of_pass(captured, name), strict=True):
                    parts[name].append((row, vectors[: len(stack_tokens(row, name)[0])]))
        done += len(chosen)
        on_progress(done, len(rows))
    return {name: _join_states(name, sorted(rows, key=lambda part: part[0].id)) for name, rows in parts.items()}


@torch.inference_mode()
def states_of(bundle: Bundle, trace: Trace, name: str) -> NDArray[np.float32]:
    """The same residual stream for the tokens of a trace, (S or T, D)."""
    forced_pass = teacher_forced(bundle, [trace], interventions=trace.interventions, capture=True)
    return _of_pass(forced_pass, name)[0].astype(np.float32)


def searchable(states: States, *, exact: int = EXACT) -> Neighbours:
    """Prepare states for ``nearest``; more than ``exact`` states get a Faiss index, if Faiss is installed."""
    mean = states.vectors.mean(0, dtype=np.float64).astype(np.float32)
    directions = _directions(states.vectors.astype(np.float32) - mean)
    return Neighbours(states, mean, directions, _index(directions) if len(directions) > exact else None)


def project(*states: States) -> Projection:
    """Fit one projection to the states of one or several layers; points are in the order of the arguments.

    Raises:
        CorpusError: when there are fewer than three states.
    """
    vectors = np.concatenate([part.vectors for part in states]).astype(np.float32)
    if len(vectors) < 3:
        raise CorpusError(f"a plane needs 3 states, but got {format_count(len(vectors), 'state')}: give more sentences")
    mean = vectors.mean(0)
    centred = vectors - mean
    values, vectors_of_axes = np.linalg.eigh(centred.T @ centred)  # ascending
    axes = vectors_of_axes[:, :-3:-1].T
    # The sign of an axis is arbitrary: make the largest component positive, so that every run gives the same plot.
    axes = axes * np.sign(axes[np.arange(2), np.abs(axes).argmax(1)])[:, None]
    share = float(values[-2:].sum() / max(values.sum(), 1e-12))
    return Projection((centred @ axes.T).astype(np.float32), mean, axes.astype(np.float32), share)


def _of_pass(forced_pass: TeacherForced[Any], name: str) -> NDArray[np.floating]:
    states = hidden_states(forced_pass, name)
    halves = states.to(torch.float16).cpu().numpy()
    return halves if np.isfinite(halves).all() else states.float().cpu().numpy()


def _join_states(name: str, parts: Sequence[tuple[Row, NDArray[np.floating]]]) -> States:
    read, following = zip(*(stack_tokens(row, name) for row, _ in parts), strict=True)
    sizes = [len(tokens) for tokens in read]
    return States(
        name,
        np.concatenate([vectors for _, vectors in parts]),
        np.repeat([row.id for row, _ in parts], sizes).astype(np.int64),
        np.concatenate([np.arange(size, dtype=np.int32) for size in sizes]),
        tuple(piece for tokens in read for piece in tokens.pieces),
        tuple(piece for pieces in following for piece in pieces),
    )


def _directions(vectors: NDArray[np.float32]) -> NDArray[np.float16]:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.maximum(lengths, 1e-12)).astype(np.float16)


def _index(directions: NDArray[np.float16]) -> Any:
    try:
        import faiss
    except ImportError:  # an optional extra; without it the search is exact
        return None
    vectors = directions.astype(np.float32)
    n_cells = min(N_CELLS, len(vectors) // 40 or 1)
    index = faiss.IndexIVFFlat(
        faiss.IndexFlatIP(vectors.shape[1]), vectors.shape[1], n_cells, faiss.METRIC_INNER_PRODUCT
    )
    index.cp.niter = 8
    index.train(vectors[:: max(1, len(vectors) // 20_000)])
    index.add(vectors)
    index.nprobe = N_PROBED
    return index
