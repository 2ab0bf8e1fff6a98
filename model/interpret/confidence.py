"""Estimates whether a translation can be trusted, from signs that a sentence is unlike the training data.

The signs are low token probabilities (Fomicheva et al. 2020, section 3.1); tokens that are bytes, single letters or
unknown; repetition; a translation that is short compared with its source; and one that hardly depends on it (Voita et
al. 2021). The model's calibration turns them into one probability.
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
    """Probability, 0 to 1, that the translation is poor: its chrF is below the limit of the calibration."""
    is_doubtful: bool
    """Whether that is above the model's threshold."""
    values: dict[str, float]
    """The inputs of the estimate, by the names of ``evidence``."""


def confidence(bundle: Bundle, trace: Trace) -> Confidence | None:
    """The confidence in a translation; None if the model has no calibration or did not choose the translation freely.

    A trace with interventions has none, because they lower probabilities whatever the sentence.
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
    """The features of the calibration.

    Args:
        target: T predicted tokens, end of sentence included.
        log_probs: (T,) their log-probabilities.
        without: (T,) their log-probabilities with the source removed.
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
    """Whether a piece is a byte, the unknown token, or a single letter inside a word: parts of unknown words."""
    return piece == "<unk>" or is_byte(piece) or (len(piece) == 1 and piece.isalpha())


def repetition(ids: Sequence[int], n: int = 3) -> float:
    """Share of the n-grams that occurred before; 0 if there are no n-grams."""
    grams = [tuple(ids[i : i + n]) for i in range(len(ids) - n + 1)]
    return 1 - len(set(grams)) / len(grams) if grams else 0.0


def looped_text(trace: Trace, *, first: int = 0) -> str | None:
    """The unit that a translation repeats at its end, or before a final punctuation mark; None if it repeats none.

    Args:
        first: index of the first generated token, after a decoder-only model's prompt.
    """
    n_written = len(trace.target) - trace.target.is_special[-1:].count(True)
    ids, pieces = trace.target.ids[first:n_written], trace.target.pieces[first:n_written]
    loop = find_loop(ids)
    if loop is None and pieces and not any(map(str.isalnum, pieces[-1])):
        loop = find_loop(ids[:-1])
    if loop is None:
        return None
    repeated = "".join(map(_with_space, pieces[loop.start : loop.start + loop.period]))
    return decoded_bytes(repeated).strip() or None


def _with_space(piece: str) -> str:
    return " " * piece.startswith((WORD_MARK, SPACE_MARK)) + without_marks(piece)


def log_probs_without_source(bundle: Bundle, target_ids: Sequence[int]) -> Floats:
    """Log-probability of each of T tokens when the source is an empty sentence, (T,)."""
    config = bundle.config
    empty = [config.bos_id] * config.source_has_bos + [config.eos_id] * config.source_has_eos or [config.eos_id]
    return token_log_probs(bundle, empty, (config.bos_id, *target_ids[:-1]), target_ids)
