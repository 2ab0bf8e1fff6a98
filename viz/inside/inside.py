"""Inside one head: the computation step by step, with the model's own numbers."""

from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from model.config import NOT_ADDED, TransformerConfig
from model.interpret.inspection_steps import PLAIN, HeadInspection, Variation
from model.interpret.residual_stream import LogitLens, logit_lens
from model.interventions import AttentionKind
from model.layer_spec import AttentionSpec, LayerSpec
from viz import cache, theme
from viz.components.inside import inside
from viz.figures.contributions import lens_bars
from viz.i18n import group, number, power_of_ten, tr
from viz.inside.screens import TURNING, screen_of, steps_of
from viz.inside.turning import before_turn
from viz.inside.view import VECTORS, View, head_inspection
from viz.panels import changes, errors
from viz.panels.explorer import choose_first_head, view_of
from viz.panels.formula import formula
from viz.panels.reading import Reading, current_reading
from viz.panels.widgets import head_picker, segmented_picker
from viz.plain_text import chip_text
from viz.state import session
from viz.state.rules import bounded, one_of, yes_no

ALL_STEPS = (*TURNING, "top")
_KEY = "inside.component"


@dataclass(frozen=True, slots=True)
class Choices:
    """The step, layout and variation on screen."""

    step: str = one_of(*ALL_STEPS)
    shown: str = one_of("vector", "matrix")
    vector: str = one_of(*VECTORS)
    query: int = bounded(2, 0, 511)
    without_scaling: bool = yes_no()
    one_matrix: bool = yes_no()
    without_values: bool = yes_no()


PAGE = session.Area(Choices, "inside")


def page() -> None:
    """Read, compute, draw, store."""
    reading = current_reading()
    changes.chips(reading)
    if not reading.is_long and not session.is_chosen("kind", "layer", "head"):
        choose_first_head(view_of(reading), reading)
    choices = PAGE.read()
    queries, keys = _labels(reading)
    query = min(choices.query, len(queries) - 1)
    _controls(reading, queries, query)
    with errors.explained():
        head = _compute(reading, _variation(choices))
        plain = head if _variation(choices) == PLAIN else _compute(reading, PLAIN)
        lens = _lens(reading) if choices.step == "top" else None
    steps = (*steps_of(head), "top")
    if choices.step not in steps:
        choices = replace(choices, step="split")
    _steps(reading, choices, steps)
    if choices.step != "top":
        _show_effects_of_variation(choices, head, plain, query)
    if lens is not None:
        _draw_lens(reading, lens, query)
        return
    key = int(np.argmax(head.weights[query]))
    every_head = _every_head(reading, choices, head) if choices.step == "split" else None
    view = View(
        head, queries, keys, query, key, choices.shown == "matrix", choices.vector, _spec(reading).activation,
        every_head, reading.selection.first_index,
    )  # fmt: skip
    inside(
        screen_of(choices.step, view),
        kind=head.kind,
        words=group("inside"),
        shade=_shade(reading, head, query),
        presenter=reading.selection.presenter,
        following=tr("inside.next", step=tr(f"inside.step_{steps[steps.index(choices.step) + 1]}")),
        key=_KEY,
        on_token=_take_token,
        on_next=partial(_take_next, steps),
    )
    if every_head is not None:
        n_heads, n, width = every_head.shape
        d_model = head.received.shape[1]
        st.markdown(tr("inside.split_shapes", h=n_heads, n=n, k=width, d=d_model, whole=n_heads * width))
    st.caption(tr("inside.hint"))


def _every_head(reading: Reading, choices: Choices, inspection: HeadInspection) -> np.ndarray:
    """The chosen vector of every head of the layer, or of every group of heads that share it, (H, N, K)."""
    heads = range(0, inspection.n_heads, 1 if choices.vector == "query" else inspection.group_size)
    selection, variation = reading.selection, _variation(choices)
    key = ("every head", *reading.key, selection.kind, selection.layer, choices.vector, variation)

    def gather() -> np.ndarray:
        return np.stack([before_turn(_compute(reading, variation, head), choices.vector) for head in heads])

    return cache.get_or_compute(key, gather)


