"""A running survey: its progress, its remaining time, and a button to stop it."""

import streamlit as st

from model.corpus.queued import SurveyJob, n_kept, pairs_of
from model.runs.errors import QueueError
from model.runs.job_folder import JobFolder
from model.runs.status import Status, ask, can_control, read_status, requested_control
from viz import cache
from viz.i18n import number, tr
from viz.panels import errors
from viz.panels.widgets import duration
from viz.plain_text import public_message
from viz.state import clicks, session
from viz.state.turns import in_turn

POLL_SECONDS = 1.0
_FAULTS = ("killed", "memory", "disk_full", "server_ended", "time_limit")


def follow(folder: JobFolder, job: SurveyJob) -> None:
    """Redraw the progress every second; rerun the page once the survey has ended."""

    def draw() -> None:
        status = read_status(folder)
        if not status.is_alive:
            st.rerun()
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="corpus_run"):
            st.progress(min(1.0, status.step / max(job.n_pairs, 1)), text=_words(folder, job, status))
            if can_control(folder, session.visitor()):
                is_stopping = requested_control(folder) == "stop"
                st.button(
                    tr("corpus.stopping" if is_stopping else "corpus.stop"), icon=":material/stop:", key="corpus_stop",
                    disabled=is_stopping, on_click=_stop, args=(folder,),
                )  # fmt: skip
        st.caption(tr("corpus.meanwhile" if n_kept(folder, job) else "corpus.meanwhile_nothing"))

    st.fragment(in_turn(draw), run_every=POLL_SECONDS)()


def ended(folder: JobFolder, job: SurveyJob, *, is_damaged: bool) -> None:
    """Show why the results are incomplete, if they are, and offer to resume.

    Args:
        is_damaged: whether one of its files is unusable, which the page has already shown.
    """
    status = read_status(folder)
    if status.state != "finished":
        _say_why(folder, job, status)
    elif not is_damaged:
        return
    is_whole = folder.initial.is_dir() and pairs_of(folder).is_file()
    if not is_whole or not can_control(folder, session.visitor()):
        return
    if is_damaged:
        st.caption(tr("corpus.go_on_damaged"))
    if _go_on_button(folder):
        with errors.explained_here():
            _go_on(folder)
            st.rerun()


def _say_why(folder: JobFolder, job: SurveyJob, status: Status) -> None:
    kind = status.fault.kind if status.fault else ""
    reason = tr(f"corpus.fault_{kind if kind in _FAULTS else 'other'}") if status.fault else ""
    st.warning(
        tr("corpus.ended_early", n=number(n_kept(folder, job)), total=number(job.n_pairs), reason=reason),
        icon=":material/stop_circle:",
    )
    if status.fault and status.fault.detail:
        st.text(public_message(status.fault.detail))


def _go_on(folder: JobFolder) -> None:
    """Submit it again. A second click finds it already submitted while the first waits for the old process to end."""
    try:
        cache.run_queue().submit(folder, owner=session.visitor())
    except QueueError:
        if not read_status(folder).is_alive:
            raise


def _go_on_button(folder: JobFolder) -> bool:
    return clicks.button(
        tr("fine_tune.go_on"), icon=":material/resume:", key="corpus_go_on", about=folder.path.name,
        help=tr("corpus.go_on_help"),
    )  # fmt: skip


def _stop(folder: JobFolder) -> None:
    if not cache.run_queue().withdraw(folder):
        ask(folder, "stop")


def _words(folder: JobFolder, job: SurveyJob, status: Status) -> str:
    if status.state == "queued":
        before = cache.run_queue().place(folder)
        return tr("fine_tune.state_queued", n=before) if before else tr("fine_tune.state_next")
    if status.state != "running" or not status.step:
        return tr(f"fine_tune.state_{status.state}") if status.state != "running" else tr("fine_tune.state_preparing")
    done = tr("corpus.running", done=number(status.step), total=number(job.n_pairs))
    newest = next((event for event in reversed(list(folder.events())) if event.get("step")), None)
    if newest is None:
        return done
    rate = max(newest["step"] - newest.get("before", 0), 1) / max(newest["seconds"], 1e-3)
    return " · ".join((done, tr("corpus.rate", n=number(rate, ",.0f")),
                       tr("fine_tune.time_left", time=duration((job.n_pairs - status.step) / rate))))  # fmt: skip
