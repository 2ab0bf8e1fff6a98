"""Scaled dot-product and multi-head attention (Vaswani et al. 2017, section 3.2), weights returned on request."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from model.nn.edits import LayerEdit
from model.nn.hooks import has_global_hooks, has_hooks
from model.nn.relative import RelativeBias
from model.nn.taps import Tap, tapped

FLOATS_OF_VECTOR = 16
_WORTH_FOUR_CALLS = 512
"""Numbers from which on four operations over all rows take less time than one that goes row by row."""


def causal_mask(n_queries: int, n_keys: int, device: torch.device | str = "cpu") -> Tensor:
    """Each query may attend to the keys up to its own position, bool (n_queries, n_keys).

    With more keys than queries the queries are the last ones, as in cached decoding.
    """
    return torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).tril(n_keys - n_queries)


def attention_weights(
    query: Tensor,
    key: Tensor,
    attn_mask: Tensor | None,
    tap: Tap | None = None,
    *,
    scale: float | None = None,
    bias: Tensor | None = None,
) -> Tensor:
    """softmax(q·k / sqrt(K)): (B, H, Q, K), (B, H, S, K) -> (B, H, Q, S), at least float32.

    A query that may attend to no key gets zeros, not NaN.

    Args:
        scale: the factor on q·k, where it is not 1 / sqrt(K).
        bias: of relative positions, added to the scores, (1 or B, H, Q, S).
    """
    scores = query @ key.transpose(-2, -1) * (query.shape[-1] ** -0.5 if scale is None else scale)  # (B, H, Q, S)
    scores = tapped(tap, "scores", scores if bias is None else scores + bias, attn_mask)
    if scores.dtype in (torch.bfloat16, torch.float16):
        scores = scores.float()
    is_ours = not torch.is_grad_enabled() and tap is None  # the scores are used nowhere else
    if attn_mask is None:
        return _softmax_in_place(scores) if is_ours else scores.softmax(-1)
    hidden, blind = ~attn_mask, ~attn_mask.any(-1, keepdim=True)
    if not is_ours:
        return scores.masked_fill(hidden, -torch.inf).softmax(-1).masked_fill(blind, 0.0)
    return _softmax_in_place(scores.masked_fill_(hidden, -torch.inf)).masked_fill_(blind, 0.0)


def _softmax_in_place(scores: Tensor) -> Tensor:
    """softmax over the last dimension. PyTorch computes rows shorter than a SIMD vector number by number; plain
    operations over all rows at once are up to six times as fast, but four calls cost more than one for a few rows."""
    is_short = 0 < scores.shape[-1] < FLOATS_OF_VECTOR and scores.numel() >= _WORTH_FOUR_CALLS
    if scores.device.type != "cpu" or not is_short:
        return scores.softmax(-1)
    scores -= scores.amax(-1, keepdim=True)
    return scores.exp_().div_(scores.sum(-1, keepdim=True))


def differentiable(weights: Tensor) -> Tensor:
    """Captured weights that require a gradient even where every parameter is frozen: gradient × attention needs it."""
    if torch.is_grad_enabled() and not weights.requires_grad:
        weights.requires_grad_()
    return weights


def _mix(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None, *, dropout: float, scale: float | None
) -> Tensor:
    """Attention without its weights, (B, H, Q, M): the fused kernel, except where its backward pass is slower.

    On a CPU in bfloat16, at the length of a sentence, the fused kernel takes several times as long as three plain
    operations, because of its backward pass; in float32 it is the faster (benchmarks/attention_backward.py).
    """
    is_low = query.dtype in (torch.bfloat16, torch.float16)
    if query.device.type != "cpu" or not query.requires_grad or not is_low:
        return functional.scaled_dot_product_attention(query, key, value, attn_mask, dropout_p=dropout, scale=scale)
    scores = query @ key.transpose(-2, -1) * (query.shape[-1] ** -0.5 if scale is None else scale)  # (B, H, Q, S)
    if attn_mask is None:
        weights = scores.softmax(-1)
    else:
        weights = scores.masked_fill(~attn_mask, torch.finfo(scores.dtype).min).softmax(-1)
        weights = weights.masked_fill(~attn_mask.any(-1, keepdim=True), 0.0)  # 0 where no key is left
    return functional.dropout(weights, dropout).to(value.dtype) @ value


def attend(
    query: Tensor,
    keys: Tensor,
    values: Tensor,
    attn_mask: Tensor | None,
    *,
    edit: LayerEdit | None = None,
    first_query: int = 0,
    dropout: float = 0.0,
    tap: Tap | None = None,
    scale: float | None = None,
    bias: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Attention as plain operations: what each head mixed (B, H, Q, M), and its weights (B, H, Q, S) before dropout."""
    visible = attn_mask
    if edit is not None:
        shape = (*query.shape[:3], keys.shape[2])
        attn_mask = (
            torch.ones(shape, dtype=torch.bool, device=query.device) if attn_mask is None else attn_mask.expand(shape)
        )
        attn_mask = edit.allow(attn_mask, first_query=first_query)
    weights = differentiable(attention_weights(query, keys, attn_mask, tap, scale=scale, bias=bias))  # (B, H, Q, S)
    if edit is not None and attn_mask is not None:
        weights = edit.override_weights(weights, attn_mask, first_query=first_query)
    weights = tapped(tap, "weights", weights, visible)
    kept = functional.dropout(weights, dropout) if dropout else weights
    mixed = (kept if kept.dtype == values.dtype else kept.to(values.dtype)) @ values  # (B, H, Q, M)
    return mixed if edit is None else edit.gate(mixed), weights


