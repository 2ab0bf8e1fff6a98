"""Exports: tables, files for programs, and a page that opens anywhere."""

from viz.export.as_read import as_read
from viz.export.figure import head_caption, head_figure, screen_figure, screen_grid
from viz.export.page import html_page
from viz.export.tables import csv_bytes
from viz.export.tikz import latex
from viz.export.views import Shown, record_of, view_of

__all__ = [
    "Shown", "as_read", "csv_bytes", "head_caption", "head_figure", "html_page", "latex", "record_of", "screen_figure",
    "screen_grid", "view_of",
]  # fmt: skip
