"""Which weights are on screen: raw, value-weighted, rollout, or times the gradient of the chosen word."""

from dataclasses import dataclass
from typing import get_args

from model import AttentionMaps
from model.analysis import head_scores, rank_agreement, rollout
from model.analysis.agreement import WeightKind
from model.interpret.ablation import HeadEffects
from model.interpret.attribution import gradient_attention, share_of_head, share_of_row, value_weighted
from model.nn.transformer import Transformer
from viz import cache
from viz.i18n import number, tr
from viz.panels.reading import Reading
from viz.plain_text import chip_text

WEIGHTINGS: tuple[WeightKind, ...] = get_args(WeightKind)


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of a trace under one weighting."""

    weighting: WeightKind
    maps: AttentionMaps
    """The original values: norms and gradients do not sum to 1."""
    note: str
    """What only this weighting says: the word it belongs to."""

    @property
    def display_maps(self) -> AttentionMaps:
        """The maps as the views draw them: non-negative, and no row sums to more than 1."""
        if self.weighting == "gradient":
            return share_of_head(self.maps)
        return share_of_row(self.maps) if self.weighting == "value_weighted" else self.maps


def weightings(reading: Reading) -> tuple[WeightKind, ...]:
    """The weightings that the model in use supports."""
    if isinstance(reading.bundle.model, Transformer):
        return WEIGHTINGS
    return ("raw", "rollout", "gradient") if "cross" in reading.trace.attention.kinds else ("raw", "rollout")


def weights(reading: Reading) -> Weights:
    """The weights in the chosen weighting, raw where it is not supported; raises AttributionError without gradients."""
    trace, bundle = reading.trace, reading.bundle
    chosen = reading.selection.weighting if reading.selection.weighting in weightings(reading) else "raw"
    maps, note, key = trace.attention, "", (chosen, *reading.key)
    if chosen == "value_weighted":
        maps = cache.get_or_compute(key, lambda: value_weighted(bundle, trace))
    elif chosen == "rollout":
        maps = cache.get_or_compute(key, lambda: rollout(trace.attention))
    elif chosen == "gradient":
        step = _step(reading)
        maps = cache.get_or_compute((*key, step), lambda: gradient_attention(bundle, trace, step=step)).maps
        note = tr("explore.gradient_of", token=chip_text(trace.target.pieces[step]))
    return Weights(chosen, maps, note)


def agreement(reading: Reading, weights: Weights, effects: HeadEffects | None) -> str:
    """Rank correlation of the weights with the effects of switching heads off, in words; empty where there is none."""
    kind, maps = reading.selection.kind, weights.maps.of(reading.selection.kind)
    if effects is None or maps is None or weights.weighting == "rollout":
        return ""
    ranks = rank_agreement(head_scores(maps, weights.weighting), -effects.totals(kind))
    if ranks.correlation is None:
        return ""
    return tr("explore.agreement", correlation=number(ranks.correlation, "+.2f"), n=ranks.n_heads)


def _step(reading: Reading) -> int:
    """The step of the word that a pin names; else the first word."""
    if reading.selection.kind == "encoder_self":
        return 0
    pinned = (int(pin[1:]) for pin in reading.selection.pins if pin[0] == "q" and pin[1:].isdecimal())
    return min(next(pinned, 0), len(reading.trace.target) - 1)
