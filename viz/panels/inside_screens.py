"""The steps of one head as screens: where each number is shown, and how it follows from the others.

``vector`` screens follow one query, with keys down the side; ``matrix`` screens show all queries at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from model.interpret.inspection_steps import HeadInspection, NormStep
from model.trace import Floats
from viz.components.inside.screen import Block, Operand, Rule, Screen, Sign
from viz.i18n import number, tr
from viz.panels.formula import activation_name

STEPS = (
    "entrance",
    "project",
    "split",
    "scores",
    "scale",
    "mask",
    "softmax",
    "mix",
    "concat",
    "output",
    "residual",
    "feed",
)
"""In the order of the computation; the logit lens comes last because it is not part of a head."""
VECTORS = ("query", "key", "value")
_FOLD = 32


@dataclass(frozen=True, slots=True)
class View:
    """What of a head is on the screen."""

    found: HeadInspection
    queries: tuple[str, ...]
    """Labels of the Q queries."""
    keys: tuple[str, ...]
    """Labels of the S keys."""
    query: int
    key: int
    is_matrix: bool
    vector: str = "query"
    """Which of ``VECTORS`` the projection shows."""
    activation: str = "relu"
    """The feed-forward network's, as the configuration names it."""
    every_head: Floats | None = None
    """``vector`` of every head, (H, N, K); None where the step needs this head alone."""
    first_index: int = 0
    """What the first head is called."""

    @property
    def rows(self) -> slice:
        """The queries on the screen."""
        return slice(None) if self.is_matrix else slice(self.query, self.query + 1)

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the queries on the screen; a single vector needs none."""
        return self.queries if self.is_matrix else ()

    @property
    def row(self) -> int:
        """The chosen query's row on the screen."""
        return self.query if self.is_matrix else 0

    def wide(self, name: str, values: Floats, **fields: object) -> Block:
        """One vector a query, as wide as the model or its hidden layer."""
        fold = 0 if self.is_matrix else (64 if values.shape[1] > 512 else _FOLD)
        return Block(name=name, values=values[self.rows], rows=self.labels, fold=fold, **fields)  # type: ignore[arg-type]


def screen_of(step: str, view: View) -> Screen:
    """The screen of one of ``STEPS``."""
    build: dict[str, Callable[[View], Screen]] = {
        "entrance": _entrance,
        "project": _project,
        "split": _split,
        "scores": _scores,
        "scale": _scale,
        "mask": _mask,
        "softmax": _softmax,
        "mix": _mix,
        "concat": _concat,
        "output": _output,
        "residual": _residual,
        "feed": _feed,
    }
    return build[step](view)


def _entrance(view: View) -> Screen:
    found, share = view.found, 0.27
    entrance = found.entrance
    position = np.zeros_like(entrance.token) if entrance.position is None else entrance.position
    blocks = [
        view.wide("token", entrance.token, symbol="e", title=tr("inside.embedding"), place=(1, 1), share=share),
        view.wide("position", position, symbol="p", title=tr("inside.position"), place=(1, 3), share=share),
        view.wide("summed", entrance.summed, symbol="x_0", title=tr("inside.sum"), place=(1, 5), share=share),
        view.wide("stream", found.stream, symbol="x", title=_stream_title(view), place=(2, 1), share=share),
    ]
    signs = [Sign("+", (1, 2)), Sign("=", (1, 4))]
    sums = np.allclose(entrance.token + position, entrance.summed, atol=1e-5)
    rules = [Rule(of="summed", how="sum", parts=("token", "position"))] if sums else []
    focus = ("summed", view.row, 0)
    if found.is_norm_first:
        blocks += _normed(view, "received", "y", found.received, found.norm, place=(2, 3), share=share)
        signs.append(Sign("→", (2, 2)))
        rules.append(_norm_rule("received", "stream"))
        focus = ("received", view.row, 0)
    return Screen(blocks=tuple(blocks), signs=tuple(signs), rules=tuple(rules), focus=focus)


