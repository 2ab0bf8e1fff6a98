"""One packet for the browser: a header, then uint8 weights frame after frame.

Weights are rounded to 1/255. Entropies are computed here from the recorded ones, and travel as numbers of the header.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from model.analysis import head_metrics, match_tokens
from model.interventions import AttentionKind
from model.training.jobs.probe import Frame
from viz.components.attention.axis import Axis
from viz.components.packet import Arrays
from viz.i18n import current_language
from viz.theme import Palette


def pack(
    frames: Sequence[Frame],
    *,
    kind: AttentionKind,
    palette: Palette,
    words: Mapping[str, str],
    start: tuple[int, int],
    first_index: int = 0,
    last_step: int = 0,
    is_alive: bool = False,
) -> bytes:
    """Pack the frames of one kind of attention.

    Args:
        frames: in the order of their steps, at least one, all with this kind.
        palette: colours of the reader's mode.
        words: ``viz.i18n.group("film")``.
        start: layer and head to begin with.
        first_index: 0 or 1, what the first layer and head are called.
        last_step: the step at which the run will end.
        is_alive: whether more frames will come; then the film follows the newest one.
    """
    arrays, described = Arrays(), []
    for frame in frames:
        weights = frame.attention.of(kind)
        assert weights is not None
        offset = arrays.add(np.rint(np.clip(weights, 0, 1) * 255).astype(np.uint8))
        described.append(_describe(frame, frames[0], kind) | {"offset": offset})
    first = frames[0].attention.of(kind)
    assert first is not None
    header = {
        "kind": kind,
        "layers": first.shape[0],
        "heads": first.shape[1],
        "frames": described,
        "first": first_index,
        "last": last_step,
        "alive": is_alive,
        "start": list(start),
        "hue": palette.kinds[kind],
        "less": palette.less,
        "more": palette.more,
        "panel": palette.panel,
        "words": dict(words),
        "language": current_language(),
    }
    return arrays.join(header)


def _describe(frame: Frame, first: Frame, kind: AttentionKind) -> dict[str, Any]:
    queries, keys = _sides(frame, kind)
    then_queries, then_keys = _sides(first, kind)
    weights = frame.attention.of(kind)
    assert weights is not None
    entropy = head_metrics(weights, kind=kind, key_is_sink=[False] * len(keys)).entropy
    return {
        "step": frame.step,
        "text": frame.text,
        "queries": list(Axis.from_pieces(queries).texts),
        "keys": list(Axis.from_pieces(keys).texts),
        "then": [_match(then_queries, queries), _match(then_keys, keys)],
        "entropy": [[round(float(bits), 4) if np.isfinite(bits) else 0.0 for bits in layer] for layer in entropy],
    }


def _sides(frame: Frame, kind: AttentionKind) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Pieces of queries and keys; a decoder's rows are named by what they predict."""
    queries = frame.source if kind == "encoder_self" else frame.target
    keys = frame.prefix if kind == "decoder_self" else frame.source
    return queries.pieces, keys.pieces


def _match(then: Sequence[str], now: Sequence[str]) -> list[int]:
    """For each token now, its place in the first frame, or -1."""
    if tuple(then) == tuple(now):
        return list(range(len(now)))
    match = match_tokens(then, now)
    places = [-1] * len(now)
    for left, right, label in zip(match.left, match.right, match.labels, strict=True):
        if left >= 0 and right >= 0 and " → " not in label:
            places[right] = int(left)
    return places
