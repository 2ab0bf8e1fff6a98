"""Which hypotheses a beam search keeps, and how it compares translations of different length."""

from __future__ import annotations

import numpy as np
from torch import Tensor

from model.decoding.options import DecodingOptions, forced_ids, may_end, suppressed_id
from model.decoding.step import Continuations, DecodingState, Ids
from model.nn.protocol import EncoderDecoder
from model.trace import Floats


def length_norm(length: int, penalty: float) -> float:
    """What a hypothesis's summed log-probability is divided by: ((5 + n) / 6)^α (Wu et al. 2016, equation 14)."""
    return ((5 + length) / 6) ** penalty


class BeamSearch:
    """Which continuations a beam search keeps; remembers the best finished score of each sentence."""

    def __init__(
        self,
        model: EncoderDecoder,
        beam_size: int,
        length_penalty: float,
        options: DecodingOptions,
        n_sentences: int,
    ) -> None:
        self.ends, self.suppressed = model.config.end_ids, suppressed_id(model)
        self.size, self.penalty, self.options = beam_size, length_penalty, options
        self.n_looked_at = (1 + len(self.ends)) * beam_size
        """Best continuations of a sentence among which ``beam_size`` continue: each row has one for each way to end."""
        self.best = np.full(n_sentences, -np.inf)
        self.limits = options.limits(n_sentences).tolist()

    def choose(self, log_probs: Tensor, ids: Ids, values: Floats, state: DecodingState) -> Continuations:
        """The continuations of every sentence: finished ones, and the best ``beam_size`` that continue."""
        length = state.position + 1
        sentences = state.sentences.cpu().numpy()
        fixed, ends = forced_ids(state, self.options.prefixes), may_end(state, self.options)
        kept: list[tuple[int, int, float, float, bool, bool]] = []
        starts = np.flatnonzero(np.diff(sentences, prepend=-1)).tolist()
        for start, stop in zip(starts, [*starts[1:], len(sentences)], strict=True):
            sentence = int(sentences[start])
            if fixed is not None and fixed[start] >= 0:
                token = int(fixed[start])  # of the prefix, in which a sentence has one row
                value = float(log_probs[start, token])
                options = [(float(state.scores[start]) + value, start, token, value)]
            else:
                options = self._best(ids, values, start, stop, state.scores)
            kept += self._keep(options, sentence, length, self.ends if ends[start] else ())
        rows, tokens, log_prob, scores, final, cut = zip(*kept, strict=True) if kept else ((),) * 6
        return Continuations(
            np.array(rows, np.int64),
            np.array(tokens, np.int64),
            np.array(log_prob, np.float32),
            np.array(scores, np.float32),
            np.array(final, bool),
            np.array(cut, bool),
        )

    def _best(
        self, ids: Ids, values: Floats, start: int, stop: int, scores: Floats
    ) -> list[tuple[float, int, int, float]]:
        """The best (score, row, token, log-probability), best first: enough even if every end is among them."""
        width = ids.shape[1]
        totals = np.where(ids[start:stop] == self.suppressed, -np.inf, values[start:stop] + scores[start:stop, None])
        flat = totals.ravel()
        order = np.argsort(-flat, kind="stable")[: self.n_looked_at]
        return [
            (float(flat[i]), start + int(i) // width, int(ids[start + i // width, i % width]),
             float(values[start + i // width, i % width]))
            for i in order if np.isfinite(flat[i])
        ]  # fmt: skip

    def _keep(
        self, options: list[tuple[float, int, int, float]], sentence: int, length: int, ends: tuple[int, ...]
    ) -> list[tuple[int, int, float, float, bool, bool]]:
        """Rows of the continuations of one sentence: (row, token, log-probability, score, is final, is cut)."""
        norm, is_limit = length_norm(length, self.penalty), length >= self.limits[sentence]
        kept, live = [], []
        for rank, (score, row, token, value) in enumerate(options):
            if token in ends and rank < self.size:
                self.best[sentence] = max(self.best[sentence], score / norm)
                kept.append((row, token, value, score, True, False))
            elif token not in ends and len(live) < self.size:
                live.append((row, token, value, score, is_limit, is_limit))
        if is_limit:
            return kept + live
        # The score of a live hypothesis only falls, and dividing by the longest length gives its highest possible
        # value.
        attainable = max((item[3] for item in live), default=-np.inf) / self._longest(sentence)
        return kept if self.best[sentence] >= attainable else kept + live

    def _longest(self, sentence: int) -> float:
        return length_norm(self.limits[sentence], max(self.penalty, 0.0))
