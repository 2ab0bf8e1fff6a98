"""From text to a Trace: ``translate``, and many sentences at once without attention."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypedDict, Unpack, cast, get_args, overload

from torch import Tensor

from model.bundle import Bundle
from model.decoding.sampling import Sampling
from model.decoding.step import DecodingError, DecodingStep
from model.decoding.strategies import DecodingOptions, beam, greedy, sample
from model.inference.batches import BATCH, Texts, fitting, in_batches, is_many, may_pad
from model.inference.donors import with_donors
from model.inference.memory import check_decoding, check_texts
from model.inference.trace_building import best, build_trace
from model.interventions import NONE, Interventions
from model.nn.padding import pad
from model.text.tokens import Source, TextError, as_text, n_positions, prefix_ids, source_tokens, text_of
from model.trace import TokenSequence, Trace

Method = Literal["greedy", "beam", "sample"]
MAX_BEAM = 16


class TranslateOptions(TypedDict, total=False):
    """The options of ``translate``, which explains them."""

    method: Method
    beam_size: int
    length_penalty: float
    sampling: Sampling | None
    max_length: int | None
    prefix: Source
    n_candidates: int
    stop_loops: bool
    interventions: Interventions
    cached: bool


@overload
def translate(bundle: Bundle, text: Source, **options: Unpack[TranslateOptions]) -> Trace: ...
@overload
def translate(bundle: Bundle, text: Texts, **options: Unpack[TranslateOptions]) -> list[Trace | TextError]: ...
def translate(
    bundle: Bundle,
    text: Source | Texts,
    *,
    method: Method = "greedy",
    beam_size: int = 4,
    length_penalty: float = 0.6,
    sampling: Sampling | None = None,
    max_length: int | None = None,
    prefix: Source = (),
    n_candidates: int = 10,
    stop_loops: bool = True,
    interventions: Interventions = NONE,
    cached: bool = True,
) -> Trace | list[Trace | TextError]:
    """Translate one text or a list of texts, and keep everything the model attended to.

    Texts of like length share a pass; each trace is what the text alone gives.

    Args:
        text: what the encoder reads, as text or as ids; "#54 #14" are ids too. A list of texts gives a list in the
            same order, with the TextError itself in the place of a text that cannot be read.
        length_penalty: α of ``decoding.length_norm``, for beam search.
        sampling: temperature and the like, for method "sample".
        max_length: predicted tokens at most; None allows 2 S + 16.
        prefix: the beginning of the translation, as text or ids; decoding goes on from it.
        stop_loops: end a greedy or sampled translation that only repeats itself; ``is_truncated`` is then true.
        cached: keep the keys and values of earlier positions; False computes every position anew at each step.

    Raises:
        TextError: when the text (one alone), or the prefix, cannot be read by this model.
        DecodingError: when an option is out of range.
        InterventionError: when an intervention names what the model does not have.
    """
    penalty = length_penalty if method == "beam" else 0.0
    interventions = with_donors(bundle, interventions)

    def decoded(texts: Sequence[Source], sources: Sequence[TokenSequence]) -> list[Trace]:
        edits = [interventions] * len(sources)
        if is_many(text):
            edits = fitting(interventions, [(len(one), _most(one, max_length)) for one in sources])
        steps = decode_steps(
            bundle, *sources, method=method, beam_size=beam_size, length_penalty=length_penalty, sampling=sampling,
            max_length=max_length, prefix=prefix, n_candidates=n_candidates, stop_loops=stop_loops,
            interventions=edits, cached=cached,
        )  # fmt: skip
        return [
            build_trace(bundle, as_text(one), source, hypothesis, steps, interventions=own)
            for one, source, hypothesis, own in zip(
                texts, sources, best(steps, len(sources), length_penalty=penalty), edits, strict=True
            )
        ]

    if not is_many(text):
        one = cast(Source, text)
        return decoded([one], [source_tokens(bundle, one)])[0]
    size = 1 if method == "sample" else BATCH  # a sentence that is drawn has the seed's own numbers
    return in_batches(
        text, lambda one: source_tokens(bundle, one), lambda read: (len(read),), decoded, size=size,
        is_padded=may_pad(interventions),
    )  # fmt: skip


def decode_steps(
    bundle: Bundle,
    *sources: TokenSequence,
    method: Method = "greedy",
    beam_size: int = 4,
    length_penalty: float = 0.6,
    sampling: Sampling | None = None,
    max_length: int | None = None,
    prefix: Source = (),
    n_candidates: int = 10,
    stop_loops: bool = True,
    interventions: Interventions | Sequence[Interventions] = NONE,
    cached: bool = True,
) -> list[DecodingStep]:
    """All steps of decoding sentences together; the options are those of ``translate``.

    Args:
        interventions: for all sentences, or one set a sentence.
    """
    if method not in get_args(Method):
        raise DecodingError(f"unknown method “{method}”: choose {', '.join(get_args(Method))}")
    if not 1 <= beam_size <= MAX_BEAM:
        raise DecodingError(f"beam_size ({beam_size}) must be between 1 and {MAX_BEAM}")
    start = prefix_ids(bundle, prefix)
    limits = tuple(_length_limit(bundle, len(source), len(start), max_length) for source in sources)
    if isinstance(interventions, Interventions):
        interventions = [interventions] * len(sources)
    edits = with_donors(bundle, interventions)
    for n_source, limit, own in set(zip(map(len, sources), limits, edits, strict=True)):
        own.check(bundle.config, n_source=n_source, n_target=limit)
    check_decoding(
        bundle.config, n_source=max(map(len, sources)), n_target=max(limits), batch=len(sources),
        beam=beam_size if method == "beam" else 1,
    )  # fmt: skip
    options = DecodingOptions(
        max_length=limits,
        n_candidates=n_candidates,
        cached=cached,
        prefixes=(start,) * len(sources) if start else (),
        stop_loops=stop_loops,
        interventions=edits[0] if len(set(edits)) == 1 else edits,
    )
    ids = pad([source.ids for source in sources], bundle.config.source_pad_id, device=bundle.device)
    if method == "sample":
        return list(sample(bundle.model, ids, sampling or Sampling(), options))
    return _searched(bundle, ids, options, method, beam_size=beam_size, length_penalty=length_penalty)


def translate_texts(
    bundle: Bundle,
    texts: Sequence[Source],
    *,
    method: Literal["greedy", "beam"] = "greedy",
    beam_size: int = 4,
    length_penalty: float = 0.6,
    interventions: Interventions | Sequence[Interventions] = NONE,
    batch_size: int = 64,
    cached: bool = True,
) -> Iterator[tuple[int, str]]:
    """Translate many texts, without attention: yields (index, translation), longest texts first.

    Sentences of like length share a batch, so that little is computed for padding.

    Args:
        interventions: for all texts, or one set a text. A query or key that a sentence does not have is left out.

    Raises:
        TextError: when a text cannot be read by this model.
        InterventionError: when an intervention names a layer or head that the model does not have.
    """
    interventions = with_donors(bundle, interventions)
    edits = [interventions] * len(texts) if isinstance(interventions, Interventions) else list(interventions)
    for distinct in dict.fromkeys(edits):
        distinct.check(bundle.config)
    sources = [source_tokens(bundle, text).ids for text in texts]
    order = sorted(range(len(texts)), key=lambda i: -len(sources[i]))
    for start in range(0, len(order), batch_size):
        chosen = order[start : start + batch_size]
        begin = bundle.config.target_prefix
        limits = tuple(_length_limit(bundle, len(sources[i]), len(begin), None) for i in chosen)
        check_texts(
            bundle.config, n_source=len(sources[chosen[0]]), n_target=1, batch=len(chosen),
            beam=beam_size if method == "beam" else 1,
        )  # fmt: skip
        edited = [
            edits[i].within(n_source=len(sources[i]), n_target=limit) for i, limit in zip(chosen, limits, strict=True)
        ]
        options = DecodingOptions(
            max_length=limits,
            n_candidates=1,
            capture=False,
            stop_loops=True,
            cached=cached,
            prefixes=(begin,) * len(chosen) if begin else (),
            interventions=edited if any(edited) else NONE,
        )
        ids = pad([sources[i] for i in chosen], bundle.config.source_pad_id, device=bundle.device)
        steps = _searched(bundle, ids, options, method, beam_size=beam_size, length_penalty=length_penalty)
        found = best(steps, len(chosen), length_penalty=length_penalty if method == "beam" else 0.0)
        for index, hypothesis in zip(chosen, found, strict=True):
            yield index, text_of(bundle, hypothesis.ids)


def _searched(
    bundle: Bundle,
    ids: Tensor,
    options: DecodingOptions,
    method: Literal["greedy", "beam"],
    *,
    beam_size: int,
    length_penalty: float,
) -> list[DecodingStep]:
    """The steps of greedy or beam search over padded ids (B, S)."""
    if method == "beam":
        return list(beam(bundle.model, ids, beam_size=beam_size, length_penalty=length_penalty, options=options))
    return list(greedy(bundle.model, ids, options))


def _most(source: TokenSequence, max_length: int | None) -> int:
    """Tokens that a translation may have at most."""
    return 2 * len(source) + 16 if max_length is None else max_length


def _length_limit(bundle: Bundle, n_source: int, n_prefix: int, wanted: int | None) -> int:
    limit = 2 * n_source + 16 + n_prefix if wanted is None else wanted
    if limit < 1:
        raise DecodingError(f"max_length ({limit}) must be at least 1")
    known = n_positions(bundle)
    if known is not None:
        limit = min(limit, known)
    if n_prefix >= limit:
        raise DecodingError(
            f"the prefix has {n_prefix} tokens and max_length is {limit}: raise max_length or shorten the prefix"
        )
    return limit
