"""Evidence from a checkpoint's numbers for the questions that it leaves open.

A model with a wrong setting still computes something, but decoding made-up sentences shows the error: with the right
settings a trained model gives different outputs for different sentences, with wrong ones it repeats itself.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from model.checkpoints.assembly import assemble, stored_names
from model.checkpoints.report import Evidence, Question
from model.config import ANNOTATED_EPSILON, EPSILON, TransformerConfig
from model.nn.transformer import Transformer
from model.text.tokenizer import Tokenizer, TokenizerError

_SENTENCES, _LENGTH, _STEPS = 8, 10, 8
_LEAST_VOCABULARY = 500
"""Below this, words repeat by chance, and the number of distinct words is not evidence."""
_LEAD = 0.05
"""Nats per token by which another number of heads must be better to be chosen."""
_SENTENCES_OF_TEXT = (
    "The cat is sleeping.",
    "I do not know where he is.",
    "She wants to go home with her brother.",
    "What time is it?",
    "We have to finish this work before tomorrow.",
)
_USUAL_HEADS = frozenset({2, 4, 6, 8, 12, 16})
OWN_LOSS = "own_loss"
_TRIED = frozenset({"norm_first", "norm_kind", "activation", "embedding_scale", "positions", "scale_emb_or_prj"})
"""Questions whose answers are each tried on plain sentences; the number of heads is settled so."""
_CLEAR = 2.0
"""How many times more distinct words one setting must give than the other to be chosen."""


@dataclass(frozen=True, slots=True)
class Liveliness:
    """How a checkpoint with given settings behaves on made-up sentences."""

    n_words: float
    """Different tokens among the first 8 predicted, mean over 8 sentences."""
    log_prob: float
    """Mean natural log-probability of the chosen tokens."""
    entropy: float
    """Mean entropy of the cross-attention heads, nats."""


def embedding_evidence(embedding: Tensor) -> tuple[Evidence, ...]:
    """The spread of an embedding's entries: if it is near d^-0.5, the embeddings were trained to be scaled by
    sqrt(d)."""
    spread = float(embedding[:4096].float().std()) if embedding.numel() > 1 else 0.0
    usual = round(embedding.shape[1] ** -0.5, 4)
    return (Evidence("embedding_spread", (("std", round(spread, 4)), ("usual", usual))),)


def settle_norms(model: Transformer, question: Question) -> tuple[Transformer, Question]:
    """Choose pre-norm or post-norm by which of them gives distinct words, if the difference is clear."""
    readings = {value: reading(model, "norm_first", value) for value in (False, True)}
    found = {value: liveliness(variant) for value, variant in readings.items()}
    chosen = question.value
    for value in (False, True):
        is_clear = found[value].n_words >= _CLEAR * found[not value].n_words
        if is_clear and model.config.target_vocab_size >= _LEAST_VOCABULARY:
            chosen = value
    evidence = tuple(
        Evidence("norm_words", (("norm", "pre" if value else "post"), ("words", round(found[value].n_words, 1))))
        for value in (False, True)
    )
    return readings[chosen], dataclasses.replace(question, value=chosen, evidence=(*question.evidence, *evidence))


def settle_heads(model: Transformer, question: Question, tokenizer: Tokenizer | None) -> tuple[Transformer, Question]:
    """Take the number of heads that translates plain sentences with the most confidence, if the lead is clear."""
    source = _sample(model.config, tokenizer)
    candidates = sorted({*_USUAL_HEADS, question.value} & set(question.choices))
    if source is None or len(candidates) < 2 or model.config.target_vocab_size < _LEAST_VOCABULARY:
        return model, question
    readings = {heads: reading(model, "n_heads", heads) for heads in candidates}
    found = {heads: _confidence(variant, source) for heads, variant in readings.items()}
    best = max(found, key=found.__getitem__)
    chosen = best if found[best] > found[question.value] + _LEAD else question.value
    return readings[chosen], dataclasses.replace(question, value=chosen, evidence=(*question.evidence, *_told(found)))


def own_losses(model: Transformer, question: Question, tokenizer: Tokenizer | None) -> Question:
    """The loss of the model's own translations of plain sentences under each answer, nats per token."""
    source = _sample(model.config, tokenizer)
    is_told = any(reason.key == OWN_LOSS for reason in question.evidence)
    if source is None or is_told or len(question.choices) < 2 or question.hint not in _TRIED:
        return question
    found = {answer: _confidence(reading(model, question.hint, answer), source) for answer in question.choices}
    return dataclasses.replace(question, evidence=(*question.evidence, *_told(found)))


def _told(found: Mapping[Any, float]) -> tuple[Evidence, ...]:
    return tuple(Evidence(OWN_LOSS, (("answer", answer), ("loss", round(-lead, 3)))) for answer, lead in found.items())


def head_evidence(model: Transformer, question: Question) -> Question:
    """The entropy of the heads, and the model's confidence, under each usual number of heads."""
    evidence = []
    for heads in sorted(_USUAL_HEADS & set(question.choices)):
        found = liveliness(reading(model, "n_heads", heads))
        numbers = (("heads", heads), ("entropy", round(found.entropy, 3)), ("log_prob", round(found.log_prob, 3)))
        evidence.append(Evidence("head_entropy", numbers))
    return dataclasses.replace(question, evidence=(*question.evidence, *evidence))


