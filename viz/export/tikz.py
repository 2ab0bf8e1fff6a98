"""One head as TikZ, to be set in a paper's own fonts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.trace import Floats, ShapeError
from viz.figures.paper import Paper
from viz.figures.shading import BRIGHT
from viz.figures.tokens import printable
from viz.i18n import number
from viz.theme import luminance

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "→": r"$\rightarrow$", "−": r"$-$", "·": r"$\cdot$",
}  # fmt: skip
_LABEL_WIDTH = 0.55
"""Of a character, in units of the font's size: what the longest row label is taken to need."""
_FAINTEST = 0.005


def latex(text: str) -> str:
    """Text in which nothing is a command to LaTeX."""
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
    """A ``figure`` environment for a document that loads ``tikz`` and ``xcolor``.

    Args:
        weights: one head, (Q, K).
        hue: colour of the largest weight, as ``#RRGGBB``; an empty cell is white.
        less_hue: colour of negative values, for signed differences.
        caption: what stands under the figure; plain text.
        is_causal: leave out keys after the query.
        fills: (Q, K) the colour of each cell as ``#RRGGBB``; without it ``hue``, by the share of the largest weight.

    Raises:
        ShapeError: when tokens and weights differ in length.
    """
    if weights.shape != (len(queries), len(keys)):
        raise ShapeError(f"weights {weights.shape} for {len(queries)} query and {len(keys)} key tokens")
    labels = [[latex(printable(token)) for token in tokens] for tokens in (queries, keys)]
    beside = paper.font_points * _LABEL_WIDTH * max((len(printable(token)) for token in queries), default=0) + 6
    cell = max((paper.width_points - beside) / max(len(keys), 1), 2.0)
    top = float(np.nanmax(np.abs(weights), initial=0)) or 1.0
    lines = [
        "% \\usepackage{tikz}  (for scripts beyond Latin, compile with XeLaTeX or LuaLaTeX)",
        r"\begin{figure}[tb]",
        r"\centering",
        *([rf"\definecolor{{regardmore}}{{HTML}}{{{hue.lstrip('#').upper()}}}"] if fills is None else []),
        *([rf"\definecolor{{regardless}}{{HTML}}{{{less_hue.lstrip('#').upper()}}}"] if less_hue else []),
        rf"\begin{{tikzpicture}}[x={cell:.3f}bp, y=-{cell:.3f}bp, line width=0.2bp,",
        rf"  token/.style={{font=\fontsize{{{paper.font_points:g}}}{{{1.2 * paper.font_points:g}}}\selectfont}},",
        rf"  value/.style={{font=\fontsize{{{paper.value_points:g}}}{{{1.2 * paper.value_points:g}}}\selectfont}}]",
    ]
    has_values = paper.has_room_for_values(cell)
    for query in range(len(queries)):
        lines.append(rf"\node[token, anchor=east] at (-0.1,{query + 0.5:g}) {{\strut {labels[0][query]}}};")
        for key in range(len(keys)):
            value = float(weights[query, key])
            if np.isfinite(value) and not (is_causal and key > query):
                look = _scaled(value, top) if fills is None else _filled(fills[query, key])
                lines += _cell(query, key, value, look, has_values, is_signed=less_hue is not None)
    for key in range(len(keys)):
        lines.append(rf"\node[token, anchor=west, rotate=45] at ({key + 0.5:g},-0.15) {{\strut {labels[1][key]}}};")
    lines += [r"\end{tikzpicture}"]
    if caption:
        lines.append(rf"\caption{{{latex(caption)}}}")
    return "\n".join([*lines, r"\label{fig:attention}", r"\end{figure}", ""])


def _scaled(value: float, top: float) -> tuple[str, str]:
    """A cell's colour and its number's, by the share of the largest weight."""
    share = abs(value) / top
    return f"{'regardless' if value < 0 else 'regardmore'}!{100 * share:.0f}", "white" if share > 0.55 else "black!70"


def _filled(fill: str) -> tuple[str, str]:
    red, green, blue = (int(fill[i : i + 2], 16) for i in (1, 3, 5))
    ink = "black!70" if luminance(fill) > BRIGHT else "white"
    return f"{{rgb,255:red,{red};green,{green};blue,{blue}}}", ink


def _cell(query: int, key: int, value: float, look: tuple[str, str], has_values: bool, *, is_signed: bool) -> list[str]:
    colour, ink = look
    lines = [rf"\filldraw[draw=white, fill={colour}] ({key},{query}) rectangle ({key + 1},{query + 1});"]
    if has_values and abs(value) >= _FAINTEST:
        words = number(value, "+.2f" if is_signed else ".2f").replace("−", "$-$").replace("+", "$+$")
        lines.append(rf"\node[value, text={ink}] at ({key + 0.5:g},{query + 0.5:g}) {{{words}}};")
    return lines
