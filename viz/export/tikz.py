"""One head as TikZ, typeset in the paper's fonts."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.trace import Floats, ShapeError
from viz.figures.paper import SEPARATION, Paper
from viz.figures.tokens import printable
from viz.i18n import number
from viz.theme import luminance

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "→": r"$\rightarrow$", "−": r"$-$", "·": r"$\cdot$", "⁇": "??", "␣": r"\textvisiblespace{}",
    "▁": r"\textvisiblespace{}", "\u202f": r"\,", "\u00a0": "~", "\n": " ",
}  # fmt: skip
"""LaTeX's special characters, and those that pdfLaTeX lacks: the unknown token's sign, word marks, thin spaces."""
_SCRIPTS = {
    "JP": re.compile("[\u3040-\u30ff]"), "KR": re.compile("[\uac00-\ud7af]"),
    "SC": re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"),
}  # fmt: skip
"""Characters that select one of the Noto CJK fonts."""
_FAINTEST = 0.005
_BRIGHT = 0.3
"""Relative luminance above which black!70 has more contrast than white."""


def latex(text: str) -> str:
    """Text with LaTeX's special characters escaped."""
    return "".join(_SPECIAL.get(character, character) for character in text)


def tikz(
    weights: Floats,
    *,
    queries: Sequence[str],
    keys: Sequence[str],
    paper: Paper,
    hue: str,
    less_hue: str | None = None,
    caption: str = "",
    is_causal: bool = False,
    fills: NDArray[Any] | None = None,
) -> str:
    """A ``figure`` environment, ``figure*`` for both columns, for a document that loads ``tikz`` and ``xcolor``.

    It is as wide as the paper in any font, because LaTeX measures the labels before drawing.

    Args:
        weights: one head, (Q, K).
        hue: colour of the largest weight, as ``#RRGGBB``; an empty cell is white.
        less_hue: colour of negative values, for signed differences.
        caption: plain text below the figure.
        is_causal: leave out keys after the query.
        fills: (Q, K) the colour of each cell as ``#RRGGBB``; by default ``hue``, by the share of the largest weight.

    Raises:
        ShapeError: when tokens and weights differ in length.
        ValueError: when the columns do not fit into the paper's width.
    """
    if weights.shape != (len(queries), len(keys)):
        raise ShapeError(f"weights {weights.shape} for {len(queries)} query and {len(keys)} key tokens")
    labels = [[latex(printable(token)) for token in tokens] for tokens in (queries, keys)]
    cell = paper.guessed_cell(queries, keys)
    if cell < paper.least_cell:
        raise paper.too_narrow(len(keys))
    environment = "figure*" if paper.spans_columns else "figure"
    top = float(np.nanmax(np.abs(weights), initial=0)) or 1.0
    lines = [
        *_preamble("".join([*queries, *keys, caption])),
        rf"\begin{{{environment}}}[tb]",
        r"\centering",
        *([rf"\definecolor{{regardmore}}{{HTML}}{{{hue.lstrip('#').upper()}}}"] if fills is None else []),
        *([rf"\definecolor{{regardless}}{{HTML}}{{{less_hue.lstrip('#').upper()}}}"] if less_hue else []),
        *_cell_size_lines(labels[0], labels[1], paper),
        r"\begin{tikzpicture}[x=\regardcell, y=-\regardcell, line width=0.2bp,",
        rf"  token/.style={{font=\regardfont, inner sep=0pt, outer sep={SEPARATION}bp}},",
        rf"  value/.style={{font={_font(paper.value_points)}, inner sep=0pt}}]",
    ]
    has_values = paper.has_room_for_values(cell)
    for query in range(len(queries)):
        lines.append(rf"\node[token, anchor=east] at (0,{query + 0.5:g}) {{\strut {labels[0][query]}}};")
        for key in range(len(keys)):
            value = float(weights[query, key])
            if np.isfinite(value) and not (is_causal and key > query):
                look = _cell_colours(value, top) if fills is None else _fill_colours(fills[query, key])
                lines += _cell(query, key, value, look, has_values, is_signed=less_hue is not None)
    for key in range(len(keys)):
        lines.append(rf"\node[token, anchor=west, rotate=45] at ({key + 0.5:g},0) {{\strut {labels[1][key]}}};")
    lines += [r"\end{tikzpicture}"]
    if caption:
        lines.append(_caption(latex(caption)))
    return "\n".join([*lines, r"\label{fig:attention}", rf"\end{{{environment}}}", ""])


