"""Attention as kernel regression."""

import numpy as np
import streamlit as st

from model.teaching.kernel_regression import draw_sample, fit_width, true_curve
from viz.components.kernel import Drawing, kernel
from viz.i18n import group, number, tr
from viz.laboratory import bench
from viz.panels.reading import Reading


def draw(reading: Reading) -> None:
    """Draw the part; it needs no sentence, so ``reading`` is not used."""
    chosen = bench.choices()
    bench.heading("kernel")
    sample = draw_sample(chosen.n_points, seed=chosen.seed)
    x = np.linspace(0, 5, 101)
    truth = tuple(zip(x.tolist(), true_curve(x).tolist(), strict=True))
    fit = fit_width(sample, start=chosen.start_width)
    kernel(Drawing(sample, truth, fit, chosen.start_width), words=group("laboratory"), key="laboratory.kernel")
    with st.container(horizontal=True, gap="large"):
        st.slider(tr("laboratory.n_points"), 5, 200, width=260, **bench.bind("n_points"))
        bench.decimal_slider("start_width", 0.05, 5.0, 0.05, width=260)
    st.caption(
        tr("laboratory.kernel_fit", start=number(fit.widths[0], ".2f"), end=number(fit.widths[-1], ".3f"),
           before=number(fit.losses[0], ".3f"), after=number(fit.losses[-1], ".3f"))
    )  # fmt: skip