def _labels(reading: Reading) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Labels of queries and keys: a decoder's queries as the reader chose (fed or predicted), its keys as fed."""
    trace, kind = reading.trace, reading.selection.kind
    source = tuple(map(chip_text, trace.source.pieces))
    if kind == "encoder_self":
        return source, source
    fed, predicted = (tuple(map(chip_text, tokens.pieces)) for tokens in (trace.prefix, trace.target))
    queries = predicted if reading.selection.rows == "predicted" else fed
    return queries, source if kind == "cross" else fed


def _controls(reading: Reading, queries: tuple[str, ...], query: int) -> None:
    extent, first, kind = cache.extent(reading.bundle), reading.selection.first_index, reading.selection.kind
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="inside_controls"):
        kinds = {name: tr(f"frame.kind_{name}") for name in extent.kinds}
        segmented_picker(tr("inside.kind"), kinds, **session.bind("kind"))
        head_picker(extent.layers[kind], extent.heads[kind], session.bind)
        st.selectbox(
            tr("inside.token"),
            range(len(queries)),
            format_func=[f"{i + first} · {token}" for i, token in enumerate(queries)].__getitem__,
            label_visibility="collapsed",
            width=190,
            **PAGE.bind("query", value=query),
        )
        layouts = {name: tr(f"inside.shown_{name}") for name in ("vector", "matrix")}
        segmented_picker(tr("inside.shown"), layouts, **PAGE.bind("shown"))
        st.page_link("explore/explore.py", label=tr("inside.to_explore"), icon=":material/grid_view:")
        with st.popover(tr("inside.leave_out"), icon=":material/content_cut:", key="inside.leave_out"):
            st.caption(tr("inside.leave_out_help"))
            for field in fields(Variation):
                st.toggle(tr(f"inside.{field.name}"), **PAGE.bind(field.name))


def _variation(choices: Choices) -> Variation:
    return Variation(**{field.name: getattr(choices, field.name) for field in fields(Variation)})


def _compute(reading: Reading, variation: Variation, head: int | None = None) -> HeadInspection:
    selection = reading.selection
    return head_inspection(
        reading, selection.kind, selection.layer, selection.head if head is None else head, variation
    )


def _lens(reading: Reading) -> LogitLens:
    return cache.compute(
        logit_lens,
        reading.bundle,
        trace=(reading.trace.source.ids, reading.trace.prefix.ids),
        interventions=reading.selection.interventions,
    )


def _steps(reading: Reading, choices: Choices, steps: tuple[str, ...]) -> None:
    """Draw the choice of a step, the formula with the step's part highlighted, and how to read it."""
    colours, config = theme.palette(session.mode()), reading.bundle.config
    kind = reading.selection.kind
    names = {name: f"{i} {tr(f'inside.step_{name}')}" for i, name in enumerate(steps, 1)}
    segmented_picker(tr("inside.step"), names, width="stretch", **PAGE.bind("step", value=choices.step))
    without = tuple(field.name for field in fields(Variation) if getattr(choices, field.name))
    st.latex(
        formula(
            choices.step,
            lit=colours.kinds[kind],
            quiet=colours.ink_soft,
            config=config,
            kind=kind,
            layer=reading.selection.layer,
            without=without,
        )
    )
    attention = _attention(_spec(reading), kind)
    hint = _hint_name(choices.step, kind, config, _spec(reading))
    capped = {} if attention.cap is None else {"cap": number(attention.cap, "g")}
    is_value = choices.step == "turn" and choices.vector == "value"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(tr(f"inside.read_{hint}", **capped), width="content")
        with st.popover(tr("inside.why"), type="tertiary", key="inside.why"):
            st.markdown(tr(f"inside.why_{choices.step}"))
        if choices.step in ("project", "split", "turn"):
            vectors = {name: tr(f"inside.{name}") for name in (VECTORS[:2] if choices.step == "turn" else VECTORS)}
            vector = "query" if is_value else choices.vector
            segmented_picker(tr("inside.vector"), vectors, **PAGE.bind("vector", value=vector))