def _preamble(texts: str) -> list[str]:
    r"""The packages that the document must load, as comments. Chinese, Japanese and Korean need a font, which the
    document sets by defining ``\regardscript``."""
    script = _script(texts)
    needed = [r"% \usepackage{tikz}"]
    if script:
        needed += [
            "% Compile with LuaLaTeX or XeLaTeX, with a font that has the tokens' letters, for example:",
            rf"% \usepackage{{fontspec}} \newfontfamily\regardscript{{Noto Serif CJK {script}}}",
        ]
    elif not texts.isascii():
        needed[0] += "  (for scripts beyond Latin, compile with XeLaTeX or LuaLaTeX)"
    return needed


def _script(text: str) -> str:
    return next((name for name, letters in _SCRIPTS.items() if letters.search(text)), "")


def _caption(text: str) -> str:
    """A caption; with a CJK font, the list of figures gets the text without the font."""
    return rf"\caption[{{{text}}}]{{\regardscript {text}}}" if _script(text) else rf"\caption{{{text}}}"


def _cell_size_lines(rows: Sequence[str], columns: Sequence[str], paper: Paper) -> list[str]:
    r"""TeX that sets ``\regardcell`` to the largest cell with which labels and cells fit the paper's width.

    The row labels take the width of their widest. A column's label is turned by 45 degrees and begins in the middle of
    its column, so it may reach further right than the last cell.
    """
    lines = [
        r"\providecommand\regardscript{}",
        "% The size of a cell, from the width of the labels",
        rf"\def\regardfont{{{_font(paper.font_points)}\regardscript}}",
        r"\setbox0=\vbox{" + "".join(rf"\hbox{{\regardfont\strut {row}}}" for row in rows) + "}%",
        rf"\dimen0={paper.width_points:.3f}bp \advance\dimen0 by -\wd0 \advance\dimen0 by -{SEPARATION}bp",
        rf"\dimen2=\dimen0 \divide\dimen2 by {max(len(columns), 1)}",
    ]
    for place, column in enumerate(columns):
        lines.append(
            rf"\setbox2=\hbox{{\regardfont\strut {column}}}\dimen4=\wd2 \advance\dimen4 by {SEPARATION}bp "
            rf"\dimen6=\ht2 \advance\dimen6 by \dp2 \advance\dimen4 by .5\dimen6 \dimen6=\dimen0 "
            rf"\advance\dimen6 by -.7071\dimen4 \multiply\dimen6 by 2 \divide\dimen6 by {2 * place + 1} "
            r"\ifdim\dimen6<\dimen2 \dimen2=\dimen6 \fi"
        )
    return [*lines, r"\edef\regardcell{\the\dimen2}"]


def _font(points: float) -> str:
    return rf"\fontsize{{{points:g}}}{{{1.2 * points:g}}}\selectfont"


def _cell_colours(value: float, top: float) -> tuple[str, str]:
    """The colours of a cell and of its number, by the share of the largest weight."""
    share = abs(value) / top
    return f"{'regardless' if value < 0 else 'regardmore'}!{100 * share:.0f}", "white" if share > 0.55 else "black!70"


def _fill_colours(fill: str) -> tuple[str, str]:
    red, green, blue = (int(fill[i : i + 2], 16) for i in (1, 3, 5))
    ink = "black!70" if luminance(fill) > _BRIGHT else "white"
    return f"{{rgb,255:red,{red};green,{green};blue,{blue}}}", ink


def _cell(query: int, key: int, value: float, look: tuple[str, str], has_values: bool, *, is_signed: bool) -> list[str]:
    colour, ink = look
    lines = [rf"\filldraw[draw=white, fill={colour}] ({key},{query}) rectangle ({key + 1},{query + 1});"]
    if has_values and abs(value) >= _FAINTEST:
        words = number(value, "+.2f" if is_signed else ".2f").replace("−", "$-$").replace("+", "$+$")
        lines.append(rf"\node[value, text={ink}] at ({key + 0.5:g},{query + 0.5:g}) {{{words}}};")
    return lines
