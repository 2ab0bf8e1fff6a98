"""The door of a room: the teacher keeps further phones out, and sends phones away."""

import streamlit as st

from viz.i18n import tr
from viz.rooms.room import Room
from viz.state import session

MOST_LISTED = 100
"""Phones that can be chosen at once, those that came last."""


def door(room: Room) -> None:
    """How many phones there are, and what the teacher can do about them."""
    phones, is_shut = room.phones(), room.is_shut()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(tr("room.here", n=len(phones)) + (f" · {tr('room.shut')}" if is_shut else ""))
        icon = ":material/lock:" if is_shut else ":material/door_open:"
        with st.popover(tr("room.phones"), icon=icon, type="tertiary", key="room_phones"):
            st.toggle(
                tr("room.door"), is_shut, key="room_door", help=tr("room.door_help"), on_change=_shut, args=(room,)
            )
            names = {
                phone.device: tr("room.phone_came", n=place, time=session.clock_time(phone.came))
                for place, phone in enumerate(phones, start=1)
            }
            newest = list(names)[: -MOST_LISTED - 1 : -1]
            st.multiselect(tr("room.remove_phones"), newest, format_func=names.__getitem__, key="room_leaving",
                           placeholder=tr("room.choose_phones"), disabled=not newest)  # fmt: skip
            st.button(tr("room.remove"), key="room_remove", on_click=_remove, args=(room,), disabled=not newest)


def _shut(room: Room) -> None:
    room.shut(bool(session.widget_value("room_door")))


def _remove(room: Room) -> None:
    chosen = session.widget_value("room_leaving")
    if isinstance(chosen, list):
        room.remove(str(device) for device in chosen)
