"""Measures of attention weights: functions from arrays to arrays, which need no model.

Everything accepts ``(layer, head, query, key)`` weights, or any leading axes before ``(query, key)``.
"""

from model.analysis.agreement import Agreement, WeightKind, head_scores, rank_agreement
from model.analysis.alignment import Alignment, Link, align
from model.analysis.difference import (
    CompareError,
    Difference,
    TokenMatch,
    compare_traces,
    difference,
    match_tokens,
    moved,
)
from model.analysis.metrics import (
    Earned,
    HeadMetrics,
    earned_label,
    earned_labels,
    head_metrics,
    mean_metrics,
    trace_metrics,
)
from model.analysis.rollout import rollout
from model.analysis.sinks import SinksRemoved, remove_sinks, sinks_of
from model.analysis.words import Words, merge_attention, merge_maps, words_of
from model.lazy import submodules

__all__ = [
    "Agreement",
    "Alignment",
    "CompareError",
    "Difference",
    "Earned",
    "HeadMetrics",
    "Link",
    "SinksRemoved",
    "TokenMatch",
    "WeightKind",
    "Words",
    "align",
    "compare_traces",
    "difference",
    "earned_label",
    "earned_labels",
    "head_metrics",
    "head_scores",
    "match_tokens",
    "mean_metrics",
    "merge_attention",
    "merge_maps",
    "moved",
    "rank_agreement",
    "remove_sinks",
    "rollout",
    "sinks_of",
    "trace_metrics",
    "words_of",
]

__getattr__ = submodules(__name__, __path__)
