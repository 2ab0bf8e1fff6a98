"""Evidence from a checkpoint's weights for its open questions.

A model with a wrong setting still computes something, but decoding made-up sentences shows the error: with the right
settings a trained model gives different outputs for different sentences, with wrong settings it repeats itself.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from model.checkpoints.answers.endings import settle_ends
from model.checkpoints.answers.heads import LEAST_WIDTH, as_evidence, clear_best, head_nats
from model.checkpoints.answers.variants import (
    GATE,
    ROTARY,
    SENTENCES,
    losses_told,
    measure_answers,
    plain_sentences,
    random_sources,
    sample,
    with_answer,
)
from model.checkpoints.basis.assembly import stored_names
from model.checkpoints.basis.report import Evidence, Question
from model.decoding.strategies import most_probable
from model.nn.transformer import Transformer
from model.text.tokenizer import Tokenizer

_STEPS = 8
_LEAST_VOCABULARY = 500
"""Minimum vocabulary size: in smaller ones, words repeat by chance, so the number of distinct words is no evidence."""
_LEAD = 0.05
"""Margin in nats per token by which the best answer must lead to be chosen, or to be shown as better."""
_USUAL_HEADS = frozenset({2, 4, 6, 8, 12, 16})
OWN_LOSS, TEXT_LOSS = "own_loss", "text_loss"
_TRIED = frozenset({"norm_first", "norm_kind", "activation", "embedding_scale", "positions", "scale_emb_or_prj"})
"""Questions whose answers are tried on plain sentences; this settles the number of heads."""
_TRIED_ALONE = _TRIED | {"parallel", GATE}
"""The same for a decoder-only model, without ``score_width``, which hardly changes a trained model's loss."""
CHANGES_ATTENTION = frozenset({
    "n_heads", "norm_first", "norm_kind", "encoder_norm_kind", "decoder_norm_kind", "activation", "embedding_scale",
    "positions", "score_width", "one_hot", "cross_unused", "scale_emb_or_prj", "norm_adds_one", "parallel", "gate_last",
})  # fmt: skip
"""Questions whose answer changes attention maps: if neither the file nor its weights settle it, a person must confirm
it before anything is shown. Others, such as ``causal``, are settled by names or masks and set ``is_close`` themselves.
"""
_CLEAR = 2.0
"""Ratio of distinct words by which one setting must lead the other to be chosen."""


@dataclass(frozen=True, slots=True)
class OutputDiversity:
    """How varied a model with some settings writes, on sentences of random tokens."""

    n_words: float
    """Number of distinct tokens among the first 8 predicted, mean over 8 sentences."""
    log_prob: float
    """Mean natural log-probability of the chosen tokens."""
    entropy: float
    """Mean entropy of the cross-attention heads, nats."""


def settle(
    model: Transformer, questions: Sequence[Question], tokenizer: Tokenizer | None
) -> tuple[Transformer, tuple[Question, ...]]:
    """Try the answers to open questions, one question at a time, and choose those that are clearly better.

    The number of heads is tried before the norms, because the rows of the projections show it without a pass of the
    model. Positions of a decoder-only model are tried before both: with wrong positions no other answer lowers the
    loss. A setting that changes attention stays a question if nobody has answered it and no tensor shows it.
    """
    settled = {question.hint: question for question in questions}
    decided = set()
    steps = {"positions": _settle_positions, "n_heads": _settle_heads, "norm_first": _settle_norms}
    del steps["norm_first" if model.config.is_single_stack else "positions"]  # a single stack translates nothing
    for hint, settle_one in steps.items():
        question = settled.get(hint)
        if question is None or question.is_answered or question.is_close:
            continue
        model, settled[hint] = settle_one(model, question, tokenizer)
        decided |= set() if settled[hint].is_close else {hint}
    for hint in settled.keys() & CHANGES_ATTENTION - decided:
        settled[hint] = dataclasses.replace(settled[hint], is_close=True)
    return (model, tuple(settled.values())) if model.config.is_single_stack else settle_ends(model, settled, tokenizer)


