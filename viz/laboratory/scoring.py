"""Scoring functions side by side, why scores are scaled, soft and hard attention, keys that are values, a convolution
(fixed weights in a window beside weights that depend on the sentence), and attention as kernel regression."""

import math

import numpy as np
import streamlit as st

from model.interpret.inspection_steps import HeadInspection
from model.teaching.alternatives import layers_to_reach, window_weights
from model.teaching.scoring import (
    draw_sample,
    entropy,
    fit_width,
    hard,
    sample_key,
    score_spread,
    softmax,
    softmax_slope,
    true_curve,
    untrained_scorings,
)
from viz.components.kernel import Drawing, kernel
from viz.figures import laboratory as figures
from viz.i18n import group, number, power_of_ten, tr
from viz.inside.view import head_inspection
from viz.laboratory import bench
from viz.panels import chart
from viz.panels.reading import Reading
from viz.panels.widgets import head_picker
from viz.plain_text import chip_text, escape_markdown
from viz.state import session
from viz.state.view_state import nearest_head

NAMES = ("additive", "dot", "scaled", "bilinear")
_FORMULAS = {
    "additive": r"v^{\top}\tanh(U q + W k)",
    "dot": r"q^{\top} k",
    "scaled": r"q^{\top} k \,/\, \sqrt{d}",
    "bilinear": r"q^{\top} W k",
}
_WIDTHS = (2, 4, 8, 16, 32, 64, 128, 256, 512)


def draw(reading: Reading) -> None:
    """Draw the part."""
    screens = {"compare": _compare, "width": _width, "hard": _hard, "keyvalue": _key_value, "window": _window}
    bench.draw_screen("scoring", screens, reading)


def _chosen_head(reading: Reading) -> HeadInspection:
    """Draw the choice of a cross-attention head, which begins with Explore's, and return its computation."""
    counts = (reading.bundle.config.n_decoder_layers, reading.bundle.config.n_decoder_heads)
    layer, head = nearest_head(reading.selection, counts)
    chosen = {"layer": layer, "head": head}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(tr("laboratory.head_in_use"), width="content")
        with st.container(horizontal=True, gap="small", width="content"):  # the two stay together on a phone
            head_picker(*counts, lambda name: session.bind(name, value=chosen[name]))
    return head_inspection(reading, "cross", layer, head)


def _tokens(reading: Reading) -> tuple[list[str], list[str]]:
    return list(map(chip_text, reading.trace.target.pieces)), list(map(chip_text, reading.trace.source.pieces))


def _compare(reading: Reading) -> None:
    inspection, (queries, keys) = _chosen_head(reading), _tokens(reading)
    width = inspection.query.shape[1]
    scorings = untrained_scorings(width, width, d_hidden=width, seed=bench.choices().seed)
    weights = [softmax(scorings[name].scores(inspection.query, inspection.key)) for name in NAMES]
    titles = [tr(f"laboratory.score_{name}") for name in NAMES]
    columns = chart.beside(weights, queries, keys, titles=titles, key="laboratory.compare")
    for column, name, map_weights in zip(columns, NAMES, weights, strict=True):
        scoring = scorings[name]
        cost = scoring.multiplications(len(queries), len(keys), width, width)
        with column:
            st.latex(_FORMULAS[name])
            st.caption(
                tr("laboratory.score_facts", parameters=number(scoring.n_parameters),
                   bits=number(float(entropy(map_weights).mean()), ".2f"), most=number(math.log2(len(keys)), ".2f"),
                   cost=number(cost))
            )  # fmt: skip
    st.button(tr("laboratory.other_seed"), key="laboratory.seed", icon=":material/casino:", on_click=bench.next_seed)


