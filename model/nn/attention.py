"""Scaled dot-product and multi-head attention (Vaswani et al. 2017, section 3.2), weights returned on request."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from model.layer_spec import AttentionSpec, LayerSpec
from model.nn.attention_selection import AttentionSelection, in_heads, in_parts
from model.nn.edits import LayerEdit
from model.nn.hooks import has_global_hooks, has_hooks
from model.nn.masks import within_window
from model.nn.norms import make_norm, part_of_norm
from model.nn.positional import places_of
from model.nn.relative import RelativeBias, distance_bias
from model.nn.rotary import rotate
from model.nn.taps import Tap, apply_tap

FLOATS_OF_VECTOR = 16
_LONG = 256
"""From this many keys, chunked attention is computed head by head."""
_WORTH_FOUR_CALLS = 512
"""From this many elements, four vectorised operations are faster than one row-by-row softmax."""


def attention_weights(
    query: Tensor,
    key: Tensor,
    attn_mask: Tensor | None,
    tap: Tap | None = None,
    *,
    scale: float | None = None,
    cap: float | None = None,
    bias: Tensor | None = None,
) -> Tensor:
    """softmax(q·k / sqrt(K)): (B, H, Q, K), (B, H, S, K) -> (B, H, Q, S), at least float32.

    A query that may attend to no key gets zeros, not NaN.

    Args:
        scale: the factor on q·k; None means 1 / sqrt(K).
        cap: the scores are squeezed between ±cap.
        bias: relative-position bias added to the scores, (1 or B, H, Q, S).
    """
    has_gradient = torch.is_grad_enabled()
    is_ours = not has_gradient and tap is None  # nothing else reads the scores: they may be changed in place
    factor = query.shape[-1] ** -0.5 if scale is None else scale
    scores = query @ key.transpose(-2, -1)  # (B, H, Q, S)
    scores = scores.mul_(factor) if is_ours else scores * factor
    if cap is not None:
        scores = soft_cap(scores, cap)
    scores = apply_tap(tap, "scores", scores if bias is None else scores + bias, attn_mask)
    if scores.dtype in (torch.bfloat16, torch.float16):
        scores = scores.float()
    if attn_mask is None:
        return scores.softmax(-1) if has_gradient else _softmax_in_place(scores if is_ours else scores.clone())
    hidden, blind = ~attn_mask, ~attn_mask.any(-1, keepdim=True)
    if has_gradient:
        return scores.masked_fill(hidden, -torch.inf).softmax(-1).masked_fill(blind, 0.0)
    masked = scores.masked_fill_(hidden, -torch.inf) if is_ours else scores.masked_fill(hidden, -torch.inf)
    return _softmax_in_place(masked).masked_fill_(blind, 0.0)


def soft_cap(x: Tensor, cap: float) -> Tensor:
    """Numbers squeezed between ±cap, small ones nearly as they are (Gemma 2)."""
    return (x / cap).tanh() * cap


def _softmax_in_place(scores: Tensor) -> Tensor:
    """softmax over the last dimension. PyTorch does not vectorise rows shorter than a SIMD vector; plain operations
    over all rows at once are up to six times as fast, but four calls cost more than one for a few rows."""
    is_short = 0 < scores.shape[-1] < FLOATS_OF_VECTOR and scores.numel() >= _WORTH_FOUR_CALLS
    if scores.device.type != "cpu" or not is_short:
        return scores.softmax(-1)
    scores -= scores.amax(-1, keepdim=True)
    return scores.exp_().div_(scores.sum(-1, keepdim=True))


def differentiable(weights: Tensor) -> Tensor:
    """The weights, with ``requires_grad`` set even if every parameter is frozen: gradient × attention needs it."""
    if torch.is_grad_enabled() and not weights.requires_grad:
        weights.requires_grad_()
    return weights


def _mix(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None, *, dropout: float, scale: float | None
) -> Tensor:
    """Attention without its weights, (B, H, Q, M): the fused kernel, except where its backward pass is slower.

    On a CPU in bfloat16, at the length of a sentence, the fused kernel takes several times as long as three plain
    operations, because of its backward pass; in float32 it is faster (docs/decisions/0001).
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
    cap: float | None = None,
    bias: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Attention as plain operations: each head's output (B, H, Q, M), and its weights (B, H, Q, S) before dropout."""
    visible = attn_mask
    if edit is not None:
        shape = (*query.shape[:3], keys.shape[2])
        attn_mask = (
            torch.ones(shape, dtype=torch.bool, device=query.device) if attn_mask is None else attn_mask.expand(shape)
        )
        attn_mask = edit.allow(attn_mask, first_query=first_query)
    weights = differentiable(
        attention_weights(query, keys, attn_mask, tap, scale=scale, cap=cap, bias=bias)
    )  # (B, H, Q, S)
    if edit is not None and attn_mask is not None:
        weights = edit.override_weights(weights, attn_mask, first_query=first_query)
    weights = apply_tap(tap, "weights", weights, visible)
    dropped = functional.dropout(weights, dropout) if dropout else weights
    mixed = (dropped if dropped.dtype == values.dtype else dropped.to(values.dtype)) @ values  # (B, H, Q, M)
    return mixed if edit is None else edit.gate(mixed), weights


