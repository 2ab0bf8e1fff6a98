"""The screens of the residual stream: what a head receives, and how its result is added to the stream."""

import numpy as np

from model.interpret.inspection_steps import NormStep
from model.trace import Floats
from viz.components.inside.screen import Block, Operand, Rule, Screen, Sign
from viz.i18n import tr
from viz.inside.view import View
from viz.panels.formula import activation_name


def entrance(view: View) -> Screen:
    """The residual stream that the layer receives; in a pre-norm layer also its norm."""
    head, share = view.head, 0.27
    entrance = head.entrance
    has_position = entrance.position is not None
    parts = [view.wide("token", entrance.token, symbol="e", title=tr("inside.embedding"), place=(1, 1), share=share)]
    if entrance.position is not None:
        parts.append(view.wide("position", entrance.position, symbol="p", title=tr("inside.position"), place=(1, 3),
                               share=share))  # fmt: skip
    last = 2 * len(parts) + 1
    blocks = [
        *parts,
        view.wide("summed", entrance.summed, symbol="x_0", title=tr("inside.sum" if has_position else "inside.stream"),
                  place=(1, last), share=share),
        view.wide("stream", head.stream, symbol="x", title=_stream_title(view), place=(2, 1), share=share),
    ]  # fmt: skip
    signs = [Sign("+", (1, 2))] * has_position + [Sign("=", (1, last - 1))]
    sums = np.allclose(entrance.token + (0.0 if entrance.position is None else entrance.position), entrance.summed,
                       atol=1e-5)  # fmt: skip
    rules = [Rule(of="summed", how="sum", parts=tuple(part.name for part in parts))] if sums else []
    focus = ("summed", view.row, 0)
    if head.is_norm_first:
        blocks += _norm_blocks(view, "received", "y", head.received, head.norm, place=(2, 3), share=share)
        signs.append(Sign("→", (2, 2)))
        rules.append(_norm_rule("received", "stream"))
        focus = ("received", view.row, 0)
    return Screen(blocks=tuple(blocks), signs=tuple(signs), rules=tuple(rules), focus=focus)


def output(view: View) -> Screen:
    """The output projection: the concatenated heads times a learned matrix."""
    head = view.head
    width, share = head.mixed.shape[1], 0.27
    bias = np.zeros(head.output.shape[1], np.float32) if head.to_output.bias is None else head.to_output.bias
    span = (head.head * width, (head.head + 1) * width - 1)
    blocks = (
        Block(name="concat", symbol="h", title=tr("inside.concatenated"), values=head.concatenated[view.rows],
              rows=view.labels, fold=0 if view.is_matrix else width, marked=None if view.is_matrix else span,
              place=(1, 1), share=share),
        Block(name="matrix", symbol="W_O", title=tr("inside.learned"), values=head.to_output.weight, place=(1, 3),
              share=share),
        Block(name="bias", values=bias[None]),
        view.wide("output", head.output, symbol="o", title=tr("inside.output"), place=(1, 5), share=share),
    )  # fmt: skip
    rule = Rule(of="output", how="dot", left=Operand("concat", "row", "row"),
                right=Operand("matrix", "column", "column"),
                bias="" if head.to_output.bias is None else "bias")  # fmt: skip
    is_product = np.allclose(head.concatenated @ head.to_output.weight + bias, head.output, rtol=1e-3, atol=1e-4)
    return Screen(blocks=blocks, signs=(Sign("×", (1, 2)), Sign("=" if is_product else "→", (1, 4))),
                  rules=(rule,) if is_product else (), focus=("output", view.row, 0))  # fmt: skip


def residual(view: View) -> Screen:
    """The residual addition; in a post-norm layer also its norm."""
    head, share = view.head, 0.27
    blocks = [
        view.wide("stream", head.stream, symbol="x", title=tr("inside.stream"), place=(1, 1), share=share),
        view.wide("output", head.output, symbol="o", title=tr("inside.output"), place=(1, 3), share=share),
        view.wide("summed", head.summed, symbol="x'", title=tr("inside.sum"), place=(1, 5), share=share),
    ]
    signs = [Sign("+", (1, 2)), Sign("=", (1, 4))]
    rules = [Rule(of="summed", how="sum", parts=("stream", "output"), factor=head.residual_scale)]
    if not head.is_norm_first:
        blocks += _norm_blocks(view, "after", "LN(x')", head.stream_after, head.norm, place=(2, 5), share=share)
        rules.append(_norm_rule("after", "summed"))
        signs.append(Sign("→", (2, 4)))
    return Screen(blocks=tuple(blocks), signs=tuple(signs), rules=tuple(rules), focus=("summed", view.row, 0))


def feed(view: View) -> Screen:
    """The feed-forward network."""
    head, step = view.head, view.head.feed_forward
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
        view.wide("summed", step.stream * np.float32(head.residual_scale) + step.output, symbol="x''",
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
        Rule(of="summed", how="sum", parts=("stream", "output"), factor=head.residual_scale),
    ]  # fmt: skip
    if not np.allclose(step.hidden @ fc2.weight + outer, step.output, rtol=1e-3, atol=1e-4):
        del rules[1]  # a norm follows
    best = int(step.hidden[view.query].argmax())
    return Screen(blocks=tuple(blocks), signs=tuple(signs), rules=tuple(rules), focus=("hidden", view.row, best))


def _norm_blocks(
    view: View, name: str, symbol: str, values: Floats, norm: NormStep, *, place: tuple[int, int], share: float
) -> list[Block]:
    """The blocks of a norm: its result, mean, deviation, gain and shift."""
    return [
        view.wide(name, values, symbol=symbol, title=tr("inside.normalised"), place=place, share=share),
        Block(name="mean", values=norm.mean[view.rows][:, None]),
        Block(name="deviation", values=norm.deviation[view.rows][:, None]),
        Block(name="gain", values=norm.gain[None]),
        Block(name="shift", values=norm.shift[None]),
    ]


def _norm_rule(of: str, source: str) -> Rule:
    return Rule(of=of, how="norm", parts=(source, "mean", "deviation", "gain", "shift"))


def _stream_title(view: View) -> str:
    layer = view.head.layer
    if view.head.kind == "cross":
        return tr("inside.stream_cross")
    return tr("inside.stream_before", layer=layer + view.first_index) if layer else tr("inside.stream")
