"""The context vector of the GRU with attention, one step at a time."""

from __future__ import annotations

import numpy as np
import streamlit as st

from model import Bundle
from model.teaching.context_vector import ContextSteps, context_steps
from viz import cache
from viz.figures import laboratory as figures
from viz.i18n import number, sentences, tr
from viz.laboratory import bench
from viz.panels.reading import Reading
from viz.plain_text import chip_text, escape_markdown
from viz.state import session

MOST_ROWS = 12


def draw(reading: Reading, gru: Bundle) -> None:
    """The state, a score for every source token, the softmax, and the weighted sum, with their numbers."""
    trace = cache.translate(gru, reading.fitted.text)
    steps = cache.compute(context_steps, gru, source_ids=trace.source.ids, prefix_ids=trace.prefix.ids)
    keys = [chip_text(piece) for piece in trace.source.pieces]
    step = _choose_step([chip_text(piece) for piece in trace.target.pieces])
    st.latex(
        r"e_j = v^{\top}\tanh(W s + U h_j) \qquad \alpha_j = \frac{e^{e_j}}{\sum_k e^{e_k}}"
        r"\qquad c = \sum_j \alpha_j h_j"
    )
    left, right = st.columns((3, 2))
    with left:
        groups = ((tr("laboratory.weight"), steps.weights[step]),)
        figure = figures.bars(groups, keys, axis_name=tr("laboratory.context_weight"), mode=session.mode(), height=320)
        bench.show(figure, "context")
    right.markdown(_table(steps, step, keys))
    st.markdown(_sum_said(steps, step, keys))


def _choose_step(targets: list[str]) -> int:
    step = min(bench.choices().query, len(targets) - 1)
    st.selectbox(
        tr("laboratory.context_step"), range(len(targets)), format_func=lambda i: f"{i} · {targets[i]}", width=240,
        **bench.bind("query", shown=step),
    )  # fmt: skip
    return step


def _table(steps: ContextSteps, step: int, keys: list[str]) -> str:
    """The source tokens with the largest weights, in the order of the sentence."""
    shown = sorted(np.argsort(-steps.weights[step])[:MOST_ROWS].tolist())
    titles = [tr(f"laboratory.context_{name}") for name in ("token", "score", "alpha", "first")]
    lines = ["| " + " | ".join(titles) + " |", "| --- " + "| ---: " * 3 + "|"]
    for j in shown:
        numbers = (steps.scores[step, j], steps.weights[step, j], steps.memory[j, 0])
        lines.append(f"| {escape_markdown(keys[j])} | " + " | ".join(map(_number, numbers)) + " |")
    return "\n".join(lines)


def _sum_said(steps: ContextSteps, step: int, keys: list[str]) -> str:
    """The first entry of the context vector, added up."""
    order = np.argsort(-steps.weights[step])[:3]
    terms = " + ".join(f"{_number(steps.weights[step, j])} · {_signed(steps.memory[j, 0])}" for j in order)
    rest = float(steps.context[step, 0] - sum(steps.weights[step, j] * steps.memory[j, 0] for j in order))
    has_rest = len(keys) > len(order)
    if has_rest:
        terms += f" + {_signed(rest)}"
    said = tr("laboratory.context_said", terms=terms, total=_number(steps.context[step, 0]), d=steps.context.shape[1])
    return sentences(said, tr("laboratory.context_rest") if has_rest else "")


def _number(value: float) -> str:
    return number(float(value), ".2f")


def _signed(value: float) -> str:
    return f"({_number(value)})" if value < 0 else _number(value)
