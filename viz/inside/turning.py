"""The screen of rotary positions (Su et al. 2021): a query and a key are rotated by their token's position.

Each pair of entries is a vector in a plane. As a matrix, the rotation has the cosines on its diagonal and the sines in
the two other entries of each pair; every other entry is zero.
"""

import numpy as np

from model.interpret.inspection_steps import HeadInspection, Turn
from model.trace import Floats
from viz.components.inside.screen import Block, Operand, Rule, Screen, Sign
from viz.i18n import tr
from viz.inside.view import View


def before_turn(head: HeadInspection, vector: str) -> Floats:
    """A head's queries, keys or values (N, K) before rotary positions."""
    if head.turn is None or vector == "value":
        return getattr(head, vector)
    received, to = (head.received, head.to_query) if vector == "query" else (head.key_received, head.to_key)
    product = received @ to.weight
    return product if to.bias is None else product + to.bias


def turn(view: View) -> Screen:
    """A query or a key, its rotation matrix and the result; or all of them, with their angles."""
    head, is_key = view.head, view.vector == "key"
    assert head.turn is not None
    before, after = (head.turn.key_before, head.key) if is_key else (head.turn.query_before, head.query)
    labels, row, letter = (view.keys, view.key, "k") if is_key else (view.queries, view.query, "q")
    title = tr("inside.key" if is_key else "inside.query")
    degrees = (np.degrees(head.turn.angles) + 180) % 360 - 180
    if view.is_matrix:
        blocks = (
            Block(name="before", symbol=letter.upper(), title=title, values=before, rows=labels, place=(1, 1),
                  share=0.3),
            Block(name="angles", symbol="θ", title=tr("inside.angles"), values=degrees, rows=labels, place=(1, 3),
                  share=0.3),
            Block(name="after", symbol=f"{letter.upper()}'", title=tr("inside.turned"), values=after, rows=labels,
                  place=(1, 5), share=0.3),
        )  # fmt: skip
        return Screen(blocks=blocks, signs=(Sign("↻", (1, 2)), Sign("→", (1, 4))), focus=("after", row, 0))
    rows = slice(row, row + 1)
    matrix = turning_matrix(head.turn, row, before.shape[1])
    blocks = (
        Block(name="before", symbol=letter, title=tr("inside.of_token", token=labels[row]), values=before[rows],
              fold=8, numbers=True, place=(1, 1), share=0.3),
        Block(name="matrix", symbol="R_m", title=tr("inside.turning", m=row), values=matrix, place=(1, 3), share=0.24),
        Block(name="after", symbol=f"{letter}'", title=tr("inside.turned"), values=after[rows], fold=8, numbers=True,
              place=(1, 5), share=0.3),
        Block(name="angles", symbol="θ", title=tr("inside.angles"), values=degrees[rows], fold=8, numbers=True,
              place=(2, 1), share=0.3),
    )  # fmt: skip
    rule = Rule(of="after", how="dot", left=Operand("before", "row", "row"),
                right=Operand("matrix", "column", "column"))  # fmt: skip
    is_whole = np.allclose(before[rows] @ matrix, after[rows], atol=1e-4)
    return Screen(blocks=blocks, signs=(Sign("×", (1, 2)), Sign("=", (1, 4))), rules=(rule,) if is_whole else (),
                  focus=("after", 0, 0))  # fmt: skip


def turning_matrix(turn: Turn, place: int, width: int) -> Floats:
    """The rotation matrix (K, K) of a position, for row vectors."""
    matrix = np.eye(width, dtype=np.float32)
    for (first, second), angle in zip(turn.columns, turn.angles[place], strict=True):
        matrix[first, first] = matrix[second, second] = np.cos(angle)
        matrix[first, second], matrix[second, first] = np.sin(angle), -np.sin(angle)
    return matrix
