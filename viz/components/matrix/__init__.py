"""Grids of signed numbers in a diverging palette whose neutral colour is 0: effects of heads, of tokens."""

from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np

from model.interventions import AttentionKind
from model.trace import Floats
from viz.components.source import Source
from viz.i18n import current_language, tr
from viz.theme import in_both_modes

SOURCE = Source("matrix", "component.js")
_render = SOURCE.mount()


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One grid."""

    title: str
    kind: str
    """The kind of attention, for its hue; empty for none."""
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: Floats
    """(rows, columns), signed; NaN is unknown."""
    off: tuple[tuple[int, int], ...] = ()
    """Cells with a ring: the heads that are off."""
    rows_name: str = ""
    columns_name: str = ""
    picture: str = ""
    """The text form of the picture whose strips are the columns."""
    strip: int = 0
    """Width of a strip in pixels; 0 without a picture."""


def heads_block(
    kind: AttentionKind, values: Floats, *, first_index: int, names: tuple[str, str],
    off: tuple[tuple[int, int], ...] = (),
) -> Block:  # fmt: skip
    """A grid of the heads of one kind (L, H).

    Args:
        names: of the axis of layers and the axis of heads.
        off: (layer, head) of heads that are switched off.
    """
    rows, columns = (tuple(str(n + first_index) for n in range(size)) for size in values.shape)
    return Block(title=tr(f"frame.kind_{kind}"), kind=kind, rows=rows, columns=columns, values=values, off=off,
                 rows_name=names[0], columns_name=names[1])  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """Grids on one scale."""

    blocks: tuple[Block, ...]
    digits: int
    help: str
    """The tooltip of a cell, with {row}, {column} and {value}."""
    unknown: str
    """The tooltip of an unknown cell."""
    is_signed: bool = True
    """Whether positive numbers have a plus sign."""
    can_click: bool = False
    is_stacked: bool = False
    """Whether grids are below each other, each with its own scale."""


def matrix(shown: Matrix, *, key: str, on_cell: Callable[[], None] | None = None) -> None:
    """Draw the grids; a click arrives as ``cell``: [block, row, column]."""
    limits = [float(np.nan_to_num(np.abs(block.values)).max(initial=0.0)) for block in shown.blocks]
    blocks = [
        asdict(block)
        | {"limit": limits[place] if shown.is_stacked else max(limits)}
        | {"values": [[None if value != value else round(float(value), 5) for value in row] for row in block.values]}
        for place, block in enumerate(shown.blocks)
    ]
    data = {
        "blocks": blocks,
        "isStacked": shown.is_stacked,
        "digits": shown.digits,
        "help": shown.help,
        "unknown": shown.unknown,
        "canClick": shown.can_click,
        "language": current_language(),
        "isSigned": shown.is_signed,
        "colours": in_both_modes("panel", "less", "more"),
    }
    _render(data=data, key=key, on_cell_change=on_cell or (lambda: None))
