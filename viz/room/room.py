"""Room: a class takes part on its phones."""

from contextlib import suppress
from io import BytesIO
from urllib.parse import urlsplit

import segno
import streamlit as st

from viz import theme
from viz.i18n import current_language, tr
from viz.panels import changes, teacher_room
from viz.panels.reading import find_reading
from viz.room import console
from viz.rooms.room import Room
from viz.rooms.store import StoreError, StoreFullError
from viz.state import clicks, session
from viz.state.turns import in_turn

_CODE = "room.transfer"


def _hand_over(room: Room) -> None:
    """Draw the button that makes a transfer code, and the code."""
    with st.popover(tr("room.other_device"), icon=":material/devices:", key="room_other_device"):
        st.caption(tr("room.this_browser"))
        st.button(tr("room.transfer_show"), key="room_transfer", on_click=_make_code, args=(room,))
        code = session.recall(_CODE, str)
        if code.startswith(room.code):
            st.code(code, language=None)
            st.caption(tr("room.transfer_note"))


def _take_over() -> None:
    """Draw the form with which this browser takes over a room opened in another."""
    with st.expander(tr("room.take_over"), icon=":material/devices:"):
        st.text_input(tr("room.transfer_code"), key="room_transfer_code", max_chars=40)
        if not clicks.button(tr("room.take_over_do"), key="room_take_over"):
            return
        try:
            is_taken = teacher_room.take_over(session.widget_value("room_transfer_code") or "")
        except StoreError:
            st.warning(tr("room.reload"), icon=":material/cloud_off:")
            return
        if is_taken:
            st.rerun()
        st.warning(tr("room.transfer_wrong"), icon=":material/key_off:")


def _make_code(room: Room) -> None:
    try:
        session.remember(_CODE, room.hand_over())
    except StoreError:
        session.remember(_CODE, "")


RETRY_SECONDS = 3.0
LOCAL = ("localhost", "127.0.0.1", "::1")


def page() -> None:
    """The button that opens a room, or the room; a notice while the store of rooms cannot be reached."""
    try:
        room = teacher_room.current_room()
    except StoreError:
        st.warning(tr("room.reload"), icon=":material/cloud_off:")
        st.fragment(in_turn(_retry), run_every=RETRY_SECONDS)()
        return
    if room is None:
        if code := teacher_room.wished_code():
            console.draw_room_ended(code)
        st.header(tr("room.title"), anchor=False)
        st.markdown(tr("room.lead"))
        if clicks.button(tr("room.open"), type="primary", icon=":material/groups:", key="room_open"):
            _open()
        _take_over()
        return
    if (reading := find_reading()) is not None:
        changes.chips(reading)
    left, right = st.columns((4, 8), gap="large")
    with left:
        _way_in(room)
    with right:
        console.console()


def _open() -> None:
    try:
        teacher_room.open_room()
    except StoreFullError as error:
        limits = teacher_room.limits()
        words = tr("room.too_many", n=limits.max_rooms)
        if error.of_opener:
            words = tr("room.too_many_here", n=limits.max_rooms_per_opener)
        st.warning(words, icon=":material/meeting_room:")
    except StoreError:
        st.warning(tr("room.not_opened"), icon=":material/cloud_off:")
    else:
        st.rerun()


def _retry() -> None:
    with suppress(StoreError):
        teacher_room.current_room()
        st.rerun()


def _way_in(room: Room) -> None:
    address = f"{session.served_at()}/class/{room.code}"
    with st.container(key="room_code"):
        st.title(f"{room.code[:3]} {room.code[3:]}", anchor=False)
    is_local = urlsplit(address).hostname in LOCAL
    if not is_local:
        ink, stream = theme.palette("light").ink, BytesIO()
        segno.make(address, error="m").save(stream, kind="png", scale=12, border=3, dark=ink, light="#FFFFFF")
        st.image(stream.getvalue(), width=240, output_format="PNG")
    st.code(address, language=None, wrap_lines=True)
    screen = f"{address}/screen?language={current_language()}"
    st.link_button(tr("room.screen"), screen, icon=":material/cast:", help=tr("room.screen_help"))
    if is_local:
        st.caption(tr("room.local"))
    _hand_over(room)


page()
