"""The same weights under another answer to an open question, and the sentences on which answers are tried."""

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import torch
from torch import Tensor

from model.checkpoints.basis.assembly import assemble, expected_tensors, stored_names
from model.checkpoints.basis.report import Evidence
from model.checkpoints.families.repositories import shared_scales
from model.config import ANNOTATED_EPSILON, EPSILON, TransformerConfig
from model.layer_spec import LayerSpec, Rotary
from model.nn.transformer import Transformer
from model.text.tokenizer import Tokenizer, TokenizerError

ENDS = "ends"
"""The name of the joint question about begin and end token, whose answers are pairs of ids."""
ROTARY = ("rotary", "rotary_pairs")
"""Rotary positions of a single stack, with base 10,000."""
GATE = "gate_last"
"""The name of the question which half of a gated network's first matrix is activated."""
Answer = TypeVar("Answer")
Measured = TypeVar("Measured")


def measure_answers(
    model: Transformer,
    hint: str,
    answers: Iterable[Answer],
    measure: Callable[[Transformer], Measured],
    *,
    now: Answer | None = None,
) -> dict[Answer, Measured]:
    """Measure the model under each answer to a question, with the other answers unchanged.

    Args:
        now: the answer in use, if the configuration does not show it.
    """
    if hint == GATE:
        return {answer: measure(model if answer == now else _other_half(model)) for answer in answers}
    return {answer: measure(with_answer(model, hint, answer)) for answer in answers}


def losses_told(key: str, losses: Mapping[Any, float]) -> tuple[Evidence, ...]:
    """The loss under each answer in nats per token as evidence, the smallest first."""
    ordered = sorted(losses.items(), key=lambda item: item[1])
    return tuple(Evidence(key, (("answer", answer), ("loss", round(loss, 3)))) for answer, loss in ordered)


def _heads(config: TransformerConfig, heads: int) -> dict[str, int | None]:
    """The fields that change with the number of heads; the projections keep their width.

    If heads have an explicit width, the decoder's number follows the encoder's.
    """
    decoder = heads if config.d_key is None else config.n_decoder_heads * heads // config.n_encoder_heads
    fields: dict[str, int | None] = {"n_encoder_heads": heads, "n_decoder_heads": decoder}
    for name in ("d_key", "d_value"):
        width = getattr(config, name)
        fields[name] = None if width is None else width * config.n_encoder_heads // heads
    return fields


def _of_heads(spec: LayerSpec, heads: int) -> LayerSpec:
    """A layer spec with another number of heads; keys and values keep their total width."""
    attention = spec.attention
    width = attention.d_key * attention.n_heads // heads
    turned = attention.rotary
    if turned is not None and (turned.width == attention.d_key or turned.width > width):
        turned = dataclasses.replace(turned, width=width, frequencies=())
    other = dataclasses.replace(
        attention, n_heads=heads, n_key_heads=attention.key_heads * attention.d_key // width, d_key=width,
        d_value=attention.d_value * attention.n_heads // heads, rotary=turned,
    )  # fmt: skip
    return dataclasses.replace(spec, attention=other)


def _of_listed(spec: LayerSpec, hint: str, answer: Any) -> LayerSpec:
    """A layer spec of ``layer_specs`` under another answer to a question."""
    changes: dict[str, dict[str, Any]] = {
        "norm_first": {"norm_place": "pre" if answer else "post", "parallel": spec.parallel and answer},
        "parallel": {"parallel": answer}, "activation": {"activation": answer}, "norm_kind": norm_fields(answer),
    }  # fmt: skip
    return dataclasses.replace(spec, **changes.get(hint, {}))


def norm_fields(kind: Any) -> dict[str, Any]:
    """The fields of a kind of norm: the kind, and its usual epsilon."""
    usual = ANNOTATED_EPSILON if kind in ("annotated", "population") else EPSILON
    return {"norm_kind": kind, "norm_epsilon": usual}


