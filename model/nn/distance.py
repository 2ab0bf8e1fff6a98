"""Attention by distance: the positions of tokens, windows, and ALiBi's penalty."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from model.nn.edits import LayerEdit
from model.nn.positional import moved_positions


def places_of(first: int, length: int, edit: LayerEdit | None, device: torch.device) -> Tensor:
    """Positions first… of a sequence, (1 or B, length); each row's own where positions are moved.

    Positions are moved within the whole sentence, also where only a part of it is asked for.
    """
    end = first + length
    edits = () if edit is None else edit.moved
    if not any(edits):
        return torch.arange(first, end, device=device)[None]
    assert edit is not None
    lengths = edit.lengths or (end,) * len(edits)
    places = torch.arange(max(end, *lengths), device=device)
    rows = []
    for each, n in zip(edits, lengths, strict=True):
        if each is None:
            rows.append(places)
        elif each.mode == "zero":
            rows.append(torch.zeros_like(places))
        else:
            rows.append(torch.cat((moved_positions(each, places[:n]), places[n:])))
    return torch.stack(rows)[:, first:end]


def within_window(
    window: int | None, attn_mask: Tensor | None, n_queries: int, n_keys: int, first_query: int, device: torch.device
) -> Tensor | None:
    """The mask, bool (…, Q, S), where a query sees only keys at a distance below ``window``."""
    if window is None or n_keys <= window:
        return attn_mask
    queries = torch.arange(first_query, first_query + n_queries, device=device)
    near = (queries[:, None] - torch.arange(n_keys, device=device)).abs() < window  # (Q, S)
    return near[None, None] if attn_mask is None else attn_mask & near


def distance_bias(slopes: Sequence[float], n_queries: int, n_keys: int, first_query: int, like: Tensor) -> Tensor:
    """ALiBi's bias on the scores: minus each head's slope times the distance, (1, H, Q, S)."""
    queries = torch.arange(first_query, first_query + n_queries, device=like.device)
    distance = (queries[:, None] - torch.arange(n_keys, device=like.device)).abs().to(like.dtype)
    return -torch.tensor(slopes, dtype=like.dtype, device=like.device)[None, :, None, None] * distance
