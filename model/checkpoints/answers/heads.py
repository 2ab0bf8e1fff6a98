"""How many heads a model has, read from the lengths of its projections' rows.

Training makes each head more or less important as a whole, so the rows of one head's projection have similar lengths
and those of two heads differ. The number of heads with which a piecewise constant describes the logarithms of the
lengths in the fewest nats (Schwarz 1978, the Bayesian information criterion) is the likely one. No text, no vocabulary
and no other setting is needed. An untrained model has no such steps, and one head then describes it best.
"""

import math
import re
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from model.checkpoints.basis.report import Evidence

CLEAR = 20.0
"""Nats by which the best number must lead the next one to be taken without a question."""
LEAST_WIDTH = 4
"""Rows of a head from which on their lengths say something."""
KEY = "head_rows"
_PROJECTION = re.compile(r"attention\.(query|key|value|output)\.weight\Z")


def head_nats(tensors: Mapping[str, Tensor], candidates: Sequence[int]) -> dict[int, float]:
    """For each number of heads, the nats by which it describes the rows worse than the best does; the best has 0.

    Heads of fewer than four rows describe nothing and are left out.

    Args:
        tensors: under our names; only attention's projections are read.
        candidates: numbers of heads that divide every projection.
    """
    lengths = [_lengths(name, tensor) for name, tensor in tensors.items() if _PROJECTION.search(name)]
    narrow = min(map(len, lengths), default=0)
    wide = [heads for heads in candidates if narrow // heads >= LEAST_WIDTH] or [1]
    nats_by_heads = {heads: sum(_nats(rows, heads) for rows in lengths) for heads in wide}
    best = min(nats_by_heads.values(), default=0.0)
    return {heads: nats - best for heads, nats in nats_by_heads.items()}


def as_evidence(nats: Mapping[int, float]) -> tuple[Evidence, ...]:
    """The numbers as evidence, the likelier first."""
    ordered = sorted(nats.items(), key=lambda item: item[1])
    return tuple(Evidence(KEY, (("answer", heads), ("nats", round(worse, 1)))) for heads, worse in ordered)


def clear_best(nats: Mapping[int, float]) -> int | None:
    """The number that leads clearly; None where the rows do not tell."""
    ordered = sorted(nats, key=nats.__getitem__)
    if len(ordered) < 2 or ordered[0] == 1:
        return None
    return ordered[0] if nats[ordered[1]] >= CLEAR else None


def layout_nats(fused: Sequence[tuple[Tensor, int]], heads: int) -> dict[bool, float]:
    """For fused projections one after the other (False) and head by head (True): the nats by which each explains the
    lengths of the rows worse than the other does. Queries, keys and values differ in length.

    Args:
        fused: matrices (rows, in), each with the number of projections in it.
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
    """The logarithms of the lengths of what belongs to heads: a projection's rows, the output's columns."""
    across = 0 if name.endswith("output.weight") else 1
    return tensor.detach().float().norm(dim=across).clamp(min=1e-12).log()


def _nats(rows: Tensor, heads: int) -> float:
    if not bool(torch.isfinite(rows).all()) or len(rows) % heads:
        return 0.0
    parts = rows.double().reshape(heads, -1)
    spread = float((parts - parts.mean(1, keepdim=True)).square().mean())
    return 0.5 * (len(rows) * math.log(max(spread, 1e-12)) + heads * math.log(len(rows)))
