"""Finds all usable widgets, and derives a value for each from a number."""

import re
from collections.abc import Iterable
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1.element_tree import (
    Button,
    ButtonGroup,
    Checkbox,
    MenuButton,
    Multiselect,
    NumberInput,
    Radio,
    Selectbox,
    SelectSlider,
    Slider,
    TextArea,
    TextInput,
    Toggle,
    Widget,
)

NOT_PRESSED = {
    "tune_start": "starts a training process; tests/browser/test_fine_tune.py presses it",
    "tune_on": "goes on with a training run, which none of these sessions has",
    "lesson.train": "starts a training process; tests/browser/test_teaching.py presses it",
    "hub_fetch": "downloads a model; tests/viz/test_checkpoints_page.py presses it",
}
"""Buttons that these tests do not press, with the reason."""
TEXTS = (
    "", "the cat", "chat", "le chat dort", "12", "#5 #6", "*a* `b` <b> $c$ [d](e)",
    "the cat\tle chat\nthe dog\tle chien", "a\tb\n\nc", "99999999999", "\u202eabc", "猫", "the " * 80,
)  # fmt: skip
"""Inputs for text boxes, valid and invalid."""
MOST_STEPS = 4_000
_OF_A_RETURN = re.compile(r"(?<=\w)\.\d+$")
"""The end of a choice's key after each way back (viz/state/session.py, bind)."""


def pressable(elements: Iterable[Any]) -> dict[str, Widget]:
    """The usable widgets on screen, by names that are stable between runs."""
    widgets: dict[str, Widget] = {}
    for node in elements:
        if not isinstance(node, _KINDS) or node.proto.disabled or node.key in NOT_PRESSED:
            continue
        name = node.key or f"{node.type}:{getattr(node, 'label', '')}"
        name = _OF_A_RETURN.sub("", name) if name.startswith("choice.") else name
        while name in widgets:
            name += "'"
        widgets[name] = node
    return widgets


def is_submit(widget: Widget) -> bool:
    """Whether the button submits a form."""
    return isinstance(widget, Button) and bool(widget.proto.is_form_submitter)


def choice(widget: Widget, number: int) -> Any:
    """A possible value of the widget, selected by a number; every value can be selected."""
    if isinstance(widget, Button):
        return True
    if isinstance(widget, Checkbox | Toggle):
        return not widget.value
    if isinstance(widget, Radio | Selectbox | MenuButton):
        return widget.options[number % len(widget.options)] if widget.options else None
    if isinstance(widget, ButtonGroup):
        return _selected_options(widget, number)
    if isinstance(widget, Multiselect):
        return [text for place, text in enumerate(widget.options[:10]) if number >> place & 1]
    if isinstance(widget, SelectSlider):
        return (
            _ends(widget.options, number)
            if len(_list(widget.value)) == 2
            else [widget.options[number % len(widget.options)]]
        )
    if isinstance(widget, Slider):
        stops = _stops(float(widget.proto.min), float(widget.proto.max), float(widget.proto.step) or 1.0)
        return _ends(stops, number) if len(_list(widget.value)) == 2 else [stops[number % len(stops)]]
    if isinstance(widget, NumberInput):
        low = float(widget.min) if widget.min is not None else -1000.0
        high = float(widget.max) if widget.max is not None else low + 1_000_000.0
        return (low, high, min(high, low + (number >> 2)), float(widget.value or low))[number % 4]
    assert isinstance(widget, TextInput | TextArea)
    text = TEXTS[number % len(TEXTS)]
    return text[: widget.proto.max_chars] if widget.proto.max_chars else text


def state(widget: Widget, value: Any) -> WidgetState:
    """The state that a browser sends when the widget has a value."""
    widget_state = WidgetState(id=widget.proto.id)
    if isinstance(widget, Button):
        widget_state.trigger_value = True
    elif isinstance(widget, Checkbox | Toggle):
        widget_state.bool_value = value
    elif isinstance(widget, MenuButton):
        widget_state.string_trigger_value.data = value
    elif isinstance(widget, Slider):
        widget_state.double_array_value.data[:] = value
    elif isinstance(widget, ButtonGroup | Multiselect | SelectSlider):
        widget_state.string_array_value.data[:] = value
    elif isinstance(widget, NumberInput):
        widget_state.double_value = value
    elif value is not None:
        widget_state.string_value = value
    return widget_state


_KINDS = (
    Button, ButtonGroup, Checkbox, MenuButton, Multiselect, NumberInput, Radio, Selectbox, SelectSlider, Slider,
    TextArea, TextInput, Toggle,
)  # fmt: skip


def _selected_options(widget: ButtonGroup, number: int) -> list[str]:
    if widget._is_single_select:
        index = number % (len(widget.options) + (not widget.proto.required))
        return widget.options[index : index + 1]
    return [text for place, text in enumerate(widget.options[:10]) if number >> place & 1]


def _stops(low: float, high: float, step: float) -> list[float]:
    n_stops = min(MOST_STEPS, int((high - low) / step + 1e-6) + 1)
    return [low + step * i for i in range(n_stops)]


def _ends(stops: list[Any], number: int) -> list[Any]:
    first = number % len(stops)
    return [stops[first], stops[first + (number // len(stops)) % (len(stops) - first)]]


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]
