"""Decoding as generators of steps: greedy, sampling, beam search and forced (Vaswani et al. 2017, section 6.1).

Each generator yields a frozen ``DecodingStep`` per position. They run under ``torch.inference_mode`` as a
decorator, which PyTorch enters anew at each ``next``; a ``with`` around a ``yield`` would leak it to the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model.decoding_step import (
    Continuations,
    DecodingError,
    DecodingStep,
    EncoderDecoder,
    Ids,
    State,
    last_rows,
)
from model.interventions import NONE, Interventions
from model.sampling import Sampling, draw
from model.trace import Floats
from model.transformer import Decoded

Choose = Callable[[Tensor, Ids, Floats, State], Continuations]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodingOptions:
    """What every way of decoding has in common.

    Raises:
        DecodingError: when a number is out of range.
    """

    max_length: int = 128
    """Tokens to predict at most, end of sentence included."""
    n_candidates: int = 10
    capture: bool = True
    """Return attention rows with each step."""
    cached: bool = True
    """Keep the keys and values of earlier positions; lifting the causal mask switches this off."""
    prefixes: tuple[tuple[int, ...], ...] = ()
    """Tokens that each sentence's translation must begin with; empty, or one tuple a sentence."""
    interventions: Interventions | Sequence[Interventions] = NONE
    """For the whole batch, or one a sentence."""

    def __post_init__(self) -> None:
        for name in ("max_length", "n_candidates"):
            if getattr(self, name) < 1:
                raise DecodingError(f"{name} ({getattr(self, name)}) must be at least 1")


@torch.inference_mode()
def greedy(model: EncoderDecoder, source_ids: Tensor, options: DecodingOptions | None = None) -> Iterator[DecodingStep]:
    """Always the most probable token. source_ids: int64 (B, S), padded with the source's pad id."""
    options = options or DecodingOptions()
    yield from _single(model, source_ids, options, lambda log_probs, _: log_probs.argmax(-1))


@torch.inference_mode()
def sample(
    model: EncoderDecoder, source_ids: Tensor, sampling: Sampling, options: DecodingOptions | None = None
) -> Iterator[DecodingStep]:
    """Draw each token at random. A sentence's draws depend on the seed and its place in the batch alone."""
    options = options or DecodingOptions()
    generators = sampling.generators(source_ids.shape[0])
    yield from _single(
        model,
        source_ids,
        options,
        lambda log_probs, sentences: draw(log_probs, sampling, [generators[i] for i in sentences]),
    )


@torch.inference_mode()
def beam(
    model: EncoderDecoder,
    source_ids: Tensor,
    *,
    beam_size: int = 4,
    length_penalty: float = 0.6,
    options: DecodingOptions | None = None,
) -> Iterator[DecodingStep]:
    """Beam search: the ``beam_size`` best hypotheses of each sentence go on from each step.

    A hypothesis of n tokens scores its summed log-probability divided by ``length_norm(n, length_penalty)``. A
    sentence ends when no live hypothesis can still overtake the best finished one.
    """
    if beam_size < 1:
        raise DecodingError(f"beam_size ({beam_size}) must be at least 1")
    options = options or DecodingOptions()
    search = _Beam(model, beam_size, length_penalty, options, source_ids.shape[0])
    yield from _steps(model, source_ids, options, search.choose, max(2 * beam_size, options.n_candidates))


@torch.inference_mode()
def forced(
    model: EncoderDecoder, source_ids: Tensor, target_ids: Tensor, options: DecodingOptions | None = None
) -> Iterator[DecodingStep]:
    """Teacher forcing: the steps of given translations, int64 (B, T), from one pass over all positions.

    Every row runs to position T - 1; what follows a sentence's end is for the caller to leave out. With the causal
    mask lifted a ``decoder_self`` row covers all T keys.
    """
    options = options or DecodingOptions()
    state = State(model, source_ids, capture=options.capture, cached=False, interventions=options.interventions)
    begin = torch.full_like(target_ids[:, :1], model.config.bos_id)
    fed = torch.cat((begin, target_ids[:, :-1]), 1)  # (B, T)
    decoded = model.decode(fed, state.encoded, capture=options.capture, interventions=options.interventions or None)
    log_probs = model.project(decoded.hidden).float().log_softmax(-1)  # (B, T, V)
    yield from _sliced(fed, target_ids, log_probs, decoded, state.encoder_self(), options)


