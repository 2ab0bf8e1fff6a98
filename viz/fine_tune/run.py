"""A run on screen: its progress, its curves, the film of its probe sentence, and the buttons that control it."""

import json
import math
from dataclasses import dataclass
from typing import Any

import streamlit as st

from model.interventions import AttentionKind
from model.runs.folder import JobFolder
from model.runs.status import Status, ask, can_control, read_status, requested_control
from model.training.jobs.job import Job, read_job
from model.training.jobs.probe import Frame, frame_path, frame_steps, read_frame
from model.training.settings import TrainingConfig, TrainingError
from viz import cache, theme
from viz.components.film import Seen, pack
from viz.components.film import film as show_film
from viz.figures.training import Curve, training_curves
from viz.i18n import current_language, group, number, tr
from viz.panels import errors
from viz.panels.runs import queue_place, redraw_every_second, stop
from viz.panels.widgets import duration, segmented_picker
from viz.plain_text import public_message
from viz.state import session
from viz.state.view_state import nearest_head


@dataclass(frozen=True, slots=True)
class Run:
    """The content of a run's files at one moment."""

    folder: JobFolder
    job: Job | None
    """None for a run of the command line."""
    status: Status
    steps: list[dict[str, Any]]
    validations: list[dict[str, Any]]

    @property
    def is_steered(self) -> bool:
        """Whether this browser started the run, and so may pause, stop, resume and remove it."""
        return self.job is not None and can_control(self.folder, session.visitor())

    @property
    def config(self) -> TrainingConfig | None:
        """Its settings; None where their file cannot be read."""
        if self.job is not None:
            return self.job.config
        try:
            return TrainingConfig.from_mapping(json.loads(self.folder.settings.read_text("utf-8")))
        except (OSError, ValueError):
            return None

    @property
    def last_step(self) -> int:
        """The step at which it will end; the current step where that is unknown."""
        return self.config.steps if self.config else max(self.status.step, 1)


def read_run(folder: JobFolder) -> Run:
    """Read a run. Ends the page with a panel when its files are damaged."""
    with errors.explained():
        job = read_job(folder)
    events = list(folder.events())
    validated = [event for event in events if event["kind"] == "Validated" and event["loss"] is not None]
    return Run(
        folder,
        job,
        read_status(folder),
        [event for event in events if event["kind"] == "StepDone"],
        [event for event in validated if math.isfinite(event["loss"])],
    )


def follow(folder: JobFolder) -> None:
    """Draw a run in progress every second; the whole page once it has ended."""

    def draw() -> None:
        run = read_run(folder)
        if not run.status.is_alive:
            st.rerun()
        header(run)
        _buttons(run)
        left, right = st.columns([19, 10], gap="large")
        with left:
            film(run)
        with right:
            curves(run)
            st.caption(tr("fine_tune.stay"))

    redraw_every_second(draw)


def header(run: Run) -> None:
    """Draw state, step, speed and time left in one line over the bar."""
    status, parts = run.status, [_state_words(run)]
    if run.steps and status.state in ("running", "paused"):
        newest = run.steps[-1]
        parts.append(tr("fine_tune.speed", n=number(newest["tokens_per_second"], ",.0f")))
        if status.state == "running":
            parts.append(tr("fine_tune.time_left", time=duration(_seconds_left(run))))
    if status.device and status.is_alive:
        parts.append(", ".join(filter(None, (status.device, status.precision))))
    if status.state == "finished":
        st.caption(" · ".join(parts))
    else:
        st.progress(min(1.0, _step(run) / run.last_step), text=" · ".join(parts))
    if any(event.get("n_halved") for event in run.steps[-50:]):
        st.info(tr("fine_tune.halved"), icon=":material/memory:")


def fault(status: Status) -> None:
    """Draw why a run ended by itself, and what to change."""
    if status.fault is None:
        return
    with st.container(border=True, key="tune_fault"):
        st.markdown(f"**{tr(f'fine_tune.fault_{status.fault.kind}')}**")
        if status.fault.detail:
            st.text(public_message(status.fault.detail))


