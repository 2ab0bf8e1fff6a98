"""Charts as files for papers and slides, without a browser (by vl-convert)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import vl_convert

from model.lazy import Library
from viz.theme import FONT, Mode, altair_theme

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd
else:
    alt, pd = Library("altair"), Library("pandas")

Figure: TypeAlias = "alt.Chart | alt.LayerChart | alt.FacetChart | alt.ConcatChart"
"""What the functions of this package return; ``st.altair_chart`` and notebooks draw it."""
FigureFormat = Literal["svg", "png", "pdf"]


PRINT_FONT = '"Source Sans 3", "Helvetica Neue", "Liberation Sans", Arial, "DejaVu Sans", sans-serif'
"""Installed fonts with → and −, which the renderer's Noto Sans lacks."""


def with_theme(chart: Any, mode: Mode, **properties: Any) -> Figure:
    """The chart in the theme's colours and fonts, with properties such as its size and title."""
    return chart.properties(**properties).configure(**altair_theme(mode))


def tooltips(*columns: str) -> list[alt.Tooltip]:
    """Tooltips of numbers with three decimals."""
    return [alt.Tooltip(f"{column}:Q", format=".3f") for column in columns]


def render(
    chart: Figure,
    file_format: FigureFormat,
    *,
    transparent: bool = True,
    background: str = "#FFFFFF",
    scale: float = 2,
    padding: float = 12,
    dots_per_inch: float = 72,
) -> bytes:
    """The chart as a file.

    Args:
        transparent: leave the background out; else it has the colour ``background``.
        scale: enlarges a PNG.
        padding: points around the chart.
        dots_per_inch: of a PNG, also written into it, so that a document shows it at its size.

    Raises:
        ValueError: for another format.
    """
    if file_format not in get_args(FigureFormat):
        raise ValueError(f"the format is {file_format!r}: choose {', '.join(get_args(FigureFormat))}")
    spec = _with_print_font(chart.to_dict())
    spec["background"] = "transparent" if transparent else background
    spec["config"] = {**spec.get("config", {}), "background": spec["background"]}
    spec["padding"] = padding
    if file_format == "svg":
        return vl_convert.vegalite_to_svg(spec).encode("utf-8")
    if file_format == "png":
        return vl_convert.vegalite_to_png(spec, scale=scale, ppi=dots_per_inch)
    return vl_convert.vegalite_to_pdf(spec)


def _with_print_font(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: _with_print_font(value) for key, value in part.items()}
    if isinstance(part, list):
        return [_with_print_font(value) for value in part]
    return PRINT_FONT if part == FONT else part
