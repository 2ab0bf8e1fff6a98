"""Decoding as generators of steps: greedy, sampling and beam search (Vaswani et al. 2017, section 6.1).

Each generator yields a frozen ``DecodingStep`` per position. They run under ``torch.inference_mode`` as a
decorator, which PyTorch enters again at each ``next``; a ``with`` around a ``yield`` would leak it to the caller.
"""

import dataclasses
from collections.abc import Callable, Iterator
from typing import get_args

import numpy as np
import torch
from torch import Tensor

from model.decoding.beam_search import BeamSearch, LengthNorm, LengthPenalty, LibraryBeamSearch
from model.decoding.forced import forced
from model.decoding.loops import LONGEST, end_in_loop, repeats_itself
from model.decoding.options import DecodingOptions, forced_ids, may_end, suppressed_id
from model.decoding.rules import Rules
from model.decoding.sampling import Sampling, draw
from model.decoding.step import Continuations, DecodingError, DecodingState, DecodingStep, Ids, last_rows
from model.nn.passes import Decoded, Encoded
from model.nn.protocol import EncoderDecoder
from model.nn.transformer import Transformer
from model.trace import Floats

__all__ = ["DecodingOptions", "beam", "forced", "greedy", "sample"]

Choose = Callable[[Tensor, Ids, Floats, DecodingState], Continuations]


@torch.inference_mode()
def greedy(model: EncoderDecoder, source_ids: Tensor, options: DecodingOptions | None = None) -> Iterator[DecodingStep]:
    """Choose the most probable token at each step. source_ids: int64 (B, S), padded with the source's pad id."""
    options = options or DecodingOptions()
    pad = suppressed_id(model, options.generation)
    # Padding may be the most probable token, but is never predicted.
    yield from _single(
        model, source_ids, options, lambda ids, _log_probs, _: np.where(ids[:, 0] == pad, ids[:, 1], ids[:, 0])
    )


@torch.inference_mode()
def sample(
    model: EncoderDecoder, source_ids: Tensor, sampling: Sampling, options: DecodingOptions | None = None
) -> Iterator[DecodingStep]:
    """Draw each token at random. A sentence's draws depend only on the seed and its place in the batch."""
    options = options or DecodingOptions()
    generators = sampling.generators(source_ids.shape[0])
    pad = suppressed_id(model, options.generation)

    def pick(_: Ids, log_probs: Tensor, sentences: list[int]) -> Ids:
        if pad >= 0:
            log_probs = log_probs.clone()
            log_probs[:, pad] = -torch.inf  # padding is never predicted
        return draw(log_probs, sampling, [generators[i] for i in sentences]).cpu().numpy()

    yield from _single(model, source_ids, options, pick)


@torch.inference_mode()
def beam(
    model: EncoderDecoder,
    source_ids: Tensor,
    *,
    beam_size: int = 4,
    length_penalty: float | LengthPenalty = 0.6,
    options: DecodingOptions | None = None,
) -> Iterator[DecodingStep]:
    """Beam search: after each step, the ``beam_size`` best hypotheses of each sentence are kept.

    A hypothesis of n tokens scores its summed log-probability divided by ``length_norm(n, length_penalty)``. A
    sentence ends when no live hypothesis can still overtake the best finished one. With ``options.generation`` it
    scores, ends and chooses as the transformers library does (``LibraryBeamSearch``).
    """
    if beam_size < 1:
        raise DecodingError(f"beam_size ({beam_size}) must be at least 1")
    if isinstance(length_penalty, tuple) and length_penalty.norm not in get_args(LengthNorm):
        raise DecodingError(f"unknown norm “{length_penalty.norm}”: choose {', '.join(get_args(LengthNorm))}")
    options = options or DecodingOptions()
    n_sentences = source_ids.shape[0]
    if options.generation is None:
        search = BeamSearch(model, beam_size, length_penalty, options, n_sentences)
    else:
        alpha = length_penalty.alpha if isinstance(length_penalty, tuple) else length_penalty
        search = LibraryBeamSearch(model, beam_size, alpha, options, n_sentences)
    n_top = max(search.n_top, options.n_candidates)
    yield from _steps(model, source_ids, options, search.choose, n_top, is_beam=True)