def _project(view: View) -> Screen:
    found, vector = view.found, view.vector
    projection = {"query": found.to_query, "key": found.to_key, "value": found.to_value}[vector]
    result = getattr(found, vector)
    is_query = vector == "query"
    inputs = found.received if is_query else found.key_received
    labels = view.queries if is_query else view.keys
    row = view.query if is_query else view.key
    shown = slice(None) if view.is_matrix else slice(row, row + 1)
    letter, letter_in = vector[0], "y" if is_query or found.kind != "cross" else "z"
    bias = np.zeros(result.shape[1], np.float32) if projection.bias is None else projection.bias
    names = labels if view.is_matrix else ()
    fold = 0 if view.is_matrix else _FOLD
    blocks = (
        Block(name="y", symbol=letter_in, title=_of(labels[row], view), values=inputs[shown], rows=names, fold=fold,
              place=(1, 1), share=0.27),
        Block(name="matrix", symbol=f"W_{letter.upper()}", title=tr("inside.learned"), values=projection.weight,
              place=(1, 3), share=0.22),
        Block(name="bias", values=bias[None]),
        Block(name=letter, symbol=letter if not view.is_matrix else letter.upper(), title=tr(f"inside.{vector}"),
              values=result[shown], rows=names, fold=0 if view.is_matrix else 8, numbers=not view.is_matrix,
              place=(1, 5), share=0.36),
    )  # fmt: skip
    rule = Rule(of=letter, how="dot", left=Operand("y", "row", "row"), right=Operand("matrix", "column", "column"),
                bias="" if projection.bias is None else "bias")  # fmt: skip
    focus = (letter, row if view.is_matrix else 0, 0)
    return Screen(blocks=blocks, signs=(Sign("×", (1, 2)), Sign("=", (1, 4))), rules=(rule,), focus=focus)


def _split(view: View) -> Screen:
    """One product with the matrix of all heads, (1, H·K), cut into H vectors of K numbers."""
    found, vector = view.found, view.vector
    parts = getattr(found, vector)[None] if view.every_head is None else view.every_head  # (H, N, K)
    n_heads, _, width = parts.shape
    labels, row = (view.queries, view.query) if vector == "query" else (view.keys, view.key)
    own = found.head if n_heads > 1 else 0
    letter = vector[0]
    names = tuple(tr("positions.head", n=head + view.first_index) for head in range(n_heads))
    whole = parts[:, row].reshape(1, -1)  # (1, H·K)
    blocks = (
        Block(name="whole", symbol=letter, title=tr("inside.split_whole", token=labels[row]), values=whole, fold=_FOLD,
              marked=(own * width, (own + 1) * width - 1), place=(1, 1), share=0.44),
        Block(name="cut", symbol=f"{letter}_h", title=tr("inside.split_cut"), values=parts[:, row], rows=names,
              place=(1, 3), share=0.46),
    )  # fmt: skip
    if view.is_matrix:
        every = parts.transpose(1, 0, 2).reshape(len(labels), -1)  # (N, H·K)
        blocks = (
            Block(name="whole", symbol=letter.upper(), title=tr("inside.all_tokens"), values=every, rows=labels,
                  place=(1, 1), share=0.56),
            Block(name="cut", symbol=f"{letter.upper()}_h", title=tr("inside.split_own", head=found.head
                  + view.first_index), values=parts[own], rows=labels, place=(1, 3), share=0.36),
        )  # fmt: skip
    focus = ("cut", row if view.is_matrix else own, 0)
    return Screen(blocks=blocks, signs=(Sign("→", (1, 2)),), focus=focus)


def _scores(view: View) -> Screen:
    found = view.found
    if view.is_matrix:
        rule = Rule(of="scores", how="dot", left=Operand("q", "row", "row"), right=Operand("k", "row", "column"))
        blocks = (
            Block(name="q", symbol="Q", title=tr("inside.queries"), values=found.query, rows=view.queries,
                  place=(1, 1), share=0.28),
            Block(name="k", symbol="K", title=tr("inside.keys"), values=found.key, rows=view.keys, place=(1, 3),
                  share=0.28),
            _matrix(view, "scores", "QK^T", found.scores, place=(1, 5), share=0.4),
        )  # fmt: skip
        signs = (Sign("·", (1, 2)), Sign("=", (1, 4)))
        focus = ("scores", view.query, view.key)
    else:
        rule = Rule(of="scores", how="dot", left=Operand("q", "row", "first"), right=Operand("k", "row", "row"))
        blocks = (
            Block(name="q", symbol="q", title=_of(view.queries[view.query], view), values=found.query[view.rows],
                  rows=(view.queries[view.query],), place=(1, 1), share=0.66),
            Block(name="k", symbol="k", title=tr("inside.keys"), values=found.key, rows=view.keys, place=(2, 1),
                  share=0.66),
            _column(view, "scores", "q·k", found.scores, place=(2, 3)),
        )  # fmt: skip
        signs = (Sign("=", (2, 2)),)
        focus = ("scores", view.key, 0)
    assert rule.left is not None and rule.right is not None
    return Screen(blocks=blocks, signs=signs, rules=(rule,), focus=focus, product=(rule.left, rule.right))


