"""Infers the number of heads from the norms of the projections' rows.

Training makes each head more or less important as a whole, so rows of the same head have similar norms and rows of
different heads differ. The likely number of heads is the one with which a piecewise constant function describes the
logarithms of the norms in the fewest nats (Schwarz 1978, the Bayesian information criterion). No text, vocabulary or
other setting is needed. An untrained model has no such steps, and a single head then describes it best.
"""

import math
import re
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from model.checkpoints.basis.report import Evidence

CLEAR = 20.0
"""Margin in nats by which the best number must lead to be chosen without a question."""
LEAST_WIDTH = 4
"""Minimum rows per head for their norms to be evidence."""
KEY = "head_rows"
_PROJECTION = re.compile(r"attention\.(query|key|value|output)\.weight\Z")


def head_nats(tensors: Mapping[str, Tensor], candidates: Sequence[int]) -> dict[int, float]:
    """For each number of heads, its description length of the rows in nats, minus that of the best.

    Numbers with fewer than four rows per head are left out.

    Args:
        tensors: under our names; only attention projections are used.
        candidates: numbers of heads that divide every projection.
    """
    lengths = [_lengths(name, tensor) for name, tensor in tensors.items() if _PROJECTION.search(name)]
    narrow = min(map(len, lengths), default=0)
    wide = [heads for heads in candidates if narrow // heads >= LEAST_WIDTH] or [1]
    nats_by_heads = {heads: sum(_nats(rows, heads) for rows in lengths) for heads in wide}
    best = min(nats_by_heads.values(), default=0.0)
    return {heads: nats - best for heads, nats in nats_by_heads.items()}


def as_evidence(nats: Mapping[int, float]) -> tuple[Evidence, ...]:
    """The numbers as evidence, most likely first."""
    ordered = sorted(nats.items(), key=lambda item: item[1])
    return tuple(Evidence(KEY, (("answer", heads), ("nats", round(worse, 1)))) for heads, worse in ordered)


def clear_best(nats: Mapping[int, float]) -> int | None:
    """The number that leads by the margin; None if the rows do not show it."""
    ordered = sorted(nats, key=nats.__getitem__)
    if len(ordered) < 2 or ordered[0] == 1:
        return None
    return ordered[0] if nats[ordered[1]] >= CLEAR else None


def layout_nats(fused: Sequence[tuple[Tensor, int]], heads: int) -> dict[bool, float]:
    """Description length in nats, minus the smaller, of fused projections in sequence (False) and head by head (True).

    Rows of queries, keys and values differ in norm.

    Args:
        fused: matrices (rows, in), each with its number of projections.
        heads: a number of heads that divides them.
    """
    nats_by_layout = {False: 0.0, True: 0.0}
    for tensor, parts in fused:
        lengths = _lengths("", tensor)
        if len(lengths) % (parts * heads) or not bool(torch.isfinite(lengths).all()):
            continue
        cut = lengths.double().reshape(heads, parts, -1).transpose(0, 1)
        for by_head, rows in ((False, lengths.double().reshape(parts, -1)), (True, cut.flatten(1))):
            spread = float((rows - rows.mean(1, keepdim=True)).square().mean())
            nats_by_layout[by_head] += 0.5 * len(lengths) * math.log(max(spread, 1e-12))
    best = min(nats_by_layout.values())
    return {layout: nats - best for layout, nats in nats_by_layout.items()}


def _lengths(name: str, tensor: Tensor) -> Tensor:
    """Logarithms of the norms of a projection's rows, or of the output projection's columns."""
    across = 0 if name.endswith("output.weight") else 1
    return tensor.detach().float().norm(dim=across).clamp(min=1e-12).log()


def _nats(rows: Tensor, heads: int) -> float:
    if not bool(torch.isfinite(rows).all()) or len(rows) % heads:
        return 0.0
    parts = rows.double().reshape(heads, -1)
    spread = float((parts - parts.mean(1, keepdim=True)).square().mean())
    return 0.5 * (len(rows) * math.log(max(spread, 1e-12)) + heads * math.log(len(rows)))
