"""The settings of a run: the probe sentence, and in an expander the training's settings and its learning-rate curve."""

import functools
import time
from typing import Any, get_args

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.runs.devices import Device, devices
from model.runs.limits import Limits
from model.training.settings import Trainable, TrainingConfig
from viz.figures.training import schedule_curve
from viz.fine_tune.choices import PAGE, Choices, bind, config_of, values_of
from viz.i18n import number, power_of_ten, tr
from viz.panels import errors
from viz.panels.widgets import segmented_picker
from viz.state import session

DEVICES_FRESH_SECONDS = 10


def settings(choices: Choices, limits: Limits, *, d_model: int, dropout: float, probe: str) -> TrainingConfig:
    """Draw the controls and give the settings they describe.

    Args:
        d_model: width of the model to be trained, which the paper's schedule depends on.
        dropout: the model's, used where the set suggests none.
        probe: the sentence that is recorded unless the reader writes another.
    """
    values = values_of(choices, max_steps=limits.max_steps)
    if values["dropout"] is None:
        values["dropout"] = dropout
    st.text_input(
        tr("fine_tune.probe"), help=tr("fine_tune.probe_help"), max_chars=400,
        **bind("probe", value=choices.probe or probe),
    )  # fmt: skip
    expander = st.expander(tr("fine_tune.how"), key="tune_how")
    with expander:
        _how(values, limits.max_steps)
        _more(values)
        _device(choices)
    with errors.explained():
        config = config_of(PAGE.read(), max_steps=limits.max_steps)
    with expander:
        titles = {"x_title": tr("fine_tune.step_axis"), "y_title": tr("fine_tune.curve_rate")}
        figure = schedule_curve(config, d_model, **titles, mode=session.mode())
        st.altair_chart(figure, theme=None, key="tune_schedule", alt=tr("fine_tune.schedule_help"))
    rate, trains = power_of_ten(config.learning_rate), tr(f"fine_tune.trains_{config.trains}")
    st.caption(tr("fine_tune.how_said", steps=number(config.steps), rate=rate, trains=trains))
    return config


def _how(values: dict[str, Any], max_steps: int) -> None:
    """Draw how long, how fast and which part is trained."""
    left, middle, right = st.columns(3)
    _number(left, "steps", values, 1, max_steps, 10, most=number(max_steps))
    _number(middle, "learning_rate", values, 1e-6, 1.0, 2e-5, format="%.2e")
    _number(right, "batch_tokens", values, 50, 100_000, 500)
    parts = {name: tr(f"fine_tune.trains_{name}") for name in get_args(Trainable)}
    bound = bind("trains")
    segmented_picker(tr("fine_tune.trains"), parts, is_labelled=True, help=tr("fine_tune.trains_help"), **bound)
    schedules = {name: tr(f"fine_tune.schedule_{name}") for name in ("constant", "noam", "cosine", "trapezoid")}
    left, right = st.columns([3, 2])
    left.selectbox(
        tr("fine_tune.schedule"),
        list(schedules),
        format_func=schedules.__getitem__,
        help=tr("fine_tune.schedule_help"),
        **bind("schedule", value=values["schedule"]),
    )
    _number(right, "warmup_steps", values, 1, 100_000, 10)


def _more(values: dict[str, Any]) -> None:
    left, right = st.columns(2)
    for column, name in ((left, "label_smoothing"), (right, "dropout")):
        _number(column, name, values, 0.0, 0.9, 0.05, format="%.2f")
    left.slider(
        tr("fine_tune.held_out"), min_value=0, max_value=50, step=5, help=tr("fine_tune.held_out_help"),
        **bind("held_out"),
    )  # fmt: skip
    _number(right, "seed", {}, 0, 2**31 - 1, 1)


def _number(
    place: DeltaGenerator, name: str, values: dict[str, Any], low: float, high: float, step: float, *,
    format: str | None = None, **help_values: str,
) -> None:  # fmt: skip
    place.number_input(
        tr(f"fine_tune.{name}"), min_value=low, max_value=high, step=step, format=format,
        help=tr(f"fine_tune.{name}_help", **help_values), **bind(name, value=values.get(name)),
    )  # fmt: skip


def _device(choices: Choices) -> None:
    by_id = {device.id: device for device in _devices(int(time.monotonic() // DEVICES_FRESH_SECONDS))}
    shown = choices.device if choices.device in by_id else next(iter(by_id))
    names = {name: _describe_device(device) for name, device in by_id.items()}
    st.selectbox(tr("fine_tune.device"), list(names), format_func=names.__getitem__, **bind("device", value=shown))


def _describe_device(device: Device) -> str:
    if device.free_bytes is None:
        return device.name
    return tr("fine_tune.device_free", name=device.name, free=f"{number(device.free_bytes / 2**30, '.1f')} GiB")


@functools.lru_cache(maxsize=1)
def _devices(moment: int) -> tuple[Device, ...]:
    """Refreshed only every few seconds, because a GPU's tool answers slowly."""
    return devices()
