"""The computation of one head, step by step, on the sentence of the page."""

from model.interpret.inspection import inspect_head
from model.interpret.inspection_steps import PLAIN, HeadInspection, Variation
from model.interventions import AttentionKind
from viz import cache
from viz.panels.reading import Reading


def inspected(
    reading: Reading, kind: AttentionKind, layer: int, head: int, variation: Variation = PLAIN
) -> HeadInspection:
    """Every step of a head, under the interventions in force."""
    return cache.compute(
        inspect_head,
        reading.bundle,
        trace=(reading.trace.source.ids, reading.trace.prefix.ids),
        kind=kind,
        layer=layer,
        head=head,
        variation=variation,
        interventions=reading.selection.interventions,
    )
