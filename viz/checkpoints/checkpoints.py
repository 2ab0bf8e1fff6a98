"""Checkpoints: open a trained model, see what it is, answer what its file does not say, and look at it."""

from __future__ import annotations

import streamlit as st

from model import Bundle
from model.checkpoints.basis.limits import limits
from model.checkpoints.hub import is_allowed
from model.checkpoints.sandbox import warm
from viz.checkpoints import draft as checkpoint_draft
from viz.checkpoints import drop as checkpoint_drop
from viz.checkpoints import mapping as checkpoint_mapping
from viz.checkpoints import questions as checkpoint_questions
from viz.checkpoints import refusal as checkpoint_refusal
from viz.checkpoints import report as checkpoint_report
from viz.checkpoints import shelf as checkpoint_shelf
from viz.i18n import tr
from viz.plain_text import escape_markdown
from viz.state import clicks, session


def _own_model() -> Bundle | None:
    """The model of this session that reads the sentence above; None when a shipped model does."""
    return session.private_models().get(session.read().model)


warm()
read_above = _own_model()
left, right = st.columns([2, 1], gap="large")
with left:
    st.subheader(tr("checkpoints.title"))
    st.caption(tr("checkpoints.lead"))
    dropped = st.file_uploader(
        tr("checkpoints.drop"), accept_multiple_files=True, key="checkpoint_files",
        help=tr("checkpoints.drop_help"), max_upload_size=limits().max_upload_mb,
    )  # fmt: skip
    checkpoint_drop.take(dropped)
    checkpoint_drop.aside()
    if is_allowed():
        checkpoint_draft.from_hub()
    draft = checkpoint_draft.current()
    if draft.problem is not None:
        checkpoint_refusal.problem(draft.problem, draft.names.suspicion if draft.names is not None else None)
    if draft.diagnosis is None:
        checkpoint_mapping.mapping(draft)
    if draft.problem is not None and draft.diagnosis is None:
        checkpoint_mapping.other_way()
    if draft.diagnosis is not None:
        checkpoint_questions.first(draft)
        checkpoint_report.report(draft.diagnosis)
        checkpoint_questions.questions(draft)
        checkpoint_questions.weigh(draft)
        has_guesses = bool(draft.diagnosis.guesses)
        label = tr("checkpoints.look_guessed") if has_guesses else tr("checkpoints.look")
        emphasis = "secondary" if has_guesses else "primary"
        if draft.name in session.private_models() and clicks.button(
            label, type=emphasis, key="checkpoint_look", about=draft.name
        ):
            checkpoint_shelf.use(draft.name)
            st.switch_page("explore/explore.py")
        checkpoint_questions.tokens(draft)
        checkpoint_mapping.mapping(draft)
with right:
    if draft.let_go:
        st.warning(
            tr("checkpoints.let_go", names=escape_markdown(", ".join(draft.let_go))), icon=":material/inventory_2:"
        )
    checkpoint_shelf.opened()
    with st.expander(tr("checkpoints.opens"), expanded=draft.path is None):
        st.markdown(tr("checkpoints.opens_list"))
if _own_model() is not read_above:  # a dropped file was opened under the name in the address
    st.rerun()