def _scale(view: View) -> Screen:
    found = view.found
    divided = "q·k" if found.divisor == 1 else "q·k ÷ √d_k"
    if found.position_bias is not None:
        return _chain(
            view,
            (("scaled", divided, found.scaled, "signed"), ("distance", "b", found.position_bias, "signed"),
             ("placed", f"{divided} + b", found.scaled + found.position_bias, "signed")),
            ("+", "="),
            Rule(of="placed", how="sum", parts=("scaled", "distance")),
        )  # fmt: skip
    return _chain(
        view,
        (("scores", "q·k", found.scores, "signed"), ("scaled", divided, found.scaled, "signed")),
        (f"÷ {number(found.divisor, '.3g')} =",),
        Rule(of="scaled", how="divide", parts=("scores",), factor=found.divisor),
    )


def _mask(view: View) -> Screen:
    found = view.found
    symbol = "q·k" if found.divisor == 1 else "q·k ÷ √d_k"
    scaled = found.scaled
    if found.position_bias is not None:
        symbol, scaled = f"{symbol} + b", scaled + found.position_bias
    return _chain(
        view,
        (
            ("scaled", symbol, scaled, "signed"),
            ("allowed", "M", found.attn_mask.astype(np.float32), "mask"),
            ("masked", "s", found.masked, "signed"),
        ),
        ("", "→"),
        Rule(of="masked", how="mask", parts=("scaled", "allowed")),
    )


def _softmax(view: View) -> Screen:
    found = view.found
    over = "row" if view.is_matrix else "column"
    rows = found.masked if view.is_matrix else found.masked[view.rows]
    kept = found.weights if view.is_matrix else found.weights[view.rows]
    shown = np.isfinite(rows).any(1)
    by_hand = np.exp(rows[shown] - rows[shown].max(1, keepdims=True))
    is_softmax = np.allclose(by_hand / by_hand.sum(1, keepdims=True), kept[shown], atol=1e-4)
    return _chain(
        view,
        (("masked", "s", found.masked, "signed"), ("weights", "α", found.weights, "weight")),
        ("softmax →",),
        Rule(of="weights", how="softmax", parts=("masked",), over=over) if is_softmax else None,
    )


def _mix(view: View) -> Screen:
    found = view.found
    rule = Rule(of="mixed", how="dot", left=Operand("weights", "row" if view.is_matrix else "column",
                "row" if view.is_matrix else "first"), right=Operand("value", "column", "column"))  # fmt: skip
    if view.is_matrix:
        blocks = (
            _matrix(view, "weights", "A", found.weights, place=(1, 1), share=0.34, scale="weight"),
            Block(name="value", symbol="V", title=tr("inside.values"), values=found.value, rows=view.keys,
                  place=(1, 3), share=0.3),
            Block(name="mixed", symbol="AV", title=tr("inside.mixed"), values=found.mixed, rows=view.queries,
                  place=(1, 5), share=0.3),
        )  # fmt: skip
        return Screen(blocks=blocks, signs=(Sign("×", (1, 2)), Sign("=", (1, 4))), rules=(rule,),
                      focus=("mixed", view.query, 0))  # fmt: skip
    blocks = (
        _column(view, "weights", "α", found.weights, place=(1, 1), scale="weight"),
        Block(name="value", symbol="v", title=tr("inside.values"), values=found.value, rows=view.keys, place=(1, 3),
              share=0.66),
        Block(name="mixed", symbol="Σ αv", title=tr("inside.mixed"), values=found.mixed[view.rows],
              rows=(view.queries[view.query],), place=(2, 3), share=0.66),
    )  # fmt: skip
    return Screen(blocks=blocks, signs=(Sign("×", (1, 2)), Sign("=", (2, 2))), rules=(rule,), focus=("mixed", 0, 0))


