"""Training as a film: a slider through the recorded steps, and at each the probe's translation and its heads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from model.analysis import head_metrics, match_tokens
from model.interventions import AttentionKind
from model.training.jobs.probe import Frame
from viz.components.attention.axis import Axis
from viz.components.packet import Arrays
from viz.components.source import Source
from viz.i18n import current_language
from viz.theme import Palette

SOURCE = Source("film", "js/film.js", sheet="film.css")
_render = SOURCE.mount()


@dataclass(frozen=True, slots=True)
class Seen:
    """The reader's position, validated against the recorded steps and heads."""

    step: int
    """A recorded step; the last one while the film follows the run."""
    layer: int
    head: int


def film(packet: bytes, *, steps: tuple[int, ...], shape: tuple[int, int], start: tuple[int, int], key: str) -> Seen:
    """Draw the film. The browser reports where the slider stops and which head is chosen.

    Args:
        packet: from ``pack``.
        steps: the recorded steps, in order, at least one.
        shape: counts of layers and heads.
        start: the first layer and head.
        key: of the component.
    """
    reported = _render(key=key, data=packet, on_step_change=_ignore, on_head_change=_ignore)
    step, head = reported.get("step"), reported.get("head")
    layer, head = (min(max(index, 0), n - 1) for index, n in zip(_parse_head(head, start), shape, strict=True))
    return Seen(step if isinstance(step, int) and step in steps else steps[-1], layer, head)


def _parse_head(value: object, start: tuple[int, int]) -> tuple[int, int]:
    if isinstance(value, list | tuple) and len(value) == 2 and all(type(index) is int for index in value):
        return value[0], value[1]
    return start


def _ignore() -> None:
    """Streamlit reports a state only if it has a callback."""


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
    """Pack the frames of one kind of attention: a header with each head's entropy, then uint8 weights (255 is 1) frame
    after frame.

    Args:
        frames: in the order of their steps, at least one, all with this kind.
        palette: colours of the reader's mode.
        words: ``viz.i18n.group("film")``.
        start: the first layer and head.
        first_index: the number of the first layer and head, 0 or 1.
        last_step: the step at which the run will end.
        is_alive: whether the run continues; then the film follows the newest frame.
    """
    arrays = Arrays()
    described = [_describe(frame, frames[0], kind, arrays) for frame in frames]
    entropy = described[0]["entropy"]
    header = {
        "kind": kind,
        "layers": len(entropy),
        "heads": len(entropy[0]),
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


def _describe(frame: Frame, first: Frame, kind: AttentionKind, arrays: Arrays) -> dict[str, Any]:
    queries, keys = _sides(frame, kind)
    first_queries, first_keys = _sides(first, kind)
    weights = frame.attention.of(kind)
    assert weights is not None
    entropy = head_metrics(weights, kind=kind, key_is_sink=[False] * len(keys)).entropy
    return {
        "step": frame.step,
        "text": frame.text,
        "queries": list(Axis.from_pieces(queries).texts),
        "keys": list(Axis.from_pieces(keys).texts),
        "then": [_match(first_queries, queries), _match(first_keys, keys)],
        "entropy": [[round(float(bits), 4) if np.isfinite(bits) else 0.0 for bits in layer] for layer in entropy],
        "offset": arrays.add(np.rint(np.clip(weights, 0, 1) * 255).astype(np.uint8)),
    }


def _sides(frame: Frame, kind: AttentionKind) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Pieces of queries and keys; a decoder's queries are named by the tokens that they predict."""
    queries = frame.source if kind == "encoder_self" else frame.target
    keys = frame.prefix if kind == "decoder_self" else frame.source
    return queries.pieces, keys.pieces


def _match(first: Sequence[str], current: Sequence[str]) -> list[int]:
    """The place in the first frame of each current token, or -1."""
    if tuple(first) == tuple(current):
        return list(range(len(current)))
    match = match_tokens(first, current)
    places = [-1] * len(current)
    for left, right, label in zip(match.left, match.right, match.labels, strict=True):
        if left >= 0 and right >= 0 and " → " not in label:
            places[right] = int(left)
    return places
