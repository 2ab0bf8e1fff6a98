"""Decode: a translation or continuation step by step, or masked tokens, with interventions at any step."""

import streamlit as st

from viz.decode.changes import add_buttons
from viz.decode.choices import bind, choices, choose
from viz.decode.masked import masked_panel
from viz.decode.player import forks_button, player_panel
from viz.decode.questions import questions, training_against_inference
from viz.i18n import tr
from viz.panels import changes, chat
from viz.panels.reading import Reading, continues, current_reading, is_alone
from viz.panels.widgets import decimal_slider, segmented_picker
from viz.state import session

METHODS = ("greedy", "beam", "sample")
MODES = (*METHODS, "forcing")


def mode_control(reading: Reading) -> None:
    """Draw the choice of the decoding method or teacher forcing."""
    modes = METHODS if continues(reading.bundle) else MODES
    current = "forcing" if choices().mode in modes else reading.selection.method
    bound = bind("mode", value=current)
    names = {name: tr(f"decode.mode_{name}") for name in modes}
    segmented_picker(tr("decode.mode"), names, **bound | {"on_change": _take_mode, "args": (bound["key"],)})


def _take_mode(key: str) -> None:
    mode = session.widget_value(key)
    if mode not in MODES:
        return
    choose(mode="forcing" if mode == "forcing" else "", step=0, node=-1)
    if mode in METHODS:
        session.change(method=mode)


def options_popover(reading: Reading) -> None:
    """Draw the options of the method; temperature, top-k, top-p and min-p are beside the player's bars."""
    if choices().mode == "forcing" and not continues(reading.bundle):
        return
    with st.popover(tr("decode.options"), icon=":material/tune:", help=tr("decode.options"), key="icon_options"):
        if reading.selection.method == "beam":
            st.slider(tr("decode.beam_size"), 1, 8, **session.bind("beam_size"))
            decimal_slider(
                tr("decode.length_penalty"), "length_penalty", 0.0, 3.0, 0.1, help=tr("decode.length_penalty_help")
            )
        elif reading.selection.method == "sample":
            st.number_input(tr("decode.seed"), 0, 999_999, **session.bind("seed"))
        st.number_input(
            tr("decode.max_length"), 0, 512, help=tr("decode.max_length_help"), **session.bind("max_length")
        )


reading = current_reading()
is_single_stack = is_alone(reading.bundle)
is_encoder = is_single_stack and not continues(reading.bundle)
with st.container(horizontal=True, vertical_alignment="center", gap="small", key="decode_controls"):
    if not is_encoder:
        mode_control(reading)
        options_popover(reading)
    add_buttons(reading)
    if not is_encoder:
        forks_button()
        chat.switch(reading.bundle)
changes.chips(reading)
chat.explain(reading.bundle, reading.selection.text)
if is_encoder:
    masked_panel(reading)
elif choices().mode == "forcing" and not is_single_stack:
    training_against_inference(reading)
else:
    player_panel(reading)
    if not is_single_stack:
        questions(reading)
