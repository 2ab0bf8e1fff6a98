"""Downloads of attention as files and as a figure for a paper, and the upload of attention from any other model."""

import re
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import streamlit as st

from model.attention_files import MAX_FILE_BYTES, AttentionRecord, json_bytes, npz_bytes
from model.checkpoints.sandbox import read_attention_sandboxed
from viz import budget
from viz.components.attention import AttentionView
from viz.export import as_read, csv_bytes, html_page, latex, screen_figure, screen_grid
from viz.figures.paper import ONE_COLUMN_MM, TWO_COLUMNS_MM, Paper
from viz.i18n import current_language, number, speaking, tr
from viz.panels import errors
from viz.panels.explorer import consume_file_request, on_screen
from viz.plain_text import escape_markdown, public_message
from viz.results import size_of as size_of_value
from viz.state import session

_MEMORY, _ACCEPTED = "attention_file", "attention_file_taken"
_FORMATS: dict[str, tuple[str, str]] = {
    "html": ("text/html", "explore.save_html"),
    "csv": ("text/csv", "explore.save_csv"),
    "npz": ("application/octet-stream", "explore.save_npz"),
    "json": ("application/json", "explore.save_json"),
    "head.pdf": ("application/pdf", "export.head_pdf"),
    "heads.pdf": ("application/pdf", "export.grid_pdf"),
}


PaperFormat: TypeAlias = Literal["pdf", "svg", "png", "tikz"]
_COLUMNS = {"one": ONE_COLUMN_MM, "two": TWO_COLUMNS_MM}
_PAPER_FORMATS: dict[str, tuple[PaperFormat, str, str]] = {
    "PDF": ("pdf", "pdf", "application/pdf"),
    "SVG": ("svg", "svg", "image/svg+xml"),
    "PNG, 300 dpi": ("png", "png", "image/png"),
    "TikZ": ("tikz", "tex", "application/x-tex"),
}

ViewAndRecord: TypeAlias = tuple[AttentionView, AttentionRecord]
"""One sentence in one model, as drawn and as written to files."""


def dialog(first: ViewAndRecord, *, other: ViewAndRecord | None = None) -> None:
    """If the reader has asked for it, open the dialog with downloads and an upload.

    Args:
        other: the view to compare with; the HTML page contains both, the other files the chosen one.
    """
    if consume_file_request():
        st.dialog(tr("explore.data"))(lambda: _offer(first, other))()


def _offer(first: ViewAndRecord, other: ViewAndRecord | None) -> None:
    chosen = first if other is None else _choose_files_of(first, other)
    _files(chosen, first[0], None if other is None else other[0])
    st.file_uploader(
        tr("explore.open_file"), type=["npz", "json"], key="attention_file", help=tr("explore.open_help"),
        on_change=_accept_upload, max_upload_size=MAX_FILE_BYTES >> 20,
    )  # fmt: skip
    if error := session.recall("attention_mishap", str):
        st.text(error)
    if session.recall(_ACCEPTED, bool):
        session.remember(_ACCEPTED, False)
        st.rerun()


def _choose_files_of(first: ViewAndRecord, other: ViewAndRecord) -> ViewAndRecord:
    """Draw the choice between two compared readings, and return the chosen one."""
    views = (first[0], other[0])
    place = st.segmented_control(
        tr("export.which"), (0, 1), default=0, required=True, key="export_which",
        format_func=lambda place: f"{place + 1}: {escape_markdown(views[place].caption)}",
    )  # fmt: skip
    return (first, other)[place or 0]


def _files(chosen: ViewAndRecord, first: AttentionView, other: AttentionView | None) -> None:
    (view, record), language, state = chosen, current_language(), on_screen()
    writers: dict[str, Callable[[], str | bytes]] = {
        "html": lambda: html_page(first, other=other, language=language, **state()),
        "csv": lambda: csv_bytes(record),
        "npz": lambda: npz_bytes(record),
        "json": lambda: json_bytes(record),
        "head.pdf": _in_language(language, lambda: screen_figure(view, **state())),
        "heads.pdf": _in_language(language, lambda: screen_grid(view, **state())),
    }
    for extension, (mime, words) in _FORMATS.items():
        st.download_button(
            tr(words),
            writers[extension],
            file_name=f"{stem_of(record)}.{extension}",
            mime=mime,
            key=f"save_{extension}",
            on_click="ignore",
            width="stretch",
        )
    _paper(view, state, stem=stem_of(record), language=language)


