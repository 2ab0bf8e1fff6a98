"""One head step by step: queries, keys, the division by √d_k and the softmax."""

import dataclasses
import inspect

import numpy as np
import streamlit as st

from model import Bundle
from model.teaching.experiments import ScaleEffect, scale_effect
from model.teaching.in_code import attention, many_heads
from viz.components.inside import inside
from viz.figures import drawings
from viz.figures import laboratory as figures
from viz.figures.drawings import Drawing
from viz.i18n import group, number, power_of_ten, tr
from viz.inside.screens import screen_of
from viz.inside.view import View, head_inspection
from viz.lesson.choices import is_changed
from viz.lesson.scene import Scene, translation
from viz.lesson.views import Act, Pictures, bars, labels, show, write
from viz.panels.reading import Reading
from viz.state import session
from viz.state.view_state import ViewState

_STEPS = ("q·k", "q·k / √dₖ", "softmax")
"""Rows of the table on slides."""
_QUERY, _KEYS = (1, -2, 0, 3), ((2, 1, 5, 1), (0, -1, 0, 2))
"""Vectors to multiply by hand on the worksheet."""


def _division(bundle: Bundle) -> str:
    layers = bundle.config.layers(encoder=False)
    is_usual = all(spec.cross is None or spec.cross.scale is spec.cross.cap is None for spec in layers)
    return "" if is_usual else "lesson.need_scale"


def _scale(reading: Reading) -> ScaleEffect | None:
    """The row of weights with the clearest effect of dividing by √d_k; None without cross-attention."""
    return scale_effect(reading.trace, reading.bundle.config)


class Head(Scene):
    """The weights of one row with and without the division by √d_k."""

    def draw(self, reading: Reading) -> None:
        """The bars, and the head's numbers."""
        effect = _scale(reading)
        assert effect is not None
        inspection = head_inspection(reading, "cross", effect.layer, effect.head)
        rows, keys = labels(reading)
        view = View(
            inspection, tuple(rows), tuple(keys), effect.query, int(effect.scaled.argmax()), False,
            activation=reading.bundle.config.layers(encoder=False)[effect.layer].activation,
        )  # fmt: skip
        weights = [round(float(weight), 4) for weight in effect.scaled]
        shade = {"kind": "cross", "source": weights, "target": None, "from": None,
                 "focus": {"side": "target", "index": effect.query}}  # fmt: skip
        groups = [(tr("lesson.with_scale"), effect.scaled)]
        if is_changed():
            groups.append((tr("lesson.without_scale"), effect.unscaled))
        show(figures.bars(groups, keys, axis_name=tr("laboratory.weight"), mode=session.mode(), height=150), "scale")
        inside(
            screen_of("scores", view), kind="cross", words=group("inside"), shade=shade,
            presenter=reading.selection.presenter, key="lesson.head", on_token=lambda: None,  # the row is fixed
        )  # fmt: skip

    def draw_below(self, reading: Reading) -> None:
        """Draw the head as code, and the difference between its weights and the network's."""
        effect = _scale(reading)
        if effect is None:
            return
        with st.expander(tr("lesson.in_code"), icon=":material/code:"):
            sources = (inspect.getsource(function).strip() for function in (attention, many_heads))
            st.code("\n\n".join(sources), language="python")
            steps = head_inspection(reading, "cross", effect.layer, effect.head)
            _, weights = attention(steps.query, steps.key, steps.value, steps.attn_mask)
            st.caption(
                tr("lesson.in_code_checked", furthest=power_of_ten(float(np.abs(weights - steps.weights).max())))
            )

    def pictures(self, reading: Reading) -> Pictures:
        """The scores of the row and its weights."""
        effect, (rows, columns) = _scale(reading), labels(reading)
        assert effect is not None
        steps = head_inspection(reading, "cross", effect.layer, effect.head)
        values = (steps.scores[effect.query], steps.scaled[effect.query], effect.scaled)
        lines = [
            (name, *(number(float(value), ".2f" if name == _STEPS[-1] else ".1f") for value in row))
            for name, row in zip(_STEPS, values, strict=True)
        ]
        groups = ((tr("lesson.with_scale"), effect.scaled), (tr("lesson.without_scale"), effect.unscaled))
        caption = tr("lesson.head_picture", word=rows[effect.query])
        return Pictures(
            drawings.table(["", *columns], lines), drawings.bars(groups, columns, write=write), _exercise(), caption
        )

    def act(self, before: Reading, reading: Reading) -> Act | None:
        """The bars."""
        effect = _scale(reading)
        if effect is None:
            return None
        titles = ("lesson.with_scale", "lesson.without_scale")
        return bars(labels(reading)[1], effect.scaled, effect.unscaled) | {"titles": titles}

    def on_phones(self, reading: Reading, now: ViewState) -> ViewState:
        """The same head and row."""
        effect, state = _scale(reading), super().on_phones(reading, now)
        if effect is None:
            return state
        return dataclasses.replace(state, layer=effect.layer, head=effect.head, pins=(f"q{effect.query}",))


def _exercise() -> Drawing:
    """A query and two keys, with empty cells for the products, their sum and the score."""
    empty = [""] * len(_QUERY)
    lines = [("q", *map(number, _QUERY), "", "")]
    for name, key in zip(("k", "k'"), _KEYS, strict=True):
        lines += [(name, *map(number, key), "", ""), (f"q × {name}", *empty, "", "")]
    return drawings.table(("", "1", "2", "3", "4", "Σ", "÷ √4"), lines)


SCENE = Head(
    name="head", right=0, page="inside", minutes=8, short_minutes=7, terms=("query", "softmax"),
    needs=(translation, _division), compares="", is_of_the_view=True, lines=5,
)  # fmt: skip
