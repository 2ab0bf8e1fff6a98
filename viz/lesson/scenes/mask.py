"""Why the decoder may not attend to later tokens: a tiny model trained without the causal mask."""

import dataclasses

import streamlit as st

from model.teaching.copying import copying
from model.trace import Floats
from viz.figures import drawings
from viz.i18n import number, tr
from viz.lesson.choices import is_changed
from viz.lesson.scene import Scene, translation
from viz.lesson.views import Act, Pictures, maps, write
from viz.panels import chart
from viz.panels.reading import Reading
from viz.plain_text import chip_text, markdown_table
from viz.state.view_state import ViewState

_TITLES = ("lesson.mask_with", "lesson.mask_without")


def measured_effect(reading: Reading) -> str:
    """Results of the two tiny models."""
    tried = copying()
    return tr(
        "lesson.mask_measured", n=tried.n_sentences, copied=number(tried.unmasked.exchanged, ".0%"),
        masked=tried.masked.n_written, unmasked=tried.unmasked.n_written,
    )  # fmt: skip


class Mask(Scene):
    """The decoder's self-attention with the mask, and a tiny model trained without it."""

    def named(self, reading: Reading) -> dict[str, object]:
        """How large the tiny models are."""
        return {"n": copying().n_parameters}

    def draw(self, reading: Reading) -> None:
        """Draw the sentence's map; after the change those of the tiny models, and their results."""
        if not is_changed():
            fed = _decoder_inputs(reading)
            chart.beside([_weights(reading)], fed, fed, titles=[""], kind="decoder_self", key="lesson.mask")
            return
        tried = copying()
        titles = [tr(title) for title in _TITLES]
        chart.beside(_both(), tried.fed, tried.fed, titles=titles, kind="decoder_self", key="lesson.mask")
        names, *lines = _lines()
        st.markdown(markdown_table(names, lines, n_texts=1))

    def pictures(self, reading: Reading) -> Pictures:
        """The maps; the sheet's is blank."""
        fed, tried = _decoder_inputs(reading), copying()
        before, blank = (
            drawings.weight_map(_weights(reading), fed, fed, kind="decoder_self", write=write, is_blank=is_blank)
            for is_blank in (False, True)
        )
        both = [
            drawings.weight_map(weights, tried.fed, tried.fed, kind="decoder_self", write=write, title=tr(title))
            for weights, title in zip(_both(), _TITLES, strict=True)
        ]
        return Pictures(before, drawings.beside(both), sheet=blank)

    def act(self, before: Reading, reading: Reading) -> Act:
        """The maps of both."""
        fed = list(copying().fed)
        return maps(_both(), (fed, fed), fed, kind="decoder_self") | {"titles": _TITLES}

    def on_phones(self, reading: Reading, now: ViewState) -> ViewState:
        """The same head of the decoder."""
        return dataclasses.replace(now, kind="decoder_self", layer=0, head=0, heads=(), pins=())


def _weights(reading: Reading) -> Floats:
    weights = reading.trace.attention.decoder_self
    assert weights is not None
    return weights[0, 0]


def _both() -> tuple[Floats, Floats]:
    tried = copying()
    return tried.masked.weights, tried.unmasked.weights


def _decoder_inputs(reading: Reading) -> list[str]:
    return [chip_text(piece) for piece in reading.trace.prefix.pieces]


def _lines() -> list[tuple[str, str, str]]:
    """Results of each: next-token accuracy with teacher forcing, the same with another source, and in free decoding."""
    tried = copying()
    cells = [
        (number(result.forced, ".0%"), number(result.exchanged, ".0%"), f"{result.n_written} / {tried.n_sentences}")
        for result in (tried.masked, tried.unmasked)
    ]
    names = (tr(f"lesson.mask_{name}") for name in ("forced", "exchanged", "written"))
    return [("", tr(_TITLES[0]), tr(_TITLES[1])), *zip(names, *cells, strict=True)]


SCENE = Mask(
    name="mask", right=2, page="laboratory", minutes=5, short_minutes=4, terms=("mask",), needs=(translation,),
    compares="", is_of_the_view=True, measured=measured_effect,
)  # fmt: skip
