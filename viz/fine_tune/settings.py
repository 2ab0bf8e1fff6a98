"""The settings of a run: the sentence to watch, and in a fold how it is trained, with the learning rate drawn."""

import functools
import time
from typing import get_args

import streamlit as st

from model.runs.devices import Device, devices
from model.runs.limits import Limits
from model.training.settings import Trainable, TrainingConfig
from viz.figures.training import schedule_curve
from viz.fine_tune.choices import AREA, Choices, config_of, suggested
from viz.i18n import number, power_of_ten, tr
from viz.panels import errors
from viz.panels.widgets import segmented_picker
from viz.state import session

DEVICES_FRESH_SECONDS = 10


def settings(choices: Choices, limits: Limits, *, d_model: int, dropout: float, probe: str) -> TrainingConfig:
    """Draw the controls and give the settings they describe.

    Args:
        d_model: width of the model to be trained, which the paper's schedule depends on.
        dropout: what the model has where the set suggests none.
        probe: the sentence that is recorded unless the reader writes another.
    """
    base = suggested(choices)
    st.text_input(
        tr("fine_tune.probe"), help=tr("fine_tune.probe_help"), max_chars=400, **_tied("probe", choices.probe or probe)
    )
    how = st.expander(tr("fine_tune.how"), key="tune_how")
    with how:
        _how(choices, base, limits.max_steps, dropout)
    with errors.explained():
        config = config_of(session.choices_of(Choices, AREA), max_steps=limits.max_steps)
    with how:
        _curve(config, d_model)
    rate, trains = power_of_ten(config.learning_rate), tr(f"fine_tune.trains_{config.trains}")
    st.caption(tr("fine_tune.how_said", steps=number(config.steps), rate=rate, trains=trains))
    return config


def _how(choices: Choices, base: TrainingConfig, max_steps: int, dropout: float) -> None:
    """What a reader may leave as it is: how long, how fast and which part is trained."""
    left, middle, right = st.columns(3)
    with left:
        steps = min(choices.steps or base.steps, max_steps)
        st.number_input(
            tr("fine_tune.steps"), min_value=1, max_value=max_steps, step=10,
            help=tr("fine_tune.steps_help", most=number(max_steps)), **_tied("steps", steps),
        )  # fmt: skip
    with middle:
        st.number_input(
            tr("fine_tune.learning_rate"), min_value=1e-6, max_value=1.0, step=2e-5, format="%.2e",
            help=tr("fine_tune.learning_rate_help"),
            **_tied("learning_rate", choices.learning_rate or base.learning_rate),
        )  # fmt: skip
    with right:
        st.number_input(
            tr("fine_tune.batch_tokens"), min_value=50, max_value=100_000, step=500,
            help=tr("fine_tune.batch_tokens_help"), **_tied("batch_tokens", choices.batch_tokens or base.batch_tokens),
        )  # fmt: skip
    parts = {name: tr(f"fine_tune.trains_{name}") for name in get_args(Trainable)}
    bound = session.bind("trains", Choices, AREA)
    segmented_picker(tr("fine_tune.trains"), parts, is_labelled=True, help=tr("fine_tune.trains_help"), **bound)
    _schedule(choices, base)
    _more(choices, base, dropout)


def _schedule(choices: Choices, base: TrainingConfig) -> None:
    names = {name: tr(f"fine_tune.schedule_{name}") for name in ("constant", "noam", "cosine", "trapezoid")}
    left, right = st.columns([3, 2])
    with left:
        st.selectbox(
            tr("fine_tune.schedule"),
            list(names),
            format_func=names.__getitem__,
            help=tr("fine_tune.schedule_help"),
            **_tied("schedule", choices.schedule or base.schedule),
        )
    with right:
        st.number_input(
            tr("fine_tune.warmup_steps"), min_value=1, max_value=100_000, step=10,
            help=tr("fine_tune.warmup_steps_help"), **_tied("warmup_steps", choices.warmup_steps or base.warmup_steps),
        )  # fmt: skip


def _more(choices: Choices, base: TrainingConfig, dropout: float) -> None:
    left, right = st.columns(2)
    own_dropout = dropout if base.dropout is None else base.dropout
    shares = {"label_smoothing": base.label_smoothing, "dropout": own_dropout}
    for place, (name, otherwise) in zip((left, right), shares.items(), strict=True):
        chosen = getattr(choices, name)
        place.number_input(
            tr(f"fine_tune.{name}"), min_value=0.0, max_value=0.9, step=0.05, format="%.2f",
            help=tr(f"fine_tune.{name}_help"), **_tied(name, otherwise if chosen < 0 else chosen),
        )  # fmt: skip
    left.slider(
        tr("fine_tune.held_out"), min_value=0, max_value=50, step=5, help=tr("fine_tune.held_out_help"),
        **session.bind("held_out", Choices, AREA),
    )  # fmt: skip
    right.number_input(
        tr("fine_tune.seed"), min_value=0, max_value=2**31 - 1, step=1, help=tr("fine_tune.seed_help"),
        **session.bind("seed", Choices, AREA),
    )  # fmt: skip
    _device(choices)


def _device(choices: Choices) -> None:
    by_id = {device.id: device for device in _devices(int(time.monotonic() // DEVICES_FRESH_SECONDS))}
    shown = choices.device if choices.device in by_id else next(iter(by_id))
    names = {name: _described(device) for name, device in by_id.items()}
    st.selectbox(tr("fine_tune.device"), list(names), format_func=names.__getitem__, **_tied("device", shown))


def _described(device: Device) -> str:
    if device.free_bytes is None:
        return device.name
    return tr("fine_tune.device_free", name=device.name, free=f"{number(device.free_bytes / 2**30, '.1f')} GiB")


@functools.lru_cache(maxsize=1)
def _devices(moment: int) -> tuple[Device, ...]:
    """Refreshed only every few seconds, because a GPU's tool answers slowly."""
    return devices()


def _curve(config: TrainingConfig, d_model: int) -> None:
    figure = schedule_curve(
        config, d_model, x_title=tr("fine_tune.step_axis"), y_title=tr("fine_tune.curve_rate"), mode=session.mode()
    )
    st.altair_chart(figure, theme=None, key="tune_schedule", alt=tr("fine_tune.schedule_help"))


def _tied(field: str, shown: object) -> dict:
    return session.bind(field, Choices, AREA, value=shown)
