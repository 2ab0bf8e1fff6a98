"""The layers of both stacks (Vaswani et al. 2017, sections 3.1 to 3.3): sublayers in residual branches."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import torch
from torch import Tensor, nn
from torch.nn import functional

from model.config import TransformerConfig
from model.layer_spec import Activation, AttentionSpec, LayerSpec
from model.nn.attention import MultiHeadAttention
from model.nn.attention_selection import AttentionSelection
from model.nn.dropout import Dropout
from model.nn.edits import LayerEdit
from model.nn.masks import of_queries
from model.nn.norms import make_norm
from model.nn.relative import RelativeBias
from model.nn.taps import Tap, apply_tap

KeysValues: TypeAlias = tuple[Tensor, Tensor]


def gelu_sigmoid(x: Tensor) -> Tensor:
    """GELU in its sigmoid approximation (Hendrycks & Gimpel 2016, section 2)."""
    return x * torch.sigmoid(1.702 * x)


ACTIVATIONS: dict[Activation, Callable[[Tensor], Tensor]] = {
    "relu": functional.relu,
    "gelu": functional.gelu,
    "gelu_tanh": partial(functional.gelu, approximate="tanh"),
    "gelu_sigmoid": gelu_sigmoid,
    "silu": functional.silu,
    "relu_squared": lambda x: functional.relu(x).square(),
}


class FeedForward(nn.Module):
    """Position-wise feed-forward network (section 3.3)."""

    is_t5s = False
    """Whether a float16 network multiplies its last matrix in float32, because float16 overflows there."""

    def __init__(self, d_model: int, spec: LayerSpec, *, dropout: float) -> None:
        super().__init__()
        self.fc1 = nn.Linear(d_model, spec.d_feed_forward, bias=spec.feed_forward_bias)
        self.fc2 = nn.Linear(spec.d_feed_forward, d_model, bias=spec.feed_forward_bias)
        self.gate = None
        if spec.gated_feed_forward:
            self.gate = nn.Linear(d_model, spec.d_feed_forward, bias=spec.feed_forward_bias)
        self.activation = ACTIVATIONS[spec.activation]
        self.output_norm = make_norm(spec.norm_kind, d_model, spec.norm_epsilon) if spec.output_norm else None
        self.dropout = Dropout(dropout)

    def forward(self, x: Tensor, tap: Tap | None = None) -> Tensor:
        """(B, T, D) -> (B, T, D)"""
        hidden = apply_tap(tap, "hidden", self.expand(x))  # (B, T, F)
        return apply_tap(tap, "output", self.contract(self.dropout(hidden) if self.training else hidden))

    def expand(self, x: Tensor) -> Tensor:
        """The first projection, activation, and gate if there is one: (…, D) -> (…, F)"""
        hidden = self.activation(self.fc1(x))
        return hidden if self.gate is None else hidden * self.gate(x)

    @property
    def is_wide(self) -> bool:
        """Whether its output is float32 although its weights are float16."""
        return self.is_t5s and self.fc2.weight.dtype == torch.float16

    def contract(self, hidden: Tensor) -> Tensor:
        """The second projection, back to the residual stream: (…, F) -> (…, D)"""
        output = functional.linear(hidden.float(), self.fc2.weight.float()) if self.is_wide else self.fc2(hidden)
        return output if self.output_norm is None else self.output_norm(output)


class PredictionHead(nn.Module):
    """The head of a masked language model (Devlin et al. 2019): a matrix to the embeddings' width, activation, norm."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.fc = nn.Linear(config.d_model, config.embedding_width)
        self.norm = make_norm(config.norm_kind, config.embedding_width, config.norm_epsilon)
        self.activation = ACTIVATIONS[config.activation]

    def forward(self, x: Tensor) -> Tensor:
        """(…, D) -> (…, E)"""
        return self.norm(self.activation(self.fc(x)))


