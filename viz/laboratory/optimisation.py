"""Training: loss curves, learning-rate schedules, label smoothing, initialisation, dropout and norms."""

import numpy as np
import streamlit as st

from model.interpret.inspection import encoder_decoder_of
from model.nn.layers import EncoderLayer
from model.teaching.loss_curves import LossCurve, loss_curves
from model.teaching.optimisation import depth_spread, drop_weights, gradient_norms, smoothed_target, xavier_bound
from model.training.settings import TrainingConfig, learning_rate
from viz import cache
from viz.figures import laboratory as figures
from viz.figures.tokens import as_candidates
from viz.i18n import number, power_of_ten, tr
from viz.laboratory import bench
from viz.panels.formula import in_latex
from viz.panels.reading import Reading
from viz.panels.widgets import segmented_picker
from viz.plain_text import chip_text
from viz.state import session
from viz.state.view_state import nearest_head
from viz.theme import palette

CLIP = 1.0
"""Default limit of the gradient norm in training."""


def draw(reading: Reading) -> None:
    """Draw the part."""
    screens = {"curves": _curves, "schedule": _schedule, "smoothing": _smoothing, "first": _first, "dropout": _dropout,
               "norms": _norms}  # fmt: skip
    bench.draw_screen("optimisation", screens, reading)


def _curves(reading: Reading) -> None:
    """Draw the loss curves of four real trainings; they need no sentence."""
    curves = loss_curves()
    name = bench.choices().curve
    names = {curve: tr(f"laboratory.curve_{curve}") for curve in curves}
    segmented_picker(tr("laboratory.curve"), names, **bench.bind("curve"))
    curve = curves[name]
    left, right = st.columns((3, 2))
    series = (
        (tr("laboratory.curve_training"), np.array(curve.steps, float), np.array(curve.training)),
        (tr("laboratory.curve_validation"), np.array(curve.validation_steps, float), np.array(curve.validation)),
    )
    axes = (tr("laboratory.step"), tr("laboratory.curve_loss"))
    with left:
        bench.show(figures.lines(series, names=axes, mode=session.mode(), height=360), "curves")
    with right:
        st.markdown(tr(f"laboratory.curve_said_{name}", **_losses(curve)))
        clipped = np.mean(np.array(curve.gradient_norms) > CLIP)
        st.caption(
            tr(
                "laboratory.curve_clipped",
                share=number(float(clipped), ".0%"),
                largest=number(max(curve.gradient_norms), ",.1f"),
                clip=CLIP,
            )
        )


def _losses(curve: LossCurve) -> dict[str, object]:
    best = int(np.argmin(curve.validation))
    return {
        "training": number(curve.training[-1], ".2f"),
        "validation": number(curve.validation[-1], ".2f"),
        "best": number(curve.validation[best], ".2f"),
        "best_step": curve.validation_steps[best],
        "first": number(curve.training[0], ".1f"),
        "reference": number(loss_curves()["fits"].validation[-1], ".2f"),
    }


def _schedule(reading: Reading) -> None:
    chosen = bench.choices()
    with st.container(horizontal=True, gap="large"):
        st.slider(tr("laboratory.warmup"), 1, 20_000, step=1, width=320, **bench.bind("warmup"))
        st.slider(tr("laboratory.d_model"), 16, 4096, step=16, width=320, **bench.bind("d_model"))
    steps, total = np.unique(np.geomspace(1, 100_000, 400).astype(int)), 100_000
    series = []
    for name in ("noam", "trapezoid", "cosine"):
        config = TrainingConfig(schedule=name, warmup_steps=chosen.warmup, steps=total)  # type: ignore[arg-type]
        rates = np.array([learning_rate(int(step), config, chosen.d_model) for step in steps])
        series.append((tr(f"laboratory.schedule_{name}"), steps, rates))
    names = (tr("laboratory.step"), tr("laboratory.learning_rate"))
    bench.show(figures.lines(series, names=names, mode=session.mode()), "schedule")
    peak = chosen.d_model**-0.5 * chosen.warmup**-0.5
    st.latex(
        r"\eta = d_{\text{model}}^{-1/2}\cdot\min\left(\text{step}^{-1/2},\ \text{step}\cdot\text{warmup}^{-3/2}\right)"
    )
    st.caption(tr("laboratory.schedule_said", warmup=chosen.warmup, peak=number(peak, ".2e")))


