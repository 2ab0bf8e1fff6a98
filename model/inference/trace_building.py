"""Builds hypotheses from the steps of decoding, and a Trace from a hypothesis."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from model.bundle import Bundle
from model.config import NOT_ADDED
from model.decoding.beam_search import LengthPenalty, length_norm
from model.decoding.step import DecodingStep, Ids
from model.interventions import NONE, Interventions
from model.nn.transformer import Transformer
from model.text.tokens import describe_target, pieces_of, text_of
from model.trace import AttentionMaps, Candidates, Floats, TokenSequence, Trace


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A finished translation of one sentence of a batch."""

    sentence: int
    ids: tuple[int, ...]
    """T predicted tokens, end of sentence included unless truncated."""
    log_probs: tuple[float, ...]
    rows: tuple[int, ...]
    """The hypothesis's row in each of the T steps."""
    score: float
    """Summed log-probability divided by ``length_norm``, or ``Continuations.totals`` if the search has them."""
    is_truncated: bool


def hypotheses(steps: Sequence[DecodingStep], *, length_penalty: float | LengthPenalty = 0.0) -> list[Hypothesis]:
    """Every finished hypothesis, by sentence, best first."""
    finished = []
    for last, step in enumerate(steps):
        for index in np.flatnonzero(step.chosen.is_final):
            finished.append(_follow(steps, last, int(index), length_penalty))
    return sorted(finished, key=lambda hypothesis: (hypothesis.sentence, -hypothesis.score))


def best_hypotheses(
    steps: Sequence[DecodingStep], n_sentences: int, *, length_penalty: float | LengthPenalty = 0.0
) -> list[Hypothesis]:
    """The best finished hypothesis of each sentence, in order."""
    chosen: dict[int, Hypothesis] = {}
    for hypothesis in hypotheses(steps, length_penalty=length_penalty):
        chosen.setdefault(hypothesis.sentence, hypothesis)
    return [chosen[sentence] for sentence in range(n_sentences)]


def build_trace(
    bundle: Bundle,
    source_text: str,
    source: TokenSequence,
    hypothesis: Hypothesis,
    steps: Sequence[DecodingStep],
    *,
    interventions: Interventions = NONE,
) -> Trace:
    """The Trace of one hypothesis, whose sentence may have been padded."""
    n_source, n_target = len(source), len(hypothesis.ids)
    at = list(enumerate(hypothesis.rows))
    attention = AttentionMaps(
        crop(steps[0].encoder_self, hypothesis.sentence, n_source, n_source),
        _collect([(steps[t].decoder_self, row) for t, row in at], at_most=n_target),
        _collect([(steps[t].cross, row) for t, row in at], at_most=n_source),
    )
    return trace_of(
        bundle, source_text, source, attention, begin=int(steps[0].fed[hypothesis.rows[0]]), ids=hypothesis.ids,
        log_probs=np.array(hypothesis.log_probs, np.float32),
        candidate_ids=np.stack([steps[t].candidate_ids[row] for t, row in at]),
        candidate_log_probs=np.stack([steps[t].candidate_log_probs[row] for t, row in at]),
        is_truncated=hypothesis.is_truncated, interventions=interventions,
    )  # fmt: skip


def trace_of(
    bundle: Bundle,
    source_text: str,
    source: TokenSequence,
    attention: AttentionMaps,
    *,
    begin: int,
    ids: tuple[int, ...],
    log_probs: Floats,
    candidate_ids: Ids,
    candidate_log_probs: Floats,
    is_truncated: bool = False,
    interventions: Interventions = NONE,
) -> Trace:
    """The Trace of T decoded tokens after the start token ``begin``, with candidates (T, C)."""
    names = pieces_of(bundle, candidate_ids.ravel().tolist())
    pieces = tuple(tuple(names[index] for index in row) for row in candidate_ids.tolist())
    return Trace(
        source_text=source_text,
        text=text_of(bundle, ids if len(source) else (begin, *ids)),
        source=source,
        target=describe_target(bundle, ids),
        prefix=describe_target(bundle, (begin, *ids[:-1])),
        log_probs=log_probs,
        attention=attention,
        positional=positional_matrix(bundle, max(len(source), len(ids))),
        candidates=Candidates(candidate_ids, candidate_log_probs, pieces),
        is_truncated=is_truncated,
        interventions=interventions,
    )


def crop(weights: Floats | None, row: int, n_queries: int, n_keys: int) -> Floats | None:
    """Copy one sentence's weights (L, H, queries, keys), so that the padded batch can be freed."""
    return None if weights is None else weights[row, :, :, :n_queries, :n_keys].copy()


def positional_matrix(bundle: Bundle, length: int) -> Floats | None:
    """The encodings of positions 0…length-1, (length, D); None if the model adds none."""
    model = bundle.model
    if not isinstance(model, Transformer):
        return model.positional(length)
    table = model.encoder.positions
    if table.kind in NOT_ADDED:
        return None
    with torch.inference_mode():
        return table.lookup(table.rows(0, length, table.table.device)).float().cpu().numpy()


def _follow(steps: Sequence[DecodingStep], last: int, index: int, length_penalty: float | LengthPenalty) -> Hypothesis:
    final = steps[last].chosen
    sentence = int(steps[last].sentences[final.rows[index]])
    is_truncated, score = bool(final.is_truncated[index]), float(final.scores[index])
    score = score / length_norm(last + 1, length_penalty) if final.totals is None else float(final.totals[index])
    path = []
    for step in reversed(steps[: last + 1]):
        row = int(step.chosen.rows[index])
        path.append((int(step.chosen.ids[index]), float(step.chosen.log_probs[index]), row))
        index = int(step.parents[row])
    ids, log_probs, rows = zip(*reversed(path), strict=True)
    return Hypothesis(sentence, ids, log_probs, rows, score, is_truncated)


def _collect(rows: Sequence[tuple[Floats | None, int]], *, at_most: int) -> Floats | None:
    """Stack rows (L, H, keys) of T steps, which may grow with the step, zero-padded to (L, H, T, keys).

    Keys from ``at_most`` on are padding and are dropped.
    """
    captured = [(weights, row) for weights, row in rows if weights is not None]
    if not captured:
        return None
    n_keys = min(max(weights.shape[-1] for weights, _ in captured), at_most)
    layers, heads = captured[0][0].shape[1:3]
    full = np.zeros((layers, heads, len(captured), n_keys), np.float32)
    for t, (weights, row) in enumerate(captured):
        full[:, :, t, : weights.shape[-1]] = weights[row][..., :n_keys]
    return full
