"""The formula of attention as LaTeX, with the part in question in colour and the rest in grey."""

from collections.abc import Collection

from model.config import TransformerConfig
from model.interventions import AttentionKind
from model.layer_spec import AttentionSpec, LayerSpec
from viz.i18n import number

BREAK = r"\allowbreak "
"""Where the formula may break on a narrow screen."""
_ATTENTION: tuple[tuple[str, str], ...] = (
    ("residual", r"x' = x\,+\,"),
    ("", BREAK),
    ("concat", r"\Big[\;\cdots\;"),
    ("softmax", r"\operatorname{softmax}\Big("),
    ("", r"@score@"),
    ("mask", r"\,+\,M"),
    ("softmax", r"\Big)"),
    ("", BREAK),
    ("mix", r"\;"),
    ("project split mix", r"(@from@\,W_V)"),
    ("concat", r"\;\cdots\;\Big]"),
    ("output", r"W_O"),
    ("", BREAK),
    ("", r"\qquad "),
    ("entrance", r"y = \operatorname{LN}(x)"),
    ("entrance", "@memory@"),
)
_FEED: tuple[tuple[str, str], ...] = (("feed", r"x'' = x' + @hidden@\,W_2@b2@"),)
_TOP: tuple[tuple[str, str], ...] = (("top", r"p = \operatorname{softmax}\big(\operatorname{LN}(x)\,E^{\top}\big)"),)


def formula(
    step: str,
    *,
    lit: str,
    quiet: str,
    config: TransformerConfig,
    kind: AttentionKind,
    layer: int = 0,
    without: Collection[str] = (),
) -> str:
    """LaTeX of the formula of one step.

    Args:
        lit: colour ``#rrggbb`` of the step's part.
        quiet: colour of the rest.
        config: of the model. A post-norm layer normalises the sum instead, and what a layer does not have is left out.
        kind: in cross-attention keys and values come from z, the encoder's output.
        layer: of the stack, from 0.
        without: names of ``Variation``'s fields that are set: what they leave out is struck out.
    """
    is_cross = kind == "cross"
    spec = config.layers(encoder=kind == "encoder_self")[layer]
    attention = spec.cross if spec.cross is not None and is_cross else spec.attention
    is_relative = config.positions == "relative" and not is_cross
    parts = {"feed": _FEED, "top": _TOP}.get(step, _ATTENTION)
    written = []
    for steps, latex in parts:
        if latex == "@score@":
            written.append(_score(step, lit, quiet, without, attention, "z" if is_cross else "y", is_relative))
            continue
        latex = latex.replace("@hidden@", _hidden_layer(spec)).replace(
            "@b2@", " + b_2" if spec.feed_forward_bias else ""
        )
        latex = latex.replace("@from@", "z" if is_cross else "y")
        latex = latex.replace("@memory@", r",\quad z = \operatorname{Enc}" if is_cross else "")
        if latex in (BREAK, ""):
            written.append(latex)
            continue
        if "without_values" in without and "W_V" in latex:
            latex = rf"\cancel{{{latex}}}"
        if spec.norm_place == "post":
            latex = _post_norm(latex)
        if spec.norm_kind == "rms":
            latex = latex.replace(r"\operatorname{LN}", r"\operatorname{RMS}")
        written.append(_colour(latex, lit if step in steps.split() else quiet))
    return "".join(written)


def activation_name(activation: str) -> str:
    """How an activation function of the configuration is written; every form of GELU is written GELU."""
    return {"relu": "ReLU", "relu_squared": "ReLU²", "silu": "SiLU"}.get(activation, "GELU")


def _hidden_layer(spec: LayerSpec) -> str:
    """The hidden layer of the feed-forward network, multiplied element by element with its gate if it has one."""
    bias, received = (" + b_1" if spec.feed_forward_bias else ""), r"\operatorname{LN}(x')"
    active = rf"\operatorname{{{activation_name(spec.activation)}}}\big({received}\,W_1{bias}\big)"
    return rf"\Big({active} \odot {received}\,V\Big)" if spec.gated_feed_forward else active


def _score(
    step: str,
    lit: str,
    quiet: str,
    without: Collection[str],
    attention: AttentionSpec,
    key_from: str,
    is_relative: bool,
) -> str:
    """The fraction, whose numerator and denominator light up separately; without a scale, only the product."""
    key = "W_Q" if "one_matrix" in without else "W_K"
    up = lit if step in ("project", "split", "turn", "scores") else quiet
    query_rotation, key_rotation = (r"\,R_m", r"\,R_n") if attention.rotary else ("", "")
    bar = lit if step == "scale" else quiet
    root = r"\cancel{\sqrt{d_k}}" if "without_scaling" in without else r"\sqrt{d_k}"
    top = _colour(rf"(y\,W_Q{query_rotation})\,({key_from}\,{key}{key_rotation})^{{\top}}", up)
    if attention.scale == 1 and is_relative:
        return top + _colour(r"\,+\,B", bar)
    if attention.scale == 1:
        return _colour(top, bar) if step != "scale" else top.replace(up, lit)
    fraction = _colour(rf"\frac{{{top}}}{{{_colour(root, bar)}}}", bar)
    if attention.cap is None:
        return fraction
    cap = in_latex(attention.cap, "g")
    return _colour(rf"{cap}\,\tanh\Big(", bar) + fraction + _colour(rf"\Big/{cap}\Big)", bar) + BREAK


def _post_norm(latex: str) -> str:
    replaced = {
        r"x' = x\,+\,": r"x' = \operatorname{LN}\big(x\,+\,",
        "W_O": r"W_O\big)",
        r"y = \operatorname{LN}(x)": "y = x",
    }
    if latex.startswith("x'' = x' + "):
        inner = latex.removeprefix("x'' = ").replace(r"\operatorname{LN}(x')", "x'")
        return rf"x'' = \operatorname{{LN}}\big({inner}\big)"
    if latex == _TOP[0][1]:
        return latex.replace(r"\operatorname{LN}(x)", "x")
    return replaced.get(latex, latex)


def _colour(latex: str, colour: str) -> str:
    # KaTeX's \color applies to all that follows, delimiters included; \textcolor would break \Big( … \Big) pairs.
    return rf"{{\color{{{colour}}}{latex}}}"


def in_latex(value: float, how: str = ".3f") -> str:
    """A number in a formula; a decimal comma is put in braces, because LaTeX would set a space after it."""
    return number(float(value), how).replace(",", "{,}")
