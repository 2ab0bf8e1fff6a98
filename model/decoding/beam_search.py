"""Chooses the hypotheses that a beam search keeps, and compares translations of different length."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
from torch import Tensor

from model.decoding.options import DecodingOptions, forced_ids, suppressed_id
from model.decoding.step import Continuations, DecodingState, Ids
from model.nn.protocol import EncoderDecoder
from model.trace import Floats

LengthNorm = Literal["gnmt", "length"]
"""``gnmt``: ((5 + n) / 6)^α (Wu et al. 2016, equation 14). ``length``: n^α, as in fairseq and Hugging Face."""


class LengthPenalty(NamedTuple):
    """How strongly longer hypotheses are favoured."""

    alpha: float
    """0 compares sums, which favours short hypotheses."""
    norm: LengthNorm = "gnmt"


def length_norm(length: int, penalty: float | LengthPenalty) -> float:
    """The divisor of the summed log-probability of a hypothesis of this length; a number is GNMT's α."""
    alpha, norm = penalty if isinstance(penalty, tuple) else (penalty, "gnmt")
    return ((5 + length) / 6 if norm == "gnmt" else length) ** alpha


class _Continuation(NamedTuple):
    """One continuation of a sentence: the fields of ``Continuations``."""

    row: int
    token: int
    log_prob: float
    score: float
    is_final: bool = False
    is_truncated: bool = False
    total: float = 0.0


class BeamSearch:
    """Which continuations a beam search keeps; remembers the best finished score of each sentence."""

    has_totals = False
    """Whether finished hypotheses are compared by ``Continuations.totals`` rather than by their scores."""

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
        self.n_top = (1 + len(self.ends)) * beam_size
        """Candidates per sentence: ``beam_size`` of them continue even if every row's end tokens rank first."""
        self.best = np.full(n_sentences, -np.inf)
        self.limits = options.limits(n_sentences).tolist()
        self.n_read = options.n_read or (0,) * n_sentences

    def choose(self, log_probs: Tensor, ids: Ids, values: Floats, state: DecodingState) -> Continuations:
        """The continuations of every sentence: finished ones, and the best ``beam_size`` that continue."""
        sentences = state.sentences.cpu().numpy()
        fixed, chosen = forced_ids(state, self.options.prefixes), list[_Continuation]()
        starts = np.flatnonzero(np.diff(sentences, prepend=-1)).tolist()
        for start, stop in zip(starts, [*starts[1:], len(sentences)], strict=True):
            sentence = int(sentences[start])
            if fixed is not None and fixed[start] >= 0:  # within the prefix, where a sentence has one row
                chosen += self._force(log_probs, start, int(fixed[start]), sentence, state)
            else:
                chosen += self._extend(ids[start:stop], values[start:stop], start, sentence, state)
        rows, tokens, log_prob, scores, final, cut, totals = zip(*chosen, strict=True) if chosen else ((),) * 7
        return Continuations(
            np.array(rows, np.int64), np.array(tokens, np.int64), np.array(log_prob, np.float32),
            np.array(scores, np.float32), np.array(final, bool), np.array(cut, bool),
            np.array(totals, np.float32) if self.has_totals else None,
        )  # fmt: skip

    def _force(
        self, log_probs: Tensor, row: int, token: int, sentence: int, state: DecodingState
    ) -> list[_Continuation]:
        """The continuation by the next token of a forced prefix."""
        value = float(log_probs[row, token])
        return self._keep([_Continuation(row, token, value, float(state.scores[row]) + value)], sentence, state)

    def _extend(self, ids: Ids, values: Floats, start: int, sentence: int, state: DecodingState) -> list[_Continuation]:
        """The continuations kept of the best tokens (rows, C) of a sentence whose first row is ``start``."""
        totals = np.where(ids == self.suppressed, -np.inf, values + state.scores[start : start + len(ids), None])
        options = [option for option in self._best(ids, values, totals, start) if np.isfinite(option.score)]
        return self._keep(options, sentence, state)

    def _best(self, ids: Ids, values: Floats, totals: Floats, start: int) -> Iterator[_Continuation]:
        """The ``n_top`` best continuations, best first."""
        for i in np.argsort(-totals.ravel(), kind="stable")[: self.n_top].tolist():
            row, place = divmod(i, ids.shape[1])
            yield _Continuation(start + row, int(ids[row, place]), float(values[row, place]), float(totals[row, place]))

    def _keep(self, options: list[_Continuation], sentence: int, state: DecodingState) -> list[_Continuation]:
        """The continuations of a sentence that end or stay live."""
        length = state.position + 1
        norm, is_limit = length_norm(length, self.penalty), length >= self.limits[sentence]
        ends = self.ends if self.n_read[sentence] <= state.position else ()
        ended, live = [], []
        for rank, option in enumerate(options):
            if option.token in ends and rank < self.size:
                self.best[sentence] = max(self.best[sentence], option.score / norm)
                ended.append(option._replace(is_final=True))
            elif option.token not in ends and len(live) < self.size:
                live.append(option._replace(is_final=is_limit, is_truncated=is_limit))
        if is_limit:
            return ended + live
        # The score of a live hypothesis only falls, and dividing by the longest length gives its highest possible
        # value.
        longest = max(length_norm(1, self.penalty), length_norm(self.limits[sentence], self.penalty))
        attainable = max((option.score for option in live), default=-np.inf) / longest
        return ended if self.best[sentence] >= attainable else ended + live


