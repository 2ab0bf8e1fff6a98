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


def layer(here: Reading) -> OneLayer:
    """The followed token and its layer."""
    return cache.compute(one_layer, here.bundle, text=here.fitted.text)


def step_names(found: OneLayer) -> list[str]:
    """The steps of a layer, in words."""
    again = {} if found.norm_first else {name: f"{name}_post" for name in (NORMALISED, ENDS)}
    return [tr(f"lesson.step_{again.get(name, name)}") for name, _ in found.steps]


def first_numbers(found: OneLayer) -> list[list[str]]:
    """The first numbers of the vector at each step; what is added has its sign."""
    return [
        [number(float(value), "+.2f" if name in (ATTENDED, FED) else ".2f") for value in vector[:N_NUMBERS]]
        for name, vector in found.steps
    ]


def draw_layer(here: Reading) -> None:
    """The vector of one token on its way through the layer."""
    found, first = layer(here), here.selection.first_index
    token = escape_markdown(chip_text(here.trace.source.pieces[found.token]).lstrip("▁"))
    width = len(found.steps[0][1])
    st.caption(tr("lesson.layer_followed", token=token, layer=found.layer + first, n=N_NUMBERS, width=width))
    head = "".join(f" {i + 1} |" for i in range(N_NUMBERS))
    lines = [f"| |{head} … |", f"| --- |{' ---: |' * N_NUMBERS} --- |"]
    lines += [
        f"| {name} | {' | '.join(numbers)} | … |"
        for name, numbers in zip(step_names(found), first_numbers(found), strict=True)
    ]
    st.markdown("\n".join(lines))


def chance(log_prob: float) -> str:
    """The probability that a natural logarithm stands for, in per cent; a very small one as a power of ten."""
    p = math.exp(log_prob)
    return power_of_ten(p) if p < 5e-5 else number(p, ".0%" if p >= 0.1 else ".1%" if p >= 0.01 else ".2%")


def step(here: Reading) -> OneStep:
    """One step of training on this sentence and its right translation."""
    text = here.fitted.text
    reference = reference_of(here.bundle, text) or here.trace.text
    return cache.compute(one_step, here.bundle, source=text, reference=reference)


def pairs(found: OneStep) -> list[tuple[str, str]]:
    """The token that each row is given, and the right next one."""
    fed, right = ([chip_text(piece) for piece in tokens.pieces] for tokens in (found.fed, found.reference))
    return list(zip(fed, right, strict=True))


def loss_said(here: Reading) -> str:
    """The mean loss before and after the step."""
    before, after = (number(loss, ".2f") for loss in step(here).losses)
    return tr("lesson.loss_said", before=before, after=after)


def loss_found(here: Reading) -> str:
    """Which right token gains most, for the teacher."""
    found = step(here)
    place = int((found.after - found.before).argmax())
    right, own = (chip_text(tokens.pieces[place]).strip("▁") for tokens in (found.reference, found.preferred))
    before, after = float(found.before[place]), float(found.after[place])
    return tr("lesson.loss_found", right=right, own=own, before=before, after=after)


def draw_loss(here: Reading, *, is_changed: bool) -> None:
    """What each row is given, the right next token, and how surprising it is."""
    found = step(here)
    if not reference_of(here.bundle, here.fitted.text):
        st.caption(tr("lesson.loss_own"))
    columns = [*tr("lesson.loss_head").split("|"), *(tr("lesson.loss_head_after").split("|") if is_changed else ())]
    lines = [f"| {' | '.join(columns)} |", f"| --- | --- | --- |{' ---: |' * (len(columns) - 3)}"]
    lines += [f"| {' | '.join(row)} |" for row in _rows(found, is_changed=is_changed)]
    st.markdown("\n".join(lines))
    if is_changed:
        st.markdown(f"**{loss_said(here)}**")


def _rows(found: OneStep, *, is_changed: bool) -> list[list[str]]:
    rows = []
    for place, (fed, right) in enumerate(pairs(found)):
        is_right = found.preferred.ids[place] == found.reference.ids[place]
        first = "✓" if is_right else f"**{escape_markdown(chip_text(found.preferred.pieces[place]))}**"
        row = [escape_markdown(fed), escape_markdown(right), first]
        for values in (found.before, found.after)[: 1 + is_changed]:
            p = float(values[place])
            row += [number(p, ".2f"), number(float(-np.log(max(p, 1e-30))), ".2f")]
        rows.append(row)
    return rows
