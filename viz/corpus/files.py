"""Tables and figures of the Corpus page as files."""

import io
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import pandas as pd
import streamlit as st

from viz.figures.rendering import render
from viz.i18n import tr
from viz.spreadsheets import plain
from viz.state import session
from viz.theme import Mode, palette

_FIGURES: tuple[Literal["svg", "pdf", "png"], ...] = ("svg", "pdf", "png")
_MIME = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}


def save(frame: pd.DataFrame | Callable[[], pd.DataFrame], chart: Any = None, *, name: str) -> None:
    """Offer a table, or a function that makes it on demand, as CSV and Parquet, and its figure as SVG, PDF and PNG."""
    with st.popover(tr("corpus.save"), key=f"corpus_save_{name}"), st.container(horizontal=True, gap="small"):
        writers = {"csv": partial(_table, _csv, frame), "parquet": partial(_table, _parquet, frame)}
        if chart is not None:
            writers |= {extension: partial(figure_file, chart, extension, session.mode()) for extension in _FIGURES}
        for extension, write in writers.items():
            st.download_button(
                extension.upper(), write, file_name=f"{name}.{extension}", mime=_MIME.get(extension),
                on_click="ignore", key=f"corpus_{name}_{extension}",
            )  # fmt: skip


def _table(write: Callable[[pd.DataFrame], bytes], frame: pd.DataFrame | Callable[[], pd.DataFrame]) -> bytes:
    return write(frame() if callable(frame) else frame)


def _csv(frame: pd.DataFrame) -> bytes:
    escaped = frame.map(lambda value: plain(value) if isinstance(value, str) else value)
    escaped.columns = [plain(str(name)) for name in escaped.columns]  # a query may give them any name
    return escaped.to_csv(index=False, float_format="%.7g").encode()  # as many digits as a survey's float32 has


def _parquet(frame: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.to_parquet(buffer, index=False)
    return buffer.getvalue()


def figure_file(chart: Any, file_format: Literal["svg", "pdf", "png"], mode: Mode) -> bytes:
    """A figure as a file, on the background that its colours were chosen for: white, or the dark theme's."""
    fixed = chart.copy(deep=True)
    if getattr(fixed, "width", None) == "container":
        fixed = fixed.properties(width=620)
    background = palette(mode).page if mode == "dark" else "#FFFFFF"
    return render(fixed, file_format, transparent=False, background=background)
