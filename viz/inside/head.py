"""The screens of one head, from its queries, keys and values to its output vectors."""

from typing import Any

import numpy as np

from model.trace import Floats
from viz.components.inside.screen import Block, Operand, Rule, Screen, Sign
from viz.i18n import number, tr
from viz.inside.turning import before_turn
from viz.inside.view import FOLD, View


def project(view: View) -> Screen:
    """The projection to a query, key or value: the head's input times a learned matrix."""
    head, vector = view.head, view.vector
    projection = {"query": head.to_query, "key": head.to_key, "value": head.to_value}[vector]
    result = before_turn(head, vector)
    is_query = vector == "query"
    inputs = head.received if is_query else head.key_received
    labels = view.queries if is_query else view.keys
    row = view.query if is_query else view.key
    rows = slice(None) if view.is_matrix else slice(row, row + 1)
    letter, letter_in = vector[0], "y" if is_query or head.kind != "cross" else "z"
    bias = np.zeros(result.shape[1], np.float32) if projection.bias is None else projection.bias
    names = labels if view.is_matrix else ()
    fold = 0 if view.is_matrix else FOLD
    blocks = (
        Block(name="y", symbol=letter_in, title=_of(labels[row], view), values=inputs[rows], rows=names, fold=fold,
              place=(1, 1), share=0.27),
        Block(name="matrix", symbol=f"W_{letter.upper()}", title=tr("inside.learned"), values=projection.weight,
              place=(1, 3), share=0.22),
        Block(name="bias", values=bias[None]),
        Block(name=letter, symbol=letter if not view.is_matrix else letter.upper(), title=tr(f"inside.{vector}"),
              values=result[rows], rows=names, fold=0 if view.is_matrix else 8, numbers=not view.is_matrix,
              place=(1, 5), share=0.36),
    )  # fmt: skip
    rule = Rule(of=letter, how="dot", left=Operand("y", "row", "row"), right=Operand("matrix", "column", "column"),
                bias="" if projection.bias is None else "bias")  # fmt: skip
    focus = (letter, row if view.is_matrix else 0, 0)
    return Screen(blocks=blocks, signs=(Sign("×", (1, 2)), Sign("=", (1, 4))), rules=(rule,), focus=focus)


def split_heads(view: View) -> Screen:
    """One product with the matrix of all heads, (1, H·K), cut into H vectors of K numbers."""
    head, vector = view.head, view.vector
    parts = before_turn(head, vector)[None] if view.every_head is None else view.every_head  # (H, N, K)
    size = head.group_size if vector != "query" else 1
    n_heads, _, width = parts.shape
    labels, row = (view.queries, view.query) if vector == "query" else (view.keys, view.key)
    part = head.head // size if n_heads > 1 else 0
    letter = vector[0]
    names = tuple(_heads_of(group, size, view.first_index) for group in range(n_heads))
    whole = parts[:, row].reshape(1, -1)  # (1, H·K)
    blocks = (
        Block(name="whole", symbol=letter, title=tr("inside.split_whole", token=labels[row]), values=whole, fold=FOLD,
              marked=(part * width, (part + 1) * width - 1), place=(1, 1), share=0.44),
        Block(name="cut", symbol=f"{letter}_h", title=tr("inside.split_cut"), values=parts[:, row], rows=names,
              place=(1, 3), share=0.46),
    )  # fmt: skip
    if view.is_matrix:
        joined = parts.transpose(1, 0, 2).reshape(len(labels), -1)  # (N, H·K)
        blocks = (
            Block(name="whole", symbol=letter.upper(), title=tr("inside.all_tokens"), values=joined, rows=labels,
                  place=(1, 1), share=0.56),
            Block(name="cut", symbol=f"{letter.upper()}_h", title=tr("inside.split_own", head=head.head
                  + view.first_index), values=parts[part], rows=labels, place=(1, 3), share=0.36),
        )  # fmt: skip
    focus = ("cut", row if view.is_matrix else part, 0)
    return Screen(blocks=blocks, signs=(Sign("→", (1, 2)),), focus=focus)


def _heads_of(group: int, size: int, first: int) -> str:
    """The name of a head, or of a group of heads that share keys and values."""
    if size == 1:
        return tr("positions.head", n=group + first)
    return tr("inside.heads_shared", first=group * size + first, last=(group + 1) * size - 1 + first)


