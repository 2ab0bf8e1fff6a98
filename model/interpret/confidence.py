"""Whether a translation can be trusted: signs in the model's own output that a sentence is unlike its training data.

Low probabilities of its own tokens (Fomicheva et al. 2020, section 3.1), tokens that are bytes, letters or unknown,
repetition, a translation that is short beside its source, and one that hardly depends on it (Voita et al. 2021) each
speak against it. A model with a calibration turns them into one probability.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.analysis.words import decoded_bytes
from model.bundle import Bundle
from model.decoding.loops import find_loop
from model.inference.teacher_forcing import token_log_probs
from model.interventions import NONE
from model.text.tokenizer import SPACE_MARK, WORD_MARK, is_byte, without_marks
from model.trace import Floats, TokenSequence, Trace


@dataclass(frozen=True, slots=True)
class Confidence:
    """The evidence about one translation."""

    p_poor: float
    """Probability that the translation is poor, 0 to 1: chrF under the limit with which it was calibrated."""
    is_doubtful: bool
    """Whether that is more than the model's threshold."""
    values: dict[str, float]
    """What it was computed from, by the names of ``evidence``."""


def confidence(bundle: Bundle, trace: Trace) -> Confidence | None:
    """How far to trust a translation; None where the model has no calibration or the trace is not its own free choice.

    A trace with interventions has none, because they lower the probabilities for reasons that are not in the sentence.
    """
    calibration = bundle.calibration
    if calibration is None or trace.interventions != NONE or not len(trace.source):
        return None
    alone = log_probs_without_source(bundle, trace.target.ids)
    values = evidence(trace.source, trace.target, trace.log_probs, alone)
    p_poor = calibration.probability(values)
    return Confidence(p_poor, p_poor > calibration.threshold, values)


def evidence(
    source: TokenSequence, target: TokenSequence, log_probs: Sequence[float] | Floats, without: Floats
) -> dict[str, float]:
    """The values that a calibration weighs.

    Args:
        target: T predicted tokens, end of sentence included.
        log_probs: (T,) given the source.
        without: (T,) of the same tokens with the source removed.
    """
    pieces = [piece for piece, special in zip(source.pieces, source.is_special, strict=True) if not special]
    n_words = len({word for word in source.words if word >= 0})
    mean = float(np.mean(log_probs))
    return {
        "mean_log_prob": mean,
        "log_length": math.log(1 + n_words),
        "rare_pieces": sum(map(is_rare, pieces)) / max(1, len(pieces)),
        "pieces_per_word": len(pieces) / max(1, n_words),
        "repetition": repetition(target.ids),
        "source_effect": mean - float(np.mean(without)),
        "character_ratio": math.log(max(1, _n_characters(target)) / max(1, _n_characters(source))),
    }


def _n_characters(tokens: TokenSequence) -> int:
    return max((span[1] for span in tokens.spans if span is not None), default=0)


def is_rare(piece: str) -> bool:
    """A byte, the unknown token, or a single letter inside a word: how a word outside the vocabulary is split."""
    return piece == "<unk>" or is_byte(piece) or (len(piece) == 1 and piece.isalpha())


def repetition(ids: Sequence[int], n: int = 3) -> float:
    """Share of the n-grams that came before, 0 where there are none."""
    grams = [tuple(ids[i : i + n]) for i in range(len(ids) - n + 1)]
    return 1 - len(set(grams)) / len(grams) if grams else 0.0


def looped_text(trace: Trace, *, first: int = 0) -> str | None:
    """The tokens that a translation repeats at its end, or before a last punctuation mark; None where it does not.

    Args:
        first: the first token that was written; a decoder-only model's prompt stands before it.
    """
    n_written = len(trace.target) - trace.target.is_special[-1:].count(True)
    ids, pieces = trace.target.ids[first:n_written], trace.target.pieces[first:n_written]
    loop = find_loop(ids)
    if loop is None and pieces and not any(map(str.isalnum, pieces[-1])):
        loop = find_loop(ids[:-1])
    if loop is None:
        return None
    repeated = "".join(map(_spaced, pieces[loop.start : loop.start + loop.period]))
    return decoded_bytes(repeated).strip() or None


def _spaced(piece: str) -> str:
    return " " * piece.startswith((WORD_MARK, SPACE_MARK)) + without_marks(piece)


def log_probs_without_source(bundle: Bundle, target_ids: Sequence[int]) -> Floats:
    """Log-probability of each of T tokens when the source is an empty sentence, (T,)."""
    config = bundle.config
    empty = [config.bos_id] * config.source_has_bos + [config.eos_id] * config.source_has_eos or [config.eos_id]
    return token_log_probs(bundle, empty, (config.bos_id, *target_ids[:-1]), target_ids)