def with_answer(model: Transformer, hint: str, answer: Any) -> Transformer:
    """The same weights, not copied, with another answer to a question."""
    layers = model.config.layer_specs
    if hint == "parallel" and not layers:  # layer_specs is empty for the paper's layers
        layers = model.config.layers(encoder=bool(model.config.n_encoder_layers))[:1]
    listed = tuple(_of_listed(spec, hint, answer) for spec in layers)
    if listed != model.config.layer_specs:
        return variant(model, layer_specs=listed, **norm_fields(answer) if hint == "norm_kind" else {})
    if hint == "parallel":
        return model
    if hint == "n_heads":
        fields = _heads(model.config, answer)
        specs = tuple(_of_heads(spec, answer) for spec in model.config.layer_specs)
        return variant(model, **fields, layer_specs=specs)
    if hint == "positions" and model.config.is_single_stack:
        return _with_positions(model, answer)
    if hint == "norm_first":
        return variant(model, encoder_norm_first=answer, decoder_norm_first=answer)
    if hint == "scale_emb_or_prj":
        return variant(model, **shared_scales(answer, model.config.d_model))
    if hint == "norm_kind":
        return variant(model, **norm_fields(answer))
    if hint == "score_width":
        return variant(model, score_scale={"model": model.config.d_model**-0.5, "none": 1.0}.get(answer))
    if hint == ENDS:
        return variant(model, bos_id=answer[0], eos_id=answer[1])
    return variant(model, **{hint: answer})


def _with_positions(model: Transformer, positions: str) -> Transformer:
    """A single stack with another kind of positions; rotary positions are a field of its attention."""
    spec, *_ = model.config.layers(encoder=bool(model.config.n_encoder_layers))
    rotary = None
    if positions in ROTARY:
        rotary = Rotary(width=spec.attention.d_key, interleaved=positions == "rotary_pairs")
    spec = dataclasses.replace(spec, attention=dataclasses.replace(spec.attention, rotary=rotary))
    return variant(model, layer_specs=(spec,), positions="none" if rotary else positions)


def _other_half(model: Transformer) -> Transformer:
    """The same weights with the activation on the other half of the gated network."""
    swap = {".feed_forward.fc1.": ".feed_forward.gate.", ".feed_forward.gate.": ".feed_forward.fc1."}
    parts = re.compile("|".join(map(re.escape, swap)))
    names = {parts.sub(lambda match: swap[match[0]], name): tensor for name, tensor in stored_names(model).items()}
    return variant(model, names)


def variant(model: Transformer, tensors: Mapping[str, Tensor] | None = None, /, **fields: object) -> Transformer:
    """A model with other configuration fields around the same weights (not copied) or ``tensors``."""
    config = dataclasses.replace(model.config, **fields)  # type: ignore[arg-type]
    tables = (None, None)
    if "positions" not in fields:  # positions of other kinds are computed
        tables = (getattr(model.encoder.positions, "table", None), getattr(model.decoder.positions, "table", None))
    tensors = dict(tensors or stored_names(model))
    if "norm_kind" in fields:  # an RMS norm has no shift; that of a LayerNorm may be zeros
        expected = expected_tensors(config)
        for name in {name for name in (*tensors, *expected) if name.endswith("norm.bias")}:
            shift = tensors.pop(name, None)
            if name in expected:
                tensors[name] = torch.zeros(expected[name].shape) if shift is None else shift
    return assemble(config, tensors, where="the checkpoint", tables=tables)


SENTENCES, _LENGTH = 8, 10
"""Number and length of sentences of random tokens."""
_SENTENCES_OF_TEXT = (
    "The cat is sleeping.",
    "I do not know where he is.",
    "She wants to go home with her brother.",
    "What time is it?",
    "We have to finish this work before tomorrow.",
)


def plain_sentences(config: TransformerConfig, tokenizer: Tokenizer | None) -> list[list[int]] | None:
    """Source ids of plain English sentences; None if the vocabulary is of another language."""
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
    return rows if max(map(len, rows)) <= config.max_positions else None


def sample(config: TransformerConfig, tokenizer: Tokenizer | None) -> Tensor | None:
    """The same sentences as the encoder's padded input."""
    rows = plain_sentences(config, tokenizer)
    if rows is None:
        return None
    width = max(map(len, rows))
    padded = torch.tensor([row + [config.source_pad_id] * (width - len(row)) for row in rows])
    return padded if int(padded.max()) < config.source_vocab_size else None


def random_sources(config: TransformerConfig) -> Tensor:
    """Sentences of random tokens, (B, S), each ending with the end token."""
    draw = torch.Generator().manual_seed(0)
    first, length = min(4, config.source_vocab_size - 1), min(_LENGTH, config.max_positions)
    source = torch.randint(first, config.source_vocab_size, (SENTENCES, length), generator=draw)
    if config.eos_id < config.source_vocab_size:
        source[:, -1] = config.eos_id
    return source