def curves(run: Run) -> None:
    """Draw the loss on training and held-out pairs, the learning rate, the speed and the gradient norm."""
    mode, axis = session.mode(), tr("fine_tune.step_axis")
    if not run.steps:
        return
    steps = [event["step"] for event in run.steps]
    loss = [Curve(tr("fine_tune.loss_train"), steps, [event["loss"] for event in run.steps])]
    if run.validations:
        held_out = [event["loss"] for event in run.validations]
        at = [event["step"] for event in run.validations]
        loss.append(Curve(tr("fine_tune.loss_held_out"), at, held_out, has_dots=True))
    figure = training_curves(loss, x_title=axis, y_title=tr("fine_tune.loss"), mode=mode, last=run.last_step)
    st.altair_chart(figure, theme=None, key="tune_loss", alt=tr("fine_tune.loss"))
    if run.config:
        st.caption(tr("fine_tune.loss_note", smoothing=number(run.config.label_smoothing, "g")))
    for name, field, style in (
        ("rate", "learning_rate", ".1~e"),
        ("speed", "tokens_per_second", ".3~s"),
        ("gradient", "gradient_norm", ".3~g"),
    ):
        curve = Curve("", steps, [event[field] for event in run.steps])
        title = tr(f"fine_tune.curve_{name}")
        small = training_curves(
            [curve], x_title="", y_title=title, mode=mode, height=140, y_format=style, last=run.last_step
        )
        st.altair_chart(small, theme=None, key=f"tune_{name}", alt=title)


def film(run: Run) -> Seen | None:
    """The probe sentence through the training, with the choice of a kind of attention; None while there is no frame."""
    folder = run.folder
    frames = [frame for step in frame_steps(folder) if (frame := _frame(folder, step)) is not None]
    frames = [frame for frame in frames if frame.attention.kinds]
    if not frames:
        st.caption(tr("fine_tune.film_wait" if run.status.is_alive else "fine_tune.film_none"))
        return None
    kinds = frames[0].attention.kinds
    selection = session.read()
    kind: AttentionKind = selection.kind if selection.kind in kinds else kinds[-1]
    names = {name: tr(f"frame.kind_{name}") for name in kinds}
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(f"**{tr('fine_tune.film')}**", width="content")
        segmented_picker(tr("fine_tune.film"), names, **session.bind("kind", value=kind))
    weights = frames[0].attention.of(kind)
    assert weights is not None
    n_layers, n_heads, *_ = weights.shape
    start = nearest_head(selection, (n_layers, n_heads))
    options = {"last_step": run.last_step, "is_alive": run.status.is_alive, "first_index": selection.first_index}
    steps = tuple(frame.step for frame in frames)
    packet = cache.replace_in_slot(
        ("film", str(folder.path), kind, start, session.mode(), current_language(), *options.items()),
        (steps, _modified(folder, frames[-1].step)),
        lambda: pack(
            frames, kind=kind, palette=theme.palette(session.mode()), words=group("film"), start=start, **options
        ),
    )
    return show_film(packet, steps=steps, shape=(n_layers, n_heads), start=start, key=f"film.{folder.path.name}")


def _frame(folder: JobFolder, step: int) -> Frame | None:
    """A frame, read once; None where a resumed run has just dropped it."""
    try:
        return cache.get_or_compute(
            ("frame", str(folder.path), step, _modified(folder, step)), lambda: read_frame(folder, step)
        )
    except TrainingError:
        return None


def _modified(folder: JobFolder, step: int) -> int:
    """When a frame's file was written, in nanoseconds; 0 where it is gone."""
    try:
        return frame_path(folder, step).stat().st_mtime_ns
    except OSError:
        return 0


def _buttons(run: Run) -> None:
    if run.job is None:
        st.caption(tr("fine_tune.watching"))
        return
    if not run.is_steered:
        st.caption(tr("fine_tune.not_yours"))
        return
    word, is_paused = requested_control(run.folder), requested_control(run.folder) == "pause"
    is_training = run.status.state in ("running", "paused")
    with st.container(horizontal=True, gap="small"):
        st.button(
            tr("fine_tune.go_on" if is_paused else "fine_tune.pause"),
            icon=":material/play_arrow:" if is_paused else ":material/pause:",
            key="tune_pause",
            disabled=not is_training or word == "stop",
            on_click=ask,
            args=(run.folder, "" if is_paused else "pause"),
        )
        st.button(
            tr("fine_tune.stop"),
            icon=":material/stop:",
            key="tune_stop",
            disabled=word == "stop" or run.status.state == "comparing",
            on_click=stop,
            args=(run.folder,),
        )


def _state_words(run: Run) -> str:
    state = run.status.state
    if state == "queued":
        return queue_place(run.folder)
    words = tr(f"fine_tune.state_{state}")
    if state in ("waiting", "preparing"):
        return words
    return tr("fine_tune.progress", state=words, step=_step(run), steps=run.last_step)


def _step(run: Run) -> int:
    return run.steps[-1]["step"] if run.steps else run.status.step


def _seconds_left(run: Run) -> float:
    recent = run.steps[-20:]
    if len(recent) > 1:
        pace = (recent[-1]["seconds"] - recent[0]["seconds"]) / (len(recent) - 1)
    else:
        pace = recent[0]["seconds"]
    return pace * (run.last_step - _step(run))