def scores(view: View) -> Screen:
    """The dot products of queries and keys."""
    head = view.head
    if view.is_matrix:
        rule = Rule(of="scores", how="dot", left=Operand("q", "row", "row"), right=Operand("k", "row", "column"))
        blocks = (
            Block(name="q", symbol="Q", title=tr("inside.queries"), values=head.query, rows=view.queries,
                  place=(1, 1), share=0.28),
            Block(name="k", symbol="K", title=tr("inside.keys"), values=head.key, rows=view.keys, place=(1, 3),
                  share=0.28),
            _pairs(view, "scores", "QK^T", head.scores, place=(1, 5), share=0.4),
        )  # fmt: skip
        signs = (Sign("·", (1, 2)), Sign("=", (1, 4)))
        focus = ("scores", view.query, view.key)
    else:
        rule = Rule(of="scores", how="dot", left=Operand("q", "row", "first"), right=Operand("k", "row", "row"))
        blocks = (
            Block(name="q", symbol="q", title=_of(view.queries[view.query], view), values=head.query[view.rows],
                  rows=(view.queries[view.query],), place=(1, 1), share=0.66),
            Block(name="k", symbol="k", title=tr("inside.keys"), values=head.key, rows=view.keys, place=(2, 1),
                  share=0.66),
            _pairs(view, "scores", "q·k", head.scores, place=(2, 3)),
        )  # fmt: skip
        signs = (Sign("=", (2, 2)),)
        focus = ("scores", view.key, 0)
    assert rule.left is not None and rule.right is not None
    return Screen(blocks=blocks, signs=signs, rules=(rule,), focus=focus, product=(rule.left, rule.right))


def scale(view: View) -> Screen:
    """The scores divided by the square root of the width, with a relative position's bias or a cap."""
    head = view.head
    divided = "q·k" if head.divisor == 1 else "q·k ÷ √d_k"
    if head.position_bias is not None:
        return _chain(
            view,
            (("scaled", divided, head.scaled, "signed"), ("distance", "b", head.position_bias, "signed"),
             ("placed", f"{divided} + b", head.scaled + head.position_bias, "signed")),
            ("+", "="),
            Rule(of="placed", how="sum", parts=("scaled", "distance")),
        )  # fmt: skip
    parts, sign = [("scores", "q·k", head.scores, "signed")], f"÷ {number(head.divisor, '.3g')} ="
    if head.cap is not None:
        return _chain(
            view,
            (
                *parts,
                ("divided", divided, head.scores / head.divisor, "signed"),
                ("capped", "c", head.scaled, "signed"),
            ),
            (sign, "→"),
            Rule(of="capped", how="cap", parts=("divided",), factor=head.cap),
        )
    return _chain(
        view,
        (*parts, ("scaled", divided, head.scaled, "signed")),
        (sign,),
        Rule(of="scaled", how="divide", parts=("scores",), factor=head.divisor),
    )


def mask(view: View) -> Screen:
    """The keys that a query may not attend to."""
    head = view.head
    before, symbol = "scaled", "q·k" if head.divisor == 1 else "q·k ÷ √d_k"
    if head.cap is not None:
        before, symbol = "capped", "c"
    scaled = head.scaled
    if head.position_bias is not None:
        symbol, scaled = f"{symbol} + b", scaled + head.position_bias
    return _chain(
        view,
        (
            (before, symbol, scaled, "signed"),
            ("allowed", "M", head.attn_mask.astype(np.float32), "mask"),
            ("masked", "s", head.masked, "signed"),
        ),
        ("", "→"),
        Rule(of="masked", how="mask", parts=(before, "allowed")),
    )


def softmax(view: View) -> Screen:
    """The softmax: scores to weights."""
    head = view.head
    axis = "row" if view.is_matrix else "column"
    rows = head.masked if view.is_matrix else head.masked[view.rows]
    weights = head.weights if view.is_matrix else head.weights[view.rows]
    has_keys = np.isfinite(rows).any(1)
    by_hand = np.exp(rows[has_keys] - rows[has_keys].max(1, keepdims=True))
    is_softmax = np.allclose(by_hand / by_hand.sum(1, keepdims=True), weights[has_keys], atol=1e-4)
    return _chain(
        view,
        (("masked", "s", head.masked, "signed"), ("weights", "α", head.weights, "weight")),
        ("softmax →",),
        Rule(of="weights", how="softmax", parts=("masked",), over=axis) if is_softmax else None,
    )


