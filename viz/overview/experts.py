"""Which experts each token took, in a model whose layers have several feed-forward networks."""

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

_MOST_TOKENS = 40
_NOT_FOLLOWED = ("huggingface/nllb-moe",)
"""Families in which transformers 5.23 gives tokens to other experts than its router chose (test_experts.py)."""


def draw(reading: Reading, step: int, chosen: int, bound: dict[str, Any]) -> None:
    """The experts of one layer for every token, and those of the followed token in every layer; nothing without any.

    Args:
        step: the followed token.
        chosen: the layer that is shown, among those with experts.
        bound: ties the choice of the layer to the reader's choices.
    """
    with errors.explained():
        routed = cache.get_or_compute(("routing", *reading.key), lambda: routing(reading.bundle, reading.trace))
    if not routed:
        return
    first = reading.selection.first_index
    places = [(one, row) for one in routed for row in range(len(one.layers))]
    names = [_layer_name(one, row, first) for one, row in places]
    shown, row = places[min(chosen, len(places) - 1)]
    st.subheader(tr("overview.experts_title"))
    st.markdown(tr("overview.experts_about", n=shown.n_experts, k=shown.experts.shape[-1]))
    if reading.bundle.family in _NOT_FOLLOWED:
        st.warning(tr("overview.experts_not_followed"))
    st.selectbox(tr("overview.experts_layer"), range(len(places)), format_func=names.__getitem__, width=280, **bound)
    token = min(step, len(shown.tokens) - 1)
    if shown.stack == "decoder":
        st.markdown(_said(shown, row, token, first))
    matrix(
        Matrix(blocks=_blocks(shown, row, token, first), digits=2, help=tr("overview.experts_cell"), unknown="",
               is_signed=False),
        key="experts",
    )  # fmt: skip
    st.caption(tr("overview.experts_read"))


def _layer_name(one: Routing, row: int, first: int) -> str:
    return tr(f"overview.experts_{one.stack}", layer=one.layers[row] + first)


def _said(shown: Routing, row: int, token: int, first: int) -> str:
    """The followed token's experts in words."""
    taken = [
        tr("overview.experts_one", expert=int(expert) + first, weight=number(float(weight), ".2f"))
        for expert, weight in zip(shown.experts[row, token], shown.weights[row, token], strict=True)
        if expert >= 0
    ]
    name = escape_markdown(chip_text(shown.tokens.pieces[token]))
    if not taken:
        return tr("overview.experts_full", token=name)
    return tr("overview.experts_said", token=name, experts=tr("overview.experts_and").join(taken))


def _blocks(shown: Routing, row: int, token: int, first: int) -> tuple[Block, ...]:
    """Tokens by experts in one layer, and for the followed token layers by experts."""
    start = max(0, min(token - _MOST_TOKENS // 2, len(shown.tokens) - _MOST_TOKENS))
    kept = slice(start, start + _MOST_TOKENS)
    names = tuple(map(chip_text, shown.tokens.pieces))
    both = [
        _block(shown.experts[row, kept], shown.weights[row, kept], names[kept], first,
               _layer_name(shown, row, first), tr("overview.experts_tokens"))
    ]  # fmt: skip
    if shown.stack == "decoder" and len(shown.layers) > 1:
        layers = tuple(str(layer + first) for layer in shown.layers)
        title = tr("overview.experts_path", token=names[token])
        both.append(
            _block(
                shown.experts[:, token], shown.weights[:, token], layers, first, title, tr("overview.experts_layers")
            )
        )
    return tuple(both)


def _block(
    experts: np.ndarray, weights: np.ndarray, rows: tuple[str, ...], first: int, title: str, rows_name: str
) -> Block:
    """Rows by the experts that any of them took; experts (N, k) and weights (N, k)."""
    columns = sorted({int(expert) for expert in experts.ravel() if expert >= 0})
    table = np.zeros((len(rows), len(columns)), np.float32)
    for row, (taken, shares) in enumerate(zip(experts, weights, strict=True)):
        for expert, share in zip(taken, shares, strict=True):
            if expert >= 0:
                table[row, columns.index(int(expert))] = share
    return Block(
        title=title, kind="", rows=rows, columns=tuple(str(expert + first) for expert in columns), values=table,
        rows_name=rows_name, columns_name=tr("overview.experts_columns"),
    )  # fmt: skip