def _concat(view: View) -> Screen:
    found = view.found
    width = found.mixed.shape[1]
    own = (found.head * width, (found.head + 1) * width - 1)
    if view.is_matrix:
        block = Block(name="concat", symbol="[h_1 … h_H]", title=tr("inside.concatenated"), values=found.concatenated,
                      rows=view.queries, place=(1, 1), share=0.95)  # fmt: skip
    else:
        block = Block(name="concat", symbol="[h_1 … h_H]", title=tr("inside.concatenated"),
                      values=found.concatenated[view.rows], fold=width, place=(1, 1), share=0.8,
                      marked=own)  # fmt: skip
    return Screen(blocks=(block,), focus=("concat", view.row, own[0]))


def _output(view: View) -> Screen:
    found = view.found
    width, share = found.mixed.shape[1], 0.27
    bias = np.zeros(found.output.shape[1], np.float32) if found.to_output.bias is None else found.to_output.bias
    own = (found.head * width, (found.head + 1) * width - 1)
    blocks = (
        Block(name="concat", symbol="h", title=tr("inside.concatenated"), values=found.concatenated[view.rows],
              rows=view.labels, fold=0 if view.is_matrix else width, marked=None if view.is_matrix else own,
              place=(1, 1), share=share),
        Block(name="matrix", symbol="W_O", title=tr("inside.learned"), values=found.to_output.weight, place=(1, 3),
              share=share),
        Block(name="bias", values=bias[None]),
        view.wide("output", found.output, symbol="o", title=tr("inside.output"), place=(1, 5), share=share),
    )  # fmt: skip
    rule = Rule(of="output", how="dot", left=Operand("concat", "row", "row"),
                right=Operand("matrix", "column", "column"),
                bias="" if found.to_output.bias is None else "bias")  # fmt: skip
    return Screen(blocks=blocks, signs=(Sign("×", (1, 2)), Sign("=", (1, 4))), rules=(rule,),
                  focus=("output", view.row, 0))  # fmt: skip


def _residual(view: View) -> Screen:
    found, share = view.found, 0.27
    blocks = [
        view.wide("stream", found.stream, symbol="x", title=tr("inside.stream"), place=(1, 1), share=share),
        view.wide("output", found.output, symbol="o", title=tr("inside.output"), place=(1, 3), share=share),
        view.wide("summed", found.summed, symbol="x'", title=tr("inside.sum"), place=(1, 5), share=share),
    ]
    signs = [Sign("+", (1, 2)), Sign("=", (1, 4))]
    rules = [Rule(of="summed", how="sum", parts=("stream", "output"), factor=found.residual_scale)]
    if not found.is_norm_first:
        blocks += _normed(view, "after", "LN(x')", found.stream_after, found.norm, place=(2, 5), share=share)
        rules.append(_norm_rule("after", "summed"))
        signs.append(Sign("→", (2, 4)))
    return Screen(blocks=tuple(blocks), signs=tuple(signs), rules=tuple(rules), focus=("summed", view.row, 0))


