"""A tiny model learns to copy letters on this page, in the queue that all runs share."""

from __future__ import annotations

import dataclasses

import streamlit as st

from model.runs.job_folder import JobFolder
from model.runs.limits import runs_root
from model.runs.retention import clean
from model.runs.status import write_owner
from model.training.jobs.creation import create
from model.training.lessons import find_lesson
from viz import budget, cache
from viz.fine_tune import film as fine_tune_film
from viz.fine_tune import run as fine_tune_run
from viz.fine_tune.choices import run_named
from viz.fine_tune.form import check_room, keep_own, own_runs
from viz.i18n import tr
from viz.lesson.scenes import AREA, Choices
from viz.panels import errors
from viz.state import clicks, session

SET = "copy"


def draw() -> None:
    """The run of this scene, if there is one: while it learns, and its film afterwards."""
    folder = run_of_scene()
    if folder is None:
        return
    run = fine_tune_run.read_run(folder)
    if run.status.is_alive:
        fine_tune_run.follow(folder)
        return
    fine_tune_run.fault(run.status)
    fine_tune_film.draw(folder, last_step=run.last_step, is_alive=False)


def run_of_scene() -> JobFolder | None:
    """The run that the link names; None before one was started, or when it was cleaned up."""
    return run_named(session.choices_of(Choices, AREA).run)


def button() -> None:
    """Start it."""
    words = tr("lesson.train_start" if run_of_scene() is None else "lesson.train_again")
    if clicks.button(words, key="lesson.train", icon=":material/model_training:", type="primary"):
        _start()


def _start() -> None:
    lesson, queue, root = find_lesson(SET), cache.run_queue(), runs_root()
    assert lesson is not None and lesson.beginning is not None
    config = dataclasses.replace(lesson.config, steps=min(lesson.config.steps, queue.limits.max_steps))
    with errors.explained(), budget.settled("runs"):
        queue.check_room(session.visitor())
        clean(root, queue.limits, own=frozenset(own_runs()))
        check_room(lesson.beginning, root, queue.limits)
        folder = create(
            root, lesson.beginning, lesson.read(), config, queue.limits, held_out_share=0.1, probe=lesson.probe,
            lesson=SET,
        )  # fmt: skip
        write_owner(folder, session.visitor())
        queue.submit(folder, owner=session.visitor())
        keep_own(folder)
    session.change_part(Choices, AREA, run=folder.path.name, changed=True)
    st.rerun()
