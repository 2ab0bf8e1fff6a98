"""The head on screen as a figure for a paper: width, font and values chosen, the caption as LaTeX."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import streamlit as st

from viz.components.attention import AttentionView
from viz.export import as_read, latex, screen_figure
from viz.figures.paper import ONE_COLUMN_MM, TWO_COLUMNS_MM, Paper
from viz.i18n import number, speaking, tr

COLUMNS = {"one": ONE_COLUMN_MM, "two": TWO_COLUMNS_MM}
FORMATS: dict[str, tuple[Literal["pdf", "svg", "png", "tikz"], str, str]] = {
    "PDF": ("pdf", "pdf", "application/pdf"),
    "SVG": ("svg", "svg", "image/svg+xml"),
    "PNG, 300 dpi": ("png", "png", "image/png"),
    "TikZ": ("tikz", "tex", "application/x-tex"),
}


def choices(view: AttentionView, on_screen: Callable[[], dict[str, Any]], *, stem: str, language: str) -> None:
    """Draw the choices, the download and the caption.

    Args:
        on_screen: gives the state that is shown (``explorer.on_screen``); called when the file is asked for.
    """
    with st.expander(tr("export.paper"), key="paper"):
        columns = st.segmented_control(
            tr("export.paper_columns"), list(COLUMNS), default="one", required=True, key="paper_columns",
            format_func=lambda name: tr(f"export.paper_{name}", n=number(COLUMNS[name], ".0f")),
        )  # fmt: skip
        left, right = st.columns(2)
        # Each choice has a field of its own, which begins at that width and keeps what is typed over it.
        width = left.number_input(
            tr("export.paper_width"), 30.0, 400.0, COLUMNS[columns], 1.0, format="%.0f", key=f"paper_width_{columns}"
        )
        font = right.number_input(tr("export.paper_font"), 4.0, 24.0, 8.0, 0.5, format="%.1f", key="paper_font")
        paper = Paper(width, font, st.toggle(tr("export.paper_values"), value=True, key="paper_values"))
        shown = st.segmented_control(
            tr("export.paper_format"), list(FORMATS), default="PDF", required=True, key="paper_format"
        )
        file_format, extension, mime = FORMATS[shown]
        read = as_read(view, **on_screen())
        fits = paper.guessed_cell(read.queries, read.keys) >= paper.least_cell
        if not fits:  # a file is written outside the run, when it is too late to show a message
            st.warning(tr("export.paper_narrow", n=len(read.keys), width=number(width, ".0f"), font=number(font, "g")))
        st.download_button(
            f"{tr('export.paper_save')} ({shown})",
            partial(_written, view, on_screen, paper, file_format, language),
            file_name=f"{stem}.figure.{extension}", mime=mime, key="save_paper", on_click="ignore", width="stretch",
            disabled=not fits,
        )  # fmt: skip
        st.caption(tr("export.paper_caption"))
        st.code(rf"\caption{{{latex(read.caption)}}}", language="latex", wrap_lines=True)


def _written(
    view: AttentionView, on_screen: Callable[[], dict[str, Any]], paper: Paper,
    file_format: Literal["pdf", "svg", "png", "tikz"], language: str,
) -> bytes:  # fmt: skip
    with speaking(language):
        return screen_figure(view, **on_screen(), file_format=file_format, paper=paper)
