"""Fine-tune: train a copy of the model for a minute, and watch its heads change."""

import streamlit as st

from viz.fine_tune import run as fine_tune_run
from viz.fine_tune.after import actions, after
from viz.fine_tune.choices import read, show_run
from viz.fine_tune.form import form, session_runs
from viz.i18n import tr
from viz.panels.runs import run_named
from viz.plain_text import escape_markdown
from viz.state import session


def page() -> None:
    """The form, or the run that the link names."""
    choices = read()
    folder = run_named(choices.run)
    if folder is not None and folder.survey.exists():
        folder = None  # surveys are shown on the Corpus page
    if choices.run and folder is None:
        st.info(tr("fine_tune.run_gone"), icon=":material/search_off:")
    if folder is None:
        form(choices)
        _open_another_run()
        return
    run = fine_tune_run.read_run(folder)
    if run.status.is_alive:
        fine_tune_run.follow(folder)
        return
    message = session.recall("tune_said", str)
    if message:
        st.success(message, icon=":material/check:")
        session.remember("tune_said", "")
    fine_tune_run.header(run)
    fine_tune_run.fault(run.status)
    place = st.container()
    seen = after(run)
    with place:
        actions(run, seen.step if seen else None)


def _open_another_run() -> None:
    with st.expander(tr("fine_tune.my_runs")):
        for name in session_runs():
            st.button(escape_markdown(name), key=f"tune_run_{name}", type="tertiary", on_click=show_run, args=(name,))
        st.text_input(
            tr("fine_tune.open_run"), key="tune_open", max_chars=64,
            on_change=lambda: show_run((session.widget_value("tune_open") or "").strip()),
        )  # fmt: skip


page()
