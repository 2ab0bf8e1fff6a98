"""A Trace of a given translation, by teacher forcing, for one pair of texts or many."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TypedDict, Unpack, cast, overload

from torch import Tensor

from model.bundle import Bundle
from model.decoding.forced import forced_at_once
from model.decoding.options import DecodingOptions
from model.decoding.strategies import greedy
from model.inference.batches import Texts, fitting, in_batches, is_many, may_pad
from model.inference.donors import with_donors
from model.inference.memory import check_forced
from model.inference.trace_building import Spoken, best, build_trace, cropped, trace_of
from model.interventions import NONE, Interventions
from model.nn.padding import pad
from model.text.tokens import Source, TextError, as_text, source_tokens, target_tokens
from model.trace import AttentionMaps, TokenSequence, Trace

Read = tuple[TokenSequence, TokenSequence]
"""The tokens of a source and of its translation."""


class ScoreOptions(TypedDict, total=False):
    """The options of ``score``."""

    interventions: Interventions
    n_candidates: int
    cached: bool


@overload
def score(bundle: Bundle, source: Source, target: Source, **options: Unpack[ScoreOptions]) -> Trace: ...
@overload
def score(bundle: Bundle, source: Texts, target: Texts, **options: Unpack[ScoreOptions]) -> list[Trace | TextError]: ...
def score(
    bundle: Bundle,
    source: Source | Texts,
    target: Source | Texts,
    *,
    interventions: Interventions = NONE,
    n_candidates: int = 10,
    cached: bool = False,
) -> Trace | list[Trace | TextError]:
    """The same Trace for a given translation, by teacher forcing; both sides as text or ids, or as lists of them.

    Args:
        cached: take the positions one by one, with the keys and values of earlier ones kept, as ``translate`` does; by
            default all positions are computed in one pass, which is faster and gives the same.

    Raises as ``translate`` does, and TextError when the lists differ in length.
    """
    interventions = with_donors(bundle, interventions)

    def tokens(pair: tuple[Source, Source]) -> Read:
        return source_tokens(bundle, pair[0]), target_tokens(bundle, pair[1])

    def traces(pairs: Sequence[tuple[Source, Source]], read: Sequence[Read]) -> list[Trace]:
        edits = [interventions] * len(read)
        if is_many(source):
            edits = fitting(interventions, [(len(one), len(said)) for one, said in read])
        texts = [as_text(pair[0]) for pair in pairs]
        return _traces(bundle, texts, read, edits, n_candidates=n_candidates, cached=cached)

    if is_many(source) != is_many(target):
        raise TextError("one side is a list and the other is one text: give two texts, or two lists of texts")
    if not is_many(source) or not is_many(target):
        pair = (cast(Source, source), cast(Source, target))
        return traces([pair], [tokens(pair)])[0]
    if len(source) != len(target):
        raise TextError(
            f"{len(source)} sentences and {len(target)} translations: give one translation for each sentence"
        )
    pairs = list(zip(source, target, strict=True))
    return in_batches(
        pairs, tokens, lambda read: (len(read[0]), len(read[1])), traces, is_padded=may_pad(interventions)
    )


def _traces(
    bundle: Bundle,
    texts: Sequence[str],
    read: Sequence[Read],
    edits: Sequence[Interventions],
    *,
    n_candidates: int,
    cached: bool,
) -> list[Trace]:
    config, device = bundle.config, bundle.device
    for (one, said), own in zip(read, edits, strict=True):
        own.check(config, n_source=len(one), n_target=len(said))
    source = pad([one.ids for one, _ in read], config.source_pad_id, device=device)
    target = pad([said.ids for _, said in read], config.target_pad_id, device=device)
    check_forced(config, n_source=source.shape[1], n_target=target.shape[1], batch=len(read))
    options = DecodingOptions(n_candidates=n_candidates, interventions=edits[0] if len(set(edits)) == 1 else edits)
    way = _one_by_one if cached else _in_one_pass
    return way(bundle, texts, read, (source, target), options, edits)


def _in_one_pass(
    bundle: Bundle,
    texts: Sequence[str],
    read: Sequence[Read],
    ids: tuple[Tensor, Tensor],
    options: DecodingOptions,
    edits: Sequence[Interventions],
) -> list[Trace]:
    found = forced_at_once(bundle.model, *ids, options)
    traces = []
    for row, (text, (one, said), own) in enumerate(zip(texts, read, edits, strict=True)):
        s, t = len(one), len(said)
        maps = AttentionMaps(
            cropped(found.encoder_self, row, s, s),
            cropped(found.decoder_self, row, t, t),
            cropped(found.cross, row, t, s),
        )
        spoken = Spoken(
            said.ids, found.log_probs[row, :t].copy(), maps, found.candidate_ids[row, :t].copy(),
            found.candidate_log_probs[row, :t].copy(),
        )  # fmt: skip
        traces.append(trace_of(bundle, text, one, spoken, interventions=own))
    return traces


def _one_by_one(
    bundle: Bundle,
    texts: Sequence[str],
    read: Sequence[Read],
    ids: tuple[Tensor, Tensor],
    options: DecodingOptions,
    edits: Sequence[Interventions],
) -> list[Trace]:
    given = tuple(said.ids for _, said in read)
    options = dataclasses.replace(options, max_length=tuple(map(len, given)), prefixes=given)
    steps = list(greedy(bundle.model, ids[0], options))
    spoken = [dataclasses.replace(one, is_truncated=False) for one in best(steps, len(given))]
    return [
        build_trace(bundle, text, one, hypothesis, steps, interventions=own)
        for text, (one, _), hypothesis, own in zip(texts, read, spoken, edits, strict=True)
    ]