class ResidualLayer(nn.Module):
    """The base of both stacks' layers: sublayers whose outputs are added to the residual stream."""

    def __init__(self, config: TransformerConfig, spec: LayerSpec, relative: RelativeBias | None = None) -> None:
        super().__init__()
        self.spec = spec
        self.dropout = Dropout(config.dropout)
        self.norm_first, self.residual_scale = spec.norm_place != "post", spec.residual_scale
        self.is_parallel = spec.parallel
        if spec.attention.relative:
            relative = RelativeBias(config, spec.attention.n_heads, is_causal=isinstance(self, DecoderLayer))
        self.self_attention = self._attention(config, spec.attention, relative)
        self.cross_attention = None if spec.cross is None else self._attention(config, spec.cross)
        self.feed_forward = FeedForward(config.d_model, spec, dropout=config.feed_forward_dropout)
        self.feed_forward.is_t5s = relative is not None and spec.norm_kind == "rms"
        self.self_attention_norm: nn.Module = self._norm(config) if spec.first_norm else nn.Identity()
        self.cross_attention_norm = None if spec.cross is None else self._norm(config)
        self.feed_forward_norm = self._norm(config)

    def _attention(
        self, config: TransformerConfig, spec: AttentionSpec, relative: RelativeBias | None = None
    ) -> MultiHeadAttention:
        return MultiHeadAttention(config.d_model, spec, self.spec, dropout=config.attention_dropout, relative=relative)

    def _norm(self, config: TransformerConfig) -> nn.Module:
        if self.spec.norm_place == "none":
            return nn.Identity()
        return make_norm(self.spec.norm_kind, config.d_model, self.spec.norm_epsilon)

    def add(self, x: Tensor, branch: Tensor, norm: Callable[[Tensor], Tensor]) -> Tensor:
        """Add a sublayer's output to the residual stream, (…, D) each; a post-norm layer then normalises the sum."""
        branch = self.dropout(branch) if self.training else branch
        return add_residual(x, branch, norm, norm_first=self.norm_first, scale=self.residual_scale)

    def feed_forward_block(self, x: Tensor, tap: Tap | None = None, *, entered: Tensor | None = None) -> Tensor:
        """The feed-forward sublayer on the residual stream after attention: (…, D) in and out, position-wise.

        Args:
            entered: the layer's input, which the feed-forward network of a parallel layer reads.
        """
        stream, network = taps_of(tap, "residual", "feed_forward")
        read = entered if self.is_parallel and entered is not None else x
        y = run_feed_forward(self.feed_forward, self.feed_forward_norm(read) if self.norm_first else read, network)
        return apply_tap(stream, "after", self.add(x, y, self.feed_forward_norm))


