"""Decode: a translation or a continuation step by step, or hidden tokens; with changes to any step."""

from __future__ import annotations

import streamlit as st

from model.inference.masked import mask_id
from viz.decode.changes import add_buttons
from viz.decode.choices import choices
from viz.decode.controls import mode_control, options_popover
from viz.decode.masked import masked_panel
from viz.decode.player import forks_button, player_panel
from viz.decode.questions import questions, training_against_inference
from viz.i18n import tr
from viz.panels import changes, chat, errors
from viz.panels.reading import continues, is_alone, reading

here = reading()
is_lone = is_alone(here.bundle)
is_encoder = is_lone and not continues(here.bundle)
if is_encoder and mask_id(here.bundle) is None:
    errors.show(tr("decode.alone"), tr("decode.alone_remedy"))
    st.stop()
with st.container(horizontal=True, vertical_alignment="center", gap="small", key="decode_controls"):
    if not is_encoder:
        mode_control(here)
        options_popover(here)
    add_buttons(here)
    if not is_encoder:
        forks_button()
        chat.switch(here.bundle)
changes.chips(here)
chat.explain(here.bundle, here.selection.text)
if is_encoder:
    masked_panel(here)
elif choices().mode == "forcing" and not is_lone:
    training_against_inference(here)
else:
    player_panel(here)
    if not is_lone:
        questions(here)
