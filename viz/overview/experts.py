"""Mixture of experts: the experts that each token was routed to."""

from typing import Any

import numpy as np
import streamlit as st

from model.inference.routing import Routing, routing
from viz import cache
from viz.components.matrix import Block, Matrix, matrix
from viz.i18n import number, tr
from viz.panels import errors
from viz.panels.reading import Reading
from viz.plain_text import chip_text, escape_markdown

_MAX_TOKENS = 40
_MISROUTED = ("huggingface/nllb-moe",)
"""Families whose tokens transformers 5.23 sends to other experts than its router chose (test_experts.py)."""


def draw(reading: Reading, step: int, chosen: int, bound: dict[str, Any]) -> None:
    """Draw the experts of one layer for every token, and those of the followed token in every layer.

    Args:
        step: the followed token.
        chosen: index of the layer on screen, among those with experts.
        bound: arguments that tie the layer's widget to a choice.
    """
    with errors.explained():
        routed = cache.get_or_compute(("routing", *reading.key), lambda: routing(reading.bundle, reading.trace))
    if not routed:
        return
    first = reading.selection.first_index
    places = [(stack, row) for stack in routed for row in range(len(stack.layers))]
    names = [_layer_name(stack, row, first) for stack, row in places]
    stack_routing, row = places[min(chosen, len(places) - 1)]
    st.subheader(tr("overview.experts_title"))
    st.markdown(tr("overview.experts_about", n=stack_routing.n_experts, k=stack_routing.experts.shape[-1]))
    if reading.bundle.family in _MISROUTED:
        st.warning(tr("overview.experts_not_followed"))
    st.selectbox(tr("overview.experts_layer"), range(len(places)), format_func=names.__getitem__, width=280, **bound)
    token = min(step, len(stack_routing.tokens) - 1)
    if stack_routing.stack == "decoder":
        st.markdown(_in_words(stack_routing, row, token, first))
    matrix(
        Matrix(blocks=_blocks(stack_routing, row, token, first), digits=2, help=tr("overview.experts_cell"), unknown="",
               is_signed=False),
        key="experts",
    )  # fmt: skip
    st.caption(tr("overview.experts_read"))


def _layer_name(stack: Routing, row: int, first: int) -> str:
    return tr(f"overview.experts_{stack.stack}", layer=stack.layers[row] + first)


def _in_words(stack: Routing, row: int, token: int, first: int) -> str:
    """The followed token's experts in words."""
    names = [
        tr("overview.experts_one", expert=int(expert) + first, weight=number(float(weight), ".2f"))
        for expert, weight in zip(stack.experts[row, token], stack.weights[row, token], strict=True)
        if expert >= 0
    ]
    name = escape_markdown(chip_text(stack.tokens.pieces[token]))
    if not names:
        return tr("overview.experts_full", token=name)
    return tr("overview.experts_said", token=name, experts=tr("overview.experts_and").join(names))


def _blocks(stack: Routing, row: int, token: int, first: int) -> tuple[Block, ...]:
    """Tokens by experts in one layer, and layers by experts for the followed token."""
    start = max(0, min(token - _MAX_TOKENS // 2, len(stack.tokens) - _MAX_TOKENS))
    window = slice(start, start + _MAX_TOKENS)
    names = tuple(map(chip_text, stack.tokens.pieces))
    blocks = [
        _block(stack.experts[row, window], stack.weights[row, window], names[window], first,
               _layer_name(stack, row, first), tr("overview.experts_tokens"))
    ]  # fmt: skip
    if stack.stack == "decoder" and len(stack.layers) > 1:
        layers = tuple(str(layer + first) for layer in stack.layers)
        title = tr("overview.experts_path", token=names[token])
        blocks.append(
            _block(
                stack.experts[:, token], stack.weights[:, token], layers, first, title, tr("overview.experts_layers")
            )
        )
    return tuple(blocks)


def _block(
    experts: np.ndarray, weights: np.ndarray, rows: tuple[str, ...], first: int, title: str, rows_name: str
) -> Block:
    """Rows by the experts that any row was routed to; experts (N, k) and weights (N, k)."""
    columns = sorted({int(expert) for expert in experts.ravel() if expert >= 0})
    table = np.zeros((len(rows), len(columns)), np.float32)
    for row, (row_experts, shares) in enumerate(zip(experts, weights, strict=True)):
        for expert, share in zip(row_experts, shares, strict=True):
            if expert >= 0:
                table[row, columns.index(int(expert))] = share
    return Block(
        title=title, kind="", rows=rows, columns=tuple(str(expert + first) for expert in columns), values=table,
        rows_name=rows_name, columns_name=tr("overview.experts_columns"),
    )  # fmt: skip
