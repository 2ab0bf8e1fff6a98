"""Which reading of the weights is on screen: raw, value-weighted, rolled out, or owed by the chosen word."""

from __future__ import annotations

from dataclasses import dataclass

from model import AttentionMaps
from model.analysis import head_scores, rank_agreement, rollout
from model.analysis.agreement import WeightKind
from model.interpret.ablation import HeadEffects
from model.interpret.attribution import gradient_attention, share_of_head, share_of_row, value_weighted
from model.nn.transformer import Transformer
from viz import cache
from viz.i18n import tr
from viz.panels.reading import Reading
from viz.panels.sentence import chip_text

READINGS = ("raw", "norm", "rollout", "gradient")
_RECORD_NAMES: dict[str, WeightKind] = {
    "raw": "raw",
    "norm": "value_weighted",
    "rollout": "rollout",
    "gradient": "gradient",
}


@dataclass(frozen=True, slots=True)
class Weights:
    """One reading of a trace's weights."""

    reading: str
    maps: AttentionMaps
    """As they came: norms and gradients do not sum to 1."""
    note: str
    """What only this reading says: the word it belongs to."""

    @property
    def record_reading(self) -> WeightKind:
        """The reading as attention files name it."""
        return _RECORD_NAMES[self.reading]

    @property
    def drawn(self) -> AttentionMaps:
        """As the views draw them: not negative, and no row sums to more than 1."""
        if self.reading == "gradient":
            return share_of_head(self.maps)
        return share_of_row(self.maps) if self.reading == "norm" else self.maps


def readings(here: Reading) -> tuple[str, ...]:
    """The readings that the model in use allows."""
    if isinstance(here.bundle.model, Transformer):
        return READINGS
    return ("raw", "rollout", "gradient") if "cross" in here.trace.attention.kinds else ("raw", "rollout")


def weights(here: Reading) -> Weights:
    """The reading that was chosen; raw weights where the model does not allow it.

    Raises:
        AttributionError: when the model cannot be differentiated.
    """
    chosen, trace, bundle = here.selection.weighting, here.trace, here.bundle
    if chosen not in readings(here):
        chosen = "raw"
    if chosen == "norm":
        maps = cache.keep(("norm", *here.key), lambda: value_weighted(bundle, trace))
        return Weights(chosen, maps, "")
    if chosen == "rollout":
        maps = cache.keep(("rollout", *here.key), lambda: rollout(trace.attention))
        return Weights(chosen, maps, "")
    if chosen == "gradient":
        step = _step(here)
        found = cache.keep(("gradient", step, *here.key), lambda: gradient_attention(bundle, trace, step=step))
        return Weights(chosen, found.maps, tr("explore.gradient_of", token=chip_text(trace.target.pieces[step])))
    return Weights("raw", trace.attention, "")


def agreement(here: Reading, shown: Weights, effects: HeadEffects | None) -> str:
    """How far the reading ranks heads as switching them off does, in words; empty where it ranks none."""
    kind, maps = here.selection.kind, shown.maps.of(here.selection.kind)
    if effects is None or maps is None or shown.reading == "rollout":
        return ""
    found = rank_agreement(head_scores(maps, shown.record_reading), -effects.totals(kind))
    if found.correlation is None:
        return ""
    return tr("explore.agreement", correlation=f"{found.correlation:+.2f}", n=found.n_heads)


def _step(here: Reading) -> int:
    """The step of the word that a pin names; else the first word."""
    if here.selection.kind == "encoder_self":
        return 0
    pinned = (int(pin[1:]) for pin in here.selection.pins if pin[0] == "q" and pin[1:].isdecimal())
    return min(next(pinned, 0), len(here.trace.target) - 1)
