"""Attention as files: out for programs, papers and friends, and in from any other model."""

from __future__ import annotations

import re
from collections.abc import Callable

import streamlit as st

from model.attention_files import MAX_FILE_BYTES, AttentionRecord, json_bytes, npz_bytes, read_attention
from viz import session
from viz.components.attention import AttentionView
from viz.export import csv_bytes, grid_figure, head_figure, html_page
from viz.i18n import current_language, speaking, tr
from viz.panels import errors, paper
from viz.panels.explorer import head_of, on_screen

_MEMORY = "attention_file"
_FORMATS: dict[str, tuple[str, str]] = {
    "html": ("text/html", "explore.save_html"),
    "csv": ("text/csv", "explore.save_csv"),
    "npz": ("application/octet-stream", "explore.save_npz"),
    "json": ("application/json", "explore.save_json"),
    "head.pdf": ("application/pdf", "export.head_pdf"),
    "heads.pdf": ("application/pdf", "export.grid_pdf"),
}


def menu(view: AttentionView, record: AttentionRecord, *, other: AttentionView | None = None) -> None:
    """Offer what is on screen as files, and take a file in."""
    language, here = current_language(), on_screen()
    writers: dict[str, Callable[[], str | bytes]] = {
        "html": lambda: html_page(view, other=other, language=language, **here),
        "csv": lambda: csv_bytes(record),
        "npz": lambda: npz_bytes(record),
        "json": lambda: json_bytes(record),
        "head.pdf": _in(language, lambda: head_figure(record, **head_of(here))),
        "heads.pdf": _in(
            language, lambda: grid_figure(record, kind=here["state"].kind, first_index=here["first_index"])
        ),
    }
    with st.popover(tr("explore.data"), key="data"):
        for extension, (mime, words) in _FORMATS.items():
            st.download_button(
                tr(words),
                writers[extension],
                file_name=f"{_stem(record)}.{extension}",
                mime=mime,
                key=f"save_{extension}",
                on_click="ignore",
                width="stretch",
            )
        paper.choices(record, here, stem=_stem(record), language=language)
        st.file_uploader(
            tr("explore.open_file"), type=["npz", "json"], key="attention_file", help=tr("explore.open_help"),
            on_change=_take_in, max_upload_size=MAX_FILE_BYTES >> 20,
        )  # fmt: skip
        _say_mishap()


def _in(language: str, write: Callable[[], bytes]) -> Callable[[], bytes]:
    """Downloads are written outside the run, which knows the reader's language."""

    def written() -> bytes:
        with speaking(language):
            return write()

    return written


def opened() -> tuple[str, AttentionRecord] | None:
    """The name and content of the attention file that this session looks at, if any."""
    return session.recall(_MEMORY, lambda: None)


def close() -> None:
    """Look at the sentence again."""
    session.remember(_MEMORY, None)


def _take_in() -> None:
    file = session.value("attention_file")
    if file is None:
        return
    try:
        session.remember(_MEMORY, (file.name, read_attention(file.getvalue())))
        session.remember("attention_mishap", "")
    except errors.USER_ERRORS as error:
        session.remember("attention_mishap", str(error))


def _say_mishap() -> None:
    words = session.recall("attention_mishap", str)
    if words:
        st.text(words)


def _stem(record: AttentionRecord) -> str:
    words = re.sub(r"[^\w]+", "-", record.source_text, flags=re.UNICODE).strip("-").lower()
    return f"attention-{words[:40].rstrip('-')}" if words else "attention"
