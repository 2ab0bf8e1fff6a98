"""Buttons for a run that has ended: use it, download it, continue it, delete it."""

import dataclasses
from dataclasses import replace

import streamlit as st

from model import Bundle
from model.checkpoints.own import WEIGHTS
from model.files.size import size_of
from model.runs.folder import JobFolder
from model.runs.retention import remove
from model.training.jobs.creation import continue_with, result_of
from model.training.jobs.probe import bundle_at, recorded_steps
from viz import budget, cache
from viz.fine_tune.choices import show_run
from viz.fine_tune.form import session_runs
from viz.fine_tune.run import Run
from viz.i18n import sentences, tr
from viz.panels import errors, shelf
from viz.panels.reading import use_model
from viz.plain_text import escape_markdown
from viz.state import clicks, session


def actions(run: Run, seen_step: int | None) -> None:
    """One row of buttons; ``seen_step`` is the step shown in the film, so that any recorded step can be restored."""
    steps = recorded_steps(run.folder)
    has_result = run.folder.result.is_dir()
    step = seen_step if seen_step is not None and seen_step in steps else (steps[-1] if steps else None)
    is_result = has_result and (step is None or step == steps[-1])
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if step is not None or has_result:
            words = tr("fine_tune.use_result") if is_result else tr("fine_tune.use_step", step=step)
            about = (run.folder.path.name, step)
            if clicks.button(words, type="primary", icon=":material/check:", key="tune_use", about=about):
                _use(run, None if is_result else step)
            st.download_button(
                tr("fine_tune.download"),
                lambda: shelf.zipped(_bundle(run.folder, None if is_result else step)),
                file_name=f"{_name(run, step or run.status.step)}.zip",
                mime="application/zip",
                icon=":material/download:",
                key="tune_download",
                on_click="ignore",
            )
        if run.is_steered:
            _go_on(run)
        st.button(tr("fine_tune.new_run"), icon=":material/add:", key="tune_new", on_click=show_run, args=("",))
        if run.is_steered:
            _throw_away(run)


def _bundle(folder: JobFolder, step: int | None) -> Bundle:
    return result_of(folder) if step is None else bundle_at(folder, step)


def _name(run: Run, step: int) -> str:
    lesson = run.job.lesson if run.job else ""
    what = tr(f"fine_tune.set_{lesson}") if lesson else tr("fine_tune.own_pairs")
    return tr("fine_tune.result_name", set=what, step=step)


def _use(run: Run, step: int | None) -> None:
    name = _name(run, run.status.step if step is None else step)
    with errors.explained(), budget.settled("models"):
        shelf.check_room(size_of(run.folder.initial / WEIGHTS))
        bundle = replace(_bundle(run.folder, step), name=name)
        models = session.held_models()
        models.pop(name, None)
        models, name, let_go = shelf.place(models, bundle, cache.model_names())
        shelf.keep(models)
    use_model(name)
    messages = [tr("fine_tune.used", name=escape_markdown(name))]
    if let_go:
        messages.append(tr("checkpoints.let_go", names=escape_markdown(", ".join(let_go))))
    session.remember("tune_said", sentences(*messages))
    st.rerun()


def _go_on(run: Run) -> None:
    job = run.job
    assert job is not None
    config, limits = job.config, cache.run_queue().limits
    is_unfinished = run.status.step < config.steps
    with st.popover(tr("fine_tune.go_on_with"), icon=":material/resume:", key="tune_go_on_with"):
        st.caption(tr("fine_tune.go_on_help"))
        least = min(run.status.step + 1, limits.max_steps)
        steps = st.number_input(
            tr("fine_tune.steps"), least, limits.max_steps,
            max(least, config.steps if is_unfinished else min(config.steps * 2, limits.max_steps)), key="tune_on_steps",
        )  # fmt: skip
        rate = st.number_input(
            tr("fine_tune.learning_rate"), 1e-6, 1.0, _gentler(run), step=1e-5, format="%.2e", key="tune_on_rate"
        )
        batch = st.number_input(tr("fine_tune.batch_tokens"), 50, 100_000, _smaller(run), key="tune_on_batch")
        if clicks.button(tr("fine_tune.go_on"), type="primary", key="tune_on", about=run.folder.path.name):
            with errors.explained():
                changed = dataclasses.replace(config, steps=steps, learning_rate=rate, batch_tokens=batch)
                continue_with(run.folder, changed, limits)
                cache.run_queue().submit(run.folder, owner=session.visitor())
            st.rerun()


def _gentler(run: Run) -> float:
    """The rate to suggest: a third of the rate at which the loss became NaN."""
    assert run.job is not None
    fault = run.status.fault
    rate = run.job.config.learning_rate
    return rate / 3 if fault is not None and fault.kind == "not_finite" else rate


def _smaller(run: Run) -> int:
    """The batch to suggest: half of one that was too large."""
    assert run.job is not None
    fault = run.status.fault
    batch = run.job.config.batch_tokens
    return max(50, batch // 2) if fault is not None and fault.kind in ("device_memory", "memory", "killed") else batch


def _throw_away(run: Run) -> None:
    with st.popover(tr("fine_tune.throw_away"), icon=":material/delete:", key="tune_throw"):
        st.caption(tr("fine_tune.throw_away_sure"))
        about = run.folder.path.name
        if not clicks.button(tr("fine_tune.throw_away"), type="primary", key="tune_throw_sure", about=about):
            return
        if not remove(run.folder):
            st.warning(tr("fine_tune.busy"))
            return
        session.remember("tune_runs", [name for name in session_runs() if name != run.folder.path.name])
        show_run("")
        st.rerun()
