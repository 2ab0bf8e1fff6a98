"""Every intermediate of one attention head, recomputed from the Transformer's own modules.

``inspect_head`` walks through section 3.2 of Vaswani et al. (2017) for one head and keeps what each step produced,
so that a reader can follow a number from the embedding to the residual stream. The head's input is the model's own
residual stream; a test checks that the results equal those of ``Transformer.forward``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from model.bundle import Bundle
from model.errors import RegardError
from model.inference.teacher_forcing import Ids, ids_of, own_interventions, teacher_forced
from model.interpret.inspection_steps import (
    PLAIN,
    Entrance,
    FeedForwardStep,
    HeadInspection,
    NormStep,
    Projection,
    Turn,
    Variation,
)
from model.interventions import KINDS, AttentionKind, Interventions, attention_shapes
from model.nn.attention import MultiHeadAttention, capped
from model.nn.distance import places_of
from model.nn.edits import BatchInterventions, LayerEdit
from model.nn.layers import DecoderLayer, EncoderLayer, residual, taps_of
from model.nn.norms import gain_and_shift, moments
from model.nn.passes import Encoded
from model.nn.rotary import angles, pairs, rotated
from model.nn.stack import Stack
from model.nn.taps import Tap, tapped
from model.nn.transformer import Transformer
from model.trace import Floats, Trace


class InspectionError(RegardError, ValueError):
    """A head that cannot be inspected; the message says why and what to choose instead."""


@torch.inference_mode()
def inspect_head(
    bundle: Bundle,
    trace: Trace | Ids,
    *,
    kind: AttentionKind,
    layer: int,
    head: int,
    variation: Variation = PLAIN,
    interventions: Interventions | None = None,
) -> HeadInspection:
    """Compute every intermediate of one head.

    Args:
        trace: the translation; or the ids alone, what the encoder reads (S) and what the decoder is fed (T).
        variation: what is left out of this head; nothing before it changes.
        interventions: what is changed in the model; None takes the trace's own. Patches of this layer hold whatever
            the variation makes of them.

    Raises:
        InspectionError: for a model that runs in its original implementation, or a head that it does not have.
    """
    model = transformer_of(bundle)
    _check(model, kind, layer, head)
    interventions = own_interventions(trace) if interventions is None else interventions
    source_ids, prefix_ids, _ = ids_of(trace)
    edits, place = BatchInterventions(interventions, 1), f"{'encoder' if kind == 'encoder_self' else 'decoder'}.{layer}"
    patched = {patch.name for patch in interventions.patches if patch.name.startswith(f"{place}.")}
    forced = teacher_forced(
        bundle, [(source_ids, prefix_ids)], interventions=interventions, capture=True, record=patched
    )
    encoded = forced.encoded
    if kind == "encoder_self":
        stack, states, attn_mask, ids = model.encoder, encoded.hidden_states, encoded.attn_mask, forced.source
    else:
        stack, states, ids = model.decoder, forced.decoded.hidden_states, forced.prefix
        _, attn_mask = model.target_mask(ids, edits)
        if attn_mask is None:
            attn_mask = torch.ones(1, 1, 1, 1, dtype=torch.bool, device=bundle.device)
    replay: Any = _Replay(forced.recorded, place) if patched else None
    sublayers = _Sublayers(stack.layers[layer], layer, edits, encoded, attn_mask, replay)
    stream = sublayers.before(kind, states[layer])
    return sublayers.inspect(kind, head, stream, variation, _entrance(stack, ids, edits, kind))


def transformer_of(bundle: Bundle) -> Transformer:
    """The bundle's own Transformer.

    Raises:
        InspectionError: for a model that runs in its original implementation.
    """
    if not isinstance(bundle.model, Transformer):
        raise InspectionError(
            f"{bundle.name} ({bundle.family}) runs in its original code, which does not show a head's steps: "
            "choose a model that loads as our own Transformer, such as the shipped one"
        )
    return bundle.model


def encoder_decoder_of(bundle: Bundle) -> Transformer:
    """The bundle's own Transformer, with both stacks.

    Raises:
        InspectionError: for a lone stack, and for a model that runs in its original implementation.
    """
    model = transformer_of(bundle)
    if model.config.is_lone:
        raise InspectionError(
            f"{bundle.name} has one stack, and this needs an encoder and a decoder: choose another model, such as the "
            "shipped one"
        )
    return model


def _check(model: Transformer, kind: AttentionKind, layer: int, head: int) -> None:
    if kind not in KINDS:
        raise InspectionError(f"there is no kind {kind!r:.60}: choose {', '.join(KINDS)}")
    n_layers, n_heads = attention_shapes(model.config)[kind]
    if not n_layers:
        raise InspectionError(f"this model has no {kind} attention: choose {', '.join(model.kinds)}")
    for name, index, count in (("layer", layer, n_layers), ("head", head, n_heads)):
        if not 0 <= index < count:
            raise InspectionError(f"{kind} has no {name} {index}: choose 0 to {count - 1}")


def _entrance(stack: Stack, ids: Tensor, edits: BatchInterventions, kind: AttentionKind) -> Entrance:
    moved = edits.source_positions if kind == "encoder_self" else ()
    position = stack.positions(0, ids.shape[1], moved)
    token = stack.look_up(ids) * stack.scale  # (1, N, D)
    rows = None if isinstance(position, float) else _array(position[0].expand_as(token[0]))
    return Entrance(_array(token[0]), rows, _array(stack.embed(ids, 0, moved)[0]))


@dataclass(frozen=True, slots=True)
class _Replay:
    """A tap that puts patched activations of an earlier pass in their places again."""

    recorded: Mapping[str, Tensor]
    place: str

    def at(self, part: str) -> _Replay:
        return _Replay(self.recorded, f"{self.place}.{part}")

    def wants(self, *parts: str) -> bool:
        return any(f"{self.place}.{part}" in self.recorded for part in parts)

    def __call__(self, part: str, x: Tensor, visible: Tensor | None = None) -> Tensor:
        return self.recorded.get(f"{self.place}.{part}", x)


class _Sublayers:
    """The sublayers of one layer, run one at a time on (1, Q, D)."""

    def __init__(
        self,
        layer: nn.Module,
        index: int,
        edits: BatchInterventions,
        encoded: Encoded,
        attn_mask: Tensor,
        tap: Tap | None,
    ) -> None:
        assert isinstance(layer, EncoderLayer | DecoderLayer)
        self.own, self.cross, self.stream, self.network = taps_of(tap, "self", "cross", "residual", "feed_forward")
        self.layer, self.index, self.edits, self.encoded, self.own_allowed = layer, index, edits, encoded, attn_mask

    def before(self, kind: AttentionKind, x: Tensor) -> Tensor:
        """The stream that the sublayer of this kind receives, of the stream that enters the layer."""
        x = tapped(self.stream, "before", x)
        if kind != "cross":
            return x
        attention, norm = self._parts("decoder_self")
        received = norm(x) if self.layer.norm_first else x
        keys, values = attention.keys_values(received, self.own)
        edit = self.edits.at("decoder_self", self.index)
        y, _ = attention(received, keys, values, self.own_allowed, capture=True, edit=edit, tap=self.own)
        return tapped(self.stream, "middle", self.layer.add(x, y, norm))

    def inspect(
        self, kind: AttentionKind, head: int, stream: Tensor, variation: Variation, entrance: Entrance
    ) -> HeadInspection:
        """All steps of one head on the stream (1, Q, D)."""
        attention, norm = self._parts(kind)
        received = norm(stream) if self.layer.norm_first else stream
        is_last = kind != "decoder_self" or self.layer.cross_attention is None
        keys_from = self.encoded.memory if kind == "cross" else received
        attn_mask = self.encoded.attn_mask if kind == "cross" else self.own_allowed
        tap = self.cross if kind == "cross" else self.own
        edit = self.edits.at(kind, self.index)
        group = head * attention.n_key_heads // attention.n_heads
        steps = _attend(attention, head, received, keys_from, attn_mask, edit, variation, tap)
        output = steps.pop("raw_output")
        summed, after = self._summed(stream, output), self.layer.add(stream, output, norm)
        after = tapped(self.stream, "after_cross" if kind == "cross" else "middle", after)
        return HeadInspection(
            kind=kind,
            layer=self.index,
            head=head,
            n_heads=attention.n_heads,
            is_norm_first=self.layer.norm_first,
            residual_scale=self.layer.residual_scale,
            entrance=entrance,
            stream=_array(stream[0]),
            norm=_norm_step(norm, stream if self.layer.norm_first else summed),
            received=_array(received[0]),
            key_received=_array(keys_from[0]),
            to_query=_projection(attention.query, head, attention.d_key),
            to_key=_projection(attention.query, head, attention.d_key)
            if variation.one_matrix
            else _projection(attention.key, group, attention.d_key),
            to_value=_projection(attention.value, group, attention.d_value),
            group=group,
            group_size=attention.n_heads // attention.n_key_heads,
            to_output=_projection(attention.output),
            summed=_array(summed[0]),
            stream_after=_array(after[0]),
            feed_forward=self._feed_forward(after if is_last else self._after_cross(after), stream),
            **steps,
        )

    def _parts(self, kind: AttentionKind) -> tuple[MultiHeadAttention, nn.Module]:
        if kind == "cross":
            assert self.layer.cross_attention is not None and self.layer.cross_attention_norm is not None
            return self.layer.cross_attention, self.layer.cross_attention_norm
        return self.layer.self_attention, self.layer.self_attention_norm

    def _summed(self, x: Tensor, branch: Tensor) -> Tensor:
        """The residual sum before a post-norm model normalises it."""
        return residual(x, branch, nn.Identity(), norm_first=True, scale=self.layer.residual_scale)

    def _after_cross(self, x: Tensor) -> Tensor:
        attention, norm = self._parts("cross")
        received = norm(x) if self.layer.norm_first else x
        keys, values = attention.keys_values(self.encoded.memory, self.cross)
        edit = self.edits.at("cross", self.index)
        y, _ = attention(received, keys, values, self.encoded.attn_mask, capture=True, edit=edit, tap=self.cross)
        return tapped(self.stream, "after_cross", self.layer.add(x, y, norm))

    def _feed_forward(self, x: Tensor, entered: Tensor) -> FeedForwardStep:
        network, norm = self.layer.feed_forward, self.layer.feed_forward_norm
        read = entered if self.layer.is_parallel else x
        received = norm(read) if self.layer.norm_first else read
        hidden = tapped(self.network, "hidden", network.expand(received))  # (1, Q, F)
        output = tapped(self.network, "output", network.contract(hidden))
        summed, after = self._summed(x, output), tapped(self.stream, "after", self.layer.add(x, output, norm))
        return FeedForwardStep(
            _norm_step(norm, read if self.layer.norm_first else summed),
            _projection(network.fc1),
            _projection(network.fc2),
            None if network.gate is None else _projection(network.gate),
            *(_array(part[0]) for part in (x, received, hidden, output, after)),
        )


def _attend(
    attention: MultiHeadAttention,
    head: int,
    received: Tensor,
    keys_from: Tensor,
    attn_mask: Tensor,
    edit: LayerEdit | None,
    variation: Variation,
    tap: Tap | None,
) -> dict[str, Any]:
    """Steps of one head and the output of all, of queries (1, Q, D) and keys (1, S, D)."""
    query = attention.queries(received, tap, edit=edit)  # (1, H, Q, K)
    key, value = attention.keys_values(keys_from, tap, edit=edit)  # (1, H, S, K), (1, H, S, M)
    if variation.one_matrix:
        key = key.clone()
        key[:, head] = attention.queries(keys_from, edit=edit)[:, head]
    if variation.without_values:
        value = value.clone()
        value[:, head] = 0.0
    usual = attention.d_key**0.5 if attention.scale is None else 1 / attention.scale
    divisor = torch.full((attention.n_heads, 1, 1), usual, device=query.device)
    if variation.without_scaling:
        divisor[head] = 1.0
    scores = (query @ key.transpose(-2, -1)).float()  # (1, H, Q, S)
    scaled = scores / divisor
    if attention.spec.cap is not None:
        scaled = capped(scaled, attention.spec.cap)
    bias = attention.position_bias(query.shape[2], key.shape[2], 0, edit, attn_mask)
    with_bias = tapped(tap, "scores", scaled if bias is None else scaled + bias)
    visible = attention.visible(attn_mask, query.shape[2], key.shape[2], 0)
    assert visible is not None
    attn_mask = visible.expand(scores.shape)
    if edit is not None:
        attn_mask = edit.allow(attn_mask, first_query=0)
    masked = with_bias.masked_fill(~attn_mask, -torch.inf)
    weights = masked.softmax(-1).masked_fill(~attn_mask.any(-1, keepdim=True), 0.0)
    if edit is not None:
        weights = edit.override_weights(weights, attn_mask, first_query=0)
    weights = tapped(tap, "weights", weights)
    mixed = weights.to(value.dtype) @ value  # (1, H, Q, M)
    if edit is not None:
        mixed = edit.gate(mixed)
    mixed = tapped(tap, "mixed", mixed)
    concatenated = mixed.transpose(1, 2).flatten(2)  # (1, Q, H*M)
    output = attention.write(mixed, tap)  # (1, Q, D)
    of_head = {"query": query, "key": key, "value": value, "scores": scores, "scaled": scaled, "masked": masked,
               "weights": weights, "mixed": mixed}  # fmt: skip
    return {name: _array(every[0, head]) for name, every in of_head.items()} | {
        "attn_mask": attn_mask[0, head].cpu().numpy(),
        "divisor": float(divisor[head]),
        "cap": attention.spec.cap,
        "turn": _turn(attention, query[0, head], key[0, head], edit),
        "position_bias": None if bias is None else _array(bias[0, head]),
        "concatenated": _array(concatenated[0]),
        "output": _array(output[0]),
        "raw_output": output,
    }


def _turn(attention: MultiHeadAttention, query: Tensor, key: Tensor, edit: LayerEdit | None) -> Turn | None:
    """How rotary positions turned one head's queries (Q, K) and keys (S, K)."""
    rotary = attention.spec.rotary
    if rotary is None:
        return None
    places = places_of(0, len(key), edit, key.device)
    before = [_array(rotated(x[None, None], places, rotary, back=True)[0, 0]) for x in (query, key)]
    first, second = pairs(torch.arange(query.shape[-1]), rotary)
    columns = torch.stack((first, second), 1).numpy()
    return Turn(_array(angles(places[0], rotary)), columns, *before)


def _projection(linear: nn.Linear, head: int | None = None, width: int = 0) -> Projection:
    rows = slice(None) if head is None else slice(head * width, (head + 1) * width)
    bias = None if linear.bias is None else _array(linear.bias[rows])
    return Projection(_array(linear.weight[rows].T), bias)


def _norm_step(norm: nn.Module, x: Tensor) -> NormStep:
    """The numbers of a norm on (1, N, D)."""
    mean, deviation = (part.squeeze(-1) for part in moments(norm, x[0]))
    gain, shift = gain_and_shift(norm, x[0, 0])
    return NormStep(_array(mean), _array(deviation), _array(gain), _array(shift))


def _array(tensor: Tensor) -> Floats:
    return np.ascontiguousarray(tensor.detach().float().cpu().numpy())
