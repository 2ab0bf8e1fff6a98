"""Scores translations by teacher forcing: a Trace for one pair of texts, or for many."""

from collections.abc import Sequence
from typing import TypedDict, Unpack, cast, overload

import torch

from model.bundle import Bundle
from model.decoding.forced import rank_candidates
from model.decoding.options import DecodingOptions
from model.decoding.step import stack_layers
from model.inference.batches import Texts, in_batches, is_many
from model.inference.fitting import interventions_per_sentence
from model.inference.reading import GivenTranslation, read_translation
from model.inference.teacher_forcing import teacher_forced
from model.inference.trace_building import crop, trace_of
from model.interventions import NONE, Change, Interventions, as_interventions
from model.text.tokens import Source, TextError
from model.trace import AttentionMaps, Trace


class ScoreOptions(TypedDict, total=False):
    """The options of ``score``."""

    interventions: Change | Sequence[Change]
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
    interventions: Change | Sequence[Change] = NONE,
    n_candidates: int = 10,
    cached: bool = False,
) -> Trace | list[Trace | TextError]:
    """The Trace of a known translation, by teacher forcing; both sides as text or ids, or as lists of them.

    A decoder-only model scores ``target`` as the continuation of ``source``.

    Args:
        cached: decode position by position with a key-value cache, as ``translate`` does; by default all positions are
            computed in one pass, which is faster and gives the same.

    Raises as ``translate`` does, and TextError when the lists differ in length.
    """
    options, edits = DecodingOptions(n_candidates=n_candidates), as_interventions(interventions)

    def read(pair: tuple[Source, Source]) -> GivenTranslation:
        return read_translation(bundle, *pair)

    def traces(_: Sequence[object], rows: Sequence[GivenTranslation]) -> list[Trace]:
        return _traces(bundle, rows, edits, options.n_candidates, cached=cached)

    if is_many(source) != is_many(target):
        raise TextError("one side is a list and the other is one text: give two texts, or two lists of texts")
    if not is_many(source) or not is_many(target):
        translation = read((cast(Source, source), cast(Source, target)))
        interventions_per_sentence(bundle, edits, [(len(translation.source), len(translation.target))], is_strict=True)
        return traces([], [translation])[0]
    if len(source) != len(target):
        raise TextError(
            f"{len(source)} sentences and {len(target)} translations: give one translation for each sentence"
        )
    pairs = list(zip(source, target, strict=True))
    return in_batches(pairs, read, lambda translation: (len(translation.source), len(translation.target)), traces)


@torch.inference_mode()
def _traces(
    bundle: Bundle, rows: Sequence[GivenTranslation], interventions: Interventions, n_candidates: int, *, cached: bool
) -> list[Trace]:
    forced = teacher_forced(bundle, rows, interventions=interventions, capture=True, cached=cached)
    log_probs, candidate_ids, candidate_log_probs = rank_candidates(forced.logits, forced.target, n_candidates)
    encoder_self, decoder_self, cross = (
        stack_layers(layers)
        for layers in (forced.encoded.attention, forced.decoded.self_attention, forced.decoded.cross)
    )
    traces = []
    for row, (translation, edits) in enumerate(zip(rows, forced.interventions, strict=True)):
        s, t = len(translation.source), len(translation.target)
        maps = AttentionMaps(crop(encoder_self, row, s, s), crop(decoder_self, row, t, t), crop(cross, row, t, s))
        traces.append(trace_of(
            bundle, translation.text, translation.source, maps, begin=translation.prefix.ids[0],
            ids=translation.target.ids, log_probs=log_probs[row, :t].copy(),
            candidate_ids=candidate_ids[row, :t].copy(), candidate_log_probs=candidate_log_probs[row, :t].copy(),
            interventions=edits,
        ))  # fmt: skip
    return traces
