"""The same weights with another answer to a question."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from model.checkpoints.basis.assembly import assemble, stored_names
from model.checkpoints.basis.report import Evidence
from model.checkpoints.families.jadore import shared_scales
from model.config import ANNOTATED_EPSILON, EPSILON, TransformerConfig
from model.layer_spec import LayerSpec
from model.nn.transformer import Transformer

ENDS = "ends"
"""The question of the begin and end token together, whose answers are pairs of ids."""
Answer = TypeVar("Answer")
Measured = TypeVar("Measured")


def tried(
    model: Transformer, hint: str, answers: Iterable[Answer], measure: Callable[[Transformer], Measured]
) -> dict[Answer, Measured]:
    """What is measured of a model under each answer to a question, with the other answers unchanged."""
    return {answer: measure(reading(model, hint, answer)) for answer in answers}


def losses_told(key: str, losses: Mapping[Any, float]) -> tuple[Evidence, ...]:
    """The loss under each answer, nats a token, as evidence, the smallest first."""
    ordered = sorted(losses.items(), key=lambda item: item[1])
    return tuple(Evidence(key, (("answer", answer), ("loss", round(loss, 3)))) for answer, loss in ordered)


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


def _of_heads(spec: LayerSpec, heads: int) -> LayerSpec:
    """A layer with another number of heads, whose keys and values keep their width."""
    own = spec.attention
    width = own.d_key * own.n_heads // heads
    turned = own.rotary
    if turned is not None and (turned.width == own.d_key or turned.width > width):
        turned = dataclasses.replace(turned, width=width, frequencies=())
    other = dataclasses.replace(
        own, n_heads=heads, n_key_heads=own.key_heads * own.d_key // width, d_key=width,
        d_value=own.d_value * own.n_heads // heads, rotary=turned,
    )  # fmt: skip
    return dataclasses.replace(spec, attention=other)


def _of_listed(spec: LayerSpec, hint: str, answer: Any) -> LayerSpec:
    """A layer that a configuration lists with another answer to a question."""
    if hint == "norm_first":
        return dataclasses.replace(spec, norm_place="pre" if answer else "post", parallel=spec.parallel and answer)
    if hint == "activation":
        return dataclasses.replace(spec, activation=answer)
    if hint == "norm_kind":
        usual = ANNOTATED_EPSILON if answer in ("annotated", "population") else EPSILON
        return dataclasses.replace(spec, norm_kind=answer, norm_epsilon=usual)
    return spec


def reading(model: Transformer, hint: str, answer: Any) -> Transformer:
    """The same weights, not copied, with another answer to a question."""
    listed = tuple(_of_listed(spec, hint, answer) for spec in model.config.layer_specs)
    if listed != model.config.layer_specs:
        fields = (
            {"norm_kind": listed[0].norm_kind, "norm_epsilon": listed[0].norm_epsilon} if hint == "norm_kind" else {}
        )
        return variant(model, layer_specs=listed, **fields)
    if hint == "n_heads":
        fields = _heads(model.config, answer)
        specs = tuple(_of_heads(spec, answer) for spec in model.config.layer_specs)
        return variant(model, **fields, layer_specs=specs)
    if hint == "norm_first":
        return variant(model, encoder_norm_first=answer, decoder_norm_first=answer)
    if hint == "scale_emb_or_prj":
        return variant(model, **shared_scales(answer, model.config.d_model))
    if hint == "norm_kind":
        usual = ANNOTATED_EPSILON if answer in ("annotated", "population") else EPSILON
        return variant(model, norm_kind=answer, norm_epsilon=usual)
    if hint == "score_width":
        return variant(model, score_scale={"model": model.config.d_model**-0.5, "none": 1.0}.get(answer))
    if hint == ENDS:
        return variant(model, bos_id=answer[0], eos_id=answer[1])
    return variant(model, **{hint: answer})


def variant(model: Transformer, **fields: object) -> Transformer:
    """The same weights, not copied, with other fields of the configuration."""
    config = dataclasses.replace(model.config, **fields)  # type: ignore[arg-type]
    tables = (None, None)
    if "positions" not in fields:  # positions of other kinds are computed
        tables = (getattr(model.encoder.positions, "table", None), getattr(model.decoder.positions, "table", None))
    return assemble(config, stored_names(model), where="the checkpoint", tables=tables)
