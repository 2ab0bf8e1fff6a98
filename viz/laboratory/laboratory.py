"""The laboratory: eight benches on which a piece of attention is changed to see what it does."""

from __future__ import annotations

import streamlit as st

from viz.i18n import tr
from viz.laboratory import bench, data, kernel, masks, metrics, optimisation, recurrent, scoring, toy
from viz.panels import changes, errors
from viz.panels.reading import reading
from viz.state import session

DRAW = {
    "scoring": scoring.draw, "kernel": kernel.draw, "masks": masks.draw, "recurrent": recurrent.draw,
    "optimisation": optimisation.draw, "metrics": metrics.draw, "data": data.draw, "toy": toy.draw,
}  # fmt: skip

here = reading()
changes.chips(here)
part = session.choices_of(bench.Choices, bench.AREA).part
st.segmented_control(
    tr("laboratory.part"),
    bench.PARTS,
    format_func={name: tr(f"laboratory.part_{name}") for name in bench.PARTS}.__getitem__,
    required=True,
    label_visibility="collapsed",
    width="stretch",
    **bench.bind("part"),
)
with errors.explained():
    DRAW[part](here)
