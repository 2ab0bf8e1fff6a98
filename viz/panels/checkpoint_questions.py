"""What a checkpoint does not tell: one field for each question, the likely value filled in, the evidence under it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from model.checkpoints.report import Question
from viz.i18n import tr
from viz.panels import checkpoint_draft
from viz.panels.checkpoint_draft import Draft

_SCALES = "embedding_scale"
_HEAD_COLUMNS = {"head_entropy": "entropy", "heads_confidence": "log_prob"}


def questions(draft: Draft) -> None:
    """Draw the form; an answer opens the checkpoint again."""
    assert draft.diagnosis is not None
    asked = draft.diagnosis.questions
    if not asked:
        return
    st.markdown(f"**{tr('checkpoints.asked')}**")
    st.caption(tr("checkpoints.asked_lead"))
    with st.form("checkpoint_questions", border=True):
        columns = st.columns(2)
        answers = {}
        for index, question in enumerate(asked):
            with columns[index % 2]:
                answers[question.hint] = _field(question, draft)
                _reasons(question)
        if st.form_submit_button(tr("checkpoints.answer"), type="primary", key="checkpoint_answer"):
            checkpoint_draft.look(draft, answers)
            st.rerun()


def tokens(draft: Draft) -> None:
    """Two places to drop vocabularies, folded until they are wanted."""
    assert draft.diagnosis is not None
    lacks = any(fit.n_tokens is None for fit in draft.diagnosis.tokenizers)
    with st.expander(tr("checkpoints.add_tokens"), expanded=lacks and not draft.diagnosis.questions):
        st.caption(tr("checkpoints.add_tokens_help"))
        for side, column in zip(("source", "target"), st.columns(2), strict=True):
            with column:
                label = tr(f"checkpoints.tokens_{side}")
                file = st.file_uploader(label, key=f"tokens_{side}", max_upload_size=64)
            given = draft.hints.get(f"{side}_tokens")
            if file is not None and (given is None or given.name != file.name):
                checkpoint_draft.add_tokens(draft, side, file)
                st.rerun()


def _field(question: Question, draft: Draft) -> Any:
    label, key = tr(f"checkpoints.ask_{question.hint}"), f"ask_{question.hint}"
    value = question.value
    if question.hint == "norm_first":
        names = {False: tr("checkpoints.norm_post"), True: tr("checkpoints.norm_pre")}
        return st.radio(label, (False, True), index=int(value), format_func=names.__getitem__, key=key, horizontal=True)
    if isinstance(value, bool):
        return st.toggle(label, value, key=key)
    if question.hint == _SCALES:
        return st.number_input(label, value=float(value), step=1.0, format="%.4f", key=key)
    if question.choices:
        choices = tuple(dict.fromkeys((*question.choices, value)))
        return st.selectbox(label, choices, index=choices.index(value), key=key)
    assert draft.diagnosis is not None
    config = draft.diagnosis.bundle.config
    size = config.source_vocab_size if question.hint.startswith("source") else config.target_vocab_size
    return int(st.number_input(label, 0, size - 1, int(value), key=key))


def _reasons(question: Question) -> None:
    """What speaks for the value: sentences on one line, numbers that compare choices as a small table."""
    by_heads: dict[str, dict[int, float]] = {}
    said = []
    for reason in question.evidence:
        values = dict(reason.values)
        column = _HEAD_COLUMNS.get(reason.key)
        if column is None:
            said.append(tr(f"checkpoints.because_{reason.key}", **values))
        else:
            by_heads.setdefault(reason.key, {})[values["heads"]] = values[column]
    if said:
        st.caption(" · ".join(said))
    if by_heads:
        heads = sorted({number for found in by_heads.values() for number in found})
        rows = [[tr("checkpoints.ask_n_heads"), *map(str, heads)], ["---"] * (1 + len(heads))]
        for key, found in by_heads.items():
            cells = (f"{found[number]:.3f}" if number in found else "" for number in heads)
            rows.append([tr(f"checkpoints.because_{key}"), *cells])
        st.caption("\n".join(f"| {' | '.join(row)} |" for row in rows))
