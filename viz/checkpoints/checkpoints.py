"""Checkpoints: open a trained model, read its report, and answer what its file does not contain."""

import streamlit as st

from model import Bundle
from model.checkpoints.basis.limits import limits
from model.checkpoints.hub import is_allowed
from model.checkpoints.sandbox import warm
from viz.checkpoints import draft as checkpoint_draft
from viz.checkpoints import drop, mapping, questions, report, shelf
from viz.i18n import tr
from viz.plain_text import escape_markdown
from viz.state import clicks, session


def _private_model() -> Bundle | None:
    """This session's private model on the stage; None when it is a shipped model."""
    return session.private_models().get(session.read().model)


warm()
model_on_stage = _private_model()
left, right = st.columns([2, 1], gap="large")
with left:
    st.subheader(tr("checkpoints.title"))
    st.caption(tr("checkpoints.lead"))
    dropped = st.file_uploader(
        tr("checkpoints.drop"), accept_multiple_files=True, key="checkpoint_files",
        help=tr("checkpoints.drop_help"), max_upload_size=limits().max_upload_mb,
    )  # fmt: skip
    drop.take(dropped)
    drop.aside()
    if is_allowed():
        checkpoint_draft.from_hub()
    draft = checkpoint_draft.current()
    if draft.problem is not None:
        report.problem(draft.problem, draft.names.suspicion if draft.names is not None else None)
    if draft.diagnosis is None:
        mapping.mapping(draft)
    if draft.problem is not None and draft.diagnosis is None:
        mapping.other_way()
    if draft.diagnosis is not None:
        questions.first(draft)
        report.report(draft.diagnosis)
        questions.questions(draft)
        questions.weigh(draft)
        has_guesses = bool(draft.diagnosis.guesses)
        label = tr("checkpoints.look_guessed") if has_guesses else tr("checkpoints.look")
        emphasis = "secondary" if has_guesses else "primary"
        if draft.name in session.private_models() and clicks.button(
            label, type=emphasis, key="checkpoint_look", about=draft.name
        ):
            shelf.use(draft.name)
            st.switch_page("explore/explore.py")
        questions.tokens(draft)
        mapping.mapping(draft)
with right:
    if draft.let_go:
        st.warning(
            tr("checkpoints.let_go", names=escape_markdown(", ".join(draft.let_go))), icon=":material/inventory_2:"
        )
    shelf.draw_open_models()
    with st.expander(tr("checkpoints.opens"), expanded=draft.path is None):
        st.markdown(tr("checkpoints.opens_list"))
if _private_model() is not model_on_stage:  # a dropped file was opened under the name in the URL
    st.rerun()