def _lengths(attn_mask: Tensor) -> tuple[int, ...]:
    """How many keys each batch row has, from a mask (B, …, S)."""
    return tuple(attn_mask.flatten(1, -2).any(1).sum(-1).tolist())


class MultiHeadAttention(nn.Module):
    """Multi-head attention (section 3.2.2): ``forward`` returns the output and, if asked, every head's weights."""

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        *,
        d_key: int | None,
        d_value: int | None,
        bias: bool,
        dropout: float,
        scale: float | None = None,
        relative: RelativeBias | None = None,
    ) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.d_key = d_key or d_model // n_heads
        self.d_value = d_value or d_model // n_heads
        self.query = nn.Linear(d_model, n_heads * self.d_key, bias=bias)
        self.key = nn.Linear(d_model, n_heads * self.d_key, bias=bias)
        self.value = nn.Linear(d_model, n_heads * self.d_value, bias=bias)
        self.output = nn.Linear(n_heads * self.d_value, d_model, bias=bias)
        self.dropout, self.scale = dropout, scale
        self._relative = (relative,)
        """The stack's, whose parameter it is: in a tuple, so that PyTorch does not count it as each layer's own."""

    def split(self, projected: Tensor) -> Tensor:
        """(B, T, H*K) -> (B, H, T, K)"""
        return projected.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)  # (B, H, T, K)

    def keys_values(self, x: Tensor, tap: Tap | None = None) -> tuple[Tensor, Tensor]:
        """Keys (B, H, S, K) and values (B, H, S, M) of a sequence (B, S, D)."""
        return tapped(tap, "key", self.split(self.key(x))), tapped(tap, "value", self.split(self.value(x)))

    def position_bias(
        self, n_queries: int, n_keys: int, first_query: int, edit: LayerEdit | None, attn_mask: Tensor | None
    ) -> Tensor | None:
        """What relative positions add to the scores, (1 or B, H, Q, S); None where the model has none."""
        (relative,) = self._relative
        if relative is None:
            return None
        moved = () if edit is None else edit.moved
        lengths = () if attn_mask is None or not any(moved) else _lengths(attn_mask)
        return relative(n_queries, n_keys, first_query, moved, lengths)

    def all_heads_zeroed(self, edit: LayerEdit | None, *, capture: bool, tap: Tap | None) -> bool:
        """Whether every head is off and no weights are requested, so that nothing need be computed."""
        if edit is None or capture or tap is not None or self.training or not edit.silences(self.n_heads):
            return False
        return not has_global_hooks() and not any(map(has_hooks, (self, self.query, self.key, self.value)))

    def write(self, mixed: Tensor, tap: Tap | None = None) -> Tensor:
        """What the heads together add to the residual stream: (B, H, Q, M) -> (B, Q, D)."""
        output = self.output(mixed.transpose(1, 2).flatten(2))  # (B, Q, D)
        if tap is None:
            return output
        if tap.wants("head_output"):
            parts = self.head_outputs(mixed)  # (B, H, Q, D)
            output = output.detach() + (tap("head_output", parts) - parts.detach()).sum(1)
        return tap("output", output)

    def head_outputs(self, mixed: Tensor) -> Tensor:
        """What each head alone writes, without the bias: (B, H, Q, M) -> (B, H, Q, D)."""
        weight = self.output.weight.unflatten(1, (self.n_heads, self.d_value))  # (D, H, M)
        return mixed @ weight.permute(1, 2, 0)

    def forward(
        self,
        x: Tensor,
        keys: Tensor,
        values: Tensor,
        attn_mask: Tensor | None,
        *,
        capture: bool = False,
        edit: LayerEdit | None = None,
        first_query: int = 0,
        pad_queries: Tensor | None = None,
        tap: Tap | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        """Attend from x (B, Q, D) to keys (B, H, S, K) and values (B, H, S, M).

        Args:
            attn_mask: bool, broadcastable to (B, H, Q, S), True where a query may attend; None masks nothing.
            capture: return the weights, which a fused kernel cannot.
            edit: interventions on this layer.
            first_query: absolute position of the first query, for edits that name positions.
            pad_queries: queries that give every key the same weight, bool (B, Q), whatever their mask says.
            tap: records and replaces activations of this module, except keys and values, which are tapped before.

        Returns:
            The output (B, Q, D), and the weights (B, H, Q, S) or None.
        """
        if self.all_heads_zeroed(edit, capture=capture, tap=tap):
            return self.write(x.new_zeros(*x.shape[:2], self.n_heads, self.d_value).transpose(1, 2)), None
        query = tapped(tap, "query", self.split(self.query(x)))  # (B, H, Q, K)
        if pad_queries is not None:
            query = query.masked_fill(pad_queries[:, None, :, None], 0.0)
            attn_mask = None if attn_mask is None else attn_mask | pad_queries[:, None, :, None]
        dropout = self.dropout if self.training else 0.0
        bias = self.position_bias(query.shape[2], keys.shape[2], first_query, edit, attn_mask)
        if capture or edit is not None or bias is not None or (tap is not None and tap.wants("scores", "weights")):
            mixed, weights = attend(
                query, keys, values, attn_mask, edit=edit, first_query=first_query, dropout=dropout, tap=tap,
                scale=self.scale, bias=bias,
            )  # fmt: skip
        else:
            mixed, weights = _mix(query, keys, values, attn_mask, dropout=dropout, scale=self.scale), None
        return self.write(tapped(tap, "mixed", mixed), tap), weights  # (B, Q, D)
