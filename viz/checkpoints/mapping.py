"""For a file that no family recognises: the toolkit it resembles, an editable mapping of tensor names, and attention
files as an alternative."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from model.checkpoints.answers.mapping import NAMES, Line, hidden_fields, line_of_choice, to_toml
from model.checkpoints.answers.placing import points_at
from viz.checkpoints import draft as checkpoint_draft
from viz.checkpoints.draft import Draft
from viz.i18n import sentences, tr
from viz.plain_text import escape_markdown
from viz.state import clicks

_JOIN = " + "
_COLUMNS = ("theirs", "ours", "shape", "count", "turned")
"""In this order: a phone shows the first two."""
_LINES = """import numpy as np
cross = np.stack([layer[0].detach().cpu().numpy() for layer in cross_attentions])  # (layers, heads, target, source)
np.savez_compressed("attention.npz", cross=cross, source_tokens=np.array(source), target_tokens=np.array(target))"""


def mapping(draft: Draft) -> None:
    """Draw the mapping table, its download and upload; nothing where there is no mapping."""
    names = draft.names
    if names is None:
        return
    if names.suspicion is not None and draft.diagnosis is None:
        toolkit = tr("mapping.suspect", toolkit=escape_markdown(names.suspicion.toolkit))
        st.info(sentences(toolkit, tr(f"mapping.advice_{names.suspicion.advice}")), icon=":material/lightbulb:")
    if not names.lines:
        return
    is_open = draft.diagnosis is not None
    with st.expander(tr("mapping.title"), expanded=not is_open, icon=":material/table:", key="checkpoint_map"):
        st.caption(tr("mapping.lead"))
        with st.form("checkpoint_mapping", border=False):
            wrong = getattr(draft.problem, "rows", ()) if draft.diagnosis is None else ()
            lines = _table(names.lines, draft, wrong)
            if clicks.submit_button(tr("mapping.open"), type="primary", key="map_open", about=draft.number):
                checkpoint_draft.map_names(draft, lines)
                st.rerun()
        left, right = st.columns(2)
        with left:
            _download(lines, draft)
        with right:
            file = st.file_uploader(
                tr("mapping.file"), type=["toml"], key=f"map_file_{draft.number}", max_upload_size=1
            )
            if file is not None and file.file_id != draft.mapping_id:
                checkpoint_draft.map_by_file(draft, file)
                st.rerun()


def other_way() -> None:
    """Draw three lines of code that write an attention file, for a model that cannot be opened."""
    st.markdown(tr("mapping.other_way"))
    st.code(_LINES, language="python")
    st.caption(tr("mapping.other_way_then"))


def _table(proposal: tuple[Line, ...], draft: Draft, wrong: Sequence[str]) -> tuple[Line, ...]:
    """Draw the table, and return its lines as edited by the reader.

    Args:
        wrong: names on either side that did not fit at the last attempt; their lines come first.
    """
    marks = {line.pattern: points_at(wrong, line.pattern, line.ours) for line in proposal}
    lines = tuple(sorted(proposal, key=lambda line: (not marks[line.pattern], bool(line.ours))))
    ignored = tr("mapping.ignored")
    proposed = [_JOIN.join(line.ours) or ignored for line in lines]
    options = list(dict.fromkeys([ignored, *(name for name in proposed if _JOIN in name), *NAMES]))
    rows: list[dict[str, Any]] = [
        {
            "theirs": line.pattern, "shape": " × ".join(map(str, line.shape)), "count": line.count, "ours": ours,
            "turned": line.is_transposed, "wrong": "⚠" if marks[line.pattern] else "",
        }
        for line, ours in zip(lines, proposed, strict=True)
    ]  # fmt: skip
    edited = st.data_editor(
        rows, key=f"map_table_{draft.number}", hide_index=True, height=min(38 * (len(rows) + 1), 460),
        disabled=["theirs", "shape", "count", "wrong"],
        column_order=(*(("wrong",) if any(marks.values()) else ()), *_COLUMNS),
        column_config={
            "wrong": st.column_config.TextColumn(tr("mapping.wrong"), width=60, help=tr("mapping.wrong_help")),
            "theirs": st.column_config.TextColumn(tr("mapping.theirs"), width=240),
            "shape": st.column_config.TextColumn(tr("mapping.shape"), width="small"),
            "count": st.column_config.NumberColumn(tr("mapping.count"), width="small"),
            "ours": st.column_config.SelectboxColumn(
                tr("mapping.ours"), options=options, width=280, help=tr("mapping.ours_help")
            ),
            "turned": st.column_config.CheckboxColumn(
                tr("mapping.turned"), width="small", help=tr("mapping.turned_help")
            ),
        },
    )  # fmt: skip
    return tuple(
        line_of_choice(
            line, "" if row["ours"] in (None, ignored) else str(row["ours"]), is_transposed=bool(row["turned"])
        )
        for line, row in zip(lines, edited, strict=True)
    )


def _download(lines: tuple[Line, ...], draft: Draft) -> None:
    """Draw the download of the mapping, with the answers once the model is open."""
    config = draft.diagnosis.bundle.config if draft.diagnosis is not None else None
    st.download_button(
        tr("mapping.save"),
        to_toml(lines, hidden_fields(config) if config is not None else None,
                by_head=bool(draft.hints.get("fused_by_head"))),
        "mapping.toml", "application/toml", icon=":material/download:", key="map_save", on_click="ignore",
        help=tr("mapping.save_help"),
    )  # fmt: skip