def _settle_positions(model: Transformer, question: Question, tokenizer: Tokenizer | None
                      ) -> tuple[Transformer, Question]:  # fmt: skip
    """Choose the positions of a decoder-only model that clearly give plain sentences the lowest loss, if any.

    All other answers are tried with them. The question stays open.
    """
    losses = _losses(model, "positions", question.choices, tokenizer)
    if losses is None or not _leads(losses[1]):
        return model, question
    first = min(losses[1], key=losses[1].__getitem__)
    read = model if first == question.value else with_answer(model, "positions", first)
    evidence = (*question.evidence, *losses_told(*losses))
    return read, dataclasses.replace(question, value=first, evidence=evidence, is_close=True)


def _settle_norms(model: Transformer, question: Question, tokenizer: Tokenizer | None) -> tuple[Transformer, Question]:
    """Choose pre-norm or post-norm, whichever gives more distinct words, if the difference is clear."""
    diversity = measure_answers(model, "norm_first", (False, True), output_diversity)
    chosen, is_told = question.value, False
    for value in (False, True):
        is_clear = diversity[value].n_words >= _CLEAR * diversity[not value].n_words
        if is_clear and model.config.target_vocab_size >= _LEAST_VOCABULARY:
            chosen, is_told = value, True
    evidence = tuple(
        Evidence("norm_words", (("norm", "pre" if value else "post"), ("words", round(diversity[value].n_words, 1))))
        for value in (False, True)
    )
    question = dataclasses.replace(
        question, value=chosen, evidence=(*question.evidence, *evidence), is_close=not is_told
    )
    return with_answer(model, "norm_first", chosen), question


