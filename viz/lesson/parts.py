"""The scenes on one whole layer and on the loss: a vector step by step, and a step of training token by token."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from model.teaching.one_layer import ATTENDED, ENDS, FED, NORMALISED, OneLayer, one_layer
from model.teaching.one_step import OneStep, one_step
from model.teaching.sentences import reference_of
from viz import cache
from viz.i18n import number, power_of_ten, tr
from viz.panels.reading import Reading
from viz.panels.stage.sentence import chip_text
from viz.plain_text import escape_markdown

N_NUMBERS = 4
"""Of a vector, how many are shown: a class can add them up."""


def layer(reading: Reading) -> OneLayer:
    """The followed token and its layer."""
    return cache.compute(one_layer, reading.bundle, text=reading.fitted.text)


def step_names(layer_steps: OneLayer) -> list[str]:
    """The steps of a layer, in words."""
    again = {} if layer_steps.norm_first else {name: f"{name}_post" for name in (NORMALISED, ENDS)}
    return [tr(f"lesson.step_{again.get(name, name)}") for name, _ in layer_steps.steps]


def first_numbers(layer_steps: OneLayer) -> list[list[str]]:
    """The first numbers of the vector at each step; what is added has its sign."""
    return [
        [number(float(value), "+.2f" if name in (ATTENDED, FED) else ".2f") for value in vector[:N_NUMBERS]]
        for name, vector in layer_steps.steps
    ]


def draw_layer(reading: Reading) -> None:
    """The vector of one token on its way through the layer."""
    layer_steps, first = layer(reading), reading.selection.first_index
    token = escape_markdown(chip_text(reading.trace.source.pieces[layer_steps.token]).lstrip("▁"))
    width = len(layer_steps.steps[0][1])
    st.caption(tr("lesson.layer_followed", token=token, layer=layer_steps.layer + first, n=N_NUMBERS, width=width))
    head = "".join(f" {i + 1} |" for i in range(N_NUMBERS))
    lines = [f"| |{head} … |", f"| --- |{' ---: |' * N_NUMBERS} --- |"]
    lines += [
        f"| {name} | {' | '.join(numbers)} | … |"
        for name, numbers in zip(step_names(layer_steps), first_numbers(layer_steps), strict=True)
    ]
    st.markdown("\n".join(lines))


def chance(log_prob: float) -> str:
    """The probability that a natural logarithm stands for, in per cent; a very small one as a power of ten."""
    p = math.exp(log_prob)
    return power_of_ten(p) if p < 5e-5 else number(p, ".0%" if p >= 0.1 else ".1%" if p >= 0.01 else ".2%")


def step(reading: Reading) -> OneStep:
    """One step of training on this sentence and its right translation."""
    text = reading.fitted.text
    reference = reference_of(reading.bundle, text) or reading.trace.text
    return cache.compute(one_step, reading.bundle, source=text, reference=reference)


def pairs(update: OneStep) -> list[tuple[str, str]]:
    """The token that each row is given, and the right next one."""
    fed, right = ([chip_text(piece) for piece in tokens.pieces] for tokens in (update.fed, update.reference))
    return list(zip(fed, right, strict=True))


def loss_said(reading: Reading) -> str:
    """The mean loss before and after the step."""
    before, after = (number(loss, ".2f") for loss in step(reading).losses)
    return tr("lesson.loss_said", before=before, after=after)


def loss_found(reading: Reading) -> str:
    """Which right token gains most, for the teacher."""
    update = step(reading)
    place = int((update.after - update.before).argmax())
    right, own = (chip_text(tokens.pieces[place]).strip("▁") for tokens in (update.reference, update.preferred))
    before, after = float(update.before[place]), float(update.after[place])
    return tr("lesson.loss_found", right=right, own=own, before=before, after=after)


def draw_loss(reading: Reading, *, is_changed: bool) -> None:
    """What each row is given, the right next token, and how surprising it is."""
    update = step(reading)
    if not reference_of(reading.bundle, reading.fitted.text):
        st.caption(tr("lesson.loss_own"))
    columns = [*tr("lesson.loss_head").split("|"), *(tr("lesson.loss_head_after").split("|") if is_changed else ())]
    lines = [f"| {' | '.join(columns)} |", f"| --- | --- | --- |{' ---: |' * (len(columns) - 3)}"]
    lines += [f"| {' | '.join(row)} |" for row in _rows(update, is_changed=is_changed)]
    st.markdown("\n".join(lines))
    if is_changed:
        st.markdown(f"**{loss_said(reading)}**")


def _rows(update: OneStep, *, is_changed: bool) -> list[list[str]]:
    rows = []
    for place, (fed, right) in enumerate(pairs(update)):
        is_right = update.preferred.ids[place] == update.reference.ids[place]
        first = "✓" if is_right else f"**{escape_markdown(chip_text(update.preferred.pieces[place]))}**"
        row = [escape_markdown(fed), escape_markdown(right), first]
        for values in (update.before, update.after)[: 1 + is_changed]:
            p = float(values[place])
            row += [number(p, ".2f"), number(float(-np.log(max(p, 1e-30))), ".2f")]
        rows.append(row)
    return rows
