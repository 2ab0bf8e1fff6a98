"""The card at the end of the lesson: the same machine without an encoder, which opens the shipped decoder."""

from __future__ import annotations

import streamlit as st

from viz import cache
from viz.i18n import tr
from viz.panels.opening import PROMPTS
from viz.panels.reading import use_model
from viz.state import clicks, session

DECODER = "tiny-decoder"


def card() -> None:
    """Draw it, where that model is there."""
    if DECODER not in cache.model_names():
        return
    with st.container(border=True, key="lesson.without_encoder"):
        st.markdown(f"**{tr('lesson.decoder_title')}**")
        st.markdown(tr("lesson.decoder_about"))
        if clicks.button(tr("lesson.decoder_open"), key="lesson.decoder_open", icon=":material/arrow_forward:"):
            use_model(DECODER)
            session.new_sentence(PROMPTS[0])
            st.switch_page("decode/decode.py")
