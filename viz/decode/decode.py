"""Decode: a translation or a continuation step by step, or hidden tokens; with changes to any step."""

import streamlit as st

from viz.decode.changes import add_buttons
from viz.decode.choices import choices
from viz.decode.controls import mode_control, options_popover
from viz.decode.masked import masked_panel
from viz.decode.player import forks_button, player_panel
from viz.decode.questions import questions, training_against_inference
from viz.panels import changes, chat
from viz.panels.reading import continues, current_reading, is_alone

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