def _single(
    model: EncoderDecoder, source_ids: Tensor, options: DecodingOptions, pick: Callable[[Ids, Tensor, list[int]], Ids]
) -> Iterator[DecodingStep]:
    """One hypothesis per sentence; ``pick`` maps the best ids (N, C) and log-probabilities (N, V) to tokens (N,)."""
    ends = np.array(model.config.end_ids)
    # If the source repeats itself, the translation may do so too; a decoder-only model's source is what it continues.
    pad, limits = model.config.source_pad_id, options.limits(source_ids.shape[0])
    read = source_ids.cpu().numpy() if source_ids.shape[1] else map(np.array, options.prefixes)
    if source_ids.dim() == 3:  # the strips of pictures, whose pixels say nothing of repetitions
        may_loop = np.zeros(len(source_ids), bool)
    else:
        may_loop = np.array([repeats_itself(row[row != pad].tolist()) for row in read])

    def choose(log_probs: Tensor, ids: Ids, _values: Floats, state: DecodingState) -> Continuations:
        fixed = forced_ids(state, options.prefixes)
        sentences = state.sentences.cpu().numpy()
        next_ids = pick(ids, log_probs, sentences.tolist())
        if fixed is not None:
            next_ids = np.where(fixed >= 0, fixed, next_ids)
        values = log_probs.cpu().numpy()[np.arange(len(next_ids)), next_ids]
        is_end = (next_ids[:, None] == ends).any(1) & may_end(state, options)
        is_truncated = ~is_end & (state.position + 1 >= limits[sentences])
        if options.stop_loops:
            generated = np.column_stack((state.ids[:, -LONGEST + 1 :].cpu().numpy(), next_ids))
            is_chosen = fixed is None or fixed < 0  # a prompt may repeat itself
            is_truncated |= ~is_end & end_in_loop(generated) & ~may_loop[sentences] & is_chosen
        return Continuations(
            np.arange(len(next_ids)), next_ids, values, state.scores + values, is_end | is_truncated, is_truncated
        )

    yield from _steps(model, source_ids, options, choose, max(2, options.n_candidates))


def _steps(
    model: EncoderDecoder,
    source_ids: Tensor,
    options: DecodingOptions,
    choose: Choose,
    n_top: int,
    *,
    is_beam: bool = False,
) -> Iterator[DecodingStep]:
    """Run step after step until no hypothesis is live.

    With ``options.generation``, tokens are chosen by the scores after its rules; the log-probabilities of a step are
    always the model's.
    """
    generation = options.generation
    rules = None if generation is None else Rules(generation, model, source_ids, options, is_beam=is_beam)
    state = DecodingState(
        model,
        source_ids,
        capture=options.capture,
        cached=options.cached,
        interventions=options.interventions,
        begins=options.begins,
    )
    if options.prefixes and len(options.prefixes) != source_ids.shape[0]:
        raise DecodingError(f"{len(options.prefixes)} prefixes for {source_ids.shape[0]} sentences: give one for each")
    while len(state.ids):
        log_probs, decoded = state.run()
        top = log_probs.topk(min(n_top, log_probs.shape[-1]), -1)
        ids, values = top.indices.cpu().numpy(), top.values.cpu().numpy()  # (N, C)
        if rules is None:
            chosen = choose(log_probs, ids, values, state)
        else:
            ruled = rules.apply(state.logits, log_probs, state)
            best = ruled.topk(min(n_top, ruled.shape[-1]), -1)
            chosen = choose(ruled, best.indices.cpu().numpy(), best.values.cpu().numpy(), state)
            chosen = _with_own_numbers(chosen, log_probs, state, is_beam=is_beam)
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


def _with_own_numbers(
    chosen: Continuations, log_probs: Tensor, state: DecodingState, *, is_beam: bool
) -> Continuations:
    """Continuations chosen under rules, with the model's log-probabilities; beam scores stay those of the rules."""
    values = log_probs.cpu().numpy()[chosen.rows, chosen.ids]
    scores = chosen.scores if is_beam else state.scores[chosen.rows] + values
    return dataclasses.replace(chosen, log_probs=values, scores=scores)


def most_probable(
    model: Transformer, encoded: Encoded, steps: int, *, capture: bool = False
) -> Iterator[tuple[Decoded, Tensor, Tensor]]:
    """Continue B encoded sentences greedily for at most ``steps`` steps, also beyond their end tokens.

    It builds no trace: it serves the checks that try a model under many settings.

    Yields:
        The decoder's output for a step, and each sentence's next token: its natural log-probability, float32 (B,), and
        its id, int64 (B,).
    """
    fed = torch.full((len(encoded.memory), 1), model.config.bos_id, device=encoded.memory.device)
    cache = None
    for _ in range(steps):
        decoded = model.decode(fed, encoded, cache=cache, keep_cache=True, capture=capture)
        best, ids = model.project(decoded.hidden)[:, -1].log_softmax(-1).max(-1)
        yield decoded, best, ids
        cache, fed = decoded.cache, ids[:, None]
