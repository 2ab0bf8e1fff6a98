"""Every intermediate value of one attention head, recorded in one pass of the model.

``inspect_head`` follows section 3.2 of Vaswani et al. (2017) for one head and keeps the result of each step, from the
embedding to the residual stream. Parts that a ``Variation`` leaves out are patches of the pass.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor, nn

from model.activations import activation_shapes
from model.bundle import Bundle
from model.errors import RegardError
from model.inference.teacher_forcing import Ids, TeacherForced, ids_of, teacher_forced, trace_interventions
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
from model.nn.attention import MultiHeadAttention, soft_cap
from model.nn.edits import BatchInterventions, LayerEdit
from model.nn.layers import DecoderLayer, EncoderLayer, add_residual
from model.nn.masks import target_mask
from model.nn.norms import gain_and_shift, moments
from model.nn.positional import places_of
from model.nn.rotary import angles, rotary_pairs, rotate
from model.nn.stack import Stack
from model.nn.transformer import Transformer
from model.patch import Patch
from model.trace import Floats, Trace

_STREAMS = ("residual.before", "residual.middle", "residual.after_cross", "residual.after")
_NETWORK = ("feed_forward.hidden", "feed_forward.output")
_HEAD = ("query", "key", "value", "scores", "weights", "mixed", "output")
"""The activations of the layer and of the head's sublayer to record."""


class InspectionError(RegardError, ValueError):
    """A head cannot be inspected; the message says why and what to choose instead."""


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
    """Compute every intermediate value of one head.

    Args:
        trace: the translation; or the encoder's input ids (S) and the decoder's input ids (T).
        variation: parts of this head to leave out; nothing before it changes.
        interventions: changes of the model; None means those of the trace. Patches of this layer override the
            variation.

    Raises:
        InspectionError: for a model that runs in its original implementation, or a head that it does not have.
    """
    model = transformer_of(bundle)
    _check(model, kind, layer, head)
    interventions = trace_interventions(trace) if interventions is None else interventions
    ids, is_encoder = ids_of(trace)[:2], kind == "encoder_self"
    stack, edits = model.encoder if is_encoder else model.decoder, BatchInterventions(interventions, 1)
    place = f"{'encoder' if is_encoder else 'decoder'}.{layer}"
    names = [f"{place}.{part}" for part in (*_STREAMS, *_NETWORK)]
    names += [f"{place}.{'cross' if kind == 'cross' else 'self'}.{part}" for part in _HEAD]
    known = activation_shapes(model.config)

    def run(patches: tuple[Patch, ...]) -> TeacherForced[Ids]:
        """Run up to this layer, and record its activations."""
        return teacher_forced(
            bundle, [ids], interventions=replace(interventions, patches=(*interventions.patches, *patches)),
            record=filter(known.__contains__, names), n_layers=(layer + 1, 0) if is_encoder else (None, layer + 1),
        )  # fmt: skip

    plain = run(())
    site = _Site(stack.layers[layer], kind, head, edits.at(kind, layer), plain.encoded.memory)
    patches = site.patches(place, _parts(plain.recorded, place), variation)
    passed = run(patches) if patches else plain
    attn_mask = None if kind == "decoder_self" else passed.encoded.attn_mask
    if kind == "decoder_self":
        _, attn_mask = target_mask(model.config, passed.prefix, edits)
    entrance = _entrance(stack, passed.source if is_encoder else passed.prefix, edits, kind)
    return site.inspected(layer, _parts(passed.recorded, place), attn_mask, variation, entrance)


def transformer_of(bundle: Bundle) -> Transformer:
    """The bundle's Transformer; InspectionError if the model runs in its original code."""
    if not isinstance(bundle.model, Transformer):
        raise InspectionError(
            f"{bundle.name} ({bundle.family}) runs in its original code, which does not show a head's steps: "
            "choose a model that loads as our own Transformer, such as the shipped one"
        )
    return bundle.model