@torch.inference_mode()
def liveliness(model: Transformer) -> Liveliness:
    """Translate 8 sentences of random tokens greedily for 8 steps."""
    config = model.config
    draw = torch.Generator().manual_seed(0)
    first = min(4, config.source_vocab_size - 1)
    length, steps = min(_LENGTH, config.max_positions), min(_STEPS, config.max_positions)
    source = torch.randint(first, config.source_vocab_size, (_SENTENCES, length), generator=draw)
    if config.eos_id < config.source_vocab_size:
        source[:, -1] = config.eos_id
    encoded = model.encode(source)
    fed, cache, log_prob, said = torch.full((_SENTENCES, 1), config.bos_id), None, 0.0, []
    entropy = 0.0
    for _ in range(steps):
        decoded = model.decode(fed, encoded, cache=cache, keep_cache=True, capture=True)
        cache = decoded.cache
        best, ids = model.project(decoded.hidden)[:, -1].log_softmax(-1).max(-1)
        log_prob += float(best.mean()) / steps
        weights = torch.stack(decoded.cross)  # (L, B, H, 1, S)
        entropy += float(-(weights * weights.clamp(min=1e-12).log()).sum(-1).mean()) / steps
        fed = ids[:, None]
        said.append(fed)
    n_words = sum(len(set(row)) for row in torch.cat(said, 1).tolist()) / _SENTENCES
    return Liveliness(n_words, log_prob, entropy)


@torch.inference_mode()
def _confidence(model: Transformer, source: Tensor) -> float:
    """Mean natural log-probability of greedy translations, up to their end."""
    encoded, cache = model.encode(source), None
    fed = torch.full((len(source), 1), model.config.bos_id)
    alive, total, count = torch.ones(len(source), dtype=torch.bool), 0.0, 0
    for _ in range(min(_STEPS + 4, model.config.max_positions)):
        decoded = model.decode(fed, encoded, cache=cache, keep_cache=True)
        cache = decoded.cache
        best, ids = model.project(decoded.hidden)[:, -1].log_softmax(-1).max(-1)
        total, count = total + float(best[alive].sum()), count + int(alive.sum())
        alive, fed = alive & (ids != model.config.eos_id), ids[:, None]
        if not alive.any():
            break
    return total / count


def _sample(config: TransformerConfig, tokenizer: Tokenizer | None) -> Tensor | None:
    """Sentences as the encoder reads them, padded; None where the vocabulary is of another language."""
    if tokenizer is None:
        return None
    rows = []
    for sentence in _SENTENCES_OF_TEXT:
        try:
            ids = tokenizer.encode(sentence).ids
        except TokenizerError:
            return None
        if sum(index == getattr(tokenizer, "unknown_id", None) for index in ids) > len(ids) / 5:
            return None
        rows.append([*([config.bos_id] * config.source_has_bos), *ids, *([config.eos_id] * config.source_has_eos)])
    width = max(map(len, rows))
    if width > config.max_positions:
        return None
    padded = torch.tensor([row + [config.source_pad_id] * (width - len(row)) for row in rows])
    return padded if int(padded.max()) < config.source_vocab_size else None


def _heads(config: TransformerConfig, heads: int) -> dict[str, int | None]:
    """The fields that change with the number of heads; the projections keep their width.

    Where heads have a width of their own, the decoder's number follows the encoder's.
    """
    decoder = heads if config.d_key is None else config.n_decoder_heads * heads // config.n_encoder_heads
    fields: dict[str, int | None] = {"n_encoder_heads": heads, "n_decoder_heads": decoder}
    for name in ("d_key", "d_value"):
        width = getattr(config, name)
        fields[name] = None if width is None else width * config.n_encoder_heads // heads
    return fields


def reading(model: Transformer, hint: str, answer: Any) -> Transformer:
    """The same weights, not copied, with another answer to a question."""
    if hint == "n_heads":
        return _variant(model, **_heads(model.config, answer))
    if hint == "norm_first":
        return _variant(model, encoder_norm_first=answer, decoder_norm_first=answer)
    if hint == "scale_emb_or_prj":
        return _variant(model, **shared_scales(answer, model.config.d_model))
    if hint == "norm_kind":
        usual = ANNOTATED_EPSILON if answer == "annotated" else EPSILON
        return _variant(model, norm_kind=answer, norm_epsilon=usual)
    return _variant(model, **{hint: answer})


def shared_scales(mode: str, d_model: int) -> dict[str, Any]:
    """What jadore's ``-scale_emb_or_prj`` multiplies: embeddings, logits, or neither."""
    return {"embedding_scale": d_model**0.5 if mode == "emb" else 1.0,
            "output_scale": d_model**-0.5 if mode == "prj" else 1.0}  # fmt: skip


def _variant(model: Transformer, **fields: object) -> Transformer:
    config = dataclasses.replace(model.config, **fields)  # type: ignore[arg-type]
    tables = (None, None)
    if "positions" not in fields:  # positions of other kinds are computed
        tables = (getattr(model.encoder.positions, "table", None), getattr(model.decoder.positions, "table", None))
    return assemble(config, stored_names(model), where="the checkpoint", tables=tables)
