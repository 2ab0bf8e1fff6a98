"""``translate`` from text to a Trace, and ``translate_texts`` for many texts without attention."""

import dataclasses
import warnings
from collections.abc import Iterator, Sequence
from typing import Literal, TypedDict, Unpack, cast, get_args, overload

from model.bundle import Bundle
from model.decoding.beam_search import LengthPenalty
from model.decoding.generation import Generation, GenerationWarning
from model.decoding.sampling import Sampling
from model.decoding.step import DecodingError, DecodingStep
from model.decoding.strategies import DecodingOptions, beam, greedy, sample
from model.inference.batches import MAX_BATCH_ROWS, Texts, group_by_length, in_batches, is_many
from model.inference.fitting import interventions_per_sentence, with_donors
from model.inference.memory import check_decoding, check_texts
from model.inference.reading import Reading, read_text
from model.inference.trace_building import best_hypotheses, build_trace
from model.interventions import NONE, Change, Interventions, as_interventions
from model.nn.masks import pad
from model.progress import Progress, ignore_progress
from model.text.tokens import Source, TextError, text_of
from model.trace import Trace

Method = Literal["greedy", "beam", "sample"]
MAX_BEAM = 16


class TranslateOptions(TypedDict, total=False):
    """The options of ``translate``, documented there."""

    method: Method
    beam_size: int
    length_penalty: float | LengthPenalty
    sampling: Sampling | None
    max_length: int | Sequence[int | None] | None
    prefix: str | Sequence[int]
    n_candidates: int
    stop_loops: bool
    interventions: Change | Sequence[Change]
    cached: bool
    generation: Literal["model"] | None


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
    length_penalty: float | LengthPenalty = 0.6,
    sampling: Sampling | None = None,
    max_length: int | Sequence[int | None] | None = None,
    prefix: str | Sequence[int] = (),
    n_candidates: int = 10,
    stop_loops: bool = True,
    interventions: Change | Sequence[Change] = NONE,
    cached: bool = True,
    generation: Literal["model"] | None = None,
) -> Trace | list[Trace | TextError]:
    """Translate one text or a list of texts, with attention.

    Texts of similar length share a pass, and each trace is the same as for the text alone. A decoder-only model reads
    the text as a prompt and continues it: ``source`` is then empty, ``prefix`` begins with the prompt, and ``text`` is
    the prompt with its continuation.

    Args:
        text: the encoder's input, as text or as ids; "#54 #14" are ids too. A list of texts gives a list in the same
            order, with a TextError in the place of a text that cannot be read.
        length_penalty: for beam search: GNMT's α, or ``LengthPenalty(1.0, "length")``, which divides summed
            log-probabilities by the number of tokens.
        sampling: temperature and other settings of method "sample".
        max_length: maximum number of predicted tokens, without a prompt; one number for all texts or one for each. None
            allows 2 S + 16.
        prefix: the beginning of the translation, as text or ids; decoding continues from it.
        stop_loops: end a greedy or sampled translation that only repeats itself; ``is_truncated`` is then true.
        cached: cache the keys and values of earlier positions; False recomputes every position at each step.
        generation: "model" decodes as ``generate`` of the transformers library does with the model's
            generation_config.json: its method, beams, penalties, lengths and rules replace ``method``, ``beam_size``,
            ``length_penalty``, ``stop_loops`` and all of ``sampling`` but the seed. ``max_length`` takes precedence
            over the file's limit; without either, 20 tokens are written. None applies only the file's start, first and
            end tokens.

    Raises:
        TextError: when a single text, or the prefix, cannot be read by this model.
        DecodingError: when an option is out of range.
        InterventionError: when an intervention names what the model does not have.

    Warns:
        GenerationWarning: when the model's file has a setting that ``generation="model"`` does not follow.
    """
    rules = model_generation(bundle, generation)
    method, beam_size, length_penalty, sampling = _search(rules, method, beam_size, length_penalty, sampling)
    penalty = length_penalty if method == "beam" else 0.0
    interventions = with_donors(bundle, as_interventions(interventions))

    def read(item: tuple[Source, int | None]) -> Reading:
        return read_text(bundle, item[0], prefix)

    def decoded(items: Sequence[tuple[Source, int | None]], readings: Sequence[Reading]) -> list[Trace]:
        limits = _limits(readings, [limit for _, limit in items], rules)
        lengths = _lengths(bundle, readings, limits)
        edits = interventions_per_sentence(bundle, interventions, lengths, is_strict=not is_many(text))
        steps = decode_steps(
            bundle, readings, method=method, beam_size=beam_size, length_penalty=length_penalty, sampling=sampling,
            max_length=limits, n_candidates=n_candidates, stop_loops=stop_loops and rules is None, interventions=edits,
            cached=cached, generation=rules,
        )  # fmt: skip
        chosen = best_hypotheses(steps, len(readings), length_penalty=penalty)
        return [
            build_trace(bundle, reading.text, reading.source, hypothesis, steps, interventions=edit)
            for reading, hypothesis, edit in zip(readings, chosen, edits, strict=True)
        ]

    texts = text if is_many(text) else [cast(Source, text)]
    items = list(zip(texts, _each(max_length, len(texts)), strict=True))
    if not is_many(text):
        return decoded(items, [read(items[0])])[0]
    size = 1 if method == "sample" else MAX_BATCH_ROWS  # so that every sentence draws with the seed alone
    return in_batches(items, read, lambda reading: (len(reading.source),), decoded, size=size)


