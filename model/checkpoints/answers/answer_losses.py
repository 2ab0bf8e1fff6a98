"""Uses a translation as evidence for open questions: its loss under each answer, with the other answers unchanged.

A sentence with a correct translation is the strongest evidence, because with the right settings a trained model gives
the translation a high probability.
"""

import dataclasses
from collections.abc import Iterable
from typing import Any

from model.bundle import Bundle
from model.checkpoints.answers.variants import GATE, losses_told, measure_answers
from model.checkpoints.basis.report import Question
from model.inference.teacher_forcing import token_log_probs
from model.nn.transformer import Transformer
from model.text.tokens import source_tokens, target_tokens

KEY = "given_loss"
_WEIGHED = frozenset({"n_heads", "norm_first", "norm_kind", "activation", "embedding_scale", "positions",
                      "scale_emb_or_prj", GATE, "source_has_bos", "source_has_eos"})  # fmt: skip


def can_weigh(question: Question) -> bool:
    """Whether a question has few enough answers to try each."""
    return question.hint in _WEIGHED and len(answers(question)) > 1


def answers(question: Question) -> tuple[Any, ...]:
    """The answers to try."""
    if isinstance(question.value, bool):
        return (False, True)
    return tuple(dict.fromkeys((*question.choices, question.value)))


def weigh(bundle: Bundle, questions: Iterable[Question], source: str, target: str) -> tuple[Question, ...]:
    """Add to each question, as evidence, the loss of a translation under each answer, in nats per token.

    Args:
        source: a text in the source language, or ids such as ``#5 #12``.
        target: its translation.

    Raises:
        TextError: when the model cannot read one of them.
    """
    return tuple(
        _measure_losses(bundle, question, source, target) if can_weigh(question) else question for question in questions
    )


def loss(bundle: Bundle, source: str, target: str) -> float:
    """The mean negative log-probability of a translation's tokens, in nats."""
    target_ids = target_tokens(bundle, target).ids
    fed = (bundle.config.bos_id, *target_ids[:-1])
    return -float(token_log_probs(bundle, source_tokens(bundle, source).ids, fed, target_ids).mean())


def _measure_losses(bundle: Bundle, question: Question, source: str, target: str) -> Question:
    reasons = tuple(reason for reason in question.evidence if reason.key != KEY)
    if not isinstance(bundle.model, Transformer):
        return question

    def measure(model: Transformer) -> float:
        return loss(dataclasses.replace(bundle, model=model, config=model.config), source, target)

    losses = measure_answers(bundle.model, question.hint, answers(question), measure, now=question.value)
    return dataclasses.replace(question, evidence=(*reasons, *losses_told(KEY, losses)))
