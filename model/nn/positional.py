"""Positional encodings (Vaswani et al. 2017, section 3.5) and the rows that a sequence reads from them."""

import math

import torch
from torch import Tensor, nn

from model.config import NOT_ADDED, PositionKind, TransformerConfig
from model.interventions import PositionEdit
from model.nn.edits import LayerEdit


def sinusoidal(n_positions: int, d_model: int, *, halves: bool = False) -> Tensor:
    """The sinusoidal encoding, float32 (n_positions, d_model), values in [-1, 1].

    ``halves`` puts all sines before all cosines (fairseq, Marian); otherwise they alternate, as in the paper.
    """
    position = torch.arange(n_positions, dtype=torch.float32).unsqueeze(1)  # (P, 1)
    frequency = torch.exp(torch.arange(0, d_model, 2, dtype=torch.float32) * -(torch.tensor(10000.0).log() / d_model))
    angle = position * frequency  # (P, D/2)
    pair = (angle.sin(), angle.cos())
    if halves:
        return torch.cat(pair, dim=1)  # (P, D)
    return torch.stack(pair, dim=2).flatten(1)  # (P, D)


def tensor2tensor(n_positions: int, d_model: int) -> Tensor:
    """tensor2tensor's sinusoids, float32 (n_positions, d_model): halves, whose last frequency is 1/10000 exactly.

    It divides the exponents by d/2 - 1 where the paper divides by d/2; fairseq and Marian compute them so.
    """
    half = d_model // 2
    frequency = torch.exp(torch.arange(half, dtype=torch.float32) * -(math.log(10000) / max(1, half - 1)))
    angle = torch.arange(n_positions, dtype=torch.float32).unsqueeze(1) * frequency.unsqueeze(0)  # (P, D/2)
    return torch.cat((angle.sin(), angle.cos()), dim=1)  # (P, D)


def doubled_exponents(n_positions: int, d_model: int) -> Tensor:
    """Alternating sinusoids whose exponents are twice too large, float32 (n_positions, d_model).

    Dimension j divides the position by 10000^(2j/d) where the paper has 10000^(2·(j div 2)/d). Much copied code of
    tutorials computes them so, one dimension at a time and in double precision.
    """
    dimension = torch.arange(d_model, dtype=torch.float64)
    angle = torch.arange(n_positions, dtype=torch.float64).unsqueeze(1) / 10000 ** (2 * dimension / d_model)  # (P, D)
    return torch.where(dimension % 2 == 0, angle.sin(), angle.cos()).float()


def computed_rows(kind: PositionKind, n_positions: int, d_model: int) -> Tensor:
    """The first rows of a sinusoidal table of this kind, (n_positions, d_model)."""
    if kind == "tensor2tensor":
        return tensor2tensor(n_positions, d_model)
    if kind == "doubled":
        return doubled_exponents(n_positions, d_model)
    return sinusoidal(n_positions, d_model, halves=kind == "halves")


def moved_positions(edit: PositionEdit, places: Tensor, length: int) -> Tensor:
    """The edited positions of a sentence's tokens, int64 (N,) in and out, none below 0.

    Positions from ``length`` on are padding and stay as they are.
    """
    real = places[:length]
    if edit.mode == "reverse":
        real = real.flip(0)
    elif edit.mode == "shift":
        real = (real + edit.amount).clamp(min=0)
    elif edit.mode == "shuffle":
        order = torch.randperm(len(real), generator=torch.Generator().manual_seed(edit.amount))
        real = real[order.to(real.device)]
    return torch.cat((real, places[length:]))


def places_of(first: int, length: int, edit: LayerEdit | None, device: torch.device) -> Tensor:
    """Positions first…first+length-1 of a sequence, (1, length), or (B, length) if positions are edited per row.

    An edit moves positions within the whole sentence, even if only a part of it is requested.
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
            rows.append(moved_positions(each, places, n))
    return torch.stack(rows)[:, first:end]


class PositionalEncoding(nn.Module):
    """Absolute position encodings from a learned or sinusoidal table, whose rows may be reordered.

    ``order`` lists the table rows of the first positions, for implementations that use another order;
    later positions read their own row.
    """

    def __init__(self, config: TransformerConfig, order: tuple[int, ...] | None) -> None:
        super().__init__()
        self.kind: PositionKind = config.positions
        self.d_model, self.offset = config.embedding_width, config.position_offset
        self.max_positions = config.max_positions
        self.order = order or ()
        if self.kind == "learned":
            self.table = nn.Parameter(torch.empty(config.max_positions, self.d_model))
        elif self.kind not in NOT_ADDED:
            self.register_buffer("table", torch.empty(config.max_positions, self.d_model), persistent=False)
        if self.kind not in NOT_ADDED and not self.table.is_meta:
            self.reset_parameters()

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw a learned table, or compute a sinusoidal one."""
        if self.kind == "learned":
            nn.init.normal_(self.table, std=self.d_model**-0.5, generator=generator)
        elif self.kind not in NOT_ADDED:
            self.table.copy_(computed_rows(self.kind, self.max_positions, self.d_model))

    def rows(self, start: int, stop: int, device: torch.device | str = "cpu") -> Tensor:
        """Table rows read by positions start…stop-1, int64 (stop - start,)."""
        rows = torch.arange(start, stop, device=device) + self.offset
        if start < len(self.order):
            listed = torch.tensor(self.order[start:stop], device=device)
            rows = torch.cat((listed, rows[len(listed) :]))
        return rows

    def lookup(self, rows: Tensor) -> Tensor:
        """Encodings of table rows, (…,) -> (…, D); a sinusoidal row beyond the table is computed.

        Raises:
            IndexError: when a learned table has no such row.
        """
        last = int(rows.max()) if rows.numel() else 0
        if last < self.table.shape[0]:
            return self.table[rows]
        if self.kind == "learned":
            raise IndexError(
                f"position {last} is beyond the {self.table.shape[0]} learned positions: use a shorter text"
            )
        return computed_rows(self.kind, last + 1, self.d_model).to(self.table)[rows]

    def forward(
        self, start: int, stop: int, edits: tuple[PositionEdit | None, ...] = (), lengths: tuple[int, ...] = ()
    ) -> Tensor | float:
        """Encodings (1 or B, stop - start, D) to add to embeddings.

        ``edits`` and ``lengths`` have one entry per batch row, or are empty. Positions beyond a row's length are
        padding and stay as they are, so that an edit has the same effect in a batch as on the sentence alone.
        """
        if self.kind in NOT_ADDED:
            return 0.0
        if not any(edits):
            if not self.order and stop + self.offset <= self.table.shape[0]:
                return self.table[start + self.offset : stop + self.offset].unsqueeze(0)  # (1, N, D)
            return self.lookup(self.rows(start, stop, self.table.device)).unsqueeze(0)
        places = torch.arange(start, stop)
        lengths = lengths or (len(places),) * len(edits)
        return torch.stack([self._edited(places, edit, n) for edit, n in zip(edits, lengths, strict=True)])  # (B, N, D)

    def _edited(self, places: Tensor, edit: PositionEdit | None, length: int) -> Tensor:
        """Encodings (N, D) of one sentence's positions, of which the first ``length`` are real."""
        if edit is not None and edit.mode == "zero":
            return self.table.new_zeros(len(places), self.d_model)
        if edit is not None:
            places = moved_positions(edit, places, length)
        rows = self.rows(0, int(places.max()) + 1 if len(places) else 0)[places]
        return self.lookup(rows.to(self.table.device))