class LibraryBeamSearch(BeamSearch):
    """Which continuations the beam search of the transformers library keeps (``GenerationMixin._beam_search``).

    A finished text of n new tokens scores its summed log-probability over n to the power of ``length_penalty``. A
    sentence ends where no live hypothesis scores better, at its present length, than the worst of ``beam_size``
    finished ones; with ``early_stopping`` as soon as there are as many. Prefix and forced tokens add nothing to a
    score.
    """

    has_totals = True

    def __init__(
        self, model: EncoderDecoder, beam_size: int, length_penalty: float, options: DecodingOptions, n_sentences: int
    ) -> None:
        super().__init__(model, beam_size, length_penalty, options, n_sentences)
        assert options.generation is not None
        self.alpha, self.stopping = length_penalty, options.generation.early_stopping
        self.n_top = max(2, 1 + len(self.ends)) * beam_size
        self.finished: list[list[float]] = [[] for _ in range(n_sentences)]
        """The best totals of each sentence, ``beam_size`` at most."""

    def _force(
        self, log_probs: Tensor, row: int, token: int, sentence: int, state: DecodingState
    ) -> list[_Continuation]:
        is_end = token in self.ends and state.position >= self.n_read[sentence]
        return [_Continuation(row, token, 0.0, float(state.scores[row]), is_end)]

    def _extend(self, ids: Ids, values: Floats, start: int, sentence: int, state: DecodingState) -> list[_Continuation]:
        finished = self.finished[sentence]
        n_new = state.position + 1 - self.n_read[sentence]
        is_limit = state.position + 1 >= self.limits[sentence]
        is_full = len(finished) == self.size
        ended, live = [], []
        totals = values + state.scores[start : start + len(ids), None]
        for rank, option in enumerate(self._best(ids, values, totals, start)):
            is_end = option.token in self.ends
            if not (is_end or is_limit):
                live.append(option)
            elif rank < self.size and not (is_full and self.stopping is True):
                ended.append(
                    option._replace(is_final=True, is_truncated=not is_end, total=option.score / n_new**self.alpha)
                )
        self.finished[sentence] = sorted([*finished, *(option.total for option in ended)], reverse=True)[: self.size]
        live = live[: self.size]
        return ended + (live if live and self._goes_on(sentence, live[0].score, n_new) else [])

    def _goes_on(self, sentence: int, best: float, n_new: int) -> bool:
        """Whether a live hypothesis can still enter the best."""
        finished = self.finished[sentence]
        if len(finished) < self.size:
            return True
        if self.stopping is True:
            return False
        is_longest = self.stopping == "never" and self.alpha > 0
        length = self.limits[sentence] - self.n_read[sentence] if is_longest else n_new
        return best / length**self.alpha > finished[-1]
