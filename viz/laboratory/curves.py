"""Reading a loss curve: four real trainings."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from model.teaching.loss_curves import LossCurve, loss_curves
from viz.figures import laboratory as figures
from viz.i18n import number, tr
from viz.laboratory import bench
from viz.panels.pickers import one_in_a_row
from viz.panels.reading import Reading
from viz.state import session

CLIP = 1.0
"""Default limit of the gradient norm in training."""


def draw(reading: Reading) -> None:
    """Draw the screen; it needs no sentence, so ``reading`` is not used."""
    curves = loss_curves()
    name = bench.choices().curve
    names = {each: tr(f"laboratory.curve_{each}") for each in curves}
    one_in_a_row(tr("laboratory.curve"), names, **bench.bind("curve"))
    curve = curves[name]
    left, right = st.columns((3, 2))
    with left:
        bench.show(_figure(curve), "curves")
    with right:
        st.markdown(tr(f"laboratory.curve_said_{name}", **_numbers(curve)))
        clipped = np.mean(np.array(curve.gradient_norms) > CLIP)
        st.caption(
            tr(
                "laboratory.curve_clipped",
                share=number(float(clipped), ".0%"),
                largest=number(max(curve.gradient_norms), ",.1f"),
                clip=CLIP,
            )
        )


def _figure(curve: LossCurve) -> go.Figure:
    series = (
        (tr("laboratory.curve_training"), np.array(curve.steps, float), np.array(curve.training)),
        (tr("laboratory.curve_validation"), np.array(curve.validation_steps, float), np.array(curve.validation)),
    )
    names = (tr("laboratory.step"), tr("laboratory.curve_loss"))
    return figures.lines(series, names=names, mode=session.mode(), height=360)


def _numbers(curve: LossCurve) -> dict[str, object]:
    best = int(np.argmin(curve.validation))
    return {
        "training": number(curve.training[-1], ".2f"),
        "validation": number(curve.validation[-1], ".2f"),
        "best": number(curve.validation[best], ".2f"),
        "best_step": curve.validation_steps[best],
        "first": number(curve.training[0], ".1f"),
        "reference": number(loss_curves()["fits"].validation[-1], ".2f"),
    }