class EncoderLayer(ResidualLayer):
    """Self-attention and feed-forward, each in a normalised residual branch."""

    def forward(
        self,
        x: Tensor,
        attn_mask: Tensor | None,
        *,
        capture: bool | AttentionSelection = False,
        edit: LayerEdit | None = None,
        tap: Tap | None = None,
        rows: tuple[int, int] | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        """(B, S, D) -> (B, S, D), and the weights (B, H, S, S) if captured; ``rows`` limits the queries computed."""
        self_tap, stream = taps_of(tap, "self", "residual")
        x = apply_tap(stream, "before", x)
        y = self.self_attention_norm(x) if self.norm_first else x
        keys, values = self.self_attention.keys_values(y, self_tap, edit=edit)
        first, end = rows or (0, x.shape[1])
        x, y, attn_mask = x[:, first:end], y[:, first:end], of_queries(attn_mask, first, end)
        y, weights = self.self_attention(
            y, keys, values, attn_mask, capture=capture, edit=edit, first_query=first, tap=self_tap
        )
        middle = apply_tap(stream, "middle", self.add(x, y, self.self_attention_norm))
        return self.feed_forward_block(middle, tap, entered=x), weights


class DecoderLayer(ResidualLayer):
    """Causal self-attention, cross-attention and feed-forward, each in a normalised residual branch.

    A decoder-only model's layer has no cross-attention.
    """

    def forward(
        self,
        x: Tensor,
        cross: KeysValues | None,
        attn_mask: Tensor | None,
        source_mask: Tensor | None,
        *,
        past: KeysValues | None = None,
        capture: bool | AttentionSelection = False,
        edits: tuple[LayerEdit | None, LayerEdit | None] = (None, None),
        pad_queries: Tensor | None = None,
        tap: Tap | None = None,
        rows: tuple[int, int] | None = None,
    ) -> tuple[Tensor, Tensor | None, Tensor | None, KeysValues]:
        """Run the layer on T new tokens, after N tokens whose keys and values are in ``past``.

        Args:
            x: residual stream, (B, T, D).
            cross: keys (B, H, S, K) and values (B, H, S, M) of the encoder's output; None without an encoder.
            attn_mask: bool, broadcastable to (B, H, T, N + T), True where a query may attend; None masks nothing.
            source_mask: bool, broadcastable to (B, H, T, S), likewise.
            past: keys (B, H, N, K) and values (B, H, N, M) of the tokens before; None when there are none.
            capture: return the weights.
            edits: interventions on self-attention and on cross-attention.
            pad_queries: as in MultiHeadAttention, for self-attention.
            tap: of this layer; the keys and values in ``cross`` were tapped when they were computed.
            rows: (start, stop) of the new tokens to compute; None: all.

        Returns:
            The residual stream (B, T, D), the self-attention weights (B, H, T, N + T) and the cross-attention
            weights (B, H, T, S), each None without capture, and keys (B, H, N + T, K) and values (B, H, N + T, M).
        """
        self_tap, stream = taps_of(tap, "self", "residual")
        x = apply_tap(stream, "before", x)
        y = self.self_attention_norm(x) if self.norm_first else x
        first = 0 if past is None else past[0].shape[2]
        keys, values = self.self_attention.keys_values(y, self_tap, first=first)
        if rows is not None:
            part = slice(*rows)
            x, y, attn_mask, first = x[:, part], y[:, part], of_queries(attn_mask, *rows), first + rows[0]
            pad_queries = None if pad_queries is None else pad_queries[:, part]
        if past is not None:
            keys, values = torch.cat((past[0], keys), 2), torch.cat((past[1], values), 2)
        y, self_weights = self.self_attention(
            y, keys, values, attn_mask, capture=capture, edit=edits[0], first_query=first, pad_queries=pad_queries,
            tap=self_tap,
        )  # fmt: skip
        middle = apply_tap(stream, "middle", self.add(x, y, self.self_attention_norm))
        if cross is None:
            return self.feed_forward_block(middle, tap, entered=x), self_weights, None, (keys, values)
        assert self.cross_attention is not None and self.cross_attention_norm is not None
        (between,) = taps_of(tap, "cross")
        y = self.cross_attention_norm(middle) if self.norm_first else middle
        y, cross_weights = self.cross_attention(
            y, *cross, source_mask, capture=capture, edit=edits[1], first_query=first, tap=between
        )
        after = apply_tap(stream, "after_cross", self.add(middle, y, self.cross_attention_norm))
        return self.feed_forward_block(after, tap), self_weights, cross_weights, (keys, values)


def run_feed_forward(network: nn.Module, x: Tensor, tap: Tap | None) -> Tensor:
    """A feed-forward network's output. A tap is passed only if there is one: a replaced ``forward`` may not take it."""
    return network(x) if tap is None else network(x, tap)


def taps_of(tap: Tap | None, *parts: str) -> tuple[Tap | None, ...]:
    """The taps of a layer's sublayers."""
    return tuple(None if tap is None else tap.at(part) for part in parts)


def add_residual(
    x: Tensor, branch: Tensor, norm: Callable[[Tensor], Tensor], *, norm_first: bool, scale: float
) -> Tensor:
    """Add a branch to the residual stream, and normalise the sum in a post-norm layer."""
    if scale != 1.0:
        x = x * scale
    x = x + branch
    return x if norm_first else norm(x)
