"""``torch.nn.Transformer`` with our weights and hooks that record its attention: the peer of the parity tests."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from model.nn.attention import MultiHeadAttention
from model.nn.stack import Stack
from model.nn.transformer import Transformer


@dataclass(frozen=True, slots=True)
class PeerOutput:
    """The peer's results: logits (B, T, V), and attention per layer (B, H, query, key)."""

    logits: Tensor
    encoder_self: list[Tensor]
    decoder_self: list[Tensor]
    cross: list[Tensor]


class Peer:
    """A ``torch.nn.Transformer`` that computes what a given model should compute."""

    def __init__(self, model: Transformer) -> None:
        config = model.config
        self.model = model
        self.inner = nn.Transformer(
            config.d_model,
            config.n_encoder_heads,
            config.n_encoder_layers,
            config.n_decoder_layers,
            config.d_feed_forward,
            activation=config.activation,
            norm_first=config.encoder_norm_first,
            layer_norm_eps=config.norm_epsilon,
            batch_first=True,
        ).eval()
        # Nested tensors zero the padded queries, whose rows are meaningless but real elsewhere.
        self.inner.encoder.use_nested_tensor = False
        state: dict[str, Tensor] = {}
        for side, stack in (("encoder", model.encoder), ("decoder", model.decoder)):
            state |= _stack_state(side, stack)
        self.inner.load_state_dict(state, strict=True)

    def __call__(self, source: Tensor, target: Tensor) -> PeerOutput:
        """Teacher forcing with padding and causal masks in torch's own terms (True hides)."""
        config = self.model.config
        found: dict[str, list[Tensor]] = {"encoder_self": [], "decoder_self": [], "cross": []}
        handles = self._listen(found)
        try:
            hidden = self.inner(
                self._embed(self.model.encoder, source),
                self._embed(self.model.decoder, target),
                tgt_mask=torch.ones(target.shape[1], target.shape[1], dtype=torch.bool).triu(1),
                src_key_padding_mask=source == config.source_pad_id,
                tgt_key_padding_mask=target == config.target_pad_id,
                memory_key_padding_mask=source == config.source_pad_id,
            )
        finally:
            for handle in handles:
                handle.remove()
        return PeerOutput(self.model.output(hidden), **found)

    @staticmethod
    def _embed(stack: Stack, ids: Tensor) -> Tensor:
        return stack.embedding(ids) * stack.scale + stack.positions(0, ids.shape[1])

    def _listen(self, found: dict[str, list[Tensor]]) -> list[Any]:
        """Make every attention compute its weights for each head, and record them."""

        def ask(module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
            return args, kwargs | {"need_weights": True, "average_attn_weights": False}

        handles = []
        encoder: list[Any] = list(self.inner.encoder.layers)
        decoder: list[Any] = list(self.inner.decoder.layers)
        modules = [
            *(("encoder_self", layer.self_attn) for layer in encoder),
            *(("decoder_self", layer.self_attn) for layer in decoder),
            *(("cross", layer.multihead_attn) for layer in decoder),
        ]
        for kind, module in modules:

            def note(_module: nn.Module, _args: Any, output: Any, kind: str = kind) -> None:
                found[kind].append(output[1])

            handles.append(module.register_forward_pre_hook(ask, with_kwargs=True))
            handles.append(module.register_forward_hook(note))
        return handles


def _attention_state(name: str, attention: MultiHeadAttention) -> dict[str, Tensor]:
    projections = (attention.query, attention.key, attention.value)
    return {
        f"{name}.in_proj_weight": torch.cat([p.weight for p in projections]),
        f"{name}.in_proj_bias": torch.cat([p.bias for p in projections]),
        f"{name}.out_proj.weight": attention.output.weight,
        f"{name}.out_proj.bias": attention.output.bias,
    }


def _stack_state(side: str, stack: Stack) -> dict[str, Tensor]:
    state: dict[str, Tensor] = {}
    layers: list[Any] = list(stack.layers)
    for index, layer in enumerate(layers):
        name = f"{side}.layers.{index}"
        parts: list[tuple[str, Any]] = [
            ("linear1", layer.feed_forward.fc1),
            ("linear2", layer.feed_forward.fc2),
            ("norm1", layer.self_attention_norm),
        ]
        state |= _attention_state(f"{name}.self_attn", layer.self_attention)
        if side == "decoder":
            state |= _attention_state(f"{name}.multihead_attn", layer.cross_attention)
            parts += [("norm2", layer.cross_attention_norm), ("norm3", layer.feed_forward_norm)]
        else:
            parts += [("norm2", layer.feed_forward_norm)]
        for peer, module in parts:
            state |= {f"{name}.{peer}.weight": module.weight, f"{name}.{peer}.bias": module.bias}
    norm: Any = stack.final_norm
    return state | {f"{side}.norm.weight": norm.weight, f"{side}.norm.bias": norm.bias}
