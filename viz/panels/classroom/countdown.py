"""A vote that closes by itself, at a moment which all screens count down to."""

import time

import streamlit as st

from viz.i18n import tr
from viz.rooms.questions import Question
from viz.rooms.room import Room

SECONDS_LEFT = 30


def countdown(room: Room, question: Question) -> None:
    """The button that closes the vote after a while, or how long it has left."""
    if not question.closes:
        st.button(tr("room.countdown", n=SECONDS_LEFT), key="room_countdown", type="tertiary", icon=":material/timer:",
                  on_click=room.limit, args=(question.id, SECONDS_LEFT))  # fmt: skip
    else:
        left = max(0, round(question.closes - time.time()))
        st.markdown(f":material/timer: {tr('room.countdown_left', n=left)}", width="content")
