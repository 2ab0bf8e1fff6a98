"""A survey of one's own pairs, for this session alone."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from pathlib import Path

import streamlit as st

from model.corpus.gold import Pair, decode_lines
from model.corpus.pairs import pairs_of_lines
from model.corpus.survey import Survey, survey
from viz import session
from viz.i18n import tr
from viz.panels import errors
from viz.panels.corpus.choices import close_own, is_own, open_own
from viz.panels.reading import current_bundle

MOST_PAIRS = 1_000


class Folder:
    """A folder that goes when the session's memory of it goes."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="regard-survey-"))

    def __del__(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)


def menu(current: Survey) -> None:
    """What is open, and a way to survey other pairs."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="corpus_survey"):
        st.caption(
            tr("corpus.opened_own" if is_own() else "corpus.opened", n=f"{current.n_done:,}", model=current.model),
            width="content",
        )
        if is_own():
            st.button(tr("corpus.close"), key="corpus_close", on_click=close_own, type="tertiary")
        with st.popover(tr("corpus.other_pairs"), key="corpus_other"):
            st.caption(tr("corpus.upload_help", most=f"{MOST_PAIRS:,}"))
            file = st.file_uploader(tr("corpus.upload"), type=["tsv", "txt"], key="corpus_pairs", max_upload_size=5)
            if file is not None and st.button(tr("corpus.start"), key="corpus_start", type="primary"):
                with errors.explained():
                    _run(pairs_of_lines(decode_lines(file.getvalue(), file.name), file.name))
    left_out = current.skipped
    if left_out:
        st.caption(tr("corpus.left_out", n=len(left_out), number=left_out[0][0] + 1, reason=left_out[0][1]))


def _run(pairs: tuple[Pair, ...]) -> None:
    """A rerun in the middle, by any click, cancels it."""
    bar = st.progress(0.0)
    folder = session.recall("corpus.folder", Folder)
    place = folder.path / secrets.token_hex(4)
    survey(
        current_bundle(), pairs[:MOST_PAIRS], place, shard_size=200,
        on_progress=lambda done, total: bar.progress(
            done / total, tr("corpus.running", done=f"{done:,}", total=f"{total:,}")
        ),
    )  # fmt: skip
    open_own(place)
    st.rerun()
