"""A tiny model learns to copy letters, trained in the queue that all runs share."""

import dataclasses

import streamlit as st

from model.interpret.residual_stream import untrained_weights
from model.runs.folder import JobFolder
from model.runs.limits import runs_root
from model.runs.retention import clean
from model.runs.status import write_owner
from model.trace import Floats
from model.training.jobs.creation import create
from model.training.lessons import find_lesson
from viz import budget, cache
from viz.figures import drawings
from viz.fine_tune import run as fine_tune_run
from viz.fine_tune.form import check_room, record_run, session_runs
from viz.i18n import tr
from viz.lesson.choices import AREA, TRIES, Choices, is_changed
from viz.lesson.scene import Scene
from viz.lesson.views import Act, Pictures, cross_weights, labels, maps, sharpest_head, write
from viz.panels import chart, errors
from viz.panels.reading import Reading
from viz.panels.runs import run_named
from viz.state import clicks, session

SET = "copy"
_TITLES = ("lesson.train_right", "lesson.train_left")


class Train(Scene):
    """The most focused head before and after training, and a training run."""

    def numbers(self, reading: Reading, n_tried: int | None = TRIES) -> dict[str, object]:
        """The mean of the rows' largest weights, before and after."""
        fresh, trained = (float(weights.max(-1).mean()) for weights in _fresh_and_trained(reading))
        return {"trained": trained, "fresh": fresh, "even": 1 / len(reading.trace.source)}

    def has_button(self) -> bool:
        """Start a training."""
        words = tr("lesson.train_start" if _run() is None else "lesson.train_again")
        choices = session.choices_of(Choices, AREA)
        key = None if choices.changed or choices.scene in choices.explained else "PageDown"
        if clicks.button(words, key="lesson.train", icon=":material/model_training:", type="primary", shortcut=key):
            _start()
        return True

    def draw(self, reading: Reading) -> None:
        """Draw the trained map, after the change beside the untrained one, and the run if there is one."""
        visible = slice(0 if is_changed() else 1, 2)
        titles = [tr(title) for title in _TITLES[visible]]
        chart.beside(_fresh_and_trained(reading)[visible], *labels(reading), titles=titles, key="lesson.untrained")
        _draw_run()

    def pictures(self, reading: Reading) -> Pictures:
        """Both maps; the sheet's are blank."""
        (rows, columns), both = labels(reading), _fresh_and_trained(reading)
        untrained, learned = (
            drawings.weight_map(weights, rows, columns, kind="cross", write=write, title=tr(title))
            for weights, title in zip(both, _TITLES, strict=True)
        )
        blank = drawings.weight_map(both[1], rows, columns, kind="cross", write=write, is_blank=True)
        return Pictures(learned, drawings.beside((untrained, learned)), drawings.beside((blank, blank)))

    def act(self, before: Reading, reading: Reading) -> Act:
        """Both maps."""
        rows, columns = labels(reading)
        return maps(_fresh_and_trained(reading), (rows, rows), columns, kind="cross") | {"titles": _TITLES}

    def head(self, reading: Reading) -> tuple[int, int]:
        """The head with the sharpest rows."""
        return sharpest_head(reading)


def _fresh_and_trained(reading: Reading) -> tuple[Floats, Floats]:
    """The weights of the most focused head, with random parameters and trained."""
    place = sharpest_head(reading)
    fresh = cache.compute(
        untrained_weights, reading.bundle, trace=(reading.trace.source.ids, reading.trace.prefix.ids), seed=0
    )
    return fresh[place], cross_weights(reading)[place]


def _run() -> JobFolder | None:
    """The run in the link; None before one was started, or after it was deleted."""
    return run_named(session.choices_of(Choices, AREA).run)


def _draw_run() -> None:
    """Draw this scene's run if there is one: its progress, or its film afterwards."""
    folder = _run()
    if folder is None:
        return
    run = fine_tune_run.read_run(folder)
    if run.status.is_alive:
        fine_tune_run.follow(folder)
        return
    fine_tune_run.fault(run.status)
    fine_tune_run.film(run)


def _start() -> None:
    lesson, queue, root = find_lesson(SET), cache.run_queue(), runs_root()
    assert lesson is not None and lesson.beginning is not None
    config = dataclasses.replace(lesson.config, steps=min(lesson.config.steps, queue.limits.max_steps))
    with errors.explained(), budget.releasing("runs"):
        queue.check_room(session.visitor())
        clean(root, queue.limits, owned=frozenset(session_runs()))
        check_room(lesson.beginning, root, queue.limits)
        folder = create(
            root, lesson.beginning, lesson.read(), config, queue.limits, held_out_share=0.1, probe=lesson.probe,
            lesson=SET,
        )  # fmt: skip
        write_owner(folder, session.visitor())
        queue.submit(folder, owner=session.visitor())
        record_run(folder)
    session.change_part(Choices, AREA, run=folder.path.name, changed=True)
    st.rerun()


SCENE = Train(name="train", right=1, page="fine_tune", minutes=6, compares="", is_of_the_view=True, phone_text="seen")
