"""Moves a room to another device on purpose: one shows a code, and the other takes it."""

import streamlit as st

from viz.i18n import tr
from viz.panels import teacher_room
from viz.rooms.room import Room
from viz.rooms.store import StoreError
from viz.state import clicks, session

_CODE = "room.transfer"


def hand_over(room: Room) -> None:
    """Offer a transfer code, which is made when it is asked for."""
    with st.popover(tr("room.other_device"), icon=":material/devices:", key="room_other_device"):
        st.caption(tr("room.this_browser"))
        st.button(tr("room.transfer_show"), key="room_transfer", on_click=_make, args=(room,))
        shown = session.recall(_CODE, str)
        if shown.startswith(room.code):
            st.code(shown, language=None)
            st.caption(tr("room.transfer_note"))


def take_over() -> None:
    """Let this browser lead a room that was opened in another."""
    with st.expander(tr("room.take_over"), icon=":material/devices:"):
        st.text_input(tr("room.transfer_code"), key="room_transfer_code", max_chars=40)
        if clicks.button(tr("room.take_over_do"), key="room_take_over"):
            _take()


def _make(room: Room) -> None:
    try:
        session.remember(_CODE, room.hand_over())
    except StoreError:
        session.remember(_CODE, "")


def _take() -> None:
    try:
        is_taken = teacher_room.take_over(session.widget_value("room_transfer_code") or "")
    except StoreError:
        st.warning(tr("room.reload"), icon=":material/cloud_off:")
        return
    if is_taken:
        st.rerun()
    st.warning(tr("room.transfer_wrong"), icon=":material/key_off:")
