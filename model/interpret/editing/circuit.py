"""Which edges between heads and feed-forward networks make the difference between two sentences.

An edge's score is the fall of the metric when this edge alone carries the sender's output for the other sentence. It is
measured exactly, with a pass per edge (path patching, Goldowsky-Dill et al. 2023), or estimated by gradients on the
path between both sentences' embeddings (EAP with integrated gradients, Hanna et al. 2024, section 3).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from model.bundle import Bundle
from model.inference.batches import MAX_BATCH_ROWS
from model.inference.reading import read_translation
from model.interpret.causal import read_pair
from model.interpret.editing.graph import Graph, GraphPass
from model.interpret.inspection import encoder_decoder_of
from model.interpret.tracing.pair_reading import CausalError
from model.lazy import pandas
from model.progress import Progress, ignore_progress
from model.trace import Floats

Ids = tuple[int, ...]
Metric = Callable[[Tensor], Tensor]
"""Maps logits (B, T, V) to one number per row, (B,)."""
Sentence = str | tuple[str, str]
"""A sentence, or a sentence and its translation."""
N_POINTS = 5
"""Points on the path between the embeddings, as in Hanna et al. (2024)."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One edge and its score, in the metric's unit: positive if cutting the edge lowers the metric."""

    sender: str
    """ "encoder.embedding", a head such as "decoder.1.cross.0", or "decoder.1.feed_forward"."""
    receiver: str
    """A head's "query", "key" or "value", such as "decoder.1.cross.0.query", a feed-forward network, or "logits"."""
    score: float


@dataclass(frozen=True, slots=True)
class Circuit:
    """All edges, sorted by absolute score, and the part of the metric that the first of them explain."""

    edges: tuple[Edge, ...]
    sizes: tuple[int, ...]
    faithfulness: Floats
    """For each size, the share of the metric's difference that remains when all other edges are cut: 1 is all of it. It
    may exceed 1, or be negative."""
    completeness: Floats
    """For each size, the share that remains when these edges are cut: 0 means that no edge is missing."""
    clean: float
    """The mean metric of the first sentences."""
    corrupted: float
    """The mean metric of the second sentences."""

    def to_frame(self) -> pandas.DataFrame:
        """One row for each edge: sender, receiver, score; needs pandas."""
        return pandas.DataFrame([{"sender": e.sender, "receiver": e.receiver, "score": e.score} for e in self.edges])


@dataclass(frozen=True, slots=True)
class _Pair:
    source: Tensor
    prefix: Tensor
    metric: Metric
    instead: tuple[Tensor, ...]
    """Each sender's output for the second sentence."""
    clean: float
    corrupted: float