def _spec(reading: Reading) -> LayerSpec:
    """The specification of the layer on screen."""
    selection = reading.selection
    return reading.bundle.config.layers(encoder=selection.kind == "encoder_self")[selection.layer]


def _attention(spec: LayerSpec, kind: AttentionKind) -> AttentionSpec:
    return spec.cross if spec.cross is not None and kind == "cross" else spec.attention


def _hint_name(step: str, kind: AttentionKind, config: TransformerConfig, spec: LayerSpec) -> str:
    """Name of the message on how to read a step of this model."""
    attention = _attention(spec, kind)
    if step == "top" and kind == "encoder_self":
        return "top_encoder"
    if step == "scale" and attention.scale == 1:
        return "scale_relative" if config.positions == "relative" and kind != "cross" else "scale_none"
    if step == "scale" and attention.cap is not None:
        return "scale_capped"
    if step == "entrance" and config.positions in NOT_ADDED:
        return "entrance_plain"
    if step == "feed" and spec.gated_feed_forward:
        return "feed_gated"
    return step


def _show_effects_of_variation(choices: Choices, head: HeadInspection, plain: HeadInspection, query: int) -> None:
    """Draw the effects of what the reader left out, in numbers."""
    if choices.without_scaling:
        before, after = plain.weights[query].max(), head.weights[query].max()
        st.info(tr("inside.said_without_scaling", factor=plain.divisor, before=before, after=after))
    if choices.one_matrix and head.kind == "cross":
        st.info(tr("inside.said_one_matrix_cross"))
    elif choices.one_matrix:
        difference = float(np.abs(head.scores - head.scores.T).max())
        st.info(tr("inside.said_one_matrix_self", difference=power_of_ten(difference)))
    if choices.without_values:
        st.info(tr("inside.said_without_values"))


def _draw_lens(reading: Reading, lens: LogitLens, query: int) -> None:
    step = 0 if reading.selection.kind == "encoder_self" else query
    first = reading.selection.first_index
    titles = [
        f"{tr('inside.lens_layer', layer=layer + first)} · {tr('inside.lens_entropy', bits=entropy)}"
        for layer, entropy in enumerate(lens.entropy[:, step])
    ]
    chart = lens_bars(
        lens.log_probs[:, step],
        [layer[step] for layer in lens.pieces],
        titles=titles,
        value_title=tr("inside.lens_probability"),
        mode=session.mode(),
    )
    st.container(key="wide_lens").altair_chart(chart, theme=None, key="inside.lens")
    logit, log_prob = float(lens.logits[-1, step, 0]), float(lens.log_probs[-1, step, 0])
    token = chip_text(lens.pieces[-1][step][0])
    st.text(
        tr("inside.lens_arithmetic", logit=logit, total=logit - log_prob, probability=np.exp(log_prob), token=token)
    )


def _shade(reading: Reading, head: HeadInspection, query: int) -> dict:
    """For the sentence above: the weights of the chosen query."""
    weights = [round(float(weight), 4) for weight in head.weights[query]]
    is_encoder = head.kind == "encoder_self"
    focus = {"side": "source" if is_encoder else "target", "indexes": [query]}
    shade: dict[str, Any] = {"kind": head.kind, "focus": focus}
    if head.kind == "decoder_self":
        # Key j is the token fed at step j, which is one place earlier in the translation.
        shade["target"] = weights[1:]
    else:
        shade["source"] = weights
    return shade


def _take_next(steps: tuple[str, ...]) -> None:
    step = PAGE.read().step
    place = steps.index(step) + 1 if step in steps else 0
    PAGE.change(step=steps[min(place, len(steps) - 1)])


def _take_token() -> None:
    side, _, index = str(session.component_value(_KEY, "token")).partition(".")
    asks = "source" if session.read().kind == "encoder_self" else "target"
    if side == asks and index.isdecimal():
        PAGE.change(query=min(int(index), 511))


page()