def _smoothing(reading: Reading) -> None:
    chosen = bench.choices()
    candidates, vocabulary = reading.trace.candidates, reading.bundle.config.target_vocab_size
    query = min(chosen.query, len(reading.trace.target) - 1)
    bench.decimal_slider("smoothing", 0.0, 0.9, 0.05)
    if candidates is None:
        return
    ids, pieces = candidates.ids[query], as_candidates(candidates.pieces[query])
    target = smoothed_target(vocabulary, int(reading.trace.target.ids[query]), chosen.smoothing)
    groups = (
        (tr("laboratory.smoothing_target"), target[ids]),
        (tr("laboratory.smoothing_model"), np.exp(candidates.log_probs[query])),
    )
    bench.show(figures.bars(groups, pieces, axis_name=tr("laboratory.probability"), mode=session.mode()), "smoothing")
    share_of_others, share_of_target = power_of_ten(chosen.smoothing / vocabulary), number(float(target.max()), ".3f")
    st.markdown(tr("laboratory.smoothing_said", each=share_of_others, own=share_of_target, n=number(vocabulary)))


def _first(reading: Reading) -> None:
    layer = encoder_decoder_of(reading.bundle).encoder.layers[0]
    assert isinstance(layer, EncoderLayer)
    weight = layer.feed_forward.fc1.weight
    n_out, n_in = weight.shape
    bound = xavier_bound(n_in, n_out)
    left, right = st.columns(2)
    with left:
        names = tuple(tr(f"laboratory.first_{name}") for name in ("xavier", "small", "large", "layer", "size"))
        spread = depth_spread(width=n_in, depth=12, seed=0)
        bench.show(figures.depth(spread, names=names, mode=session.mode()), "depth")  # type: ignore[arg-type]
    with right:
        values = weight.detach().numpy().ravel()
        sample = values[:: max(1, len(values) // 20_000)]
        names = (tr("laboratory.first_weight"), tr("laboratory.first_count"))
        bench.show(figures.histogram(sample, bound, names=names, mode=session.mode()), "histogram")
    st.latex(rf"|w| \le \sqrt{{\frac{{6}}{{{n_in}+{n_out}}}}} = {in_latex(bound, '.4f')}")
    st.caption(tr("laboratory.first_said", inside=number(float((np.abs(values) <= bound).mean()), ".0%")))


def _dropout(reading: Reading) -> None:
    chosen, attention = bench.choices(), reading.trace.attention.cross
    if attention is None:
        return
    bench.decimal_slider("drop", 0.0, 0.9, 0.05)
    query = min(chosen.query, len(reading.trace.target) - 1)
    weights = attention[nearest_head(reading.selection, attention.shape)][query]
    after = drop_weights(weights, chosen.drop, seed=chosen.seed)
    keys = [chip_text(piece) for piece in reading.trace.source.pieces]
    groups = ((tr("laboratory.dropout_before"), weights), (tr("laboratory.dropout_after"), after))
    hue = palette(session.mode()).kinds["cross"]
    bench.show(figures.bars(groups, keys, axis_name=tr("laboratory.weight"), mode=session.mode(), hue=hue), "dropout")
    st.markdown(tr("laboratory.dropout_said", total=number(float(after.sum()), ".2f")))
    st.button(
        tr("laboratory.draw_again"), key="laboratory.drop_again", icon=":material/casino:", on_click=bench.next_seed
    )


def _norms(reading: Reading) -> None:
    gradients = cache.compute(gradient_norms, reading.bundle, seed=0)
    names = (tr("laboratory.post_norm"), tr("laboratory.pre_norm"), tr("laboratory.gradient_norm"))
    bench.show(figures.gradients(gradients, names=names, mode=session.mode()), "norms")
    n_decoder = sum(name.startswith("decoder") for name in gradients.names)
    ratios = [float(norms[-1] / norms[-n_decoder]) for norms in (gradients.post_norm, gradients.pre_norm)]
    st.markdown(tr("laboratory.norms_said", post=number(ratios[0], ".2f"), pre=number(ratios[1], ".2f")))