def mix(view: View) -> Screen:
    """The weighted sum of the values."""
    head = view.head
    rule = Rule(of="mixed", how="dot", left=Operand("weights", "row" if view.is_matrix else "column",
                "row" if view.is_matrix else "first"), right=Operand("value", "column", "column"))  # fmt: skip
    if view.is_matrix:
        blocks = (
            _pairs(view, "weights", "A", head.weights, place=(1, 1), share=0.34, scale="weight"),
            Block(name="value", symbol="V", title=tr("inside.values"), values=head.value, rows=view.keys,
                  place=(1, 3), share=0.3),
            Block(name="mixed", symbol="AV", title=tr("inside.mixed"), values=head.mixed, rows=view.queries,
                  place=(1, 5), share=0.3),
        )  # fmt: skip
        return Screen(blocks=blocks, signs=(Sign("×", (1, 2)), Sign("=", (1, 4))), rules=(rule,),
                      focus=("mixed", view.query, 0))  # fmt: skip
    blocks = (
        _pairs(view, "weights", "α", head.weights, place=(1, 1), scale="weight"),
        Block(name="value", symbol="v", title=tr("inside.values"), values=head.value, rows=view.keys, place=(1, 3),
              share=0.66),
        Block(name="mixed", symbol="Σ αv", title=tr("inside.mixed"), values=head.mixed[view.rows],
              rows=(view.queries[view.query],), place=(2, 3), share=0.66),
    )  # fmt: skip
    return Screen(blocks=blocks, signs=(Sign("×", (1, 2)), Sign("=", (2, 2))), rules=(rule,), focus=("mixed", 0, 0))


def concat(view: View) -> Screen:
    """The concatenated outputs of all heads."""
    head = view.head
    width = head.mixed.shape[1]
    span = (head.head * width, (head.head + 1) * width - 1)
    if view.is_matrix:
        block = Block(name="concat", symbol="[h_1 … h_H]", title=tr("inside.concatenated"), values=head.concatenated,
                      rows=view.queries, place=(1, 1), share=0.95)  # fmt: skip
    else:
        block = Block(name="concat", symbol="[h_1 … h_H]", title=tr("inside.concatenated"),
                      values=head.concatenated[view.rows], fold=width, place=(1, 1), share=0.8,
                      marked=span)  # fmt: skip
    return Screen(blocks=(block,), focus=("concat", view.row, span[0]))


def _chain(
    view: View, parts: tuple[tuple[str, str, Floats, str], ...], signs: tuple[str, ...], rule: Rule | None
) -> Screen:
    """Steps on the scores, side by side: matrices, or columns with one key per line."""
    blocks = tuple(
        _pairs(view, name, symbol, values, place=(1, 2 * place + 1), share=0.92 / len(parts), scale=scale,
               bars=scale == "weight")
        for place, (name, symbol, values, scale) in enumerate(parts)
    )  # fmt: skip
    between = tuple(Sign(text, (1, 2 * place + 2)) for place, text in enumerate(signs) if text)
    last = parts[-1][0]
    focus = (last, view.query, view.key) if view.is_matrix else (last, view.key, 0)
    return Screen(blocks=blocks, signs=between, rules=(rule,) if rule else (), focus=focus)


def _pairs(
    view: View, name: str, symbol: str, values: Floats, *, place: tuple[int, int], share: float = 0.3,
    scale: str = "signed", bars: bool = False,
) -> Block:  # fmt: skip
    """Numbers of queries and keys (Q, S): all of them, or the chosen query's as a column with one key per line."""
    fields: dict[str, Any] = (
        {"values": values, "rows": view.queries, "columns": view.keys, "numbers": len(view.keys) <= 12, "share": share}
        if view.is_matrix
        else {"values": values[view.query][:, None], "rows": view.keys, "numbers": True, "share": 0.3, "bars": bars}
    )
    return Block(name=name, symbol=symbol, title=tr(f"inside.{name}"), place=place, scale=scale, **fields)  # type: ignore[arg-type]


def _of(label: str, view: View) -> str:
    return tr("inside.all_tokens") if view.is_matrix else tr("inside.of_token", token=label)
