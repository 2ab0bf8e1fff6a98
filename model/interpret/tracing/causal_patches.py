"""The patch that a cell of a causal map stands for, as ``translate`` takes it for the second sentence."""

from __future__ import annotations

from model.bundle import Bundle
from model.interpret.recording import record
from model.interpret.tracing.pair_reading import SUBLAYERS, CausalError, PairReading, name_of_cell
from model.interventions import AttentionKind
from model.patch import Patch


def patch_of_cell(bundle: Bundle, pair: PairReading, component: str, row: int, position: int) -> Patch:
    """The patch of one cell of a map by position.

    Raises:
        CausalError: when the first sentence has nothing to put there.
    """
    name = name_of_cell(component, row)
    is_aligned = component.startswith("encoder") or not len(pair.second.source)
    there = pair.alignment[position] if is_aligned else position
    if there is None:
        raise CausalError("the first sentence has no token for this position: choose another position")
    if there == position:
        return Patch(name, (position,), from_text=pair.first.source_text)
    return Patch(name, (position,), value=record(bundle, pair.first, names=name)[name][0, there])


def patch_of_head(bundle: Bundle, pair: PairReading, kind: AttentionKind, layer: int, head: int) -> Patch:
    """The patch of one cell of the map of heads: the head's output at all positions.

    Where the sentences differ in length, each position takes that of the token that stands at its place.
    """
    part = SUBLAYERS[kind].format(layer)
    places = [(place, source) for place, source in enumerate(pair.alignment) if source is not None]
    if (
        kind == "cross"
        or (kind == "decoder_self" and len(pair.second.source))
        or all(place == source for place, source in places)
    ):
        return Patch(f"{part}.head_output", heads=(head,), from_text=pair.first.source_text)
    name = f"{part}.mixed"
    place, source = zip(*places, strict=True)
    mixed = record(bundle, pair.first, names=name)[name][0]  # (H, S, M)
    return Patch(name, place, (head,), value=mixed[head : head + 1, list(source)])
