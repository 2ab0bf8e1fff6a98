"""What the component draws: blocks of numbers on a grid, the signs between them, and how each number was computed."""

from dataclasses import dataclass
from typing import Literal

from model.trace import Floats, ShapeError

Place = tuple[int, int]
"""Row and column of the grid, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A matrix of numbers; a vector is a matrix of one row."""

    name: str
    """Referred to by rules."""
    symbol: str = ""
    """Its name in the formula: "q", "W_Q"; an underscore makes an index."""
    title: str = ""
    values: Floats
    """(R, C)"""
    place: Place | None = None
    """None for numbers that rules need and the screen does not show."""
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    scale: Literal["signed", "weight", "mask", "plain"] = "signed"
    fold: int = 0
    """Numbers on a line, for a vector that is drawn over several lines."""
    numbers: bool = False
    """Cells are made large enough for their numbers."""
    bars: bool = False
    """Shares of 1, each as a bar."""
    share: float = 1.0
    """Part of the component's width that the block may take."""
    marked: tuple[int, int] | None = None
    """First and last column of the part that belongs to the head."""

    def __post_init__(self) -> None:
        if self.values.ndim != 2:
            raise ShapeError(f"block {self.name} must be (rows, columns), not {self.values.shape}")
        if self.rows and len(self.rows) != len(self.values):
            raise ShapeError(f"block {self.name} has {len(self.values)} rows and {len(self.rows)} labels")


@dataclass(frozen=True, slots=True)
class Sign:
    """The sign between two blocks: ×, =, a softmax."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Operand:
    """One line of a block: the row or the column whose number is the result's row, its column, or the first."""

    block: str
    line: Literal["row", "column"]
    at: Literal["row", "column", "first"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How the numbers of one block follow from others; the browser writes the arithmetic out."""

    of: str
    how: Literal["dot", "sum", "divide", "cap", "mask", "softmax", "norm"]
    left: Operand | None = None
    """Of a dot product."""
    right: Operand | None = None
    bias: str = ""
    """A block (1, C) added by the result's column."""
    wrapped: str = ""
    """A function around the dot product: "ReLU"."""
    times: str = ""
    """A block of the result's shape that multiplies it then: a gate."""
    parts: tuple[str, ...] = ()
    """Blocks of the result's shape: what is summed, divided, squeezed, masked, exponentiated or normalised."""
    factor: float = 1.0
    """On the first part of a sum; the divisor of a division; what a cap squeezes to."""
    over: Literal["row", "column"] = "row"
    """Along what a softmax sums to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """One step."""

    blocks: tuple[Block, ...]
    signs: tuple[Sign, ...] = ()
    rules: tuple[Rule, ...] = ()
    focus: tuple[str, int, int] = ("", 0, 0)
    """The cell whose arithmetic is shown until the reader points at another: block, row, column."""
    product: tuple[Operand, Operand] | None = None
    """Draw the element-wise product of these lines for the cell in focus."""