def _lengths(attn_mask: Tensor) -> tuple[int, ...]:
    """How many keys each batch row has, from a mask (B, …, S)."""
    return tuple(attn_mask.flatten(1, -2).any(1).sum(-1).tolist())


class MultiHeadAttention(nn.Module):
    """Multi-head attention (section 3.2.2): ``forward`` returns the output and, if asked, every head's weights."""

    def __init__(
        self,
        d_model: int,
        spec: AttentionSpec,
        layer: LayerSpec,
        *,
        dropout: float,
        relative: RelativeBias | None = None,
    ) -> None:
        super().__init__()
        self.n_heads, self.n_key_heads = spec.n_heads, spec.key_heads
        self.d_key, self.d_value = spec.d_key, spec.d_value
        self.query = nn.Linear(d_model, self.n_heads * self.d_key, bias=spec.bias)
        self.key = nn.Linear(d_model, self.n_key_heads * self.d_key, bias=spec.bias)
        self.value = nn.Linear(d_model, self.n_key_heads * self.d_value, bias=spec.bias)
        self.output = nn.Linear(self.n_heads * self.d_value, d_model, bias=spec.bias)
        self.query_norm, self.key_norm = (
            make_norm(layer.norm_kind, self.d_key * (1 if spec.query_norm == "head" else heads), layer.norm_epsilon)
            if spec.query_norm
            else None
            for heads in (self.n_heads, self.n_key_heads)
        )
        self.output_norm = make_norm(layer.norm_kind, d_model, layer.norm_epsilon) if layer.output_norm else None
        self.spec, self.dropout, self.scale = spec, dropout, spec.scale
        self.relative = relative if spec.relative else None
        self._relative = (relative,)
        """The layer's table or the stack's; in a tuple, so that PyTorch does not register the stack's in each layer."""

    def queries(self, x: Tensor, tap: Tap | None = None, *, first: int = 0, edit: LayerEdit | None = None) -> Tensor:
        """Queries (B, H, T, K), normalised and rotated, of a sequence (B, T, D) that begins at position ``first``."""
        return apply_tap(tap, "query", self._placed(self.query(x), self.query_norm, self.n_heads, first, edit))

    def keys_values(
        self, x: Tensor, tap: Tap | None = None, *, first: int = 0, edit: LayerEdit | None = None
    ) -> tuple[Tensor, Tensor]:
        """Keys (B, H, S, K) and values (B, H, S, M) of a sequence (B, S, D), repeated within a group of heads."""
        key = self._placed(self.key(x), self.key_norm, self.n_key_heads, first, edit)
        value = self.value(x).unflatten(-1, (self.n_key_heads, -1)).transpose(1, 2)  # (B, Hk, S, M)
        return apply_tap(tap, "key", self._shared(key)), apply_tap(tap, "value", self._shared(value))

    def _placed(
        self, projected: Tensor, norm: nn.Module | None, n_heads: int, first: int, edit: LayerEdit | None
    ) -> Tensor:
        """Split queries or keys (B, T, H*K) by head and apply the norm and rotary positions, if any: (B, H, T, K)."""
        is_whole = norm is not None and self.spec.query_norm == "whole"
        projected = norm(projected) if norm is not None and is_whole else projected
        x = projected.unflatten(-1, (n_heads, -1)).transpose(1, 2)  # (B, H, T, K)
        x = norm(x) if norm is not None and not is_whole else x
        if self.spec.rotary is None:
            return x
        return rotate(x, places_of(first, x.shape[2], edit, x.device), self.spec.rotary)

    def _shared(self, x: Tensor) -> Tensor:
        """Repeat each head of keys or values for every query head of its group: (B, Hk, S, K) -> (B, H, S, K)."""
        return x if self.n_key_heads == self.n_heads else x.repeat_interleave(self.n_heads // self.n_key_heads, 1)

    def visible(self, attn_mask: Tensor | None, n_queries: int, n_keys: int, first_query: int) -> Tensor | None:
        """The mask within this layer's window, bool as ``forward`` takes it."""
        return within_window(self.spec.window, attn_mask, n_queries, n_keys, first_query, self.output.weight.device)

    def position_bias(
        self, n_queries: int, n_keys: int, first_query: int, edit: LayerEdit | None, attn_mask: Tensor | None
    ) -> Tensor | None:
        """The relative-position bias on the scores, (1 or B, H, Q, S); None if the layer has none."""
        if self.spec.slopes:
            return distance_bias(self.spec.slopes, n_queries, n_keys, first_query, self.output.weight)
        (relative,) = self._relative
        if relative is None:
            return None
        moved = () if edit is None else edit.moved
        lengths = () if attn_mask is None or not any(moved) else _lengths(attn_mask)
        return relative(n_queries, n_keys, first_query, moved, lengths)

    def all_heads_zeroed(self, edit: LayerEdit | None, *, capture: bool | AttentionSelection, tap: Tap | None) -> bool:
        """Whether every head is off and no weights are requested, so that nothing need be computed."""
        if edit is None or capture or tap is not None or self.training or not edit.silences(self.n_heads):
            return False
        return not has_global_hooks() and not any(map(has_hooks, (self, self.query, self.key, self.value)))

    def write(self, mixed: Tensor, tap: Tap | None = None) -> Tensor:
        """The output projection over all heads: (B, H, Q, M) -> (B, Q, D)."""
        output = self.output(mixed.transpose(1, 2).flatten(2))  # (B, Q, D)
        if tap is not None and tap.wants("head_output"):
            parts = self.head_outputs(mixed)  # (B, H, Q, D)
            output = output.detach() + (tap("head_output", parts) - parts.detach()).sum(1)
        output = output if self.output_norm is None else self.output_norm(output)
        return apply_tap(tap, "output", output)

    def head_outputs(self, mixed: Tensor) -> Tensor:
        """The output projection of each head, without the bias: (B, H, Q, M) -> (B, H, Q, D)."""
        weight = self.output.weight.unflatten(1, (self.n_heads, self.d_value))  # (D, H, M)
        return mixed @ weight.permute(1, 2, 0)

    def contributions_after_norm(self, parts: Tensor) -> Tensor:
        """Each head's contribution to the residual stream after the post-attention norm: (…, H, Q, D) in and out.

        Without that norm they stay as they are. The norm's deviation is that of all heads together.
        """
        if self.output_norm is None:
            return parts
        whole = parts.sum(-3, keepdim=True)
        whole = whole if self.output.bias is None else whole + self.output.bias.to(whole)
        return part_of_norm(self.output_norm, parts, whole)

    def _in_parts(
        self,
        query: Tensor,
        keys: Tensor,
        values: Tensor,
        attn_mask: Tensor | None,
        only: AttentionSelection,
        edit: LayerEdit | None,
        first_query: int,
    ) -> tuple[Tensor, Tensor]:
        """The heads' outputs and the weights to return, computed in chunks of queries."""
        batch, n_queries, n_keys = query.shape[0], query.shape[2], keys.shape[2]
        if attn_mask is not None and attn_mask.shape[-2] == 1 and bool(attn_mask.all()):
            attn_mask = None

        is_by_row = attn_mask is not None and attn_mask.shape[-2] > 1

        def seen(first: int, end: int, heads: slice) -> tuple[Tensor, Tensor]:
            """``attended`` under a causal mask, over the keys up to the last visible one."""
            assert attn_mask is not None
            rows = attn_mask[..., first:end, :]
            n_seen = 1 + int(rows.flatten(0, -2).any(0).nonzero().amax()) if bool(rows.any()) else 1
            mixed, weights = attend(
                query[:, heads, first:end], keys[:, heads, :n_seen], values[:, heads, :n_seen], rows[..., :n_seen],
                scale=self.scale, cap=self.spec.cap,
            )  # fmt: skip
            return mixed, functional.pad(weights, (0, n_keys - n_seen))

        def attended(first: int, end: int, heads: slice = slice(None)) -> tuple[Tensor, Tensor]:
            mask = attn_mask[..., first:end, :] if attn_mask is not None and is_by_row else attn_mask
            bias = self.position_bias(end - first, n_keys, first_query + first, edit, attn_mask)
            return attend(
                query[:, heads, first:end], keys[:, heads], values[:, heads], mask, edit=edit,
                first_query=first_query + first, scale=self.scale, cap=self.spec.cap, bias=bias,
            )  # fmt: skip

        is_by_head = edit is None and not self.spec.slopes and self._relative == (None,) and n_keys > _LONG
        if not is_by_head or (attn_mask is not None and attn_mask.shape[1] > 1):
            return in_parts(only, n_queries, n_keys, self.n_heads * batch, attended)

        def mix(head: int) -> Tensor:
            span = slice(head, head + 1)
            return _mix(query[:, span], keys[:, span], values[:, span], attn_mask, dropout=0.0, scale=self.scale)

        each = seen if is_by_row else attended
        return in_heads(only, n_queries, n_keys, (batch, self.n_heads), each, None if self.spec.cap else mix)

    def forward(
        self,
        x: Tensor,
        keys: Tensor,
        values: Tensor,
        attn_mask: Tensor | None,
        *,
        capture: bool | AttentionSelection = False,
        edit: LayerEdit | None = None,
        first_query: int = 0,
        pad_queries: Tensor | None = None,
        tap: Tap | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        """Attend from x (B, Q, D) to keys (B, H, S, K) and values (B, H, S, M).

        Args:
            attn_mask: bool, broadcastable to (B, H, Q, S), True where a query may attend; None masks nothing.
            capture: return the weights, which a fused kernel cannot; or only some of them.
            edit: interventions on this layer.
            first_query: absolute position of the first query, for edits that name positions.
            pad_queries: queries with uniform weights over all keys whatever the mask, bool (B, Q).
            tap: records and replaces activations of this module except keys and values, which were tapped before.

        Returns:
            The output (B, Q, D), and the weights (B, H, Q, S) or None.
        """
        if self.all_heads_zeroed(edit, capture=capture, tap=tap):
            return self.write(x.new_zeros(*x.shape[:2], self.n_heads, self.d_value).transpose(1, 2)), None
        query = self.queries(x, tap, first=first_query, edit=edit)  # (B, H, Q, K)
        attn_mask = self.visible(attn_mask, query.shape[2], keys.shape[2], first_query)
        if pad_queries is not None:
            query = query.masked_fill(pad_queries[:, None, :, None], 0.0)
            attn_mask = None if attn_mask is None else attn_mask | pad_queries[:, None, :, None]
        dropout = self.dropout if self.training else 0.0
        is_whole = tap is not None and tap.wants("scores", "weights")
        if isinstance(capture, AttentionSelection) and not is_whole:
            mixed, weights = self._in_parts(query, keys, values, attn_mask, capture, edit, first_query)
            return self.write(apply_tap(tap, "mixed", mixed), tap), weights
        bias = self.position_bias(query.shape[2], keys.shape[2], first_query, edit, attn_mask)
        is_plain = bias is None and self.spec.cap is None
        if capture or edit is not None or not is_plain or is_whole:
            mixed, weights = attend(
                query, keys, values, attn_mask, edit=edit, first_query=first_query, dropout=dropout, tap=tap,
                scale=self.scale, cap=self.spec.cap, bias=bias,
            )  # fmt: skip
            weights = capture.part(weights) if isinstance(capture, AttentionSelection) else weights
        else:
            mixed, weights = _mix(query, keys, values, attn_mask, dropout=dropout, scale=self.scale), None
        return self.write(apply_tap(tap, "mixed", mixed), tap), weights  # (B, Q, D)
