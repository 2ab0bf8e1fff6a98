"""The first step at which greedy decoding and beam search diverge."""

import dataclasses
from dataclasses import dataclass

import numpy as np
import streamlit as st

from model.trace import Floats, Trace
from viz.figures import drawings
from viz.figures import laboratory as figures
from viz.figures.tokens import as_candidates
from viz.i18n import tr
from viz.lesson.scene import Scene
from viz.lesson.views import Pictures, show, translations, write
from viz.panels.reading import Reading, read_under
from viz.plain_text import chip_text
from viz.state import session

BEAM_SIZE = 4
"""Hypotheses in the beam."""
FACTORS = 6
"""Maximum number of probabilities that a class multiplies by hand."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first step at which greedy decoding and beam search diverge, or the least certain one where they do not."""

    greedy: Reading
    beam: Reading
    is_same: bool
    step: int
    begun: str
    """What is written before the step."""
    names: list[str]
    """The most probable tokens, with their probabilities."""
    probabilities: Floats


def first_divergence(trace: Trace, other: Trace) -> int | None:
    """The first step at which two translations of a sentence differ; None where they are equal."""
    ids = zip(trace.target.ids, other.target.ids, strict=False)
    shorter = min(len(trace.target), len(other.target))
    same = len(trace.target) == len(other.target)
    return next((step for step, (a, b) in enumerate(ids) if a != b), None if same else shorter - 1)


class Beam(Scene):
    """The most probable tokens at the step at which the two diverge."""

    def change(self, reading: Reading) -> None:
        """Beam search."""
        session.change(method="beam", beam_size=BEAM_SIZE)

    def draw(self, reading: Reading) -> None:
        """What is written before the step, and a bar for each token."""
        parting = _divergence(reading)
        if parting is None:
            return
        if parting.is_same:
            st.caption(tr("lesson.beam_same"))
        st.text(f"{parting.begun} …")
        groups, name = (("p", parting.probabilities),), tr("laboratory.probability")
        show(figures.bars(groups, parting.names, axis_name=name, mode=session.mode()), "beam")

    def outcome(self, reading: Reading) -> str:
        """The probabilities of both translations; the picture has their words."""
        parting = _divergence(reading)
        return "" if parting is None else self.sureness(parting.greedy, parting.beam)

    def finding(self, reading: Reading) -> str:
        """Both translations, for the outline, which has no picture; empty where they are the same."""
        parting = _divergence(reading)
        if parting is None or parting.is_same:
            return ""
        return f"{parting.greedy.trace.text} → {parting.beam.trace.text}"

    def pictures(self, reading: Reading) -> Pictures:
        """The bars, and both translations."""
        parting = _divergence(reading)
        if parting is None:
            return Pictures()
        groups, title = ((tr("laboratory.probability"), parting.probabilities),), f"{parting.begun} …"
        both = translations(parting.greedy, parting.beam)
        return Pictures(drawings.bars(groups, parting.names, write=write, title=title), both, sheet=_products(parting))


def _products(parting: Divergence) -> drawings.Drawing:
    """The tokens of both translations from that step on, with their probabilities for the class to multiply."""
    lines = []
    for name, reading in zip("AB", (parting.greedy, parting.beam), strict=True):
        pieces = [chip_text(piece) for piece in reading.trace.target.pieces[parting.step :]]
        factors = np.exp(reading.trace.log_probs[parting.step :]).tolist()
        if len(factors) > FACTORS:
            pieces = [*pieces[: FACTORS - 1], "…"]
            factors = [*factors[: FACTORS - 1], float(np.prod(factors[FACTORS - 1 :]))]
        empty = [""] * (FACTORS - len(factors))
        lines += [(name, *pieces, *empty, tr("lesson.beam_product")), ("p", *map(write, factors), *empty, "")]
    return drawings.table((), lines)


def _divergence(reading: Reading) -> Divergence | None:
    """The divergence; None where the trace has no candidates."""
    greedy, beam = (
        read_under(reading.bundle, dataclasses.replace(reading.selection, method=method, beam_size=BEAM_SIZE))
        or reading
        for method in ("greedy", "beam")
    )
    candidates = greedy.trace.candidates
    if candidates is None:
        return None
    step = first_divergence(greedy.trace, beam.trace)
    place = int(candidates.log_probs[:, 0].argmin()) if step is None else step
    fed, tokenizer = greedy.trace.prefix, reading.bundle.target_tokenizer
    pieces = " ".join(chip_text(piece) for piece in fed.pieces[1 : place + 1])
    begun = tokenizer.decode(fed.ids[1 : place + 1]) if tokenizer else pieces
    names = as_candidates(candidates.pieces[place])[:6]
    return Divergence(greedy, beam, step is None, place, begun, names, np.exp(candidates.log_probs[place, :6]))


SCENE = Beam(
    name="beam", right=1, page="decode", minutes=5, terms=("logit", "greedy"), compares="whole",
    phone_text="seen", lines=3, legacy_restored_fields=("method",),
)  # fmt: skip