def _width(reading: Reading) -> None:
    spreads = score_spread(_WIDTHS)
    names = ("width_variance", "width_largest", "width_slope", "width_dot", "width_scaled")
    labels = tuple(tr(f"laboratory.{name}") for name in names)
    bench.show(figures.spread_curves(spreads, names=labels, mode=session.mode()), "spread")  # type: ignore[arg-type]
    at = next(spread for spread in spreads if spread.d == 64)
    st.markdown(
        tr("laboratory.width_said", variance=number(at.variance, ".1f"), without=number(at.largest_weight[0], ".2f"),
           with_scale=number(at.largest_weight[1], ".2f"), slope=number(at.slope[0], ".3f"),
           scaled_slope=number(at.slope[1], ".3f"))
    )  # fmt: skip


def _hard(reading: Reading) -> None:
    inspection, (queries, keys) = _chosen_head(reading), _tokens(reading)
    query = bench.choose_token(tr("laboratory.query"), queries)
    soft = np.asarray(inspection.weights[query], np.float64)
    seed = bench.choices().seed
    groups = ((tr("laboratory.hard_soft"), soft), (tr("laboratory.hard_argmax"), hard(soft)),
              (tr("laboratory.hard_sampled"), sample_key(soft[None], seed=seed)[0]))  # fmt: skip
    figure = figures.bars(groups, keys, axis_name=tr("laboratory.weight"), mode=session.mode())
    bench.show(figure, "hard")
    st.button(tr("laboratory.draw_again"), key="laboratory.draw", icon=":material/casino:", on_click=bench.next_seed)
    nudged = inspection.masked[query].astype(np.float64).copy()
    nudged[int(soft.argmin())] += 0.01
    soft_change = np.abs(softmax(nudged) - softmax(inspection.masked[query].astype(np.float64))).sum()
    hard_change = np.abs(hard(softmax(nudged)) - hard(soft)).sum()
    st.markdown(
        tr("laboratory.hard_said", soft=power_of_ten(float(soft_change)), hard=number(hard_change, ".0f"),
           slope=number(float(softmax_slope(soft)), ".3f"))
    )  # fmt: skip


def _key_value(reading: Reading) -> None:
    inspection, (queries, keys) = _chosen_head(reading), _tokens(reading)
    query = bench.choose_token(tr("laboratory.query"), queries)
    weights = inspection.weights[query]
    labels = [str(i) for i in range(inspection.query.shape[1])]
    groups = [(tr("laboratory.key_as_value"), weights @ inspection.key)]
    if inspection.value.shape[1] == inspection.key.shape[1]:
        groups.insert(0, (tr("laboratory.own_value"), weights @ inspection.value))
    bench.show(
        figures.bars(groups, labels, axis_name=tr("laboratory.mixed"), mode=session.mode(), height=330), "keyvalue"
    )
    if len(groups) == 2:
        a, b = (values for _, values in groups)
        cosine = float(a @ b / max(1e-12, float(np.linalg.norm(a) * np.linalg.norm(b))))
        st.markdown(
            tr(
                "laboratory.keyvalue_said",
                token=escape_markdown(keys[int(weights.argmax())]),
                cosine=number(cosine, "+.2f"),
            )
        )


def _window(reading: Reading) -> None:
    """Draw a convolution's weights beside those of the chosen encoder self-attention head, on one scale."""
    weights = reading.trace.attention.encoder_self
    if weights is None:
        st.info(tr("laboratory.window_no_encoder"))
        return
    layer, head = nearest_head(reading.selection, weights.shape)
    first, width = reading.selection.first_index, bench.choices().window | 1
    st.slider(tr("laboratory.window_width"), 3, 9, step=2, width=320, **bench.bind("window", value=width))
    tokens = [chip_text(piece) for piece in reading.trace.source.pieces]
    titles = [tr("laboratory.window_fixed", width=width),
              tr("laboratory.window_head", layer=layer + first, head=head + first)]  # fmt: skip
    maps = (window_weights(len(tokens), width), weights[layer, head])
    chart.beside(maps, tokens, tokens, titles=titles, kind="encoder_self", key="laboratory.window")
    n = len(tokens)
    st.markdown(tr("laboratory.window_said", n=n, width=width, layers=layers_to_reach(n, width)))  # fmt: skip


def draw_kernel(reading: Reading) -> None:
    """Draw the part on attention as kernel regression; it needs no sentence, so ``reading`` is not used."""
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
