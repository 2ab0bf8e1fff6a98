"""Padding, and masks of attention: bool, True where a query may attend to a key."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from model.config import TransformerConfig
from model.nn.edits import BatchInterventions


def pad(
    rows: Sequence[Sequence[int] | NDArray[np.integer]] | NDArray[np.integer],
    pad_id: int,
    *,
    device: torch.device | str = "cpu",
) -> Tensor:
    """Pad B rows to int64 (B, longest), or rows of strips to (B, longest, P), with ``pad_id``."""
    shape = next((np.shape(row[0]) for row in rows if len(row)), ())
    padded = np.full((len(rows), max(map(len, rows), default=0), *shape), pad_id, np.int64)
    for index, row in enumerate(rows):
        padded[index, : len(row)] = row
    return torch.from_numpy(padded).to(device)


def causal_mask(n_queries: int, n_keys: int, device: torch.device | str = "cpu") -> Tensor:
    """True where a query may attend: keys up to its own position, bool (n_queries, n_keys).

    With more keys than queries, the queries are the last positions, as in cached decoding.
    """
    return torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).tril(n_keys - n_queries)


def needs_no_mask(real: Tensor) -> bool:
    """Whether nothing is padding, so that no mask is needed.

    Not used in training: on a GPU, reading the answer would make each step wait for the device.
    """
    return not torch.is_grad_enabled() and bool(real.all())


def source_mask(config: TransformerConfig, source_ids: Tensor) -> Tensor:
    """True where a source token of int64 (B, S) or strip of (B, S, P) is not padding: bool (B, 1, 1, S)."""
    first = source_ids[..., 0] if config.picture is not None else source_ids
    real = first != config.source_pad_id
    if config.starts_from_zero:
        real = real & (source_ids < config.source_vocab_size)
    return real[:, None, None, :]


def target_mask(
    config: TransformerConfig, target_ids: Tensor, edits: BatchInterventions, *, past: Tensor | None = None
) -> tuple[Tensor, Tensor | None]:
    """Masks of decoder self-attention for the tokens fed, int64 (B, N).

    With the causal mask lifted, padding at the end of a row stays masked, so that a row gives the same alone and in a
    batch.

    Args:
        past: which earlier tokens are not padding, bool (B, T - N).

    Returns:
        Which of the T tokens so far are not padding, bool (B, T), and the attention mask, bool (1 or B, 1, N, T),
        True where a query may attend; None masks nothing.
    """
    if config.mask_target_padding:
        real = target_ids != config.target_pad_id
    else:
        real = torch.ones_like(target_ids, dtype=torch.bool)
    if past is not None:
        real = torch.cat((past, real), 1)
    lifted = edits.lifted(target_ids.device)
    if target_ids.shape[1] == 1 and lifted is None:  # the newest query may attend to every key
        return real, None if needs_no_mask(real) else real[:, None, None, :]
    attn_mask = causal_mask(target_ids.shape[1], real.shape[1], target_ids.device)[None, None]
    if lifted is not None:
        attn_mask = attn_mask | (lifted & is_inside(config, target_ids, real.shape[1])[:, None, None, :])
    return real, attn_mask & real[:, None, None, :]  # (B, 1, new, T)


def is_inside(config: TransformerConfig, target_ids: Tensor, length: int) -> Tensor:
    """True up to each row's last real token, bool (B, T), for the last T = length tokens."""
    inside = (target_ids != config.target_pad_id).flip(1).cumsum(1).flip(1) > 0
    inside = functional.pad(inside, (length - inside.shape[1], 0), value=True)
    inside[:, 0] = True  # the first token may have the id of padding
    return inside


def of_queries(attn_mask: Tensor | None, first: int, end: int) -> Tensor | None:
    """The rows first…end-1 of a mask (…, Q, S); a mask with one row applies to every query."""
    return attn_mask if attn_mask is None or attn_mask.shape[-2] == 1 else attn_mask[..., first:end, :]


def within_window(
    window: int | None, attn_mask: Tensor | None, n_queries: int, n_keys: int, first_query: int, device: torch.device
) -> Tensor | None:
    """The mask, bool (…, Q, S), restricted to keys at a distance below ``window``."""
    if window is None or n_keys <= window:
        return attn_mask
    queries = torch.arange(first_query, first_query + n_queries, device=device)
    near = (queries[:, None] - torch.arange(n_keys, device=device)).abs() < window  # (Q, S)
    return near[None, None] if attn_mask is None else attn_mask & near
