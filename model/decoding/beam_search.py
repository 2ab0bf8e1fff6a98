"""Which hypotheses a beam search keeps, and how it compares translations of different length."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from torch import Tensor

from model.decoding.options import DecodingOptions, forced_ids, may_end, suppressed_id
from model.decoding.step import Continuations, DecodingState, Ids
from model.nn.protocol import EncoderDecoder
from model.trace import Floats

LengthNorm = Literal["gnmt", "length"]
"""``gnmt``: ((5 + n) / 6)^α (Wu et al. 2016, equation 14). ``length``: n^α, as in fairseq and Hugging Face."""


class LengthPenalty(NamedTuple):
    """How much longer hypotheses are favoured."""

    alpha: float
    """0 compares sums, which favours short hypotheses."""
    norm: LengthNorm = "gnmt"


def length_norm(length: int, penalty: float | LengthPenalty) -> float:
    """The divisor of the summed log-probability of a hypothesis of this length; a number is GNMT's α."""
    alpha, norm = penalty if isinstance(penalty, tuple) else (penalty, "gnmt")
    return ((5 + length) / 6 if norm == "gnmt" else length) ** alpha


class BeamSearch:
    """Which continuations a beam search keeps; remembers the best finished score of each sentence."""

    def __init__(
        self,
        model: EncoderDecoder,
        beam_size: int,
        length_penalty: float | LengthPenalty,
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
        return max(length_norm(1, self.penalty), length_norm(self.limits[sentence], self.penalty))


class LibraryBeamSearch:
    """Which continuations the beam search of the transformers library keeps (``GenerationMixin._beam_search``).

    A finished text of n new tokens scores its summed log-probability over n to the power of ``length_penalty``. A
    sentence ends where no live hypothesis scores better, at its present length, than the worst of ``beam_size``
    finished ones; with ``early_stopping`` as soon as there are as many. Tokens that are given or forced count nothing.
    """

    def __init__(
        self, model: EncoderDecoder, beam_size: int, length_penalty: float, options: DecodingOptions, n_sentences: int
    ) -> None:
        assert options.generation is not None
        self.ends, self.size, self.penalty, self.options = model.config.end_ids, beam_size, length_penalty, options
        self.stopping = options.generation.early_stopping
        self.n_looked_at = max(2, 1 + len(self.ends)) * beam_size
        self.finished: list[list[float]] = [[] for _ in range(n_sentences)]
        """The best totals of each sentence, ``beam_size`` at most."""
        self.limits = options.limits(n_sentences).tolist()
        self.n_read = options.n_read or (0,) * n_sentences

    def choose(self, _: Tensor, ids: Ids, values: Floats, state: DecodingState) -> Continuations:
        """The continuations of every sentence, from the best log-probabilities after the rules."""
        sentences = state.sentences.cpu().numpy()
        fixed = forced_ids(state, self.options.prefixes)
        kept: list[tuple[int, int, float, bool, bool, float]] = []
        starts = np.flatnonzero(np.diff(sentences, prepend=-1)).tolist()
        for start, stop in zip(starts, [*starts[1:], len(sentences)], strict=True):
            if fixed is not None and fixed[start] >= 0:
                is_end = int(fixed[start]) in self.ends and state.position >= self.n_read[int(sentences[start])]
                kept.append((start, int(fixed[start]), float(state.scores[start]), is_end, False, 0.0))
            else:
                kept += self._continue(ids, values, start, stop, int(sentences[start]), state)
        rows, tokens, scores, final, cut, totals = zip(*kept, strict=True) if kept else ((),) * 6
        return Continuations(
            np.array(rows, np.int64), np.array(tokens, np.int64), np.zeros(len(rows), np.float32),
            np.array(scores, np.float32), np.array(final, bool), np.array(cut, bool), np.array(totals, np.float32),
        )  # fmt: skip

    def _continue(
        self, ids: Ids, values: Floats, start: int, stop: int, sentence: int, state: DecodingState
    ) -> list[tuple[int, int, float, bool, bool, float]]:
        """Rows of the continuations of one sentence: (row, token, score, is final, is cut, total)."""
        width, finished = ids.shape[1], self.finished[sentence]
        flat = (values[start:stop] + state.scores[start:stop, None]).ravel()
        order = np.argsort(-flat, kind="stable")[: self.n_looked_at]
        n_new = state.position + 1 - self.n_read[sentence]
        is_limit = state.position + 1 >= self.limits[sentence]
        is_full = len(finished) == self.size
        ended, live, totals = [], [], []
        for rank, index in enumerate(order.tolist()):
            row, token, score = start + index // width, int(ids[start:stop].ravel()[index]), float(flat[index])
            is_end = token in self.ends
            if not (is_end or is_limit):
                live.append((row, token, score, False, False, 0.0))
            elif rank < self.size and not (is_full and self.stopping is True):
                totals.append(score / n_new**self.penalty)
                ended.append((row, token, score, True, not is_end, totals[-1]))
        self.finished[sentence] = sorted([*finished, *totals], reverse=True)[: self.size]
        live = live[: self.size]
        return ended + (live if live and self._goes_on(sentence, live[0][2], n_new) else [])

    def _goes_on(self, sentence: int, best: float, n_new: int) -> bool:
        """Whether a live hypothesis may still be among the best."""
        finished = self.finished[sentence]
        if len(finished) < self.size:
            return True
        if self.stopping is True:
            return False
        is_longest = self.stopping == "never" and self.penalty > 0
        length = self.limits[sentence] - self.n_read[sentence] if is_longest else n_new
        return best / length**self.penalty > finished[-1]
