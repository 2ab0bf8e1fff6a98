"""An alignment table as JSON values, with the option names of tools that use alignment heads."""

import dataclasses
from typing import Any

from model.corpus.alignment.against_gold import AlignmentTable
from model.corpus.alignment.aligners import SCORES, Counts, Measured


def report_values(table: AlignmentTable) -> dict[str, Any]:
    """The table as JSON values."""
    compared = table.weighted_against_raw
    best = table.best_head.aligner.parts[0]
    return {
        "n_pairs": table.n_pairs,
        "weighted_against_raw": None if compared is None else dataclasses.asdict(compared),
        "skipped": len(table.skipped),
        "heads": [_head(measured) for measured in table.heads],
        "layers": [{**_head(measured), "head": None} for measured in table.layers],
        "variants": [_set(measured) for measured in table.variants],
        "sets": [_set(measured) for measured in table.sets],
        "n_pairs_of_sets": table.n_counted_for_sets,
        "best": {**_head(table.best_head), "alignment_layer": best.layer, "alignment_heads": [[best.layer, best.head]]},
        "best_first_heads": {
            "alignment_layer": table.best_first.aligner.parts[0].layer,
            "alignment_heads": len(table.best_first.aligner.parts),
            **_scores(table.best_first.counts),
        },
        "diagonal": _scores(table.diagonal),
    }


def _head(measured: Measured) -> dict[str, Any]:
    part = measured.aligner.parts[0]
    return {
        "kind": "cross",
        "layer": part.layer,
        "head": part.head,
        "row": part.row,
        "weights": measured.aligner.weights,
        **_measured(measured),
    }


def _set(measured: Measured) -> dict[str, Any]:
    aligner = measured.aligner
    return {
        "kind": "cross",
        "heads": [{"layer": part.layer, "head": part.head, "row": part.row} for part in aligner.parts],
        "weights": aligner.weights,
        "points": "mutual" if aligner.is_mutual else "argmax",
        "threshold": aligner.threshold,
        "end_token": aligner.has_end,
        **_measured(measured),
    }


def _measured(measured: Measured) -> dict[str, float]:
    """The scores, with the 95 % bootstrap interval of the error rate."""
    bounds = measured.interval
    return {**_scores(measured.counts), "aer_low": bounds.low, "aer_high": bounds.high}


def _scores(counts: Counts) -> dict[str, float]:
    return {name: getattr(counts, name) for name in SCORES}
