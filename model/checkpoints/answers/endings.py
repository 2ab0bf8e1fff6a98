"""Infers begin and end tokens from how translations end under each usual pair of them.

A token that the model predicts first, or never, is no end token; translations that begin and end well are evidence.
"""

import dataclasses
from dataclasses import dataclass

import torch

from model.checkpoints.answers.variants import ENDS, measure_answers, random_sources, sample, with_answer
from model.checkpoints.basis.report import Evidence, Question
from model.decoding.strategies import most_probable
from model.nn.transformer import Transformer
from model.text.tokenizer import Tokenizer

_USUAL_ENDS = ((0, 1), (1, 2), (2, 3), (0, 2), (3, 2))
_MOST_EMPTY, _LEAST_SCORE = 0.5, 0.7
"""Another pair replaces the assumed one if under that more than half of the translations are empty, or none ends, and
its own score is at least the second number."""


def settle_ends(
    model: Transformer, settled: dict[str, Question], tokenizer: Tokenizer | None
) -> tuple[Transformer, tuple[Question, ...]]:
    """Replace the assumed begin and end tokens if they give empty or endless translations and another pair does not."""
    bos, eos = settled.get("bos_id"), settled.get("eos_id")
    if bos is None or eos is None or bos.is_answered or eos.is_answered:
        return model, tuple(settled.values())
    size = model.config.target_vocab_size
    usual = (pair for pair in _USUAL_ENDS if max(pair) < size)
    pairs = list(dict.fromkeys([(bos.value, eos.value), *usual]))
    shown = measure_answers(model, ENDS, pairs, lambda read: ending(read, tokenizer))
    chosen, assumed = max(shown, key=lambda pair: shown[pair].score), shown[pairs[0]]
    fails = assumed.empty > _MOST_EMPTY or not assumed.ended
    if not fails or shown[chosen].score < _LEAST_SCORE:
        chosen = pairs[0]
    evidence = tuple(
        Evidence("ends_tried", (("answer", f"{first}, {last}"), ("ended", trial.ended), ("empty", trial.empty)))
        for (first, last), trial in shown.items()
    )
    settled["bos_id"] = dataclasses.replace(bos, value=chosen[0], evidence=(*bos.evidence, *evidence))
    settled["eos_id"] = dataclasses.replace(eos, value=chosen[1], evidence=eos.evidence)
    return with_answer(model, ENDS, chosen), tuple(settled.values())


@dataclass(frozen=True, slots=True)
class Ending:
    """How translations end under one pair of begin and end tokens; shares of the sentences, 0 to 1."""

    ended: float
    """Ended within the limit after at least one token; 0 if all have the same length, as with an untrained model."""
    empty: float
    """Ended at once."""

    @property
    def score(self) -> float:
        """The score of the pair: ``ended`` minus ``empty``."""
        return self.ended - self.empty


@torch.inference_mode()
def ending(model: Transformer, tokenizer: Tokenizer | None) -> Ending:
    """Translate plain sentences, or random tokens without a vocabulary, and count how they end."""
    source = sample(model.config, tokenizer)
    source = random_sources(model.config) if source is None else source
    limit = min(3 * source.shape[1] + 4, model.config.max_positions)
    lengths = torch.full((len(source),), -1)
    for step, (_, _, ids) in enumerate(most_probable(model, model.encode(source), limit)):
        lengths = torch.where((lengths < 0) & (ids == model.config.eos_id), step, lengths)
        if bool((lengths >= 0).all()):
            break
    ended = lengths > 0
    varies = len(lengths[ended].unique()) > 1
    return Ending(round(float(ended.float().mean()) * varies, 2), round(float((lengths == 0).float().mean()), 2))
