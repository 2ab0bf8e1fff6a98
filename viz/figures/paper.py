"""Figures of a fixed width, such as a journal's column."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from viz.figures.rendering import Figure, FigureFormat, render
from viz.figures.tokens import printable
from viz.theme import Mode, altair_theme

POINTS_PER_MM = 72 / 25.4
ONE_COLUMN_MM, TWO_COLUMNS_MM = 84.0, 174.0
"""Widths that most journals and proceedings accept for one column and for the whole page."""
SEPARATION = 2
"""Points between a label and the cells."""
_LABEL_WIDTH = 0.55
"""Estimated width of a character, in ems."""
_PADDING = 2.0
_SMALLEST_CELL = 2.0
_MAX_TRIALS = 6
_SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)"')


@dataclass(frozen=True, slots=True)
class Paper:
    """Print size of a figure.

    Args:
        width_mm: the whole figure's width, 30 to 400.
        font_points: size of the tokens, 4 to 24; the numbers in the cells are a little smaller.
        has_values: write the weight into each cell where it fits.

    Raises:
        ValueError: for a size outside these ranges.
    """

    width_mm: float = ONE_COLUMN_MM
    font_points: float = 8.0
    has_values: bool = True

    def __post_init__(self) -> None:
        if not 30 <= self.width_mm <= 400:
            raise ValueError(f"the width ({self.width_mm:g} mm) must be from 30 to 400 mm")
        if not 4 <= self.font_points <= 24:
            raise ValueError(f"the font ({self.font_points:g} pt) must be from 4 to 24 points")

    @property
    def width_points(self) -> float:
        """The width in points of 1/72 inch, which is the renderer's unit."""
        return self.width_mm * POINTS_PER_MM

    @property
    def spans_columns(self) -> bool:
        """Whether it is wider than a column of a page with two."""
        return self.width_mm > 1.25 * ONE_COLUMN_MM

    @property
    def least_cell(self) -> float:
        """Points of a cell below which neighbouring labels overlap."""
        return max(_SMALLEST_CELL, 0.4 * self.font_points)

    def guessed_cell(self, rows: Sequence[str], columns: Sequence[str]) -> float:
        """Estimated size in points of a cell beside and below labels of these tokens."""
        character, slant = self.font_points * _LABEL_WIDTH, 0.71
        room = self.width_points - SEPARATION - character * max((len(printable(token)) for token in rows), default=0)
        reach = [slant * (character * len(printable(token)) + SEPARATION + 0.6 * self.font_points) for token in columns]
        return min([room / max(len(columns), 1), *((room - slanted) / (i + 0.5) for i, slanted in enumerate(reach))])

    def too_narrow(self, n_columns: int) -> ValueError:
        """The error for a figure whose labels leave no room for its cells."""
        return ValueError(
            f"{n_columns} columns do not fit into {self.width_mm:g} mm beside labels of {self.font_points:g} pt: "
            f"choose a wider figure or a smaller font"
        )

    @property
    def value_points(self) -> float:
        """The size of the numbers in the cells."""
        return 0.8 * self.font_points

    def has_room_for_values(self, cell: float) -> bool:
        """Whether a number such as 0.27 fits into a cell of ``cell`` points."""
        return self.has_values and cell >= 2.1 * self.value_points


def chart_theme(paper: Paper, mode: Mode) -> dict[str, Any]:
    """A chart's theme with the paper's font sizes."""
    theme = altair_theme(mode)
    letters = {"labelFontSize": 0.9 * paper.font_points, "titleFontSize": paper.font_points}
    return theme | {"axis": {**theme["axis"], **letters}, "legend": {**theme["legend"], **letters}}


def fit_width(make: Callable[[float], Figure], paper: Paper, n_columns: int, *, first: float = 10.0) -> Figure:
    """The chart with the paper's total width.

    Only the renderer can measure the labels, so the chart is drawn, measured and corrected until it fits to a tenth of
    a point.

    Args:
        make: the chart for a cell size in points.
        n_columns: cells in a row.
        first: the first cell size to try.

    Raises:
        ValueError: when the labels alone are wider than the paper.
    """
    cell = first
    for _ in range(_MAX_TRIALS):
        missing = paper.width_points - _size_of(render(make(cell), "svg", padding=_PADDING).decode("utf-8"))[0]
        if abs(missing) < 0.1:
            break
        cell += missing / max(n_columns, 1)
        if cell < _SMALLEST_CELL:
            raise paper.too_narrow(n_columns)
    return make(cell)


def render_for(chart: Figure, paper: Paper, file_format: FigureFormat) -> bytes:
    """The chart as a file of the paper's width: points in a PDF, 300 dots an inch in a PNG, millimetres in an SVG."""
    if file_format == "svg":
        svg = render(chart, "svg", padding=_PADDING).decode("utf-8")
        width, height = _size_of(svg)
        physical = f'width="{paper.width_mm:g}mm" height="{height / width * paper.width_mm:.2f}mm"'
        return _SIZE.sub(physical, svg, count=1).encode("utf-8")
    if file_format == "png":
        return render(chart, "png", padding=_PADDING, transparent=False, scale=1, dots_per_inch=300)
    return render(chart, "pdf", padding=_PADDING)


def _size_of(svg: str) -> tuple[float, float]:
    """Width and height in points, padding included."""
    size = _SIZE.search(svg)
    assert size is not None
    return float(size[1]), float(size[2])