def encoder_decoder_of(bundle: Bundle) -> Transformer:
    """The bundle's Transformer; InspectionError also if it is decoder-only or encoder-only."""
    model = transformer_of(bundle)
    if model.config.is_single_stack:
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


def _parts(recorded: Mapping[str, Tensor], place: str) -> dict[str, Tensor]:
    """The activations of one layer by their names in it."""
    return {name.removeprefix(f"{place}."): x for name, x in recorded.items()}


class _Site:
    """One head of one layer; computes its steps from the activations that a pass recorded there."""

    def __init__(
        self, layer: nn.Module, kind: AttentionKind, head: int, edit: LayerEdit | None, memory: Tensor
    ) -> None:
        assert isinstance(layer, EncoderLayer | DecoderLayer)
        self.layer, self.head, self.edit, self.memory = layer, head, edit, memory
        self.kind: AttentionKind = kind
        is_cross = kind == "cross"
        self.part = "cross" if is_cross else "self"
        attention = layer.cross_attention if is_cross else layer.self_attention
        norm = layer.cross_attention_norm if is_cross else layer.self_attention_norm
        assert attention is not None and norm is not None
        self.attention, self.norm = attention, norm
        self.usual = attention.d_key**0.5 if attention.scale is None else 1 / attention.scale

    def received(self, parts: Mapping[str, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        """The sublayer's input stream, (1, Q, D), and the inputs of the query and key projections."""
        stream = parts["residual.middle" if self.kind == "cross" else "residual.before"]
        received = self.norm(stream) if self.layer.norm_first else stream
        return stream, received, self.memory if self.kind == "cross" else received

    @torch.inference_mode()
    def patches(self, place: str, parts: Mapping[str, Tensor], variation: Variation) -> tuple[Patch, ...]:
        """The parts to leave out, as patches of this head."""
        name, heads, patches = f"{place}.{self.part}", (self.head,), list[Patch]()
        if variation.one_matrix:
            _, _, keys_from = self.received(parts)
            keys = self.attention.queries(keys_from, edit=self.edit)[0, self.head]  # (S, K)
            patches.append(Patch(f"{name}.key", heads=heads, value=keys[None]))
        if variation.without_values:
            patches.append(Patch(f"{name}.value", heads=heads, zero=True))
        if variation.without_scaling:
            patches.append(Patch(f"{name}.query", heads=heads, scale=self.usual))
        return tuple(patches)

    def inspected(
        self,
        index: int,
        parts: Mapping[str, Tensor],
        attn_mask: Tensor | None,
        variation: Variation,
        entrance: Entrance,
    ) -> HeadInspection:
        """All steps of the head."""
        attention, layer, head = self.attention, self.layer, self.head
        stream, received, keys_from = self.received(parts)
        query, key, value, with_bias, weights, mixed = (parts[f"{self.part}.{part}"][0, head] for part in _HEAD[:-1])
        divisor = 1.0 if variation.without_scaling else self.usual
        query = query / self.usual if variation.without_scaling else query
        scores = (query @ key.transpose(-2, -1)).float()  # (Q, S)
        scaled = scores / divisor if attention.spec.cap is None else soft_cap(scores / divisor, attention.spec.cap)
        bias = attention.position_bias(len(query), len(key), 0, self.edit, attn_mask)
        visible = attention.visible(attn_mask, len(query), len(key), 0)
        shape = (1, attention.n_heads, *scores.shape)
        allowed = torch.ones(shape, dtype=torch.bool, device=query.device) if visible is None else visible.expand(shape)
        allowed = (allowed if self.edit is None else self.edit.allow(allowed, first_query=0))[0, head]
        output = parts[f"{self.part}.output"]
        summed = self._summed(stream, output)
        group = head * attention.n_key_heads // attention.n_heads
        to_query = _projection(attention.query, head, attention.d_key)
        after = "residual.after_cross" if self.kind == "cross" else "residual.middle"
        return HeadInspection(
            kind=self.kind, layer=index, head=head, n_heads=attention.n_heads, is_norm_first=layer.norm_first,
            residual_scale=layer.residual_scale, entrance=entrance, stream=_array(stream[0]),
            norm=_norm_step(self.norm, stream if layer.norm_first else summed), received=_array(received[0]),
            key_received=_array(keys_from[0]), group=group, group_size=attention.n_heads // attention.n_key_heads,
            turn=_turn(attention, query, key, self.edit), to_query=to_query,
            to_key=to_query if variation.one_matrix else _projection(attention.key, group, attention.d_key),
            to_value=_projection(attention.value, group, attention.d_value), to_output=_projection(attention.output),
            query=_array(query), key=_array(key), value=_array(value), scores=_array(scores), divisor=divisor,
            cap=attention.spec.cap, scaled=_array(scaled),
            position_bias=None if bias is None else _array(bias[0, head]),
            attn_mask=allowed.cpu().numpy(), masked=_array(with_bias.masked_fill(~allowed, -torch.inf)),
            weights=_array(weights), mixed=_array(mixed),
            concatenated=_array(parts[f"{self.part}.mixed"][0].transpose(0, 1).flatten(1)), output=_array(output[0]),
            summed=_array(summed[0]), stream_after=_array(parts[after][0]), feed_forward=self._feed_forward(parts),
        )  # fmt: skip

    def _summed(self, x: Tensor, branch: Tensor) -> Tensor:
        """The residual sum before a post-norm model normalises it."""
        return add_residual(x, branch, nn.Identity(), norm_first=True, scale=self.layer.residual_scale)

    def _feed_forward(self, parts: Mapping[str, Tensor]) -> FeedForwardStep:
        network, norm = self.layer.feed_forward, self.layer.feed_forward_norm
        x = parts["residual.middle" if self.layer.cross_attention is None else "residual.after_cross"]
        read = parts["residual.before"] if self.layer.is_parallel else x
        received = norm(read) if self.layer.norm_first else read
        hidden, output = (parts[name] for name in _NETWORK)
        return FeedForwardStep(
            _norm_step(norm, read if self.layer.norm_first else self._summed(x, output)),
            _projection(network.fc1),
            _projection(network.fc2),
            None if network.gate is None else _projection(network.gate),
            *(_array(part[0]) for part in (x, received, hidden, output, parts["residual.after"])),
        )


def _turn(attention: MultiHeadAttention, query: Tensor, key: Tensor, edit: LayerEdit | None) -> Turn | None:
    """The rotation by rotary positions of one head's queries (Q, K) and keys (S, K)."""
    rotary = attention.spec.rotary
    if rotary is None:
        return None
    places = places_of(0, len(key), edit, key.device)
    before = [_array(rotate(x[None, None], places, rotary, back=True)[0, 0]) for x in (query, key)]
    first, second = rotary_pairs(torch.arange(query.shape[-1]), rotary)
    columns = torch.stack((first, second), 1).numpy()
    return Turn(_array(angles(places[0], rotary)), columns, *before)


def _projection(linear: nn.Linear, head: int | None = None, width: int = 0) -> Projection:
    rows = slice(None) if head is None else slice(head * width, (head + 1) * width)
    bias = None if linear.bias is None else _array(linear.bias[rows])
    return Projection(_array(linear.weight[rows].T), bias)


def _norm_step(norm: nn.Module, x: Tensor) -> NormStep:
    """The intermediate values of a norm on (1, N, D)."""
    mean, deviation = (part.squeeze(-1) for part in moments(norm, x[0]))
    gain, shift = gain_and_shift(norm, x[0, 0])
    return NormStep(_array(mean), _array(deviation), _array(gain), _array(shift))


def _array(tensor: Tensor) -> Floats:
    return np.ascontiguousarray(tensor.detach().float().cpu().numpy())