def length_norm(length: int, penalty: float) -> float:
    """What a hypothesis's summed log-probability is divided by: ((5 + n) / 6)^α (Wu et al. 2016, equation 14)."""
    return ((5 + length) / 6) ** penalty


def _sliced(
    fed: Tensor,
    target_ids: Tensor,
    log_probs: Tensor,
    decoded: Decoded,
    encoder_self: Floats | None,
    options: DecodingOptions,
) -> Iterator[DecodingStep]:
    n_rows, length = target_ids.shape
    every = np.arange(n_rows)
    spoken = log_probs.gather(2, target_ids.unsqueeze(2)).squeeze(2)  # (B, T)
    sums = torch.cat((torch.zeros_like(spoken[:, :1]), spoken.cumsum(1)), 1).cpu().numpy()  # (B, T + 1)
    top = log_probs.topk(min(options.n_candidates, log_probs.shape[-1]), -1)
    for t in range(length):
        is_last = np.full(n_rows, t == length - 1)
        yield DecodingStep(
            position=t,
            sentences=every,
            parents=every if t else np.full(n_rows, -1),
            fed=fed[:, t].cpu().numpy(),
            scores=sums[:, t],
            candidate_ids=top.indices[:, t].cpu().numpy(),
            candidate_log_probs=top.values[:, t].cpu().numpy(),
            decoder_self=last_rows(tuple(layer[:, :, : t + 1] for layer in decoded.self_attention)),
            cross=last_rows(tuple(layer[:, :, : t + 1] for layer in decoded.cross)),
            encoder_self=None if t else encoder_self,
            chosen=Continuations(
                every,
                target_ids[:, t].cpu().numpy(),
                spoken[:, t].cpu().numpy(),
                sums[:, t + 1],
                is_last,
                np.zeros(n_rows, bool),
            ),
        )


def _single(
    model: EncoderDecoder,
    source_ids: Tensor,
    options: DecodingOptions,
    pick: Callable[[Tensor, list[int]], Tensor],
) -> Iterator[DecodingStep]:
    """One hypothesis a sentence; ``pick`` takes log-probabilities (N, V) and gives tokens (N,)."""
    eos = model.config.eos_id

    def choose(log_probs: Tensor, _ids: Ids, _values: Floats, state: State) -> Continuations:
        forced_ids = _forced_ids(state, options.prefixes)
        tokens = pick(_allowed(log_probs, model), state.sentences.tolist())
        spoken = tokens.cpu().numpy() if forced_ids is None else np.where(forced_ids >= 0, forced_ids, tokens.cpu())
        values = log_probs.cpu().numpy()[np.arange(len(spoken)), spoken]
        is_end = spoken == eos
        is_cut = ~is_end & (state.position + 1 >= options.max_length)
        return Continuations(np.arange(len(spoken)), spoken, values, state.scores + values, is_end | is_cut, is_cut)

    yield from _steps(model, source_ids, options, choose, options.n_candidates)


def _steps(
    model: EncoderDecoder, source_ids: Tensor, options: DecodingOptions, choose: Choose, n_top: int
) -> Iterator[DecodingStep]:
    """Run step after step until no hypothesis is live."""
    state = State(
        model,
        source_ids,
        capture=options.capture,
        cached=options.cached,
        interventions=options.interventions,
    )
    if options.prefixes and len(options.prefixes) != source_ids.shape[0]:
        raise DecodingError(f"{len(options.prefixes)} prefixes for {source_ids.shape[0]} sentences: give one each")
    while len(state.ids):
        log_probs, decoded = state.run()
        top = log_probs.topk(min(n_top, log_probs.shape[-1]), -1)
        ids, values = top.indices.cpu().numpy(), top.values.cpu().numpy()  # (N, C)
        chosen = choose(log_probs, ids, values, state)
        yield DecodingStep(
            position=state.position,
            sentences=state.sentences.cpu().numpy(),
            parents=state.parents,
            fed=state.ids[:, -1].cpu().numpy(),
            scores=state.scores,
            candidate_ids=ids,
            candidate_log_probs=values,
            decoder_self=last_rows(decoded.self_attention),
            cross=last_rows(decoded.cross),
            encoder_self=state.encoder_self(),
            chosen=chosen,
        )
        state.advance(chosen)


def _allowed(log_probs: Tensor, model: EncoderDecoder) -> Tensor:
    """Padding is never said: -inf in its place. What follows would be masked away, and the sentence with it."""
    pad = model.config.target_pad_id
    if pad == model.config.eos_id:
        return log_probs
    log_probs = log_probs.clone()
    log_probs[:, pad] = -torch.inf
    return log_probs