def _paper(view: AttentionView, state: Callable[[], dict[str, Any]], *, stem: str, language: str) -> None:
    """Draw the head as a figure for a paper: width, font, values and format, the download, and the caption as LaTeX.

    Args:
        state: as ``explorer.on_screen`` gives it; called when the file is downloaded.
    """
    with st.expander(tr("export.paper"), key="paper"):
        columns = st.segmented_control(
            tr("export.paper_columns"), list(_COLUMNS), default="one", required=True, key="paper_columns",
            format_func=lambda name: tr(f"export.paper_{name}", n=number(_COLUMNS[name], ".0f")),
        )  # fmt: skip
        left, right = st.columns(2)
        # Each choice has its own field, which begins at that width and keeps the reader's value.
        width = left.number_input(
            tr("export.paper_width"), 30.0, 400.0, _COLUMNS[columns], 1.0, format="%.0f", key=f"paper_width_{columns}"
        )
        font = right.number_input(tr("export.paper_font"), 4.0, 24.0, 8.0, 0.5, format="%.1f", key="paper_font")
        paper = Paper(width, font, st.toggle(tr("export.paper_values"), value=True, key="paper_values"))
        shown = st.segmented_control(
            tr("export.paper_format"), list(_PAPER_FORMATS), default="PDF", required=True, key="paper_format"
        )
        file_format, extension, mime = _PAPER_FORMATS[shown]
        head = as_read(view, **state())
        fits = paper.guessed_cell(head.queries, head.keys) >= paper.least_cell
        if not fits:  # a file is written outside the run, when it is too late to show a message
            st.warning(tr("export.paper_narrow", n=len(head.keys), width=number(width, ".0f"), font=number(font, "g")))
        st.download_button(
            f"{tr('export.paper_save')} ({shown})",
            _in_language(language, lambda: screen_figure(view, **state(), file_format=file_format, paper=paper)),
            file_name=f"{stem}.figure.{extension}", mime=mime, key="save_paper", on_click="ignore", width="stretch",
            disabled=not fits,
        )  # fmt: skip
        st.caption(tr("export.paper_caption"))
        st.code(rf"\caption{{{latex(head.caption)}}}", language="latex", wrap_lines=True)


def _in_language(language: str, write: Callable[[], bytes]) -> Callable[[], bytes]:
    """``write`` in the reader's language, for downloads, which are written outside the script run."""

    def write_in_language() -> bytes:
        with speaking(language):
            return write()

    return write_in_language


def open_attention_file() -> tuple[str, AttentionRecord] | None:
    """The name and content of the attention file that this session has open, if any."""
    return session.recall(_MEMORY, lambda: None)


def close() -> None:
    """Close the attention file and return to the sentence."""
    budget.hold("results", 0)
    session.remember(_MEMORY, None)


def _accept_upload() -> None:
    file = session.widget_value("attention_file")
    if file is None:
        return
    try:
        with budget.releasing("results"):
            record = read_attention_sandboxed(
                file.getvalue(), check_room=lambda n_bytes: budget.ask("results", n_bytes, instead=True)
            )
            session.remember(_MEMORY, (file.name, record))
            session.remember(_ACCEPTED, True)
            budget.hold("results", size_of_value(record))
        session.remember("attention_mishap", "")
    except errors.USER_ERRORS as error:
        session.remember("attention_mishap", public_message(error))


def stem_of(record: AttentionRecord) -> str:
    parts = (record.source_text[:40], record.target_language[:16])
    words = (re.sub(r"[^\w]+", "-", part, flags=re.UNICODE).strip("-").lower() for part in parts)
    return "-".join(filter(None, ("attention", *words)))
