"""The decoder's own attention does not look at what is still to be written."""

from __future__ import annotations

import dataclasses

from model.teaching.mask_effects import FutureEffect, future_effect
from model.trace import Floats
from viz import cache
from viz.figures import drawings
from viz.i18n import tr
from viz.lesson.acts import Act, maps
from viz.lesson.choices import is_changed
from viz.lesson.pictures import Pictures, write
from viz.lesson.scene import Scene, own_layers, translation
from viz.lesson.views import chance
from viz.panels import chart
from viz.panels.reading import Reading
from viz.panels.stage.sentence import chip_text
from viz.state.view_state import ViewState


def forced(reading: Reading) -> str:
    """What lifting the mask does to the probability of the model's own translation."""
    masked, lifted = map(chance, _future(reading).log_probs)
    return tr("lesson.forced", masked=masked, lifted=lifted)


class Mask(Scene):
    """The decoder's self-attention with the mask and without."""

    def draw(self, reading: Reading) -> None:
        """One map, and both after the change."""
        shown = 2 if is_changed() else 1
        fed, titles, both = _fed(reading), _titles(reading)[:shown], _both(reading)[:shown]
        chart.beside(both, fed, fed, titles=titles, kind="decoder_self", key="lesson.mask")

    def pictures(self, reading: Reading) -> Pictures:
        """The maps; the sheet's is blank."""
        fed, both = _fed(reading), _both(reading)
        before, after = (
            drawings.weight_map(weights, fed, fed, kind="decoder_self", write=write, title=title)
            for weights, title in zip(both, _titles(reading), strict=True)
        )
        blank = drawings.weight_map(both[0], fed, fed, kind="decoder_self", write=write, is_blank=True)
        return Pictures(before, drawings.beside((before, after)), blank)

    def act(self, before: Reading, reading: Reading) -> Act:
        """Both maps."""
        fed, titles = _fed(reading), ("lesson.act_masked", "laboratory.causal_lifted")
        return maps(_both(reading), (fed, fed), fed, kind="decoder_self") | {"titles": titles}

    def on_phones(self, reading: Reading, now: ViewState) -> ViewState:
        """The same head of the decoder."""
        return dataclasses.replace(now, kind="decoder_self", layer=0, head=0, heads=(), pins=())


def _future(reading: Reading) -> FutureEffect:
    """The translation's own words scored with the causal mask and without."""
    ids = {"source_ids": reading.trace.source.ids, "target_ids": reading.trace.target.ids}
    return cache.compute(future_effect, reading.bundle, layer=0, head=0, **ids)


def _both(reading: Reading) -> tuple[Floats, Floats]:
    effect = _future(reading)
    return effect.masked, effect.lifted


def _fed(reading: Reading) -> list[str]:
    return [chip_text(piece) for piece in reading.trace.prefix.pieces]


def _titles(reading: Reading) -> list[str]:
    first = reading.selection.first_index
    return [tr("laboratory.causal_masked", layer=first, head=first), tr("laboratory.causal_lifted")]


SCENE = Mask(
    name="mask", right=0, page="laboratory", minutes=5, terms=("mask",), needs=(translation, own_layers), compares="",
    is_of_the_view=True, measured=forced,
)  # fmt: skip