def _forced_ids(state: State, prefixes: tuple[tuple[int, ...], ...]) -> Ids | None:
    """The token that each row must say at this position, -1 where it is free; None when all are."""
    t = state.position
    if not any(len(prefix) > t for prefix in prefixes):
        return None
    chosen = (prefixes[sentence] for sentence in state.sentences.tolist())
    return np.array([prefix[t] if t < len(prefix) else -1 for prefix in chosen])


class _Beam:
    """Which continuations a beam search keeps; remembers the best finished score of each sentence."""

    def __init__(
        self,
        model: EncoderDecoder,
        beam_size: int,
        length_penalty: float,
        options: DecodingOptions,
        n_sentences: int,
    ) -> None:
        self.eos = model.config.eos_id
        self.unsaid = -1 if model.config.target_pad_id == self.eos else model.config.target_pad_id
        self.size, self.penalty, self.options = beam_size, length_penalty, options
        self.best = np.full(n_sentences, -np.inf)

    def choose(self, log_probs: Tensor, ids: Ids, values: Floats, state: State) -> Continuations:
        """The continuations of every sentence: finished ones, and the best ``beam_size`` that go on."""
        length = state.position + 1
        sentences = state.sentences.cpu().numpy()
        forced_ids = _forced_ids(state, self.options.prefixes)
        found: list[tuple[int, int, float, float, bool, bool]] = []
        starts = np.flatnonzero(np.diff(sentences, prepend=-1)).tolist()
        for start, stop in zip(starts, [*starts[1:], len(sentences)], strict=True):
            sentence = int(sentences[start])
            if forced_ids is not None and forced_ids[start] >= 0:
                options = self._only(log_probs, int(forced_ids[start]), start, stop, state.scores)
            else:
                options = self._best(ids, values, start, stop, state.scores)
            found += self._keep(options, sentence, length)
        rows, tokens, log_prob, scores, final, cut = zip(*found, strict=True) if found else ((),) * 6
        return Continuations(
            np.array(rows, np.int64),
            np.array(tokens, np.int64),
            np.array(log_prob, np.float32),
            np.array(scores, np.float32),
            np.array(final, bool),
            np.array(cut, bool),
        )

    def _only(
        self, log_probs: Tensor, token: int, start: int, stop: int, scores: Floats
    ) -> list[tuple[float, int, int, float]]:
        values = log_probs[start:stop, token].tolist()
        return [(float(scores[start + i]) + value, start + i, token, value) for i, value in enumerate(values)]

    def _best(
        self, ids: Ids, values: Floats, start: int, stop: int, scores: Floats
    ) -> list[tuple[float, int, int, float]]:
        """The 2 x beam_size best (score, row, token, log-probability), best first: enough, since at most half end."""
        width = ids.shape[1]
        totals = np.where(ids[start:stop] == self.unsaid, -np.inf, values[start:stop] + scores[start:stop, None])
        flat = totals.ravel()
        order = np.argsort(-flat, kind="stable")[: 2 * self.size]
        return [
            (float(flat[i]), start + int(i) // width, int(ids[start + i // width, i % width]),
             float(values[start + i // width, i % width]))
            for i in order if np.isfinite(flat[i])
        ]  # fmt: skip

    def _keep(
        self, options: list[tuple[float, int, int, float]], sentence: int, length: int
    ) -> list[tuple[int, int, float, float, bool, bool]]:
        """Rows of the continuations of one sentence: (row, token, log-probability, score, is final, is cut)."""
        norm, is_limit = length_norm(length, self.penalty), length >= self.options.max_length
        kept, live = [], []
        for rank, (score, row, token, value) in enumerate(options):
            if token == self.eos and rank < self.size:
                self.best[sentence] = max(self.best[sentence], score / norm)
                kept.append((row, token, value, score, True, False))
            elif token != self.eos and len(live) < self.size:
                live.append((row, token, value, score, is_limit, is_limit))
        if is_limit:
            return kept + live
        # A live score only falls, and dividing by the longest length flatters it most.
        attainable = max((item[3] for item in live), default=-np.inf) / self._longest
        return kept if self.best[sentence] >= attainable else kept + live

    @property
    def _longest(self) -> float:
        return length_norm(self.options.max_length, max(self.penalty, 0.0))
