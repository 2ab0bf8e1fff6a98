"""The form of a new run: what to learn on the left, how on the right, and one button."""

from pathlib import Path

import streamlit as st

from model import Bundle
from model.runs.folder import TRAINING, JobFolder
from model.runs.limits import Limits, runs_root
from model.runs.retention import bytes_of
from model.training.jobs.creation import create, n_parameters_of
from model.training.preparation import NewModel
from model.training.rows import Row, pairs_of
from model.training.settings import TrainingConfig
from viz import budget, cache
from viz.fine_tune.choices import Choices, show_run
from viz.fine_tune.data import choose_set, is_for, misspelled, preview, rows_of
from viz.fine_tune.settings import settings
from viz.i18n import tr
from viz.panels import errors
from viz.panels.reading import current_bundle
from viz.panels.runs import submit
from viz.state import clicks, session
from viz.state.selection import DEFAULT_TEXT


def form(choices: Choices) -> None:
    """Draw it; starting a run puts the run on screen."""
    bundle, queue = current_bundle(), cache.run_queue()
    limits = queue.limits
    queue.warm(TRAINING)
    if not limits.max_alive:
        st.info(tr("fine_tune.off"), icon=":material/block:")
    choose_set()
    st.caption(tr(f"fine_tune.about_{choices.data}"))
    lesson = choices.lesson
    beginning = lesson.beginning if lesson and lesson.beginning else bundle
    d_model = beginning.d_model if isinstance(beginning, NewModel) else bundle.config.d_model
    left, right = st.columns([11, 10], gap="large")
    with right:
        probe = lesson.probe if lesson else (session.read().text or DEFAULT_TEXT)
        dropout = getattr(bundle.config, "dropout", 0.0)
        config = settings(choices, limits, d_model=d_model, dropout=dropout, probe=probe)
    with left:
        rows = rows_of(choices, max_pieces=config.max_length)
        fits = is_for(lesson, bundle)
        if not fits:
            st.warning(tr("fine_tune.languages_differ"), icon=":material/translate:")
        error = None if lesson else misspelled(rows, bundle)
        if error is not None:
            st.warning(errors.remedy(error), icon=":material/spellcheck:")
        preview(rows)
        is_good = fits and error is None and any(row.problem is None for row in rows)
        is_ready = is_good and limits.max_alive > 0
        if clicks.button(
            tr("fine_tune.start"), type="primary", icon=":material/play_arrow:", disabled=not is_ready, key="tune_start"
        ):
            _start(choices, rows, beginning, config, limits, probe=choices.probe or probe)
        st.caption(tr("fine_tune.intro"))


def session_runs() -> list[str]:
    """Names of the runs that this browser session has started, newest first."""
    return session.recall("tune_runs", list)


def check_room(beginning: Bundle | NewModel, root: Path, limits: Limits) -> None:
    """Reserve room for a run beside this session's others, before its folder is made and inside ``budget.settled``.

    Raises:
        LimitError: with what it may write.
    """
    budget.hold("runs", sum(bytes_of(JobFolder(root / name)) for name in session_runs()))
    budget.ask("runs", limits.run_bytes(n_parameters_of(beginning)))


def record_run(folder: JobFolder) -> None:
    """Record a queued run as this session's."""
    session.remember("tune_runs", [folder.path.name, *session_runs()])
    budget.hold("runs", sum(bytes_of(JobFolder(folder.path.parent / name)) for name in session_runs()))


def _start(
    choices: Choices,
    rows: tuple[Row, ...],
    beginning: Bundle | NewModel,
    config: TrainingConfig,
    limits: Limits,
    *,
    probe: str,
) -> None:
    queue, root = cache.run_queue(), runs_root()
    with errors.explained(), budget.settled("runs"):
        runs = frozenset(session_runs())
        queue.check_room(session.visitor(), root, limits.run_bytes(n_parameters_of(beginning)), owned=runs)
        check_room(beginning, root, limits)
        folder = create(
            root, beginning, pairs_of(rows), config, limits,
            held_out_share=choices.held_out / 100, probe=probe, lesson=choices.data if choices.lesson else "",
        )  # fmt: skip
        submit(folder, owned=runs)
        record_run(folder)
    show_run(folder.path.name)
    st.rerun()
