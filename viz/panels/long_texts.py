"""Texts too long for full attention maps: their tokens, and the pass that returns block-averaged maps."""

import math
from dataclasses import dataclass

import numpy as np

from model import Bundle, Interventions, Trace
from model.inference.long_cost import Expected, Speed, estimate_cost, operations, speed
from model.inference.long_text import LongText, long_tokens, read_long, translate_long
from model.inference.reading import NO_TOKENS, decoder_input, kinds_of
from model.progress import Progress, ignore_progress
from model.text.tokens import describe_target, n_positions, text_of
from model.trace import AttentionMaps, TokenSequence
from viz import cache, processors

MAX_LONG_TARGET = 1_024
"""Tokens of a long text's translation."""
UNCONFIRMED_OPERATIONS = 0.8e12
"""Operations that run without confirmation: BERT-base over 2,000 tokens takes 0.49e12, over 4,000 1.27e12."""


@dataclass(frozen=True, slots=True)
class LongPass:
    """Identifies a pass: model, text and interventions."""

    fingerprint: str
    text: str
    interventions: Interventions

    def key(self, *more: object) -> tuple:
        """For ``cache.find``."""
        return ("long", self.fingerprint, self.text, self.interventions, *more)

    def find(self, layer: int) -> LongText | None:
        """A cached pass with the block averages of this layer; None when there is none."""
        return cache.find(self.key(None)) or cache.find(self.key((layer,)))


def long_trace(bundle: Bundle, text: str, interventions: Interventions) -> Trace:
    """The tokens of a long text, and of its translation if any; no attention. Raises TextError if it cannot be read."""
    source = cache.compute(long_tokens, bundle, text=text)
    ids = cache.find(LongPass(bundle.fingerprint, text, interventions).key("translation"))
    target = describe_target(bundle, ids) if ids else NO_TOKENS
    prefix = decoder_input(bundle, target) if ids else NO_TOKENS
    translation_text = text_of(bundle, ids) if ids else ""
    log_probs = np.full(len(target), np.nan, np.float32)
    return Trace(
        source_text=text, text=translation_text, source=source, target=target, prefix=prefix, log_probs=log_probs,
        attention=AttentionMaps(None, None, None), positional=None, interventions=interventions,
    )  # fmt: skip


def translates(bundle: Bundle) -> bool:
    """Whether the text is translated before its attention is read."""
    return "cross" in kinds_of(bundle)


def max_target_length(bundle: Bundle, n_source: int) -> int:
    """Maximum number of target tokens."""
    return min(MAX_LONG_TARGET, 2 * n_source + 16, n_positions(bundle) or MAX_LONG_TARGET)


def translation(
    bundle: Bundle, long_pass: LongPass, source: TokenSequence, *, on_progress: Progress
) -> tuple[int, ...]:
    """The ids of the greedy translation, cached."""
    ids = cache.find(long_pass.key("translation"))
    if ids is None:
        ids = translate_long(
            bundle, source, text=long_pass.text, max_length=max_target_length(bundle, len(source)),
            interventions=long_pass.interventions.for_any_sentence(), on_progress=on_progress,
        )  # fmt: skip
        cache.put(long_pass.key("translation"), ids)
    return ids


def read(
    bundle: Bundle, long_pass: LongPass, trace: Trace, layer: int | None, *, on_progress: Progress = ignore_progress
) -> LongText:
    """The pass over the whole text, cached: all layers (None), or one. Raises TooLargeError beyond the memory."""
    layers = None if layer is None else (layer,)
    long_text = cache.find(long_pass.key(layers))
    if long_text is None:
        is_decoder = kinds_of(bundle) == ("decoder_self",)
        source, prefix = (NO_TOKENS, trace.source) if is_decoder else (trace.source, trace.prefix)
        long_text = read_long(
            bundle, source, prefix, layers=layers, interventions=long_pass.interventions, on_progress=on_progress
        )
        cache.put(long_pass.key(layers), long_text)
    return long_text


def lengths(bundle: Bundle, trace: Trace) -> tuple[int, int]:
    """Tokens of the encoder and of the decoder; without a translation, an estimate from the source length."""
    n = len(trace.source)
    if not translates(bundle):
        return (0, n) if kinds_of(bundle) == ("decoder_self",) else (n, 0)
    return n, len(trace.prefix) or min(n, max_target_length(bundle, n))


def needs_confirmation(bundle: Bundle, trace: Trace) -> bool:
    """Whether the pass takes so long that the reader confirms it first."""
    return operations(bundle, *lengths(bundle, trace)) > UNCONFIRMED_OPERATIONS


def expectation(bundle: Bundle, trace: Trace, layer: int | None) -> Expected:
    """Seconds and memory of the pass, from the model's speed here, which is measured once."""
    with processors.all_processors():
        measured: Speed = cache.compute(speed, bundle)
    estimate = estimate_cost(bundle, *lengths(bundle, trace), measured, None if layer is None else (layer,))
    return Expected(round_estimate(estimate.seconds), estimate.n_bytes)


def round_estimate(seconds: float) -> float:
    """An estimate with the one digit that it can promise, two below 2; at least a second."""
    if seconds < 1:
        return 1.0
    unit = 10 ** math.floor(math.log10(seconds))
    step = unit / (2 if seconds < 2 * unit else 1)
    return round(seconds / step) * step