def _feed(view: View) -> Screen:
    found, step = view.found, view.found.feed_forward
    fc1, fc2 = step.fc1, step.fc2
    inner = np.zeros(fc1.weight.shape[1], np.float32) if fc1.bias is None else fc1.bias
    outer = np.zeros(fc2.weight.shape[1], np.float32) if fc2.bias is None else fc2.bias
    hidden = tr("inside.feed_hidden", share=float((step.hidden[view.rows] == 0).mean()))
    wrapped = activation_name(view.activation)
    blocks = [
        view.wide("received", step.received, symbol="y", title=tr("inside.feed_received"), place=(1, 1), share=0.27),
        view.wide("hidden", step.hidden, symbol="h", title=hidden, place=(1, 3), share=0.4),
        Block(name="fc1", values=fc1.weight),
        Block(name="inner", values=inner[None]),
        Block(name="fc2", values=fc2.weight),
        Block(name="outer", values=outer[None]),
        view.wide("output", step.output, symbol="o", title=tr("inside.output"), place=(1, 5), share=0.25),
        view.wide("stream", step.stream, symbol="x'", title=tr("inside.stream"), place=(2, 1), share=0.27),
        view.wide("summed", step.stream * np.float32(found.residual_scale) + step.output, symbol="x''",
                  title=tr("inside.sum"), place=(2, 3), share=0.27),
    ]  # fmt: skip
    if step.gate is not None:
        opened = step.received @ step.gate.weight + (0.0 if step.gate.bias is None else step.gate.bias)
        blocks.append(Block(name="gate", values=opened[view.rows]))
    signs = [Sign("→", (1, 2)), Sign("→", (1, 4)), Sign("+ o =", (2, 2))]
    rules = [
        Rule(of="hidden", how="dot", left=Operand("received", "row", "row"), wrapped=wrapped,
             right=Operand("fc1", "column", "column"), bias="inner" if fc1.bias is not None else "",
             times="gate" if step.gate is not None else ""),
        Rule(of="output", how="dot", left=Operand("hidden", "row", "row"),
             right=Operand("fc2", "column", "column"), bias="outer" if fc2.bias is not None else ""),
        Rule(of="summed", how="sum", parts=("stream", "output"), factor=found.residual_scale),
    ]  # fmt: skip
    best = int(step.hidden[view.query].argmax())
    return Screen(blocks=tuple(blocks), signs=tuple(signs), rules=tuple(rules), focus=("hidden", view.row, best))


def _chain(
    view: View, parts: tuple[tuple[str, str, Floats, str], ...], signs: tuple[str, ...], rule: Rule | None
) -> Screen:
    """Steps on the scores, side by side: matrices, or columns with one key a line."""
    blocks = []
    for place, (name, symbol, values, scale) in enumerate(parts):
        if view.is_matrix:
            block = _matrix(view, name, symbol, values, place=(1, 2 * place + 1), share=0.92 / len(parts), scale=scale)
        else:
            block = _column(view, name, symbol, values, place=(1, 2 * place + 1), scale=scale, bars=scale == "weight")
        blocks.append(block)
    between = tuple(Sign(text, (1, 2 * place + 2)) for place, text in enumerate(signs) if text)
    last = parts[-1][0]
    focus = (last, view.query, view.key) if view.is_matrix else (last, view.key, 0)
    return Screen(blocks=tuple(blocks), signs=between, rules=(rule,) if rule else (), focus=focus)


def _matrix(
    view: View, name: str, symbol: str, values: Floats, *, place: tuple[int, int], share: float, scale: str = "signed"
) -> Block:
    return Block(name=name, symbol=symbol, title=tr(f"inside.{name}"), values=values, rows=view.queries,
                 columns=view.keys, place=place, share=share, scale=scale,  # type: ignore[arg-type]
                 numbers=len(view.keys) <= 12)  # fmt: skip


def _column(
    view: View,
    name: str,
    symbol: str,
    values: Floats,
    *,
    place: tuple[int, int],
    scale: str = "signed",
    bars: bool = False,
) -> Block:
    """The chosen query's row, stood up: one key a line."""
    return Block(name=name, symbol=symbol, title=tr(f"inside.{name}"), values=values[view.query][:, None],
                 rows=view.keys, place=place, share=0.3, scale=scale, bars=bars, numbers=True)  # type: ignore[arg-type] # fmt: skip


def _normed(
    view: View, name: str, symbol: str, values: Floats, norm: NormStep, *, place: tuple[int, int], share: float
) -> list[Block]:
    """A normalised block, and the numbers that its arithmetic needs."""
    return [
        view.wide(name, values, symbol=symbol, title=tr("inside.normalised"), place=place, share=share),
        Block(name="mean", values=norm.mean[view.rows][:, None]),
        Block(name="deviation", values=norm.deviation[view.rows][:, None]),
        Block(name="gain", values=norm.gain[None]),
        Block(name="shift", values=norm.shift[None]),
    ]


def _norm_rule(of: str, source: str) -> Rule:
    return Rule(of=of, how="norm", parts=(source, "mean", "deviation", "gain", "shift"))


def _of(label: str, view: View) -> str:
    return tr("inside.all_tokens") if view.is_matrix else tr("inside.of_token", token=label)


def _stream_title(view: View) -> str:
    layer = view.found.layer
    if view.found.kind == "cross":
        return tr("inside.stream_cross")
    return tr("inside.stream_before", layer=layer + view.first_index) if layer else tr("inside.stream")
