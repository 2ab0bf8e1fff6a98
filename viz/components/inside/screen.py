"""The content of the component: blocks of numbers on a grid, signs between them, and the arithmetic of each number."""

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
    """Its name in the formula: "q", "W_Q"; an underscore begins an index."""
    title: str = ""
    values: Floats
    """(R, C)"""
    place: Place | None = None
    """None for numbers that are used by rules only."""
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    scale: Literal["signed", "weight", "mask", "plain"] = "signed"
    fold: int = 0
    """Numbers per line, for a vector that is drawn over several lines."""
    numbers: bool = False
    """Whether cells are large enough for their numbers."""
    bars: bool = False
    """Whether the numbers are drawn as bars, shares of 1."""
    share: float = 1.0
    """Maximum share of the component's width."""
    marked: tuple[int, int] | None = None
    """First and last column of the head's part."""

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
    """A line of a block: the row or column whose index is the result's row, the result's column, or 0."""

    block: str
    line: Literal["row", "column"]
    at: Literal["row", "column", "first"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """The computation of a block's numbers from others; the browser writes the arithmetic out."""

    of: str
    how: Literal["dot", "sum", "divide", "cap", "mask", "softmax", "norm"]
    left: Operand | None = None
    """Of a dot product."""
    right: Operand | None = None
    bias: str = ""
    """A block (1, C), added to each row."""
    wrapped: str = ""
    """A function of the dot product: "ReLU"."""
    times: str = ""
    """A block of the result's shape, the final factor: a gate."""
    parts: tuple[str, ...] = ()
    """Operands of the result's shape for rules other than "dot"."""
    factor: float = 1.0
    """Of the first part of a sum; the divisor of a division; the bound of a cap."""
    over: Literal["row", "column"] = "row"
    """The axis of a softmax."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """One step."""

    blocks: tuple[Block, ...]
    signs: tuple[Sign, ...] = ()
    rules: tuple[Rule, ...] = ()
    focus: tuple[str, int, int] = ("", 0, 0)
    """The first cell whose arithmetic is shown: block, row, column."""
    product: tuple[Operand, Operand] | None = None
    """The lines whose element-wise product is drawn for the cell in focus."""