def _settle_heads(model: Transformer, question: Question, tokenizer: Tokenizer | None) -> tuple[Transformer, Question]:
    """Choose the number of heads by the rows of the projections, or else by the confidence of translations.

    If neither leads clearly, the question is close.
    """
    candidates = sorted({*_USUAL_HEADS, question.value} & set(question.choices))
    config = model.config
    n_heads = config.n_encoder_heads if config.n_encoder_layers else config.n_decoder_heads
    width = n_heads * (config.layers(encoder=bool(config.n_encoder_layers))[0].attention.d_key)
    candidates = [count for count in candidates if width // count >= LEAST_WIDTH or count == question.value]
    nats = head_nats(stored_names(model), [1, *(count for count in candidates if count > 1)])
    chosen, best = clear_best(nats), min(nats, key=nats.__getitem__)
    has_steps = best != 1 and len(nats) > 1  # without steps, as in an untrained model, the rows are no evidence
    evidence = (*question.evidence, *(as_evidence(nats) if has_steps else ()))
    if chosen is not None:
        return with_answer(model, "n_heads", chosen), dataclasses.replace(question, value=chosen, evidence=evidence)
    if len(candidates) < 2:
        return model, dataclasses.replace(question, evidence=evidence)
    chosen, is_close = best if has_steps and best in candidates else question.value, True
    losses = _losses(model, "n_heads", candidates, tokenizer)
    is_told = model.config.target_vocab_size >= _LEAST_VOCABULARY or model.config.is_single_stack
    if losses is not None and is_told:
        chosen, is_close = min(losses[1], key=losses[1].__getitem__), not _leads(losses[1])
        evidence = (*evidence, *losses_told(*losses))
    question = dataclasses.replace(question, value=chosen, evidence=evidence, is_close=is_close)
    return with_answer(model, "n_heads", chosen), question


def _leads(losses: Mapping[Any, float]) -> bool:
    """Whether the smallest loss leads by the margin."""
    first, *others = sorted(losses.values())
    return all(other >= first + _LEAD for other in others[:1])


def with_losses(model: Transformer, question: Question, tokenizer: Tokenizer | None) -> Question:
    """Add the loss under each answer to a question as evidence, in nats per token.

    It is the loss of the model's translations of plain sentences, or of the sentences themselves for a decoder-only
    model. If the best two are close, the question stays unchanged.
    """
    is_told = any(reason.key in (OWN_LOSS, TEXT_LOSS) for reason in question.evidence)
    hints = _TRIED_ALONE if model.config.is_single_stack else _TRIED
    if is_told or len(question.choices) < 2 or question.hint not in hints:
        return question
    losses = _losses(model, question.hint, question.choices, tokenizer, now=question.value)
    evidence_of_losses = losses_told(*losses) if losses is not None and _leads(losses[1]) else ()
    return dataclasses.replace(question, evidence=(*question.evidence, *evidence_of_losses))


def _losses(
    model: Transformer, hint: str, answers: Sequence[Any], tokenizer: Tokenizer | None, *, now: Any = None
) -> tuple[str, dict[Any, float]] | None:
    """The kind of loss, and its value under each answer; None for an encoder-only model or without a vocabulary."""
    config = model.config
    if not config.is_single_stack:
        source = sample(config, tokenizer)
        return (
            None
            if source is None
            else (OWN_LOSS, measure_answers(model, hint, answers, lambda read: _own_loss(read, source)))
        )
    rows = plain_sentences(config, tokenizer) if config.n_decoder_layers else None
    if hint == "positions" and rows is not None and config.layers(encoder=False)[0].attention.d_key % 2:
        answers = [answer for answer in answers if answer not in ROTARY]  # rotary positions rotate pairs of numbers
    if rows is None:
        return None
    return TEXT_LOSS, measure_answers(model, hint, answers, lambda read: _text_loss(read, rows), now=now)


def head_evidence(model: Transformer, question: Question) -> Question:
    """Add the entropy of heads and the model's confidence under each usual number of heads as evidence."""
    evidence = []
    if model.config.is_single_stack:
        return question
    for heads, diversity in measure_answers(
        model, "n_heads", sorted(_USUAL_HEADS & set(question.choices)), output_diversity
    ).items():
        numbers = (
            ("heads", heads),
            ("entropy", round(diversity.entropy, 3)),
            ("log_prob", round(diversity.log_prob, 3)),
        )
        evidence.append(Evidence("head_entropy", numbers))
    return dataclasses.replace(question, evidence=(*question.evidence, *evidence))


@torch.inference_mode()
def output_diversity(model: Transformer) -> OutputDiversity:
    """Translate 8 sentences of random tokens greedily for 8 steps."""
    config = model.config
    source, steps = random_sources(config), min(_STEPS, config.max_positions)
    log_prob, entropy, written = 0.0, 0.0, []
    for decoded, best, ids in most_probable(model, model.encode(source), steps, capture=True):
        log_prob += float(best.mean()) / steps
        weights = torch.stack(decoded.cross)  # (L, B, H, 1, S)
        entropy += float(-(weights * weights.clamp(min=1e-12).log()).sum(-1).mean()) / steps
        written.append(ids)
    n_words = sum(len(set(row)) for row in torch.stack(written, 1).tolist()) / SENTENCES
    return OutputDiversity(n_words, log_prob, entropy)


@torch.inference_mode()
def _text_loss(model: Transformer, rows: Sequence[Sequence[int]]) -> float:
    """Mean loss per token, without the first of each sentence, under a decoder-only model, in nats."""
    total, nothing = 0.0, model.encode(torch.zeros(1, 0, dtype=torch.int64))
    for row in rows:
        ids = torch.tensor([row])
        logits = model.project(model.decode(ids[:, :-1], nothing).hidden)  # (1, T - 1, V)
        total += float(functional.cross_entropy(logits[0].float(), ids[0, 1:], reduction="sum"))
    return total / max(1, sum(len(row) - 1 for row in rows))


@torch.inference_mode()
def _own_loss(model: Transformer, source: Tensor) -> float:
    """Mean loss per token of the model's greedy translations, in nats."""
    alive, total, count = torch.ones(len(source), dtype=torch.bool), 0.0, 0
    steps = min(_STEPS + 4, model.config.max_positions)
    for _, best, ids in most_probable(model, model.encode(source), steps):
        total, count = total + float(best[alive].sum()), count + int(alive.sum())
        alive &= ids != model.config.eos_id
        if not alive.any():
            break
    return -total / count