def decode_steps(
    bundle: Bundle,
    readings: Sequence[Reading],
    *,
    method: Method = "greedy",
    beam_size: int = 4,
    length_penalty: float | LengthPenalty = 0.6,
    sampling: Sampling | None = None,
    max_length: int | Sequence[int | None] | None = None,
    n_candidates: int = 10,
    stop_loops: bool = True,
    interventions: Interventions | Sequence[Interventions] = NONE,
    cached: bool = True,
    capture: bool = True,
    generation: Generation | None = None,
    on_step: Progress = ignore_progress,
) -> list[DecodingStep]:
    """All steps of decoding texts together; the options are those of ``translate``.

    Args:
        interventions: one set for all texts, or one per text; every query and key in it must exist in the text.
        capture: keep the attention of each step.
        generation: rules that forbid or force tokens (``model.decoding.generation``).
        on_step: called with the steps done and their maximum; an exception from it ends the decoding.
    """
    if method not in get_args(Method):
        raise DecodingError(f"unknown method “{method}”: choose {', '.join(get_args(Method))}")
    if not 1 <= beam_size <= MAX_BEAM:
        raise DecodingError(f"beam_size ({beam_size}) must be between 1 and {MAX_BEAM}")
    lengths = _lengths(bundle, readings, _each(max_length, len(readings)))
    limits = tuple(limit for _, limit in lengths)
    edits = interventions_per_sentence(bundle, interventions, lengths, is_strict=True)
    longest, beams = max(n for n, _ in lengths), beam_size if method == "beam" else 1
    if capture:
        check_decoding(bundle.config, n_source=longest, n_target=max(limits), batch=len(readings), beam=beams)
    else:
        check_texts(bundle.config, n_source=longest, n_target=1, batch=len(readings), beam=beams)
    options = DecodingOptions(
        max_length=limits,
        n_candidates=n_candidates,
        capture=capture,
        cached=cached,
        prefixes=tuple(reading.prefix for reading in readings),
        n_read=tuple(0 if len(reading.source) else reading.n_read - 1 for reading in readings),
        begins=tuple(reading.begin for reading in readings),
        stop_loops=stop_loops,
        interventions=edits if any(edits) else NONE,
        generation=generation,
    )
    ids = pad([reading.source.ids for reading in readings], bundle.config.source_pad_id, device=bundle.device)
    if method == "sample":
        decoding = sample(bundle.model, ids, sampling or Sampling(), options)
    elif method == "beam":
        decoding = beam(bundle.model, ids, beam_size=beam_size, length_penalty=length_penalty, options=options)
    else:
        decoding = greedy(bundle.model, ids, options)
    steps = []
    for step in decoding:
        steps.append(step)
        on_step(len(steps), max(limits))
    return steps


def model_generation(bundle: Bundle, generation: Literal["model"] | None) -> Generation | None:
    """The model's generation settings for "model"; None for None.

    Raises:
        DecodingError: when the model has none, or for any other value.

    Warns:
        GenerationWarning: naming the settings that are not followed.
    """
    if generation is None:
        return None
    if generation != "model":
        raise DecodingError(f"generation ({generation!r:.40}) must be “model” or None")
    if bundle.generation is None:
        raise DecodingError(
            f"{bundle.name} came without a generation_config.json: leave generation out, and choose method, beam_size "
            "and length_penalty"
        )
    if bundle.generation.not_followed:
        named = ", ".join(bundle.generation.not_followed)
        warnings.warn(
            f"{bundle.name}: its generation_config.json sets {named}, which is not followed, so generate of the "
            "transformers library may write another text", GenerationWarning, stacklevel=3,
        )  # fmt: skip
    return bundle.generation


