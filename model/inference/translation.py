"""From text to a Trace: ``translate``, ``score`` and ``attend``, and many sentences at once without attention."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, get_args

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.bundle import Bundle
from model.decoding.sampling import Sampling
from model.decoding.step import DecodingError, DecodingStep, stacked
from model.decoding.strategies import DecodingOptions, beam, forced, greedy, sample
from model.inference.trace_building import Hypothesis, best, build_trace
from model.interventions import NONE, AttentionKind, Interventions
from model.text.tokens import prefix_ids, source_tokens, target_tokens, text_of
from model.trace import BatchAttention, TokenSequence, Trace

Method = Literal["greedy", "beam", "sample"]
MAX_BEAM = 16


def translate(
    bundle: Bundle,
    text: str,
    *,
    method: Method = "greedy",
    beam_size: int = 4,
    length_penalty: float = 0.6,
    sampling: Sampling | None = None,
    max_length: int | None = None,
    prefix: str | Sequence[int] = (),
    n_candidates: int = 10,
    stop_loops: bool = True,
    interventions: Interventions = NONE,
) -> Trace:
    """Translate one text, and keep everything the model attended to.

    Args:
        length_penalty: α of ``decoding.length_norm``, for beam search.
        sampling: temperature and the like, for method "sample".
        max_length: predicted tokens at most; None allows 2 S + 16.
        prefix: the beginning of the translation, as text or ids; decoding goes on from it.
        stop_loops: end a greedy or sampled translation that only repeats itself; ``is_truncated`` is then true.

    Raises:
        TextError: when the text, or the prefix, cannot be read by this model.
        DecodingError: when an option is out of range.
        InterventionError: when an intervention names what the model does not have.
    """
    source = source_tokens(bundle, text)
    steps = decode_steps(
        bundle, source, method=method, beam_size=beam_size, length_penalty=length_penalty, sampling=sampling,
        max_length=max_length, prefix=prefix, n_candidates=n_candidates, stop_loops=stop_loops,
        interventions=interventions,
    )  # fmt: skip
    hypothesis = best(steps, 1, length_penalty=length_penalty if method == "beam" else 0.0)[0]
    return build_trace(bundle, text, source, hypothesis, steps, interventions=interventions)


def decode_steps(
    bundle: Bundle,
    source: TokenSequence,
    *,
    method: Method = "greedy",
    beam_size: int = 4,
    length_penalty: float = 0.6,
    sampling: Sampling | None = None,
    max_length: int | None = None,
    prefix: str | Sequence[int] = (),
    n_candidates: int = 10,
    stop_loops: bool = True,
    interventions: Interventions = NONE,
) -> list[DecodingStep]:
    """All steps of decoding one sentence; the arguments are those of ``translate``."""
    if method not in get_args(Method):
        raise DecodingError(f"unknown method “{method}”: choose {', '.join(get_args(Method))}")
    if not 1 <= beam_size <= MAX_BEAM:
        raise DecodingError(f"beam_size ({beam_size}) must lie in 1 to {MAX_BEAM}")
    check_interventions(bundle, interventions)
    start = prefix_ids(bundle, prefix)
    options = DecodingOptions(
        max_length=_length_limit(bundle, len(source), len(start), max_length),
        n_candidates=n_candidates,
        prefixes=(start,) if start else (),
        stop_loops=stop_loops,
        interventions=interventions,
    )
    ids = _tensor(bundle, [source.ids])
    if method == "beam":
        return list(beam(bundle.model, ids, beam_size=beam_size, length_penalty=length_penalty, options=options))
    if method == "sample":
        return list(sample(bundle.model, ids, sampling or Sampling(), options))
    return list(greedy(bundle.model, ids, options))


def score(
    bundle: Bundle, source: str, target: str, *, interventions: Interventions = NONE, n_candidates: int = 10
) -> Trace:
    """The same Trace for a given translation, by teacher forcing. Raises as ``translate`` does."""
    check_interventions(bundle, interventions)
    read, said = source_tokens(bundle, source), target_tokens(bundle, target)
    options = DecodingOptions(n_candidates=n_candidates, interventions=interventions)
    steps = list(forced(bundle.model, _tensor(bundle, [read.ids]), _tensor(bundle, [said.ids]), options))
    log_probs = tuple(float(step.chosen.log_probs[0]) for step in steps)
    hypothesis = Hypothesis(0, said.ids, log_probs, (0,) * len(steps), sum(log_probs), False)
    return build_trace(bundle, source, read, hypothesis, steps, interventions=interventions)


@torch.inference_mode()
def attend(
    bundle: Bundle,
    source_ids: NDArray[np.integer],
    target_ids: NDArray[np.integer],
    *,
    interventions: Interventions | Sequence[Interventions] = NONE,
) -> BatchAttention:
    """Weights and logits of a padded batch: what the encoder reads (B, S), and what the decoder is fed (B, T)."""
    run, edited = bundle.model, interventions or None
    encoded = run.encode(_tensor(bundle, source_ids), capture=True, interventions=edited)
    decoded = run.decode(_tensor(bundle, target_ids), encoded, capture=True, interventions=edited)
    return BatchAttention(
        stacked(encoded.attention),
        stacked(decoded.self_attention),
        stacked(decoded.cross),
        run.project(decoded.hidden).float().cpu().numpy(),
    )


def translate_texts(
    bundle: Bundle,
    texts: Sequence[str],
    *,
    method: Literal["greedy", "beam"] = "greedy",
    beam_size: int = 4,
    length_penalty: float = 0.6,
    interventions: Interventions = NONE,
    batch_size: int = 64,
) -> Iterator[tuple[int, str]]:
    """Translate many texts, without attention: yields (index, translation), longest texts first.

    Sentences of like length share a batch, so that little is computed for padding.
    """
    check_interventions(bundle, interventions)
    sources = [source_tokens(bundle, text).ids for text in texts]
    order = sorted(range(len(texts)), key=lambda i: -len(sources[i]))
    for start in range(0, len(order), batch_size):
        chosen = order[start : start + batch_size]
        longest = len(sources[chosen[0]])
        options = DecodingOptions(
            max_length=_length_limit(bundle, longest, 0, None),
            n_candidates=1,
            capture=False,
            stop_loops=True,
            interventions=interventions,
        )
        ids = _tensor(bundle, [sources[i] for i in chosen])
        if method == "beam":
            steps = beam(bundle.model, ids, beam_size=beam_size, length_penalty=length_penalty, options=options)
        else:
            steps = greedy(bundle.model, ids, options)
        found = best(list(steps), len(chosen), length_penalty=length_penalty if method == "beam" else 0.0)
        for index, hypothesis in zip(chosen, found, strict=True):
            yield index, text_of(bundle, hypothesis.ids)


def check_interventions(bundle: Bundle, interventions: Interventions) -> None:
    """Raise InterventionError when an intervention names a layer or head that the model does not have."""
    config = bundle.config
    layers: dict[AttentionKind, int] = {
        "encoder_self": config.n_encoder_layers,
        "decoder_self": config.n_decoder_layers,
        "cross": config.n_decoder_layers,
    }
    heads: dict[AttentionKind, int] = {
        "encoder_self": config.n_encoder_heads,
        "decoder_self": config.n_decoder_heads,
        "cross": config.n_decoder_heads,
    }
    interventions.check(layers=layers, heads=heads)


def _length_limit(bundle: Bundle, n_source: int, n_prefix: int, wanted: int | None) -> int:
    limit = 2 * n_source + 16 + n_prefix if wanted is None else wanted
    if limit < 1:
        raise DecodingError(f"max_length ({limit}) must be at least 1")
    if bundle.config.positions == "learned":
        limit = min(limit, bundle.config.max_positions - bundle.config.position_offset)
    if n_prefix >= limit:
        raise DecodingError(
            f"the prefix has {n_prefix} tokens and max_length is {limit}: raise max_length or shorten the prefix"
        )
    return limit


def _tensor(bundle: Bundle, rows: Sequence[Sequence[int]] | NDArray[np.integer]) -> Tensor:
    """int64 (B, longest), padded with the source's pad id, where the model is."""
    longest = max(len(row) for row in rows)
    pad = bundle.config.source_pad_id
    padded = [[*map(int, row), *[pad] * (longest - len(row))] for row in rows]
    return torch.tensor(padded, dtype=torch.long, device=next(bundle.model.parameters()).device)