def circuit(
    bundle: Bundle,
    pairs: Sequence[tuple[Sentence, Sentence]],
    *,
    metric: Metric | None = None,
    method: Literal["gradient", "exact"] = "gradient",
    sizes: Sequence[int] | None = None,
    on_progress: Progress = ignore_progress,
) -> Circuit:
    """Score every edge of the encoder and the decoder, cross-attention included, and test the circuits of the best.

    Args:
        pairs: two sentences with the same number of tokens whose translations differ; the first sentence's token at the
            first difference is explained. Or two (sentence, translation) pairs of equal lengths: then each decoder is
            fed its own translation up to the last difference.
        metric: maps logits (B, T, V), whose last position predicts that token, to (B,). None is log p(first's token) -
            log p(second's token), in nats.
        method: "gradient", a few passes in all; "exact", one pass per edge.
        sizes: numbers of edges at which faithfulness and completeness are measured; None chooses about ten.
        on_progress: called with the passes, or groups of passes, done and in all.

    Raises:
        CausalError: for a post-norm model, no pairs, pairs of unequal length, or pairs with the same translation.
        InspectionError: for a model that runs in its original code.
    """
    model = encoder_decoder_of(bundle)
    graph = Graph.of(model)
    if not pairs:
        raise CausalError("there are no pairs: give at least one pair of sentences")
    read = [_read_pair(bundle, graph, *pair, metric) for pair in pairs]
    if method not in ("gradient", "exact"):
        raise CausalError(f"there is no method {method!r:.40}: choose gradient or exact")
    n_edges = int(graph.reads.sum())
    score, n_parts = (_estimate_effects, N_POINTS) if method == "gradient" else (_exact, -(-n_edges // MAX_BATCH_ROWS))
    steps = (step * 10**power for power in range(6) for step in (1, 2, 5))
    chosen = tuple(sorted({0, n_edges, *(n for n in steps if n < n_edges)})) if sizes is None else tuple(sizes)
    if not all(0 <= size <= n_edges for size in chosen):
        raise CausalError(f"sizes ({list(chosen)}) must be from 0 to {n_edges}, the number of edges")
    done, total = count(1), len(read) * n_parts + 2 * len(chosen)
    scores = torch.stack([score(model, graph, pair, lambda: on_progress(next(done), total)) for pair in read]).mean(0)
    places = sorted(graph.reads.nonzero().tolist(), key=lambda place: -abs(float(scores[tuple(place)])))
    edges = tuple(Edge(graph.senders[s], graph.receivers[r], float(scores[r, s])) for r, s in places)
    largest = torch.zeros(len(chosen), *graph.reads.shape, dtype=torch.bool)
    for row, size in enumerate(chosen):
        for r, s in places[:size]:
            largest[row, r, s] = True
    whole = sum(pair.clean - pair.corrupted for pair in read)
    shares: list[list[float]] = []
    for cuts in (graph.reads & ~largest, largest):
        shares.append([])
        for cut in cuts:
            with torch.no_grad():
                remaining = [float(_measure_metric(model, graph, pair, cut[None])) - pair.corrupted for pair in read]
            shares[-1].append(sum(remaining) / whole)
            on_progress(next(done), total)
    faithfulness, completeness = (np.array(of_sizes, np.float32) for of_sizes in shares)
    clean, corrupted = (float(np.mean([getattr(pair, side) for pair in read])) for side in ("clean", "corrupted"))
    return Circuit(edges, chosen, faithfulness, completeness, clean, corrupted)


def _read_pair(bundle: Bundle, graph: Graph, first: Sentence, second: Sentence, metric: Metric | None) -> _Pair:
    sources, prefixes, word, rival = _tokens(bundle, first, second)
    measure = metric or (lambda logits: logits[:, -1, word] - logits[:, -1, rival])
    run, device = encoder_decoder_of(bundle), bundle.device
    passes = [
        GraphPass(run, graph, torch.tensor([read], device=device), torch.tensor([fed], device=device))
        for read, fed in zip(sources, prefixes, strict=True)
    ]
    with torch.no_grad():
        clean, corrupted = (float(measure(graph_pass.run())) for graph_pass in passes)
    if clean == corrupted:
        raise CausalError(f"the metric is the same for {_text(first)} and {_text(second)}: choose another pair")
    return _Pair(passes[0].source, passes[0].prefix, measure, tuple(passes[1].written), clean, corrupted)


def _tokens(bundle: Bundle, first: Sentence, second: Sentence) -> tuple[list[Ids], list[Ids], int, int]:
    """Encoder and decoder inputs for both sentences, and the two tokens that are compared."""
    if isinstance(first, str) and isinstance(second, str):
        pair = read_pair(bundle, first, second)
        sources = [pair.first.source.ids, pair.second.source.ids]
        prefixes = [pair.first.prefix.ids[: pair.step + 1]] * 2
        word, rival = pair.word_id, pair.rival_id
    elif isinstance(first, tuple) and isinstance(second, tuple):
        both = [read_translation(bundle, *side) for side in (first, second)]
        targets = [translation.target.ids for translation in both]
        step = max((i for i, ids in enumerate(zip(*targets, strict=False)) if ids[0] != ids[1]), default=None)
        if step is None:
            raise CausalError(f"{_text(first)} and {_text(second)} have the same translation: choose another pair")
        sources = [translation.source.ids for translation in both]
        prefixes = [translation.prefix.ids[: step + 1] for translation in both]
        word, rival = (ids[step] for ids in targets)
        _check_length([ids[:-1] for ids in targets], first, second, "tokens of translation")
    else:
        raise CausalError("one side of a pair has a translation: give both a translation, or neither")
    _check_length(sources, first, second, "tokens")
    return sources, prefixes, word, rival


def _check_length(sides: Sequence[Ids], first: Sentence, second: Sentence, unit: str) -> None:
    length, other = map(len, sides)
    if length != other:
        raise CausalError(f"{_text(first)} has {length} {unit} and {_text(second)} {other}: give pairs of equal length")


def _text(sentence: Sentence) -> str:
    return f"“{(sentence if isinstance(sentence, str) else sentence[1])[:60]}”"


def _estimate_effects(model: Any, graph: Graph, pair: _Pair, tick: Callable[[], object]) -> Tensor:
    """(clean - corrupted) · mean gradient at the receiver's input over points between both embeddings, (R, S)."""
    with torch.no_grad():
        plain = GraphPass(model, graph, pair.source, pair.prefix)
        plain.run()
    slopes: dict[str, Tensor] = {}
    for point in range(1, N_POINTS + 1):
        share = point / N_POINTS
        mixed = {
            name: pair.instead[place] + share * (plain.written[place] - pair.instead[place])
            for place, name in enumerate(graph.senders) if name.endswith("embedding")
        }  # fmt: skip
        with torch.enable_grad():
            graph_pass = GraphPass(model, graph, pair.source, pair.prefix, embedded=mixed, with_slopes=True)
            aim = pair.metric(graph_pass.run()).sum()
            gradients = torch.autograd.grad(aim, list(graph_pass.inputs.values()), allow_unused=True)
        for name, slope in zip(graph_pass.inputs, gradients, strict=True):
            if slope is not None:
                slopes[name] = slopes.get(name, 0.0) + slope.detach() / N_POINTS
        tick()
    scores = torch.zeros(graph.reads.shape)
    for r, s in graph.reads.nonzero().tolist():
        slope = slopes.get(graph.receivers[r])
        if slope is not None:
            scores[r, s] = float(((plain.written[s] - pair.instead[s]) * slope).sum())
    return scores


@torch.no_grad()
def _exact(model: Any, graph: Graph, pair: _Pair, tick: Callable[[], object]) -> Tensor:
    """The fall of the metric when each edge is cut alone, (R, S)."""
    scores, places = torch.zeros(graph.reads.shape), graph.reads.nonzero()
    for part in places.split(MAX_BATCH_ROWS):
        cut = torch.zeros(len(part), *graph.reads.shape, dtype=torch.bool)
        cut[torch.arange(len(part)), part[:, 0], part[:, 1]] = True
        scores[part[:, 0], part[:, 1]] = pair.clean - _measure_metric(model, graph, pair, cut)
        tick()
    return scores


def _measure_metric(model: Any, graph: Graph, pair: _Pair, cut: Tensor) -> Tensor:
    cut = cut.to(pair.source.device)
    logits = GraphPass(model, graph, pair.source, pair.prefix, cut=cut, instead=pair.instead).run()
    return pair.metric(logits).float().cpu()