def _search(
    rules: Generation | None, method: Method, beam_size: int, length_penalty: float | LengthPenalty,
    sampling: Sampling | None,
) -> tuple[Method, int, float | LengthPenalty, Sampling | None]:  # fmt: skip
    """Method, beam size, length penalty and sampling: from ``rules`` if present, else the arguments."""
    if rules is None:
        return method, beam_size, length_penalty, sampling
    drawn = Sampling(seed=0 if sampling is None else sampling.seed)
    if rules.do_sample:
        names = ("temperature", "top_k", "top_p", "min_p")
        drawn = dataclasses.replace(drawn, **{name: getattr(rules, name) for name in names})
    method = "beam" if rules.num_beams > 1 else "sample" if rules.do_sample else "greedy"
    return method, rules.num_beams, rules.length_penalty, drawn


def _limits(
    readings: Sequence[Reading], requested: Sequence[int | None], rules: Generation | None
) -> Sequence[int | None]:
    """Maximum tokens per text: the requested limit, else that of ``rules``."""
    if rules is None:
        return requested
    limits = [rules.new_tokens(1 if len(reading.source) else reading.n_read) for reading in readings]
    return [n if limit is None else limit for n, limit in zip(limits, requested, strict=True)]


def _each(max_length: int | Sequence[int | None] | None, n_texts: int) -> Sequence[int | None]:
    return max_length if isinstance(max_length, Sequence) else [max_length] * n_texts


def _lengths(bundle: Bundle, readings: Sequence[Reading], limits: Sequence[int | None]) -> list[tuple[int, int]]:
    """For each text, its source tokens and the maximum of predicted tokens."""
    return [
        (len(reading.source), reading.max_new_tokens(bundle, limit))
        for reading, limit in zip(readings, limits, strict=True)
    ]


def translate_texts(
    bundle: Bundle,
    texts: Sequence[Source],
    *,
    method: Literal["greedy", "beam"] = "greedy",
    beam_size: int = 4,
    length_penalty: float | LengthPenalty = 0.6,
    interventions: Interventions | Sequence[Interventions] = NONE,
    batch_size: int = MAX_BATCH_ROWS,
    cached: bool = True,
    generation: Literal["model"] | None = None,
) -> Iterator[tuple[int, str]]:
    """Translate many texts without attention; yields (index, translation), longest texts first.

    Texts of similar length share a batch, so that little is computed for padding.

    Args:
        interventions: one set for all texts, or one per text. Items whose query or key a text lacks are dropped.
        generation: "model" follows the model's generation_config.json, as in ``translate``.

    Raises:
        TextError: when a text cannot be read by this model.
        DecodingError: when generation is "model" and the model came without such a file.
        InterventionError: when an intervention names what the model does not have, or the number of sets is not the
            number of texts.

    Warns:
        GenerationWarning: as ``translate``.
    """
    rules = model_generation(bundle, generation)
    choosing, beam_size, length_penalty, sampling = _search(rules, method, beam_size, length_penalty, None)
    batch_size = 1 if choosing == "sample" else batch_size  # so that every sentence draws with the seed alone
    readings = [read_text(bundle, text) for text in texts]
    limits = _limits(readings, _each(None, len(readings)), rules)
    lengths = _lengths(bundle, readings, limits)
    edits = interventions_per_sentence(bundle, interventions, lengths)
    for chosen in group_by_length([(reading.n_read,) for reading in readings], batch_size, longest_first=True):
        steps = decode_steps(
            bundle, [readings[i] for i in chosen], method=choosing, beam_size=beam_size, length_penalty=length_penalty,
            sampling=sampling, max_length=[limits[i] for i in chosen], n_candidates=1,
            interventions=[edits[i] for i in chosen], cached=cached, capture=False, generation=rules,
        )  # fmt: skip
        hypotheses = best_hypotheses(steps, len(chosen), length_penalty=length_penalty if choosing == "beam" else 0.0)
        for index, hypothesis in zip(chosen, hypotheses, strict=True):
            begin = () if len(readings[index].source) else (readings[index].begin,)
            yield index, text_of(bundle, (*begin, *hypothesis.ids))
